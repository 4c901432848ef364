// Joining where the host decides: the list of those who ask, and the page of one who waits.
//
// Hooks for tests: #requests [data-seat] .let-in .turn-away; of one who waits #waiting-title #leave.

import { strings } from '../core/language.js';
import { amHost } from '../core/reducer.js';
import { h, keyed, sheet, write } from '../shared/element.js';

/**
 * @import {RoomView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {RoomView['waiting'][number]} Waiting
 */

/** @type {HTMLElement | null} */
let shown = null;
let language = '';

/** Shows the host who asks to join, over every screen. @param {App} app */
export function showRequests(app) {
  const state = app.state();
  const waiting = amHost(state) ? (state.room?.waiting ?? []) : [];
  if (shown && (waiting.length === 0 || language !== document.documentElement.lang)) {
    shown.remove();
    shown = null;
  }
  if (waiting.length === 0) return;
  if (!shown) {
    sheet('admission').catch(() => {}); // without it the list stands below the screen
    language = document.documentElement.lang;
    shown = h(
      'section',
      { id: 'requests', 'aria-labelledby': 'requests-title' },
      h('h2', { id: 'requests-title', text: strings.ADMISSION.asking }),
      h('ul', {}),
    );
    document.body.append(shown);
  }
  const list = /** @type {HTMLElement} */ (shown.lastElementChild);
  keyed(
    list,
    waiting,
    ({ seat }) => String(seat),
    (one) => makeRequest(app, one),
    () => {},
  );
}

/** @param {App} app @param {Waiting} one */
function makeRequest(app, { seat, name, role }) {
  const text = strings.ADMISSION;
  const row = h(
    'li',
    {},
    h('bdi', { class: 'who', text: name }),
    h('span', { class: 'tags', text: role === 'spectator' ? text.watches : '' }),
    h('button', {
      type: 'button',
      class: 'primary let-in',
      text: text.letIn,
      'aria-label': text.letInLabel(name),
      onclick: () => app.say({ type: 'admit', seat }),
    }),
    h('button', {
      type: 'button',
      class: 'turn-away',
      text: text.turnAway,
      'aria-label': text.turnAwayLabel(name),
      onclick: () => app.say({ type: 'kick', seat }),
    }),
  );
  row.dataset.seat = String(seat);
  return row;
}

/** The page of one whom the host has not let in yet. @param {HTMLElement} root @param {App} app */
export function bindWaiting(root, app) {
  sheet('admission').catch(() => {});
  const text = strings.ADMISSION;
  const about = h('p');
  const code = h('p', { class: 'code' });
  const leave = h('button', { id: 'leave', type: 'button', text: text.leave });
  leave.addEventListener('click', app.leave);
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing kept-waiting' },
      h(
        'section',
        { class: 'panel', 'aria-labelledby': 'waiting-title' },
        h('h2', { id: 'waiting-title', text: text.waiting }),
        about,
        code,
        h('div', { class: 'buttons' }, leave),
      ),
    ),
  );
  return {
    /** @param {State} state */
    update({ room }) {
      if (!room) return;
      write(about, text.waitingFor(room.seats[0]?.name ?? ''));
      write(code, strings.grouped(room.code));
    },
    unbind() {},
  };
}
