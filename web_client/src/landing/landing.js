// The front page.

import { keep, kept, storedSeat } from '../browser/storage.js';
import { CloseCode, RANKS } from '../contract/protocol.js';
import { codeIn, fetchInvitation, roundIn } from '../page/addresses.js';
import { isCalm } from '../page/frame.js';
import { after, fetchDocument, keepFetching } from '../page/loads.js';
import { PRACTICE } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makePaceField, makeRadios } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { cardPicture, makeNameField, makeTitle, problemLine } from './join.js';
import { bindToday } from './today.js';

/**
 * @import {AddBot, Invitation, PublicRoom, Settings} from '../contract/messages.d.ts'
 * @import {App, Bound, How} from '../page/app.d.ts'
 * @import {NameField} from './join.js'
 * @typedef {{app: App, name: NameField, games: HTMLElement}} Landing the page, and the choices of name and game
 */

/** The pause between two requests for the open rooms. */
const POLL_MS = 10_000;

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

  /** Say why there is no room; '' if there is one. @param {string} text */
  function complain(text) {
    set(input, { 'aria-invalid': String(text !== '') });
    write(problem, text);
    if (text) input.focus();
  }

  async function goToRoom() {
    const room = codeIn(input.value);
    complain(room ? '' : words.codeHint);
    if (!room) return;
    const round = roundIn(input.value)?.n;
    // A round that is over and a seat of this browser need no invitation.
    const found = round || storedSeat(room) ? undefined : await fetchInvitation(room);
    // The player has left the front page.
    if (!input.isConnected) return;
    const typed = name.typed();
    if (found && typed && isFree(found))
      app.enter({ type: 'join', room, name: typed, role: 'player' }, {});
    else if (found === null) complain(strings.closing(CloseCode.NO_SUCH_ROOM));
    else app.visit(room, round); // also if the server has not answered
  }

  write(problem, app.reason());
  const button = h('button', { id: 'join', type: 'submit', text: words.join });
  return [h('form', { class: 'field-row', onsubmit: goToRoom }, input, button), problem];
}

/**
 * Make the ways back: to the last room and, as the first thing on the page, to a running race; it goes
 * if the race is over meanwhile.
 * @param {App} app
 * @param {HTMLElement} friends the panel that gets the way to the last room
 * @returns {HTMLElement | null} the way to the race
 */
function makeWayBack(app, friends) {
  const words = strings.LANDING;
  /** Make the button that leads to a room. @param {string} code @param {'primary' | 'quiet'} kind @param {...(Node | string)} text */
  const makeButton = (code, kind, ...text) =>
    h('button', { id: 'back', 'data-kind': kind, onclick: () => app.visit(code) }, ...text);
  /** Add the way to the last room, if there is one. */
  function addLastRoom() {
    const last = kept('room');
    if (!last) return;
    const name = h('span', { class: 'text-code', text: strings.grouped(last) });
    friends.append(makeButton(last, 'quiet', words.backTo, name));
  }
  const room = kept('race');
  if (!room || !storedSeat(room)) {
    addLastRoom();
    return null;
  }
  const element = h(
    'section',
    { class: 'pane landing-race', 'aria-labelledby': 'race-on' },
    h('h2', { id: 'race-on', text: words.raceOn }),
    makeButton(room, 'primary', words.backToRace),
  );
  fetchInvitation(room).then((found) => {
    // Nothing changes while it is not known whether the race is on.
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
      class: 'pane landing-choices',
      id: 'choices',
      'aria-label': strings.LANDING.play,
      onsubmit: () => open(landing, landing.name.demand(), RACE, {}),
      novalidate: true,
    },
    landing.name.element,
    landing.games,
  );

/**
 * Make the panel of a way to race, with a picture and a line about it.
 * @param {'friends' | 'computer' | 'alone'} id
 * @param {Node[]} picture
 * @param {...Node} children
 */
function makeWay(id, picture, ...children) {
  const words = strings.LANDING[id];
  return h(
    'section',
    { class: 'pane landing-way', id, 'aria-labelledby': `${id}-title` },
    h('div', { class: 'landing-picture', 'aria-hidden': 'true' }, ...picture),
    h('h2', { id: `${id}-title`, text: words.title }),
    h('p', { class: 'text-small', text: words.about }),
    ...children,
  );
}

/** Make the panel of races with friends: open a room by the form of the choices, or join one. @param {Landing} landing */
const makeFriends = (landing) =>
  makeWay(
    'friends',
    [cardPicture('KS'), cardPicture('KS')],
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

/** Make the panel of computer players: a click on a strength begins the race, at the pace that is chosen below. @param {Landing} landing */
function makeComputer(landing) {
  const { element: paceField, pace } = makePaceField();
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) =>
    h(
      'button',
      {
        'data-strength': level,
        onclick: () => open(landing, nameAlone(landing), RACE, { against: level, pace: pace() }),
      },
      h('b', { text: strings.STRENGTHS[level] }),
      ' ',
      h('span', { class: 'text-small', text: strings.STRENGTHS_ABOUT[level] }),
    ),
  );
  const strengths = h('div', { class: 'landing-strengths', id: 'strengths' }, ...buttons);
  return makeWay('computer', [cardPicture()], strengths, paceField);
}

