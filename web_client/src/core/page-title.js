// The title of the page and what its icon shows, for a tab that nobody looks at. Pure.

const NAME = 'Spider Race';
const MAX_SHOWN = 99;
const GO_MS = 2_000;

/**
 * @typedef {object} Seen
 * @property {number} startsIn ms until the race starts; negative once it has, Infinity without a race
 * @property {number} unread messages that came while nobody looked
 * @property {string} go what is called out at the start
 */

/** Return the seconds that a countdown shows, or null if none runs. @param {number} startsIn */
const secondsLeft = (startsIn) =>
  startsIn > 0 && Number.isFinite(startsIn) ? Math.ceil(startsIn / 1_000) : null;

/** Return whether a race has just started. @param {number} startsIn */
const justStarted = (startsIn) => startsIn <= 0 && startsIn > -GO_MS;

/** Return the title. @param {Seen} seen */
export function pageTitle({ startsIn, unread, go }) {
  const left = secondsLeft(startsIn);
  if (left !== null) return `${left}… · ${NAME}`;
  if (justStarted(startsIn)) return `${go} · ${NAME}`;
  return unread > 0 ? `(${Math.min(unread, MAX_SHOWN)}) ${NAME}` : NAME;
}

/** Return the sign on the icon: seconds, an arrow at the start, a dot for messages, or ''. @param {Seen} seen */
export function iconSign({ startsIn, unread }) {
  const left = secondsLeft(startsIn);
  if (left !== null) return String(Math.min(left, 9));
  if (justStarted(startsIn)) return '▶';
  return unread > 0 ? '•' : '';
}
