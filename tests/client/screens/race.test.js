import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat, standing, table } from '../examples.js';
import { NOW } from '../page.js';
import * as scenes from '../scenes.js';

const { acted, atRace, atRoom, racers, race, roomMessage, round, running, won } = scenes;
/** Return standings of these players, best first: places are counted. @param {number} number @param {...[number, string, any?]} rows */
function standingsOf(number, ...rows) {
  const all = rows.map(([n, name, change], i) => standing(n, name, { place: i + 1, ...change }));
  return scenes.standingsOf(all, number);
}
const HOME = won(1, 'Bob', { finished_ms: 65_000 });
const AWAY = [...racers('Ada'), seat(1, 'Bob', { state: 'RACING', connection: 'gone' })];

function row(page, n) {
  const part = (name) => page.text(`#standings [data-seat="${n}"] [data-part=${name}]`);
  return [part('place'), part('name'), part('points'), part('about')];
}
const order = (page) => page.all('#standings > li').map((each) => Number(each.dataset.seat));

test('a race counts down, begins and shows its clocks', async () => {
  const times = { t0: NOW + 5_000, t_end: NOW + 85_000 };
  const at = { state: 'COUNTDOWN', round: round(times) };
  const ready = racers('Ada', 'Bob').map((each) => ({ ...each, state: 'READY' }));
  const page = await atRoom(room(ready.slice(0, 1)));
  await page.receive(roomMessage(ready));
  assert.equal(page.said(), 'Bob joined.');
  await page.receive(roomMessage(ready, at));
  page.shows({ screen: 'countdown', said: '', spoken: 'The race starts in 5 seconds.' });
  assert.equal(page.text('#digit'), '5');
  assert.deepEqual(page.texts('#racers li').length, 2);
  await page.pass(2_500);
  assert.equal(page.text('#digit'), '3');
  await page.sends('#abort', { type: 'abort' });
  const own = { type: 'table', table: table() };
  await page.receive(race(racers('Ada', 'Bob'), { round: round(times) }), own);
  page.shows({ screen: 'race', said: 'Go!', spoken: '' });
  await page.pass(63_000);
  page.shows({ '#clock': '1:00', '#time-left': '0:19 left', '#last-seconds': false });
  await page.pass(10_000);
  page.shows({ '#last-seconds': true, '#time-left[data-soon]': true });
  await page.pass(3_000);
  assert.equal(page.spoken(), 'The race ends in 10 seconds.'); // read out once
});

test('rows show places, points, gaps and what a player has done', async () => {
  const page = await atRace({ names: ['Ada', 'Bob', 'Cy', 'Di'] });
  assert.deepEqual(row(page, 0), ['', 'Ada (you)', '0', '44 face down']); // no place before an act
  const rows = [
    [1, 'Bob', { score: 130, suits: 1, face_down: 20 }],
    [0, 'Ada', { score: 90, face_down: 30, cheats: 1, hints: 2 }],
    [2, 'Cy', { state: 'FORFEIT', score: 10 }],
    [3, 'Di', { state: 'CHASING', place: null, late_ms: 60_000, stand_in: 'club' }],
  ];
  await page.receive(standingsOf(2, ...rows));
  await page.pass(1_100);
  assert.deepEqual(order(page), [1, 0, 2, 3]);
  assert.deepEqual(row(page, 1), ['1', 'Bob', '130', '+40 · 1 suit · 20 face down']);
  const about = '−40 · 2 hints · 1 cheat · 30 face down';
  assert.deepEqual(row(page, 0), ['2', 'Ada (you)', '90', about]);
  assert.deepEqual(row(page, 2), ['3', 'Cy', '10', 'gave up']);
  const late = 'by computer, unranked · started 1:00 late · 44 face down';
  assert.deepEqual(row(page, 3), ['', 'Di', '0', late]);
  const bob = page.find('#standings [data-seat="1"]');
  assert.deepEqual([bob.hasAttribute('data-leads'), page.text('#place')], [true, '2nd']);
  await page.receive(race(AWAY));
  assert.match(row(page, 1)[3], /^offline · /);
});

