// The rows of the front page, and its tables: this browser's kept tables, with the people who are there now, and the
// rooms that are open to everybody.

import { forgetRoom, keepSeatUntil, keptTables } from '../browser/storage.js';
import { isolated } from '../contract/text.js';
import { fetchInvitation } from '../page/addresses.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { makePane } from '../widgets/controls.js';
import { h, keyed, set } from '../widgets/element.js';

/**
 * @import {PublicRoom} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 */

/** Ask for the open rooms, and for the kept tables, at these intervals. */
const POLL_MS = 10_000;
const KEPT_POLL_MS = 30_000;
const DAY_MS = 86_400_000;
/** Show this many tables until the player asks for all. */
const FEW = 3;

/** Return the words of a row: a title, and a line below it unless that is null. @param {(Node | string)[]} title @param {string | null} about */
export function rowWords(title, about) {
  const below = [' ', h('br'), h('small', { class: 'text-note', text: about })];
  return h('span', { class: 'grow' }, h('b', {}, ...title), ...(about === null ? [] : below));
}

/** Make a row that is a button. @param {{[name: string]: string}} looks @param {() => void} onclick @param {...Node} parts */
export const makeRow = (looks, onclick, ...parts) =>
  h('button', { class: 'line landing-row', 'data-small': true, ...looks, onclick }, ...parts);

/** Return how many UTC midnights have passed since a time; null without a time. @param {number | undefined} ms */
const daysSince = (ms) =>
  ms === undefined ? null : Math.floor(Date.now() / DAY_MS) - Math.floor(ms / DAY_MS);

/** Make the row of a table. @param {App} app @param {ReturnType<typeof keptTables>[number]} table */
function makeTable(app, { code, name, raced }) {
  const words = rowWords([h('bdi', { text: name })], strings.tableAbout([], daysSince(raced)));
  const about = /** @type {HTMLElement} */ (words.lastChild);
  const element = makeRow({ 'data-table': code }, () => app.visit(code), words);
  let isGone = false;
  /** Show the people there. Say once that a table is gone. */
  async function update() {
    if (isGone) return;
    const found = await fetchInvitation(code);
    if (found === undefined) return; // no answer
    isGone = !found?.kept;
    if (found === null) {
      forgetRoom(code);
      element.replaceWith(
        h('p', { class: 'text-small', role: 'status', text: strings.tableGone(name) }),
      );
    } else if (!found.kept) {
      keepSeatUntil(code, undefined);
      element.remove();
    } else {
      const here = (found.here ?? []).map(isolated);
      set(about, { text: strings.tableAbout(here, daysSince(raced)) });
      set(about, { 'data-live': here.length > 0 });
    }
  }
  return { element, update };
}

/** Bind the kept tables, the latest one first. @param {App} app */
export function bindTables(app) {
  const tables = keptTables().map((each) => makeTable(app, each));
  const rows = tables.map((each) => each.element);
  const { tables: name, all } = strings.LANDING;
  const others = h('div', { class: 'stack' }, ...rows.slice(FEW));
  const more = rows.length > FEW && h('details', {}, h('summary', { text: all }), others);
  const label = { class: 'stack', id: 'tables', 'aria-label': name, hidden: rows.length === 0 };
  const element = h('section', label, ...rows.slice(0, FEW), more);
  const fetchAll = () => Promise.all(tables.map(({ update }) => update()));
  const fetching = keepFetching(fetchAll, () => (rows.length > 0 ? KEPT_POLL_MS : 0));
  return { element, unbind: fetching.stop };
}

/** Bind the list of open rooms, or show the lesson while the list is empty. @param {App} app @param {HTMLElement} lesson @param {HTMLElement} computer the pane of computer players @param {() => void} settled is called after each answer */
export function bindOpenRooms(app, lesson, computer, settled) {
  const words = strings.LANDING;
  const list = h('ul', { class: 'stack' });
  const element = makePane('public', words.open, '', list);
  element.hidden = true;

  const make = (/** @type {PublicRoom} */ { code }) => makeRoom(() => app.visit(code));
  /** Show the open rooms; undefined if the server did not answer. @param {{rooms: PublicRoom[], computers?: boolean} | null | undefined} found */
  function show(found) {
    const rooms = found?.rooms ?? [];
    keyed(list, rooms, ({ code }) => code, make, showRoom);
    set(element, { hidden: rooms.length === 0 });
    set(lesson, { hidden: rooms.length > 0 });
    if (found?.computers === false) {
      computer.querySelector('#strengths')?.remove();
      set(/** @type {Element} */ (computer.querySelector('h2')), { text: words.practice });
    }
    settled();
    return POLL_MS;
  }

  const fetching = keepFetching(() => fetchDocument('/api/rooms'), show);
  return { element, unbind: fetching.stop };
}

/** Make the item of an open room. @param {() => void} visit */
const makeRoom = (visit) =>
  h(
    'li',
    { class: 'line' },
    rowWords([], ''),
    h('button', { 'data-size': 'small', onclick: visit }),
  );

/** Show an open room in its item. @param {HTMLElement} item @param {PublicRoom} room */
function showRoom(item, room) {
  const words = strings.LANDING;
  // For now a newcomer could only watch, and the button says so before it asks for a name.
  const watchesOnly = room.full || room.state === 'RUNNING';
  const about = [strings.publicRoomFacts(room), room.full && words.full];
  const [host, facts, button] = /** @type {NodeListOf<HTMLElement>} */ (
    item.querySelectorAll('b, small, button')
  );
  if (!host || !facts || !button) return;
  set(host, { text: strings.tableOf(room.host) });
  set(facts, { 'data-live': room.state === 'RUNNING', text: about.filter(Boolean).join(' · ') });
  set(button, {
    text: watchesOnly ? words.watch : words.join,
    'aria-label': watchesOnly ? strings.watchRoomOf(room.host) : strings.joinRoomOf(room.host),
  });
}
