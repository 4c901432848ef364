// The sounds of the page, made from tones; no file is loaded.

/**
 * @import {Cue} from '../core/sound-cues.js'
 * @typedef {ReturnType<typeof makeSound>} Sound
 */

/**
 * Pitches in hertz, the length of each in seconds, and a loudness of 0 to 1.
 *
 * @type {Record<Cue, {pitch: number[], length: number, loud: number, shape: OscillatorType}>}
 */
const TONES = {
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
  lead: { pitch: [440, 587], length: 0.09, loud: 0.25, shape: 'triangle' },
  won: { pitch: [523, 659, 784, 1047, 784, 1047], length: 0.15, loud: 0.5, shape: 'sine' },
};
const LOUDEST = 0.45;
/** A change of lead sounds once in so many seconds, at most. */
const OFTEN_S = 1;

/** Make the player of sounds. @param {() => number} volume in percent; 0 is silence */
export function makeSound(volume) {
  /** @type {AudioContext | null} */
  let context = null;
  let heardAt = -OFTEN_S;
  return {
    /** Allow sound: browsers do so only while the player touches the page. */
    wake() {
      if (!context && 'AudioContext' in window) context = new AudioContext();
      if (context?.state === 'suspended') context.resume().catch(() => {});
    },
    /** @param {Cue} cue */
    play(cue) {
      // Hearing goes by ratios: half way along the slider is a quarter of the amplitude.
      const master = LOUDEST * (volume() / 100) ** 2;
      if (master === 0 || context?.state !== 'running') return;
      // Leads change to and fro.
      if (cue === 'lead' && context.currentTime < heardAt + OFTEN_S) return;
      if (cue === 'lead') heardAt = context.currentTime;
      const { pitch, length, loud, shape } = TONES[cue];
      let start = context.currentTime;
      for (const hertz of pitch) {
        const source = new OscillatorNode(context, { type: shape, frequency: hertz });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, start);
        gain.gain.linearRampToValueAtTime(loud * master, start + 0.008);
        gain.gain.exponentialRampToValueAtTime(master * 0.002, start + length);
        source.connect(gain).connect(context.destination);
        source.start(start);
        source.stop(start + length);
        start += length * 0.8;
      }
    },
  };
}