/** Make the panel of practice. @param {Landing} landing */
const makeAlone = (landing) =>
  makeWay(
    'alone',
    [cardPicture('AS')],
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
    { class: 'pane', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
    h('h2', { id: 'public-title', text: strings.LANDING.open }),
    list,
  );

  const make = (/** @type {PublicRoom} */ { code }) => makeRoom(() => app.visit(code));
  /** Show the open rooms, which stay hidden without an answer. @param {{rooms: PublicRoom[]} | null | undefined} found */
  function show(found) {
    const rooms = found?.rooms ?? [];
    keyed(list, rooms, ({ code }) => code, make, showRoom);
    set(element, { hidden: rooms.length === 0 });
    return POLL_MS;
  }

  const fetching = keepFetching(() => fetchDocument('/api/rooms'), show);
  return { element, unbind: fetching.stop };
}

/** Make the item of an open room. @param {() => void} visit */
const makeRoom = (visit) =>
  h(
    'li',
    {},
    h('bdi', { class: 'text-cut' }),
    ' ',
    h('span', { class: 'text-small' }),
    h('button', { onclick: visit }),
  );

/** Show an open room in its item. @param {HTMLElement} item @param {PublicRoom} room */
function showRoom({ children }, room) {
  const words = strings.LANDING;
  // In such a room a newcomer can only watch for now, which the button says before asking for a name.
  const watchesOnly = room.full || room.state === 'RUNNING';
  const about = [strings.publicRoomFacts(room), room.full && words.full];
  const [host, facts, button] = /** @type {HTMLElement[]} */ ([...children]);
  if (!host || !facts || !button) return;
  write(host, room.host);
  write(facts, about.filter(Boolean).join(' · '));
  set(button, {
    text: watchesOnly ? words.watch : words.join,
    'aria-label': watchesOnly ? strings.watchRoomOf(room.host) : strings.joinRoomOf(room.host),
  });
}

/** Make the place of the lesson, which is loaded when it comes into view. */
function makeLessonPlace() {
  const element = h('section', { class: 'pane landing-lesson', id: 'lesson' });
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
  // One tap begins: the board has a place for players without a name.
  const today = bindToday((cards) => {
    const name = landing.name.typed() || strings.LANDING.nameless;
    app.enter({ type: 'create', name, cards }, {});
  });
  const title = makeTitle(strings.LANDING.tagline);
  const friends = makeFriends(landing);
  const race = makeWayBack(app, friends);
  const program = document.querySelector('meta[name="generator"]')?.getAttribute('content');
  const version = h('small', { id: 'version', text: program });
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing landing-front' },
      title,
      race,
      today.element,
      makeChoices(landing),
      h('div', { class: 'landing-ways' }, friends, makeComputer(landing), makeAlone(landing)),
      rooms.element,
      makeLessonPlace(),
      h('div', { class: 'landing-below' }, version),
    ),
  );
  startLivingRace(title);
  if (race) document.getElementById('back')?.focus();
  else if (!landing.name.input.value) landing.name.input.focus();
  return {
    update() {},
    unbind() {
      today.unbind();
      rooms.unbind();
    },
  };
}

// The race that plays itself behind the title of the front page: two games of one deal, an act a
// second in turn. The race is an ornament without focus. It rests while the page is hidden, and where
// nothing may move. It knows no rules: the script says what each act moves.

/** @typedef {ReturnType<typeof makeTable>} Table */

