import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import '../english.js';
import { parseAction, readMessage } from '../../../web_client/src/contract/notation.js';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { newsOfGame } from '../../../web_client/src/play/act-news.js';
import { makeRaceNews } from '../../../web_client/src/race/rival-news.js';
import { raceNews } from '../../../web_client/src/state/race-news.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { speak, strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const JOINED = reduce(NOTHING, example('joined'));

/** Return the announcement of a change of the room. @param {any} change @param {any} [from] */
function said(change, from = {}) {
  const before = reduce(JOINED, { type: 'room', room: { ...room(), ...from } });
  const message = { type: 'room', room: { ...before.room, ...change, v: room().v + 2 } };
  const after = reduce(before, message);
  const news = makeAnnouncer(makeRaceNews(() => 0))(before, after, message);
  return news.collected?.() ?? news;
}

function room() {
  const view = JOINED.room;
  return { ...view, v: (view?.v ?? 0) + 1, seats: seats() };
}

/** The own seat, and Bob's. */
function seats() {
  const [own] = (JOINED.room?.seats ?? []).filter(({ seat }) => seat === JOINED.me?.seat);
  return [own, { ...own, seat: 50, name: 'Bob' }];
}

/** Return the sentences of a countdown by the seconds that are left. @param {any} news @param {number[]} seconds */
const counted = (news, seconds) => seconds.map((left) => news.words(left));

test('in a match of several rounds the news are about the round', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const settings = { ...room().settings, rounds: 2 };
  const running = { state: 'RUNNING', round, settings };
  const ending = said({ round: { ...round, t_end: 1_060_000 } }, running);
  assert.deepEqual(counted(ending, [1]), ['The round ends in 1 second.']);
  const starting = said({ state: 'COUNTDOWN', round, settings });
  assert.deepEqual(counted(starting, [5]), ['The round starts in 5 seconds.']);
  assert.equal(said({ state: 'LOBBY' }, running), 'The host stopped the round.');
});

test('a player who wants a rematch is announced once', () => {
  const [own, bob] = seats();
  const idle = [own, { ...bob, state: 'WATCHING' }];
  const asking = [own, { ...bob, state: 'READY' }];
  const over = { state: 'FINISHED', seats: idle };
  assert.equal(said({ seats: asking }, over), 'Bob wants a rematch.');
  assert.equal(said({}, { ...over, seats: asking }), '');
  const computers = [own, { ...bob, state: 'READY', level: 'club' }];
  assert.equal(said({ seats: computers }, over), '', 'computer players are always ready');
  assert.equal(said({ seats: idle }, { ...over, seats: asking }), '');
  const match = { rounds: 3, over: false, n: [1] };
  assert.equal(said({ seats: asking }, { ...over, match }), 'Bob is ready for the next round.');
});

test('the first win says how long the others have left', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const [own, bob] = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  const settings = { ...JOINED.room?.settings, after_win_s: 120 };
  const running = { state: 'RUNNING', round, settings, seats: [own, bob] };
  const won = {
    round: { ...round, t_end: 1_120_000 },
    seats: [own, { ...bob, state: 'FINISHED' }],
  };
  assert.equal(said(won, running), 'Last two minutes: Bob finished.');
  const short = { ...won, settings: { ...settings, after_win_s: 600 } };
  assert.equal(said(short, running), 'Last 10 minutes: Bob finished.');
  const byHost = { round: won.round };
  assert.deepEqual(counted(said(byHost, running), [59]), ['The race ends in 59 seconds.']);
});

/** Return the announcements of recorded acts. @param {any[]} acts */
function announced(acts) {
  return acts.map(({ action, table, acted }) => {
    const room_ = { ...room(), state: 'RUNNING', seats: [{ ...seats()[0], state: 'RACING' }] };
    const racing = reduce(JOINED, { type: 'room', room: room_ });
    const seat = JOINED.me?.seat;
    const message = readMessage({ ...table, table: { ...table.table, seat } });
    const before = reduce(reduce(racing, message), { type: '@act', action: parseAction(action) });
    const answer = readMessage({ ...acted, id: before.play?.inFlight[0]?.id });
    return makeAnnouncer(newsOfGame)(before, reduce(before, answer), answer);
  });
}

