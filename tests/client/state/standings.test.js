import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { makeRaceNews } from '../../../web_client/src/race/rival-news.js';
import {
  follows,
  MISSING,
  reduce,
  wantsStandings,
  withChanges,
} from '../../../web_client/src/state/reducer.js';
import { isOfOthers, NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const whole = () => reduce(NOTHING, example('standings'));
const ahead = () => example('standings_changes', 'goes ahead');
const placed = (rows) => rows.map(({ seat, place }) => `${seat} ${place}`).join(', ');
const move = () => example('standings_changes', 'one more move');

test('changes are put into the known rows, in the new order', () => {
  const before = whole();
  const { standings, standingsNumber } = reduce(before, ahead());
  const rows = standings.map(({ seat, place, score }) => `${seat} ${place} ${score}`);
  assert.deepEqual([standingsNumber, rows], [8, ['1 1 61', '0 2 52']]);
});

test('rows without changes stay the same, and the order without a new one', () => {
  const before = reduce(whole(), ahead());
  const after = reduce(before, move());
  assert.equal(after.standings[0], before.standings[0]);
  assert.deepEqual(after.standings[1], { ...before.standings[1], moves: 5 });
});

test('a new row has all its fields', () => {
  const { standings } = whole();
  const chaser = { ...standings[0], seat: 5, name: 'Cy', place: null, late_ms: 9 };
  const changes = { ...move(), order: [[0, 1], [5]], changed: [chaser] };
  assert.deepEqual(withChanges(standings, changes), [...standings, chaser]);
  assert.deepEqual(withChanges([], move()), []);
});

test('players who share a place are together, and one for whom a computer plays has none', () => {
  const { standings } = whole();
  const after = (order, changed) =>
    placed(withChanges(standings, { ...move(), order, changed: [changed] }));
  assert.equal(after([[1], [0]], { seat: 0, stand_in: 'club' }), '1 1, 0 null');
  const third = { ...standings[0], seat: 5, name: 'Cy' };
  assert.equal(after([[1], [5, 0]], third), '1 1, 5 2, 0 2');
});

test('a gap is noticed once, and ends with the whole; known changes are ignored', () => {
  const gap = reduce(whole(), move());
  assert.ok(wantsStandings(gap));
  assert.deepEqual(gap.standings, whole().standings);
  assert.equal(reduce(gap, { ...move(), number: 10 }), gap, 'changes are ignored meanwhile');
  assert.ok(!wantsStandings(reduce(gap, example('standings'))));
  const state = reduce(whole(), ahead());
  assert.equal(reduce(state, ahead()), state);
});

test('changes before any standings are a gap, also on a new connection', () => {
  assert.ok(wantsStandings(reduce(NOTHING, move())));
  const back = reduce(whole(), example('joined', 'came back'));
  assert.ok(wantsStandings(reduce(back, ahead())));
  assert.equal(follows(MISSING, move()), 'old');
});

test('changes are news of others as the whole is, and a finish in them is announced', () => {
  const watching = { ...whole(), me: { seat: 9, role: 'spectator' } };
  assert.ok(isOfOthers(watching, move()));
  const joined = reduce(NOTHING, example('joined', 'came back'));
  const before = reduce(joined, example('standings'));
  const won = { ...move(), number: 8, changed: [{ seat: 0, state: 'FINISHED', won: true }] };
  const after = reduce(before, won);
  const announce = makeAnnouncer(makeRaceNews(() => 0));
  assert.match(String(announce(before, after, won)), /Ada/);
});
