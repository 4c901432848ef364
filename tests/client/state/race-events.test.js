import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cueOf,
  earlierEnds,
  leadCue,
  photoFinish,
  raceEvents,
} from '../../../web_client/src/state/race-events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { catalogue } from '../english.js';
import { room, standing } from '../examples.js';

const [ADA, BOB, CLEO] = [0, 1, 2];
const row = (seat, change) => standing(seat, ['Ada', 'Bob', 'Cleo'][seat], change);
const won = (place, finished_ms, change) => ({
  ...{ state: 'FINISHED', won: true, place, suits: 8, finished_ms, ...change },
});

/** Return the states of a race, one for each list of standings. @param {any[][]} all @param {any} [settings] */
function race(all, settings = {}) {
  const round = { n: 1, t0: 0, t_end: null, commitment: null, number: null, programs: [] };
  const running = room([], {
    state: 'RUNNING',
    round,
    settings: { game: 'spider-4', ...settings },
  });
  let state = { ...NOTHING, me: { seat: ADA, role: 'player' }, room: running };
  return all.map((standings, i) => {
    state = reduce(state, { type: 'standings', number: i + 1, standings });
    return state;
  });
}

/** Return the events of a race in words, those of each change together. @param {any[][]} all @param {any} [settings] @param {number} [me] */
function told(all, settings = {}, me = -1) {
  const states = race([[], ...all], settings);
  const game = states[0]?.room.settings.game;
  return states.slice(1).map((state, i) => {
    const events = raceEvents(states[i], state).map((event) => strings.eventWords(event, me, game));
    return events.map(({ name, words }) => name + words).join(', ');
  });
}

test('a change of the standings is told by its most important event first', () => {
  const [ada, bob, cleo] = [row(ADA), row(BOB), row(CLEO)];
  for (const [after, words] of [
    [
      [row(BOB, won(1, 501_900)), row(CLEO, { suits: 3 }), ada],
      'Bob finished 1st!, Cleo: 3 of 8 suits',
    ],
    [[ada, row(BOB, won(null, 501_900, { late_ms: 9 })), cleo], 'Bob finished!'],
    [[ada, bob, row(CLEO, { state: 'FORFEIT' })], 'Cleo gave up'],
    [[ada, bob, row(CLEO, { state: 'FINISHED', finished_ms: 61_000 })], 'Cleo stopped'],
    [[ada, bob, row(CLEO, { state: 'TIMED_OUT', finished_ms: 61_000 })], 'Cleo: out of time'],
    [[row(ADA, { suits: 1 }), bob, cleo], 'Ada: 1 of 8 suits'],
    [[row(ADA, { face_down: 41 }), bob, cleo], 'Ada turned 3 cards'],
    [[row(ADA, { face_down: 0 }), bob, cleo], 'Ada: all face up'],
    [[row(ADA, { face_down: 44, moves: 2 }), bob, cleo], ''],
    [[ada, bob], ''],
  ])
    assert.deepEqual(
      told([[ada, bob, cleo], after]),
      ['', words],
      'the first standings are no event',
    );
  assert.deepEqual(told([[row(ADA)], [row(ADA, { suits: 1 })]], {}, ADA)[1], 'You: 1 of 8 suits');
  const little = [row(ADA, { face_down: 0 }), row(ADA, { face_down: 0, home: 4 })];
  assert.equal(
    told(
      little.map((each) => [each]),
      { game: 'little-spider' },
    )[1],
    'Ada played 4 cards',
  );
});

test('cards that are turned down again by taking back, and another race, are no event', () => {
  const [before, after] = race([[row(ADA, { face_down: 40 })], [row(ADA)]]);
  assert.deepEqual(raceEvents(before, after), []);
  const other = { ...after, room: { ...after.room, round: { ...after.room.round, n: 2 } } };
  assert.deepEqual(raceEvents({ ...before, room: null }, after), []);
  assert.deepEqual(raceEvents(other, before), []);
});

test('the leader is news after a tie only if it is another one, and not when the finish says it', () => {
  const two = (own, bobs, change) => [
    row(ADA, { score: own, place: own >= bobs ? 1 : 2 }),
    row(BOB, { score: bobs, place: bobs >= own ? 1 : 2, ...change }),
  ];
  const leads = [
    [0, 0],
    [5, 0],
    [5, 5],
    [6, 5],
    [6, 7],
  ].map(([own, bobs]) => two(own, bobs));
  const words = ['', 'Ada took the lead', '', '', 'Bob took the lead'];
  assert.deepEqual(told([two(0, 0), ...leads]).slice(1), words);
  const states = race([two(0, 0), ...leads]);
  const kinds = [1, 4].map((i) => raceEvents(states[i], states[i + 1])[0]?.kind);
  assert.deepEqual(kinds, ['first-lead', 'lead']);
  const home = won(1, 9_000);
  assert.equal(told([two(6, 5), two(6, 7, home)])[1], 'Bob finished 1st!');
  assert.equal(told([[row(ADA)], [row(ADA, { score: 5 })]])[1], '', 'nobody else races');
});

test('the first standings tell the ends whose times are known, the earliest first', () => {
  const bob = row(BOB, { state: 'FORFEIT', finished_ms: 50_000, late_ms: 30_000 });
  const ends = earlierEnds([row(ADA, won(1, 70_000)), bob, row(CLEO)]);
  assert.deepEqual(
    ends.map(({ kind, standing: { seat } }) => [kind, seat]),
    [
      ['finish', ADA],
      ['out', BOB],
    ],
  );
});