const COMPLETED = [
  '4–A to column 4: hearts complete, 1 of 4.',
  '3–A to column 3: spades complete, 2 of 4.',
  '5–A to column 2: spades complete, 3 of 4.',
  'Q–A to column 6: hearts complete, 4 of 4.',
  '7–A to column 6: spades complete, 1 of 8.',
  '6–A to column 10: spades complete, 2 of 8.',
  '5–A to column 6: spades complete, 3 of 8; turned 8♠.',
  '6–A to column 8: spades complete, 4 of 8.',
  '4–A to column 8: spades complete, 5 of 8; turned 6♠.',
  '8–A to column 3: spades complete, 6 of 8.',
  'A♠ to column 1: spades complete, 7 of 8.',
  'Q–A to column 5: spades complete, 8 of 8.',
];
const COMPLETED_IN_GERMAN = [
  '4–A auf Stapel 4: Herz fertig, 1 von 4.',
  '3–A auf Stapel 3: Pik fertig, 2 von 4.',
  '5–A auf Stapel 2: Pik fertig, 3 von 4.',
  'Dame–A auf Stapel 6: Herz fertig, 4 von 4.',
  '7–A auf Stapel 6: Pik fertig, 1 von 8.',
  '6–A auf Stapel 10: Pik fertig, 2 von 8.',
  '5–A auf Stapel 6: Pik fertig, 3 von 8; Pik 8 aufgedeckt.',
  '6–A auf Stapel 8: Pik fertig, 4 von 8.',
  '4–A auf Stapel 8: Pik fertig, 5 von 8; Pik 6 aufgedeckt.',
  '8–A auf Stapel 3: Pik fertig, 6 von 8.',
  'Pik-Ass auf Stapel 1: Pik fertig, 7 von 8.',
  'Dame–A auf Stapel 5: Pik fertig, 8 von 8.',
];

test('the suits that two won games complete are announced with the moves that completed them', async () => {
  const file = new URL('../completed_suits.json', import.meta.url);
  const acts = JSON.parse(readFileSync(file, 'utf8')).flatMap(({ acts: a }) => a);
  assert.deepEqual(announced(acts), COMPLETED);
  await speak('de');
  assert.deepEqual(announced(acts), COMPLETED_IN_GERMAN);
  await speak('en');
});

/** Return a row of the standings: Bob's, whose game has just begun. @param {any} [more] */
const bobs = (more) => ({
  ...example('standings').standings[0],
  ...{ seat: 50, name: 'Bob', state: 'RACING', place: 1, late_ms: null },
  ...{ finished_ms: null, won: false, ...more },
});

/** Return the announcements of messages of a race, and the news that the banner shows. @param {any[]} messages */
function heard(messages) {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const racing = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  let state = reduce(JOINED, {
    type: 'room',
    room: { ...room(), state: 'RUNNING', round, seats: racing },
  });
  state = reduce(state, { ...example('standings'), number: 1, standings: [bobs()] });
  let now = 0;
  const announce = makeAnnouncer(makeRaceNews(() => now));
  const spoken = [];
  const shown = [];
  for (const message of messages) {
    const after = reduce(state, message);
    now += 60_000; // the pause between two announcements is over
    const words = announce(state, after, message);
    if (words) spoken.push(words);
    for (const news of raceNews(state.standings, after.standings, after.me?.seat ?? -1))
      shown.push(news.standing.name + strings.raceNews(news, 8));
    state = after;
  }
  return { said: spoken, shown };
}

const changed = (number, change) => ({
  ...{ type: 'standings_changes', number, order: null },
  changed: [{ seat: 50, ...change }],
});

const WON = { won: true, finished_ms: 75_000, suits: 8 };

