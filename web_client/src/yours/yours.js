// The page of this player's races: a tile with figures for each game, the latest places in the chosen game, the rivals,
// and the list of all races, with a menu for exporting, importing and deleting them.

import * as raceHistory from '../browser/history.js';
import { DAY_MS, fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { cardFan, makePane } from '../widgets/controls.js';
import { ask, makeMenu } from '../widgets/dialogs.js';
import { callAll, h, listen, set, writeItems } from '../widgets/element.js';
import { saveFile } from '../widgets/sharing.js';
import { csvOf, figuresOf, jsonOf, makeBars, makeFact, rivalsOf, separatorOf } from './record.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Entry} from '../state/entries.js'
 * @import {GameFigures} from './record.js'
 * @typedef {ReturnType<typeof makePage>} Page
 */

/** How long the server keeps a finished race. */
const SERVER_KEEPS_MS = 7 * DAY_MS;
const LONGEST_OPEN_MS = 7 * DAY_MS;
const MAX_RIVALS = 20;
const OPEN_POLL_MS = 60_000;
/** Ten times the size of the largest file that this page can export. */
const MAX_FILE_BYTES = 5_000_000;
/** Count first places among this many of the latest races, if there are at least `MIN_COUNTED`. */
const LATEST_COUNTED = 10;
const MIN_COUNTED = 5;
const GAMES_WITH_TILES = ['spider-1', 'spider-2', 'spider-4'];
const FIRST_LISTED = 8; // how many races are listed at first

/** Return the date shown for an entry: when it was played, or for today's race the deal's date. @param {Entry} entry */
function dateOf({ at, day }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const format = day ? { timeZone: 'UTC' } : { timeStyle: 'short' };
  const shown = day ? Date.parse(day) : at;
  const { locale } = strings.YOURS;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...format }).format(shown);
}

/** Make a tile's heading: aces for the suits, and the name. @param {string} game @param {string} text about it */
function makeTitle(game, text) {
  const suits = Number(game.slice(-1)) || 4; // `spider-2` has two
  const aces = Array.from('SHCD'.slice(0, suits), (suit) => `A${suit}`);
  const about = h('span', { class: 'text-note', text });
  const words = h('span', {}, h('b', { text: strings.suitsOf(game) }), ' ', h('br'), about);
  return h('span', { class: 'line' }, cardFan(...aces), words);
}

/**
 * Make a game's tile: a button with the figures of this player's races.
 * @param {GameFigures} figures @param {boolean} isChosen whether the chart below shows it @param {() => void} onclick
 */
function makeTile(figures, isChosen, onclick) {
  const words = strings.YOURS;
  const { game, races, wins, firsts, ranked, bestMs, averageMs } = figures;
  const timeOf = (/** @type {number | null} */ ms) => ms !== null && strings.clock(ms);
  const texts = [ranked > 0 && strings.ofAll(firsts, ranked), timeOf(bestMs), timeOf(averageMs)];
  const facts = texts.map((text, i) => text && makeFact(text, words.FACTS[i]));
  const looks = { class: isChosen ? 'pane pane-lit yours-tile' : 'pane yours-tile', onclick };
  const states = { 'data-game': game, 'aria-pressed': String(isChosen) };
  const row = facts.some(Boolean) && h('span', { class: 'row' }, ...facts);
  return h('button', { ...looks, ...states }, makeTitle(game, words.races(races, wins)), row);
}

/** Make the chart of this player's latest places in a game. @param {GameFigures} figures */
function makeForm({ game, form }) {
  const words = strings.YOURS;
  const places = form.map(({ place, of }) => words.placeOf(place, of)).join(', ');
  const label = `${words.FORM.spoken} ${places}`;
  const last = form.slice(-LATEST_COUNTED);
  const firsts = last.filter(({ place }) => place === 1).length;
  const aside = last.length < MIN_COUNTED ? '' : words.FORM.won(firsts, last.length);
  const title = words.FORM.title(strings.suitsOf(game));
  return makePane('yours-form', title, aside, makeBars(label, form));
}

/** List the most frequent rivals, with bars that show how often either was ahead. @param {readonly Entry[]} entries */
function makeRivals(entries) {
  const { RIVALS } = strings.YOURS;
  const rivals = rivalsOf(entries).slice(0, MAX_RIVALS);
  const items = rivals.map(({ name, ahead, behind }) => {
    const parts = [ahead, behind].map(
      (n, i) => n > 0 && h('i', { '--part': n, 'data-on': i === 0 }),
    );
    const split = h('span', { class: 'notches yours-split', 'aria-hidden': 'true' }, ...parts);
    const counts = h('b', { text: `${ahead} : ${behind}` });
    const rival = h('b', { class: 'grow' }, h('bdi', { text: name }));
    return h('li', { class: 'row' }, rival, ' ', counts, split);
  });
  const list = h('ul', { class: 'stack yours-columns' }, ...items);
  return items.length > 0 && makePane('yours-rivals', RIVALS.title, RIVALS.about, list);
}

