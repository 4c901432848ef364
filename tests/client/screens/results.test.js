import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat, standing, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { atRoom, joined, racers, round, roundOver, running, won } = scenes;
const ENDED = NOW + 60_000;
const gaveUp = (n, name, change = {}) =>
  standing(n, name, {
    ...{ place: 2, score: 310, moves: 40, state: 'FORFEIT', finished_ms: 30_000, ...change },
  });
/** Bob has won, and Ada, who looks on, has given up. */
const LOST = roundOver([won(1, 'Bob'), gaveUp(0, 'Ada')], [1]);

const AFTER = { state: 'FINISHED', round: round({ ended: ENDED }), played: 1, next_game: null };
/** Return a room after its race, as a message. @param {any[]} seats @param {any} [change] */
const finished = (seats, change) => scenes.roomMessage(seats, { ...AFTER, ...change });

const ADA = seat(0, 'Ada', { colour: 'blue' });
const BOB = seat(1, 'Bob', { colour: 'red' });
const CY = seat(2, 'Cy');
const READY = { ...BOB, state: 'READY' };

/** Open a page whose race has just ended. @param {any} over @param {any[]} [seats] @param {any} [change] @param {any} [how] */
async function atResults(over, seats = [ADA, BOB], change = {}, how = {}) {
  const racing = seats.map((each) => ({ ...each, state: 'RACING' }));
  const page = await atRoom(running(racing, change), how);
  await page.receive(over, finished(seats, change));
  page.sent();
  return page;
}

const cells = (page, n) =>
  page.all(`#ranking tr[data-seat="${n}"] td`).map((each) => each.textContent);

test('the winner reads it first, with the podium and the ranking', async () => {
  const page = await atResults(roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0]));
  page.shows({ screen: 'results', '#winner': 'You win, Ada!' });
  assert.equal(page.text('#margin'), 'Finished in 1:01.2, 680 points ahead of Bob');
  assert.equal(page.spoken(), 'You win, Ada! Finished in 1:01.2, 680 points ahead of Bob.');
  assert.deepEqual(cells(page, 0), ['1', 'Ada (you)', 'Finished in 1:01.2', '990', '120', '8']);
  assert.deepEqual(cells(page, 1), ['2', 'Bob', 'Gave up', '310', '40', '0']);
  // Who gave up does not stand on the podium.
  assert.deepEqual(page.texts('#podium li'), ['Ada1st']);
  assert.match(page.text('#verified'), /^✗ Deal not verified/); // the seed deals other cards
  assert.match(page.text('#deal-facts'), /Seed0{32}/);
});

test('a loser reads the place and the distance', async () => {
  const rows = [
    won(1, 'Bob'),
    won(0, 'Ada', { place: 2, score: 320, won: false, finished_ms: 60_000, hints: 1, cheats: 2 }),
    gaveUp(2, 'Cy', { place: 3 }),
  ];
  const page = await atResults(roundOver(rows, [1]), [ADA, BOB, CY]);
  page.shows({ '#winner': 'Bob wins', '#margin': 'You came 2nd of 3, 670 points behind Bob' });
  assert.equal(cells(page, 0)[2], 'Stopped at 1:00.0 · 1 hint · 2 cheats');
  page.shows({ '[data-part=cheat-note]': /counts as a cheat/, '#podium li': ['Bob1st', 'Ada2nd'] });
});

test('without a winner nobody stands on the podium, and a tie break is named', async () => {
  const none = await atResults(roundOver([gaveUp(0, 'Ada'), gaveUp(1, 'Bob')], []));
  none.shows({ '#winner': 'Nobody finished', '#podium': false });
  assert.equal(cells(none, 0)[0], '');
  const tie_breaks = [{ seat: 0, by: 'face_down' }];
  const rows = [won(0, 'Ada'), won(1, 'Bob', { place: 2 })];
  const other = await atResults(roundOver(rows, [0], { tie_breaks }));
  assert.match(cells(other, 0)[2], / · ahead by fewer face-down cards$/);
});

test('a latecomer reads that the unranked game has ended with the race', async () => {
  const late = standing(0, 'Ada', { place: null, late_ms: 20_000, state: 'TIMED_OUT' });
  const page = await atResults(roundOver([won(1, 'Bob'), late], [1]), [ADA, BOB], { host: 1 });
  assert.match(page.text('#cut-off'), /^The race is over, and with it your unranked game\./);
  assert.equal(page.isShown('#cut-off'), true);
  assert.equal(cells(page, 0)[2], 'Still playing · started 0:20 late (unranked)');
});

