import assert from 'node:assert/strict';
import { test } from 'node:test';
import { course, entry, example, room, seat, standing, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { atRoom, joined, round, roundOver, running, won } = scenes;
const OUT = { place: 2, score: 310, moves: 40, state: 'FORFEIT', finished_ms: 30_000 };
const gaveUp = (n, name, change) => standing(n, name, { ...OUT, ...change });
/** Bob has won. Ada has given up and reads the page. */
const LOST = roundOver([won(1, 'Bob'), gaveUp(0, 'Ada')], [1]);

const ENDED = round({ ended: NOW + 60_000 });
const AFTER = { state: 'FINISHED', round: ENDED, played: 1, next_game: null };
/** Return a room after its race, as a message. @param {any[]} seats @param {any} [change] */
const finished = (seats, change) => scenes.roomMessage(seats, { ...AFTER, ...change });

const ADA = seat(0, 'Ada', { colour: 'blue' });
const BOB = seat(1, 'Bob', { colour: 'red' });
const [CY, READY] = [seat(2, 'Cy'), { ...BOB, state: 'READY' }];

/** Open a page whose race has just ended. @param {any} over @param {any[]} [seats] @param {any} [change] @param {any} [how] */
async function atResults(over, seats = [ADA, BOB], change = {}, how = {}) {
  const racing = seats.map((each) => ({ ...each, state: 'RACING' }));
  const page = await atRoom(running(racing, change), how);
  await page.receive(over, finished(seats, change));
  page.sent();
  return page;
}

test('the winner reads the win first, then the podium and the ranking, and may play the deal alone', async () => {
  const page = await atResults(roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0]));
  page.shows({ screen: 'results', '#winner': '1st of 2. You win, Ada!' });
  page.shows({ '#margin': 'Finished in 1:01.2, 680 points ahead of Bob.' });
  page.shows({ spoken: '1st of 2. You win, Ada! Finished in 1:01.2, 680 points ahead of Bob.' });
  page.shows({ '#top #leave': 'Leave', '.top-middle': 'One suit · 2 players' });
  const own = ['1', 'Ada (you) 120 moves', '8 of 8 suits', '1:01.2', ''];
  const bob = ['2', 'Bob gave up at 0:30 · 40 moves', '0 of 8 suits', '310', '680 points'];
  page.shows({ '#ranking td': [...own, ...bob] });
  // A player who gave up is not on the podium, and the seed deals other cards.
  page.shows({ '#podium li': ['Ada (you) 1:01.2 1'], '#verified': /^✗ Deal not verified/ });
  await page.click('#again');
  await page.accept();
  const [{ name, settings }] = page.sent('create');
  const { deal, seed, max_players } = settings;
  assert.deepEqual([name, deal, seed, max_players], ['Ada', 'seed', '0'.repeat(32), 1]);
});

test('the results say whether the deal could be won, and how hard that was for the solver', async () => {
  const reveal = { ...roundOver([], []).reveal, deal: 'secret' };
  const known = { ...reveal, proof: 't1x2-t3', degree: 'middle' };
  for (const [winnable, of, line] of [
    [true, known, 'This deal can be won. Difficulty: medium.'],
    [true, { ...known, degree: undefined }, 'This deal can be won.'],
    [true, { ...known, degree: 'fiendish' }, 'This deal can be won.'],
    [true, reveal, 'We don’t know whether this deal can be won.'],
    [false, reveal, false],
  ]) {
    const over = { ...roundOver([won(0, 'Ada')], [0]), reveal: of };
    const page = await atResults(over, [ADA], { settings: { winnable } });
    page.shows({ '#known-win': line });
  }
});

