// The front page.

import { fetchInvitation } from '../core/invitations.js';
import { strings } from '../core/language.js';
import { storedName, storedRace, storedRoom, storedSeat, storeRace } from '../core/preferences.js';
import { ErrorCode } from '../core/protocol.js';
import { codeIn, roundIn } from '../core/room-code.js';
import { h, write } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';
import { loadPart } from '../shared/lazy-part.js';
import { bindOpenRooms } from './open-rooms.js';
import { nameField, nameInput, onSubmit, problemLine, readName, title } from './parts.js';

/**
 * @import {RefusalDetails, Settings} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {object} Landing
 * @property {App} app
 * @property {HTMLInputElement} name
 * @property {HTMLElement} nameProblem
 * @property {HTMLElement} games
 * @property {HTMLInputElement} code
 * @property {HTMLElement} problem
 */

/** @type {RefusalDetails} */
const NO_DETAILS = { cards: [], piles: [], fields: [], reason: null };
const FIRST_GAME = 'spider-1';

/** Make the choice of the game. */
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

/** Return the chosen game. @param {Landing} landing @returns {Settings['game']} */
function chosenGame({ games }) {
  const chosen = games.querySelector('input:checked');
  const value = chosen instanceof HTMLInputElement ? chosen.value : '';
  return /** @type {Settings['game']} */ (value in strings.GAMES ? value : FIRST_GAME);
}

/** Open a room. @param {Landing} landing */
function create(landing) {
  const name = readName(landing.name, landing.nameProblem);
  const settings = { game: chosenGame(landing) };
  if (name) landing.app.enter({ type: 'create', name, settings }, { alone: false });
}

/** Begin to practise at once; no other player sees the name, so it may be missing. @param {Landing} landing */
function practise(landing) {
  const name = landing.name.value.trim() || storedName() || strings.LANDING.me;
  // A room for one player has no countdown, and hints are no disadvantage to others.
  const practice = { max_players: 1, time_limit_s: null, hints: true };
  const settings = { game: chosenGame(landing), ...practice };
  landing.app.enter({ type: 'create', name, settings }, { alone: true });
}

/** Go to the room of the typed code or link, if there is one. @param {Landing} landing */
async function join({ app, code, problem }) {
  const room = codeIn(code.value);
  const showProblem = (/** @type {string} */ text) => {
    code.setAttribute('aria-invalid', String(text !== ''));
    write(problem, text);
    if (text) code.focus();
  };
  showProblem(room ? '' : strings.LANDING.codeHint);
  if (!room) return;
  const round = roundIn(code.value)?.n;
  const mayExist = round || storedSeat(room) || (await fetchInvitation(room)) !== null;
  if (!code.isConnected) return;
  if (mayExist) app.visit(room, round);
  else showProblem(strings.refusal(ErrorCode.NO_SUCH_ROOM, NO_DETAILS));
}

/** Return the room with the running race that this player has left, if there is one. */
function roomOfRace() {
  const room = storedRace();
  return room && storedSeat(room) ? room : null;
}

/**
 * Make the way back to a running race, which is the first thing on the page; it goes if the race is
 * over meanwhile.
 *
 * @param {App} app
 * @param {string} room its code
 * @param {() => void} over called if the race is over
 */
function wayToRace(app, room, over) {
  const words = strings.LANDING;
  const element = h(
    'section',
    { class: 'panel landing-race', 'aria-labelledby': 'race-on' },
    h('h2', { id: 'race-on', text: words.raceOn }),
    h('button', {
      id: 'back',
      type: 'button',
      class: 'primary',
      text: words.backToRace,
      onclick: () => app.visit(room),
    }),
  );
  fetchInvitation(room).then((found) => {
    if (found === undefined || found?.state === 'RUNNING') return;
    storeRace(null);
    element.remove();
    if (found) over();
  });
  return element;
}

/** Make the button that leads back to the last room, if there is one. @param {App} app */
function backButton(app) {
  const room = storedRoom();
  if (!room || roomOfRace()) return null;
  return h(
    'button',
    { id: 'back', type: 'button', class: 'quiet', onclick: () => app.visit(room) },
    strings.LANDING.backTo,
    h('span', { class: 'room-code', text: strings.grouped(room) }),
  );
}

/** Make the forms to create a room and to join one. @param {Landing} landing */
function makeForms(landing) {
  const words = strings.LANDING;
  const buttons = h(
    'div',
    { class: 'buttons wide' },
    h('button', { id: 'create', type: 'submit', class: 'primary', text: words.create }),
    h('button', {
      id: 'practice',
      type: 'button',
      text: words.practice,
      onclick: () => practise(landing),
    }),
  );
  return h(
    'section',
    { class: 'panel', 'aria-label': words.play },
    h(
      'form',
      { onsubmit: onSubmit(() => create(landing)), novalidate: true },
      nameField(landing.name),
      landing.nameProblem,
      landing.games,
      buttons,
    ),
    h('p', { class: 'landing-or', 'aria-hidden': 'true' }, h('span', { text: words.or })),
    h(
      'form',
      { class: 'inline-form', onsubmit: onSubmit(() => join(landing)) },
      landing.code,
      h('button', { id: 'join', type: 'submit', text: words.join }),
    ),
    landing.problem,
    backButton(landing.app),
  );
}

/** Call back once an element is nearly in view. @param {HTMLElement} element @param {() => void} callback */
function whenNearView(element, callback) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      callback();
    },
    { rootMargin: '100px' },
  );
  observer.observe(element);
  return observer;
}

/** Bind the front page. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindLanding(root, app) {
  const words = strings.LANDING;
  const rooms = bindOpenRooms(app);
  const lesson = h('section', { class: 'panel', id: 'lesson' });
  const observer = whenNearView(lesson, () => {
    const load = async () => {
      const module = await import('../help/lesson.js');
      await module.prepareLesson();
      return module;
    };
    loadPart('lesson', load, ({ fillLesson }) => fillLesson(lesson));
  });
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
  };
  const race = roomOfRace();
  const forms = makeForms(landing);
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
      race ? wayToRace(app, race, () => forms.append(backButton(app) ?? '')) : '',
      forms,
      rooms.element,
      lesson,
      below,
    ),
  );
  write(landing.problem, app.reason());
  if (race) document.getElementById('back')?.focus();
  else if (!landing.name.value) landing.name.focus();
  return {
    update() {},
    unbind() {
      rooms.unbind();
      observer.disconnect();
    },
  };
}
