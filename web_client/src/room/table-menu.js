// The menu of a table, and what it opens: its members, and the way to another device.

import { NAME_LENGTH } from '../contract/protocol.js';
import { fetchDocument } from '../page/loads.js';
import { amHost } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask, lineInput, writeName } from '../widgets/controls.js';
import { h, svg } from '../widgets/element.js';
import * as parts from '../widgets/room-parts.js';
import { personButton } from './host.js';
import { configure } from './settings.js';
import { bindKeeping } from './table.js';

/**
 * @import {TableHistory} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

/** Open the menu at its button: what everybody with a seat may do, then what the host may. @param {App} app @param {{currentTarget: EventTarget | null}} event */
export function openTableMenu(app, event) {
  const state = app.state();
  const { room } = state;
  if (!room) return;
  const words = strings.TABLE_MENU;
  const make = (
    /** @type {keyof typeof words.ITEMS} */ id,
    /** @type {() => void} */ onclick,
    kind = 'quiet',
  ) => h('button', { id: `table-do-${id}`, 'data-kind': kind, text: words.ITEMS[id], onclick });
  /** Make an item that sends a message after a question. @param {'stop' | 'delete'} id @param {ClientMessage} message */
  const makeGrave = (id, message) =>
    make(
      id,
      async () => (await ask({ ...words.ASK[id], grave: true })) && app.send(message),
      'grave',
    );
  const { locked } = room.settings;
  const file = { class: 'buttons-link', 'data-kind': 'quiet', id: 'table-do-csv', download: true };
  const ofAll = [
    make('carry', () => app.send({ type: 'carry' })),
    make('members', () => openMembers(app)),
    h('a', { ...file, href: `/api/rooms/${room.code}/table.csv`, text: words.csv }),
  ];
  const ofHost = [
    make('rename', () => rename(app, room.kept?.name ?? '')),
    make(locked ? 'unlock' : 'lock', () => configure(app, (now) => ({ ...now, locked: !locked }))),
    makeGrave('stop', { type: 'keep', name: '', kept: false }),
    makeGrave('delete', { type: 'delete_table' }),
  ];
  const keeping = bindKeeping(app);
  keeping.update(state);
  const items = room.kept ? [...ofAll, ...(amHost(state) ? ofHost : [])] : [keeping.element];
  const { dialog, open } = parts.makeMenu('table-actions', parts.nameOfTable(room), ...items);
  // Any press closes the menu first, since a question may follow.
  dialog.addEventListener('click', () => dialog.close(), true);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  open(event);
}

/** Ask for another name of the table. @param {App} app @param {string} name */
async function rename(app, name) {
  const words = strings.TABLE_MENU;
  const field = lineInput(NAME_LENGTH, { id: 'table-name', value: name, 'aria-label': words.name });
  if ((await ask({ ...words.ASK.rename, option: field })) && field.value.trim())
    app.send({ type: 'keep', name: field.value.trim(), kept: true });
}

/** Return the people who can be forgotten or become host: the members, and those who have left but are in the standings. @param {TableHistory} history @param {State} state */
export function peopleOf({ members, standings }, state) {
  const all = [...standings.flatMap(({ rows }) => rows), ...members];
  const isHost = amHost(state);
  const people = new Map(all.map((person) => [person.seat, person]));
  return [...people.values()]
    .filter(({ name }) => name !== '')
    .map(({ seat, name, colour }) => {
      const own = seat === state.me?.seat;
      const there = state.room?.seats.find((each) => each.seat === seat && !each.level);
      const mayHost = isHost && !own && there?.connection === 'on';
      return { seat, name, colour, mayHost, mayForget: isHost || own };
    });
}

/** Open the list of the members. @param {App} app */
async function openMembers(app) {
  const words = strings.TABLE_MENU;
  /** @type {TableHistory | null} */
  const history = await fetchDocument(`/api/rooms/${app.state().room?.code}/table`).catch(
    () => null,
  );
  if (!history) return app.announce(strings.NOT_LOADED);
  /** Make a button that does something with a person, after a question. @param {'hand_over' | 'forget'} type @param {number} seat @param {string} name */
  function makeButton(type, seat, name) {
    const text = words.PEOPLE[type];
    const question = { ...words.ASK[type], text: words.ABOUT[type](name), grave: true };
    return personButton(type, 'plain', text, `${name}: ${text}`, async () => {
      if (!(await ask(question))) return;
      app.send(/** @type {ClientMessage} */ ({ type, seat }));
      dialog.close();
    });
  }
  const rows = peopleOf(history, app.state()).map(({ seat, name, colour, mayHost, mayForget }) => {
    const who = h('bdi', { class: 'line host-name' });
    writeName(who, name, undefined, colour);
    const buttons = [
      mayHost && makeButton('hand_over', seat, name),
      mayForget && makeButton('forget', seat, name),
    ];
    return h('li', { class: 'row host-person', 'data-seat': seat }, who, ...buttons);
  });
  const list = h('ul', {}, ...rows);
  const dialog = parts.openDialog('members', strings.TABLE.members, strings.BUTTONS.close, list);
}

/** Show the code that moves this player's seat to another device: to scan, or as a link. @param {App} app */
export function showCarry(app) {
  const { carried, room } = app.state();
  if (!carried || !room) return;
  const words = strings.TABLE_MENU;
  const value = `${parts.linkFor(`/r/${room.code}`)}#seat=${carried.code}`;
  const link = h('input', { id: 'carry-link', readonly: true, 'aria-label': words.link, value });
  const note = h('p', { class: 'text-small', role: 'status', text: words.until(carried.until) });
  const box = {
    class: 'invitation-qr',
    viewBox: `0 0 ${carried.size} ${carried.size}`,
    role: 'img',
  };
  const picture = svg(
    'svg',
    { ...box, 'aria-label': strings.ROOM.qr },
    svg('path', { d: carried.qr }),
  );
  const copy = parts.copyButton('carry-copy', link, (text) => (note.textContent = text));
  const row = h('div', { class: 'field-framed invitation-link' }, link, copy);
  const body = h(
    'div',
    { class: 'stack centre' },
    h('p', { text: words.carry }),
    picture,
    row,
    note,
  );
  parts.openDialog('carry', words.ITEMS.carry, strings.BUTTONS.close, body);
}
