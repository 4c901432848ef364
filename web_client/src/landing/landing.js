// The front page: the race that plays itself, the primary button, and a field for a code or a link. Below them are
// today's race, the computer players and the open rooms. Returning players see today's race first.

import { keep, kept, keptTables, storedSeat } from '../browser/storage.js';
import { CloseCode } from '../contract/protocol.js';
import { codeIn, fetchInvitation, roundIn } from '../page/addresses.js';
import { topLinks } from '../page/frame.js';
import { PRACTICE } from '../state/state.js';
import { strings } from '../strings/language.js';
import {
  cardPicture,
  makeNameField,
  makePane,
  makeRadios,
  problemLine,
  spiderCoin,
} from '../widgets/controls.js';
import { callAll, h, listen, set } from '../widgets/element.js';
import { makeHero } from './hero.js';
import { bindOpenRooms, bindTables, bindToday, makeRow, rowWords } from './panes.js';

/**
 * @import {AddBot, Invitation, Settings} from '../contract/messages.d.ts'
 * @import {App, AppWith, Bound, How} from '../page/app.d.ts'
 * @import {NameField} from '../widgets/controls.js'
 * @typedef {AppWith<typeof import('../after-load.js')>} FrontApp
 * @typedef {{app: App, name: NameField, games: HTMLElement}} Landing the page, and the choices of name and game
 */

/** Wait at most this long for the lower part of the page. It appears all at once, so that nothing moves. */
const WAIT_MS = 1_500;

/** The suits of each game, easiest first. The character `\ufe0e` keeps browsers from drawing emoji. */
const PIPS = { 1: '♠\ufe0e', 2: '♠\ufe0e♥\ufe0e', 4: '♠\ufe0e♥\ufe0e♦\ufe0e♣\ufe0e' };

/** Make the radio buttons that choose the game by its number of suits. */
function makeGames() {
  const { game, suits } = strings.LANDING;
  const pips = Object.entries(PIPS).map(([n, text]) => [`spider-${n}`, text]);
  const choice = makeRadios('game', game, Object.fromEntries(pips));
  choice.id = 'choices';
  for (const [i, input] of [...choice.querySelectorAll('input')].entries()) {
    input.defaultChecked = i === 0;
    set(input, { 'aria-label': Object.values(suits)[i] ?? '' });
  }
  return choice;
}

/** The settings of a race: players who have finished may watch the boards, since that cannot help them any more. */
const RACE = /** @type {const} */ ({ spectate: 'boards' });
/** The settings of practice: undo and hints put nobody at a disadvantage. */
const ALONE = /** @type {const} */ ({ ...PRACTICE, undo: 'free', hints: true });

/** Open a room for the chosen game. @param {Landing} landing @param {string} name @param {Partial<Settings>} settings @param {How} how */
function openRoom({ app, games }, name, settings, how) {
  const value = games.querySelector('input:checked')?.getAttribute('value');
  const game = /** @type {Settings['game']} */ (value);
  app.enter({ type: 'create', name, settings: { game, ...settings } }, how);
}

/** Return whether this browser has raced before. @param {string} [room] if given, only in this room: `CODE/` */
function hasRaced(room = '') {
  const entries = /** @type {[string][] | null} */ (kept('history'));
  return entries?.some(([id]) => id.startsWith(room)) ?? false;
}

/** Return whether a newcomer can play in a room's next race; then they need not see its invitation first. @param {Invitation} room */
const canJoinAtOnce = ({ locked, full, watchable, running_ms }) =>
  !locked && !full && watchable && running_ms === null;

