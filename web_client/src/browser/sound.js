// The sounds of the page, made from tones, which come with the first press: before it no browser
// allows any sound.

/**
 * @import {Cue} from '../state/sound-cues.js'
 * @import {Tones} from './tones.js'
 * @typedef {ReturnType<typeof makeSound>} Sound
 */

/** The amplitude at full volume. */
const LOUDEST = 0.45;
const ATTACK_S = 0.008;
/** The part of the amplitude at the end of a tone, which cannot fade to zero. */
const FADED = 0.002;
/** Each tone begins when this part of the one before is over. */
const OVERLAP = 0.8;

/** Make the player of sounds. @param {() => number} volume in percent; 0 is silence */
export function makeSound(volume) {
  /** @type {AudioContext | null} */
  let context = null;
  /** @type {Promise<Readonly<Record<Cue, Tones>> | null> | null} */
  let loading = null;
  /** @type {Readonly<Record<Cue, Tones>> | null} */
  let tones = null;

  /** Load the tones; after a failure the next press tries again. */
  function fetchTones() {
    loading ??= import('./tones.js').then(
      ({ TONES }) => (tones = TONES),
      () => (loading = null),
    );
  }

  return {
    /**
     * Allow sound; browsers permit that only in the event of a press or a key. An iPhone interrupts
     * it for a call or another app.
     */
    wake() {
      if (!context && 'AudioContext' in window) context = new AudioContext();
      if (context && context.state !== 'running') context.resume().catch(() => {});
      if (context) fetchTones();
    },
    /** Play the tones of a cue. @param {Cue} cue */
    play(cue) {
      // Loudness is heard by ratios, so half the volume is a quarter of the amplitude.
      const master = LOUDEST * (volume() / 100) ** 2;
      if (master === 0 || !tones || context?.state !== 'running') return;
      const { pitch, length, loud, shape } = tones[cue];
      let start = context.currentTime;
      for (const each of pitch) {
        const [from, to] = typeof each === 'number' ? [each, each] : each;
        const source = new OscillatorNode(context, { type: shape, frequency: from });
        if (from !== to) {
          source.frequency.setValueAtTime(from, start);
          source.frequency.exponentialRampToValueAtTime(to, start + length);
        }
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