test('the other players read their place, the gap, and what decided it', async () => {
  const figures = { score: 320, won: false, finished_ms: 60_000, hints: 1, cheats: 2 };
  const [bob, second] = [won(1, 'Bob'), won(0, 'Ada', { place: 2, ...figures })];
  const cy = gaveUp(2, 'Cy', { place: 3 });
  const stuck = /^Ada \(you\) stuck with 8 suits at 1:00 · 120 moves · 1 hint · 2 counted undos$/;
  const late = standing(0, 'Ada', { place: null, late_ms: 20_000, state: 'TIMED_OUT' });
  const idle = standing(0, 'Ada', { score: 0, moves: 0, state: 'TIMED_OUT', has_acted: false });
  const left = { '#margin': 'Out of time. Bob finished in 1:01.2.' };
  const cutOff = { '#cut-off': /^The race is over, and with it your unranked game\./ };
  const behind = { '#winner': '2nd of 3. Bob wins.', '#margin': '670 points behind Bob.' };
  behind['#podium li'] = ['Bob 1:01.2 1', 'Ada (you) 8 suits 2'];
  const tie_breaks = [{ seat: 0, by: 'face_down' }];
  for (const [rows, winners, expected, line, place, change] of [
    [[bob, second, cy], [1], behind, stuck, '2'],
    [[gaveUp(0, 'Ada'), gaveUp(1, 'Bob')], [], { '#podium': false }, /gave up at 0:30/, ''],
    [[won(0, 'Ada'), bob], [0], {}, / · ahead by fewer face-down cards$/, '1', { tie_breaks }],
    [[bob, { ...idle, place: 2 }], [1], left, /out of time · 0 moves$/, ''],
    [[bob, late], [1], cutOff, / out of time · .*started 0:20 late/, ''],
  ]) {
    const page = await atResults(roundOver(rows, winners, change), [ADA, BOB, CY], { host: 1 });
    page.shows({ '#ranking tr[data-seat="0"] td': place, ...expected });
    page.shows({ '#ranking tr[data-seat="0"] td:nth-child(2)': line });
    page.shows({ '[data-part=cheat-note]': rows.includes(second) });
  }
});

test('a spectator is asked to join the next race', async () => {
  const seats = [{ ...ADA, role: 'spectator', state: 'WATCHING' }, BOB, CY];
  const page = await atResults(roundOver([won(1, 'Bob'), won(2, 'Cy', { place: 2 })], [1]), seats);
  page.shows({ '#rematch': 'Join the next race' });
});

test('the card of a match gives a place only to players who may stand on its podium', async () => {
  const line = { ...example('match').match.cards[0].lines[0], has_acted: true };
  const cards = example('match').match.cards.map((card, i) => ({
    ...{ ...card, seat: i, name: ['Ada', 'Bob'][i], place: i + 1, wins: i === 0 ? 1 : 0 },
    lines: [{ ...line, given_up: i > 0 }],
  }));
  const match = { ...example('match').match, n: [1], rounds: 2, over: true, winners: [0], cards };
  const over = roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0]);
  const page = await atResults(over, [ADA, BOB], { match, settings: { rounds: 2 } });
  const captions = ['1st Ada (you) 1 round won', 'Bob 0 rounds won'];
  page.shows({ '#podium li': ['Ada (you) 1 round won 1'], '#match-card caption': captions });
});

test('players ask for the next race and take that back, and the page names the missing ones', async () => {
  const seats = [ADA, BOB, CY];
  const over = roundOver([won(1, 'Bob'), gaveUp(0, 'Ada'), gaveUp(2, 'Cy')], [1]);
  const page = await atResults(over, seats);
  const wanting = async (ready, words, label = 'Rematch') => {
    const after = seats.map((each) => (ready.includes(each) ? { ...each, state: 'READY' } : each));
    await page.hears(finished(after), { '#next-steps': words, '#rematch': label });
  };
  const rematch = (wanted) => page.sends('#rematch', { type: 'rematch', wanted });
  await rematch(true);
  await wanting([ADA], 'Waiting for Bob and Cy…', 'Cancel');
  await rematch(false);
  await wanting([BOB], 'Bob wants a rematch.');
  page.shows({ spoken: 'Bob wants a rematch.', said: '' });
  // A press reaches its button even if a message arrives before the release.
  await page.fire('#rematch', 'pointerdown');
  await wanting([BOB, CY], 'Bob wants a rematch.');
  await page.fire('#rematch', 'pointerup');
  await rematch(true);
  await page.pass(100, { '#next-steps': 'Bob and Cy want a rematch.' });
  await wanting([ADA, BOB], 'Waiting for Cy…', 'Cancel');
  page.shows({ '#start': false });
  await page.pass(82_000); // from the end of the race, a minute after the page was opened
  page.shows({ '#start:not([hidden])': true, '#start': 'Start without Cy' });
  await page.sends('#start', { type: 'start' });
});

