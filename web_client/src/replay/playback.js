// A time that is played at any speed, stopped, and set to any moment. Pure.

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/**
 * @typedef {object} Playback
 * @property {number} ms
 * @property {number} length
 * @property {boolean} playing
 * @property {number} speed
 */

/** Return a playback that stands at the end, which shows the result. @param {number} length @returns {Playback} */
export const atEnd = (length) => ({ ms: length, length, playing: false, speed: 8 });

/** Set the time. @param {Playback} playback @param {number} ms @returns {Playback} */
export const seek = (playback, ms) => ({
  ...playback,
  ms: Math.min(playback.length, Math.max(0, ms)),
});

/** Play, from the beginning if the end is reached; or stop. @param {Playback} playback @returns {Playback} */
export function toggle(playback) {
  const ms = !playback.playing && playback.ms >= playback.length ? 0 : playback.ms;
  return { ...playback, ms, playing: !playback.playing };
}

/** Let time pass. @param {Playback} playback @param {number} passed milliseconds of the real clock @returns {Playback} */
export function pass(playback, passed) {
  if (!playback.playing) return playback;
  const next = seek(playback, playback.ms + passed * playback.speed);
  return { ...next, playing: next.ms < next.length };
}

/** Set the speed. @param {Playback} playback @param {number} speed one of `SPEEDS` @returns {Playback} */
export const atSpeed = (playback, speed) => ({ ...playback, speed });

/** Go one speed up or down. @param {Playback} playback @param {1 | -1} way @returns {Playback} */
export function faster(playback, way) {
  const at = SPEEDS.indexOf(playback.speed) + way;
  return atSpeed(playback, SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))] ?? 1);
}
