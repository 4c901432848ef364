import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, heading } from '../../../web_client/src/results/headline.js';
import { marginBetween, placeOf, winningMargin } from '../../../web_client/src/results/margin.js';
import { onPodium } from '../../../web_client/src/results/podium.js';
import { matchTallyOf } from '../../../web_client/src/room/tally.js';

/** Return the heading for Ada, seat 0, of a ranking of names. @param {string[]} names @param {number[]} winners */
const shown = (names, winners) =>
  heading(
    { ranking: names.map((name, seat) => ({ seat, name, place: seat + 1, won: false })), winners },
    0,
  );

test('the heading names the winners that the server names', () => {
  assert.equal(shown(['Ada', 'Bob'], [0]), 'You win, Ada!');
  assert.equal(shown(['Ada', 'Bob'], [1]), 'Bob wins');
  assert.equal(shown(['Ada', 'Bob', 'Cy'], [1, 2]), 'Bob and Cy share the win');
});

test('the first of players who all gave up is no winner', () => {
  assert.equal(shown(['Ada', 'Bob'], []), 'Nobody finished');
  assert.equal(shown(['Ada'], []), 'Practice over');
});

test('in a match of several rounds the heading of a round names the round', () => {
  const ranking = ['Ada', 'Bob'].map((name, seat) => ({ seat, name }));
  const shownIn = (winners) => heading({ ranking, winners }, 0, 2);
  assert.deepEqual([shownIn([0]), shownIn([1])], ['You win round 2, Ada!', 'Bob wins round 2']);
  assert.equal(shownIn([0, 1]), 'Round 2 is a tie: Ada and Bob');
  assert.equal(shownIn([]), 'Nobody finished round 2');
});

test('the tally of a match counts what decides it', () => {
  const match = {
    cards: [
      { seat: 0, name: 'Ada', place: 1, wins: 1, score: 40 },
      { seat: 1, name: 'Bob', place: 2, wins: 2, score: 30 },
      { seat: 2, name: 'Late', place: null, wins: 0, score: 0 },
    ],
  };
  assert.deepEqual(matchTallyOf(match, 'score'), [
    { seat: 0, name: 'Ada', wins: 40 },
    { seat: 1, name: 'Bob', wins: 30 },
  ]);
  assert.equal(matchTallyOf(match, 'wins')[1]?.wins, 2);
  const nothing = { cards: match.cards.map((card) => ({ ...card, wins: 0 })) };
  assert.deepEqual(matchTallyOf(nothing, 'wins'), []);
});

const player = (seat, figures) => ({
  ...{ seat, name: ['Ada', 'Bob', 'Cy'][seat], place: seat + 1, score: 0, suits: 0, face_down: 0 },
  ...{ won: false, finished_ms: null, ...figures },
});
const RULES = { ranking: 'first_home', score: 'woods' };

test('the winner reads the time and the distance, others their place and how far it was', () => {
  const ranking = [
    player(0, { won: true, finished_ms: 500_400, score: 900 }),
    player(1, { won: true, finished_ms: 512_500, score: 880 }),
    player(2, { score: 879 }),
  ];
  const line = (me) => distance({ ranking, winners: [0] }, me, RULES);
  assert.equal(line(0), 'Finished in 8:20.4, 12 s ahead of Bob');
  assert.equal(line(1), 'You came 2nd of 3, 12 s behind Ada');
  assert.equal(line(2), 'You came 3rd of 3, 21 points behind Ada');
  assert.equal(line(-1), line(0));
});

test('a small distance has tenths, and two players need no number of players', () => {
  const won = { won: true, score: 900 };
  const ranking = [
    player(0, { ...won, finished_ms: 60_000 }),
    player(1, { ...won, finished_ms: 62_450 }),
  ];
  assert.equal(distance({ ranking, winners: [0] }, 1, RULES), 'You came 2nd, 2.4 s behind Ada');
});

