import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as senses from '../../../web_client/src/browser/sound.js';
import { prefer } from '../../../web_client/src/browser/storage.js';

const { makeSound, PATTERNS, TONES, vibrate } = senses;
/** @type {Context[]} */
const contexts = [];

/** A context that runs once it is resumed, and notes what is played. */
class Context {
  state = 'suspended';
  resumed = 0;
  currentTime = 0;
  played = [];
  constructor() {
    contexts.push(this);
  }
  async resume() {
    this.resumed += 1;
    this.state = 'running';
  }
}

class OscillatorNode {
  frequency = { setValueAtTime() {}, exponentialRampToValueAtTime: (to) => (this.to = to) };
  constructor(context, { frequency }) {
    Object.assign(this, { context, from: frequency, to: frequency });
  }
  connect = (target) => target;
  start = () => this.context.played.push({ from: this.from, to: this.to });
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
  assert.deepEqual([contexts.length, contexts[0]?.resumed], [1, 1]);
  Object.assign(contexts[0] ?? {}, { state: 'interrupted' });
  sound.wake();
  assert.equal(contexts[0]?.resumed, 2);
});

test('the lead rises when it is taken and falls when it is lost, and no volume is silence', () => {
  const sound = makeSound();
  sound.wake();
  const heard = (cue) => {
    sound.play(cue);
    return contexts.at(-1)?.played.splice(0) ?? [];
  };
  const [up] = heard('ahead');
  const [down] = heard('behind');
  assert.ok(up && up.to > 2 * up.from);
  assert.ok(down && down.to < down.from / 2);
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

/** Return what is heard of a cue: how many tones, each higher, lower or as high, in which register. @param {import('../../../web_client/src/browser/sound.js').Tones} tones */
function hearing([, length, , ...pitch]) {
  const ends = pitch.map((each) => (typeof each === 'number' ? [each, each] : each));
  const line = ends.flat();
  const contour = line.slice(1).map((hertz, i) => Math.sign(hertz - (line[i] ?? 0)));
  const octaves = line.map(Math.log2);
  return {
    tones: pitch.length,
    contour: contour.join(),
    register: octaves.reduce((sum, each) => sum + each) / octaves.length,
    seconds: length * pitch.length,
  };
}

test('any two cues can be told apart with closed eyes', () => {
  const cues = Object.entries(TONES).map(([name, tones]) => ({ name, ...hearing(tones) }));
  for (const [i, a] of cues.entries())
    for (const b of cues.slice(i + 1)) {
      const isOther =
        a.tones !== b.tones ||
        a.contour !== b.contour ||
        Math.abs(a.register - b.register) >= 0.5 ||
        Math.max(a.seconds, b.seconds) >= 2.5 * Math.min(a.seconds, b.seconds);
      assert.ok(isOther, `${a.name} sounds like ${b.name}`);
    }
});

test('what is great or lost is felt, each in its own way and briefly, and no ordinary move', () => {
  const felt = [];
  Object.assign(navigator, { vibrate: (pattern) => felt.push(pattern) });
  const great = ['home', 'no', 'won', 'other', 'ahead', 'behind', 'lead', 'suit', 'react', 'over'];
  for (const cue of [...great, 'put', 'turn', 'deal']) vibrate(cue);
  const expected = great.map((cue) => PATTERNS[cue]);
  assert.deepEqual(felt, expected);
  const patterns = Object.values(PATTERNS);
  assert.equal(new Set(patterns.map(String)).size, patterns.length);
  for (const pattern of patterns) assert.ok(pattern.reduce((sum, ms) => sum + ms) <= 1_000);
  prefer('haptics', false);
  vibrate('won');
  assert.equal(felt.length, great.length);
});