// As a server sends them, recorded: the figures of the last act come up to seconds before the room in
// which the game is over. A newer server sends both in one row, and after a failover the room may
// come first.
const WINS = {
  'figures first': [changed(2, WON), changed(3, { state: 'FINISHED' })],
  'room first': [changed(2, { state: 'FINISHED' }), changed(3, WON)],
  'both at once': [changed(2, { ...WON, state: 'FINISHED' })],
};

for (const [order, messages] of Object.entries(WINS))
  test(`a winner is announced once and never as stopped: ${order}`, () => {
    assert.deepEqual(heard(messages), {
      said: ['Bob wins in 1:15.'],
      shown: ['Bob finished 1st · 1:15!'],
    });
  });

test('a game that was stopped is announced once too, in either order', () => {
  const figures = { finished_ms: 75_000 };
  const orders = [
    [changed(2, figures), changed(3, { state: 'FINISHED' })],
    [changed(2, { state: 'FINISHED' }), changed(3, figures)],
  ];
  for (const messages of orders)
    assert.deepEqual(heard(messages), { said: ['Bob stopped.'], shown: ['Bob stopped · 1:15'] });
});

test('the end of a latecomer’s game with the race is announced before and after', () => {
  const [own, bob] = seats();
  const watching = { state: 'RUNNING', seats: [{ ...own, state: 'WATCHING' }, bob] };
  const chasing = { state: 'RUNNING', seats: [{ ...own, state: 'CHASING' }, bob] };
  assert.equal(said(chasing, watching), strings.NEWS.chasing);
  const over = { state: 'FINISHED', seats: [{ ...own, state: 'TIMED_OUT' }, bob] };
  assert.deepEqual(said(over, chasing), { spoken: strings.NEWS.cutOff });
  const racing = { state: 'RUNNING', seats: [{ ...own, state: 'RACING' }, bob] };
  assert.equal(said(over, racing), '');
});

/** Return the own row of the standings, and Bob's. @param {any} own @param {any} bob */
const both = (own, bob) => [
  bobs({ seat: JOINED.me?.seat, name: 'Me', place: 1, ...own }),
  bobs({ place: 2, ...bob }),
];

/** Return the announcements of a race of two, between standings. @param {...any[]} standings */
function raced(...standings) {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const racing = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  const settings = { ...room().settings, ranking: 'first_home', cheats: 'shown' };
  let state = reduce(JOINED, {
    type: 'room',
    room: { ...room(), state: 'RUNNING', round, settings, seats: racing },
  });
  const announce = makeAnnouncer(makeRaceNews(() => 0));
  return standings.flatMap((rows, i) => {
    const message = { ...example('standings'), number: i + 1, standings: rows };
    const before = state;
    state = reduce(before, message);
    return announce(before, state, message) || [];
  });
}

test('the winner is told of the win, its time and how many still race', async () => {
  const won = { won: true, finished_ms: 75_000 };
  const race = [both({}, {}), both(won, {}), both({ ...won, state: 'FINISHED' }, {})];
  assert.deepEqual(raced(...race), ['You win! 1:15. 1 player still racing.']);
  await speak('de');
  assert.deepEqual(raced(...race), ['Du gewinnst! 1:15. Es spielt noch jemand.']);
  await speak('en');
});

test('players who finish later, or give up, are told their place', async () => {
  const third = bobs({ seat: 51, name: 'Cleo', place: 3 });
  const first = { won: true, finished_ms: 60_000, place: 1, state: 'FINISHED' };
  const begin = [...both({ place: 2 }, first), third];
  for (const [own, words] of [
    [{ won: true, finished_ms: 75_000 }, 'You finished! You’re 2nd so far. 1 player still racing.'],
    [{ state: 'FINISHED', finished_ms: 75_000 }, 'You’re 2nd so far. 1 player still racing.'],
  ])
    assert.deepEqual(raced(begin, [...both({ place: 2, ...own }, first), third]), [words]);
  await speak('de');
  const home = { place: 2, won: true, finished_ms: 75_000 };
  assert.deepEqual(raced(begin, [...both(home, first), third]), [
    'Du bist im Ziel! Bisher Platz 2. Es spielt noch jemand.',
  ]);
  await speak('en');
});

