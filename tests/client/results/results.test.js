import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as verdict from '../../../web_client/src/results/verdict.js';
import { matchTallyOf } from '../../../web_client/src/room/match.js';

const { distance, heading, marginBetween, onPodium } = verdict;

const NAMES = ['Ada', 'Bob', 'Cy', 'Dee'];
const PLAYED = { score: 0, suits: 0, face_down: 0, won: false, finished_ms: null };
/** Return a row of the ranking, whose place follows the seat. @param {number} seat @param {any} [figures] */
const player = (seat, figures) => ({
  ...{ ...PLAYED, seat, name: NAMES[seat], place: seat + 1, ...figures },
});
const home = (seat, finished_ms, figures) =>
  player(seat, { won: true, score: 900, suits: 8, finished_ms, ...figures });
const FIRST_HOME = { ranking: 'first_home', score: 'woods' };
const BEST_SCORE = { ranking: 'best_score', score: 'woods' };
const BY_MOVES = { ranking: 'best_score', score: 'moves' };

test('the heading names the winners that the server names, and the round of a match', () => {
  for (const [players, winners, words, ofRound] of [
    [2, [0], 'You win, Ada!', 'You win round 2, Ada!'],
    [2, [1], 'Bob wins', 'Bob wins round 2'],
    [3, [1, 2], 'Bob and Cy share the win', 'Bob and Cy share the win of round 2'],
    [2, [0, 1], 'It’s a tie: Ada and Bob', 'Round 2 is a tie: Ada and Bob'],
    [2, [], 'Nobody finished', 'Nobody finished round 2'], // all gave up
    [1, [], 'Practice over'],
  ]) {
    const over = { ranking: NAMES.slice(0, players).map((_, seat) => player(seat)), winners };
    assert.equal(heading(over, 0), words);
    if (ofRound) assert.equal(heading(over, 0, 2), ofRound);
  }
});

test('the tally of a match counts what decides it', () => {
  const card = (seat, wins, score, place) => ({ seat, name: NAMES[seat], place, wins, score });
  const cards = [card(0, 1, 40, 1), card(1, 2, 30, 2), card(2, 0, 0, null)];
  const tally = (by, of = cards) => matchTallyOf({ cards: of }, by).map(({ wins }) => wins);
  assert.equal(`${tally('score')} ${tally('wins')}`, '40,30 1,2');
  assert.deepEqual(matchTallyOf({ cards }, 'score')[0], { seat: 0, name: 'Ada', wins: 40 });
  const nothing = cards.map((each) => ({ ...each, wins: 0 }));
  assert.deepEqual(tally('wins', nothing), []);
});

test('the winner reads the time and the distance, others their place and how far it was', () => {
  const three = [home(0, 500_400), home(1, 512_500, { score: 880 }), player(2, { score: 879 })];
  const two = [home(0, 60_000), home(1, 62_450)];
  const photo = [home(0, 60_000), home(1, 60_840), player(2, { score: 800 })];
  const [tied, idle, late] = [[player(0), player(1)], { has_acted: false }, { place: null }];
  for (const [ranking, winners, me, words] of [
    [three, [0], 0, 'Finished in 8:20.4, 12 s ahead of Bob'],
    [three, [0], 1, 'You came 2nd of 3, 12 s behind Ada'],
    [three, [0], 2, 'You came 3rd of 3, 21 points behind Ada'],
    [three, [0], -1, 'Finished in 8:20.4, 12 s ahead of Bob'],
    // A small distance has tenths, and two players need no number of players.
    [two, [0], 1, 'You came 2nd, 2.4 s behind Ada'],
    // A photo finish is named for the two and for spectators, not for a third player.
    [photo, [0], 0, 'Photo finish: 0.84 s before Bob'],
    [photo, [0], 1, 'Photo finish: 0.84 s behind Ada'],
    [photo, [0], -1, 'Photo finish: Ada, 0.84 s before Bob'],
    [photo, [0], 2, 'You came 3rd of 3, 100 points behind Ada'],
    // Alone the time is all; without a winner there is nothing to say.
    [[home(0, 60_000)], [0], 0, 'Finished in 1:00.0'],
    [[player(0)], [], 0, ''],
    [tied, [], 1, ''],
    // Behind several winners there is a place, but no distance; they have none either.
    [[...tied, player(2)], [0, 1], 2, 'You came 3rd of 3'],
    [[...tied, player(2)], [0, 1], 0, ''],
    // Who is off the ranking, or made no act, has no place, and nobody is ahead of them.
    [[home(0, 60_000), player(1, late)], [0], 1, ''],
    [
      [player(0, { score: 50 }), player(1, { score: 20, ...idle })],
      [0],
      1,
      '30 points ahead of Bob',
    ],
  ])
    assert.equal(distance({ ranking, winners }, me, FIRST_HOME), words);
});

test('two players are apart by what the ranking compares', () => {
  const first = home(0, 60_000);
  const above = player(0, { score: 120, suits: 2, face_down: 4 });
  const below = (score, suits, face_down) => player(1, { score, suits, face_down });
  for (const [one, other, rules, by, n] of [
    [first, home(1, 72_000, { score: 950 }), FIRST_HOME, 'time', 12_000],
    [first, home(1, 72_000, { score: 860 }), BEST_SCORE, 'points', 40],
    // The time between two ends is that between the times that are shown.
    [home(0, 60_070), home(1, 72_010), FIRST_HOME, 'time', 12_000],
    [home(0, 60_070), home(1, 60_090), FIRST_HOME, 'time', 20],
    // Where points say nothing, suits or turned cards do.
    [above, below(90, 1, 9), BEST_SCORE, 'points', 30],
    [above, below(90, 1, 9), BY_MOVES, 'suits', 1],
    [above, below(120, 2, 9), BEST_SCORE, 'turned', 5],
  ])
    assert.deepEqual(marginBetween(one, other, rules), { by, n });
  assert.equal(marginBetween(above, above, BEST_SCORE), null);
  // A player who gave up with more points is not behind by points.
  assert.equal(marginBetween(player(0, { score: 100 }), below(500, 3, 0), BEST_SCORE), null);
});

test('the first three stand on the podium, tied players together, but not without an act', () => {
  const seats = (...places) => {
    const ranking = places.map((place, seat) => player(seat, { place }));
    const podium = onPodium(ranking, true).map(({ seat }) => seat);
    return podium.join('');
  };
  assert.deepEqual([seats(1, 2), seats(1, 2, 3, 4), seats(1, 2, null)], ['01', '012', '01']);
  assert.deepEqual([seats(1, 2, 3, 3), seats(1, 2, 2, 4), seats(1)], ['01', '012', '']);
  assert.deepEqual(onPodium([player(0), player(1)], false), [], 'without a winner');
  const names = (rows) => onPodium(rows, true).map(({ name }) => name);
  const players = [
    player(0, { has_acted: false }),
    player(1, { place: 1, has_acted: true }),
    player(2, { state: 'FORFEIT', won: true }),
    player(3, { state: 'FORFEIT' }),
  ];
  assert.deepEqual(names(players), ['Bob', 'Cy']);
  // A card of a match stands on it with a round that was played to its end.
  const line = { ...PLAYED, given_up: false, is_win: false, has_acted: true };
  const idle = { ...line, has_acted: false };
  const left = { ...line, given_up: true };
  const lines = [[left, idle], [null, line], [idle]];
  assert.deepEqual(names(lines.map((each, seat) => player(seat, { lines: each }))), ['Bob']);
});
