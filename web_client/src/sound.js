// A few tones made on the spot; nothing is loaded.

/** @typedef {'tick' | 'go' | 'put' | 'deal' | 'no' | 'home' | 'won'} Tone */

/** @type {Record<Tone, {pitch: number[], length: number, loud: number, shape: OscillatorType}>} */
const TONES = {
  tick: { pitch: [520], length: 0.12, loud: 0.5, shape: 'sine' },
  go: { pitch: [1040], length: 0.4, loud: 0.5, shape: 'sine' },
  put: { pitch: [230], length: 0.05, loud: 0.35, shape: 'triangle' },
  deal: { pitch: [190, 210, 230, 250], length: 0.045, loud: 0.3, shape: 'triangle' },
  no: { pitch: [130, 110], length: 0.12, loud: 0.5, shape: 'sine' },
  home: { pitch: [523, 659, 784], length: 0.13, loud: 0.45, shape: 'sine' },
  won: { pitch: [523, 659, 784, 1047, 784, 1047], length: 0.15, loud: 0.5, shape: 'sine' },
};
const VOLUME = 0.25;

/** @param {() => boolean} muted */
export function makeSound(muted) {
  /** @type {AudioContext | null} */
  let context = null;
  return {
    /** Browsers allow sound only after the player has touched the page. */
    wake() {
      if (!context && 'AudioContext' in window) context = new AudioContext();
      if (context?.state === 'suspended') context.resume().catch(() => {});
    },
    /** @param {Tone} tone */
    play(tone) {
      if (muted() || context?.state !== 'running') return;
      const { pitch, length, loud, shape } = TONES[tone];
      let start = context.currentTime;
      for (const hertz of pitch) {
        const source = new OscillatorNode(context, { type: shape, frequency: hertz });
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(0, start);
        gain.gain.linearRampToValueAtTime(loud * VOLUME, start + 0.008);
        gain.gain.exponentialRampToValueAtTime(0.0005, start + length);
        source.connect(gain).connect(context.destination);
        source.start(start);
        source.stop(start + length);
        start += length * 0.8;
      }
    },
  };
}
