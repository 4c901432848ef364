// The front page.

import { keep, kept, storedSeat } from '../browser/storage.js';
import { parse } from '../contract/notation.js';
import { CloseCode } from '../contract/protocol.js';
import { codeIn, fetchInvitation, roundIn } from '../page/addresses.js';
import { after } from '../page/loads.js';
import { PRACTICE } from '../state/state.js';
import { strings } from '../strings/language.js';
import { languageField, makePaceField, makeRadios } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { drawCard, keepFetching, makeNameField, makeTitle, problemLine } from './join.js';
import { startLivingRace } from './living-race.js';

/**
 * @import {AddBot, Invitation, PublicRoom, Settings} from '../contract/messages.d.ts'
 * @import {App, Bound, How} from '../page/app.d.ts'
 * @import {NameField} from './join.js'
 * @typedef {{app: App, name: NameField, games: HTMLElement}} Landing the page, and the choices of name and game
 */

/** Make the choice of the game by its suits, which begins with the easiest. */
function makeGames() {
  const { game, suits } = strings.LANDING;
  const names = Object.entries(suits).map(([n, name]) => [`spider-${n}`, name]);
  const choice = makeRadios('game', game, Object.fromEntries(names));
  choice.querySelector('input')?.setAttribute('checked', '');
  return choice;
}

/** The settings of a race: players whose game is over watch the others, since they can gain nothing any more. */
const RACE = /** @type {const} */ ({ spectate: 'boards' });
/** The settings of practice: undo and hints are no disadvantage to others. */
const ALONE = /** @type {const} */ ({ ...PRACTICE, undo: 'free', hints: true });

/** Open a room for the chosen game, if there is a name. @param {Landing} landing @param {string} name @param {Partial<Settings>} settings @param {How} how */
function open({ app, games }, name, settings, how) {
  const value = games.querySelector('input:checked')?.getAttribute('value');
  const game = /** @type {Settings['game']} */ (value);
  if (name) app.enter({ type: 'create', name, settings: { game, ...settings } }, how);
}

/** Return the name for a game without other people, where it may be missing. @param {Landing} landing */
function nameAlone({ name }) {
  return name.typed() || kept('name') || strings.LANDING.me;
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
  return [h('form', { class: 'field-row', onsubmit: join }, input, button), problem];
}

/**
 * Make the ways back: to the last room and, as the first thing on the page, to a running race; it goes
 * if the race is over meanwhile.
 * @param {App} app
 * @param {HTMLElement} friends the card for the last room
 * @returns {HTMLElement | null} the way to the race
 */
function makeWayBack(app, friends) {
  const words = strings.LANDING;
  /** Add the way to the last room, if there is one. */
  function addLastRoom() {
    const room = kept('room');
    if (!room) return;
    const code = h('span', { class: 'text-code', text: strings.grouped(room) });
    const go = { id: 'back', 'data-kind': 'quiet', onclick: () => app.visit(room) };
    friends.append(h('button', go, words.backTo, code));
  }
  const room = kept('race');
  if (!room || !storedSeat(room)) {
    addLastRoom();
    return null;
  }
  const go = { id: 'back', 'data-kind': 'primary', onclick: () => app.visit(room) };
  const element = h(
    'section',
    { class: 'panel landing-race', 'aria-labelledby': 'race-on' },
    h('h2', { id: 'race-on', text: words.raceOn }),
    h('button', { ...go, text: words.backToRace }),
  );
  fetchInvitation(room).then((found) => {
    if (found === undefined || found?.state === 'RUNNING') return;
    keep('race', null);
    element.remove();
    if (found) addLastRoom();
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
      onsubmit: () => open(landing, landing.name.demand(), RACE, {}),
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
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) =>
    h(
      'button',
      {
        'data-strength': level,
        // The race begins at once.
        onclick: () => open(landing, nameAlone(landing), RACE, { against: level, pace: pace() }),
      },
      h('b', { text: strings.STRENGTHS[level] }),
      ' ',
      h('span', { class: 'text-small', text: strings.STRENGTHS_ABOUT[level] }),
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
      // A room for one player has no countdown.
      onclick: () => open(landing, nameAlone(landing), ALONE, { startsAtOnce: true }),
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

  /** Fetch and show the rooms. */
  async function poll() {
    const answer = await fetch('/api/rooms').catch(() => null);
    /** @type {PublicRoom[]} */
    const rooms = answer?.ok ? parse(await answer.text()).rooms : [];
    keyed(
      list,
      rooms,
      ({ code }) => code,
      ({ code }) => makeRoom(() => app.visit(code)),
      showRoom,
    );
    set(element, { hidden: rooms.length === 0 });
  }

  poll();
  return { element, unbind: keepFetching(poll) };
}

/** Make the item of an open room. @param {() => void} visit */
const makeRoom = (visit) =>
  h(
    'li',
    {},
    h('bdi', { class: 'text-cut' }),
    h('span', { class: 'text-small' }),
    h('button', { onclick: visit }),
  );

/** Show an open room in its item. @param {HTMLElement} item @param {PublicRoom} room */
function showRoom({ children }, room) {
  const words = strings.LANDING;
  // In such a room a newcomer can only watch for now, which the button says before asking for a name.
  const watchesOnly = room.full || room.state === 'RUNNING';
  const about = [strings.publicRoomFacts(room), room.full && words.full];
  const texts = [
    { text: room.host },
    { text: about.filter(Boolean).join(' · ') },
    {
      text: watchesOnly ? words.watch : words.join,
      'aria-label': (watchesOnly ? strings.watchRoomOf : strings.joinRoomOf)(room.host),
    },
  ];
  for (const [i, values] of texts.entries()) set(/** @type {HTMLElement} */ (children[i]), values);
}

/** Make the place of the lesson, which is loaded when it comes into view. */
function makeLessonPlace() {
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
  return element;
}

/** Bind the front page. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindLanding(root, app) {
  const landing = { app, name: makeNameField(), games: makeGames() };
  const rooms = bindOpenRooms(app);
  const title = makeTitle(strings.LANDING.tagline);
  const friends = makeFriends(landing);
  const race = makeWayBack(app, friends);
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
      makeLessonPlace(),
      h('div', { class: 'landing-below' }, tips, languageField(app.speak)),
    ),
  );
  startLivingRace(title);
  if (race) document.getElementById('back')?.focus();
  else if (!landing.name.input.value) landing.name.input.focus();
  return { update() {}, unbind: rooms.unbind };
}
