import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as verdict from '../../../web_client/src/results/verdict.js';
import { matchTallyOf } from '../../../web_client/src/room/match.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { course, standing } from '../examples.js';

const { differenceOf, distance, heading, onPodium, turningPointOf } = verdict;
const [ADA, BOB] = [0, 1];
const NAMES = ['Ada', 'Bob', 'Cy', 'Dee'];
/** Return a row of the ranking; its place is one more than the seat. @param {number} seat @param {any} [figures] */
const player = (seat, figures) => standing(seat, NAMES[seat], { face_down: 0, ...figures });
const home = (seat, finished_ms, figures) =>
  player(seat, { won: true, score: 900, suits: 8, finished_ms, ...figures });
const FIRST_HOME = { ranking: 'first_home', score: 'woods' };
const BEST_SCORE = { ranking: 'best_score', score: 'woods' };
const BY_MOVES = { ranking: 'best_score', score: 'moves' };

test('the heading names the winners from the server, and the round of a match', () => {
  for (const [players, winners, words, number] of [
    [2, [0], 'You win round 2, Ada!', 2],
    [3, [1, 2], 'Bob and Cy share the win'],
    [3, [1, 2], 'Bob and Cy share the win of round 2', 2],
    [2, [0, 1], 'It’s a tie: Ada and Bob'],
    [2, [0, 1], 'Round 2 is a tie: Ada and Bob', 2],
    [2, [], 'Nobody finished round 2', 2],
    [1, [], 'Practice over'],
  ]) {
    const ranking = NAMES.slice(0, players).map((_, seat) => player(seat));
    assert.equal(heading({ ranking, winners }, 0, number), words);
  }
});

test('the tally of a match counts what decides it', () => {
  const card = (seat, wins, score, place) => ({ seat, name: NAMES[seat], place, wins, score });
  const cards = [card(0, 1, 40, 1), card(1, 2, 30, 2), card(2, 0, 0, null)];
  const tally = (by, of = cards) => matchTallyOf({ cards: of }, by).map(({ wins }) => wins);
  const none = tally('wins', [card(0, 0, 40, 1)]);
  assert.deepEqual([tally('score'), tally('wins'), none], [[40, 30], [1, 2], []]);
});

test('the winner reads the time and the margin, others their place and their distance', () => {
  const three = [home(0, 500_400), home(1, 512_500, { score: 880 }), player(2, { score: 879 })];
  const photo = [home(0, 60_000), home(1, 60_840), player(2, { score: 800 })];
  const tied = [player(0), player(1), player(2)];
  const late = [home(0, 60_000), player(1, { place: null })];
  const idle = [player(0, { score: 50 }), player(1, { score: 20, has_acted: false })];
  const above = player(0, { score: 120, suits: 2, face_down: 4 });
  const below = (score, suits, face_down) => [above, player(1, { score, suits, face_down })];
  for (const [ranking, winners, me, words, rules = FIRST_HOME] of [
    [three, [0], 0, 'Finished in 8:20.4, 12 s ahead of Bob'],
    [three, [0], 1, '12 s behind Ada'],
    [three, [0], 2, '21 points behind Ada, 1 behind Bob'],
    [three, [0], -1, 'Finished in 8:20.4, 20 points ahead of Bob', BEST_SCORE],
    // A small distance is shown in tenths.
    [[home(0, 60_000), home(1, 62_450)], [0], 1, '2.4 s behind Ada'],
    // The distance is the difference between the shown times.
    [[home(0, 60_070), home(1, 63_010)], [0], 1, '3.0 s behind Ada'],
    // The two players and spectators read about a photo finish, a third player does not.
    [photo, [0], 0, 'Photo finish: 0.84 s before Bob'],
    [photo, [0], 1, 'Photo finish: 0.84 s behind Ada'],
    [photo, [0], -1, 'Photo finish: Ada, 0.84 s before Bob'],
    [photo, [0], 2, '100 points behind Ada, 100 behind Bob'],
    // A player alone reads only the time; without a winner there is nothing to say.
    [[home(0, 60_000)], [0], 0, 'Finished in 1:00.0'],
    [tied, [], 1, ''],
    // With several winners nobody reads a distance.
    [tied, [0, 1], 2, ''],
    [tied, [0, 1], 0, ''],
    // An unranked player, or one without an act, has no place and no distance.
    [late, [0], 1, ''],
    [idle, [0], 1, '30 points ahead of Bob'],
    // If points say nothing, suits or turned cards do, unless a player who gave up has more.
    [below(90, 1, 9), [0], -1, '1 suit ahead of Bob', BY_MOVES],
    [below(120, 2, 9), [0], -1, '5 turned cards ahead of Bob'],
    [below(500, 3, 4), [0], -1, ''],
  ])
    assert.equal(distance({ ranking, winners }, me, rules), words);
});

