// The screen of the race: the table, the buttons and keys, and the other players. The keys that move the cursor are
// in `play/keyboard.js`. On a desktop the buttons stand beside the clock, on a phone at the lower edge.

import { bindBoard, dealBoard, drawBoard, markBoard } from '../board/board.js';
import { onPreference, prefer, preference, preferNext } from '../browser/storage.js';
import { celebrate } from '../celebration/celebration.js';
import { setPageState } from '../page/looks.js';
import { bindAids } from '../play/aids.js';
import { bindMoveBox, CLASSIC_COMMANDS, keyFor } from '../play/commands.js';
import { bindDrag, cancel as cancelDrag } from '../play/drag.js';
import { bindHints, hideHint, requestHint, shownHint, updateHints } from '../play/hints.js';
import { bindKeyboard, press, showCursor, updateStops } from '../play/keyboard.js';
import * as acts from '../play/player.js';
import { bindRefusals } from '../play/refusals.js';
import { isForOne, isOpenRaceOn, isWatching, shownPlace, watchable } from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, h, set } from '../widgets/element.js';
import { bindBoardGrid } from './board-grid.js';
import { bindLastSeconds, showStart } from './countdown.js';
import { bindEvents, makeRaceNews } from './events.js';
import { bindGameOver } from './game-over.js';
import { bindHeader } from './header.js';
import { bindOpenRace } from './open-race.js';
import { bindRunningGhost } from './running-ghost.js';
import { bindStandings } from './standings.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {Bound} from '../page/app.d.ts'
 * @import {ActionOf, Command} from '../play/commands.js'
 * @import {Player} from '../play/player.js'
 * @import {Logged} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @import {RaceApp} from './running-ghost.js'
 * @typedef {'exception' | 'hint' | 'undo' | 'redo' | 'remove' | 'deal' | 'finish'} Act an act with a button
 * @typedef {ReturnType<typeof makeRace>} Race the parts of the screen
 */

const DEALING_MS = 2_000; // the deal is animated if the race started at most this long ago
const WON_TABLE_MS = 2_500; // how long a table that was just won stays on the screen

/** The acts of the buttons. @type {Readonly<Record<Act, (race: Race) => void>>} */
const ACTS = {
  exception: ({ player }) => acts.toggleException(player),
  hint: ({ hints }) => requestHint(hints),
  undo: ({ player }) => acts.attempt(player, { type: 'undo' }),
  redo: ({ player }) => acts.attempt(player, { type: 'redo' }),
  remove: removeAtCursor,
  deal: ({ player }) => acts.deal(player),
  finish: ({ player }) => acts.endGame(player),
};
const ACT_NAMES = /** @type {Act[]} */ (Object.keys(ACTS));

/** Acts that look faint while they are not legal, but can be tried: the server gives the reason. @type {readonly string[]} */
const TRIABLE = ['undo', 'redo', 'deal'];
/** Acts that stand out while they are legal, since they can't be undone or finish the game. @type {readonly string[]} */
const PRIMARY = ['remove', 'deal', 'finish'];

/** Return a sentence with all places and scores. @param {State} state */
function spokenStandings({ standings, me }) {
  const rows = standings.map((standing) => {
    const place = shownPlace(standing);
    const name = standing.seat === me?.seat ? strings.ROOM.you : standing.name;
    return `${place ? `${strings.ordinal(place)} ` : ''}${name}, ${standing.score}`;
  });
  return rows.length > 0 ? `${rows.join('; ')}.` : strings.NO_SCORES;
}

/**
 * The actions of keys that do not move the cursor; `key` is the character of the key.
 * @type {Readonly<Partial<Record<Command, (race: Race, key: string) => void>>>}
 */