const home = (seat, place, ms) => row(seat, ms === null ? { place } : won(place, ms));
const FIRST_HOME = { ranking: 'first_home', cheats: 'shown' };

test('two who come home within two seconds make a photo finish, for each in other words', async () => {
  const rows = [home(ADA, 1, 60_000), home(BOB, 2, 60_840), home(CLEO, 3, null)];
  const photo = photoFinish(rows, FIRST_HOME);
  assert.ok(photo);
  assert.match(strings.photoBy({ ...photo, ms: 1_999 }, ADA), /1\.99 s before Bob/);
  assert.match(strings.photoBy({ ...photo, ms: 7 }, ADA), / 7 ms before Bob/);
  const german = await catalogue('de');
  assert.equal(german.photoBy(photo, BOB), 'Fotofinish: 0,84 s hinter Ada');
  const before = rows.with(1, home(BOB, 2, null));
  assert.deepEqual(told([before, rows, rows.with(2, home(CLEO, 3, 60_900))], FIRST_HOME), [
    '',
    'Photo finish: Ada, 0.84 s before Bob',
    'Cleo finished 3rd!',
  ]);
});

test('no photo finish: two seconds and more, one still racing, a tie, a ranking by score, undos that count', () => {
  const none = (rows, settings = FIRST_HOME) => assert.equal(photoFinish(rows, settings), null);
  none([home(ADA, 1, 60_000), home(BOB, 2, 62_000)]);
  none([home(ADA, 1, 60_000), home(BOB, 2, null)]);
  none([home(ADA, 1, 60_000)]);
  none([home(ADA, 1, 60_000), home(BOB, 2, 60_100)], { ranking: 'best_score' });
  none([home(ADA, 1, 60_000), home(BOB, 1, 60_000)]);
  none([home(ADA, 1, 60_000), home(BOB, 2, 59_000)]);
});

test('an act has one sound', () => {
  const counts = (suits, face_down) => ({ suits, face_down, moves: 0 });
  for (const [type, suits, face_down, outcome, sound] of [
    ['move', 1, 20, null, 'put'],
    ['move', 1, 19, null, 'turn'],
    ['move', 2, 19, null, 'home'],
    ['remove', 2, 20, null, 'home'],
    ['deal', 1, 20, null, 'deal'],
    ['move', 8, 0, 'won', 'won'],
  ]) {
    const inFlight = [{ id: 7, action: { type } }];
    const state = { ...NOTHING, play: { base: { counts: counts(1, 20) }, inFlight } };
    const message = { type: 'acted', id: 7, outcome, counts: counts(suits, face_down) };
    assert.equal(cueOf(state, state, message), sound);
  }
});

test('events of others sound once, the most important one first', () => {
  const wins = { won: true, place: 1, suits: 8, finished_ms: 9 };
  const [racing, both] = [row(BOB), [row(BOB), row(ADA)]];
  for (const [before, after, sound] of [
    [[racing], [row(BOB, wins)], 'other'],
    [[row(BOB, wins)], [row(BOB, { ...wins, state: 'FINISHED' })], null], // the room follows
    [[racing], [row(BOB, { ...wins, state: 'FINISHED' })], 'other'],
    [[racing], [row(BOB, { state: 'FORFEIT' })], null],
    [[racing], [row(BOB, { suits: 1 })], 'suit'],
    [both, [row(BOB, { suits: 1 }), row(ADA, wins)], 'suit'], // the own act has its own
    [both, [row(ADA, { place: 1, score: 1 }), row(BOB, { place: 2 })], null], // the header has the lead
    [both, [row(BOB, { ...wins, suits: 1 }), row(ADA, { suits: 2 })], 'other'],
    [[], [row(BOB, wins)], null], // a page that was just opened
  ]) {
    const [old, next] = race([before, after]);
    assert.equal(cueOf(old, next, { type: 'standings' }), sound);
  }
  const [first, second] = [row(BOB, wins), row(ADA, { ...wins, place: 2, finished_ms: 90 })];
  const [old, next] = race(
    [
      [first, row(ADA)],
      [first, second],
    ],
    FIRST_HOME,
  );
  assert.equal(cueOf(old, next, { type: 'standings' }), 'photo', 'of the own finish, too');
});

test('a start and an end sound when their message comes, not when they are shown', () => {
  const at = (state) => ({ code: 'A', state, seats: [{ seat: 0, state }], settings: {} });
  const before = { ...NOTHING, me: { seat: 0 }, room: at('READY') };
  const after = { ...before, room: at('RACING') };
  assert.equal(cueOf(before, after, { type: 'room' }), 'go');
  assert.equal(cueOf(after, after, { type: 'changes' }), null);
  assert.equal(cueOf({ ...before, room: null }, after, { type: 'joined' }), null, 'a reload');
  const over = (...winners) => ({ ...after, over: { n: 1, winners } });
  assert.equal(cueOf(after, over(0), { type: 'round_over' }), 'won');
  assert.equal(cueOf(after, over(1), { type: 'round_over' }), 'over');
  assert.equal(cueOf(over(1), over(1), { type: 'round_over' }), null);
});

test('the lead that is taken sounds unlike the lead that is lost, or that of others', () => {
  for (const [before, after, own, cue] of [
    [BOB, ADA, ADA, 'ahead'],
    [ADA, BOB, ADA, 'behind'],
    [CLEO, BOB, ADA, 'lead'],
    [CLEO, BOB, -1, 'lead'], // to spectators
    [null, ADA, ADA, null], // the first lead is no change
    [ADA, ADA, ADA, null],
  ])
    assert.equal(leadCue(before, after, own), cue);
});
