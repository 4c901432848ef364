import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindWayBack } from '../../../web_client/src/page/way-back.js';

/** The entries of the history, the last of which is shown. @type {unknown[]} */
let entries = [];
/** Steps that are under way. */
let steps = 0;
const history = {
  get state() {
    return entries.at(-1);
  },
  pushState: (mark) => entries.push(mark),
  back: () => (steps += 1), // it takes its time
};

const state = (seat) => ({
  me: { seat: 0 },
  room: { code: 'ABCDEFG', seats: [{ seat: 0, state: seat }] },
});

function bound(seat) {
  Object.assign(globalThis, { history });
  entries = [{ front: true }, { room: true }];
  steps = 0;
  const now = { seat, routed: 0 };
  const way = bindWayBack({
    state: () => state(now.seat),
    release: () => assert.fail('the seat was left'),
    route: () => (now.routed += 1),
    home: () => assert.fail('the front page was shown'),
  });
  return { now, way };
}

/** Let the steps arrive that are under way. @param {{step: () => void}} way */
function arrive(way) {
  for (; steps > 0; steps -= 1) {
    entries.pop();
    way.handleStep();
  }
}

test('the end of a race takes one entry away, however many messages come meanwhile', () => {
  const { now, way } = bound('RACING');
  way.update();
  way.update();
  assert.equal(entries.length, 3);
  now.seat = 'FINISHED';
  way.update();
  way.update(); // the result comes before the step has been made
  assert.equal(steps, 1);
  arrive(way);
  assert.deepEqual(entries, [{ front: true }, { room: true }]);
  way.update();
  assert.equal(steps, 0);
});

test('a rematch that begins at once is marked again and asks nothing', () => {
  const { now, way } = bound('RACING');
  way.update();
  now.seat = 'FINISHED';
  way.update();
  now.seat = 'RACING';
  way.update();
  arrive(way);
  assert.equal(now.routed, 1);
  way.update();
  assert.deepEqual(entries.at(-1), { race: true });
});
