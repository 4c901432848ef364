// The front page, and the page behind a room's link.

import { strings } from '../core/language.js';
import { storedName, storedRoom, storeName } from '../core/preferences.js';
import { codeIn, roundIn } from '../core/room-code.js';
import { h, keyed, listen, write } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';

/**
 * @import {PublicRoom, Settings} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
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
  field.setAttribute('aria-invalid', String(!name));
  complain(name ? '' : strings.LANDING.nameFirst);
  if (!name) {
    field.focus();
    return null;
  }
  storeName(name);
  return name;
}

/** @param {HTMLElement} root @param {App} app */
export function bindLanding(root, app) {
  const words = strings.LANDING;
  const name = nameField();
  const code = h('input', {
    id: 'code',
    name: 'code',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    placeholder: words.code,
    'aria-label': words.codeLabel,
  });
  const problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });
  const nameProblem = h('p', { class: 'problem', id: 'name-problem', role: 'alert' });
  const rooms = h('ul', { class: 'rooms' });
  const listing = h(
    'section',
    { class: 'panel', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
    h('h2', { id: 'public-title', text: words.open }),
    rooms,
  );
  const games = h('fieldset', { class: 'choice' }, h('legend', { text: words.game }));
  for (const [id, text] of Object.entries(words.suits)) {
    const button = h('input', {
      type: 'radio',
      name: 'game',
      value: id,
      checked: id === 'spider-4',
    });
    games.append(h('label', {}, button, h('span', { text })));
  }
  const complain = (/** @type {string} */ text) => write(problem, text);
  const left = storedRoom();
  const goBack = () => left && app.visit(left);

  /** @returns {Settings['game']} */
  function game() {
    const chosen = games.querySelector('input:checked');
    const value = chosen instanceof HTMLInputElement ? chosen.value : '';
    return /** @type {Settings['game']} */ (value in strings.GAMES ? value : 'spider-4');
  }

  /** @param {boolean} alone */
  function create(alone) {
    const who = nameFrom(name, (text) => write(nameProblem, text));
    // Alone there is nobody whom a hint would wrong.
    const settings = { game: game(), ...(alone ? { hints: true } : {}) };
    if (who) app.enter({ type: 'create', name: who, settings }, { alone });
  }

  /** @param {Event} event */
  function join(event) {
    event.preventDefault();
    const found = codeIn(code.value);
    code.setAttribute('aria-invalid', String(!found));
    if (!found) {
      complain(words.codeHint);
      code.focus();
      return;
    }
    app.visit(found, roundIn(code.value)?.n);
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
        h('p', { text: words.tagline }),
      ),
      h(
        'section',
        { class: 'panel', 'aria-label': words.play },
        h(
          'form',
          { onsubmit: submitted, novalidate: true },
          h('label', { class: 'field' }, h('span', { text: words.name }), name),
          nameProblem,
          games,
          h(
            'div',
            { class: 'buttons wide' },
            h('button', { id: 'create', type: 'submit', class: 'primary', text: words.create }),
            h('button', {
              id: 'practice',
              type: 'button',
              text: words.practice,
              onclick: () => create(true),
            }),
          ),
        ),
        h('p', { class: 'or', 'aria-hidden': 'true' }, h('span', { text: words.or })),
        h(
          'form',
          { class: 'joining', onsubmit: join },
          code,
          h('button', { id: 'join', type: 'submit', text: words.join }),
        ),
        problem,
        left &&
          h(
            'button',
            { id: 'back', type: 'button', class: 'quiet', onclick: goBack },
            words.backTo,
            h('span', { class: 'code', text: strings.grouped(left) }),
          ),
      ),
      listing,
      h(
        'div',
        { class: 'below' },
        h('a', { id: 'tips', href: '/strategy', text: words.tips }),
        languageField(app),
      ),
    ),
  );

  write(problem, app.why());

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
      h('button', { type: 'button', text: words.join, onclick: () => app.visit(room.code) }),
    );
  }

  /** @param {HTMLElement} element @param {PublicRoom} room */
  function updateRoom(element, room) {
    const [who, what, button] = element.children;
    if (who) write(who, room.host);
    if (what) write(what, strings.publicRoom(room));
    button?.setAttribute('aria-label', strings.joinRoomOf(room.host));
  }

  const timer = setInterval(poll, POLL);
  const unlisten = listen(document, 'visibilitychange', poll);
  poll();
  if (!name.value) name.focus();

  return {
    update() {},
    unbind() {
      clearInterval(timer);
      unlisten();
    },
  };
}

/**
 * The page behind a link: it only lacks a name.
 *
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string} code
 */
export function bindJoin(root, app, code) {
  const words = strings.LANDING;
  const name = nameField();
  const problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });

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
        h('p', {}, words.invited, h('strong', { class: 'code', text: strings.grouped(code) })),
      ),
      h(
        'section',
        { class: 'panel', 'aria-label': words.join },
        h(
          'form',
          { onsubmit: submitted, novalidate: true },
          h('label', { class: 'field' }, h('span', { text: words.name }), name),
          h(
            'div',
            { class: 'buttons wide' },
            h('button', { id: 'join', type: 'submit', class: 'primary', text: words.joinRace }),
            h('button', {
              id: 'watch',
              type: 'button',
              text: words.watch,
              onclick: () => join('spectator'),
            }),
          ),
          problem,
        ),
        h('p', { class: 'small back-link' }, h('a', { href: '/', text: words.back })),
      ),
      languageField(app),
    ),
  );
  write(problem, app.why());
  name.focus();
  return { update() {}, unbind() {} };
}
