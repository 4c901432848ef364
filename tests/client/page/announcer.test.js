import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { makeRaceNews } from '../../../web_client/src/race/events.js';
import { raceEvents } from '../../../web_client/src/state/race-events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { speak, strings } from '../../../web_client/src/strings/language.js';
import { example, standing } from '../examples.js';

const JOINED = reduce(NOTHING, example('joined'));
const ME = JOINED.me?.seat;
const OWN = JOINED.room.seats.find(({ seat }) => seat === ME);
const BOB = { ...OWN, seat: 50, name: 'Bob' };
const ROOM = { ...JOINED.room, v: JOINED.room.v + 1, seats: [OWN, BOB] };
const ROUND = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
/** The round near its end. */
const ENDING = { round: { ...ROUND, t_end: 1_060_000 } };

const seats = (own, bob) => [
  { ...OWN, state: own },
  { ...BOB, state: bob },
];
const running = (settings) => ({
  state: 'RUNNING',
  round: ROUND,
  seats: seats('RACING', 'RACING'),
  settings: { ...ROOM.settings, ...settings },
});

/** Return the announcements of messages in turn. @param {any} from @param {any[]} messages @param {() => number} [now] */
function announced(from, messages, now = () => 0) {
  let state = from;
  const announce = makeAnnouncer(makeRaceNews(now));
  return messages.map((message) => {
    const before = state;
    state = reduce(before, message);
    return announce({ before, after: state, message, events: raceEvents(before, state) });
  });
}

/** Return the announcement of a change of the room. @param {any} change @param {any} [from] */
function said(change, from = {}) {
  const before = reduce(JOINED, { type: 'room', room: { ...ROOM, ...from } });
  const room = { ...before.room, ...change, v: ROOM.v + 1 };
  const [news] = announced(before, [{ type: 'room', room }]);
  return news.collected?.() ?? news;
}

test('in a match of several rounds, news are about the round', () => {
  const match = running({ rounds: 2 });
  assert.equal(said(ENDING, match).words(1), 'The round ends in 1 second.');
  assert.equal(said({ ...match, state: 'COUNTDOWN' }).words(5), 'The round starts in 5 seconds.');
  assert.equal(said({ state: 'LOBBY' }, match), 'The host stopped the round.');
});

test('people who become ready are named once, and computer players are always ready', () => {
  const [idle, asking] = [seats('FINISHED', 'WATCHING'), seats('FINISHED', 'READY')];
  const match = { rounds: 3, over: false, n: [1] };
  const lobby = { state: 'LOBBY', seats: seats('SEATED', 'SEATED') };
  const computer = ([own, bob]) => [own, { ...bob, level: 'club' }];
  for (const [from, after, words] of [
    [{ state: 'FINISHED', seats: idle }, asking, { spoken: 'Bob wants a rematch.' }],
    [{ state: 'FINISHED', seats: asking }, asking, ''],
    [{ state: 'FINISHED', seats: idle }, computer(asking), ''],
    [{ state: 'FINISHED', seats: asking }, idle, ''],
    [
      { state: 'FINISHED', seats: idle, match },
      asking,
      { spoken: 'Bob is ready for the next round.' },
    ],
    [lobby, seats('SEATED', 'READY'), { spoken: 'Bob is ready.' }],
    [lobby, computer(seats('SEATED', 'READY')), ''],
    [lobby, seats('READY', 'SEATED'), ''],
  ])
    assert.deepEqual(said({ seats: after }, from), words);
});

const bobs = (more) => standing(50, 'Bob', { place: 1, ...more });
/** Return this player's row of the standings, and Bob's. @param {any} own @param {any} bob */
const both = (own, bob) => [bobs({ seat: ME, name: 'Me', ...own }), bobs({ place: 2, ...bob })];
const standingsOf = (number, standings) => ({ ...example('standings'), number, standings });
const raceOf = (standings) => {
  const room = { ...ROOM, ...running({ after_win_s: 60 }) };
  return reduce(reduce(JOINED, { type: 'room', room }), standingsOf(1, standings));
};
const changed = (number, change) => {
  const of = [{ seat: 50, ...change }];
  return { type: 'standings_changes', number, order: null, changed: of };
};

const FIGURES = { finished_ms: 75_000 };
const WON = { ...FIGURES, won: true, suits: 8 };
const OVER = { state: 'FINISHED' };

// Recorded from a server: the figures of the last act come up to seconds before the end of the game in the room. A
// newer server sends both in one row, and after a failover the room may come first.
for (const [what, changes, words, event] of [
  ['a win, figures first', [WON, OVER], 'Bob wins in 1:15.', 'Bob finished 1st!'],
  ['a win, room first', [OVER, WON], 'Bob wins in 1:15.', 'Bob finished 1st!'],
  ['a win at once', [{ ...WON, ...OVER }], 'Bob wins in 1:15.', 'Bob finished 1st!'],
  ['a stop, figures first', [FIGURES, OVER], 'Bob stopped.', 'Bob stopped'],
  ['a stop, room first', [OVER, FIGURES], 'Bob stopped.', 'Bob stopped'],
])
  test(`the end of a game is announced and shown once: ${what}`, () => {
    let now = 0;
    const messages = changes.map((change, i) => changed(2 + i, change));
    const start = raceOf([bobs()]);
    // Messages come far enough apart, so that no announcement has to wait.
    const spoken = announced(start, messages, () => (now += 60_000));
    assert.deepEqual(spoken.filter(Boolean), [words]);
    let state = start;
    const shown = messages.flatMap((message) => {
      const before = state;
      state = reduce(before, message);
      return raceEvents(before, state).map((each) => strings.eventWords(each, ME, 'spider-1'));
    });
    assert.deepEqual(
      shown.map(({ name, words: more }) => name + more),
      [event],
    );
  });