test('a photo finish is named for the two and for spectators, not for a third player', () => {
  const won = { won: true, score: 900 };
  const ranking = [
    player(0, { ...won, finished_ms: 60_000 }),
    player(1, { ...won, finished_ms: 60_840 }),
    player(2, { score: 800 }),
  ];
  const line = (me) => distance({ ranking, winners: [0] }, me, RULES);
  assert.equal(line(0), 'Photo finish: 0.84 s before Bob');
  assert.equal(line(1), 'Photo finish: 0.84 s behind Ada');
  assert.equal(line(-1), 'Photo finish: Ada, 0.84 s before Bob');
  assert.equal(line(2), 'You came 3rd of 3, 100 points behind Ada');
});

test('alone the time is all; without a winner there is nothing to say', () => {
  const home = player(0, { won: true, finished_ms: 60_000 });
  assert.equal(distance({ ranking: [home], winners: [0] }, 0, RULES), 'Finished in 1:00.0');
  const stopped = player(0, {});
  assert.equal(distance({ ranking: [stopped], winners: [] }, 0, RULES), '');
  assert.equal(distance({ ranking: [stopped, player(1, {})], winners: [] }, 1, RULES), '');
});

const PLAYED = { place: 1, score: 0, suits: 0, face_down: 0, won: false, finished_ms: null };
const ranked = (seat, figures) => ({ ...PLAYED, seat, name: `P${seat}`, ...figures });
const FIRST_HOME = { ranking: 'first_home', score: 'woods' };
const BEST_SCORE = { ranking: 'best_score', score: 'woods' };
const BY_MOVES = { ranking: 'best_score', score: 'moves' };
const HOME = { won: true, finished_ms: 60_000, score: 900, suits: 8 };

test('two who finished are apart by time, or by points where points count', () => {
  const later = { ...HOME, finished_ms: 72_000, score: 950 };
  const first = ranked(0, HOME);
  assert.deepEqual(marginBetween(first, ranked(1, later), FIRST_HOME), { by: 'time', n: 12_000 });
  const lower = { ...later, score: 860 };
  assert.deepEqual(marginBetween(first, ranked(1, lower), BEST_SCORE), { by: 'points', n: 40 });
});

test('the time between two ends is that between the times that are shown', () => {
  const [first, second] = [60_070, 72_010].map((finished_ms, seat) =>
    ranked(seat, { ...HOME, finished_ms }),
  );
  assert.deepEqual(marginBetween(first, second, FIRST_HOME), { by: 'time', n: 12_000 });
  const close = ranked(1, { ...HOME, finished_ms: 60_090 });
  assert.deepEqual(marginBetween(first, close, FIRST_HOME), { by: 'time', n: 20 });
});

test('players are apart by points, and by suits or turned cards where points say nothing', () => {
  const above = ranked(0, { score: 120, suits: 2, face_down: 4 });
  const below = ranked(1, { score: 90, suits: 1, face_down: 9 });
  assert.deepEqual(marginBetween(above, below, BEST_SCORE), { by: 'points', n: 30 });
  assert.deepEqual(marginBetween(above, below, BY_MOVES), { by: 'suits', n: 1 });
  const level = ranked(1, { score: 120, suits: 2, face_down: 9 });
  assert.deepEqual(marginBetween(above, level, BEST_SCORE), { by: 'turned', n: 5 });
  assert.equal(marginBetween(above, above, BEST_SCORE), null);
});

test('a player who gave up with more points is not behind by points', () => {
  const gaveUp = ranked(1, { score: 500, suits: 3, face_down: 0 });
  assert.equal(marginBetween(ranked(0, { score: 100 }), gaveUp, BEST_SCORE), null);
});

