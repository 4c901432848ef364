// The standings as the server sends them: whole, or as changes of those received before. Pure.

/** @import {Standing, StandingChange, StandingsChanges} from '../contract/messages.d.ts' */

/** The number of standings that have to be requested, because changes are missing. */
export const MISSING = -1;

/**
 * Return whether changes are the 'next' ones after the known standings, are 'old', or show a 'gap'.
 * @param {number} known the number of the known standings; 0 if none were received
 * @param {StandingsChanges} changes
 */
export function follows(known, { number }) {
  if (known > 0 && number === known + 1) return 'next';
  return known === MISSING || number <= known ? 'old' : 'gap';
}

/**
 * Return the standings after changes. Rows without changes stay the same objects.
 * @param {readonly Standing[]} standings
 * @param {StandingsChanges} changes
 * @returns {readonly Standing[]}
 */
export function withChanges(standings, { changed, order }) {
  const changes = new Map(changed.map((change) => [change.seat, change]));
  const oldRows = new Map(standings.map((standing) => [standing.seat, standing]));
  const seats = order?.flat() ?? standings.map(({ seat }) => seat);
  const rows = seats.flatMap((seat) => changedRow(oldRows.get(seat), changes.get(seat)));
  return order ? withPlaces(rows, order) : rows;
}

/**
 * Return the standing after a change, as a list; it is empty if neither exists.
 * @param {Standing | undefined} known
 * @param {StandingChange | undefined} change
 * @returns {Standing[]}
 */
function changedRow(known, change) {
  if (known) return [change ? { ...known, ...change } : known];
  // A new row has all fields.
  return change ? [/** @type {Standing} */ (change)] : [];
}

/** Return whether a player began in time, and no computer player has stood in. @param {Standing} standing */
const isRanked = ({ late_ms, stand_in }) => late_ms === null && !stand_in;

/**
 * Return rows with their places; unranked ones have none.
 * @param {Standing[]} rows
 * @param {readonly (readonly number[])[]} order the seats, best first, together if they share a place
 */
function withPlaces(rows, order) {
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const together of order) {
    const place = places.size + 1;
    for (const seat of together) places.set(seat, place);
  }
  return rows.map((standing) => {
    const place = isRanked(standing) ? (places.get(standing.seat) ?? null) : null;
    return place === standing.place ? standing : { ...standing, place };
  });
}
