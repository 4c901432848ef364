// What the own history says: figures by game, the players that were met, and its texts for other programs.
// Pure.

/**
 * @import {Entry} from '../state/history.js'
 * @typedef {Entry & {place: number}} Placed
 * @typedef {ReturnType<typeof figuresOf>[number]} GameFigures
 * @typedef {{name: string, races: number, ahead: number, behind: number}} Met `ahead` are the races in which this
 *   player was ahead of them; in some of the `races` this player may have had no place
 */

/** The latest places that make the form. */
const FORM = 20;

/** Return groups of items, in the order of their first ones. @template T @param {readonly T[]} items @param {(item: T) => string} keyOf */
function groupsOf(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** Return the entry if it is of a race against others in which this player has a place. @param {Entry} entry @returns {Placed[]} */
const placedIn = (entry) =>
  entry.place !== null && entry.of > 1 ? [{ ...entry, place: entry.place }] : [];

/**
 * Return the figures of each game, the most played one first. `wins` are finished games; `firsts` are first
 * places, of the `ranked` races against others. Times are those of wins, null without any.
 * @param {readonly Entry[]} entries newest first
 */
export function figuresOf(entries) {
  const all = groupsOf(entries, ({ game }) => game).map(([game, own]) => {
    const wins = own.filter(({ won }) => won);
    const times = wins.flatMap(({ ms }) => (ms === null ? [] : [ms]));
    const ranked = own.flatMap(placedIn);
    return {
      game,
      races: own.length,
      wins: wins.length,
      ranked: ranked.length,
      firsts: ranked.filter(({ place }) => place === 1).length,
      bestMs: times.length > 0 ? Math.min(...times) : null,
      averageMs: times.length > 0 ? times.reduce((sum, ms) => sum + ms, 0) / times.length : null,
      /** The latest places, the newest last. */
      form: ranked.slice(0, FORM).toReversed(),
    };
  });
  return all.sort((one, other) => other.races - one.races);
}

/**
 * Return the players that were met, those met most often first. Who shares this player's place counts as behind.
 * @param {readonly Entry[]} entries
 * @returns {Met[]}
 */
export function rivalsOf(entries) {
  const meetings = entries.flatMap(({ place, rivals }) =>
    // The rivals are in the order of their places: those before this player's own one were ahead.
    rivals.map((name, i) => ({ name, wasAhead: place === null ? null : i >= place - 1 })),
  );
  const all = groupsOf(meetings, ({ name }) => name).map(([name, own]) => ({
    name,
    races: own.length,
    ahead: own.filter(({ wasAhead }) => wasAhead === true).length,
    behind: own.filter(({ wasAhead }) => wasAhead === false).length,
  }));
  return all.sort((one, other) => other.races - one.races);
}

/** Return an entry as other programs read it: with a whole link, and names without the marks that isolate them. @param {Entry} entry @param {string} origin of the links */
const exported = ({ rivals, link, ...entry }, origin) => ({
  ...entry,
  end: new Date(entry.at).toISOString(),
  link: origin + link,
  rivals: rivals.map((name) => name.replace(/[\u2068\u2069]/g, '')),
});

/** What spreadsheets take for the begin of a formula, also behind spaces and in its wide form. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Return a value as a cell of CSV. Names are of other people: none is read as a formula. @param {unknown} value */
function cellOf(value) {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

const COLUMNS = 'id,end,kind,game,place,of,won,ms,score,moves,link,rivals,day,gaveUp'.split(',');

/** Return the separator that spreadsheets of a language expect: a comma, unless numbers have that. @param {string} locale */
export const separatorOf = (locale) => ((1.5).toLocaleString(locale).includes(',') ? ';' : ',');

/**
 * Return entries as CSV (RFC 4180) for spreadsheets: a mark at the start says that it is UTF-8, and dates are
 * written as all of them read it. Numbers are whole, so they have no decimal sign.
 * @param {readonly Entry[]} entries
 * @param {string} origin of the links
 * @param {string} separator
 */
export function csvOf(entries, origin, separator) {
  const rows = entries.map((entry) => {
    const whole = exported(entry, origin);
    const end = whole.end.slice(0, 19).replace('T', ' ');
    const cells = { ...whole, end, rivals: whole.rivals.join('; ') };
    return COLUMNS.map((name) => cellOf(Reflect.get(cells, name)));
  });
  const lines = [COLUMNS, ...rows].map((cells) => cells.join(separator));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

/** Return entries as JSON. @param {readonly Entry[]} entries @param {string} origin of the links */
export const jsonOf = (entries, origin) =>
  JSON.stringify(entries.map((entry) => exported(entry, origin)));
