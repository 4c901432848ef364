// Statistics from this browser's history, in pure functions: figures for each game, the rivals, and the export as CSV
// and JSON. Then a returning player's record on the front page: the latest places, two facts, the last six days of
// today's race, and the names from the last table.

import { keptEntries, streakOf } from '../browser/history.js';
import { kept } from '../browser/storage.js';
import { daysSince } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';

/**
 * @import {Entry} from '../state/entries.js'
 * @typedef {Entry & {place: number}} Placed
 * @typedef {ReturnType<typeof figuresOf>[number]} GameFigures
 */

const PLACES_IN_FORM = 20;
const DAY_MS = 86_400_000;
const DAYS_SHOWN = 6;
const PLACES_ON_FRONT_PAGE = 10;
/** This place and all below it have the lowest bar. */
const LOWEST_BAR_PLACE = 10;

/** Group items by key, in the order of first appearance. @template T @param {readonly T[]} items @param {(item: T) => string} keyOf */
function groupsOf(items, keyOf) {
  const groups = /** @type {Map<string, T[]>} */ (new Map());
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** Return the entry in an array, for `flatMap`, if this player has a place in a race against others, or else []. @param {Entry} entry @returns {Placed[]} */
const placedIn = (entry) =>
  entry.place !== null && entry.of > 1 ? [{ ...entry, place: entry.place }] : [];

/**
 * Return the figures of each game, the most played one first. `wins` counts won games, `ranked` the races against
 * others, and `firsts` the first places in them. The times of wins are null without a win.
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
      /** The latest places, newest last. */
      form: ranked.slice(0, PLACES_IN_FORM).toReversed(),
    };
  });
  return all.sort((one, other) => other.races - one.races);
}

/**
 * Return the players this one has raced, the most frequent first. `ahead` counts races with a better or a shared place
 * for this player, and `races` includes races without a place.
 * @param {readonly Entry[]} entries
 */
export function rivalsOf(entries) {
  const meetings = entries.flatMap(({ place, rivals }) =>
    // Rivals come in the order of their places, so this player's place divides those ahead from those behind.
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

/** Return an entry for export: with its end, a full link, and names without isolating marks. @param {Entry} entry @param {string} origin of the links */
const exported = ({ rivals, link, ...entry }, origin) => ({
  ...entry,
  end: new Date(entry.at).toISOString(),
  link: origin + link,
  rivals: rivals.map((name) => name.replace(/[\u2068\u2069]/g, '')),
});

/** Spreadsheets read this as a formula, even after spaces or in full-width characters. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Return a value as a CSV cell. Other people choose names, so none may start a formula. @param {unknown} value */
function cellOf(value) {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

const COLUMNS = 'id,end,kind,game,place,of,won,ms,score,moves,link,rivals,day,gaveUp'.split(',');

/** Return the separator that spreadsheets expect: a comma, unless it is the decimal sign. @param {string} locale */
export const separatorOf = (locale) => ((1.5).toLocaleString(locale).includes(',') ? ';' : ',');

/**
 * Return entries as CSV (RFC 4180) for spreadsheets: with a byte order mark for UTF-8, and dates in a format that
 * all of them can read. Numbers are integers, so they need no decimal sign.
 * @param {readonly Entry[]} entries @param {string} origin of the links @param {string} separator
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

// The record on the front page.

/** Make a fact: a number with a label. @param {string} number @param {string | undefined} text */
export function makeFact(number, text) {
  const label = h('small', { class: 'text-note', text });
  return h('span', { class: 'yours-fact' }, h('b', { text: number }), label);
}

/** Make a bar for each place, newest last. Better places have higher bars. @param {string} label for screen readers @param {readonly {place: number}[]} form */
export function makeBars(label, form) {
  const worst = Math.min(LOWEST_BAR_PLACE, Math.max(...form.map(({ place }) => place)));
  const bars = form.map(({ place }) => {
    const height = 1 - (Math.min(place, worst) - 1) / worst;
    const looks = { 'data-first': place === 1, 'data-wide': place > 9, '--part': height };
    return h('i', { ...looks, text: place });
  });
  return h('div', { class: 'day-bars yours-form', 'aria-label': label, role: 'img' }, ...bars);
}

/** Draw the last days: a dot for each, full if today's race was played, and the streak. @param {HTMLElement} place */
function drawDays(place) {
  const entries = keptEntries();
  const now = Date.now();
  const played = new Set(entries.map(({ day }) => day));
  const { lang } = document.documentElement;
  const letter = new Intl.DateTimeFormat(lang, { weekday: 'narrow', timeZone: 'UTC' });
  const days = Array.from({ length: DAYS_SHOWN }, (_, i) => now - (DAYS_SHOWN - 1 - i) * DAY_MS);
  const dayOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10);
  const dots = days.map((ms) => {
    const looks = { 'data-on': played.has(dayOf(ms)), 'data-today': ms === now };
    return h('i', { ...looks, text: letter.format(ms) });
  });
  const label = strings.daysPlayed(dots.filter((dot) => dot.dataset.on === '').length, DAYS_SHOWN);
  const inRow = streakOf(entries, dayOf(now));
  place.replaceChildren(
    h('span', { class: 'line record-days', role: 'img', 'aria-label': label }, ...dots),
    h('b', { text: inRow > 1 ? strings.dayStreak(inRow) : '' }),
  );
}

/**
 * Draw the record of this player.
 * @param {HTMLElement} pane for the latest races @param {HTMLElement} days for the latest days
 * @param {HTMLElement | null} about the line below the button back to the last room
 */
export function drawRecord(pane, days, about) {
  const words = strings.RECORD;
  const entries = keptEntries();
  const form = entries.flatMap(placedIn).slice(0, PLACES_ON_FRONT_PAGE).toReversed();
  const label = `${words.places} ${form.map(({ place }) => place).join(', ')}`;
  const firsts = form.filter(({ place }) => place === 1).length;
  const [most] = figuresOf(entries);
  const facts = [
    form.length > 0
      ? makeFact(strings.ofAll(firsts, form.length), words.won)
      : makeFact(String(entries.length), words.played),
    most?.bestMs != null && makeFact(strings.clock(most.bestMs), strings.bestTime(most.game)),
  ];
  const none = h('p', { class: 'text-small', text: words.none });
  const row = h('div', { class: 'row' }, ...facts);
  pane.append(form.length > 0 ? makeBars(label, form) : none, row);
  drawDays(days);
  // The latest race in the button's room.
  const last = entries.find(({ id }) => id.startsWith(`${kept('room')}/`));
  if (about && last) set(about, { text: strings.lastRaced(last.rivals, daysSince(last.at)) });
}