/** Make the radio buttons for when to race. `chosen` returns how many seconds players have to start; 0: all at once. */
function makeWhen() {
  const { when, spans } = strings.LANDING;
  const choice = makeRadios('when', when, spans);
  const inputs = [...choice.querySelectorAll('input')];
  for (const [i, input] of inputs.entries()) input.defaultChecked = i === 0;
  const checked = () => inputs.find((input) => input.checked);
  const chosen = () => Number(checked()?.value ?? 0);
  const note = h('small', { class: 'text-note', role: 'status' });
  const title = h('b', { 'aria-hidden': 'true', text: when });
  const head = h('div', { class: 'row between' }, title, note);
  const element = h('div', { class: 'stack', id: 'when' }, head, choice);
  function draw() {
    const end = chosen() && Date.now() + chosen() * 1_000; // 0: all start together
    set(note, { text: strings.whenAbout(end) });
  }
  draw();
  choice.addEventListener('change', draw);
  return { element, chosen, focus: () => checked()?.focus() };
}

/** Make the form that opens a table or race. It asks when to race, and for a missing name. @param {Landing} landing */
function makeOpening(landing) {
  const words = strings.LANDING;
  const { element: field, input, typed, demand } = landing.name;
  const when = makeWhen();
  const button = h('button', { id: 'create', type: 'submit', text: words.create });
  set(button, { 'data-kind': 'primary', 'data-size': 'big' });
  const looks = { class: 'text-small', id: 'rename', 'data-kind': 'link', hidden: !typed() };
  const rename = h('button', { ...looks, text: words.rename, onclick: () => showQuestions(true) });
  const draw = () => set(button, { text: when.chosen() ? words.openRace : words.openTable });
  when.element.addEventListener('change', draw);

  /** Ask when to race. @param {boolean} asksName whether to ask for the name too */
  function showQuestions(asksName) {
    form.prepend(when.element, ...(asksName ? [field] : []));
    if (asksName) set(rename, { hidden: true });
    draw();
    (asksName ? input : when).focus();
  }
  /** Open the table or the race; show the questions first if they have not been shown. */
  function submit() {
    const hasNameField = form.contains(field);
    const hasAsked = when.element.isConnected && (hasNameField || typed());
    if (!hasAsked) return showQuestions(!typed());
    const name = hasNameField ? demand() : typed();
    const window_s = when.chosen(); // 0: no open race
    const settings = window_s ? { ...RACE, window_s } : RACE;
    // In an open race each player starts when they like, so the race is opened without waiting for others.
    if (name) openRoom(landing, name, settings, { startsAtOnce: window_s > 0 });
  }

  const form = h('form', { class: 'stack', onsubmit: submit, novalidate: true }, button, rename);
  return form;
}

