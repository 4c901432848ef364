// The time of a replay: it plays at any speed, stops, and can be set to any moment. Pure.

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/**
 * @typedef {object} Playback
 * @property {number} ms
 * @property {number} length
 * @property {boolean} playing
 * @property {number} speed
 * @typedef {(change: (playback: Playback) => Playback) => void} Change changes the page's time
 */

/** Return a stopped playback at the end, where the result is shown. @param {number} length @returns {Playback} */
export const playbackAtEnd = (length) => ({ ms: length, length, playing: false, speed: 8 });

/** Set the time. @param {Playback} playback @param {number} ms @returns {Playback} */
export const seek = (playback, ms) => ({
  ...playback,
  ms: Math.min(playback.length, Math.max(0, ms)),
});

/** Set the length. @param {Playback} playback @param {number} length @returns {Playback} */
export const withLength = (playback, length) => ({
  ...playback,
  length,
  ms: Math.min(length, playback.ms),
});

/** Stop, or play; at the end play from the beginning. @param {Playback} playback @returns {Playback} */
export function togglePlaying(playback) {
  const ms = !playback.playing && playback.ms >= playback.length ? 0 : playback.ms;
  return { ...playback, ms, playing: !playback.playing };
}

/** Advance the time, if it plays. @param {Playback} playback @param {number} passedMs of the real clock @returns {Playback} */
export function advance(playback, passedMs) {
  if (!playback.playing) return playback;
  const next = seek(playback, playback.ms + passedMs * playback.speed);
  return { ...next, playing: next.ms < next.length };
}

/** Set the speed. @param {Playback} playback @param {number} speed one of `SPEEDS` @returns {Playback} */
export const withSpeed = (playback, speed) => ({ ...playback, speed });

/** Change to the next higher or lower speed. @param {Playback} playback @param {1 | -1} step @returns {Playback} */
export function changeSpeed(playback, step) {
  const index = SPEEDS.indexOf(playback.speed) + step;
  return withSpeed(playback, SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))] ?? 1);
}