test('of the own end nothing more is said where the result follows, or after giving up', () => {
  const over = { state: 'FORFEIT', finished_ms: 60_000 };
  const won = { won: true, finished_ms: 75_000 };
  assert.deepEqual(raced(both({}, over), both(won, over)), []);
  assert.deepEqual(raced(both({}, {}), both(over, {})), []);
});

test('a win that has shortened the race is named once, and not to the winner', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const [own, bob] = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  const settings = { ...room().settings, after_win_s: 60, ranking: 'first_home', cheats: 'shown' };
  const running = { ...room(), state: 'RUNNING', round, settings, seats: [own, bob] };
  const won = { won: true, finished_ms: 75_000 };
  const [mine, bobsWin] = [both(won, {}), both({ place: 2 }, { ...won, place: 1 })];
  for (const [standings, seat, words] of [
    [bobsWin, 50, ['Bob wins in 1:15.', 'Last minute.']],
    [mine, JOINED.me?.seat, ['You win! 1:15. 1 player still racing.', 'Last minute.']],
  ]) {
    const ended = [own, bob].map((each) =>
      each.seat === seat ? { ...each, state: 'FINISHED' } : each,
    );
    const shorter = { ...round, t_end: 1_060_000 };
    const messages = [
      { ...example('standings'), number: 2, standings },
      { type: 'room', room: { ...running, v: running.v + 1, round: shorter, seats: ended } },
    ];
    let state = reduce(JOINED, { type: 'room', room: running });
    state = reduce(state, { ...example('standings'), number: 1, standings: both({}, {}) });
    const announce = makeAnnouncer(makeRaceNews(() => 0));
    const heardNow = messages.map((message) => {
      const before = state;
      state = reduce(before, message);
      return announce(before, state, message);
    });
    assert.deepEqual(heardNow, words);
  }
});

test('many who join are named together, and who leaves again at once is not', async () => {
  const named = (...names) => names.map((name, i) => ({ ...seats()[1], seat: 60 + i, name }));
  const before = reduce(JOINED, { type: 'room', room: room() });
  const announce = makeAnnouncer(makeRaceNews(() => 0));
  let state = before;
  const change = (come, gone = []) => {
    const message = { type: 'changes', v: room().v + 9, host: room().host, seats: come, gone };
    const old = state;
    state = reduce(old, message);
    return announce(old, state, message);
  };
  assert.equal(change(named('Cleo')).collected(), 'Cleo joined.');
  change(named('Cleo', 'Dora', 'Emil'));
  const news = change(named('Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hal'));
  assert.equal(news.collected(), 'Dora, Emil and 3 others joined.');
  assert.equal(news.collected(), '', 'once');
  const short = change([{ ...seats()[1], seat: 70, name: 'Ida' }]);
  assert.equal(change([], [70]), '', 'nobody knew of Ida');
  assert.equal(short.collected(), '');
  assert.equal(change([], [60]), 'Cleo left.');
  await speak('de');
  assert.equal(strings.joined(['A', 'B', 'C', 'D']), 'A, B und 2 weitere sind dazugekommen.');
  assert.equal(strings.joined(['A']), 'A ist dazugekommen.');
  await speak('en');
});

test('screen readers tell which people in the room are ready', () => {
  const [own, bob] = seats().map((seat) => ({ ...seat, state: 'SEATED' }));
  const waiting = { state: 'LOBBY', seats: [own, bob] };
  const ready = { ...bob, state: 'READY' };
  assert.deepEqual(said({ seats: [own, ready] }, waiting), { spoken: 'Bob is ready.' });
  assert.equal(said({ seats: [own, { ...ready, level: 'club' }] }, waiting), '');
  assert.equal(said({ seats: [{ ...own, state: 'READY' }, bob] }, waiting), '');
});
