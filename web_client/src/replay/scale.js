// The scales that map scores and times to places in a drawing, and the ticks of its axes. Pure.

const MINUTE = 60_000;
const TIME_STEPS = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000].concat(
  [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((minutes) => minutes * MINUTE),
);

/**
 * Return round numbers at equal distances; the first and the last enclose `low` and `high`.
 * @param {number} low
 * @param {number} high
 * @param {number} mostSteps
 */
export function niceTicks(low, high, mostSteps) {
  const leastStep = Math.max(1, (high - low) / mostSteps);
  const power = 10 ** Math.floor(Math.log10(leastStep));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= leastStep) ?? leastStep;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Return round times of a race. @param {number} length of the race in milliseconds @param {number} mostSteps @returns {number[]} */
export function timeTicks(length, mostSteps) {
  const step = TIME_STEPS.find((each) => length / each <= mostSteps) ?? length;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step);
}

/**
 * Return a linear scale.
 * @param {number} from
 * @param {number} to
 * @param {number} start where `from` lies
 * @param {number} end where `to` lies
 */
export const linear =
  (from, to, start, end) =>
  /** @param {number} value */
  (value) =>
    start + ((value - from) / (to - from || 1)) * (end - start);

/** Return a coordinate with one decimal, since more only make a path longer. @param {number} x */
const rounded = (x) => Math.round(x * 10) / 10;

/**
 * Return the path of a line that is level from each point to the next, and from the last to `until`.
 * @param {readonly number[]} xs
 * @param {readonly number[]} ys
 * @param {number} until
 */
export function stepPath(xs, ys, until) {
  const parts = xs.map((x, i) => {
    const y = rounded(ys[i] ?? 0);
    return i === 0 ? `M${rounded(x)},${y}` : `H${rounded(x)}V${y}`;
  });
  return `${parts.join('')}H${rounded(until)}`;
}
