import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import {
  closeQueue,
  makeKeyQueue,
  queueKey,
  queueUntil,
} from '../../../web_client/src/play/key-queue.js';

/** Return a queue, and what has happened, in order. */
function made() {
  const done = [];
  const queue = makeKeyQueue(
    () => done.push('failed'),
    ({ key }) => done.push(key),
  );
  const press = (key) =>
    queueKey(queue, { key, code: '', shiftKey: false, preventDefault: () => {} });
  return { queue, done, press };
}

test('no key is kept while nothing is loaded', () => {
  const { press } = made();
  assert.equal(press('a'), false);
});

test('kept keys are pressed in their order, after what was loaded has acted', async () => {
  const { queue, done, press } = made();
  const holding = queueUntil(
    queue,
    Promise.resolve(() => done.push('help')),
  );
  assert.ok(press('a') && press('b'));
  await holding;
  assert.deepEqual(done, ['help', 'a', 'b']);
  assert.equal(press('c'), false);
});

test('a kept key that loads something itself holds those after it', async () => {
  const { queue, done, press } = made();
  let second;
  queue.press = ({ key }) => {
    done.push(key);
    if (key === 'a')
      second = queueUntil(
        queue,
        Promise.resolve(() => done.push('prompt')),
      );
  };
  const first = queueUntil(
    queue,
    Promise.resolve(() => {}),
  );
  for (const key of 'ab') press(key);
  await first;
  await second;
  assert.deepEqual(done, ['a', 'prompt', 'b']);
});

test('a failure is reported, and the keys after it are dropped', async () => {
  const { queue, done, press } = made();
  const holding = queueUntil(queue, Promise.reject(new Error('no network')));
  press('a');
  await holding;
  assert.deepEqual(done, ['failed']);
  await queueUntil(
    queue,
    Promise.resolve(() => done.push('again')),
  );
  assert.deepEqual(done, ['failed', 'again']);
});

test('keys do not wait for ever, and then nothing happens late', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { queue, done, press } = made();
  let finish = () => {};
  const holding = queueUntil(queue, new Promise((resolve) => (finish = resolve)));
  press('a');
  mock.timers.tick(10_000);
  await holding;
  finish(() => done.push('late'));
  await Promise.resolve();
  mock.timers.reset();
  assert.deepEqual(done, ['failed']);
  assert.equal(press('b'), false);
});

test('only so many keys are kept', async () => {
  const { queue, done, press } = made();
  const holding = queueUntil(
    queue,
    Promise.resolve(() => {}),
  );
  for (let i = 0; i < 100; i += 1) assert.ok(press(String(i)));
  await holding;
  assert.deepEqual(
    done,
    Array.from({ length: 32 }, (_, i) => String(i)),
  );
});

test('nothing happens on a screen that is gone', async () => {
  const { queue, done, press } = made();
  const holding = queueUntil(
    queue,
    Promise.resolve(() => done.push('help')),
  );
  press('a');
  closeQueue(queue);
  await holding;
  assert.deepEqual(done, []);
});
