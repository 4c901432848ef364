// The front page, and the page behind a room's link.

import { strings } from '../core/language.js';
import { storedName, storedRoom, storeName } from '../core/preferences.js';
import { NAME_LENGTH } from '../core/protocol.js';
import { codeIn, roundIn } from '../core/room-code.js';
import { h, keyed, listen, write } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';

/**
 * @import {PublicRoom, Settings} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {object} Landing
 * @property {App} app
 * @property {HTMLInputElement} name
 * @property {HTMLElement} nameProblem
 * @property {HTMLElement} games
 * @property {HTMLInputElement} code
 * @property {HTMLElement} problem
 * @property {HTMLElement} publicRooms the section
 * @property {HTMLElement} list of the public rooms
 */

const POLL_MS = 10_000;
const FIRST_GAME = 'spider-4';

/** Draw a fan of cards over the title. */
function hero() {
  const fan = ['KS', 'QS', 'JS', 'TS', '9S'].map((card) => {
    const element = h('div', { class: 'card' });
    element.dataset.card = card;
    return element;
  });
  return h('div', { class: 'landing-hero', 'aria-hidden': 'true' }, ...fan);
}

/** @param {...(Node | string)} words */
const title = (...words) =>
  h(
    'header',
    { class: 'page-title' },
    hero(),
    h('h1', { text: 'Spider Race' }),
    h('p', {}, ...words),
  );

const nameInput = () =>
  h('input', {
    id: 'name',
    name: 'nickname',
    value: storedName(),
    maxlength: NAME_LENGTH,
    autocomplete: 'nickname',
    spellcheck: 'false',
    required: true,
  });

/** @param {HTMLElement} input */
const nameField = (input) =>
  h('label', { class: 'field' }, h('span', { text: strings.LANDING.name }), input);

/** @param {string} id */
const problemLine = (id) => h('p', { class: 'problem', id, role: 'alert' });

/**
 * Return the name and remember it, or ask for one.
 *
 * @param {HTMLInputElement} input
 * @param {HTMLElement} problem
 * @returns {string | null} null if there is none
 */
function readName(input, problem) {
  const name = input.value.trim();
  input.setAttribute('aria-invalid', String(!name));
  write(problem, name ? '' : strings.LANDING.nameFirst);
  if (!name) {
    input.focus();
    return null;
  }
  storeName(name);
  return name;
}

/** The choice of the game. */
function gamesField() {
  const field = h('fieldset', { class: 'choice' }, h('legend', { text: strings.LANDING.game }));
  for (const [id, text] of Object.entries(strings.LANDING.suits)) {
    const button = h('input', {
      type: 'radio',
      name: 'game',
      value: id,
      checked: id === FIRST_GAME,
    });
    field.append(h('label', {}, button, h('span', { text })));
  }
  return field;
}

/** @param {Landing} landing @returns {Settings['game']} */
function chosenGame({ games }) {
  const chosen = games.querySelector('input:checked');
  const value = chosen instanceof HTMLInputElement ? chosen.value : '';
  return /** @type {Settings['game']} */ (value in strings.GAMES ? value : FIRST_GAME);
}

/** Open a room. @param {Landing} landing @param {boolean} alone whether its only race is practice */
function create(landing, alone) {
  const name = readName(landing.name, landing.nameProblem);
  // Hints for a player who is alone put nobody at a disadvantage.
  const settings = { game: chosenGame(landing), ...(alone ? { hints: true } : {}) };
  if (name) landing.app.enter({ type: 'create', name, settings }, { alone });
}

/** Go to the room of the typed code or link. @param {Landing} landing */
function join({ app, code, problem }) {
  const found = codeIn(code.value);
  code.setAttribute('aria-invalid', String(!found));
  if (!found) {
    write(problem, strings.LANDING.codeHint);
    code.focus();
    return;
  }
  app.visit(found, roundIn(code.value)?.n);
}

/** @param {(event: Event) => void} action */
const submitting = (action) => (/** @type {Event} */ event) => {
  event.preventDefault();
  action(event);
};

/** The button that leads back to the last room. @param {App} app */
function backButton(app) {
  const room = storedRoom();
  if (!room) return null;
  return h(
    'button',
    { id: 'back', type: 'button', class: 'quiet', onclick: () => app.visit(room) },
    strings.LANDING.backTo,
    h('span', { class: 'room-code', text: strings.grouped(room) }),
  );
}