const ACTIONS = {
  ...ACTS,
  cancel,
  mark: ({ aids }) => aids.toggleMarks(),
  unfold: ({ aids, keyboard }) => aids.unfold(keyboard.cursor?.pile ?? null),
  standings: ({ app }) => app.announce(spokenStandings(app.state())),
  score: ({ app }) => app.announce(strings.scoreSpoken(app.state().play?.shown)),
  colours: () => preferNext('table'),
  type: () => prefer('moveBox', !preference('moveBox')),
  // After a refusal `?` asks why.
  help: (race, key) =>
    key === '?' && race.refusals.hasUnshown() ? race.refusals.announceReason() : openHelp(race),
  why: ({ refusals }) => refusals.announceReason(),
};

/** Remove the complete suit under the cursor, or else any complete suit. @param {Race} race */
function removeAtCursor({ player, keyboard }) {
  const pile = keyboard.cursor?.pile;
  acts.removeSuit(player, pile && completeIn(player).has(pile) ? pile : undefined);
}

/** Return the ids of the piles with a complete suit, which can be removed. @param {Player} player */
function completeIn(player) {
  const legal = acts.tableOf(player)?.legal ?? [];
  const removals = legal.filter((action) => action.type === 'remove');
  return new Set(removals.map(({ from }) => from));
}

/** Cancel everything that the player has started. @param {Race} race */
function cancel({ drag, aids, hints, gameOver, player }) {
  cancelDrag(drag);
  aids.clear();
  hideHint(hints);
  gameOver.cancel();
  acts.cancelAll(player);
}

/** Open the help; its code comes with the load after a race. @param {Race} race */
const openHelp = ({ app, player, aids, refusals }) =>
  app.after.use('help', (code) =>
    code.openHelp({ app, player, aids, lastReason: refusals.lastReason() }),
  );

/**
 * Return the action of a command, or undefined if it has none here. With the keys of 1987 some commands have the
 * actions of that program; their code comes with the load after a race.
 * @param {Race} race @param {Command} command
 * @returns {((key: string) => void) | undefined} gets the character of the key, or ''
 */
function actionOf(race, command) {
  const { app, player, keyboard } = race;
  const classic = CLASSIC_COMMANDS.find((each) => each === command);
  if (classic && preference('keys') === 'classic')
    return () =>
      app.after.use('classic key', (code) =>
        code.classicActions({ app, player, cursor: () => keyboard.cursor })[classic](),
      );
  const act = ACTIONS[command];
  return act && ((key) => act(race, key));
}

/** Make an act's button. @param {Act} name @param {() => void} act @param {() => void} focusBoard */
function makeButton(name, act, focusBoard) {
  const text = strings.RACE[name];
  const onclick = (/** @type {MouseEvent} */ { detail }) => {
    act();
    if (detail > 0) focusBoard(); // else it was a key
  };
  const button = h('button', { id: name, 'data-act': name, onclick });
  if (name === 'hint') set(button, { class: 'icon', 'aria-label': text });
  else if (name === 'undo' || name === 'redo') {
    // Where space is short, arrows replace the words.
    set(button, { class: 'icon race-act' });
    button.append(h('span', { class: 'race-act-word', text }));
  } else set(button, { text });
  return button;
}

/** Make the row of buttons for the acts. @param {() => Race} race returns the screen, once it is made @param {() => void} focusBoard */
function makeButtons(race, focusBoard) {
  const all = ACT_NAMES.map((act) => [act, makeButton(act, () => ACTS[act](race()), focusBoard)]);
  const byAct = /** @type {Record<Act, HTMLButtonElement>} */ (Object.fromEntries(all));
  const { exception, hint, undo, redo, remove, deal, finish } = byAct;
  // Two buttons share a place, and one of them is shown.
  const redoOrRemove = h('span', { class: 'actions-turns', 'data-turns': 'redo' }, redo, remove);
  const dealOrFinish = h('span', { class: 'actions-turns', 'data-turns': 'deal' }, deal, finish);
  const looks = { class: 'actions', id: 'race-actions', 'aria-label': strings.RACE.acts };
  const element = h('nav', looks, exception, hint, undo, redoOrRemove, dealOrFinish);
  return { element, byAct, redoOrRemove };
}

