import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as senses from '../../../web_client/src/browser/sound.js';
import * as storage from '../../../web_client/src/browser/storage.js';

const { makeSound, PATTERNS, TONES, vibrate } = senses;
const { forgetSeat, isMuted, keep, mutedIn, prefer, seatInHistory } = storage;
const { storedSeat, storeMuted, storeSeat } = storage;
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

/** A sound, and its volume. */
class AudioNode {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  frequency = { ...this.gain, exponentialRampToValueAtTime: (to) => (this.tone.to = to) };
  constructor(_context, { frequency }) {
    this.tone = { from: frequency, to: frequency };
  }
  connect = (target) => target;
  start = () => played.push(this.tone);
  stop() {}
}

const window = { AudioContext: Context };
Object.assign(globalThis, { window, ...window, OscillatorNode: AudioNode, GainNode: AudioNode });

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

test('the tone rises when the lead is taken and falls when it is lost, and volume 0 is silent', () => {
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
  prefer('volume', 0);
  assert.deepEqual(heard('ahead'), []);
  prefer('volume', 60);
  prefer('muted', true);
  assert.deepEqual(heard('ahead'), []);
  prefer('muted', false);
});

test('any two cues can be told apart with closed eyes', () => {
  const cues = Object.entries(TONES).map(([name, [, length, , ...pitches]]) => {
    const line = pitches.flatMap((each) => (typeof each === 'number' ? [each, each] : each));
    const contour = String(line.slice(1).map((hertz, i) => Math.sign(hertz - line[i])));
    const register = line.reduce((sum, hertz) => sum + Math.log2(hertz), 0) / line.length;
    return { name, contour, register, duration: Math.log2(length * pitches.length) };
  });
  const areApart = (a, b, by, least) => Math.abs(a[by] - b[by]) >= least;
  for (const [i, a] of cues.entries())
    for (const b of cues.slice(i + 1).filter(({ contour }) => contour === a.contour))
      assert.ok(
        areApart(a, b, 'register', 0.5) || areApart(a, b, 'duration', 1.32),
        `${a.name} sounds like ${b.name}`,
      );
});

test('great and lost moments vibrate briefly, each in its own way, and ordinary moves do not', () => {
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

// Storage.

const stored = new Map();
beforeEach(() => {
  stored.clear();
  globalThis.localStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
  };
});

test('the next person on a muted player’s seat is not muted', () => {
  storeMuted('7K3QZ0A', new Map([[3, 'Eve']]));
  const muted = mutedIn('7K3QZ0A');
  assert.deepEqual([isMuted(muted, 3, 'Eve'), isMuted(muted, 3, 'Finn')], [true, false]);
  assert.deepEqual([isMuted(muted, 4, 'Eve'), mutedIn('another').size], [false, 0]);
});

test('without storage the page remembers values, and the tab’s history has the seat', () => {
  const location = { pathname: '/r/7K3QZ0A' };
  const history = {
    state: { race: true },
    replaceState(state, _title, url) {
      assert.equal(url, '/r/7K3QZ0A'); // people share addresses
      history.state = state;
    },
  };
  Object.assign(globalThis, { location, history });
  const { localStorage: works } = globalThis;
  const own = { seat: 2, token: 'a_B-3' };
  const kept = { seats: { '7K3QZ0A': own } };
  for (const store of [null, { getItem: () => null, setItem: () => assert.fail('full') }]) {
    globalThis.localStorage = store;
    keep('name', 'Ada');
    storeSeat('7K3QZ0A', own);
    assert.deepEqual([storage.kept('name'), storedSeat('7K3QZ0A')], ['Ada', own]);
    assert.equal(storedSeat('X'), null);
    assert.deepEqual([history.state, seatInHistory('7K3QZ0A')], [{ race: true, ...kept }, kept]);
    forgetSeat('7K3QZ0A');
    assert.deepEqual([history.state, storedSeat('7K3QZ0A')], [{ race: true }, null]);
  }
  history.state = kept; // a reload
  globalThis.localStorage = works;
  keep('name', 'Ada');
  assert.deepEqual([storedSeat('7K3QZ0A'), storedSeat('ABCDEFG')], [own, null]);
  storeSeat('7K3QZ0A', own); // now it can be stored
  assert.deepEqual([history.state, storedSeat('7K3QZ0A')], [{}, own]);
});
