// The record of a returning player on the front page: the latest places, two facts, the last six days of
// today's race, and the names from the last table.

import { keptEntries, streakOf } from '../browser/history.js';
import { kept } from '../browser/storage.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { figuresOf } from './figures.js';

const DAY_MS = 86_400_000;
const DAYS = 6;
/** The latest places that are shown. */
const FORM = 10;

/** Return how many midnights of UTC have passed. @param {number} ms */
const daysSince = (ms) => Math.floor(Date.now() / DAY_MS) - Math.floor(ms / DAY_MS);

/** Make a fact: a number with a label. @param {string} number @param {string} text */
const makeFact = (number, text) => h('div', {}, h('b', { text: number }), h('small', { text }));

/** Make the bars of the latest places, the newest last: the better, the higher. @param {readonly {place: number, of: number}[]} form */
function makeBars(form) {
  const places = form.map(({ place }) => place).join(', ');
  const bars = form.map(({ place, of }) =>
    h('i', { 'data-first': place === 1, '--part': 1 - (place - 1) / of, text: place }),
  );
  const label = `${strings.RECORD.places} ${places}`;
  return h('div', { class: 'record-form', role: 'img', 'aria-label': label }, ...bars);
}

/** Draw the days of today's race: a dot for each, and how many in a row. @param {HTMLElement} place */
function drawDays(place) {
  const entries = keptEntries();
  const now = Date.now();
  const played = new Set(entries.map(({ day }) => day));
  const letter = new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: 'narrow',
    timeZone: 'UTC',
  });
  const days = Array.from({ length: DAYS }, (_, i) => now - (DAYS - 1 - i) * DAY_MS);
  const dayOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10);
  const dots = days.map((ms) =>
    h('i', {
      'data-on': played.has(dayOf(ms)),
      'data-today': ms === now,
      text: letter.format(ms),
    }),
  );
  const on = days.filter((ms) => played.has(dayOf(ms))).length;
  const label = strings.daysPlayed(on, DAYS);
  const inRow = streakOf(entries, dayOf(now));
  place.replaceChildren(
    h('span', { class: 'record-days', role: 'img', 'aria-label': label }, ...dots),
    h('b', { text: inRow > 1 ? strings.dayStreak(inRow) : '' }),
  );
}

/**
 * Draw the record of this player.
 * @param {HTMLElement} pane of the latest races
 * @param {HTMLElement} days the place of the days
 * @param {HTMLElement | null} about the line below the way to the last room
 */
export function drawRecord(pane, days, about) {
  const words = strings.RECORD;
  const entries = keptEntries();
  const form = entries
    .flatMap(({ place, of }) => (place !== null && of > 1 ? [{ place, of }] : []))
    .slice(0, FORM)
    .toReversed();
  const firsts = form.filter(({ place }) => place === 1).length;
  const [most] = figuresOf(entries);
  const facts = [
    form.length > 0
      ? makeFact(strings.ofAll(firsts, form.length), words.won)
      : makeFact(String(entries.length), words.played),
    most?.bestMs != null && makeFact(strings.clock(most.bestMs), strings.bestTime(most.game)),
  ];
  pane.append(
    form.length > 0 ? makeBars(form) : h('p', { class: 'text-small', text: words.none }),
    h('div', { class: 'record-facts' }, ...facts),
  );
  drawDays(days);
  const last = entries.find(({ id }) => id.startsWith(`${kept('room')}/`));
  if (about && last) write(about, strings.lastRaced(last.rivals, daysSince(last.at)));
}
