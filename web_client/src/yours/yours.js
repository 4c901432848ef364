// The page of the own races: figures by game, the players that were met, and all races, which can be saved
// and deleted. Its sentences are loaded when it is opened.

import {
  canStore,
  closedWindow,
  forgetEntries,
  isOfEntries,
  isOpen,
  keepEntry,
  keptEntries,
  readEntries,
} from '../browser/history.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { spoken, strings } from '../strings/language.js';
import { ask } from '../widgets/controls.js';
import { h, listen, set } from '../widgets/element.js';
import { saveFile, tableHead, tableRow } from '../widgets/room-parts.js';
import { csvOf, figuresOf, jsonOf, rivalsOf, separatorOf } from './figures.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Entry} from '../state/history.js'
 * @import {Wide} from '../strings/language.js'
 * @import {GameFigures} from './figures.js'
 * @typedef {Wide<typeof import('../strings/en/yours.js').default>} Words
 */

/** The time for which the server keeps the page of a race. */
const KEPT_MS = 7 * 86_400_000;
const MOST_RIVALS = 20;
/** An open window is looked at again after this time. */
const POLL_MS = 60_000;
/** Ten times as much as we save at most. */
const LARGEST_FILE = 5_000_000;
/** The highest place that a bar of the chart has room for. */
const WIDEST = 999;

/** Return the date of an entry, of a day that of its deal. @param {Entry} entry @param {Words} words */
function dateOf({ at, day }, { locale }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const format = day ? { timeZone: 'UTC' } : { timeStyle: 'short' };
  const shown = day ? Date.parse(day) : at;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...format }).format(shown);
}

/** Make a section below its heading. @param {string} id @param {string} title @param {...Node} children */
function makeSection(id, title, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  return h('section', { class: 'pane', id, 'aria-labelledby': heading.id }, heading, ...children);
}

/** Make a table. @param {readonly string[]} columns @param {readonly HTMLElement[]} rows */
const makeTable = (columns, rows) =>
  h('table', { class: 'yours-table' }, tableHead(columns), h('tbody', {}, ...rows));

/** Make the chart of the latest places: a bar for each, as high as the part of the players that was not ahead. @param {GameFigures['form']} form @param {Words} words */
function makeForm(form, words) {
  const bars = form.map(({ place, of }) => {
    const text = place <= WIDEST ? place : ''; // the table has it
    const bar = h('span', { class: 'yours-bar', 'data-first': place === 1, text });
    set(bar, { '--part': (of - place + 1) / of });
    return bar;
  });
  const { title, table, columns } = words.FORM;
  const spokenPlaces = form.map(({ place, of }) => words.placeOf(place, of)).join(', ');
  const looks = { class: 'yours-form', role: 'img', 'aria-label': `${title}: ${spokenPlaces}` };
  const rows = form.map((entry) => tableRow([dateOf(entry, words), entry.place, entry.of]));
  return [
    h('p', { class: 'text-small', text: title }),
    h('div', looks, ...bars),
    h('details', { class: 'text-small' }, h('summary', { text: table }), makeTable(columns, rows)),
  ];
}

/** Make the figures of a game. @param {GameFigures} figures @param {Words} words */
function makeGame(
  { game, races, wins, firsts, ranked, bestMs, averageMs, bestScore, form },
  words,
) {
  const { GAMES } = words;
  const facts = [
    [GAMES.races, races],
    [GAMES.wins, wins],
    [GAMES.firsts, ranked > 0 && `${firsts}/${ranked}`],
    [GAMES.best, bestMs !== null && strings.clock(bestMs)],
    [GAMES.average, averageMs !== null && strings.clock(averageMs)],
    [GAMES.score, bestScore],
  ].filter(([, fact]) => fact !== false);
  const list = facts.flatMap(([name, text]) => [h('dt', { text: name }), h('dd', { text })]);
  return h(
    'article',
    { class: 'yours-game', 'data-game': game },
    h('h3', { text: strings.gameName(game) }),
    h('dl', { class: 'yours-facts' }, ...list),
    ...(form.length > 0 ? makeForm(form, words) : []),
  );
}

/** Make the table of the players that were met most often; null without any. @param {readonly Entry[]} entries @param {Words} words */
function makeRivals(entries, { RIVALS }) {
  const rows = rivalsOf(entries)
    .slice(0, MOST_RIVALS)
    .map(({ name, ...counts }) => tableRow([name, ...Object.values(counts)]));
  for (const { firstElementChild } of rows) firstElementChild?.setAttribute('translate', 'no'); // names
  const about = h('p', { class: 'text-small', text: RIVALS.about });
  const table = makeTable(RIVALS.columns, rows);
  return rows.length > 0 ? makeSection('yours-rivals', RIVALS.title, table, about) : null;
}

/** Return whether the server may still have the page of an entry; a window can be open for as long. @param {Entry} entry @param {number} now */
const isKept = (entry, now) =>
  entry.kind === 'day' || entry.at > now - (isOpen(entry) ? 2 : 1) * KEPT_MS;

