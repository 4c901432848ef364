// The front page, and the page behind a room's link.

import { codeIn } from './code.js';
import { h, keyed, write } from './element.js';
import { storedName, storeName } from './preferences.js';
import { count, GAMES, gameName, grouped } from './strings.js';

/**
 * @import {PublicRoom, Settings} from './protocol.d.ts'
 * @import {App} from './main.js'
 */

const NAME_LENGTH = 24;
const POLL = 10_000;

/** Three cards to say what this is about. */
function hero() {
  const fan = ['KS', 'QS', 'JS', 'TS', '9S'].map((card) => {
    const element = h('div', { class: 'card' });
    element.dataset.card = card;
    return element;
  });
  return h('div', { class: 'hero', 'aria-hidden': 'true' }, ...fan);
}

function nameField() {
  return h('input', {
    id: 'name',
    name: 'nickname',
    value: storedName(),
    maxlength: NAME_LENGTH,
    autocomplete: 'nickname',
    spellcheck: 'false',
    required: true,
  });
}

/**
 * @param {HTMLInputElement} field
 * @param {(text: string) => void} complain
 * @returns {string | null} null, and a hint, if there is none
 */
function nameFrom(field, complain) {
  const name = field.value.trim();
  field.toggleAttribute('aria-invalid', !name);
  if (!name) {
    complain('Please say your name first.');
    field.focus();
    return null;
  }
  storeName(name);
  return name;
}

/** @param {HTMLElement} root @param {App} app */
export function bindLanding(root, app) {
  const name = nameField();
  const code = h('input', {
    id: 'code',
    name: 'code',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    placeholder: 'Code or link',
    'aria-label': 'Room code or link',
  });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const rooms = h('ul', { class: 'rooms' });
  const listing = h(
    'section',
    { class: 'panel', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
    h('h2', { id: 'public-title', text: 'Open rooms' }),
    rooms,
  );
  const games = h('fieldset', { class: 'choice' }, h('legend', { text: 'Game' }));
  for (const [id, words] of [
    ['spider-4', 'Four suits'],
    ['spider-2', 'Two suits'],
    ['spider-1', 'One suit'],
  ]) {
    const button = h('input', {
      type: 'radio',
      name: 'game',
      value: id,
      checked: id === 'spider-4',
    });
    games.append(h('label', {}, button, h('span', { text: words })));
  }
  const complain = (/** @type {string} */ text) => write(problem, text);

  /** @returns {Settings['game']} */
  function game() {
    const chosen = games.querySelector('input:checked');
    const value = chosen instanceof HTMLInputElement ? chosen.value : '';
    return /** @type {Settings['game']} */ (value in GAMES ? value : 'spider-4');
  }

  /** @param {boolean} alone */
  function create(alone) {
    const who = nameFrom(name, complain);
    if (who) app.enter({ type: 'create', name: who, settings: { game: game() } }, { alone });
  }

  /** @param {Event} event */
  function join(event) {
    event.preventDefault();
    const found = codeIn(code.value);
    code.toggleAttribute('aria-invalid', !found);
    if (!found) {
      complain('A code has ten letters and digits; the whole link will do too.');
      code.focus();
      return;
    }
    app.visit(found);
  }

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    create(false);
  }

  root.replaceChildren(
    h(
      'div',
      { class: 'page landing' },
      h(
        'header',
        { class: 'title' },
        hero(),
        h('h1', { text: 'Spider Race' }),
        h('p', { text: 'The same deal, at the same moment, for you and your friends.' }),
      ),
      h(
        'section',
        { class: 'panel', 'aria-label': 'Play' },
        h(
          'form',
          { onsubmit: submitted },
          h('label', { class: 'field' }, h('span', { text: 'Your name' }), name),
          games,
          h(
            'div',
            { class: 'buttons wide' },
            h('button', { id: 'create', type: 'submit', class: 'primary', text: 'Create room' }),
            h('button', {
              id: 'practice',
              type: 'button',
              text: 'Practice alone',
              onclick: () => create(true),
            }),
          ),
        ),
        h('p', { class: 'or', 'aria-hidden': 'true' }, h('span', { text: 'or join friends' })),
        h(
          'form',
          { class: 'joining', onsubmit: join },
          code,
          h('button', { id: 'join', type: 'submit', text: 'Join' }),
        ),
        problem,
      ),
      listing,
    ),
  );

  async function poll() {
    if (document.visibilityState === 'hidden') return;
    const answer = await fetch('/api/rooms').catch(() => null);
    /** @type {PublicRoom[]} */
    const found = answer?.ok ? (await answer.json()).rooms : [];
    listing.hidden = found.length === 0;
    keyed(rooms, found, (room) => room.code, makeRoom, updateRoom);
  }

  /** @param {PublicRoom} room */
  function makeRoom(room) {
    return h(
      'li',
      {},
      h('span', { class: 'who' }),
      h('span', { class: 'what' }),
      h('button', { type: 'button', text: 'Join', onclick: () => app.visit(room.code) }),
    );
  }

  /** @param {HTMLElement} element @param {PublicRoom} room */
  function updateRoom(element, room) {
    const [who, what, button] = element.children;
    const state = { LOBBY: 'waiting', FINISHED: 'between rounds' }[String(room.state)] ?? 'racing';
    if (who) write(who, room.host);
    if (what) write(what, `${gameName(room.game)} · ${count(room.players, 'player')} · ${state}`);
    button?.setAttribute('aria-label', `Join ${room.host}’s room`);
  }

  const timer = setInterval(poll, POLL);
  poll();
  if (!name.value) name.focus();

  return { update() {}, unbind: () => clearInterval(timer) };
}

/**
 * The page behind a link: it only lacks a name.
 *
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string} code
 */
export function bindJoin(root, app, code) {
  const name = nameField();
  const problem = h('p', { class: 'problem', role: 'alert' });

  /** @param {'player' | 'spectator'} role */
  function join(role) {
    const who = nameFrom(name, (text) => write(problem, text));
    if (who) app.enter({ type: 'join', room: code, name: who, role }, { alone: false });
  }

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    join('player');
  }

  root.replaceChildren(
    h(
      'div',
      { class: 'page landing' },
      h(
        'header',
        { class: 'title' },
        hero(),
        h('h1', { text: 'Spider Race' }),
        h('p', {}, 'You are invited to room ', h('strong', { class: 'code', text: grouped(code) })),
      ),
      h(
        'section',
        { class: 'panel', 'aria-label': 'Join' },
        h(
          'form',
          { onsubmit: submitted },
          h('label', { class: 'field' }, h('span', { text: 'Your name' }), name),
          h(
            'div',
            { class: 'buttons wide' },
            h('button', { id: 'join', type: 'submit', class: 'primary', text: 'Join the race' }),
            h('button', {
              id: 'watch',
              type: 'button',
              text: 'Watch',
              onclick: () => join('spectator'),
            }),
          ),
          problem,
        ),
        h('p', { class: 'small' }, h('a', { href: '/', text: 'Back to the front page' })),
      ),
    ),
  );
  name.focus();
  return { update() {}, unbind() {} };
}