test('a player who is left out of the next race chooses what to do', async () => {
  const next = { host: 1, settings: { chasers: true } };
  const page = await atResults(LOST, [ADA, BOB], next);
  const second = { ...next, played: 1, round: round({ n: 2, t0: NOW + 65_000 }) };
  const starts = scenes.roomMessage([ADA, READY], { ...second, state: 'COUNTDOWN' });
  await page.hears(starts, { '#ask': /^The next race starts without you.*unranked/ });
  await page.click('#ask-yes');
  const seats = [ADA, BOB].map((each, n) => ({ ...each, state: n ? 'RACING' : 'WATCHING' }));
  await page.receive(scenes.race(seats, { ...second, round: round({ n: 2 }) }));
  page.shows({ sent: [{ type: 'chase' }] });
});

test('a match shows its score card between the rounds, and its winner at the end', async () => {
  const match = { ...example('match').match, rounds: 3, n: [1] };
  const settings = { rounds: 3 };
  const page = await atResults(LOST, [ADA, BOB], { match, settings });
  page.shows({ '#winner': 'Bob wins round 1', '#rematch': 'Next round (2 of 3)' });
  const order = page.all('#match-card, #ranking').map(({ id }) => id);
  assert.deepEqual(order, ['match-card', 'ranking']); // the standings of the match come first
  page.shows({ '#match-card': /Grace.*100/s });
  await page.receive(finished([ADA, READY], { match, settings }));
  page.shows({ '#next-steps': 'Bob is ready for the next round.' });
  const whole = { ...match, n: [0, 1], over: true, winners: [1] };
  await page.receive(finished([ADA, BOB], { match: whole, settings }));
  page.shows({ '#winner': /Grace wins the match\.$/, '#rematch': 'New match', '#margin': false });
});

test('the card of a match follows a change of colour', async () => {
  const cards = example('match').match.cards.map((card, i) => ({ ...card, seat: i }));
  const match = { ...example('match').match, rounds: 3, n: [1], cards };
  const change = { match, settings: { rounds: 3 } };
  const page = await atResults(LOST, [ADA, BOB], change);
  page.shows({ '#match-card [data-seat="0"][data-colour=blue]': true });
  await page.receive(finished([{ ...ADA, colour: 'olive' }, BOB], change));
  page.shows({ '#match-card [data-seat="0"][data-colour=olive]': true });
});

test('cards that a large room leaves out are asked for', async () => {
  const stored = { seats: { '7K3QZ0A': { seat: 0, token: 't' } } };
  const page = await openPage('/r/7K3QZ0A', { stored });
  await page.accept(joined(finished([ADA, BOB], { settings: { rounds: 2 } }).room));
  assert.deepEqual(page.sent('cards'), [{ type: 'cards' }]);
});

/** The answers of the server about a finished round, by path. */
const PATH = '/api/rooms/7K3QZ0C/rounds/1';
const FIGURES = { score: 105, moves: 1, suits: 0, home: 0, face_down: 43 };
const STEP = { action: 't8x1-t0', piles: { t8: '[3] 4S', t0: '[5] 9S 8S' }, ...FIGURES };
const replay = (n, ms) => {
  const steps = [{ ms, ...STEP }];
  return { seat: n, start: table({ seat: n }), acts: 1, steps };
};
const known = { seat: 1, name: 'Bob', known_ms: 15_000, to_the_end: false, lost_ms: 22_000 };
const ARCHIVE = {
  [`${PATH}/course`]: {
    ...roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0]),
    programs: [],
    room: '7K3QZ0C',
    settings: room([]).settings,
    t0: NOW,
    ended: NOW + 61_250,
    colours: [ADA, BOB].map(({ seat: n, colour }) => ({ seat: n, colour })),
    courses: [
      course(0, [0, 0, 0], [10_000, 105, 1], [61_250, 990, 8]),
      course(1, [0, 0, 0], [20_000, 310, 0]),
    ],
  },
  [`${PATH}/seats/0`]: replay(0, 10_000),
  [`${PATH}/seats/1`]: replay(1, 20_000),
  [`${PATH}/review`]: { state: 'done', games: [known], missing: [] },
};

