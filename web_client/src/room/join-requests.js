// Joining a room whose host decides: the list of people who ask, and the page of a person who waits.

import { amHost, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, write } from '../widgets/element.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** The list over the screen, in the language that it was made in. @type {{element: HTMLElement, rows: HTMLElement, language: string} | null} */
let panel = null;

/** Show the host the people who ask to join, over every screen. @param {App} app */
export function showRequests(app) {
  const state = app.state();
  const waiting = amHost(state) ? (state.room?.waiting ?? []) : [];
  if (panel && (waiting.length === 0 || panel.language !== document.documentElement.lang)) {
    panel.element.remove();
    panel = null;
  }
  if (waiting.length === 0) return;
  panel ??= openPanel();
  keyed(
    panel.rows,
    waiting,
    ({ seat }) => String(seat),
    (request) => makeRequest(app, request),
    () => {},
  );
}

/** Open the list. */
function openPanel() {
  const rows = h('ul');
  const element = h(
    'section',
    { class: 'panel requests', id: 'requests', 'aria-labelledby': 'requests-title' },
    h('h2', { id: 'requests-title', text: strings.ADMISSION.asking }),
    rows,
  );
  document.body.append(element);
  return { element, rows, language: document.documentElement.lang };
}

/** Make the row of a join request. @param {App} app @param {RoomView['waiting'][number]} request */
function makeRequest(app, { seat, name, role, kind }) {
  const words = strings.ADMISSION;
  const who = h('bdi', { class: 'requests-name', 'data-part': 'name' });
  writeName(who, name, programAt({ kind }));
  return h(
    'li',
    { 'data-seat': seat },
    who,
    role === 'spectator' && h('span', { text: words.watches }),
    h('button', {
      'data-action': 'admit',
      'data-kind': 'primary',
      text: words.letIn,
      'aria-label': strings.DO_TO.letIn(name),
      onclick: () => app.send({ type: 'admit', seat }),
    }),
    h('button', {
      'data-action': 'turn-away',
      text: words.turnAway,
      'aria-label': strings.DO_TO.turnAway(name),
      onclick: () => app.send({ type: 'kick', seat }),
    }),
  );
}

/** Bind the page of a person whom the host has not let in yet. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindWaiting(root, app) {
  const words = strings.ADMISSION;
  const about = h('p');
  const code = h('p', { class: 'text-code' });
  const leave = h('button', { id: 'leave', text: words.leave, onclick: app.leave });
  const page = h(
    'section',
    { class: 'panel', 'aria-labelledby': 'waiting-title' },
    h('h2', { id: 'waiting-title', text: words.waiting }),
    about,
    code,
    h('div', { class: 'buttons' }, leave),
  );
  root.replaceChildren(h('div', { class: 'page landing requests-waiting' }, page));
  return {
    /** @param {State} state */
    update({ room }) {
      if (!room) return;
      write(about, words.waitingFor(room.seats[0]?.name ?? ''));
      write(code, strings.grouped(room.code));
    },
    unbind() {},
  };
}