test('changes of the leaderboard are drawn, at most one order a second, and a gap is asked for', async () => {
  const page = await atRace();
  const change = (number, n, score, place = 1) => ({
    ...{ type: 'standings_changes', number, order: [[n], [1 - n]] },
    changed: [
      { seat: n, score, place, has_acted: true },
      { seat: 1 - n, place: 2, has_acted: true },
    ],
  });
  await page.receive(change(2, 0, 5));
  await page.pass(1_000);
  assert.deepEqual(order(page), [0, 1]);
  await page.receive(change(3, 1, 10));
  assert.deepEqual(order(page), [1, 0]);
  await page.receive(change(4, 0, 20));
  assert.deepEqual(order(page), [1, 0]); // players can read it
  await page.pass(1_000);
  assert.deepEqual([...order(page), ...row(page, 0).slice(0, 3)], [0, 1, '1', 'Ada (you)', '20']);
  assert.deepEqual(page.sent(), []);
  await page.receive(change(4, 1, 99)); // an old one
  assert.equal(row(page, 1)[2], '10');
  await page.receive(change(7, 1, 99)); // two are missing
  assert.deepEqual(page.sent(), [{ type: 'watch' }]);
  await page.receive(standingsOf(9, [1, 'Bob', { score: 99 }], [0, 'Ada', { score: 20 }]));
  await page.pass(1_000);
  assert.deepEqual(order(page), [1, 0]);
});

test('a hundred equal rows write nothing, and one that has changed only itself', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `P${i}`);
  const page = await atRace({ names });
  const rows = (score) => names.map((name, i) => [i, name, { score: i ? 100 - i : score }]);
  await page.receive(standingsOf(2, ...rows(200)));
  await page.pass(3_000);
  const written = new Set();
  const observer = new page.window.MutationObserver((records) => {
    for (const { target } of records) written.add(target.parentElement.closest('li, ol'));
  });
  const all = { attributes: true, childList: true, characterData: true, subtree: true };
  observer.observe(page.find('#standings'), all);
  await page.receive(standingsOf(3, ...rows(200)));
  await page.pass(3_000);
  assert.equal(written.size, 0);
  await page.receive(standingsOf(4, ...rows(200).with(5, [5, 'P5', { score: 95, hints: 1 }])));
  await page.pass(3_000);
  assert.deepEqual([...written], [page.find('#standings [data-seat="5"]')]);
});

test('a loser may play on, and an act is the answer', async () => {
  const page = await atRace({ table: { legal: 'deal', score: 40 } });
  const lost = standingsOf(2, [1, 'Bob', HOME], [0, 'Ada', { score: 40 }]);
  await page.receive(lost);
  assert.equal(page.text('#game-over-title'), 'Bob wins');
  assert.match(page.text('#game-over-text'), /^You can still finish: 1\d:\d\d left\.$/);
  assert.deepEqual(page.texts('#game-over button'), ['Play on for 2nd', 'Give up']);
  await page.click('#deal');
  await page.receive(acted(1, { legal: 'undo', score: 40 }));
  assert.equal(page.isShown('#game-over'), false);
  const other = await atRace();
  await other.receive(lost);
  await other.click('#game-over-look');
  await other.receive(standingsOf(3, [1, 'Bob', HOME], [0, 'Ada', { score: 41 }]));
  assert.equal(other.isShown('#game-over'), false); // it is asked once
  const byScore = await atRace({ room: { settings: { ranking: 'best_score' } } });
  await byScore.receive(lost);
  assert.equal(byScore.isShown('#game-over'), false); // nobody has won yet
  const again = await atRoom(running(racers('Ada', 'Bob')));
  await again.receive(lost);
  await again.receive({ type: 'table', table: table() });
  again.shows({ '#game-over': true, '#game-over-title': 'Bob wins' }); // the table comes later
});

test('the winner learns who still races', async () => {
  const page = await atRace({ table: { legal: 'finish', at: 4 } });
  await page.click('#finish');
  await page.receive(
    acted(1, { at: 5, outcome: 'won', score: 990 }),
    race([seat(0, 'Ada', { state: 'FINISHED' }), seat(1, 'Bob', { state: 'RACING' })]),
    standingsOf(2, [0, 'Ada', { ...HOME, seat: 0, name: 'Ada', finished_ms: 61_000 }], [1, 'Bob']),
  );
  const text = /^1 player still racing, .* left\. Your win counts even if you leave\./;
  page.shows({ '#game-over-title': 'You win! 1:01.', '#game-over-text': text });
});

