import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATTERNS } from '../../../web_client/src/browser/sound.js';
import { room, seat, standing, table } from '../examples.js';
import { NOW } from '../page.js';
import * as scenes from '../scenes.js';

const { acted, atRace, atRoom, CODE, racers, race, refused, roomMessage, round } = scenes;
const { roundOver, running, standingsOf, won } = scenes;
const HOME = won(1, 'Bob', { finished_ms: 65_000 });
const AWAY = [...racers('Ada'), seat(1, 'Bob', { state: 'RACING', connection: 'gone' })];
const TABLE = { type: 'table', table: table() };

/** Return what a row shows: the place, the name, the points and the line below. */
const shown = (page, n) =>
  ['place', 'name', 'points', 'about'].map((part) =>
    page.text(`#standings [data-seat="${n}"] [data-part=${part}]`),
  );
const NAMES = '#standings [data-part=name]';

test('a race counts down, starts and shows its clocks', async () => {
  const at = { round: round({ t0: NOW + 5_000, t_end: NOW + 85_000, degree: 'hard' }) };
  const page = await atRoom(room(racers('Ada', 'Bob')));
  await page.receive(roomMessage(racers('Ada', 'Bob'), { ...at, state: 'COUNTDOWN' }));
  page.shows({
    screen: 'countdown',
    said: '',
    spoken: /^The race starts in 5 seconds\. This deal/,
  });
  page.shows({ '#digit': '5', '#racers li': 2 });
  page.shows({ '#known-win': 'This deal can be won. Difficulty: hard.' });
  await page.pass(2_500, { '#digit': '3' });
  const own = { type: 'table', table: table({ elapsed_ms: 100 }) };
  await page.receive(race(racers('Ada', 'Bob'), at), own);
  page.shows({ screen: 'race', said: 'Go!', spoken: '', '#start-beat': 'Go!' });
  await page.pass(63_000, { '#clock': '1:00', '#time-left': '0:19 left', '#last-seconds': false });
  await page.pass(10_000, { '#last-seconds': true, '#time-left[data-soon]': true });
  await page.pass(3_000, { spoken: 'The race ends in 10 seconds.' });
});

test('a wrong clock of the device changes nothing: the server’s time counts', async () => {
  const ahead = 300_000;
  const at = round({ t0: NOW + ahead, t_end: NOW + ahead + 900_000 });
  const how = { me: { now: NOW + ahead }, aheadMs: ahead };
  const page = await atRoom(running(racers('Ada', 'Bob'), { round: at }), how);
  await page.hears(TABLE, { '#clock': '0:00', '#time-left': '14:59 left' });
});

test('rows show places, points, gaps and figures', async () => {
  const page = await atRace({ names: ['Ada', 'Bob', 'Cy', 'Di'] });
  assert.deepEqual(shown(page, 0), ['', 'Ada (you)', '0', '44 face down']); // no place before an act
  const rows = [
    [1, 'Bob', { score: 130, suits: 1, face_down: 20 }],
    [0, 'Ada', { score: 90, face_down: 30, cheats: 1, hints: 2 }],
    [2, 'Cy', { state: 'FORFEIT', score: 10 }],
    [3, 'Di', { state: 'CHASING', place: null, late_ms: 60_000, stand_in: 'club' }],
  ];
  await page.receive(standingsOf(2, ...rows));
  await page.pass(1_100, { [NAMES]: ['Bob', 'Ada (you)', 'Cy', 'Di'] });
  for (const [n, ...words] of [
    [1, '1', 'Bob', '130', '+40 points · 20 face down'],
    [0, '2', 'Ada (you)', '90', '40 behind · 2 hints · 1 counted undo · 30 face down'],
    [2, '3', 'Cy', '10', 'gave up'],
    [3, '', 'Di', '0', 'by computer, unranked · started 1:00 late · 44 face down'],
  ])
    assert.deepEqual(shown(page, n), words);
  page.shows({ '#standings [data-leads]': 1, '#place': '2nd' });
  page.shows({ '[data-seat="1"] [aria-label="1 of 8 suits"] [data-on]': 1 });
  await page.receive(race(AWAY));
  page.shows({ '#standings [data-leads][data-seat="1"] [data-part=about]': /^offline · / });
});