test('a running review says how many games are left, and one that will not come says nothing', async () => {
  for (const [state, missing, note] of [
    ['running', [], 'Looking for missed wins: 1 game to go…'],
    ['done', [1], false],
  ]) {
    const answers = { ...ARCHIVE, [`${PATH}/review`]: { state, games: [], missing } };
    const page = await openPage('/r/7K3QZ0C/1', { answers });
    await page.pass(1_000, { '#review-note': note, '#ranking tbody tr': 2 });
  }
});

test('a loser reads how long the game could be won, watches the win, and plays on from there', async () => {
  const games = [{ ...known, seat: 0, name: 'Ada' }];
  const answers = { ...ARCHIVE, [`${PATH}/review`]: { state: 'done', games, missing: [] } };
  const page = await atResults(LOST, [ADA, BOB], { code: '7K3QZ0C' }, { answers });
  await page.pass(1_000, { '#own-review': /^Winnable up to 0:15, lost from 0:22\./ });
  page.shows({ '#decided-see': 'Winnable up to 0:15' });
  await page.click('#win-see', { '#boards': true });
  await page.click('#win-play-on');
  await page.accept();
  const [{ cards, acts }] = page.sent('create');
  assert.deepEqual([cards, acts], ['7K3QZ0C/1/0', 1]);
});

test('the link to a finished race shows it, and its replay goes to any moment', async () => {
  const page = await openPage('/r/7K3QZ0C/1', { answers: ARCHIVE });
  await page.pass(1_000, { screen: 'finished', '#round-share': 'http://spider.test/r/7K3QZ0C/1' });
  // A line is level up to each change of the score, and from the last change to the end.
  const shapes = page.all('#chart path[data-part=line]').map((path) => path.getAttribute('d'));
  assert.deepEqual(shapes.map((d) => d.replace(/[\d. ]+/g, '')).toSorted(), ['MHVH', 'MHVHVH']);
  page.shows({ '#chart-summary': /^Length: 1:01\./, '#decided': /Bob|Ada/ });
  page.shows({ '#ranking tbody': /gave up.*winnable up to 0:15/, '#boards': false });
  await page.click('#replay-open', { '#replay-open': 'Close replay', '#boards': true });
  const [left, right] = page.all('#boards .replay-side');
  const tops = () => [left, right].map((side) => side.querySelectorAll('[data-in=t0]').length);
  const press = (key, on = '#replay-at') => page.fire(on, 'keydown', { key });
  await page.set('#replay-at', 0, { '#boards [data-part=act]': 'The cards as dealt.' });
  assert.deepEqual(tops(), [6, 6]);
  await press('ArrowRight');
  page.shows({ '#boards [data-part=figures]': /^105 points · 1 move · 43 face down/ });
  assert.deepEqual(tops(), [7, 6]);
  await press('ArrowRight', '#scores-fold summary');
  page.shows({ '#replay-at': '10000' }); // the replay ignores keys that the focused element uses
  await page.click('#replay-on', { '#replay-at': '20000' });
  await press('PageDown');
  page.shows({ '#replay-at': '15000', '#moment': '0:15 Bob misses the win' });
  await page.click('#replay-before', { '#replay-at': '10000', '#moment': '0:10 Ada: 1st suit' });
  await page.set('#replay-at', 61_250);
  await press(' '); // at the end, the replay starts over
  page.shows({ '#replay-play[title=Pause]': 1 });
  await page.pass(60_000, { '#replay-play[title=Play]': 1, '#replay-at': '61250' });
  // The last known way to win plays beside the game.
  await page.set('#board-left', '1');
  await page.click('#boards [data-part=review] button');
  assert.deepEqual([left.dataset.seat, right.dataset.seat], ['1', '1/win']);
  page.shows({ '#boards [data-seat="1"] [data-part=mark][data-colour=red]': 1 });
  await page.click(left.querySelector('[data-action=enlarge]'), { '#boards [data-large]': 1 });
});

