// The menu of a kept table, the list of its members, and the code that moves a seat to another device.

import { NAME_LENGTH } from '../contract/protocol.js';
import { fetchDocument } from '../page/loads.js';
import { amHost } from '../state/state.js';
import { strings } from '../strings/language.js';
import { lineInput } from '../widgets/controls.js';
import { ask, makeMenu, openDialog } from '../widgets/dialogs.js';
import { h, set, svg } from '../widgets/element.js';
import { nameOfTable, writeName } from '../widgets/names.js';
import { copyButton, linkFor } from '../widgets/sharing.js';
import { bindKeeping } from './frame.js';
import { personButton } from './host.js';
import { configure } from './settings.js';

/**
 * @import {TableHistory} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

/**
 * Ask a question, and send a message if the player agrees.
 * @param {App} app @param {'stop' | 'delete' | 'hand_over' | 'forget'} id of the question
 * @param {ClientMessage} message @param {string} [text] explains the question @returns {Promise<boolean>} the answer
 */
async function sendIfConfirmed(app, id, message, text = '') {
  const { ASK, no } = strings.TABLE_MENU;
  const agreed = await ask({ text, ...ASK[id], no, grave: true });
  if (agreed) app.send(message);
  return agreed;
}

/**
 * Open the menu of a kept table at its button; in another room the menu only offers to keep it.
 * @param {App} app @param {{currentTarget: EventTarget | null}} event
 */
export function openTableMenu(app, event) {
  const state = app.state();
  const { room } = state;
  if (!room) return;
  const words = strings.TABLE_MENU;
  /** @param {keyof typeof words.ITEMS} id @param {() => void} onclick */
  const make = (id, onclick, kind = 'quiet') =>
    h('button', { id: `table-do-${id}`, 'data-kind': kind, text: words.ITEMS[id], onclick });
  const { locked } = room.settings;
  const setLock = () => configure(app, (now) => ({ ...now, locked: !locked }));
  const href = `/api/rooms/${room.code}/table.csv`;
  const file = { class: 'buttons-link', 'data-kind': 'quiet', href, download: true };
  const keeping = bindKeeping(app);
  const stopKeeping = /** @type {const} */ ({ type: 'keep', name: '', kept: false });
  const forAll = [
    make('carry', () => app.send({ type: 'carry' })), // asks for a code that moves the seat
    make('members', () => openMembers(app, room.code)),
    h('a', { ...file, id: 'table-do-csv', text: words.csv }),
  ];
  const forHost = [
    make('rename', () => rename(app, room.kept?.name ?? '')),
    make(locked ? 'unlock' : 'lock', setLock),
    make('stop', () => sendIfConfirmed(app, 'stop', stopKeeping), 'grave'),
    make('delete', () => sendIfConfirmed(app, 'delete', { type: 'delete_table' }), 'grave'),
  ];
  const items = room.kept ? [...forAll, ...(amHost(state) ? forHost : [])] : [keeping.element];
  const { dialog, open } = makeMenu('table-actions', nameOfTable(room), ...items);
  // Close the menu before the press does anything, since that may open a question.
  dialog.addEventListener('click', () => dialog.close(), true);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  open(event);
}

/** Ask for a new name of the table, and send it. @param {App} app @param {string} value the current name */
async function rename(app, value) {
  const { ASK, no } = strings.TABLE_MENU;
  const looks = { id: 'table-name', 'aria-label': ASK.rename.title };
  const option = lineInput(NAME_LENGTH, { ...looks, value });
  const agreed = await ask({ ...ASK.rename, no, option });
  const name = option.value.trim();
  if (agreed && name) app.send({ type: 'keep', name, kept: true });
}

/**
 * Return everybody with a name at a table, even former members. `mayHost`: this player may make them host.
 * @param {TableHistory} history @param {State} state
 */
export function peopleOf({ members, standings }, { room, me }) {
  const isHost = room?.host === me?.seat;
  const all = [...standings.flatMap(({ rows }) => rows), ...members];
  const people = new Map(all.map((person) => [person.seat, person]));
  return [...people.values()].flatMap(({ seat, name, colour }) => {
    const isOwn = seat === me?.seat;
    const here = room?.seats.find((each) => each.seat === seat && !each.level); // no computer player hosts
    const mayHost = isHost && !isOwn && here?.connection === 'on';
    return name ? [{ seat, name, colour, mayHost, mayForget: isHost || isOwn }] : [];
  });
}

/** @param {App} app @param {string} code of the room */
async function openMembers(app, code) {
  const words = strings.TABLE_MENU;
  /** @type {TableHistory | null} */
  const history = await fetchDocument(`/api/rooms/${code}/table`).catch(() => null);
  if (!history) return app.announce(strings.NOT_LOADED);
  /** Make a button that asks first. @param {'hand_over' | 'forget'} type @param {number} seat @param {string} name */
  function makeButton(type, seat, name) {
    const { yes } = words.ASK[type];
    return personButton(type, 'plain', yes, `${name}: ${yes}`, async () => {
      if (await sendIfConfirmed(app, type, { type, seat }, words[type](name))) dialog.close();
    });
  }
  const rows = peopleOf(history, app.state()).map(({ seat, name, colour, mayHost, mayForget }) => {
    const who = h('bdi', { class: 'line host-name' });
    writeName(who, name, undefined, colour);
    const host = mayHost && makeButton('hand_over', seat, name);
    // Others can only forget somebody who is away. Anybody who can be made host is in the room.
    const forget = mayForget && !mayHost && makeButton('forget', seat, name);
    return h('li', { class: 'row host-person', 'data-seat': seat }, who, host, forget);
  });
  const list = h('ul', {}, ...rows);
  const dialog = openDialog('members', strings.TABLE.members, strings.BUTTONS.close, list);
}

/** Show the code that moves this player's seat to another device, to scan or as a link. @param {App} app */
export function showCarry(app) {
  const { carried, room } = app.state();
  if (!carried || !room) return;
  const { ITEMS, carry, link: label, until } = strings.TABLE_MENU;
  const value = `${linkFor(`/r/${room.code}`)}#seat=${carried.code}`;
  const link = h('input', { id: 'carry-link', readonly: true, 'aria-label': label, value });
  const note = h('p', { class: 'text-small', role: 'status', text: until(carried.until) });
  const viewBox = `0 0 ${carried.size} ${carried.size}`;
  const box = { class: 'invitation-qr', viewBox, role: 'img', 'aria-label': strings.ROOM.qr };
  const picture = svg('svg', box, svg('path', { d: carried.qr }));
  const copy = copyButton('carry-copy', link, (text) => set(note, { text }));
  const row = h('div', { class: 'field-framed invitation-link' }, link, copy);
  const body = h('div', { class: 'stack centre' }, h('p', { text: carry }), picture, row, note);
  openDialog('carry', ITEMS.carry, strings.BUTTONS.close, body);
}