/** Make the form that opens a room by its code or link. If possible, a player with a name joins at once. @param {Landing} landing */
function makeCodeForm({ app, name }) {
  const words = strings.LANDING;
  const problem = problemLine('problem');
  const typing = { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' };
  const input = h('input', { id: 'code', ...typing, 'aria-describedby': problem.id });
  set(input, { placeholder: words.code, 'aria-label': words.code });

  /** Show why the room can't be opened; '' clears the message. @param {string} text */
  function complain(text) {
    set(input, { 'aria-invalid': String(text !== '') });
    set(problem, { text });
    if (text) input.focus();
  }

  /** Join or show the room of the typed code, or say why that is not possible. */
  async function goToRoom() {
    const room = codeIn(input.value);
    complain(room ? '' : words.codeHint);
    if (!room) return;
    const round = roundIn(input.value)?.n;
    // To show a finished round or return to a seat, no invitation is needed.
    const found = round || storedSeat(room) ? undefined : await fetchInvitation(room);
    if (!input.isConnected) return; // the player has left the front page meanwhile
    const typed = name.typed();
    if (found && typed && canJoinAtOnce(found))
      app.enter({ type: 'join', room, name: typed, role: 'player' }, {});
    else if (found === null) complain(strings.closing(CloseCode.NO_SUCH_ROOM));
    else app.visit(room, round); // even if the server has not answered
  }

  set(problem, { text: app.reason() });
  const button = h('button', { id: 'join', type: 'submit', text: words.join });
  return [h('form', { class: 'field-framed', onsubmit: goToRoom }, input, button), problem];
}

/**
 * Add the way back: a row that leads to the last room or, as long as this player's race may be on, the primary button.
 * @param {App} app @param {HTMLElement} steps the parent of the row or button
 * @returns {HTMLElement | null} the button that leads to the race, if there is one
 */
function addWayBack(app, steps) {
  const words = strings.LANDING;
  const [opening] = steps.children; // the form that opens a table
  const isTable = keptTables().some(({ code }) => code === kept('room')); // kept tables have their own rows
  const last = (!isTable && kept('room')) || '';
  const name = h('span', { class: 'text-code', text: strings.grouped(last) });
  const about = hasRaced(`${last}/`) ? '\u00a0' : null; // leaves space for `drawRecord`
  const row = makeRow({ id: 'back' }, () => app.visit(last), rowWords([words.backTo, name], about));
  const raceRoom = kept('race'); // where a race was on, as far as this browser knows
  if (!raceRoom || !storedSeat(raceRoom)) {
    if (last) opening?.after(row);
    return null;
  }
  const create = /** @type {HTMLElement} */ (steps.querySelector('#create'));
  set(create, { 'data-kind': null }); // only one button is primary
  const looks = { id: 'back', 'data-kind': 'primary', 'data-size': 'big' };
  const onclick = () => app.visit(raceRoom);
  const back = h('button', { ...looks, text: words.backToRace, onclick });
  steps.prepend(back);
  fetchInvitation(raceRoom).then((found) => {
    if (found === undefined || found?.state === 'RUNNING') return; // the race is or may be on
    keep('race', null);
    back.remove();
    set(create, { 'data-kind': 'primary' });
    if (found && last) opening?.after(row); // a closed room needs no row
  });
  return back;
}

/** Make the pane whose buttons start a race against a computer player, or a practice game. @param {Landing} landing */
function makeComputer(landing) {
  const { computer, practice, practiceAbout, me } = strings.LANDING;
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  /** Open a room that no other people join, so the player needs no name. @param {Partial<Settings>} settings @param {How} how */
  const openAlone = (settings, how) => openRoom(landing, landing.name.typed() || me, settings, how);
  const buttons = levels.map((level) => {
    const onclick = () => openAlone(RACE, { against: level });
    const words = h('b', { text: strings.STRENGTHS[level] });
    const about = h('small', { class: 'text-note', text: strings.STRENGTHS_ABOUT[level] });
    const picked = { class: 'buttons-link landing-pick', 'data-strength': level, onclick };
    return h('button', picked, spiderCoin(level), words, ' ', about);
  });
  const strengths = h('div', { class: 'landing-picks', id: 'strengths' }, ...buttons);
  // A practice game needs no countdown.
  const startPractice = () => openAlone(ALONE, { startsAtOnce: true });
  const words = rowWords([practice], practiceAbout);
  const row = makeRow({ id: 'practice' }, startPractice, cardPicture('AS'), words);
  return makePane('computer', computer, landing.games, strengths, row);
}

/** Make an empty pane for the lesson, which loads when the pane comes into view. @param {FrontApp} app its load `after` has the lesson */
function makeLessonPlace({ after }) {
  const element = h('section', { class: 'pane landing-lesson', id: 'lesson' });
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      after.use('front page', (code) => code.fillLesson(element));
    },
    { rootMargin: '0px 0px -200px' }, // don't load its files while only its edge is in view
  );
  observer.observe(element);
  return element;
}

/**
 * Add the latest days to a returning player's pane of today's race, and make the pane of their latest races. The
 * load `after` fills both once it has arrived.
 * @param {FrontApp} app @param {HTMLElement} today the pane of today's race
 * @param {HTMLElement} steps if it contains the row of the last room, that room's latest race is added to the row
 */
function makeRecord({ after }, today, steps) {
  const days = h('div', { class: 'row between landing-days' });
  const text = strings.LANDING.all;
  const all = h('a', { class: 'buttons-link', 'data-kind': 'link', href: '/yours', text });
  const record = makePane('record', strings.LANDING.record, all);
  today.append(days);
  after.use('record', (code) => code.drawRecord(record, days, steps.querySelector('#back small')));
  return record;
}