/** A practice game of Cy's, beside the ghost of Ada's game in `ARCHIVE`. */
const OWN = '/api/rooms/7K3QZ0A/rounds/1';
const CYS = won(0, 'Cy', { finished_ms: 50_000 });
const DUEL = {
  ...ARCHIVE,
  [`${OWN}/course`]: {
    ...ARCHIVE[`${PATH}/course`],
    ...{ ranking: [CYS], winners: [0], room: '7K3QZ0A', colours: [] },
    courses: [{ ...course(0, [0, 0, 0], [50_000, 990, 8]), name: 'Cy' }],
  },
  [`${OWN}/seats/0`]: replay(0, 50_000),
  [`${OWN}/review`]: { state: 'done', games: [], missing: [] },
};

/** Open the results of a game beside that ghost. @param {any} answers @param {any} [row] of the player @param {any} [how] */
function afterGhost(answers, row = CYS, { code = '7K3QZ0C', ...how } = {}) {
  const cards = round({ cards: `${code}/1/0`, ended: NOW + 60_000 });
  const over = roundOver([row], row.won ? [0] : []);
  const change = { settings: { max_players: 1 }, round: cards };
  return atResults(over, [seat(0, 'Cy')], change, { answers, ...how });
}

test('a game beside a ghost ends as a duel on two boards, and goes back as a challenge', async () => {
  const page = await afterGhost(DUEL, CYS, {
    stored: { duels: [{ cards: 'x', name: 'Ada', won: false }] },
  });
  await page.pass(1_000, { '#winner': 'You beat Ada by 0:11' });
  page.shows({ '#margin': 'Finished in 0:50.0. Ada needed 1:01.2.', '#podium li': 2 });
  page.shows({ '#best': '1 : 1, you and Ada, in challenges', '#podium [data-ghost]': 1 });
  page.shows({ spoken: /^You beat Ada by 0:11. Finished in/, '#again': false, '#next': false });
  page.shows({ '#ranking [data-ghost] td:nth-child(2)': 'Ada ghost · 120 moves' });
  page.shows({ '#chart path[data-ghost]': 1, '#chart [data-end][data-ghost]': 1 });
  await page.click('#replay-open', { '#boards': true });
  await page.set('#replay-at', 10_000);
  page.shows({
    '#boards [data-part=figures]': [
      '0 points · 0 moves · 44 face down · 0 suits',
      '105 points · 1 move · 43 face down · 0 suits',
    ],
  });
  page.shows({ '#boards [data-part=race]:nth-child(1)': 2 });
  assert.equal(page.all('#boards [data-part=race]')[1].getAttribute('href'), '/g/7K3QZ0C/1/0');
  // A challenge is answered with this player's own game.
  const texts = [];
  page.window.navigator.clipboard.writeText = async (text) => void texts.push(text);
  page.shows({ '#challenge': 'Send it back', '#rematch': 'Try again' });
  page.shows({ '#next-steps': 'Your turn to dare. Ada gets your 0:50 to beat.' });
  await page.click('#challenge', { said: 'Link copied. Send it to a friend.' });
  assert.deepEqual(texts, ['http://spider.test/g/7K3QZ0A/1/0']);
  await page.click('#rematch');
  await page.accept();
  assert.equal(page.sent('create')[0].cards, '7K3QZ0C/1/0');
});

test('a player who lost to a ghost is first offered another try, which changes no tally', async () => {
  const gone = gaveUp(0, 'Cy', { place: 1 });
  const duels = [
    { cards: '7K3QZ0C/1/0', name: 'Ada', won: true },
    { cards: 'x', name: 'Ada', won: true },
  ];
  const page = await afterGhost(DUEL, gone, { stored: { duels } });
  await page.pass(1_000, {
    '#winner': 'Ada beat you',
    '#best': '2 : 0, you and Ada, in challenges',
  });
  page.shows({ '#margin': 'You gave up at 0:30. Ada’s ghost finished in 1:01.2.' });
  page.shows({ '#rematch[data-kind=primary]': 'Try again', '#challenge': 'Challenge back' });
  page.shows({ '#next-steps': 'Your first try counts. Again is for yourself.' });
});

