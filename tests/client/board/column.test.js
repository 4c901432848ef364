import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, ROW } from '../../../web_client/src/board/column.js';

const run = (n) => [...'KQJT98765432A'.slice(0, n)].map((rank) => `${rank}S`);
const mixed = (n) => Array.from({ length: n }, (_, i) => (i % 2 ? '3H' : '8S'));

const steps = (spots) => spots.slice(1).map(({ dy }, i) => dy - (spots[i]?.dy ?? 0));
const lay = (pile, tall, open = false) => column(pile, 129, tall, open);

test('a column that is not full is spread at ease, as far as the others', () => {
  const { spots, folds } = lay({ down: 5, up: ['9S', '8S'] }, 560);
  assert.deepEqual([steps(spots), folds], [[14, 14, 14, 14, 14, 35], []]);
  const steps1 = steps(lay({ down: 0, up: mixed(3) }, 900).spots);
  assert.deepEqual(steps1, [50, 50]);
  assert.deepEqual(steps(lay({ down: 0, up: mixed(3) }, 2000).spots), [65, 65]);
  const alone = steps(lay({ down: 0, up: mixed(2) }, 900).spots);
  const among = steps(lay({ down: 5, up: mixed(9) }, 900).spots);
  assert.equal(among.at(-1), alone[0]);
});

test('a long column first closes up, but its rows stay 24 px apart', () => {
  const { spots, folds } = lay({ down: 5, up: mixed(17) }, 560);
  assert.ok(Math.min(...steps(spots).slice(5)) >= ROW && (spots.at(-1)?.dy ?? 0) + 129 <= 560);
  assert.deepEqual(folds, []);
});

test('a longer column folds its runs to their first and last card, the longest first', () => {
  const { spots, folds } = lay({ down: 5, up: [...run(4), ...mixed(8), ...run(13)] }, 560);
  assert.deepEqual(folds, [{ kind: 'run', from: 17, count: 13, dy: spots[17]?.dy }]);
  assert.ok((spots[18]?.dy ?? 0) - (spots[17]?.dy ?? 0) >= ROW, 'the king is in view');
  assert.equal(spots[18]?.dy, spots[29]?.dy, 'what lies between is under the ace');
  const hidden = spots.flatMap((spot, i) => (spot.hidden ? [i] : []));
  assert.equal(hidden.join(), '18,19,20,21,22,23,24,25,26,27,28');
});

test('the longest column folds its top behind a badge', () => {
  const { spots, folds } = lay({ down: 5, up: mixed(24) }, 560);
  const [badge] = folds;
  assert.equal(badge?.kind, 'top');
  const hidden = badge?.count ?? 0;
  assert.ok(hidden > 5 && spots.slice(0, hidden).every((spot) => spot.hidden && spot.dy === 0));
  assert.equal(spots[hidden]?.dy, ROW, 'the badge has a row of its own');
  assert.ok(spots.slice(hidden).every((spot) => !spot.hidden));
});

test('an unfolded column shows its runs, and its top folds', () => {
  const { spots, folds } = lay({ down: 5, up: [...mixed(9), ...run(13)] }, 500, true);
  assert.equal(folds.map(({ kind }) => kind).join(), 'top');
  assert.ok(Math.min(...steps(spots.slice(-13))) >= ROW, 'each card of the run can be taken');
});

test('no column is too long, and no visible card is covered', () => {
  for (const open of [false, true])
    for (let down = 0; down <= 5; down += 1)
      for (let up = 0; up <= 60; up += 1)
        for (const cards of [mixed(up), [...mixed(up >> 1), ...run(Math.min(13, up))]])
          for (const tall of [129, 160, 300, 560]) {
            const { spots, folds } = lay({ down, up: cards }, tall, open);
            const about = `${down} and ${cards.length} in ${tall}`;
            assert.equal(spots.length, down + cards.length);
            assert.ok((spots.at(-1)?.dy ?? 0) + 129 <= tall + 1, about);
            assert.ok(!spots.at(-1)?.hidden, about);
            const seen = spots.flatMap((spot, i) => (spot.hidden || i < down ? [] : [spot]));
            assert.ok(Math.min(...steps(seen)) >= ROW - 1, about);
            const said = folds.reduce(
              (n, fold) => n + (fold.kind === 'top' ? fold.count : fold.count - 2),
              0,
            );
            const tucked = spots.filter((spot) => spot.hidden).length;
            assert.ok(said === tucked, `${about}: badges say how many are hidden`);
          }
});
