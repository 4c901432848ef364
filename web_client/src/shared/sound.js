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
/** The amplitude at full volume. */
const LOUDEST = 0.45;
/** The least time between two sounds for a change of the lead, which may change to and fro. */
const LEAD_PAUSE_S = 1;
const ATTACK_S = 0.008;
/** The part of the amplitude at the end of a tone, which cannot fade to zero. */
const FADED = 0.002;
/** Each tone begins when this part of the one before is over. */
const OVERLAP = 0.8;

/** Make the player of sounds. @param {() => number} volume in percent; 0 is silence */
export function makeSound(volume) {
  /** @type {AudioContext | null} */
  let context = null;
  let leadAt = -LEAD_PAUSE_S;
  return {
    /**
     * Allow sound; browsers permit that only in the event of a press or a key. An iPhone interrupts
     * it for a call or another app.
     */
    wake() {
      if (!context && 'AudioContext' in window) context = new AudioContext();
      if (context && context.state !== 'running') context.resume().catch(() => {});
    },
    /** Play the tones of a cue. @param {Cue} cue */
    play(cue) {
      // Loudness is heard by ratios, so half the volume is a quarter of the amplitude.
      const master = LOUDEST * (volume() / 100) ** 2;
      if (master === 0 || context?.state !== 'running') return;
      if (cue === 'lead') {
        if (context.currentTime < leadAt + LEAD_PAUSE_S) return;
        leadAt = context.currentTime;
      }
      const { pitch, length, loud, shape } = TONES[cue];
      let start = context.currentTime;
      for (const hertz of pitch) {
        const source = new OscillatorNode(context, { type: shape, frequency: hertz });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, start);
        gain.gain.linearRampToValueAtTime(loud * master, start + ATTACK_S);
        gain.gain.exponentialRampToValueAtTime(master * FADED, start + length);
        source.connect(gain).connect(context.destination);
        source.start(start);
        source.stop(start + length);
        start += length * OVERLAP;
      }
    },
  };
}