test('a challenge whose round has expired leaves the result of this game alone', async () => {
  const page = await afterGhost(DUEL, CYS, { code: '7K3QZ0E' });
  await page.pass(1_000, { '#winner': '0:50.0 You finished!', '#podium': false });
  page.shows({ '#best': 'The game you raced isn’t here any more.', '#rematch': 'Try again' });
  page.shows({ '#challenge': 'Challenge back' });
});

test('a duel that cannot be loaded without a network is shown once there is one', async () => {
  const path = '/api/rooms/7K3QZ0F/rounds/1/course';
  const page = await afterGhost({ ...DUEL, [path]: 503 }, CYS, { code: '7K3QZ0F' });
  await page.pass(1_000, { '#best': /^No answer from the server/ });
  page.answers[path] = DUEL[`${PATH}/course`];
  await page.pass(10_000, { '#winner': 'You beat Ada by 0:11', '#best': false });
});

test('a player can challenge a friend with any game that has an act and is not secret', async () => {
  for (const [row, reveal, isThere] of [
    [won(0, 'Ada'), {}, true],
    [gaveUp(0, 'Ada', { has_acted: false }), {}, false],
    [won(0, 'Ada'), { deck: [] }, false],
  ]) {
    const over = roundOver([row, gaveUp(1, 'Bob')], [0]);
    const page = await atResults({ ...over, reveal: { ...over.reveal, ...reveal } });
    page.shows({ '#challenge': isThere && 'Challenge a friend', '#challenge[data-size=big]': 0 });
  }
  const page = await atResults(roundOver([won(1, 'Bob')], [1]));
  page.shows({ '#challenge': false });
});

test('a link that cannot be copied is shown', async () => {
  const page = await atResults(roundOver([won(0, 'Ada'), gaveUp(1, 'Bob')], [0]));
  page.window.navigator.clipboard.writeText = () => Promise.reject(new Error());
  page.window.document.execCommand = () => false;
  await page.click('#challenge', { said: 'http://spider.test/g/7K3QZ0A/1/0' });
});

const DAY = '/api/days/2026-11-28/spider-1';

/** Open the page of a day on which Ada ran out of time, with two suits home. @param {() => void} prepare called before its course is there */
async function atDay(prepare) {
  const figures = { state: 'TIMED_OUT', won: false, score: 310, moves: 40 };
  const late = standing(0, 'Ada', { ...figures, finished_ms: null });
  const line = { place: 1, entry: 'aa', name: 'Ada', kind: 'person', ms: null };
  const rows = [{ ...line, ...figures, suits: 2 }];
  const [day, game] = DAY.split('/').slice(-2);
  const board = { day, game, over: true, players: 1, finished: 1, won: 0, rows, around: rows };
  const played = {
    ...ARCHIVE[`${PATH}/course`],
    settings: { ...room([]).settings, time_limit_s: 3_600 },
    ranking: [late],
    ...{ t0: 0, ended: 3_600_000 },
    courses: [course(0, [0, 0, 0], [500_000, 105, 1], [3_000_000, 310, 2])],
  };
  const answerCourse = () => {
    prepare();
    return played;
  };
  const answers = { [DAY]: { ...board, own: 'aa' }, [`${DAY}/aa/course`]: answerCourse };
  const page = await openPage(`/d/${day}/${game}`, { answers });
  await page.pass(100, { screen: 'day' });
  return page;
}

test('a result is shared as text beside its link, and only a failure is announced', async () => {
  let failure = '';
  const shared = [];
  const page = await atDay(() => {
    globalThis.matchMedia = () => ({ matches: true });
    navigator.share = async (what) => {
      shared.push(what);
      if (failure) throw new DOMException('', failure);
    };
  });
  await page.click('#day-sharing');
  for (failure of ['', 'AbortError', 'NotAllowedError']) {
    const isTold = failure === 'NotAllowedError';
    await page.click('#day-hand-on', { said: isTold ? /^That couldn’t be shared. Copy it/ : '' });
    page.shows({ '#day-copy': true });
  }
  assert.equal(shared.length, 3);
  for (const { text, url } of shared) {
    assert.equal(url, 'http://spider.test/d/2026-11-28/spider-1');
    const [, points, squares, ...more] = text.split('\n');
    // The game ran for an hour, and its suits came home after 8 and after 50 minutes.
    assert.deepEqual([points, squares], ['310 points · 40 moves', '⬜🟩⬜⬜⬜⬜⬜⬜🟩⬜']);
    assert.deepEqual(more, []);
  }
});

