// Statistics from this browser's history, in pure functions: figures for each game, the rivals, and the export as CSV
// and JSON. Then a returning player's record on the front page: the latest places, two facts, a dot for each of
// the last six days (full if the player took part in today's race), and the names from the last table.

import { keptEntries, streakOf } from '../browser/history.js';
import { kept } from '../browser/storage.js';
import { DAY_MS, daysSince } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';

/**
 * @import {Entry} from '../state/entries.js'
 * @typedef {ReturnType<typeof figuresOf>[number]} GameFigures
 */

const PLACES_IN_FORM = 20;
const DAYS_SHOWN = 6;
const PLACES_ON_FRONT_PAGE = 10;
/** This place and all worse ones have the lowest bar. */
const LOWEST_BAR_PLACE = 10;

/** Group items, largest group first. @template T @param {readonly T[]} items @param {(item: T) => string} keyOf */
function groupsOf(items, keyOf) {
  const groups = /** @type {Map<string, T[]>} */ (new Map());
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** Return whether an entry is ranked among others. @param {Entry} entry @returns {entry is Entry & {place: number}} */
const isRanked = (entry) => entry.place !== null && entry.of > 1;

/**
 * Return the figures of each game, the most played one first. `wins` counts won games, `ranked` the races against
 * others where this player has a place, and `firsts` the first places. The times are null if no game was won.
 * @param {readonly Entry[]} entries newest first
 */
export function figuresOf(entries) {
  return groupsOf(entries, ({ game }) => game).map(([game, own]) => {
    const wins = own.filter(({ won }) => won);
    const times = wins.flatMap(({ ms }) => (ms === null ? [] : [ms]));
    const ranked = own.filter(isRanked);
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
}

/**
 * Return this player's rivals, the most frequent one first. `ahead` counts the races where this
 * player had a better place or shared it, and `races` includes those without a place.
 * @param {readonly Entry[]} entries
 */
export function rivalsOf(entries) {
  const meetings = entries.flatMap(({ place, rivals }) =>
    // Rivals are sorted by place, so this player's place divides those ahead from those behind.
    rivals.map((name, i) => ({ name, wasAhead: place === null ? null : i >= place - 1 })),
  );
  return groupsOf(meetings, ({ name }) => name).map(([name, own]) => ({
    name,
    races: own.length,
    ahead: own.filter(({ wasAhead }) => wasAhead === true).length,
    behind: own.filter(({ wasAhead }) => wasAhead === false).length,
  }));
}

/** Return the exported form of an entry. @param {Entry} entry @param {string} origin of the links */
const exported = ({ rivals, link, ...entry }, origin) => ({
  ...entry,
  end: new Date(entry.at).toISOString(),
  link: origin + link,
  // Without the marks that isolate the writing direction of a name.
  rivals: rivals.map((name) => name.replace(/[\u2068\u2069]/g, '')),
});

/** Spreadsheets take such a text for a formula, even after spaces or in full-width characters. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Return a value as a CSV cell. Names come from other people, so none may act as a formula. @param {unknown} value */
function cellOf(value) {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

const COLUMNS = 'id,end,kind,game,place,of,won,ms,score,moves,link,rivals,day,gaveUp'.split(',');

/** Return the separator that spreadsheets expect: a comma, unless it is the decimal sign. @param {string} locale */
export const separatorOf = (locale) => ((1.5).toLocaleString(locale).includes(',') ? ';' : ',');

/**
 * Return entries as CSV (RFC 4180) for spreadsheets, with a byte order mark for UTF-8, and with dates in a format that
 * all spreadsheets read. Numbers are integers, so they need no decimal sign.
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

/** Make a fact: a number with a label. @param {string} number @param {string | undefined} text of the label */
export function makeFact(number, text) {
  const label = h('small', { class: 'text-note', text });
  return h('span', { class: 'yours-fact' }, h('b', { text: number }), label);
}

/** Make a bar for each place, newest last. @param {string} label spoken @param {readonly {place: number}[]} form */
export function makeBars(label, form) {
  const worst = Math.min(LOWEST_BAR_PLACE, Math.max(...form.map(({ place }) => place)));
  const bars = form.map(({ place }) => {
    const height = 1 - (Math.min(place, worst) - 1) / worst;
    const looks = { 'data-first': place === 1, 'data-wide': place > 9, '--part': height };
    return h('i', { ...looks, text: place });
  });
  return h('div', { class: 'day-bars yours-form', 'aria-label': label, role: 'img' }, ...bars);
}

/** Draw the last days and the streak; a dot is full if this player raced that day. @param {HTMLElement} element */
function drawDays(element) {
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
  const streak = streakOf(entries, dayOf(now));
  element.replaceChildren(
    h('span', { class: 'line record-days', role: 'img', 'aria-label': label }, ...dots),
    h('b', { text: streak > 1 ? strings.dayStreak(streak) : '' }),
  );
}

/**
 * Draw this player's record: races in `pane`, days in `days`, and the last room in `about`.
 * @param {HTMLElement} pane @param {HTMLElement} days @param {HTMLElement | null} about
 */
export function drawRecord(pane, days, about) {
  const words = strings.RECORD;
  const entries = keptEntries();
  const form = entries.filter(isRanked).slice(0, PLACES_ON_FRONT_PAGE).toReversed();
  const label = `${words.places} ${form.map(({ place }) => place).join(', ')}`;
  const firsts = form.filter(({ place }) => place === 1).length;
  const [mostPlayed] = figuresOf(entries);
  const facts = [
    form.length > 0
      ? makeFact(strings.ofAll(firsts, form.length), words.won)
      : makeFact(String(entries.length), words.played),
    mostPlayed?.bestMs != null &&
      makeFact(strings.clock(mostPlayed.bestMs), strings.bestTime(mostPlayed.game)),
  ];
  const none = h('p', { class: 'text-small', text: words.none });
  const row = h('div', { class: 'row' }, ...facts);
  pane.append(form.length > 0 ? makeBars(label, form) : none, row);
  drawDays(days);
  // The latest race in the room that the button goes back to.
  const last = entries.find(({ id }) => id.startsWith(`${kept('room')}/`));
  if (about && last) set(about, { text: strings.lastRaced(last.rivals, daysSince(last.at)) });
}
