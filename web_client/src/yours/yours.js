// The page of this player's races: a tile with the figures of each game, the latest places in the chosen one,
// the rivals, and all races, with a menu to save and delete them. Its strings load when the page opens.

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
import { saveFile } from '../widgets/room-parts.js';
import { csvOf, figuresOf, jsonOf, makeBars, rivalsOf, separatorOf } from './record.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Entry} from '../state/history.js'
 * @import {Wide} from '../strings/language.js'
 * @import {GameFigures} from './record.js'
 * @typedef {Wide<typeof import('../strings/en/yours.js').default>} Words
 */

/** The time for which the server keeps the page of a race. */
const KEPT_MS = 7 * 86_400_000;
const MOST_RIVALS = 20;
/** An open window is looked at again after this time. */
const POLL_MS = 60_000;
/** Ten times as much as we save at most. */
const LARGEST_FILE = 5_000_000;
/** First places are counted among this many races. */
const LATEST = 10;
/** With fewer races than this, nothing is counted. */
const FEWEST = 5;
/** Games that always have a tile. */
const GAMES = ['spider-1', 'spider-2', 'spider-4'];
/** How many races are listed before the player asks for all. */
const FIRST_ROWS = 8;

/** Return the date shown for an entry: when it was played, or the date of its deal for today’s race. @param {Entry} entry @param {Words} words */
function dateOf({ at, day }, { locale }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const format = day ? { timeZone: 'UTC' } : { timeStyle: 'short' };
  const shown = day ? Date.parse(day) : at;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...format }).format(shown);
}

/** Make a pane with a heading and a note beside it. @param {string} id @param {string} title @param {string | number} aside @param {...Node} children */
function makePane(id, title, aside, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  const header = h('header', {}, heading, h('span', { class: 'text-small', text: aside }));
  return h('section', { class: 'pane', id, 'aria-labelledby': heading.id }, header, ...children);
}

/** Make the head of a tile: an ace for each suit, and the name of the game. @param {string} game @param {string} about */
function makeTitle(game, about) {
  const suits = 'SHCD'.slice(0, Number(game.slice(-1)) || 4);
  const cards = Array.from(suits, (suit, i) => {
    const card = h('span', { class: 'card', 'data-card': `A${suit}` });
    set(card, { '--at': i, '--turn': i - (suits.length - 1) / 2 });
    return card;
  });
  const count = h('span', { class: 'text-small', text: about });
  return [
    h('span', { class: 'yours-fan', 'aria-hidden': 'true' }, ...cards),
    h('span', {}, h('b', { text: strings.suitsOf(game) }), ' ', count),
  ];
}

/** Make the tile of a game, whose places the chart shows once it is pressed. @param {GameFigures} figures @param {Words} words @param {boolean} isChosen @param {() => void} onclick */
function makeTile(figures, words, isChosen, onclick) {
  const { game, races, wins, firsts, ranked, bestMs, averageMs } = figures;
  const timeOf = (/** @type {number | null} */ ms) => (ms === null ? '' : strings.clock(ms));
  const first = ranked > 0 ? strings.ofAll(firsts, ranked) : '';
  const facts = [first, timeOf(bestMs), timeOf(averageMs)].map((text, i) => {
    const about = h('span', { class: 'text-small', text: words.FACTS[i] });
    return text && h('span', {}, h('b', { text }), ' ', about);
  });
  const looks = { class: isChosen ? 'pane pane-lit yours-tile' : 'pane yours-tile', onclick };
  return h(
    'button',
    { ...looks, 'data-game': game, 'aria-pressed': String(isChosen) },
    ...makeTitle(game, words.races(races, wins)),
    facts.some(Boolean) && h('span', { class: 'row yours-facts' }, ...facts),
  );
}

/** Make the chart of the latest places in a game. @param {GameFigures} figures @param {Words} words */
function makeForm({ game, form }, words) {
  const places = form.map(({ place, of }) => words.placeOf(place, of)).join(', ');
  const label = `${words.FORM.spoken} ${places}`;
  const last = form.slice(-LATEST);
  const firsts = last.filter(({ place }) => place === 1).length;
  const aside = last.length < FEWEST ? '' : words.FORM.won(firsts, last.length);
  const bars = makeBars({ class: 'day-bars yours-form', 'aria-label': label }, form);
  return makePane('yours-form', words.FORM.title(strings.suitsOf(game)), aside, bars);
}