test('the page of your races says how games ended, and fetches the places once an open race is over', async () => {
  const { rowsOf } = await import('../../../web_client/src/state/entries.js');
  const window = { link: '/r/7K3QZ0W', place: null, of: 1, rivals: [], ms: 61_250, moves: 120 };
  const entries = [
    entry('7K3QZ0W/2', NOW, { ...window, score: 990 }),
    entry('7K3QZ0V/1', NOW - 1, { won: false, gaveUp: true, ms: 12_800 }),
    entry('7K3QZ0U/1', NOW - 2, { won: false, gaveUp: null, ms: 12_800 }),
  ];
  const path = '/api/rooms/7K3QZ0W/rounds/2/course';
  const page = await openPage('/yours', { stored: { history: rowsOf(entries) } });
  const lines = () => page.all('#yours-list li').map(({ textContent: text }) => text.split(' · '));
  const links = () => page.all('#yours-list a').map((link) => link.getAttribute('href'));
  await page.pass(100, { screen: 'yours' });
  const [open, quit, old] = lines();
  assert.match(open[0], /^–One suit/);
  assert.equal(open[1], 'race still open');
  assert.match(open.at(-1), /1:01$/);
  assert.deepEqual([quit[1], old[1]], ['gave up at 0:12', 'stopped at 0:12']);
  assert.equal(links()[0], '/r/7K3QZ0W');
  const winner = won(1, 'Bob', { moves: 119 });
  const own = won(0, 'Ada', { place: 2, finished_ms: 61_250 });
  page.answers[path] = roundOver([winner, own], [1]);
  await page.pass(60_000);
  assert.match(lines()[0].join(), /^2ndOne suit.*,of 2,/);
  assert.equal(links()[0], '/r/7K3QZ0W/2');
});

test('better places have higher bars, and games without races have a tile, too', async () => {
  const { rowsOf } = await import('../../../web_client/src/state/entries.js');
  const places = [
    [2, 3],
    [4, 40],
    [2, 9],
    [1, 2],
  ]; // newest first
  const entries = places.map(([place, of], n) => entry(`7K3QZ0W/${n}`, NOW - n, { place, of }));
  const page = await openPage('/yours', { stored: { history: rowsOf(entries) } });
  await page.pass(100, { screen: 'yours' });
  const bars = page.all('.yours-form i');
  assert.deepEqual(
    bars.map((bar) => [bar.textContent, bar.style.getPropertyValue('--part')]),
    [
      ['1', '1'],
      ['2', '0.75'],
      ['4', '0.25'],
      ['2', '0.75'],
    ],
  );
  assert.match(
    page.find('.yours-form').getAttribute('aria-label'),
    /1st of 2, 2nd of 9, 4th of 40/,
  );
  const [, ...others] = page.texts('.yours-tile');
  assert.deepEqual(others, ['Two suits No races yet', 'Four suits No races yet']);
});

test('a ghost that could not be fetched at the start of its race joins it later', async () => {
  const path = '/api/rooms/7K3QZ0G/rounds/1/course';
  const again = { settings: { max_players: 1 }, round: round({ cards: '7K3QZ0G/1/0' }) };
  const alone = running([seat(0, 'Ada', { state: 'RACING' })], again);
  const page = await atRoom(alone, { answers: { [path]: 503 } });
  await page.receive({ type: 'table', table: table() });
  await page.pass(1_000);
  assert.ok(!page.texts('#standings li').join().includes('Ghost'));
  page.answers[path] = ARCHIVE[`${PATH}/course`];
  await page.pass(10_000);
  assert.match(page.texts('#standings li').join(), /Ghost of Ada/);
});