/** Return whether each button is shown. @param {Player} player @param {ReadonlySet<string>} legal the types of legal acts @returns {Record<Act, boolean>} */
function shownButtons({ app }, legal) {
  const { undo, hints, exceptions } = app.state().room?.settings ?? {};
  return {
    exception: exceptions === 'hard',
    hint: hints === true,
    undo: undo !== 'off',
    redo: undo !== 'off' && !legal.has('remove'), // they share a place
    remove: legal.has('remove'),
    deal: !legal.has('finish'), // a game that can be finished has nothing to deal
    finish: legal.has('finish'),
  };
}

/** Draw the buttons: each is shown, disabled, faint or primary as the room's rules and the legal acts say. @param {Race} race */
function drawButtons({ app, player, buttons }) {
  const words = strings.RACE;
  const { element, byAct, redoOrRemove } = buttons;
  const { room, play } = app.state();
  const table = acts.tableOf(player);
  /** @type {Set<string>} */
  const legal = new Set(table?.legal.map(({ type }) => type));
  const isShown = shownButtons(player, legal);
  for (const name of ACT_NAMES) {
    const key = keyFor(name, preference('keys'), preference('letterKeys'));
    set(byAct[name], {
      hidden: !isShown[name],
      disabled: table === null,
      title: key ? `${words[name]} (${key})` : words[name],
      'data-faint': TRIABLE.includes(name) && !legal.has(name),
      'data-kind': PRIMARY.includes(name) && legal.has(name) && 'primary',
    });
  }
  set(byAct.exception, { 'aria-pressed': String(player.exception) });
  set(byAct.deal, { text: player.awaited === 'deal' ? words.dealSure : words.deal });
  // A hidden button keeps its space, unless it is never shown in this room.
  const hasColumns = play?.shown.piles.some(({ fan }) => fan === 'down') ?? false;
  const hasRemove = hasColumns && !room?.settings.auto_remove;
  set(byAct.redo, { 'data-absent': !isShown.undo });
  set(byAct.remove, { 'data-absent': !hasRemove });
  set(redoOrRemove, { hidden: !isShown.undo && !hasRemove });
  // Beside a hint or an exception there is space only for the arrows of undo and redo.
  const more = [isShown.exception && 'exception', isShown.hint && 'hint', hasRemove && 'removes'];
  set(element, { 'data-acts': more.filter(Boolean).join(' ') });
}

/** Bind the screen of the race. @param {HTMLElement} root @param {RaceApp} app @returns {Bound} */
export function bindRace(root, app) {
  const race = makeRace(app);
  setPageState('watching', 'false');
  root.replaceChildren(race.element);
  showBox(race);
  const unbindPreference = onPreference((name) => {
    if (name === 'moveBox') {
      showBox(race);
      if (preference('moveBox')) race.box.input.focus();
    }
    if (name === 'keys' || name === 'letterKeys') showInput(race);
  });
  return {
    top: null,
    newsOfGame: makeRaceNews(() => performance.now()),
    update: (state) => update(race, state),
    staysFor: (state) => race.showsWin || hasJustWon(race, state),
    unbind: callAll(unbindPreference, ...race.bound.map((part) => part.unbind)),
  };
}

/**
 * Make the table and everything that acts on it: pointers, keys, buttons, hints, and the question over it.
 * @param {RaceApp} app @param {() => Race} race returns the screen, once it is made
 */