/** Make the list of the most frequent rivals, each with a two-part bar. @param {readonly Entry[]} entries @param {Words} words */
function makeRivals(entries, { RIVALS }) {
  const items = rivalsOf(entries)
    .slice(0, MOST_RIVALS)
    .map(({ name, ahead, behind }) => {
      const parts = [ahead, behind].map(
        (n, i) => n > 0 && h('i', { '--part': n, 'data-on': i === 0 }),
      );
      const split = h('span', { class: 'notches yours-split', 'aria-hidden': 'true' }, ...parts);
      const counts = h('b', { text: `${ahead} : ${behind}` });
      return h('li', { class: 'row' }, h('bdi', { text: name }), ' ', counts, split);
    });
  const list = h('ul', { class: 'yours-rivals' }, ...items);
  return items.length > 0 && makePane('yours-rivals', RIVALS.title, RIVALS.about, list);
}

/** Return whether the server may still have the page of an entry; a window can be open for as long. @param {Entry} entry @param {number} now */
const isKept = (entry, now) =>
  entry.kind === 'day' || entry.at > now - (isOpen(entry) ? 2 : 1) * KEPT_MS;

/** Make the row of a race, with a link while the server may have its page. @param {Entry} entry @param {Words} words @param {number} now */
function makeRow(entry, words, now) {
  const { id, game, kind, link, place, of, won, ms, score, moves, rivals, gaveUp } = entry;
  const isRanked = place !== null && of > 1;
  const text = strings.suitsOf(game);
  const date = dateOf(entry, words);
  const state = gaveUp ? 'FORFEIT' : 'FINISHED';
  const about = [
    date,
    Reflect.get(words.KINDS, kind),
    isOpen(entry) && isKept(entry, now) && words.open,
    !won && ms !== null && strings.ending({ won, state, finished_ms: ms }, true),
    isRanked && strings.ofPlayers(of),
    words.moves(moves),
    rivals.length > 0 && words.met(rivals),
  ];
  const shown = isRanked ? strings.ordinal(place) : '–';
  const title = isKept(entry, now)
    ? h('a', { href: link, 'aria-label': `${text}, ${date}`, text })
    : h('span', { text });
  const facts = h('span', { class: 'text-note', text: about.filter(Boolean).join(' · ') });
  return h(
    'li',
    { class: 'pane-row results-row', 'data-entry': id },
    h('b', { 'data-first': isRanked && place === 1, text: shown }),
    h('span', {}, title, facts),
    h('b', { 'data-part': 'result', text: strings.dayResult({ won, ms, score }) }),
  );
}

/** Make the button that reads a saved file. @param {App} app @param {Words} words @param {() => void} changed */
function makeReader(app, words, changed) {
  const accept = '.json,application/json';
  const looks = { type: 'file', id: 'yours-file', accept, hidden: true };
  const file = h('input', { ...looks, onchange: readFile });
  async function readFile() {
    const [chosen] = file.files ?? [];
    const text = chosen && chosen.size <= LARGEST_FILE ? await chosen.text().catch(() => '') : '';
    file.value = ''; // the same file may be chosen again
    const added = readEntries(text);
    if (added) changed();
    app.announce(added === null ? words.noFile : words.added(added));
  }
  const read = h('button', { id: 'yours-read', text: words.read, onclick: () => file.click() });
  return [read, file];
}

/** Make the button of the menu that saves, reads or deletes all races. @param {App} app @param {Words} words @param {() => void} changed */
function makeMenu(app, words, changed) {
  /** Make a button that saves a file. @param {'csv' | 'json'} kind @param {string} type @param {typeof csvOf} write */
  function saveButton(kind, type, write) {
    const text = () => write(keptEntries(), location.origin, separatorOf(words.locale));
    const onclick = () => saveFile(new File([text()], `spider-race.${kind}`, { type }));
    return h('button', { id: `yours-${kind}`, text: words[kind], onclick });
  }
  async function deleteAll() {
    if (!(await ask({ ...words.DELETE, grave: true }))) return;
    forgetEntries();
    changed();
    app.announce(words.deleted);
  }
  const deletes = { id: 'yours-delete', 'data-kind': 'grave', text: words.delete };
  const menu = h(
    'dialog',
    { class: 'yours-menu', 'aria-label': words.menu },
    saveButton('csv', 'text/csv', csvOf),
    saveButton('json', 'application/json', jsonOf),
    ...makeReader(app, words, changed),
    h('button', { ...deletes, onclick: deleteAll }),
  );
  // Any press closes the menu first, since a question may follow.
  menu.addEventListener('click', () => menu.close(), true);
  const onclick = () => menu.showModal();
  const looks = { class: 'icon yours-more top-icon', id: 'yours-menu', title: words.menu };
  const opens = { 'aria-haspopup': 'dialog', 'aria-label': words.menu, onclick };
  return [h('button', { ...looks, ...opens }), menu];
}

