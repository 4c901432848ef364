import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSound } from '../../../web_client/src/shared/sound.js';

/** A context that runs once it is resumed. */
class Context {
  static made = /** @type {Context[]} */ ([]);
  state = 'suspended';
  resumed = 0;
  constructor() {
    Context.made.push(this);
  }
  async resume() {
    this.resumed += 1;
    this.state = 'running';
  }
}

test('a press wakes the sound once, and again after a call has interrupted it', () => {
  Object.assign(globalThis, { window: { AudioContext: Context }, AudioContext: Context });
  const sound = makeSound(() => 50);
  assert.equal(Context.made.length, 0, 'no sound before the first press');
  sound.wake();
  sound.wake();
  assert.equal(Context.made.length, 1);
  const [context] = Context.made;
  assert.equal(context?.resumed, 1);
  Object.assign(context ?? {}, { state: 'interrupted' });
  sound.wake();
  assert.equal(context?.resumed, 2);
});