test('the first three stand on the podium, tied players together, but not without an act', () => {
  const [idle, played, left] = [{ has_acted: false }, {}, { given_up: true }];
  for (const [changes, podium] of [
    [[{}, {}], '0,1'],
    [[{}, {}, {}, {}], '0,1,2'],
    [[{}, {}, { place: null }], '0,1'],
    [[{}, {}, {}, { place: 3 }], '0,1'],
    [[{}, {}, { place: 2 }, {}], '0,1,2'],
    [[{}], ''],
    [[idle, { state: 'FORFEIT', won: true }, { state: 'FORFEIT' }], '1'],
    // In a match it is enough to have played one round to its end.
    [[{ lines: [left, idle] }, { lines: [null, played] }, { lines: [idle] }], '1'],
  ]) {
    const rows = changes.map((change, seat) => player(seat, change));
    assert.equal(String(onPodium(rows, true).map(({ seat }) => seat)), podium);
    assert.deepEqual(onPodium(rows, false), [], 'without a winner');
  }
});

const START = [0, 0];
const [ADAS, BOBS] = [ADA, BOB].map((seat) => player(seat, { state: 'TIMED_OUT' }));
const HOME = { won: true, state: 'FINISHED', finished_ms: 80_000 };
const COURSES = [course(ADA, START, [40_000, 90]), course(BOB, START, [20_000, 50])];
const LAST = { t0: 0, ended: 100_000, settings: FIRST_HOME, winners: [ADA], programs: [ADA] };
/** Return a round that Ada has won. @param {object} changes */
const roundOf = (changes) => ({ ...LAST, ranking: [ADAS, BOBS], courses: COURSES, ...changes });

test('the last change of the lead decides a race, or its end, or a win, or nothing', () => {
  const [ahead, behind] = COURSES;
  const caught = course(BOB, START, [20_000, 50], [60_000, 90], [70_000, 80]);
  const [early, last] = [course(ADA, START, [7_000, 5]), course(BOB, START, [9_000, 2])];
  const [late, few] = [course(ADA, START, [80_000, 40]), course(ADA, START, [10_000, 20])];
  const won = [{ ...ADAS, ...HOME }, BOBS];
  const quit = [ADAS, { ...BOBS, state: 'FORFEIT', finished_ms: 60_000 }];
  for (const [what, change, decision] of [
    ['the last change', {}, '40000 lead 0'],
    ['a tie that is not lost', { courses: [ahead, caught] }, '40000 lead 0'],
    ['a lead that never changed', { courses: [early, last] }, '7000 led 0'],
    ['a win from behind', { ranking: won, courses: [late, behind] }, '80000 home 0'],
    ['the leader gives up', { ranking: quit, courses: [few, behind] }, '60000 quit 1'],
    ['a ranking by progress', { settings: BY_MOVES }],
    ['a win by progress', { settings: BY_MOVES, ranking: won }, '80000 home 0'],
    ['alone', { ranking: [ADAS] }],
    ['a latecomer', { ranking: [ADAS, { ...BOBS, place: null }] }],
    ['several winners', { winners: [ADA, BOB] }],
    ['a winner who never led', { ranking: [BOBS, ADAS], winners: [BOB] }],
    ['no points', { courses: [course(ADA, START), course(BOB, START)] }],
  ]) {
    const found = turningPointOf(roundOf(change));
    assert.equal(found ? `${found.ms} ${found.kind} ${found.seat}` : undefined, decision, what);
  }
});