/** The forms to create a room and to join one. @param {Landing} landing */
function forms(landing) {
  const words = strings.LANDING;
  const buttons = h(
    'div',
    { class: 'buttons wide' },
    h('button', { id: 'create', type: 'submit', class: 'primary', text: words.create }),
    h('button', {
      id: 'practice',
      type: 'button',
      text: words.practice,
      onclick: () => create(landing, true),
    }),
  );
  return h(
    'section',
    { class: 'panel', 'aria-label': words.play },
    h(
      'form',
      { onsubmit: submitting(() => create(landing, false)), novalidate: true },
      nameField(landing.name),
      landing.nameProblem,
      landing.games,
      buttons,
    ),
    h('p', { class: 'landing-or', 'aria-hidden': 'true' }, h('span', { text: words.or })),
    h(
      'form',
      { class: 'inline-form', onsubmit: submitting(() => join(landing)) },
      landing.code,
      h('button', { id: 'join', type: 'submit', text: words.join }),
    ),
    landing.problem,
    backButton(landing.app),
  );
}

/** Bind the front page. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindLanding(root, app) {
  const words = strings.LANDING;
  const list = h('ul', { class: 'landing-rooms' });
  /** @type {Landing} */
  const landing = {
    app,
    name: nameInput(),
    nameProblem: problemLine('name-problem'),
    games: gamesField(),
    code: h('input', {
      id: 'code',
      name: 'code',
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      placeholder: words.code,
      'aria-label': words.codeLabel,
    }),
    problem: problemLine('problem'),
    publicRooms: h(
      'section',
      { class: 'panel', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
      h('h2', { id: 'public-title', text: words.open }),
      list,
    ),
    list,
  };
  const below = h(
    'div',
    { class: 'landing-below' },
    h('a', { id: 'tips', href: '/strategy', text: words.tips }),
    languageField(app),
  );
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing' },
      title(words.tagline),
      forms(landing),
      landing.publicRooms,
      below,
    ),
  );
  write(landing.problem, app.why());
  const timer = setInterval(() => poll(landing), POLL_MS);
  const unlisten = listen(document, 'visibilitychange', () => poll(landing));
  poll(landing);
  if (!landing.name.value) landing.name.focus();
  return {
    update() {},
    unbind() {
      clearInterval(timer);
      unlisten();
    },
  };
}

/** Show the public rooms of the moment. @param {Landing} landing */
async function poll({ app, publicRooms, list }) {
  if (document.visibilityState === 'hidden') return;
  const answer = await fetch('/api/rooms').catch(() => null);
  /** @type {PublicRoom[]} */
  const rooms = answer?.ok ? (await answer.json()).rooms : [];
  publicRooms.hidden = rooms.length === 0;
  keyed(
    list,
    rooms,
    (room) => room.code,
    (room) => makeRoom(app, room),
    updateRoom,
  );
}

/** @param {App} app @param {PublicRoom} room */
function makeRoom(app, room) {
  return h(
    'li',
    {},
    h('span', { class: 'landing-host' }),
    h('span', { class: 'landing-about' }),
    h('button', {
      type: 'button',
      text: strings.LANDING.join,
      onclick: () => app.visit(room.code),
    }),
  );
}

/** @param {HTMLElement} element @param {PublicRoom} room */
function updateRoom(element, room) {
  const [host, about, button] = element.children;
  if (host) write(host, room.host);
  if (about) write(about, strings.publicRoom(room));
  button?.setAttribute('aria-label', strings.joinRoomOf(room.host));
}

/**
 * Bind the page behind a room's link, which asks only for a name.
 *
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string} code
 * @returns {Bound}
 */
export function bindJoin(root, app, code) {
  const words = strings.LANDING;
  const input = nameInput();
  const problem = problemLine('problem');

  /** @param {'player' | 'spectator'} role */
  function enter(role) {
    const name = readName(input, problem);
    if (name) app.enter({ type: 'join', room: code, name, role }, { alone: false });
  }

  const form = h(
    'form',
    { onsubmit: submitting(() => enter('player')), novalidate: true },
    nameField(input),
    h(
      'div',
      { class: 'buttons wide' },
      h('button', { id: 'join', type: 'submit', class: 'primary', text: words.joinRace }),
      h('button', {
        id: 'watch',
        type: 'button',
        text: words.watch,
        onclick: () => enter('spectator'),
      }),
    ),
    problem,
  );
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing' },
      title(words.invited, h('strong', { class: 'room-code', text: strings.grouped(code) })),
      h(
        'section',
        { class: 'panel', 'aria-label': words.join },
        form,
        h('p', { class: 'small-text landing-back' }, h('a', { href: '/', text: words.back })),
      ),
      languageField(app),
    ),
  );
  write(problem, app.why());
  input.focus();
  return { update() {}, unbind() {} };
}
