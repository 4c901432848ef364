// The tones of each cue. Players can tell all cues apart without a look at the page. Any two differ in the
// number of tones, in their direction, in register, or much in length.

/** @import {Cue} from '../state/sound-cues.js' */

/**
 * @typedef {object} Tones
 * @property {readonly (number | readonly [number, number])[]} pitch in hertz; of two, a glide leads from the one to the other
 * @property {number} length of each tone in seconds
 * @property {number} loud 0 to 1
 * @property {OscillatorType} shape
 */

/** @type {Readonly<Record<Cue, Tones>>} */
export const TONES = {
  tick: { pitch: [520], length: 0.12, loud: 0.5, shape: 'sine' },
  go: { pitch: [1040], length: 0.4, loud: 0.5, shape: 'sine' },
  put: { pitch: [230], length: 0.05, loud: 0.35, shape: 'triangle' },
  turn: { pitch: [230, 390], length: 0.06, loud: 0.35, shape: 'triangle' },
  deal: { pitch: [190, 210, 230, 250], length: 0.045, loud: 0.3, shape: 'triangle' },
  no: { pitch: [130, 110], length: 0.12, loud: 0.5, shape: 'sine' },
  buzz: { pitch: [65], length: 0.35, loud: 0.4, shape: 'sawtooth' },
  home: { pitch: [523, 659, 784], length: 0.13, loud: 0.45, shape: 'sine' },
  other: { pitch: [523, 523, 523, 698], length: 0.15, loud: 0.4, shape: 'sine' },
  suit: { pitch: [587, 784], length: 0.1, loud: 0.22, shape: 'sine' },
  ahead: { pitch: [[330, 880]], length: 0.34, loud: 0.35, shape: 'triangle' },
  behind: { pitch: [[587, 196]], length: 0.42, loud: 0.35, shape: 'triangle' },
  lead: {
    pitch: [
      [440, 523],
      [523, 440],
    ],
    length: 0.12,
    loud: 0.2,
    shape: 'triangle',
  },
  last: { pitch: [1568, 1175], length: 0.03, loud: 0.2, shape: 'square' },
  react: { pitch: [[660, 1_320]], length: 0.07, loud: 0.25, shape: 'sine' },
  photo: {
    pitch: [
      [3_000, 400],
      [400, 3_000],
    ],
    length: 0.09,
    loud: 0.25,
    shape: 'sawtooth',
  },
  over: { pitch: [196, 262, 330], length: 0.4, loud: 0.5, shape: 'triangle' },
  won: { pitch: [523, 659, 784, 1047, 784, 1047], length: 0.15, loud: 0.5, shape: 'sine' },
};