test('changes of the standings are drawn, the order at most once a second, and missing ones are requested', async () => {
  const page = await atRace();
  const change = (number, n, score) => {
    const first = { seat: n, score, place: 1, has_acted: true };
    const changed = [first, { seat: 1 - n, place: 2, has_acted: true }];
    return { type: 'standings_changes', number, order: [[n], [1 - n]], changed };
  };
  const [ahead, behind] = [{ [NAMES]: ['Ada (you)', 'Bob'] }, { [NAMES]: ['Bob', 'Ada (you)'] }];
  await page.receive(change(2, 0, 5));
  await page.pass(1_000, ahead);
  await page.hears(change(3, 1, 10), behind);
  await page.hears(change(4, 0, 20), behind); // it stays long enough to be read
  await page.pass(1_000, { ...ahead, sent: [] });
  assert.deepEqual(shown(page, 0).slice(0, 3), ['1', 'Ada (you)', '20']);
  await page.hears(change(7, 1, 99), { sent: [{ type: 'watch' }] }); // two changes are missing
});

test('equal rows write nothing, and a changed row only itself', async () => {
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

test('the page says when the lead is taken, lost and taken again', async () => {
  const page = await atRace();
  const ada = (score) => [0, 'Ada', { score }];
  const bob = [1, 'Bob', { score: 20 }];
  for (const [number, rows, shows] of [
    [2, [ada(10), [1, 'Bob']], { '#lead': 'You lead', '#lead[data-change]': 0 }], // no news
    [3, [bob, ada(10)], { '#lead[data-change=behind]': 'Bob leads', said: 'Bob takes the lead.' }],
    [4, [ada(30), bob], { '#lead[data-change=ahead]': 'You lead', said: 'You take the lead.' }],
  ]) {
    await page.receive(standingsOf(number, ...rows));
    await page.pass(11_000, shows);
  }
  page.shows({ '#events li': /You took the lead$/ });
});

const MOMENT = '#race-top [data-part=moment]';

test('a suit and a win show once in each channel, and a win sweeps over the page', async () => {
  const page = await atRace();
  const ada = [0, 'Ada', { score: 1 }];
  await page.receive(standingsOf(2, [1, 'Bob', { score: 9 }], ada));
  await page.receive(standingsOf(3, [1, 'Bob', { score: 109, suits: 1 }], ada));
  await page.pass(500, { '#events li': /Bob: 1 of 8 suits$/, '#events [data-colour=red]': true });
  await page.receive(standingsOf(4, [1, 'Bob', HOME], ada));
  await page.pass(1_000, { '#sweep bdi': 'Bob', '#standings [data-won][data-seat="1"]': true });
  page.shows({ '#lead[data-told]': 'Bob wins', '#events li': '1:05 Bob finished 1st!' });
  page.shows({ [MOMENT]: /^Bob(?! finished)/, [`${MOMENT}[data-fresh]`]: 0 }); // the sweep shows it
  page.shows({ said: /^Bob (wins|finished) in 1:05\./ });
  await page.pass(2_000, { '#sweep': 0 });
});

test('a won table stays for a moment, and nothing replaces or covers it', async () => {
  const ada = { state: 'FINISHED' };
  const home = { type: 'table', table: table({ at: 9, outcome: 'won' }) };
  const own = { ...HOME, seat: 0, name: 'Ada' };
  const ended = { state: 'FINISHED', round: round({ ended: NOW + 65_000 }), next_game: null };
  for (const [names, messages, screen, panel] of [
    [['Ada', 'Bob'], [standingsOf(2, [0, 'Ada', own], [1, 'Bob'])], 'race', true],
    [['Ada'], [roundOver([own], [0])], 'results', false],
  ]) {
    const page = await atRace({ names });
    const seats = racers(...names).map((each, n) => ({ ...each, ...(n ? {} : ada) }));
    const after = names.length > 1 ? race(seats) : roomMessage(seats, { ...ended, played: 1 });
    await page.receive(home, ...messages, after);
    await page.pass(1_000, { screen: 'race', '#board': true });
    page.shows({ '#game-over': false, '#board-grid': false });
    await page.pass(2_000, { screen, '#game-over': panel });
  }
});

test('an older timer does not end a newer flash', async () => {
  const page = await atRace();
  const suits = async (number, home) => {
    const bob = [1, 'Bob', { score: 100 * home, suits: home, home: 13 * home }];
    await page.receive(standingsOf(number, bob, [0, 'Ada']));
    await page.pass(1_500, { '#standings [data-seat="1"][data-suit]': true });
  };
  await page.receive(standingsOf(2, [1, 'Bob', { score: 1 }], [0, 'Ada']));
  for (const home of [1, 2, 3]) await suits(2 + home, home);
  await page.pass(500, { '#standings [data-suit]': 0 });
});

test('the list of events has no cards, and is the same after a reload', async () => {
  const page = await atRace();
  const bob = [1, 'Bob', { score: 9, face_down: 40 }];
  await page.receive(standingsOf(2, bob, [0, 'Ada', { score: 1, face_down: 30 }]));
  const events = ['0:00 Bob took the lead', '0:00 Go!'];
  await page.pass(500, { '#events li': events });
  const log = JSON.parse(page.window.localStorage.getItem('spider-race.log'));
  const again = await atRace({ how: { stored: { log } } });
  await again.pass(500, { '#events li': events });
});

test('the moment line is one sentence in its player’s colour, and disappears without a trace', async () => {
  const page = await atRace();
  const ada = (score) => [0, 'Ada', { score, suits: 6 }];
  const bob = (score, suits = 6) => [1, 'Bob', { score, suits }];
  await page.receive(standingsOf(2, bob(20), ada(10)));
  await page.pass(11_000);
  await page.receive(standingsOf(3, ada(58), bob(20)));
  await page.pass(500, { [`${MOMENT}[data-fresh]`]: 'You took the lead · +38 points' });
  page.shows({ 'aside > [data-part=moment][data-fresh]': 'You took the lead · +38 points' });
  await page.receive(standingsOf(4, ada(58), bob(30, 7)));
  await page.pass(1_000, { [MOMENT]: /^You took the lead/ }); // more important, and only a moment older
  await page.pass(2_000, { [`${MOMENT}[data-colour=red]`]: 'Bob: 7 of 8 suits · you need 2 more' });
  await page.pass(5_000, { [`${MOMENT}[data-fresh]`]: 0, '#lead': 'You lead' });
  const lines = page.texts('#events li').map((line) => line.replace(/^[\d:]+ /, ''));
  const latest = ['Bob: 7 of 8 suits', 'You took the lead', 'Bob took the lead'];
  assert.deepEqual(lines.slice(0, 3), latest);
});

test('the last minute is announced once, when the clock reaches it', async () => {
  const page = await atRace({ room: { round: round({ t_end: NOW + 62_000 }) } });
  page.shows({ '#time-left[data-soon]': 0, spoken: '' });
  await page.pass(2_500, { '#time-left[data-soon]': true, spoken: 'Last minute.' });
  page.shows({ [`${MOMENT}[data-fresh]`]: 'Last minute', '#events [data-kind=last-minute]': 1 });
  const late = await atRace({ room: { round: round({ t_end: NOW + 50_000 }) } });
  await late.pass(2_500, { '#events [data-kind=last-minute]': 0, spoken: '' });
});

/** Hide the tab, which draws no frames until the returned function draws those that it has missed. */
function hideTab() {
  const { requestAnimationFrame } = globalThis;
  const asked = [];
  globalThis.requestAnimationFrame = (draw) => asked.push(draw);
  return () => {
    globalThis.requestAnimationFrame = requestAnimationFrame;
    for (const draw of asked) draw();
  };
}

test('events in a hidden tab sound and are read out at once, and are shown once afterwards', async () => {
  const page = await atRace({ names: ['Ada', 'Bob', 'Cy'] });
  const felt = [];
  page.window.navigator.vibrate = (pattern) => felt.push(pattern); // every sound of this test also vibrates
  const showTab = hideTab();
  const ada = [0, 'Ada', { score: 1 }];
  const bob = (suits) => [1, 'Bob', { score: 109, suits }];
  const home = won(2, 'Cy', { finished_ms: 180_000 });
  for (const [suits, cy, cue, said] of [
    [1, { score: 1 }, 'suit', ''],
    [2, { score: 200 }, 'lead', 'Cy takes the lead.'],
    [3, home, 'other', /^Cy (wins|finished) in 3:00\./],
  ]) {
    await page.pass(60_000);
    const rows = [bob(suits), [2, 'Cy', cy]];
    await page.receive(standingsOf(suits + 1, ...(suits > 1 ? rows.toReversed() : rows), ada));
    page.shows({ said, '#sweep': 0, '#events [data-kind=suit]': 0 });
    assert.equal(felt.at(-1), PATTERNS[cue]);
  }
  assert.equal(felt.length, 3);
  showTab();
  await page.pass(1_000, { '#sweep': 1, '#lead[data-change=lead]': 'Cy wins' });
  const latest = ['3:00 Cy finished 1st!', '3:00 Bob: 3 of 8 suits', '2:00 Cy took the lead'];
  const earlier = ['2:00 Bob: 2 of 8 suits', '1:00 Bob took the lead', '1:00 Bob: 1 of 8 suits'];
  page.shows({ '#events li': [...latest, ...earlier, '0:00 Go!'], '#standings [data-suit]': 2 });
  await page.pass(2_000, { '#sweep': 0, '#standings [data-suit]': 0 });
  await page.receive(standingsOf(5, [2, 'Cy', home], bob(3), [0, 'Ada', { score: 2 }]));
  await page.pass(500, { '#sweep': 0, '#standings [data-suit]': 0 });
  assert.equal(felt.length, 3);
});

const LOST = standingsOf(2, [1, 'Bob', HOME], [0, 'Ada', { score: 40 }]);

test('a loser is asked once whether to play on, and an act is an answer', async () => {
  const page = await atRace({ table: { legal: 'deal', score: 40 } });
  await page.hears(LOST, { '#game-over button': ['Play on for 2nd', 'Give up'] });
  const text = /^You can still finish: 1\d:\d\d left\.$/;
  page.shows({ '#game-over-title': 'Bob wins', '#game-over-text': text });
  await page.click('#deal');
  await page.hears(acted(1, { legal: 'undo', score: 41 }), { '#game-over': false });
  await page.receive(standingsOf(3, [1, 'Bob', HOME], [0, 'Ada', { score: 41 }]));
  page.shows({ '#game-over': false });
  const byScore = await atRace({ room: { settings: { ranking: 'best_score' } } });
  await byScore.hears(LOST, { '#game-over': false }); // by score, nobody has won yet
  const again = await atRoom(running(racers('Ada', 'Bob')));
  await again.receive(LOST, TABLE); // the table comes after the loss
  again.shows({ '#game-over': true, '#game-over-title': 'Bob wins' });
});

test('the winner, the last racer and a player who can change nothing read their choices', async () => {
  const own = { ...HOME, seat: 0, name: 'Ada' };
  const over = { type: 'table', table: table({ at: 9, outcome: 'won' }) };
  const [ada] = racers('Ada');
  const gone = { state: 'FORFEIT' };
  for (const [messages, title, text, sent] of [
    [
      [over, standingsOf(2, [0, 'Ada', own], [1, 'Bob'])],
      'You win! 1:05.',
      /^1 player still racing, .* left\. Your win counts even if you leave\./,
    ],
    [
      [race([ada, seat(1, 'Bob', gone)]), standingsOf(2, [0, 'Ada'], [1, 'Bob', gone])],
      'You’re the last one racing',
      /^Everyone else gave up/,
      { type: 'end', grace_s: 5 },
    ],
    [
      [{ type: 'assessed', at: 9, outlook: 'dead', line: '', gain: 2 }],
      'Nothing can change any more',
      /2 points at most\. Stop here or undo\? You keep 80 points\.$/,
      { type: 'forfeit', dead: true },
    ],
  ]) {
    const page = await atRace({ table: { at: 9, score: 80, legal: 't0x1-t4,undo' } });
    await page.receive(...messages);
    await page.pass(3_000, { '#game-over-title': title, '#game-over-text': text });
    page.sent();
    if (sent) await page.sends('#game-over-finish', sent);
  }
});

test('a player without moves is asked, and asked again if the answer is refused; a double click is no answer', async () => {
  const own = { at: 5, score: 77, stuck: 'stock_empty', legal: 'undo,finish' };
  const page = await atRace({ table: own });
  const question = 'Finish here or undo? You keep 77 points.';
  page.shows({ said: `No moves left. ${question}`, '#game-over-title': 'No moves left' });
  page.shows({ '#game-over-text': `All cards have been dealt. ${question}` });
  page.shows({ '#game-over button': ['Keep looking', 'Undo', 'Finish'] });
  await page.click('#game-over-finish', {}, 2); // the second half of a double click on the table
  assert.deepEqual(page.sent(), []);
  await page.click('#game-over-finish');
  assert.equal(page.sent('act').at(-1).action, 'finish');
  page.shows({ '#game-over': false });
  await page.hears(refused('act', 'try_again', { id: 1 }), { '#game-over': true });
});

const LINE = ['t0x1-t4', 't1x1-t5', 't2x1-t6'];
const LEGAL = [...LINE, 'undo'].join();

/** Open a race whose game is as good as won, and let the page play it out. */
async function atPlayOut() {
  const page = await atRace({ table: { at: 9, score: 80, legal: LEGAL } });
  await page.receive({ type: 'assessed', at: 9, outlook: 'won', line: LINE.join(), gain: 0 });
  page.shows({ '#game-over-title': 'It’s a win from here' });
  await page.click('#game-over-finish', { acts: LINE.slice(0, 1) });
  page.shows({ '#game-over-title': 'Playing it out…' });
  return page;
}

test('a won game is played out at an even pace, each act after the answer to the one before', async () => {
  const page = await atPlayOut();
  await page.pass(10_000, { acts: [] }); // the first act is not answered yet
  await page.hears(acted(1, { at: 10, legal: LEGAL }), { acts: [LINE[1]] });
  await page.hears(acted(2, { at: 11, legal: LEGAL }), { acts: [] }); // slowly enough for players to follow
  await page.pass(1_000, { acts: [LINE[2]] });
});

const STOPS = {
  'its button is pressed': (page) => page.click('#game-over-look'),
  'the table is pressed': (page) => page.fire('#board [data-pile=t0]', 'pointerdown'),
  'the player acts': async (page) => {
    await page.click('#undo');
    await page.receive(...[1, 2].map((id) => acted(id, { at: 9 + id, legal: LEGAL })));
    page.shows({ acts: ['undo'] });
  },
  'the act is refused': (page) => page.receive(refused('act', 'try_again', { id: 1 })),
  'the connection is lost': (page) => page.drop(1_006),
  'the race is over': (page) => page.receive(race([])),
  'the next act is not legal': (page) => page.receive(acted(1, { at: 10, legal: 'undo' })),
};
for (const [what, happen] of Object.entries(STOPS))
  test(`a won game is played out no further when ${what}`, async () => {
    const page = await atPlayOut();
    await happen(page);
    await page.pass(1_000);
    assert.ok(!page.texts('#game-over-title').includes('Playing it out…'));
    await page.receive(acted(1, { at: 10, legal: LEGAL }));
    await page.pass(5_000, { acts: [] });
  });

test('giving up is confirmed, and while it can be taken back nothing else can be done', async () => {
  const page = await atRace();
  await page.click('#forfeit', { '#ask': /^Give up this race\?You keep your score\./ });
  await page.sends('#ask-yes', { type: 'forfeit', held: true });
  const [ada, bob] = racers('Ada', 'Bob');
  await page.receive(race([{ ...ada, forfeits_at: NOW + 5_000 }, bob]));
  page.shows({ '#game-over button': ['Play on', 'Give up now'], '#forfeit': false });
  await page.sends('#deal');
  await page.sends('#game-over-look', { type: 'forfeit', taken_back: true });
  await page.receive(race([{ ...ada, state: 'FORFEIT' }, bob]));
  page.shows({ said: 'You gave up.', '#game-over-title': 'You gave up.', '#leave': true });
});

test('only the host ends a race, with seconds that are read out once, and brings a computer player', async () => {
  const guest = await atRace({ room: { host: 1 } });
  guest.shows({ '#host': false });
  const page = await atRace();
  await page.click('#host');
  await page.sends('[data-grace="30"]', { type: 'end', grace_s: 30 });
  await page.receive(race(racers('Ada', 'Bob'), { round: round({ t_end: NOW + 30_000 }) }));
  page.shows({ said: 'The race ends in 30 seconds.' });
  await page.pass(2_000, { said: 'The race ends in 28 seconds.', '#status[aria-live=off]': true });
  await page.receive(standingsOf(2, [1, 'Bob', HOME], [0, 'Ada']));
  await page.pass(2_000, { said: /^Bob wins/, '#status[aria-live=polite]': true }); // in place of the countdown
  const stopped = await atRace();
  await stopped.receive(race(AWAY, { round: round({ t_end: NOW + 2_000 }) }));
  await stopped.pass(3_000, { said: '' });
  await stopped.click('#host');
  const standIn = { type: 'add_stand_in', seat: 1, level: 'club' };
  await stopped.sends('#host-controls [data-action=stand-in]', standIn);
});

test('latecomers watch, or play the deal unranked if the host allows it', async () => {
  const seats = [seat(0, 'Ada', { state: 'WATCHING' }), ...racers('x', 'Bob').slice(1)];
  const watcher = await atRoom(running(seats, { host: 1 }), { me: { token: 'new' } });
  watcher.shows({ said: 'This race has started. You’ll play in the next one.', '#chase': false });
  const page = await atRoom(running(seats, { host: 1, settings: { chasers: true } }));
  page.shows({ said: 'This race has started. You can play the same deal now, unranked.' });
  await page.sends('#chase', { type: 'chase' });
});

const OPEN = { settings: { window_s: 86_400, time_limit_s: 600, spectate: 'boards' } };
const DAY = { ...OPEN, round: round({ t0: NOW - 7_200_000, t_end: NOW + 79_200_000 }) };

test('in an open race each player starts once, with their own clock, and sees which players are done', async () => {
  const states = { Ada: 'WATCHING', Bob: 'FINISHED', Cy: 'RACING', Di: 'WATCHING' };
  const seats = Object.entries(states).map(([name, state], n) => seat(n, name, { state }));
  const page = await atRoom(running(seats, DAY));
  page.shows({ '#clock': false, '#time-left': false, '#chase': false, '#events': false });
  page.shows({ '.window-head': /Ada.?’s race/, '#window-left': '22 h 0 min left' });
  page.shows({ '#window-title': 'One game, when you like.', '#window-place': false });
  page.shows({ '#window-until': /^Spider, one suit.*10.min.* · until / });
  page.shows({
    '#window-players [data-part=state]': ['your turn', 'played', 'playing', 'not yet'],
  });
  // The results are face down, beside the invitation.
  page.shows({ '.window-card[data-back]': 2, '#window .standings li': 0, '#window-boards': false });
  page.shows({ '#invitation #room-code': '7K3 QZ0A', '#invite': false });
  const known = { ...DAY, settings: { ...DAY.settings, deal: 'numbered' } };
  const mayKnow = /The deal isn’t secret: the host may know these cards already\.$/;
  await page.hears(race(seats, { ...known, host: 1 }), { '#window-rest': mayKnow });
  await page.hears(race(seats, known), { '#window-rest': /with the cards and doesn’t stop\.$/ });
  const locked = { ...DAY, settings: { ...DAY.settings, locked: true } };
  await page.hears(race(seats, locked), { '#invitation': false });
  await page.receive({ type: 'standings', number: 3, now: NOW, standings: [] });
  await page.sends('#begin', { type: 'chase' });
  const own = [{ ...seats[0], state: 'RACING' }, ...seats.slice(1)];
  await page.receive(race(own, DAY), { type: 'table', table: table({ late_ms: 7_200_000 }) });
  page.shows({
    '#window': false,
    '#begin': false,
    '#window-count': '1 of 4 have played',
    '#place': false,
  });
  await page.pass(5_000, { '#clock': '0:05', '#time-left': '9:54 left' });
  await page.click('#forfeit', { '#ask': /can’t play again in this race/ });
  await page.click('#ask-no');
  await page.pass(586_000, { '#last-seconds': true, spoken: 'Your game ends in 10 seconds.' });
});

test('a player who has finished in an open race sees the finished games, and nobody has won yet', async () => {
  const over = ['Ada', 'Bob', 'Cy'].map((name, n) =>
    seat(n, name, { state: n < 2 ? 'FINISHED' : 'RACING' }),
  );
  const page = await atRoom(running(over, DAY));
  const row = won(0, 'Ada', { late_ms: 7_200_000 });
  await page.receive(standingsOf(1, [0, 'Ada', row], [1, 'Bob', { state: 'FORFEIT' }]));
  page.shows({ '#begin': false, '#window-title': 'You’re done.', '#game-over-finish': false });
  page.shows({
    '#window-place': '1st of 2 so far',
    '#window-until': /Bob\. 1 can still pass you: 22 h 0 min left\.$/,
  });
  page.shows({ '#window-rest': /^Your place can change until /, '#invite': 'Send invitation' });
  page.shows({ '#window .standings [data-part=name]': ['Ada (you)', 'Bob'] });
  page.shows({ '#window-players li': 1, '#window-players': /Cy.*playing/ });
  page.shows({ '#game-over-text': 'You’re 1st so far.', '#lead': /^(?!.*win)/ });
  assert.deepEqual(page.sent('watch'), [{ type: 'watch', boards: [1] }]);
  page.shows({ '#late': '', '#window-boards': true, '#window-last': false });
  // Others pass this player, by time or by points, and the previous round has its results.
  const match = { rounds: 7, n: [4], games: ['spider-1'], numbers: [1], cards: [], over: false };
  await page.receive(race(over, { ...DAY, match }));
  assert.match(page.document.querySelector('#window-last').href, /\/r\/7K3QZ0A\/4$/);
  const cy = won(2, 'Cy', { finished_ms: 60_000 });
  await page.receive(
    standingsOf(2, [2, 'Cy', cy], [0, 'Ada', { ...row, place: 2 }], [1, 'Bob', {}]),
  );
  await page.pass(1_000, { '#window-place': '2nd of 3 so far' });
  page.shows({ '#window-until': /^1\.25 s behind Cy\. / });
  await page.receive(standingsOf(3, [0, 'Ada', { ...row, score: 9 }], [1, 'Bob', { score: 2 }]));
  await page.pass(1_000, { '#window-until': /^7 points ahead of Bob\. /, '#window-last': true });
  // A player without a place cannot be passed.
  await page.receive(standingsOf(4, [1, 'Bob', { score: 2 }], [0, 'Ada', { has_acted: false }]));
  await page.pass(1_000, { '#window-place': false });
  assert.doesNotMatch(page.text('#window-until'), /can still pass you/);
  await page.click('#host', { '#host-controls #abort': false, '#host-controls': /Cy.*playing/ });
});

test('spectators see the leaders’ boards large, with the delay of the room', async () => {
  const names = ['Ada', 'Bob', 'Cy', 'Di'];
  const seats = names.map((name, n) => seat(n, name, { state: n ? 'RACING' : 'WATCHING' }));
  const settings = { spectate: 'boards', board_delay_s: 60 };
  const page = await atRoom(running(seats, { host: 1, settings }));
  const rows = [1, 2, 3].map((n) => [n, names[n] ?? '', { score: 40 - 10 * n }]);
  await page.hears(standingsOf(1, ...rows), { '#late': /first moves in 1:00\.$/ });
  assert.deepEqual(page.sent('watch'), [{ type: 'watch', boards: [1, 2, 3] }]);
  await page.pass(61_000, { '#late': 'The boards are 60 seconds behind.' });
  const sizes = () => page.all('#board-grid [data-size]').map(({ dataset }) => dataset.size);
  assert.deepEqual(sizes(), ['large', 'large', 'small']);
  page.shows({ '.board-grid-list[data-equal]': true }); // a few boards are all drawn in one size
  await page.click('#board-grid [data-seat="3"] [data-action=enlarge]');
  assert.deepEqual(sizes(), ['small', 'small', 'largest']);
  await page.fire('.board-grid-list', 'keydown', { key: 'Escape' });
  assert.deepEqual(sizes(), ['large', 'large', 'small']);
});

test('practice has no limit, confirms the restart of a game with moves, and has one best game', async () => {
  const settings = { max_players: 1, time_limit_s: null, deal: 'numbered', number: 24 };
  const alone = { names: ['Ada'], room: { settings, round: round({ t_end: null, number: 24 }) } };
  const first = await atRace(alone);
  first.shows({ '#best': false });
  const own = standing(0, 'Ada', { state: 'FORFEIT', score: 40, finished_ms: 9_000 });
  const over = { settings, state: 'FINISHED', round: round({ ended: NOW + 9_000 }), played: 1 };
  await first.receive(roundOver([own], []), roomMessage([seat(0, 'Ada')], over));
  first.shows({
    '#margin': 'Stopped at 0:09.',
    '#best': 'Your best: 40 points.',
    '#ranking tbody td:nth-child(2)': /^Ada stopped at 0:09/,
  });
  assert.match(first.window.localStorage['spider-race.best-game'], /"score":40/);
  // Earlier versions stored the best score with the best time of another game. The ghost has the figures of one game.
  const course = { ms: [0, 1_000], score: [0, 500], suits: [0, 0], end: 2_000, won: false };
  const joined = { score: 990, ms: 60_000 };
  const stored = { 'best-game': { 'spider-1': joined }, 'best-course': { 'spider-1': course } };
  const page = await atRace({ ...alone, how: { stored } });
  // The header has room for one line below the clock.
  page.shows({ '#time-left': false, '#best': 'Best 500', '#place': false });
  await page.pass(500);
  assert.match(page.texts('#standings li').join(), /Your best/);
  assert.doesNotMatch(page.texts('#standings li').join(), /Ghost of/);
  const again = [{ type: 'abort' }, { type: 'start', again: true }];
  await page.click('#restart', { sent: again });
  await page.receive(acted(1, { at: 1 }));
  await page.click('#restart', { sent: [], '#ask-title': 'Restart?' });
  // No act is possible until the new cards arrive: on the old ones it would be lost.
  await page.click('#ask-yes', { sent: again, '#deal:disabled': 1 });
  await page.receive(race(racers('Ada')), TABLE);
  page.shows({ '#deal:disabled': 0 });
  const timed = { settings: { ...settings, time_limit_s: 3_600 }, round: round({ number: 24 }) };
  const limited = await atRace({ ...alone, room: timed, how: { stored } });
  limited.shows({ '#time-left': / left$/, '#best': false });
});

test('the page explains the first move to newcomers, unless an act or an end comes before', async () => {
  const click = /^Drag a card, or click it/;
  for (const [does, oneTap, words] of [
    [false, 'auto', click],
    [false, 'on', /^Tap a card to play it, or drag it\.$/],
    [true, 'auto', click],
  ]) {
    const page = await atRoom(room([seat(0, 'Ada')]), { stored: { moved: false, oneTap } });
    await page.receive(race(racers('Ada')), TABLE);
    if (does) {
      await page.click('#deal');
      await page.receive(acted(1, { legal: '' }));
    }
    await page.pass(10_000);
    assert.equal(words.test(page.said()), !does);
  }
});

test('everyone sees counted undos with an explanation, and hints if the room has them', async () => {
  const settings = { undo: 'any' };
  const page = await atRace({ room: { settings }, table: { at: 3, legal: 'undo' } });
  page.shows({ '#cheats': false, '#hint': false, '#hints': false });
  await page.press('h', { said: 'Hints are off in this room.' });
  await page.click('#undo');
  await page.receive(acted(1, { at: 4, legal: 'deal', counts: { cheats: 1, undos: 1 } }));
  page.shows({ said: 'Undone. This one is counted: 1 so far.', '#cheats': '1' });
  await page.click(page.find('#cheats').parentElement, { said: /turned card is counted/ });
  await page.receive(standingsOf(2, [0, 'Ada', { cheats: 2 }], [1, 'Bob']));
  page.shows({ '[data-seat="0"] [data-part=about][title*="is counted"]': /2 counted undos/ });
});

test('the lobby shows whether a numbered deal can be won, but nothing about a secret one', async () => {
  const known = { number: 24, label: 'winnable', searching: false };
  const how = { answers: { [`/api/rooms/${CODE}/deal`]: known } };
  const secret = await atRoom(room([seat(0, 'Ada')]), how);
  secret.shows({ '#deal-label': false });
  const settings = { deal: 'numbered', number: 24 };
  const page = await atRoom(room([seat(0, 'Ada')], { settings }), how);
  await page.pass(3_000, { '#deal-label': /24 can be won/ });
  // A busy server may search for minutes. (The page once said meanwhile that it is not known whether the deal can be won.)
  Object.assign(known, { label: 'unknown', searching: true });
  const waits = await atRoom(room([seat(0, 'Ada')], { settings }), how);
  await waits.pass(120_000, { '#deal-label': /^Checking whether deal 24/ });
  known.searching = false;
  await waits.pass(30_000, { '#deal-label': /^We don’t know/ });
});