/** Return whether the server may still have an entry's page. @param {Entry} entry @param {number} nowMs */
function mayBeOnServer(entry, nowMs) {
  const longestOpenMs = raceHistory.isOpen(entry) ? LONGEST_OPEN_MS : 0; // the race ends after the game
  return entry.kind === 'day' || entry.at > nowMs - longestOpenMs - SERVER_KEEPS_MS;
}

/** Make the row of a race, with a link if the server may still have it. @param {Entry} entry @param {number} nowMs */
function makeRow(entry, nowMs) {
  const words = strings.YOURS;
  const { id, game, kind, link, place, of, won, ms, score, moves, rivals, gaveUp } = entry;
  const isRanked = place !== null && of > 1;
  const text = strings.suitsOf(game);
  const date = dateOf(entry);
  const state = gaveUp ? 'FORFEIT' : 'FINISHED';
  const about = [
    date,
    Reflect.get(words.KINDS, kind),
    raceHistory.isOpen(entry) && mayBeOnServer(entry, nowMs) && words.open,
    !won && ms !== null && strings.ending({ won, state, finished_ms: ms }, true),
    isRanked && strings.ofPlayers(of),
    words.moves(moves),
    rivals.length > 0 && words.met(rivals),
  ];
  const shown = isRanked ? strings.ordinal(place) : '–';
  const title = mayBeOnServer(entry, nowMs)
    ? h('a', { href: link, 'aria-label': `${text}, ${date}`, text })
    : h('span', { text });
  const facts = h('span', { class: 'text-note text-items' });
  writeItems(facts, about.filter(Boolean).join(' · '));
  const first = h('b', { 'data-first': isRanked && place === 1, text: shown });
  const race = h('span', {}, h('b', {}, title), facts);
  const result = h('b', { 'data-part': 'result', text: strings.dayResult({ won, ms, score }) });
  return h('li', { class: 'pane-row results-row', 'data-entry': id }, first, race, result);
}

/**
 * Make the button that imports a saved file, and its hidden field.
 * @param {App} app @param {() => void} changed called when races were added
 */
function makeReader(app, changed) {
  const words = strings.YOURS;
  const looks = { type: 'file', id: 'yours-file', accept: '.json,application/json', hidden: true };
  const file = h('input', { ...looks, onchange: readFile });
  async function readFile() {
    const [chosen] = file.files ?? [];
    const canRead = chosen && chosen.size <= MAX_FILE_BYTES;
    const text = canRead ? await chosen.text().catch(() => '') : '';
    file.value = ''; // so that the same file can be chosen again
    const added = raceHistory.readEntries(text);
    if (added) changed();
    app.announce(added === null ? words.noFile : words.added(added));
  }
  const read = h('button', { id: 'yours-read', text: words.read, onclick: () => file.click() });
  return [read, file];
}

/**
 * Make the menu for exporting, importing or deleting all races, and its button.
 * @param {App} app @param {() => void} changed called when races were added or deleted
 */
function makeFiles(app, changed) {
  const words = strings.YOURS;
  /** Make a button for an export. @param {'csv' | 'json'} kind @param {string} type @param {typeof csvOf} format */
  function exportButton(kind, type, format) {
    const text = () =>
      format(raceHistory.keptEntries(), location.origin, separatorOf(words.locale));
    const onclick = () => saveFile(new File([text()], `spider-race.${kind}`, { type }));
    return h('button', { id: `yours-${kind}`, text: words[kind], onclick });
  }
  async function deleteAll() {
    if (!(await ask({ ...words.DELETE, grave: true }))) return;
    raceHistory.forgetEntries();
    changed();
    app.announce(words.deleted);
  }
  const deletes = { id: 'yours-delete', 'data-kind': 'grave', text: words.delete };
  const csv = exportButton('csv', 'text/csv', csvOf);
  const json = exportButton('json', 'application/json', jsonOf);
  const others = [...makeReader(app, changed), h('button', { ...deletes, onclick: deleteAll })];
  const { dialog, open } = makeMenu('yours-files', words.menu, csv, json, ...others);
  // Any click in the menu closes it, since a question may follow.
  dialog.addEventListener('click', () => dialog.close(), true);
  const looks = { class: 'top-icon', id: 'yours-menu', text: '⋯', title: words.menu };
  const opens = { 'aria-haspopup': 'dialog', 'aria-label': words.menu, onclick: open };
  return [h('button', { ...looks, ...opens }), dialog];
}

/** Make the object that holds the page's elements and state. @param {App} app */
function makePage(app) {
  const title = h('h1', { tabindex: -1, text: strings.LANDING.yours });
  const lead = h('p', { class: 'text-note' });
  const tools = h('div', { class: 'row' });
  const head = h('header', { class: 'row between' }, h('div', {}, title, lead), tools);
  const element = h('div', { class: 'page stack yours', id: 'yours' }, head);
  return { app, title, lead, tools, head, element, chosenGame: '', racesListed: FIRST_LISTED };
}

