// The front page.

import { storedName, storedRace, storedRoom, storedSeat, storeRace } from '../browser/storage.js';
import { GAMES } from '../contract/games.js';
import { parse } from '../contract/notation.js';
import { CloseCode } from '../contract/protocol.js';
import { codeIn, fetchInvitation, roundIn } from '../page/addresses.js';
import { after } from '../page/loads.js';
import { PRACTICE } from '../state/state.js';
import { strings } from '../strings/language.js';
import { languageField, makePaceField, makeRadios } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { drawCard, keepFetching, makeNameField, makeTitle, onSubmit, problemLine } from './join.js';
import { bindLivingRace } from './living-race.js';

/**
 * @import {AddBot, Invitation, PublicRoom, Settings} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {NameField} from './join.js'
 * @typedef {object} Landing
 * @property {App} app
 * @property {NameField} name
 * @property {HTMLElement} games the choice of the game
 */

const [{ family: FIRST_FAMILY }] = Object.values(GAMES);
/** The games to choose from, the easiest one first. */
const OFFERED = Object.entries(GAMES)
  .map(([id, { family, suits }]) => ({ id, family, suits }))
  .filter(({ family }) => family === FIRST_FAMILY)
  .sort((one, other) => one.suits - other.suits);

/** Make the choice of the game, which begins with the easiest. */
function makeGames() {
  const { game, suits } = strings.LANDING;
  const names = OFFERED.map((offered) => [offered.id, suits[offered.suits]]);
  const choice = makeRadios('game', game, Object.fromEntries(names));
  choice.querySelector('input')?.setAttribute('checked', '');
  return choice;
}

/** Return the chosen game. @param {Landing} landing */
const chosenGame = ({ games }) =>
  /** @type {Settings['game']} */ (games.querySelector('input:checked')?.getAttribute('value'));

/**
 * Return the settings of a race among friends: players whose game is over watch the others, since
 * they can gain nothing any more.
 * @param {Landing} landing
 * @returns {Partial<Settings>}
 */
const amongFriends = (landing) => ({ game: chosenGame(landing), spectate: 'boards' });

/** Return the name for a game without other people, where it may be missing. @param {Landing} landing */
function nameAlone({ name }) {
  return name.typed() || storedName() || strings.LANDING.me;
}

/** Open a room. @param {Landing} landing */
function create(landing) {
  const name = landing.name.demand();
  if (name) landing.app.enter({ type: 'create', name, settings: amongFriends(landing) }, {});
}

/** Begin to practise at once. @param {Landing} landing */
function practise(landing) {
  const game = chosenGame(landing);
  // A room for one player has no countdown; undo and hints are no disadvantage to others.
  landing.app.enter(
    {
      type: 'create',
      name: nameAlone(landing),
      settings: { game, ...PRACTICE, undo: 'free', hints: true },
    },
    { startsAtOnce: true },
  );
}

/** Return whether a player can sit down in a room without knowing more about it. @param {Invitation} room */
const isFree = ({ locked, full, watchable, running_ms }) =>
  !locked && !full && watchable && running_ms === null;

/** Make the form that leads to the room of a code or a link, if there is one; with a name, to a seat in it. @param {Landing} landing */
function makeCodeForm({ app, name }) {
  const words = strings.LANDING;
  const problem = problemLine('problem');
  const input = h('input', {
    id: 'code',
    name: 'code',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    placeholder: words.code,
    'aria-label': words.code,
  });

  /** Say why there is no room, or that there is one. @param {string} text */
  function complain(text) {
    set(input, { 'aria-invalid': String(text !== '') });
    write(problem, text);
    if (text) input.focus();
  }

  /** Go to the room. */
  async function join() {
    const room = codeIn(input.value);
    complain(room ? '' : words.codeHint);
    if (!room) return;
    const round = roundIn(input.value)?.n;
    const found = round || storedSeat(room) ? undefined : await fetchInvitation(room);
    if (!input.isConnected) return;
    const typed = name.typed();
    if (found && typed && isFree(found))
      app.enter({ type: 'join', room, name: typed, role: 'player' }, {});
    else if (found === null) complain(strings.closing(CloseCode.NO_SUCH_ROOM));
    else app.visit(room, round);
  }

  write(problem, app.reason());
  const button = h('button', { id: 'join', type: 'submit', text: words.join });
  return [h('form', { class: 'field-row', onsubmit: onSubmit(join) }, input, button), problem];
}

/** Make the way back to the last room, if there is one. @param {App} app */
function makeLastRoom(app) {
  const room = storedRoom();
  if (!room) return '';
  const code = h('span', { class: 'text-code', text: strings.grouped(room) });
  const go = { id: 'back', 'data-kind': 'quiet', onclick: () => app.visit(room) };
  return h('button', go, strings.LANDING.backTo, code);
}

/**
 * Make the way back to a running race, which is the first thing on the page; it goes if the race is
 * over meanwhile.
 * @param {App} app
 * @param {string} room its code
 * @param {() => void} over called if the race is over
 */
function makeWayToRace(app, room, over) {
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
    landing.name.element,
    landing.games,
  );

/**
 * Make the card of a way to race, with a picture and a line about it.
 * @param {'friends' | 'computer' | 'alone'} id
 * @param {Node[]} picture
 * @param {...Node} children
 */
function makeWay(id, picture, ...children) {
  const words = strings.LANDING[id];
  return h(
    'section',
    { class: 'panel landing-way', id, 'aria-labelledby': `${id}-title` },
    h('div', { class: 'landing-picture', 'aria-hidden': 'true' }, ...picture),
    h('h2', { id: `${id}-title`, text: words.title }),
    h('p', { class: 'text-small', text: words.about }),
    ...children,
  );
}