/**
 * Make the foot. On a phone it has the links of the head, and `top` is the rest of the head.
 * @param {App} app @returns {{foot: HTMLElement, top?: Node[]}}
 */
function makeFoot(app) {
  const program = document.querySelector('meta[name="generator"]')?.getAttribute('content');
  const version = h('small', { class: 'text-note', id: 'version', text: program ?? '' });
  const foot = h('footer', { class: 'stack centre' }, version);
  const [home, links] = topLinks(app);
  if (!matchMedia('(width < 720px)').matches || !home || !links) return { foot };
  set(links, { class: 'row centre' });
  for (const each of links.children) each.setAttribute('data-size', 'small');
  foot.prepend(links);
  return { foot, top: [home] };
}

/** Show the rest of the page once all parts have arrived, or after `WAIT_MS`. @param {HTMLElement} page @param {readonly string[]} parts their names */
function makeWait(page, parts) {
  const awaited = new Set(parts);
  const showAll = () => set(page, { 'data-waits': false });
  const timer = setTimeout(showAll, WAIT_MS);
  return {
    /** Note that a part has arrived. @param {string} part */
    settle(part) {
      awaited.delete(part);
      if (awaited.size === 0) showAll();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Return a function that shows or hides the race that plays itself. The race is made when it is first shown. @param {HTMLElement} steps the element below it */
function makeHeroSwitch(steps) {
  /** @type {HTMLElement | null} */
  let hero = null;
  return (/** @type {boolean} */ isShown) => {
    hero ??= isShown ? makeHero() : null;
    if (!hero) return;
    if (!hero.isConnected) steps.before(hero);
    set(hero, { hidden: !isShown });
  };
}

/** Make the title, and for a player without a name a line about the game. */
function makeWords() {
  const { title, about } = strings.LANDING;
  const name = kept('name');
  const heading = h('h1', { text: name ? strings.ready(name) : title });
  return h('div', { class: 'stack landing-words' }, heading, !name && h('p', { text: about }));
}

/** @param {HTMLElement} root @param {FrontApp} app @returns {Bound} */
export function bindLanding(root, app) {
  const landing = { app, name: makeNameField(strings.LANDING.name), games: makeGames() };
  const steps = h('div', { class: 'stack landing-steps', id: 'friends' });
  steps.append(makeOpening(landing), ...makeCodeForm(landing));
  function clearProblems() {
    for (const each of steps.querySelectorAll('.field-problem')) set(each, { text: '' });
  }
  listen(steps, 'submit', clearProblems, { capture: true });
  const back = addWayBack(app, steps);
  const tables = bindTables(app);
  if (back) back.after(tables.element);
  else steps.prepend(tables.element);
  const page = h('div', { class: 'page stack landing-front', 'data-waits': true });
  const first = h('div', { class: 'stack landing-first' }, makeWords(), steps);
  // New players first see the race that plays itself, returning ones today's race.
  const { settle, stop } = makeWait(page, ['today', 'rooms']);
  const isReturning = hasRaced();
  const showHero = makeHeroSwitch(steps);
  const today = bindToday((hasRace) => {
    showHero(!isReturning || !hasRace);
    settle('today');
  });
  showHero(!isReturning);
  today.element.classList.toggle('landing-stage', isReturning);
  set(today.element, { hidden: !isReturning });
  if (isReturning) first.append(today.element);
  // The lower part of the page.
  const lesson = makeLessonPlace(app);
  const computer = makeComputer(landing);
  const rooms = bindOpenRooms(app, lesson, computer, () => settle('rooms'));
  const own = isReturning ? makeRecord(app, today.element, steps) : today.element;
  const halls = h('div', { class: 'row landing-halls' }, own, computer, rooms.element);
  const { foot, ...top } = makeFoot(app);
  page.append(first, halls, lesson, foot);
  root.replaceChildren(page);
  back?.focus();
  return { ...top, update() {}, unbind: callAll(stop, today.unbind, tables.unbind, rooms.unbind) };
}