test('one sentence names the decisive difference, unless it contradicts the ranking', () => {
  const little = { game: 'little-spider', ranking: 'best_score' };
  const gaveUp = { state: 'FORFEIT', finished_ms: 104_000 };
  for (const [winner, rival, words, more, me = BOB] of [
    [HOME, HOME], // the time decides there, or the points
    [HOME, { face_down: 1 }, 'You still had 1 card face down at the end.'],
    [HOME, { suits: 6 }, 'Bob had 6 of 8 suits at the end.', {}, ADA],
    [HOME, { home: 40 }, 'You had 40 of 52 cards home at the end.', little],
    // Without a win suits are compared, then turned cards.
    [{ suits: 3 }, { suits: 1 }, 'Ada completed 3 suits, you 1.'],
    [{ face_down: 4 }, { face_down: 5 }, 'Ada turned 1 card more than you.'],
    [{ suits: 1 }, { suits: 2 }], // points decided against the suits
    [{}, {}],
    [{}, { has_acted: false, face_down: 44 }, 'You made no move.'],
    [{}, gaveUp], // the time of the lead says more
    [{}, gaveUp, 'You gave up at 1:44.', { score: 'moves' }],
    [{ suits: 3 }, { suits: 1, cheats: 1 }, undefined, { cheats: 'out' }],
  ]) {
    const settings = { ...FIRST_HOME, game: 'spider-4', cheats: 'shown', ...more };
    const ranking = [Object.assign({}, ADAS, winner), Object.assign({}, BOBS, rival)];
    const found = differenceOf(roundOf({ settings, ranking }), me);
    assert.equal(found ? strings.decisive(found, me) : undefined, words);
  }
});

test('your place comes first, unless you raced alone or gave up', () => {
  const settings = { ...FIRST_HOME, game: 'spider-4' };
  const quit = player(1, { state: 'FORFEIT', score: 20, finished_ms: 30_000 });
  const stopped = player(0, { state: 'FORFEIT', score: 40, finished_ms: 9_000 });
  const [first, idle] = [home(0, 60_000), { ...quit, has_acted: false }];
  const hasSuit = { ...stopped, suits: 1 };
  for (const [ranking, me, large, rest, far, more] of [
    [[first, player(1)], 0, '1st', 'of 2. You win, Ada!', /^Finished in 1:00\.0, /],
    [[first, player(1)], 1, '2nd', 'of 2. Ada wins.', /points behind Ada\.$/],
    [[first, quit], 1, '', 'Ada wins', /^You gave up at 0:30\. 880 points behind Ada\.$/],
    [[first, idle], 1, '', 'Ada wins', /^You gave up at 0:30\. Ada finished/],
    [[first, quit], -1, '', 'Ada wins', /^Finished in 1:00\.0, 880 points ahead/],
    [[first], 0, '1:00.0', 'You finished!', /^$/],
    [[stopped], 0, '40', 'points. Practice over.', /^Stopped at 0:09\.$/],
    [[first], 0, '', 'You win, Ada!', /^Finished in 1:00\.0\.$/, { window_s: 60 }],
    [[player(0), player(1)], 0, '', 'Nobody finished', /^$/],
    [[stopped, quit], 1, '', 'Nobody finished', /0:30\. Ada came closest, with 40 points\.$/],
    [[hasSuit, quit], 0, '', 'Nobody finished', /\. You came closest, with 1 suit home\.$/],
  ]) {
    const winners = ranking[0] === first ? [0] : [];
    const round = { result: { ranking, winners }, me, settings: { ...settings, ...more } };
    const said = verdict.verdictOf(round);
    assert.deepEqual([said.large ?? '', said.rest], [large, rest]);
    assert.match(said.distance ?? '', far);
  }
});
