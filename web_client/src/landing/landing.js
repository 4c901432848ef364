// The front page.

import {
  storedName,
  storedRace,
  storedRoom,
  storedSeat,
  storeName,
  storeRace,
} from '../browser/storage.js';
import { GAMES } from '../contract/games.js';
import { ErrorCode } from '../contract/protocol.js';
import { after } from '../late.js';
import { fetchInvitation } from '../page/invitations.js';
import { codeIn, roundIn } from '../page/room-code.js';
import { PRACTICE } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, loadSheet, write } from '../widgets/element.js';
import { languageField } from '../widgets/language-field.js';
import {
  drawCard,
  nameField,
  nameInput,
  onSubmit,
  problemLine,
  readName,
  title,
} from './entry-form.js';
import { bindOpenRooms } from './open-rooms.js';
import { makeStrengths } from './strength-choice.js';

/**
 * @import {AddBot, Invitation, RefusalDetails, Settings} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {Pace} from '../widgets/pace-field.js'
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
/** @type {Settings['undo']} */
const FULL_UNDO = 'free';
/** The time after which the page is at rest. */
const IDLE_MS = 1_500;
const [{ family: FIRST_FAMILY }] = Object.values(GAMES);
/** The games to choose from, the easiest one first. */
const OFFERED = Object.entries(GAMES)
  .map(([id, { family, suits }]) => ({ id, family, suits }))
  .filter(({ family }) => family === FIRST_FAMILY)
  .sort((one, other) => one.suits - other.suits);

/** Make the choice of the game. */
function gamesField() {
  const field = h('fieldset', { class: 'choice' }, h('legend', { text: strings.LANDING.game }));
  for (const { id, suits } of OFFERED) {
    const text = strings.LANDING.suits[suits];
    const button = h('input', {
      type: 'radio',
      name: 'game',
      value: id,
      checked: id === OFFERED[0].id,
    });
    field.append(h('label', {}, button, h('span', { text })));
  }
  return field;
}

/** Return the chosen game. @param {Landing} landing @returns {Settings['game']} */
function chosenGame({ games }) {
  const chosen = games.querySelector('input:checked');
  const value = chosen instanceof HTMLInputElement ? chosen.value : '';
  return /** @type {Settings['game']} */ (value in GAMES ? value : OFFERED[0].id);
}

/**
 * Return the settings of a race among friends: players whose game is over watch the others, since
 * they can gain nothing any more.
 * @param {Landing} landing
 * @returns {Partial<Settings>}
 */
const amongFriends = (landing) => ({ game: chosenGame(landing), spectate: 'boards' });

/** Open a room. @param {Landing} landing */
function create(landing) {
  const name = readName(landing.name, landing.nameProblem);
  const settings = amongFriends(landing);
  if (name) landing.app.enter({ type: 'create', name, settings }, { startsAtOnce: false });
}

/** Return the name for a game without other people, where it may be missing. @param {Landing} landing */
function nameAlone({ name }) {
  return name.value.trim() || storedName() || strings.LANDING.me;
}

/** Begin to practise at once. @param {Landing} landing */
function practise(landing) {
  const name = nameAlone(landing);
  // A room for one player has no countdown; undo and hints are no disadvantage to others.
  const settings = { game: chosenGame(landing), ...PRACTICE, undo: FULL_UNDO, hints: true };
  landing.app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
}

/** Race a computer player at once. @param {Landing} landing @param {AddBot['level']} against @param {Pace} pace */
function raceComputer(landing, against, pace) {
  const typed = landing.name.value.trim();
  if (typed) storeName(typed);
  const settings = amongFriends(landing);
  landing.app.enter({ type: 'create', name: nameAlone(landing), settings }, { against, pace });
}

/** Return whether a player can sit down in a room without knowing more about it. @param {Invitation} room */
const isOpen = ({ locked, full, watchable, running_ms }) =>
  !locked && !full && watchable && running_ms === null;

/** Go to the room of the typed code or link, if there is one; with a name, to a seat in it. @param {Landing} landing */
async function join({ app, name, code, problem }) {
  const room = codeIn(code.value);
  const showProblem = (/** @type {string} */ text) => {
    code.setAttribute('aria-invalid', String(text !== ''));
    write(problem, text);
    if (text) code.focus();
  };
  showProblem(room ? '' : strings.LANDING.codeHint);
  if (!room) return;
  const round = roundIn(code.value)?.n;
  const isKnown = round || storedSeat(room);
  const found = isKnown ? undefined : await fetchInvitation(room);
  if (!code.isConnected) return;
  const typed = name.value.trim();
  if (typed) storeName(typed);
  if (found && typed && isOpen(found))
    app.enter({ type: 'join', room, name: typed, role: 'player' }, { startsAtOnce: false });
  else if (found !== null) app.visit(room, round);
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
      'data-kind': 'primary',
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
    { id: 'back', 'data-kind': 'quiet', onclick: () => app.visit(room) },
    strings.LANDING.backTo,
    h('span', { class: 'text-code', text: strings.grouped(room) }),
  );
}