test('a player without moves is asked, and may look on or take back', async () => {
  const stuck = { stuck: 'stock_empty', legal: 'undo,finish' };
  const page = await atRace({ table: { at: 5, score: 77, ...stuck } });
  // It is said after a reload, too.
  const question = 'Finish here or undo? You keep 77 points.';
  page.shows({ said: `No moves left. ${question}`, '#game-over-title': 'No moves left' });
  page.shows({ '#game-over-text': `All cards have been dealt. ${question}` });
  assert.deepEqual(page.texts('#game-over button'), ['Keep looking', 'Undo', 'Finish']);
  await page.click('#game-over-finish', { detail: 2 }); // of a double click on the table
  assert.deepEqual(page.sent(), []);
  await page.click('#game-over-look');
  assert.equal(page.isShown('#game-over'), false);
  await page.click('#undo');
  await page.receive(acted(1, { at: 6, legal: 'deal', score: 70 }));
  await page.click('#deal');
  await page.receive(acted(2, { at: 7, score: 70, ...stuck }));
  assert.equal(page.said(), 'No moves left. Finish here or undo? You keep 70 points.');
  assert.equal(page.isShown('#game-over'), true); // it is asked again
  await page.click('#game-over-finish');
  assert.equal(page.sent('act').at(-1).action, 'finish');
  assert.equal(page.isShown('#game-over'), false);
  await page.receive(scenes.refused('act', 'try_again', { id: 3 }));
  assert.equal(page.isShown('#game-over'), true);
});

test('the page asks a question where the rest of a game is known', async () => {
  const page = await atRace({ table: { at: 9, score: 80, legal: 't0x1-t4,undo' } });
  await page.receive({ type: 'assessed', at: 9, outlook: 'dead', line: '', gain: 2 });
  page.shows({ '#game-over-title': 'Nothing can change any more' });
  page.shows({ '#game-over-text': /2 points at most\. Stop here or undo\? You keep 80 points\.$/ });
  await page.sends('#game-over-finish', { type: 'forfeit', dead: true });
});

const LINE = ['t0x1-t4', 't1x1-t5', 't2x1-t6'];
const LEGAL = [...LINE, 'undo'].join();
const acts = (page) => page.sent('act').map(({ action }) => action);

/** Play out a game of which the server knows how it is won. */
async function atPlayOut() {
  const page = await atRace({ table: { at: 9, score: 80, legal: LEGAL } });
  await page.receive({ type: 'assessed', at: 9, outlook: 'won', line: LINE.join(), gain: 0 });
  assert.equal(page.text('#game-over-title'), 'It’s a win from here');
  await page.click('#game-over-finish');
  assert.deepEqual(acts(page), LINE.slice(0, 1));
  assert.equal(page.text('#game-over-title'), 'Playing it out…');
  return page;
}

test('a won game is played out at an even pace, each act after the answer to the one before', async () => {
  const page = await atPlayOut();
  await page.pass(10_000);
  assert.deepEqual(acts(page), []); // it is not answered
  await page.receive(acted(1, { at: 10, legal: LEGAL }));
  assert.deepEqual(acts(page), [LINE[1]]);
  await page.receive(acted(2, { at: 11, legal: LEGAL }));
  assert.deepEqual(acts(page), []); // players can follow it
  await page.pass(1_000);
  assert.deepEqual(acts(page), [LINE[2]]);
});

const STOPS = {
  'its button is pressed': (page) => page.click('#game-over-look'),
  'the table is pressed': (page) =>
    page.fire(page.find('#board [data-pile=t0]'), 'pointerdown', {}, 'PointerEvent'),
  'the player acts': async (page) => {
    await page.click('#undo');
    await page.receive(...[1, 2].map((id) => acted(id, { at: 9 + id, legal: LEGAL })));
    assert.deepEqual(acts(page), ['undo']);
  },
  'the act is refused': (page) => page.receive(scenes.refused('act', 'try_again', { id: 1 })),
  'the connection is lost': (page) => page.drop(1_006),
  'the race is over': (page) => page.receive(race([])),
  'the next act is not legal': (page) => page.receive(acted(1, { at: 10, legal: 'undo' })),
};
for (const [what, happen] of Object.entries(STOPS))
  test(`a won game is played out no further when ${what}`, async () => {
    const page = await atPlayOut();
    await happen(page);
    await page.pass(1_000);
    const isShown = page.isShown('#game-over');
    assert.ok(!isShown || page.text('#game-over-title') !== 'Playing it out…');
    await page.receive(acted(1, { at: 10, legal: LEGAL }));
    await page.pass(5_000);
    assert.deepEqual(acts(page), []);
  });