test('players ask for the next race and take that back, and the page names the missing ones', async () => {
  const seats = [ADA, BOB, CY];
  const over = roundOver([won(1, 'Bob'), gaveUp(0, 'Ada'), gaveUp(2, 'Cy')], [1]);
  const page = await atResults(over, seats);
  const wanting = (...of) =>
    page.receive(
      finished(seats.map((each) => (of.includes(each.seat) ? { ...each, state: 'READY' } : each))),
    );
  assert.equal(page.text('#rematch'), 'Rematch');
  await page.sends('#rematch', { type: 'rematch', wanted: true });
  await wanting(0);
  page.shows({ '#next-steps': 'Waiting for Bob and Cy…', '#rematch': 'Cancel' });
  await page.sends('#rematch', { type: 'rematch', wanted: false });
  await wanting(1);
  page.shows({ '#next-steps': 'Bob wants a rematch.', said: 'Bob wants a rematch.' });
  await wanting(1, 2);
  assert.equal(page.text('#next-steps'), 'Bob and Cy want a rematch.');
  await wanting();
  assert.equal(page.isShown('#next-steps'), false);
  await wanting(0, 1);
  assert.equal(page.isShown('#start'), false);
  await page.pass(82_000); // the race ended a minute after the page was opened
  assert.deepEqual([page.text('#start'), page.isShown('#start')], ['Start without Cy', true]);
  await page.sends('#start', { type: 'start' });
  await page.sends('#next', { type: 'next_round' });
});

test('a press on a button hits it though news come meanwhile', async () => {
  const page = await atResults(LOST);
  page.fire(page.find('#rematch'), 'pointerdown', {}, 'PointerEvent');
  await page.receive(finished([ADA, READY]));
  assert.equal(page.text('#next-steps'), '');
  page.fire(page.find('#rematch'), 'pointerup', {}, 'PointerEvent');
  await page.click('#rematch');
  await page.pass(100);
  page.shows({ '#next-steps': 'Bob wants a rematch.', sent: [{ type: 'rematch', wanted: true }] });
});

test('a player who is left out of the next race chooses what to do', async () => {
  const next = { host: 1, settings: { chasers: true } };
  const page = await atResults(LOST, [ADA, BOB], next);
  const second = { ...next, played: 1, round: round({ n: 2, t0: NOW + 65_000 }) };
  await page.receive(scenes.roomMessage([ADA, READY], { ...second, state: 'COUNTDOWN' }));
  assert.match(page.text('#ask'), /^The next race starts without you.*unranked/);
  await page.click('#ask-yes');
  const watching = { ...ADA, state: 'WATCHING' };
  const seats = [watching, ...racers('Ada', 'Bob').slice(1)];
  await page.receive(scenes.race(seats, { ...second, round: round({ n: 2 }) }));
  assert.deepEqual(page.sent('chase'), [{ type: 'chase' }]);
});

test('the same deal can be played alone', async () => {
  const reveal = {
    ...{ deal: 'numbered', number: 24, seed: null, salt: null, commitment: null },
    ...{ deck: ['AS'], proof: null },
  };
  const over = roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0], { reveal });
  const page = await atResults(over, [ADA, BOB], { settings: { deal: 'numbered', number: 24 } });
  assert.match(page.text('#deal-facts'), /Deal number24/);
  await page.click('#again');
  await page.accept();
  const [create] = page.sent('create');
  const { deal, number, max_players } = create.settings;
  assert.deepEqual([create.name, deal, number, max_players], ['Ada', 'numbered', 24, 1]);
});

const PLAYED = { moves: 10, exceptions: 0, hints: 0, cheats: 0, time_ms: 61_000 };
const line = (change) => ({
  ...{ place: 1, score: 990, won: true, given_up: false, is_win: true, has_acted: true },
  ...{ ...PLAYED, ...change },
});
const card = (change) => ({ wins: 1, score: 990, ...PLAYED, ...change });

test('a match shows its card between the rounds, and its winner at the end', async () => {
  const cards = [
    card({ seat: 1, name: 'Bob', place: 1, lines: [line({})] }),
    card({
      ...{ seat: 0, name: 'Ada', place: 2, wins: 0, score: 310 },
      lines: [line({ place: 2, score: 310, won: false, given_up: true, is_win: false })],
    }),
  ];
  const match = {
    ...{ rounds: 2, n: [1], games: ['spider-1'], numbers: [1], cards, over: false, winners: [] },
  };
  const settings = { rounds: 2 };
  const page = await atResults(LOST, [ADA, BOB], { match, settings });
  page.shows({ '#winner': 'Bob wins round 1', '#rematch': 'Next round (2 of 2)' });
  assert.match(page.text('#match-card'), /Bob.*990/s);
  await page.receive(finished([ADA, READY], { match, settings }));
  assert.equal(page.text('#next-steps'), 'Bob is ready for the next round.');
  const games = ['spider-1', 'spider-1'];
  const whole = { ...match, n: [0, 1], games, numbers: [1, 2], over: true, winners: [1] };
  await page.receive(finished([ADA, BOB], { match: whole, settings }));
  page.shows({ '#winner': 'Bob wins the match', '#rematch': 'New match' });
});

test('cards that a large room leaves out are asked for', async () => {
  const stored = { seats: { '7K3QZ0A': { seat: 0, token: 't' } } };
  const page = await openPage('/r/7K3QZ0A', { stored });
  await page.accept(joined(finished([ADA, BOB], { settings: { rounds: 2 } }).room));
  assert.deepEqual(page.sent('cards'), [{ type: 'cards' }]);
});

