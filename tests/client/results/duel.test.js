import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duelOf, rankTogether } from '../../../web_client/src/results/duel.js';
import { verdictOf } from '../../../web_client/src/results/verdict.js';
import { course, standing } from '../examples.js';

const RULES = { game: 'spider-1', ranking: 'first_home', score: 'woods' };
const CARDS = '7K3QZ0A/1/0';
const game = (name, won, score, finished_ms, change) => {
  const state = won ? 'FINISHED' : 'FORFEIT';
  return standing(0, name, { won, score, finished_ms, state, ...change });
};

/** Return the duel of Ada's game and a ghost. */
function duel(mine, other, isSecret = false) {
  const over = { n: 2, ranking: [mine], reveal: { deck: ['AS'] }, colours: [] };
  const room = { code: '7K3QZ0B', settings: RULES, seats: [{ seat: 0, colour: 'violet' }] };
  const ghost = { cards: CARDS, id: { code: '7K3QZ0A', n: 1 }, lateMs: 0, standing: other };
  const played = { ...over, courses: [course(0, [0, 0, 0])] };
  const figures = course(0, [0, 0, 0], [9_000, 5, 0]);
  return duelOf({ room, over, me: 0 }, isSecret ? null : played, { ...ghost, course: figures });
}

test('a duel names its winner, the margin, and the end of both games', () => {
  const nina = game('Nina', true, 990, 149_020);
  const stopped = game('Nina', false, 500, 99_000);
  const gaveUp = /^You gave up at 0:30\. Nina’s ghost finished in/;
  const isLast = /^Finished in 15:00\.0\. Nina didn’t finish\.$/;
  for (const [own, other, said, lines] of [
    [[true, 980, 135_000], nina, 'You beat Nina by 0:14', /in 2:15\.0\. Nina needed 2:29\.0\.$/],
    [[true, 980, 149_500], nina, 'Nina beat you by 0:00.5', /Nina needed/],
    [[true, 980, 149_030], nina, 'Nina beat you', /Nina needed/], // the same tenth
    [[false, 980, 30_000], nina, 'Nina beat you', gaveUp],
    [[true, 300, 900_000], stopped, 'You beat Nina', isLast],
    [[false, 510, 9_000], stopped, 'You beat Nina by 10 points', /^You gave up at 0:09\.$/],
    [[false, 500, 9_000], stopped, 'A tie with Nina', /^You gave up/],
  ]) {
    const { result } = duel(game('Ada', ...own), other);
    const words = verdictOf({ result, me: 0, settings: RULES, remark: '', isDuel: true });
    const { before = '', large = '', rest, distance, isFirst } = words;
    assert.equal([before, large, rest].filter(Boolean).join(' '), said);
    assert.equal(isFirst, said.startsWith('You beat'));
    assert.match(distance, lines);
  }
});

test('the round of a duel has both games, each with its cards, and the ghost at another seat', () => {
  const [own, other] = [game('Ada', true, 990, 60_000), game('Nina', true, 990, 61_000)];
  const { id, result, isWon, rival } = duel(own, other);
  const { round, seat, ghost } = id.duel;
  assert.deepEqual([isWon, result.winners, rival.seat === seat], [true, [0], true]);
  assert.deepEqual([id.code, id.n, id.games[seat]], ['7K3QZ0B', 2, CARDS]);
  const seats = round.courses.map((each) => each.seat);
  assert.deepEqual(seats, [0, seat]);
  const places = round.ranking.map(({ place }) => place);
  assert.deepEqual(places, [1, 2]);
  assert.deepEqual([ghost.id, ghost.course.seat], [{ code: '7K3QZ0A', n: 1 }, 0]);
});

test('while its deal is secret, a duel has both results, but no course', () => {
  const { id, result } = duel(game('Ada', false, 10, 9_000), game('Nina', false, 20, 9_000), true);
  assert.deepEqual([id.duel, result.ranking.map(({ name }) => name)], [undefined, ['Nina', 'Ada']]);
});

test('games are ranked by the rules of their room: by time, by points, or by suits', () => {
  const [fast, rich] = [game('Ada', true, 500, 60_000), game('Bob', true, 900, 90_000)];
  const idle = game('Cy', false, 1_000, 1, { suits: 0 });
  const some = game('Di', false, 800, 1, { suits: 2 });
  const names = (games, rules) =>
    rankTogether(games, { ...RULES, ...rules }).map(({ name }) => name);
  assert.deepEqual(names([rich, fast, idle]), ['Ada', 'Bob', 'Cy']);
  assert.deepEqual(names([fast, rich], { ranking: 'best_score' }), ['Bob', 'Ada']);
  // This score falls with each move, so a player who never moves keeps all points.
  assert.deepEqual(names([idle, some], { score: 'moves' }), ['Di', 'Cy']);
});