test('giving up is asked for, and can be taken back for a moment', async () => {
  const page = await atRace();
  await page.click('#forfeit');
  assert.match(page.text('#ask'), /^Give up this race\?You keep your score\./);
  await page.sends('#ask-no');
  await page.click('#forfeit');
  await page.sends('#ask-yes', { type: 'forfeit', held: true });
  const [ada, bob] = racers('Ada', 'Bob');
  await page.receive(race([{ ...ada, forfeits_at: NOW + 5_000 }, bob]));
  assert.equal(page.text('#game-over-title'), 'You gave up');
  page.shows({ '#game-over button': ['Play on', 'Give up now'], '#forfeit': false });
  await page.sends('#deal'); // no act while it is open
  await page.sends('#game-over-look', { type: 'forfeit', taken_back: true });
  await page.receive(race([ada, bob]));
  assert.equal(page.isShown('#game-over'), false);
  const standings = standingsOf(2, [1, 'Bob'], [0, 'Ada', { state: 'FORFEIT' }]);
  await page.receive(race([{ ...ada, state: 'FORFEIT' }, bob]), standings);
  page.shows({ said: 'You gave up.', '#game-over-title': 'You gave up.' });
  page.shows({ '#game-over-text': /^1 player still racing, /, '#leave': true });
});

test('the last one who races may end the race', async () => {
  const page = await atRace();
  const [ada] = racers('Ada');
  const standings = standingsOf(2, [0, 'Ada'], [1, 'Bob', { state: 'FORFEIT' }]);
  await page.receive(race([ada, seat(1, 'Bob', { state: 'FORFEIT' })]), standings);
  page.shows({ '#game-over-title': 'You’re the last one racing', spoken: /Everyone else gave up/ });
  await page.sends('#game-over-finish', { type: 'end', grace_s: 5 });
});

test('the host ends or stops a race, unless somebody has won', async () => {
  const guest = await atRace({ room: { host: 1 } });
  assert.equal(guest.isShown('#host'), false);
  const page = await atRace();
  await page.click('#host');
  await page.sends('[data-grace="30"]', { type: 'end', grace_s: 30 });
  await page.receive(race(racers('Ada', 'Bob'), { round: round({ t_end: NOW + 30_000 }) }));
  assert.equal(page.said(), 'The race ends in 30 seconds.');
  await page.pass(2_000);
  assert.equal(page.said(), 'The race ends in 28 seconds.');
  assert.equal(page.find('#status').getAttribute('aria-live'), 'off'); // it was read out once
  await page.click('#host');
  await page.click('#abort');
  await page.sends('#ask-no');
  page.find('#abort').focus();
  await page.receive(standingsOf(2, [1, 'Bob', HOME], [0, 'Ada']));
  page.shows({ '#abort': false, focus: 'host-controls-close', '#status[aria-live=polite]': true });
  await page.pass(2_000);
  assert.match(page.said(), /^Bob wins/); // and no seconds any more
  assert.match(page.text('#host-controls'), /Someone has already won\./);
  const stopped = await atRace();
  await stopped.receive(race(racers('Ada', 'Bob'), { round: round({ t_end: NOW + 2_000 }) }));
  await stopped.pass(3_000);
  assert.equal(stopped.said(), '');
  await stopped.click('#host');
  await stopped.click('#abort');
  await stopped.sends('#ask-yes', { type: 'abort' });
  await stopped.receive(roomMessage([seat(0, 'Ada'), seat(1, 'Bob')]));
  stopped.shows({ screen: 'room', said: 'The host stopped the race.' });
});

test('the host brings a computer player for a player who is gone', async () => {
  const page = await atRace();
  await page.receive(race(AWAY));
  await page.click('#host');
  await page.click('#host-controls [data-action=stand-in]');
  assert.deepEqual(page.sent(), [{ type: 'add_stand_in', seat: 1, level: 'club' }]);
});

test('latecomers watch, or play the deal unranked where the host allows it', async () => {
  const seats = [seat(0, 'Ada', { state: 'WATCHING' }), ...racers('x', 'Bob').slice(1)];
  const watcher = await atRoom(running(seats, { host: 1 }), { me: { token: 'new' } });
  watcher.shows({ said: 'This race has started. You’ll play in the next one.', '#chase': false });
  const page = await atRoom(running(seats, { host: 1, settings: { chasers: true } }));
  assert.equal(page.said(), 'This race has started. You can play the same deal now, unranked.');
  await page.click('#chase');
  assert.deepEqual(page.sent('chase'), [{ type: 'chase' }]);
  const chasing = [seat(0, 'Ada', { state: 'CHASING' }), seats[1]];
  await page.receive(race(chasing, { host: 1 }), { type: 'table', table: table() });
  assert.match(page.said(), /^You play this deal unranked/);
  assert.equal(page.find('#deal').disabled, false);
});

