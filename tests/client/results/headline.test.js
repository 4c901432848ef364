import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { distance, heading } from '../../../web_client/src/results/headline.js';
import { matchTallyOf } from '../../../web_client/src/room/tally.js';
import { strings } from '../../../web_client/src/strings/language.js';

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
  assert.equal(shownIn([0]), 'You win round 2, Ada!');
  assert.equal(shownIn([1]), 'Bob wins round 2');
  assert.equal(shownIn([0, 1]), 'Round 2 is a tie: Ada and Bob');
  assert.equal(shownIn([]), 'Nobody finished round 2');
});

test('the heading of a match that is over names its winners', () => {
  assert.equal(strings.matchVerdict(['Ada'], true), 'You win the match, Ada!');
  assert.equal(strings.matchVerdict(['Bob'], false), 'Bob wins the match');
  assert.equal(strings.matchVerdict(['Ada', 'Bob'], true), 'The match is a tie: Ada and Bob');
  assert.equal(strings.matchVerdict([], false), 'Nobody wins the match');
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

test('equal figures come with what decides between them', () => {
  assert.equal(strings.tieBreak('last_gain'), 'ahead by last gain');
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

test('the decision is one sentence for each kind', () => {
  const said = (kind, ms = 372_000) => strings.decided({ ms, kind, seat: 0 }, 'Ada');
  assert.equal(said('lead'), 'Decided at 6:12: Ada took the lead and kept it.');
  assert.equal(said('home'), 'Decided at 6:12: Ada finished first.');
  assert.equal(said('quit'), 'Decided at 6:12: Ada gave up in the lead.');
  assert.equal(said('led', 40_000), 'Ada led from 0:40 to the end.');
  assert.equal(said('led', 900), 'Ada led all the way.');
});