/** The cards of each column, the lowest first, and how many of them lie face down. */
const COLUMNS = 'QJ9K48 TTQJ47 3JT466 58AK5Q 63A62 72374 5539J A93T8 8K36A J75AJ';
const FACE_DOWN = '5555444444';
/** The cards of each deal. */
const DEALS = '8752Q4982Q 938KQT976A 4K2J2Q23KK K7TJA94TQ6 4A87T25956';
/**
 * The acts of each game, as two computer players made them. `213` moves one card from column 2 to column
 * 3, and with `h` a complete suit leaves it; `d` deals a card to each column. Numbers have base 36.
 */
const GAMES = [
  '613 016 116 216 814 d 016 116 226 016 910 910 913 119 114 d 413 514 614 654 114 817 814 914 4b3h 210 927 756 910 914 810 328 836 328 513 320 113 691 1a8h 114 423 643 023 613 411 423h 610 614 210 062 270 211 210 514 435 547 517 510 518 310h',
  '613 016 116 216 814 d 016 116 512 236 d 817 210 615 735 811 126 916 913 559 659 9b3h 913 916 910 914 116 810 328 836 428 114 839 d 511 617 720 311 328 033 340 d 810 718 512 223 330 117 917 730 711 427 429 736 711 712 647 650h 648 048',
].map((game) => game.split(' '));

const TICK_MS = 1_000;
/** The time after which the page is at rest. */
const IDLE_MS = 1_500;
/** The ticks after which the race begins again; its end is shown for a while. */
const TICKS = 126;

/** Make a card. @param {string} rank @param {boolean} isDown whether it lies face down */
const makeCard = (rank, isDown) =>
  h('div', { class: 'card', [isDown ? 'data-back' : 'data-card']: `${rank}S` });

/** Make a table before the first act; `deals` are those to come. */
function makeTable() {
  const columns = COLUMNS.split(' ').map((ranks, at) =>
    [...ranks].map((rank, index) => makeCard(rank, index < Number(FACE_DOWN[at]))),
  );
  const element = h('div', { class: 'landing-table', 'data-small': true }, ...columns.flat());
  return { element, columns, deals: DEALS.split(' ') };
}

/** Turn up the free cards of a table, and place each by the face-down (`--d`) and the face-up cards (`--u`) below it; `--most` is the largest `--u` of its column. @param {Table} table */
function arrange({ columns }) {
  for (const [x, cards] of columns.entries()) {
    const last = cards.at(-1);
    if (last?.dataset.back) set(last, { 'data-card': last.dataset.back, 'data-back': false });
    const down = cards.filter(({ dataset }) => dataset.back).length;
    // The style divides by it.
    const most = Math.max(1, cards.length - down - 1);
    for (const [at, card] of cards.entries()) {
      const upBelow = Math.max(0, at - down);
      set(card, { '--x': x, '--d': at - upBelow, '--u': upBelow, '--most': most });
    }
  }
}

/** Play an act of the script. @param {Table} table @param {string} act */
function playAct(table, act) {
  const { element, columns, deals } = table;
  if (act === 'd') {
    const cards = [...(deals.shift() ?? '')].map((rank) => makeCard(rank, false));
    for (const [at, card] of cards.entries()) columns[at]?.push(card);
    element.append(...cards);
  } else {
    const [from = 0, count = 0, to = 0] = [...act].map((digit) => Number.parseInt(digit, 36));
    const moved = columns[from]?.splice(-count) ?? [];
    columns[to]?.push(...moved);
    // Above all others, while they glide.
    element.append(...moved);
    if (act.endsWith('h'))
      for (const card of columns[to]?.splice(-RANKS.length) ?? []) card.dataset.gone = '';
  }
  arrange(table);
}

/** Show the race in the title of the page, in place of its picture, from when the page is at rest until it goes. @param {HTMLElement} title */
function startLivingRace(title) {
  /** @type {Table[]} */
  let tables = [];
  let tick = 0;
  const race = h('div', { class: 'landing-living' });

  /** Begin again, or play the next act of the game whose turn it is. */
  function playNext() {
    if (!title.isConnected) return;
    setTimeout(playNext, TICK_MS);
    if (document.hidden || isCalm()) return; // until the next tick
    if (tick % TICKS === 0) {
      tick = 0;
      tables = GAMES.map(makeTable);
      tables.forEach(arrange);
      race.replaceChildren(...tables.map(({ element }) => element));
      title.append(race);
      set(title, { 'data-living': true });
    }
    const turn = tick % 2;
    const act = GAMES[turn]?.[Math.floor(tick / 2)];
    if (act && tables[turn]) playAct(tables[turn], act);
    tick += 1;
  }

  setTimeout(playNext, IDLE_MS);
}