/** Make the form of the name and the game, which hold for every race. @param {Landing} landing */
const makeChoices = (landing) =>
  h(
    'form',
    {
      class: 'panel landing-choices',
      id: 'choices',
      'aria-label': strings.LANDING.play,
      onsubmit: onSubmit(() => create(landing)),
      novalidate: true,
    },
    nameField(landing.name, landing.nameProblem),
    landing.games,
  );

/**
 * Make the card of a way to race, with a picture and a line about it.
 * @param {string} id
 * @param {{title: string, about: string}} words
 * @param {Node[]} picture
 * @param {...Node} children
 */
const makeWay = (id, { title: name, about }, picture, ...children) =>
  h(
    'section',
    { class: 'panel landing-way', id, 'aria-labelledby': `${id}-title` },
    h('div', { class: 'landing-picture', 'aria-hidden': 'true' }, ...picture),
    h('h2', { id: `${id}-title`, text: name }),
    h('p', { class: 'text-small', text: about }),
    ...children,
  );

/** Make the card of races with friends: open a room, or join one. @param {Landing} landing */
function makeFriends(landing) {
  const words = strings.LANDING;
  return makeWay(
    'friends',
    words.friends,
    [drawCard({ 'data-card': 'KS' }), drawCard({ 'data-card': 'KS' })],
    h('button', {
      id: 'create',
      type: 'submit',
      form: 'choices',
      'data-kind': 'primary',
      text: words.create,
    }),
    h('p', { class: 'landing-or', 'aria-hidden': 'true' }, h('span', { text: words.or })),
    h(
      'form',
      { class: 'field-row', onsubmit: onSubmit(() => join(landing)) },
      landing.code,
      h('button', { id: 'join', type: 'submit', text: words.join }),
    ),
    landing.problem,
  );
}

/** Make the card of practice. @param {Landing} landing */
function makeAlone(landing) {
  const words = strings.LANDING;
  return makeWay(
    'alone',
    words.alone,
    [drawCard({ 'data-card': 'AS' })],
    h('button', { id: 'practice', text: words.practice, onclick: () => practise(landing) }),
  );
}

/** Call back once an element is in view. @param {HTMLElement} element @param {() => void} callback */
function whenInView(element, callback) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      callback();
    },
    { rootMargin: '0px 0px -64px' }, // an edge of it is not worth its files
  );
  observer.observe(element);
  return observer;
}

/**
 * Load the race that plays itself, once the page has nothing else to do. It is an ornament: if it
 * cannot be loaded, the page does without it.
 * @returns {() => void} the unbinder
 */
function keepRace() {
  let isBound = true;
  let unbind = () => {};
  const load = async () => {
    const place = document.querySelector('.landing-hero');
    const [{ bindLivingRace }] = await Promise.all([
      import('./living-race.js'),
      loadSheet('living'),
    ]);
    if (isBound && place instanceof HTMLElement) unbind = bindLivingRace(place);
  };
  setTimeout(() => load().catch(() => {}), IDLE_MS);
  return () => {
    isBound = false;
    unbind();
  };
}

/** Bind the front page. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindLanding(root, app) {
  const words = strings.LANDING;
  const rooms = bindOpenRooms(app);
  const lesson = h('section', { class: 'panel landing-lesson', id: 'lesson' });
  const observer = whenInView(lesson, () =>
    after.use('front page', ({ fillLesson }) => fillLesson(lesson)),
  );
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
  const friends = makeFriends(landing);
  const addWayBack = () => friends.append(backButton(app) ?? '');
  addWayBack();
  const below = h(
    'div',
    { class: 'landing-below' },
    h('a', { id: 'tips', href: '/strategy', text: words.tips }),
    languageField(app.speak),
  );
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing landing-front' },
      title(words.tagline),
      race ? wayToRace(app, race, addWayBack) : '',
      makeChoices(landing),
      h(
        'div',
        { class: 'landing-ways' },
        friends,
        makeWay(
          'computer',
          words.computer,
          [drawCard({ 'data-back': true })],
          ...makeStrengths((level, pace) => raceComputer(landing, level, pace)),
        ),
        makeAlone(landing),
      ),
      rooms.element,
      lesson,
      below,
    ),
  );
  write(landing.problem, app.reason());
  const dropRace = keepRace();
  if (race) document.getElementById('back')?.focus();
  else if (!landing.name.value) landing.name.focus();
  return {
    update() {},
    unbind() {
      rooms.unbind();
      observer.disconnect();
      dropRace();
    },
  };
}