test('the only winner is ahead of the next player on the ranking', () => {
  const ranking = [
    ranked(0, { score: 50 }),
    ranked(1, { place: 2, score: 20 }),
    ranked(2, { place: null, score: 45 }),
  ];
  const found = winningMargin(ranking, [0], BEST_SCORE);
  assert.deepEqual([found?.winner.seat, found?.second.seat], [0, 1]);
  assert.deepEqual(found?.margin, { by: 'points', n: 30 });
  assert.equal(winningMargin(ranking, [0, 1], BEST_SCORE), null);
  assert.equal(winningMargin(ranking, [], BEST_SCORE), null);
  assert.equal(winningMargin(ranking.slice(0, 1), [0], BEST_SCORE), null);
});

test('a player who has not won gets the place and the distance to the winner', () => {
  const ranking = [
    ranked(0, { score: 50 }),
    ranked(1, { place: 2, score: 20 }),
    ranked(2, { place: null }),
  ];
  const own = placeOf(ranking, [0], 1, BEST_SCORE);
  assert.deepEqual([own?.place, own?.players, own?.leader.seat], [2, 2, 0]);
  assert.deepEqual(own?.margin, { by: 'points', n: 30 });
  for (const seat of [0, 2, -1]) assert.equal(placeOf(ranking, [0], seat, BEST_SCORE), null);
  assert.equal(placeOf(ranking, [], 1, BEST_SCORE), null);
  const idle = ranking.map((row) => ({ ...row, has_acted: row.seat !== 1 }));
  assert.equal(placeOf(idle, [0], 1, BEST_SCORE), null);
});

test('behind several winners there is a place, but no distance', () => {
  const ranking = [ranked(0, {}), ranked(1, {}), ranked(2, { place: 3 })];
  const own = placeOf(ranking, [0, 1], 2, BEST_SCORE);
  assert.deepEqual([own?.place, own?.margin], [3, null]);
});

const placed = (...places) => places.map((place, seat) => ({ seat, name: `P${seat}`, place }));
const seats = (...places) => onPodium(placed(...places), true).map(({ seat }) => seat);

test('the first three of a ranking stand on the podium', () => {
  assert.deepEqual(seats(1, 2), [0, 1]);
  assert.deepEqual(seats(1, 2, 3, 4), [0, 1, 2]);
});

test('tied players stand on it together or not at all', () => {
  assert.deepEqual(seats(1, 2, 3, 3), [0, 1]);
  assert.deepEqual(seats(1, 2, 2, 4), [0, 1, 2]);
});

test('players off the ranking have no place on it', () => {
  assert.deepEqual(seats(1, 2, null), [0, 1]);
});

test('there is no podium without rivals or without a winner', () => {
  assert.deepEqual(seats(1), []);
  assert.deepEqual(onPodium(placed(1, 2), false), []);
});

test('players without an act, or who gave up, do not stand on it', () => {
  const [ada, bob, cy, dee] = placed(1, 1, 3, 4);
  const players = [
    { ...ada, has_acted: false },
    { ...bob, has_acted: true },
    { ...cy, state: 'FORFEIT', won: true },
    { ...dee, state: 'FORFEIT', won: false },
  ];
  const onIt = onPodium(players, true);
  assert.equal(onIt.map(({ name }) => name).join(), 'P1,P2');
});

test('a card of a match stands on it with a round that was played to its end', () => {
  const line = { place: 1, score: 0, moves: 0, exceptions: 0, hints: 0, cheats: 0, time_ms: 0 };
  const played = { ...line, won: false, given_up: false, is_win: false, has_acted: true };
  const [ada, bob, cy] = placed(1, 2, 3);
  const cards = [
    {
      ...ada,
      lines: [
        { ...played, given_up: true },
        { ...played, has_acted: false },
      ],
    },
    { ...bob, lines: [null, played] },
    { ...cy, lines: [{ ...played, has_acted: false }] },
  ];
  assert.equal(
    onPodium(cards, true)
      .map(({ name }) => name)
      .join(),
    'P1',
  );
});
