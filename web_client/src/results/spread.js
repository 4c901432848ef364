// The chart of all results of a day: a bar for each span of time, as high as its wins, then a bar for each number
// of suits, as high as the games that stopped there.

import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';

/** @import {DayBoard, DayRow} from '../contract/messages.d.ts' */

const HALF_MINUTE_MS = 30_000;
/** The bars of wins that a phone has room for, and how many of them have their time below them. */
const MOST_BARS = 16;
const LABELS = 4;

/**
 * Return the bars of a board: wins by their time, from the first bar with a game on, then the other games by
 * their suits, the most suits first.
 * @param {DayBoard['spread']} spread
 */
export function barsOf({ finished, suits }) {
  const from = finished.findIndex((n) => n > 0);
  const halves = from < 0 ? 0 : finished.length - from;
  const step = Math.max(1, Math.ceil(halves / MOST_BARS)); // half minutes of a bar
  const wins = Array.from({ length: Math.ceil(halves / step) }, (_, i) => {
    const first = from + i * step;
    const count = finished.slice(first, first + step).reduce((sum, n) => sum + n, 0);
    return { count, ms: first * HALF_MINUTE_MS, end: (first + step) * HALF_MINUTE_MS, suits: null };
  });
  const others = suits.map((count, n) => ({ count, ms: null, end: null, suits: n })).toReversed();
  return [...wins, ...(others.some(({ count }) => count > 0) ? others : [])];
}

/** Make the chart; nothing without results. @param {DayBoard['spread'] | undefined} spread @param {DayRow | undefined} own */
export function makeSpread(spread, own) {
  const bars = spread ? barsOf(spread) : [];
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const wins = bars.filter(({ ms }) => ms !== null).length;
  const every = Math.ceil(wins / LABELS);
  const labelOf = (/** @type {typeof bars[number]} */ { ms, suits }, /** @type {number} */ i) => {
    if (ms !== null) return i % every === 0 ? strings.clock(ms) : '';
    return i === wins ? strings.daySuits(suits ?? 0) : suits === 0 ? '0' : '';
  };
  const elements = bars.map((bar, i) => {
    const { count, ms, end, suits } = bar;
    const isOwn =
      own &&
      (own.won
        ? ms !== null && own.ms !== null && ms <= own.ms && own.ms < end
        : suits === own.suits);
    const mark = isOwn && h('b', {}, h('span', { text: strings.dayYou(own) }));
    const element = h('i', { 'data-own': isOwn, 'data-suits': suits !== null }, mark);
    element.append(h('small', { text: labelOf(bar, i) }));
    set(element, { '--part': count / most, '--at': i / bars.length });
    return element;
  });
  const highest = bars.find(({ count }) => count === most);
  const label = highest && strings.daySpread(highest);
  return (
    bars.length > 0 &&
    h(
      'div',
      {
        class: 'day-bars day-spread mark-tone',
        'data-colour': 'blue',
        role: 'img',
        'aria-label': label,
      },
      ...elements,
    )
  );
}