/** Bind the page of this player's races. @param {HTMLElement} root @param {App} app */
export function bindYours(root, app) {
  const page = makePage(app);
  root.replaceChildren(page.element);
  const oldTitle = document.title;
  document.title = `${strings.LANDING.yours} · Spider Race`;
  draw(page);
  // Poll while a race is open; 0 stops polling.
  const pauseAfter = (/** @type {number | null | undefined} */ open) => (open ? OPEN_POLL_MS : 0);
  const { stop } = keepFetching(() => fetchResults(page), pauseAfter);
  /** Draw the page again after a race in another tab. @param {StorageEvent} event */
  const follow = (event) => raceHistory.isHistoryChange(event) && draw(page);
  const unlisten = listen(window, 'storage', follow);
  const restoreTitle = () => {
    document.title = oldTitle;
  };
  return { update() {}, unbind: callAll(unlisten, stop, restoreTitle) };
}

/** Draw the page with the stored races. @param {Page} page */
function draw(page) {
  const words = strings.YOURS;
  const { app, title, lead, tools, head, element } = page;
  const entries = raceHistory.keptEntries();
  const isEmpty = entries.length === 0;
  const canKeep = raceHistory.canStore();
  const looks = { class: 'buttons-link', 'data-kind': 'primary', href: '/' };
  const race = h('a', { ...looks, text: strings.LANDING.create });
  // Without races the only tool is the import, and only if the browser can store races.
  const makeTools = isEmpty ? makeReader : makeFiles;
  const others = makeTools(app, function redraw() {
    draw(page);
    title.focus(); // the pressed button is gone
  });
  tools.replaceChildren(race, ...(canKeep || !isEmpty ? others : []));
  const text = isEmpty ? words.empty : words.lead;
  set(lead, { text: canKeep ? text : '', id: isEmpty && canKeep && 'yours-empty' });
  const unstorable = h('p', { class: 'pane', id: 'yours-unstorable', text: words.unstorable });
  const parts = [...(canKeep ? [] : [unstorable]), ...makeGames(page, entries)];
  element.replaceChildren(head, ...parts, ...(isEmpty ? [] : [makeList(page, entries)]));
}

/** Make the games' tiles, the chosen game's chart, and rivals. @param {Page} page @param {readonly Entry[]} entries */
function makeGames(page, entries) {
  const words = strings.YOURS;
  const games = figuresOf(entries);
  const current = games.find(({ game }) => game === page.chosenGame) ?? games[0];
  const tiles = games.map((figures) =>
    makeTile(figures, figures === current, () => {
      page.chosenGame = figures.game;
      draw(page); // makes new tiles, so the focus has to return to the chosen one
      /** @type {HTMLElement | null} */ (
        page.element.querySelector('[aria-pressed="true"]')
      )?.focus();
    }),
  );
  const unplayed = GAMES_WITH_TILES.filter((id) => !games.some(({ game }) => game === id));
  const others = unplayed.map((id) =>
    h('div', { class: 'pane yours-tile' }, makeTitle(id, words.none)),
  );
  const named = { id: 'yours-games', 'aria-label': words.games };
  const form = current && current.form.length > 0 && makeForm(current);
  return [
    h('section', { class: 'stack yours-columns', ...named }, ...tiles, ...others),
    h('div', { class: 'stack yours-columns' }, form, makeRivals(entries)),
  ];
}

/** List races, newest first, with a button that shows all. @param {Page} page @param {readonly Entry[]} entries */
function makeList(page, entries) {
  const words = strings.YOURS;
  const { app, racesListed, element } = page;
  const rows = entries.slice(0, racesListed).map((entry) => makeRow(entry, app.now()));
  const races = h('ol', { class: 'pane-rows yours-columns', '--least': '26rem' }, ...rows);
  /** List all races, and focus the first one that was hidden. */
  function showAll() {
    page.racesListed = entries.length;
    draw(page);
    element.querySelectorAll('#yours-list li')[racesListed]?.querySelector('a')?.focus();
  }
  const looks = { id: 'yours-more', 'data-size': 'small', hidden: entries.length <= racesListed };
  const more = h('button', { ...looks, text: words.more(entries.length), onclick: showAll });
  return makePane('yours-list', words.list, String(entries.length), races, more);
}

/** Store results of open races that have ended. @param {Page} page @returns {Promise<number>} how many were open */
async function fetchResults(page) {
  const { app } = page;
  const open = raceHistory
    .keptEntries()
    .filter((entry) => raceHistory.isOpen(entry) && mayBeOnServer(entry, app.now()));
  for (const entry of open) {
    const path = entry.id.replace('/', '/rounds/');
    const found = await fetchDocument(`/api/rooms/${path}/course`).catch(({ message }) => {
      if (message !== '404') throw new Error(message); // 404 means that the race is still open
    });
    if (found) {
      raceHistory.keepEntry(raceHistory.closedEntry(entry, found));
      draw(page);
    }
  }
  return open.length;
}
