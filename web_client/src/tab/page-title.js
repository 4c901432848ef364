// The title of the page and the sign on its icon, for a tab in the background. Pure.

const NAME = 'Spider Race';
const MAX_SHOWN = 99;
/** The icon has room for one digit. */
const MAX_DIGIT = 9;
/** The time for which the start is shown. */
const GO_MS = 2_000;

/**
 * @typedef {object} TabState
 * @property {number} startsIn ms until the race starts; negative once it has, Infinity without a race
 * @property {number} unread the number of messages that came while the tab was hidden
 * @property {string} go the title at the start
 */

/** Return the seconds that a countdown shows, or null if none runs. @param {number} startsIn */
export const secondsLeft = (startsIn) =>
  startsIn > 0 && Number.isFinite(startsIn) ? Math.ceil(startsIn / 1_000) : null;

/** Return whether a race has just started. @param {number} startsIn */
const justStarted = (startsIn) => startsIn <= 0 && startsIn > -GO_MS;

/** Return the title. @param {TabState} tab */
export function pageTitle({ startsIn, unread, go }) {
  const seconds = secondsLeft(startsIn);
  if (seconds !== null) return `${seconds}… · ${NAME}`;
  if (justStarted(startsIn)) return `${go} · ${NAME}`;
  return unread > 0 ? `(${Math.min(unread, MAX_SHOWN)}) ${NAME}` : NAME;
}

/** Return the sign on the icon: seconds, an arrow at the start, a dot for messages, or ''. @param {TabState} tab */
export function iconSign({ startsIn, unread }) {
  const seconds = secondsLeft(startsIn);
  if (seconds !== null) return String(Math.min(seconds, MAX_DIGIT));
  if (justStarted(startsIn)) return '▶';
  return unread > 0 ? '•' : '';
}
