// Joining a room whose host decides: the list of people who ask, and the page of a person who waits.

import { amHost, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, loadSheet, write } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 * @typedef {RoomView['waiting'][number]} Request
 */

/** @type {HTMLElement | null} */
let panel = null;
let language = '';

/** Show the host the people who ask to join, over every screen. @param {App} app */
export function showRequests(app) {
  const state = app.state();
  const waiting = amHost(state) ? (state.room?.waiting ?? []) : [];
  if (panel && (waiting.length === 0 || language !== document.documentElement.lang)) {
    panel.remove();
    panel = null;
  }
  if (waiting.length === 0) return;
  if (!panel) {
    loadSheet('requests').catch(() => {}); // without the sheet the list is below the screen
    language = document.documentElement.lang;
    panel = h(
      'section',
      { class: 'requests', id: 'requests', 'aria-labelledby': 'requests-title' },
      h('h2', { id: 'requests-title', text: strings.ADMISSION.asking }),
      h('ul', {}),
    );
    document.body.append(panel);
  }
  const list = /** @type {HTMLElement} */ (panel.lastElementChild);
  keyed(
    list,
    waiting,
    ({ seat }) => String(seat),
    (request) => makeRequest(app, request),
    () => {},
  );
}

/** Make the row of a join request. @param {App} app @param {Request} request */
function makeRequest(app, { seat, name, role, kind }) {
  const text = strings.ADMISSION;
  /** Make a button. @param {string} action @param {string} words @param {string} label @param {() => void} onclick */
  function button(action, words, label, onclick) {
    const made = h('button', { text: words, 'aria-label': label, onclick });
    made.dataset.action = action;
    return made;
  }
  const admit = button('admit', text.letIn, text.letInLabel(name), () =>
    app.send({ type: 'admit', seat }),
  );
  admit.dataset.kind = 'primary';
  const who = h('bdi', { class: 'requests-name', 'data-part': 'name' });
  writeName(who, name, programAt({ kind }));
  const row = h(
    'li',
    {},
    who,
    h('span', { class: 'requests-role', text: role === 'spectator' ? text.watches : '' }),
    admit,
    button('turn-away', text.turnAway, text.turnAwayLabel(name), () =>
      app.send({ type: 'kick', seat }),
    ),
  );
  row.dataset.seat = String(seat);
  return row;
}

/** Bind the page of a person whom the host has not let in yet. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindWaiting(root, app) {
  loadSheet('requests').catch(() => {});
  const text = strings.ADMISSION;
  const about = h('p');
  const code = h('p', { class: 'text-code' });
  const leave = h('button', { id: 'leave', text: text.leave, onclick: app.leave });
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing requests-waiting' },
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