/** Return what the server knows about a finished round. @param {string} code */
function archive(code) {
  const { reveal } = roundOver([], []);
  const course = {
    ...{ room: code, n: 1, settings: room([]).settings, t0: NOW, ended: NOW + 61_250, reveal },
    ...{ ranking: [won(0, 'Ada'), gaveUp(1, 'Bob')], winners: [0], tie_breaks: [], programs: [] },
    colours: [ADA, BOB].map(({ seat: n, colour }) => ({ seat: n, colour })),
    courses: [
      { seat: 0, name: 'Ada', ms: [0, 10_000, 61_250], score: [0, 105, 990], suits: [0, 1, 8] },
      { seat: 1, name: 'Bob', ms: [0, 20_000], score: [0, 310], suits: [0, 0] },
    ],
  };
  const step = (ms, action, t8, t0, [score, moves, down]) => ({
    ...{ ms, action, piles: { t8, t0 }, score, moves, suits: 0, home: 0, face_down: down },
  });
  const replay = (n, name) => ({
    ...{ seat: n, name, start: table({ seat: n }), acts: 2 },
    steps: [
      step(10_000 * (n + 1), 't8x1-t0', '[3] 4S', '[5] 9S 8S', [105, 1, 43]),
      step(25_000, 'undo', '[4] 8S', '[5] 9S', [100, 2, 44]),
    ],
  });
  const known = { seat: 1, name: 'Bob', known_ms: 15_000, to_the_end: false, lost_ms: 22_000 };
  const review = { room: code, n: 1, state: 'done', games: [{ ...known, acts: 2 }], missing: [] };
  const path = `/api/rooms/${code}/rounds/1`;
  return {
    [`${path}/course`]: course,
    [`${path}/seats/0`]: replay(0, 'Ada'),
    [`${path}/seats/1`]: replay(1, 'Bob'),
    [`${path}/review`]: review,
  };
}

test('a finished race is seen behind its link, and its replay goes to any moment', async () => {
  const page = await openPage('/r/7K3QZ0C/1', { answers: archive('7K3QZ0C') });
  await page.pass(1_000);
  page.shows({ screen: 'finished', '#winner': 'Ada wins' });
  assert.equal(page.find('#round-share').value, 'http://spider.test/r/7K3QZ0C/1');
  // A score stays level until it changes, and from the last change to the end.
  const shapes = page.all('#chart path[data-part=line]').map((path) => path.getAttribute('d'));
  assert.deepEqual(shapes.map((d) => d.replace(/[\d. ]+/g, '')).toSorted(), ['MHVH', 'MHVHVH']);
  page.shows({ '#chart-summary': /^Length: 1:01\./, '#decided': /Bob|Ada/ });
  assert.match(cells(page, 1)[2], /^Gave up.*until 0:15 a win was known/);
  const slider = page.find('#replay-at');
  const top = (pile, side = 0) =>
    page.all('#boards .replay-side')[side].querySelectorAll(`[data-in=${pile}]`).length;
  const figures = () => page.all('#boards [data-part=figures]').map((each) => each.textContent);
  const at = () => Number(slider.value);
  const key = async (name) => {
    page.fire(slider, 'keydown', { key: name }, 'KeyboardEvent');
    await page.draw();
  };
  await page.set('#replay-at', 0);
  assert.deepEqual(
    [at(), page.find('#boards [data-part=act]').textContent],
    [0, 'The cards as dealt.'],
  );
  assert.equal(top('t0'), 6);
  await key('ArrowRight');
  assert.deepEqual([at(), top('t0'), top('t0', 1)], [10_000, 7, 6]);
  assert.match(figures()[0], /^105 points · 1 move · 43 face down/);
  page.fire(page.find('#scores-fold summary'), 'keydown', { key: 'ArrowRight' }, 'KeyboardEvent');
  assert.equal(at(), 10_000, 'the table has its own keys');
  await page.click('#replay-on');
  assert.equal(at(), 20_000);
  await page.click('#replay-back');
  assert.equal(at(), 10_000);
  await page.click('#replay-after');
  assert.deepEqual([at(), page.text('#moment')], [15_000, '0:15 Bob leaves the known win']);
  await page.click('#replay-before');
  assert.deepEqual([at(), page.text('#moment')], [10_000, '0:10 Ada: 1st suit']);
  await page.set('#replay-at', 61_250);
  assert.equal(page.find('#replay-play').title, 'Play');
  await page.click('#replay-play'); // from the beginning again
  assert.equal(page.find('#replay-play').title, 'Pause');
  await page.set('#replay-speed', '32');
  await page.pass(3_000);
  assert.equal(page.find('#replay-play').title, 'Play');
  assert.equal(at(), Number(slider.max));
  await page.set('#board-left', '1');
  assert.equal(page.all('.replay-choice [data-part=mark]')[0].dataset.colour, 'red');
  await page.click(page.all('#boards [data-action=enlarge]')[0]);
  assert.equal(page.all('#boards [data-large]').length, 1);
});

test('a race that is not over, or not there, is not shown', async () => {
  const page = await openPage('/r/7K3QZ0D/1');
  await page.pass(100);
  assert.deepEqual([page.text('#winner'), page.all('#boards').length], ['This race isn’t here', 0]);
});
