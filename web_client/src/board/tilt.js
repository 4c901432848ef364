// The tilt of carried cards, which follows their speed to the side. It is written together with the place
// of the cards, so it costs no frame of its own. Cards that stand still straighten by a transition.

import { isCalm } from '../page/appearance.js';

/** The largest tilt, in degrees. */
const MOST = 3;
/** The tilt at a speed of one pixel in a millisecond, in degrees. */
const DEGREES = 2.5;
/** The part of the way to the wanted tilt that each move goes. */
const PART = 0.25;
/** The time without a move after which cards count as standing still. */
const STILL_MS = 80;
const STRAIGHTEN = 'transform 0.16s ease-out';

/**
 * Return the next tilt.
 * @param {number} tilt in degrees
 * @param {number} dx pixels to the side
 * @param {number} ms the time in which they were made
 */
export function nextTilt(tilt, dx, ms) {
  const wanted = Math.max(-MOST, Math.min(MOST, (DEGREES * dx) / Math.max(1, ms)));
  return tilt + (wanted - tilt) * PART;
}

/** Return the transform of cards. @param {number} x @param {number} y @param {number} tilt */
const transform = (x, y, tilt) =>
  `translate3d(${x}px,${y}px,0)${Math.abs(tilt) < 0.1 ? '' : ` rotate(${tilt.toFixed(1)}deg)`}`;

/** Make the tilt of an element, which also moves it. @param {HTMLElement} element */
export function makeTilt({ style }) {
  let tilt = 0;
  /** The last move, or null before the first one. @type {{x: number, y: number, time: number} | null} */
  let last = null;
  let timer = 0;
  let isStraight = true;
  let calm = false;

  /** Straighten the cards if they stand still, and otherwise look again later. */
  function look() {
    timer = 0;
    if (!last) return;
    const rest = last.time + STILL_MS - performance.now();
    if (rest > 0) timer = setTimeout(look, rest);
    else {
      tilt = 0;
      isStraight = true;
      style.transition = STRAIGHTEN;
      style.transform = transform(last.x, last.y, 0);
    }
  }

  return {
    /** Move the element. @param {number} x @param {number} y @param {number} time in ms */
    move(x, y, time) {
      if (!last) calm = isCalm();
      else if (!calm) tilt = nextTilt(tilt, x - last.x, time - last.time);
      last = { x, y, time };
      if (isStraight) style.transition = '';
      isStraight = false;
      style.transform = transform(x, y, tilt);
      if (!calm) timer ||= setTimeout(look, STILL_MS);
    },
    /** Put the element back, and return its last tilt in degrees. */
    end() {
      const degrees = tilt;
      clearTimeout(timer);
      [tilt, last, timer, isStraight] = [0, null, 0, true];
      style.transition = '';
      style.transform = '';
      return degrees;
    },
  };
}
