import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as senses from '../../../web_client/src/browser/sound.js';
import { prefer } from '../../../web_client/src/browser/storage.js';

const { makeSound, PATTERNS, TONES, vibrate } = senses;
const contexts = [];
/** The tones that were played, each with its first and its last pitch. */
const played = [];

/** A context that runs once it is resumed. */
class Context {
  state = 'suspended';
  resumed = 0;
  currentTime = 0;
  constructor() {
    contexts.push(this);
  }
  async resume() {
    this.resumed += 1;
    this.state = 'running';
  }
}

class OscillatorNode {
  frequency = { setValueAtTime() {}, exponentialRampToValueAtTime: (to) => (this.tone.to = to) };
  constructor(_context, { frequency }) {
    this.tone = { from: frequency, to: frequency };
  }
  connect = (target) => target;
  start = () => played.push(this.tone);
  stop() {}
}

class GainNode {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect = (target) => target;
}

const window = { AudioContext: Context };
Object.assign(globalThis, { window, ...window, OscillatorNode, GainNode });

test('a press wakes the sound once, and again after a call has interrupted it', () => {
  const sound = makeSound();
  assert.equal(contexts.length, 0, 'no sound before the first press');
  sound.wake();
  sound.wake();
  assert.deepEqual([contexts.length, contexts[0].resumed], [1, 1]);
  contexts[0].state = 'interrupted';
  sound.wake();
  assert.equal(contexts[0].resumed, 2);
});

test('the lead rises when it is taken and falls when it is lost, and no volume is silence', () => {
  const sound = makeSound();
  sound.wake();
  const heard = (cue) => {
    sound.play(cue);
    return played.splice(0);
  };
  const [[up], [down]] = [heard('ahead'), heard('behind')];
  assert.ok(up.to > 2 * up.from);
  assert.ok(down.to < down.from / 2);
  assert.equal(heard('home').length, 3);
  for (const [name, silent, usual] of [
    ['volume', 0, 60],
    ['muted', true, false],
  ]) {
    prefer(name, silent);
    assert.deepEqual(heard('ahead'), [], name);
    prefer(name, usual);
  }
});

test('any two cues can be told apart with closed eyes', () => {
  const cues = Object.entries(TONES).map(([name, [, length, , ...pitches]]) => {
    const line = pitches.flatMap((each) => (typeof each === 'number' ? [each, each] : each));
    const contour = line.slice(1).map((hertz, i) => Math.sign(hertz - line[i]));
    const register = line.reduce((sum, hertz) => sum + Math.log2(hertz), 0) / line.length;
    const about = { tones: pitches.length, contour: contour.join() };
    return { name, ...about, register, seconds: length * pitches.length };
  });
  for (const [i, a] of cues.entries())
    for (const b of cues.slice(i + 1))
      assert.ok(
        a.tones !== b.tones ||
          a.contour !== b.contour ||
          Math.abs(a.register - b.register) >= 0.5 ||
          Math.max(a.seconds, b.seconds) >= 2.5 * Math.min(a.seconds, b.seconds),
        `${a.name} sounds like ${b.name}`,
      );
});

test('what is great or lost is felt, each in its own way and briefly, and no ordinary move', () => {
  const felt = [];
  Object.assign(navigator, { vibrate: (pattern) => felt.push(pattern) });
  for (const cue of ['home', 'put', 'won', 'turn', 'ahead', 'deal']) vibrate(cue);
  assert.deepEqual(felt, [PATTERNS.home, PATTERNS.won, PATTERNS.ahead]);
  const patterns = Object.values(PATTERNS);
  assert.equal(new Set(patterns.map(String)).size, patterns.length);
  for (const pattern of patterns) assert.ok(pattern.reduce((sum, ms) => sum + ms) <= 1_000);
  prefer('haptics', false);
  vibrate('won');
  assert.equal(felt.length, 3);
});