test('spectators see the boards of the leaders large, with the delay of the room', async () => {
  const names = ['Ada', 'Bob', 'Cy', 'Di'];
  const seats = names.map((name, n) => seat(n, name, { state: n ? 'RACING' : 'WATCHING' }));
  const settings = { spectate: 'boards', board_delay_s: 60 };
  const page = await atRoom(running(seats, { host: 1, settings }));
  const rows = [1, 2, 3].map((n) => [n, names[n] ?? '', { score: 40 - 10 * n }]);
  await page.receive(standingsOf(1, ...rows));
  assert.deepEqual(page.sent('watch'), [{ type: 'watch', boards: [1, 2, 3] }]);
  assert.match(page.text('#late'), /first moves in 1:00\.$/);
  const board = table({ seat: 1, piles: ['KS', ...Array(18).fill('')] });
  await page.receive({ type: 'table', table: board });
  await page.pass(61_000);
  assert.equal(page.text('#late'), 'The boards are 60 seconds behind.');
  const sizes = () =>
    [1, 2, 3].map((n) => page.find(`#board-grid [data-seat="${n}"]`).dataset.size);
  assert.deepEqual(sizes(), ['large', 'large', 'small']);
  assert.equal(page.all('#board-grid [data-seat="1"] [data-card=KS]').length, 1);
  await page.click('#board-grid [data-seat="3"] [data-action=enlarge]');
  assert.deepEqual(sizes(), ['small', 'small', 'largest']);
  page.fire(page.find('#board-grid ul'), 'keydown', { key: 'Escape' }, 'KeyboardEvent');
  assert.deepEqual(sizes(), ['large', 'large', 'small']);
});

test('where boards are hidden, spectators have the events in their place', async () => {
  const seats = [seat(0, 'Ada', { state: 'WATCHING' }), ...racers('x', 'Bob', 'Cy').slice(1)];
  const page = await atRoom(running(seats, { host: 1 }));
  await page.receive(standingsOf(1, [1, 'Bob', { score: 9 }], [2, 'Cy']));
  await page.pass(1_000);
  assert.equal(page.all('#board-grid [data-action=enlarge]').length, 0);
  assert.deepEqual(page.sent('watch'), []);
  await page.receive(standingsOf(2, [1, 'Bob', { score: 9, suits: 1 }], [2, 'Cy']));
  await page.pass(500);
  assert.match(page.text('#board-grid #events li'), /Bob: 1 of 8 suits$/);
});

test('practice has no limit, restarts at once and shows the best result', async () => {
  const settings = { max_players: 1, time_limit_s: null, deal: 'numbered', number: 24 };
  const alone = { names: ['Ada'], room: { settings, round: round({ t_end: null, number: 24 }) } };
  const best = { score: 500, ms: null };
  const stored = { 'best-game': { 'spider-1': best }, 'best-deal': { 'spider-1 24': best } };
  const page = await atRace({ ...alone, how: { stored } });
  page.shows({ '#time-left': '', '#best': 'Best 500', '#place': false });
  await page.click('#restart');
  const sent = page.sent().map(({ type, again }) => [type, again]);
  assert.equal(sent.join(), 'abort,,start,true');
});

test('leaving a race is asked for', async () => {
  const page = await atRace();
  page.window.history.back();
  await page.pass(100);
  assert.match(page.text('#ask'), /^Leave the race\?/);
  await page.click('#ask-no');
  assert.equal(page.screen(), 'race');
});

test('the page says to newcomers what to do first, unless an act or an end comes before', async () => {
  for (const does of [false, true]) {
    const page = await atRoom(room([seat(0, 'Ada')]), { stored: { moved: false } });
    await page.receive(race(racers('Ada')), { type: 'table', table: table() });
    if (does) {
      await page.click('#deal');
      await page.receive(acted(1, { legal: '' }));
    }
    await page.pass(10_000);
    assert.equal(/Drag cards/.test(page.said()), !does);
  }
});

test('a table that comes again after a reconnection keeps what was not answered', async () => {
  const page = await atRace({ table: { legal: 't0x1-t4,deal' } });
  await page.click('#deal');
  await page.drop(4_001);
  await page.pass(2_000);
  await page.accept(scenes.joined(running(racers('Ada', 'Bob'))));
  assert.deepEqual(page.sent('act'), []); // not before the table is known
  await page.receive({ type: 'table', table: table({ legal: 't0x1-t4,deal' }) });
  const [{ id, at, action }] = page.sent('act');
  assert.deepEqual([id, at, action], [1, 0, 'deal']);
  await page.receive(scenes.refused('act', 'try_again', { id: 1 }));
  assert.match(page.said(), /Try again/);
});