function makeTable(app, race) {
  const boardRoot = h('section', { class: 'board', id: 'board', tabindex: '-1' });
  set(boardRoot, { 'aria-label': strings.RACE.table });
  const felt = h('div', { class: 'board-felt' }, boardRoot);
  const focusBoard = () => boardRoot.focus({ preventScroll: true });
  const board = bindBoard(boardRoot);
  const mark = () => updateMarks(race());
  /** @type {ActionOf} */
  const actionOfCommand = (command) => actionOf(race(), command);
  const refusals = bindRefusals(app, board, felt);
  const { refuse } = refusals;
  const player = acts.makePlayer(app, { changed: () => showInput(race()), refuse });
  const hints = bindHints({ app, player, board, changed: mark });
  const aids = bindAids({ app, board, player, felt, changed: mark });
  const drag = bindDrag(board, player, aids);
  const keyboard = bindKeyboard({ actionOf: actionOfCommand, board, player, aids, moved: mark });
  const showsWin = () => race().showsWin;
  const pressKey = (/** @type {KeyboardEvent} */ event) => press(keyboard, event);
  const gameOver = bindGameOver({ app, player, focusBoard, showsWin, press: pressKey });
  const close = () => prefer('moveBox', false);
  const box = bindMoveBox({ actionOf: actionOfCommand, app, player, aids, close });
  felt.append(gameOver.element, box.element);
  // Touching the board stops a game that the page plays out.
  boardRoot.addEventListener('pointerdown', gameOver.stop, { capture: true });
  const buttons = makeButtons(race, focusBoard);
  const input = { player, aids, drag, keyboard, refusals, hints, box, buttons };
  return { felt, board, focusBoard, gameOver, ...input };
}

/** Make what shows the others: standings and events at the side, and the page in place of the table. @param {RaceApp} app */
function makeOthers(app) {
  const standings = bindStandings();
  const ghost = bindRunningGhost(app, standings);
  const events = bindEvents(ghost.app);
  const grid = bindBoardGrid(app);
  const open = bindOpenRace(app, grid.scrollToBoards);
  const leaderboard = h('div', { class: 'race-standings' }, open.count, standings.element);
  const side = h('aside', { class: 'race-side' }, leaderboard, events.low, events.element);
  const looks = { class: 'board-grid-page', hidden: true };
  const page = h('div', looks, open.element, grid.element, open.bar);
  return { standings, ghost, events, grid, open, leaderboard, side, page };
}

/** Make the screen of a race. @param {RaceApp} app */
function makeRace(app) {
  const table = makeTable(app, () => race);
  const others = makeOthers(app);
  const { refusals, gameOver, felt } = table;
  const { standings, ghost, events, grid, open } = others;
  const header = bindHeader(app, () => openHelp(race), events.high);
  const lastSeconds = bindLastSeconds(app);
  const element = h('div', { class: 'race' }, header.element, header.bar, table.buttons.element);
  element.append(felt, others.page, others.side, lastSeconds.element);
  const input = [refusals, table.aids, table.drag, table.hints, table.keyboard, gameOver];
  const race = {
    ...{ app, element, ...table, ...others },
    log: /** @type {readonly Logged[] | null} */ (null), // the events at the last drawing
    eventViews: [header, standings, events], // the parts that show new events
    around: [header, gameOver, ghost, grid, open, events, refusals], // drawn after the board
    bound: [header, ...input, lastSeconds, ghost, standings, grid, open, events, table.board],
    drawn: /** @type {TableView | null} */ (null), // the table that is on the board
    showsWin: false, // whether a table that was just won still stays on the screen
  };
  return race;
}

/** Set the marks of the board: cards in hand, cursor, piles that fit, complete suits and hints. @param {Race} race */
function updateMarks({ board, player, keyboard, aids, hints }) {
  markBoard(board, {
    hand: player.hand,
    cursor: acts.tableOf(player) ? keyboard.cursor : null,
    fitting: acts.fittingPiles(player),
    complete: completeIn(player),
    ...aids.marks(),
    hint: shownHint(hints),
  });
}

/** Show what the player has in hand and can do: on the board and by the buttons. @param {Race} race */
function showInput(race) {
  updateMarks(race);
  const { activeElement: focused } = document; // before a drawing that may hide or disable it
  drawButtons(race);
  const isOfButtons = race.buttons.element.contains(focused);
  if (isOfButtons && focused?.matches('[hidden], :disabled')) race.focusBoard();
}

/** Show or hide the box for typed moves, as the player prefers. @param {Race} race */
function showBox({ box, focusBoard }) {
  const isOn = preference('moveBox');
  if (!isOn && box.element.contains(document.activeElement)) focusBoard();
  box.element.hidden = !isOn;
}