test('a win that has shortened the race is named once, and not to the winner', () => {
  const long = { round: { ...ROUND, t_end: 1_120_000 } };
  const won = { ...long, seats: seats('RACING', 'FINISHED') };
  assert.equal(said(won, running({ after_win_s: 120 })), 'Last two minutes: Bob finished.');
  assert.equal(said(won, running({ after_win_s: 600 })), 'Last 10 minutes: Bob finished.');
  const byHost = said(long, running({ after_win_s: 120 }));
  assert.equal(byHost.words(59), 'The race ends in 59 seconds.');
  const ends = (from, states, ...earlier) => {
    const room = { ...from.room, v: 900, ...ENDING, seats: seats(...states) };
    return announced(from, [...earlier, { type: 'room', room }]);
  };
  for (const [standings, states, words] of [
    [both({ place: 2 }, { ...WON, place: 1 }), ['RACING', 'FINISHED'], 'Bob wins in 1:15.'],
    [both(WON, {}), ['FINISHED', 'RACING'], 'You win! 1:15. 1 player still racing.'],
  ]) {
    const spoken = ends(raceOf(both({}, {})), states, standingsOf(2, standings));
    assert.deepEqual(spoken, [words, 'Last minute.']);
  }
  const [stopped] = ends(raceOf([bobs(FIGURES)]), ['RACING', 'FINISHED']);
  assert.equal(stopped.words(60), 'The race ends in 1:00.'); // the host ends it
});

test('a latecomer reads beforehand and afterwards that the game ends with the race', () => {
  const as = (own) => ({ state: 'RUNNING', seats: seats(own, 'SEATED') });
  const [watching, chasing, racing] = ['WATCHING', 'CHASING', 'RACING'].map(as);
  const over = { state: 'FINISHED', seats: seats('TIMED_OUT', 'SEATED') };
  assert.equal(said(chasing, watching), strings.NEWS.chasing);
  assert.deepEqual(said(over, chasing), { spoken: strings.NEWS.cutOff });
  assert.equal(said(over, racing), '');
});

test('a player’s win or place is announced with the number of players still racing', async () => {
  const home = { ...FIGURES, won: true };
  const gaveUp = { state: 'FORFEIT', finished_ms: 60_000 };
  const first = { won: true, finished_ms: 60_000, place: 1, state: 'FINISHED' };
  const third = bobs({ seat: 51, name: 'Cleo', place: 3 });
  const later = (own) => [...both({ place: 2, ...own }, first), third];
  const german = 'Du bist im Ziel! Bisher Platz 2. Es spielt noch jemand.';
  for (const [before, after, words, language = 'en'] of [
    [both({}, {}), both(home, {}), 'You win! 1:15. 1 player still racing.'],
    [both({}, {}), both(home, {}), 'Du gewinnst! 1:15. Es spielt noch jemand.', 'de'],
    [both(home, {}), both({ ...home, ...OVER }, {}), ''],
    [later({}), later(home), 'You finished! You’re 2nd so far. 1 player still racing.'],
    [later({}), later(home), german, 'de'],
    [later({}), later({ ...OVER, ...FIGURES }), 'You’re 2nd so far. 1 player still racing.'],
    // There is no news if the result follows, or after giving up.
    [both({}, gaveUp), both(home, gaveUp), ''],
    [both({}, {}), both(gaveUp, {}), ''],
  ]) {
    await speak(language);
    assert.deepEqual(announced(raceOf(before), [standingsOf(2, after)]), [words]);
  }
});

test('if many join, two are named, without those who have left again', () => {
  const names = ['Cleo', 'Dora', 'Emil', 'Fay', 'Gus'];
  const people = names.map((name, i) => ({ ...BOB, seat: 60 + i, name }));
  const change = (come, ...gone) => ({ type: 'changes', v: 9_999, host: 0, seats: come, gone });
  const inRoom = reduce(JOINED, { type: 'room', room: ROOM });
  const [many] = announced(inRoom, [change(people), change([], 60)]);
  assert.deepEqual([many.collected(), many.collected()], ['Dora, Emil and 2 others joined.', '']);
  const [short, unknown] = announced(inRoom, [change([people[0]]), change([], 60)]);
  assert.deepEqual([unknown, short.collected()], ['', ''], 'nobody knew of Cleo');
  assert.deepEqual(announced(inRoom, [change([], BOB.seat)]), ['Bob left.']);
});