/** Make the line of a race, with a link while the server may have its page. @param {Entry} entry @param {Words} words @param {number} now */
function makeLine(entry, words, now) {
  const { id, game, kind, link, place, of, won, ms, score, moves, rivals, gaveUp } = entry;
  const text = `${strings.gameName(game)}, ${dateOf(entry, words)}`;
  const about = [
    Reflect.get(words.KINDS, kind),
    place !== null && of > 1 && words.placeOf(place, of),
    isOpen(entry) && isKept(entry, now) && words.open,
    ms !== null &&
      strings.ending({ won, state: gaveUp ? 'FORFEIT' : 'FINISHED', finished_ms: ms }, true),
    words.figures(score, moves),
    rivals.length > 0 && words.met(rivals),
  ];
  return h(
    'li',
    { 'data-entry': id },
    isKept(entry, now) ? h('a', { href: link, text }) : h('span', { text }),
    h('span', { class: 'text-small', text: about.filter(Boolean).join(' · ') }),
  );
}

/** Make the buttons that save, read or delete all races. @param {App} app @param {Words} words @param {boolean} hasAny @param {() => void} changed */
function makeButtons(app, words, hasAny, changed) {
  /** Make a button that saves a file. @param {'csv' | 'json'} kind @param {string} type @param {typeof csvOf} write */
  function saveButton(kind, type, write) {
    const text = () => write(keptEntries(), location.origin, separatorOf(words.locale));
    const onclick = () => saveFile(new File([text()], `spider-race.${kind}`, { type }));
    return h('button', { id: `yours-${kind}`, text: words[kind], onclick });
  }
  const file = h('input', {
    type: 'file',
    id: 'yours-file',
    accept: '.json,application/json',
    hidden: true,
    onchange: readFile,
  });
  async function readFile() {
    const [chosen] = file.files ?? [];
    const text = chosen && chosen.size <= LARGEST_FILE ? await chosen.text().catch(() => '') : '';
    file.value = ''; // the same file may be chosen again
    const added = readEntries(text);
    if (added) changed();
    app.announce(added === null ? words.noFile : words.added(added));
  }
  const read = h('button', { id: 'yours-read', text: words.read, onclick: () => file.click() });
  async function deleteAll() {
    if (!(await ask({ ...words.DELETE, grave: true }))) return;
    forgetEntries();
    changed();
    app.announce(words.deleted);
  }
  const remove = h('button', { id: 'yours-delete', text: words.delete, onclick: deleteAll });
  const csv = saveButton('csv', 'text/csv', csvOf);
  const json = saveButton('json', 'application/json', jsonOf);
  const all = hasAny ? [csv, json, read, remove] : [read];
  return h('div', { class: 'buttons buttons-wide' }, ...all, file);
}

/** Bind the page. @param {HTMLElement} root @param {App} app */
export function bindYours(root, app) {
  const title = h('h1', { tabindex: -1, text: strings.LANDING.yours });
  const lead = h('p');
  const all = h('div', { class: 'yours-parts' });
  root.replaceChildren(
    h(
      'div',
      { class: 'page', id: 'yours' },
      h('header', { class: 'page-title yours-title' }, title, lead),
      all,
    ),
  );
  const oldTitle = document.title;
  /** @type {Words | null} */
  let words = null;

  /** Show the races as they are kept now. */
  function draw() {
    if (!words) return;
    const shown = words;
    const entries = keptEntries();
    const buttons = makeButtons(app, shown, entries.length > 0, () => {
      draw();
      title.focus();
    });
    all.replaceChildren();
    const keeps = canStore();
    lead.textContent = keeps ? shown.lead : '';
    if (!keeps)
      all.append(h('p', { class: 'pane', id: 'yours-unstorable', text: shown.unstorable }));
    else if (entries.length === 0)
      all.append(h('p', { class: 'pane', id: 'yours-empty', text: shown.empty }), buttons);
    if (entries.length === 0) return;
    const games = figuresOf(entries).map((each) => makeGame(each, shown));
    const lines = entries.map((each) => makeLine(each, shown, app.now()));
    all.append(
      makeSection('yours-games', shown.GAMES.title, h('div', { class: 'yours-games' }, ...games)),
      makeRivals(entries, shown) ?? '',
      buttons,
      makeSection('yours-list', shown.list, h('ol', { class: 'yours-list' }, ...lines)),
    );
  }

  /** Fill the page, unless another one is shown by now. @param {{default: Words}} loaded */
  function show(loaded) {
    if (!all.isConnected) return;
    words = loaded.default;
    document.title = `${strings.LANDING.yours} · Spider Race`;
    draw();
  }
  import(`../strings/${spoken}/yours.js`).then(show, () => {
    if (all.isConnected) app.announce(strings.NOT_LOADED);
  });
  /** Fetch the result of each window that was open, and keep it if that is over. @returns {Promise<number>} how many were open */
  async function closeWindows() {
    const open = keptEntries().filter((each) => isOpen(each) && isKept(each, app.now()));
    for (const entry of open) {
      const path = entry.id.replace('/', '/rounds/');
      const found = await fetchDocument(`/api/rooms/${path}/course`).catch(({ message }) => {
        if (message !== '404') throw new Error(message); // which says that it is still open
      });
      if (found) {
        keepEntry(closedWindow(entry, found));
        draw();
      }
    }
    return open.length;
  }
  const { stop } = keepFetching(closeWindows, (found) => (found ? POLL_MS : 0));
  /** A race has ended in another tab. @param {StorageEvent} event */
  const follow = (event) => isOfEntries(event) && draw();
  const unlisten = listen(window, 'storage', follow);

  return {
    update() {},
    unbind() {
      unlisten();
      stop();
      document.title = oldTitle;
    },
  };
}