/** Return whether this player has won since the last drawing. @param {Race} race @param {State} state */
const hasJustWon = ({ drawn }, { play }) =>
  drawn !== null && drawn.outcome !== 'won' && play?.shown.outcome === 'won';

/** Celebrate a win, and keep the table for a moment, so that its last suit is seen to go home. @param {Race} race @param {State} state */
function showWin(race, { room }) {
  celebrate(`${room?.code}/${room?.round?.n}`);
  race.showsWin = true;
  setTimeout(() => {
    race.showsWin = false;
    race.app.redraw();
  }, WON_TABLE_MS);
}

/** Show the others' race in place of the table, or the table again, and move the question there. @param {Race} race @param {boolean} watches whether to show the others */
function switchTable({ felt, grid, page, gameOver }, watches) {
  if (grid.element.hidden !== watches) return; // it is shown already
  const wasFocused = felt.contains(document.activeElement);
  setPageState('watching', String(watches));
  for (const each of [page, grid.element]) each.hidden = !watches;
  if (watches) page.prepend(gameOver.element);
  else felt.append(gameOver.element);
  if (watches && wasFocused) grid.element.focus({ preventScroll: true });
}

/** Put the list of events at the side, or in place of the boards. @param {Race} race @param {boolean} hidesBoards whether this spectator may not see boards */
function placeEvents({ grid, events, side }, hidesBoards) {
  const place = hidesBoards ? grid.element : side;
  // A list can scroll, but has nothing to focus: so the grid takes the focus.
  grid.element.tabIndex = hidesBoards ? 0 : -1;
  if (events.element.parentElement !== place) place.append(events.element);
}

/** Draw a new state of this player's table; the first time, also animate the deal and the start. @param {Race} race @param {TableView} table */
function drawTable(race, table) {
  const { board, player, aids, drawn } = race;
  drawBoard(board, table, { glide: drawn !== null });
  if (!drawn) {
    // The table arrives after the screen is shown: the player may already be writing in the chat.
    if (!document.activeElement?.matches('input')) race.focusBoard();
    if (preference('keys') === 'classic') showCursor(race.keyboard);
    if (table.at === 0 && table.elapsed_ms < DEALING_MS) {
      dealBoard(board); // after a reload the table is older
      showStart(race.felt);
    }
  }
  acts.dropChangedHand(player, table);
  aids.clear();
  race.drawn = table;
}

/** Show the events since the last drawing; the first time, only the list draws its events. @param {Race} race */
function showNewEvents(race) {
  const { log: shown } = race;
  const log = race.ghost.app.log();
  if (log === shown) return;
  race.log = log;
  const events = shown ? log.filter((event) => !shown.includes(event)) : [];
  for (const part of race.eventViews) part.showEvents(events);
}

/** Draw a state. @param {Race} race @param {State} state */
function update(race, state) {
  // The table shows a win; the room and the standings may come before it or after it.
  if (hasJustWon(race, state)) showWin(race, state);
  const watches = isWatching(state) && !race.showsWin;
  switchTable(race, watches);
  placeEvents(race, watches && watchable(state).length === 0);
  // In an open race no clock shows the times of these events.
  const isOpen = isOpenRaceOn(state.room);
  for (const each of [race.events.element, race.events.low]) set(each, { hidden: isOpen });
  set(race.element, { 'data-waiting': isOpen && watches });
  const place = isOpen && watches ? race.open.results : race.leaderboard;
  const { element } = race.standings;
  if (element.parentElement !== place) place.append(element);
  const table = state.play?.shown;
  if (table && table !== race.drawn) drawTable(race, table); // each table is a new object
  updateHints(race.hints, state);
  updateStops(race.keyboard);
  showInput(race);
  // Without rivals there is no news of them to show.
  setPageState('forOne', String(isForOne(state.room) && !race.ghost.isOn()));
  showNewEvents(race);
  for (const part of race.around) part.update(state);
}
