// The sounds of the page, and the vibrations of a phone.
//
// Players can recognize each cue without looking at the page. Any two differ in the number of tones, in their
// direction, in register, or clearly in length. Ordinary moves do not vibrate.

import { preference } from './storage.js';

/**
 * @import {Cue} from '../state/race-events.js'
 * @typedef {ReturnType<typeof makeSound>} Sound
 * @typedef {number | readonly [number, number]} Pitch in hertz; two make a glide
 * @typedef {readonly [shape: OscillatorType, length: number, loud: number, ...Pitch[]]} Tones
 */

/** The tones of each cue: shape, length of each in seconds, loudness (0 to 1) and pitches. @type {Readonly<Record<Cue, Tones>>} */
export const TONES = {
  tick: ['sine', 0.12, 0.5, 520],
  go: ['sine', 0.4, 0.5, 1_040],
  put: ['triangle', 0.05, 0.35, 230],
  turn: ['triangle', 0.06, 0.35, 230, 390],
  deal: ['triangle', 0.045, 0.3, 190, 210, 230, 250],
  no: ['sine', 0.12, 0.5, 130, 110],
  buzz: ['sawtooth', 0.35, 0.4, 65],
  home: ['sine', 0.13, 0.45, 523, 659, 784],
  other: ['sine', 0.15, 0.4, 523, 523, 523, 698],
  suit: ['sine', 0.1, 0.22, 587, 784],
  ahead: ['triangle', 0.34, 0.35, [330, 880]],
  behind: ['triangle', 0.42, 0.35, [587, 196]],
  lead: ['triangle', 0.12, 0.2, [440, 523], [523, 440]],
  last: ['square', 0.03, 0.2, 1_568, 1_175],
  react: ['sine', 0.07, 0.25, [660, 1_320]],
  photo: ['sawtooth', 0.09, 0.25, [3_000, 400], [400, 3_000]],
  over: ['triangle', 0.4, 0.5, 196, 262, 330],
  won: ['sine', 0.15, 0.5, 523, 659, 784, 1_047, 784, 1_047],
};

/** Milliseconds of vibration and of rest, in turn. @type {Readonly<Partial<Record<Cue, number[]>>>} */
export const PATTERNS = {
  no: [30],
  buzz: [60],
  home: [25, 50, 25, 50, 50],
  ahead: [20, 40, 80],
  behind: [120],
  lead: [15, 60, 15],
  go: [70],
  last: [15],
  suit: [45],
  other: [80, 50, 40],
  over: [100, 100, 100],
  react: [10],
  photo: [20, 30, 20],
  won: [40, 60, 40, 60, 40, 60, 160],
};

const LOUDEST = 0.45; // the amplitude at full volume
const ATTACK_S = 0.008;
/** The share of the amplitude that is left at the end of a tone: an exponential ramp cannot reach zero. */
const FADED = 0.002;
const OVERLAP = 0.8; // the next tone starts once this share of a tone is over

export function makeSound() {
  /** @type {AudioContext | null} */
  let context = null;

  return {
    /** Switch sound on, or on again after a phone call. Browsers allow that only while they handle a click or a key. */
    wake() {
      if (!context && 'AudioContext' in window) context = new AudioContext();
      if (context && context.state !== 'running') context.resume().catch(() => {});
    },
    /** Play a cue, as loud as the player prefers, and vibrate. @param {Cue} cue */
    play(cue) {
      vibrate(cue);
      // Loudness as people hear it is not proportional to the amplitude, so half the volume is a quarter of it.
      const master = LOUDEST * (preference('volume') / 100) ** 2;
      if (!preference('muted') && master > 0 && context?.state === 'running')
        playTones(context, TONES[cue], master);
    },
  };
}

/** Play tones one after another. @param {AudioContext} context @param {Tones} tones @param {number} master the amplitude for loudness 1 */
function playTones(context, [shape, length, loud, ...pitches], master) {
  let start = context.currentTime;
  for (const pitch of pitches) {
    const [from, to] = typeof pitch === 'number' ? [pitch, pitch] : pitch;
    const source = new OscillatorNode(context, { type: shape, frequency: from });
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + length);
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loud * master, start + ATTACK_S);
    gain.gain.exponentialRampToValueAtTime(master * FADED, start + length);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + length);
    start += length * OVERLAP;
  }
}

/** Return whether the browser supports vibration; the device may still lack it. */
export const canVibrate = () => 'vibrate' in navigator;

/** Vibrate for a cue, if it has a pattern and the player wants it. @param {Cue} cue */
export function vibrate(cue) {
  const pattern = PATTERNS[cue];
  // Browsers refuse it with a warning before the player has touched the page. Some can't say whether that has happened.
  if (!pattern || !preference('haptics') || !canVibrate()) return;
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate(pattern);
}