/** Bind the page. @param {HTMLElement} root @param {App} app */
export function bindYours(root, app) {
  const title = h('h1', { tabindex: -1, text: strings.LANDING.yours });
  const lead = h('p', { class: 'text-small' });
  const tools = h('div', { class: 'buttons' });
  const all = h('div', { class: 'yours-parts' });
  const head = h(
    'header',
    { class: 'row yours-title results-wide' },
    h('div', {}, title, lead),
    tools,
  );
  root.replaceChildren(h('div', { class: 'page stack results-grid', id: 'yours' }, head, all));
  const oldTitle = document.title;
  /** @type {Words | null} */
  let words = null;
  let chosen = ''; // the game of the chart
  let most = FIRST_ROWS;

  /** Show the races as they are kept now. */
  function draw() {
    if (!words) return;
    const shown = words;
    const entries = keptEntries();
    const changed = () => {
      draw();
      title.focus();
    };
    const isEmpty = entries.length === 0;
    const keeps = canStore();
    const race = {
      class: 'buttons-link',
      'data-kind': 'primary',
      href: '/',
      text: strings.LANDING.create,
    };
    const others = isEmpty ? makeReader(app, shown, changed) : makeMenu(app, shown, changed);
    tools.replaceChildren(h('a', race), ...(keeps || !isEmpty ? others : []));
    set(lead, {
      text: keeps ? (isEmpty ? shown.empty : shown.lead) : '',
      id: isEmpty && keeps && 'yours-empty',
    });
    const unstorable = h('p', { class: 'pane', id: 'yours-unstorable', text: shown.unstorable });
    all.replaceChildren(...(keeps ? [] : [unstorable]), ...makeParts(entries, shown));
  }

  /** Make the panes of some races. @param {readonly Entry[]} entries @param {Words} shown */
  function makeParts(entries, shown) {
    const games = figuresOf(entries);
    const current = games.find(({ game }) => game === chosen) ?? games[0];
    const tiles = games.map((each) =>
      makeTile(each, shown, each === current, () => {
        chosen = each.game;
        draw();
        /** @type {HTMLElement | null} */ (all.querySelector('[aria-pressed="true"]'))?.focus();
      }),
    );
    const others = GAMES.filter((each) => !games.some(({ game }) => game === each)).map((each) =>
      h('div', { class: 'pane yours-tile' }, ...makeTitle(each, shown.none)),
    );
    const rows = entries.slice(0, most).map((each) => makeRow(each, shown, app.now()));
    const more = h('button', {
      id: 'yours-more',
      'data-size': 'small',
      hidden: entries.length <= most,
      text: shown.more(entries.length),
      onclick() {
        const first = most;
        most = entries.length;
        draw();
        all.querySelectorAll('#yours-list li')[first]?.querySelector('a')?.focus();
      },
    });
    const races = h('ol', { class: 'pane-rows yours-rows' }, ...rows);
    const looks = {
      class: 'stack yours-games results-wide',
      id: 'yours-games',
      'aria-label': shown.games,
    };
    const list = makePane('yours-list', shown.list, entries.length, races, more);
    const form = current && current.form.length > 0 && makeForm(current, shown);
    const pair = [form, makeRivals(entries, shown)].filter((part) => part instanceof HTMLElement);
    const wide = pair.length === 1 ? [...pair, list] : [list];
    for (const pane of wide) set(pane, { class: 'pane results-wide' });
    const panes = entries.length > 0 ? [...pair, list] : [];
    return [h('section', looks, ...tiles, ...others), ...panes];
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