/** Make the card of races with friends: open a room, or join one. @param {Landing} landing */
const makeFriends = (landing) =>
  makeWay(
    'friends',
    [drawCard('KS'), drawCard('KS')],
    h('button', {
      id: 'create',
      type: 'submit',
      form: 'choices',
      'data-kind': 'primary',
      text: strings.LANDING.create,
    }),
    h('p', { class: 'text-small landing-or', 'aria-hidden': 'true', text: strings.LANDING.or }),
    ...makeCodeForm(landing),
  );

/** Make the card of computer players: a click on a strength begins the race, at the pace that is chosen below. @param {Landing} landing */
function makeComputer(landing) {
  const { element, pace } = makePaceField();
  /** Race a computer player at once. @param {AddBot['level']} against */
  const race = (against) =>
    landing.app.enter(
      { type: 'create', name: nameAlone(landing), settings: amongFriends(landing) },
      { against, pace: pace() },
    );
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) =>
    h(
      'button',
      { 'data-strength': level, onclick: () => race(level) },
      h('b', { text: strings.STRENGTHS[level] }),
      ' ',
      h('span', { text: strings.STRENGTHS_ABOUT[level] }),
    ),
  );
  const strengths = h('div', { class: 'landing-strengths', id: 'strengths' }, ...buttons);
  return makeWay('computer', [drawCard()], strengths, element);
}

/** Make the card of practice. @param {Landing} landing */
const makeAlone = (landing) =>
  makeWay(
    'alone',
    [drawCard('AS')],
    h('button', {
      id: 'practice',
      text: strings.LANDING.practice,
      onclick: () => practise(landing),
    }),
  );

/** Bind the list of open rooms, which is hidden while there are none. @param {App} app */
function bindOpenRooms(app) {
  const list = h('ul', { class: 'landing-rooms' });
  const element = h(
    'section',
    { class: 'panel', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
    h('h2', { id: 'public-title', text: strings.LANDING.open }),
    list,
  );
  /** @type {PublicRoom[]} */
  let rooms = [];

  /** Show the rooms. */
  function draw() {
    keyed(
      list,
      rooms,
      (room) => room.code,
      ({ code }) => makeRoom(() => visit(code)),
      (item, room) => showing.get(item)?.(room),
    );
    set(element, { hidden: rooms.length === 0 });
  }

  /** Fetch and show the rooms. */
  async function poll() {
    const answer = await fetch('/api/rooms').catch(() => null);
    rooms = answer?.ok ? parse(await answer.text()).rooms : [];
    draw();
  }

  /** Go to a room; if it is closed by now, remove it from the list. @param {string} code */
  async function visit(code) {
    const isOpen = (await fetchInvitation(code)) !== null;
    if (!element.isConnected) return;
    if (isOpen) return app.visit(code);
    rooms = rooms.filter((room) => room.code !== code);
    draw();
  }

  poll();
  return { element, unbind: keepFetching(poll) };
}

/** What shows a room in its item. @type {WeakMap<HTMLElement, (room: PublicRoom) => void>} */
const showing = new WeakMap();

/** Make the item of a room. @param {() => void} visit */
function makeRoom(visit) {
  const words = strings.LANDING;
  const host = h('bdi', { class: 'landing-host' });
  const about = h('span', { class: 'landing-about' });
  const button = h('button', { onclick: visit });
  const item = h('li', {}, host, about, button);
  showing.set(item, (room) => {
    // In such a room a newcomer can only watch for now, which the button says before asking for a name.
    const watchesOnly = room.full || room.state === 'RUNNING';
    write(host, room.host);
    write(
      about,
      [strings.publicRoomFacts(room), room.full && words.full].filter(Boolean).join(' · '),
    );
    set(button, {
      text: watchesOnly ? words.watch : words.join,
      'aria-label': (watchesOnly ? strings.watchRoomOf : strings.joinRoomOf)(room.host),
    });
  });
  return item;
}

/** Bind the place of the lesson, which is loaded when it comes into view. */
function bindLesson() {
  const element = h('section', { class: 'panel landing-lesson', id: 'lesson' });
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      after.use('front page', ({ fillLesson }) => fillLesson(element));
    },
    { rootMargin: '0px 0px -64px' }, // an edge of it is not worth its files
  );
  observer.observe(element);
  return { element, unbind: () => observer.disconnect() };
}

/** Bind the front page. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindLanding(root, app) {
  const landing = { app, name: makeNameField(), games: makeGames() };
  const rooms = bindOpenRooms(app);
  const lesson = bindLesson();
  const title = makeTitle(strings.LANDING.tagline);
  const friends = makeFriends(landing);
  const addWayBack = () => friends.append(makeLastRoom(app));
  const room = storedRace();
  const race = room && storedSeat(room) ? makeWayToRace(app, room, addWayBack) : null;
  if (!race) addWayBack();
  const tips = h('a', { id: 'tips', href: '/strategy', text: strings.LANDING.tips });
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing landing-front' },
      title,
      race,
      makeChoices(landing),
      h('div', { class: 'landing-ways' }, friends, makeComputer(landing), makeAlone(landing)),
      rooms.element,
      lesson.element,
      h('div', { class: 'landing-below' }, tips, languageField(app.speak)),
    ),
  );
  const stopRace = bindLivingRace(title);
  if (race) document.getElementById('back')?.focus();
  else if (!landing.name.input.value) landing.name.input.focus();
  return {
    update() {},
    unbind() {
      rooms.unbind();
      lesson.unbind();
      stopRace();
    },
  };
}
