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
import { bindKeyboard, press, showCursor, updateTabStop } from '../play/keyboard.js';
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

/** The action of each button. @type {Readonly<Record<Act, (race: Race) => void>>} */
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

/** Pressing one of these says why its act is illegal, so it is faint, not disabled. @type {readonly string[]} */
const FAINT_WHEN_ILLEGAL = ['undo', 'redo', 'deal'];
/** These buttons stand out while legal: their act ends the game or can't be undone. @type {readonly string[]} */
const PRIMARY = ['remove', 'deal', 'finish'];

/** Return the places and scores of all players as one sentence. @param {State} state */
function spokenStandings({ standings, me }) {
  const rows = standings.map((standing) => {
    const place = shownPlace(standing);
    const name = standing.seat === me?.seat ? strings.ROOM.you : standing.name;
    return `${place ? `${strings.ordinal(place)} ` : ''}${name}, ${standing.score}`;
  });
  return rows.length > 0 ? `${rows.join('; ')}.` : strings.NO_SCORES;
}

/**
 * The action of each command that doesn't need the cursor. `key`: the character of the key, or '' for a typed line.
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
  acts.removeSuit(player, pile && removablePiles(player).has(pile) ? pile : undefined);
}

/** Return the ids of the piles whose complete suit can be removed. @param {Player} player */
function removablePiles(player) {
  const legal = acts.tableOf(player)?.legal ?? [];
  const removals = legal.filter((action) => action.type === 'remove');
  return new Set(removals.map(({ from }) => from));
}

/** Cancel everything that the player has started, such as a drag, a search or an exception. @param {Race} race */
function cancel({ drag, aids, hints, gameOver, player }) {
  cancelDrag(drag);
  aids.clear();
  hideHint(hints);
  gameOver.cancel();
  acts.cancelAll(player);
}

/** Open the help, whose code is loaded after the race's. @param {Race} race */
const openHelp = ({ app, player, aids, refusals }) =>
  app.after.use('help', (code) =>
    code.openHelp({ app, player, aids, lastReason: refusals.lastReason() }),
  );

/**
 * Return the function that performs a command; undefined for the commands that need the cursor. With the classic
 * keys some commands act as in the program of 1987; like the help, that code is loaded later.
 * @param {Race} race @param {Command} command
 * @returns {((key: string) => void) | undefined} takes the key's character, or '' if the command was typed as a word
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

/** @param {Act} name @param {() => void} act @param {() => void} focusBoard */
function makeButton(name, act, focusBoard) {
  const text = strings.RACE[name];
  const onclick = (/** @type {MouseEvent} */ { detail }) => {
    act();
    if (detail > 0) focusBoard(); // 0: pressed by keyboard, so the focus stays here
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

/** @param {() => Race} race returns the screen, once it is made @param {() => void} focusBoard */
function makeButtons(race, focusBoard) {
  const all = ACT_NAMES.map((act) => [act, makeButton(act, () => ACTS[act](race()), focusBoard)]);
  const byAct = /** @type {Record<Act, HTMLButtonElement>} */ (Object.fromEntries(all));
  const { exception, hint, undo, redo, remove, deal, finish } = byAct;
  // The two buttons of a pair share one place: only one of them is shown at a time.
  const redoOrRemove = h('span', { class: 'actions-turns', 'data-turns': 'redo' }, redo, remove);
  const dealOrFinish = h('span', { class: 'actions-turns', 'data-turns': 'deal' }, deal, finish);
  const looks = { class: 'actions', id: 'race-actions', 'aria-label': strings.RACE.acts };
  const element = h('nav', looks, exception, hint, undo, redoOrRemove, dealOrFinish);
  return { element, byAct, redoOrRemove };
}

/** Return which buttons are shown. @param {Player} player @param {ReadonlySet<string>} legal the types of legal acts */
function shownButtons({ app }, legal) {
  const { undo, hints, exceptions } = app.state().room?.settings ?? {};
  return {
    exception: exceptions === 'hard',
    hint: hints === true,
    undo: undo !== 'off',
    redo: undo !== 'off' && !legal.has('remove'), // `remove` takes its place
    remove: legal.has('remove'),
    deal: !legal.has('finish'), // a game that can be finished has nothing to deal
    finish: legal.has('finish'),
  };
}

/** Draw the buttons according to the room's rules and the legal acts. @param {Race} race */
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
      'data-faint': FAINT_WHEN_ILLEGAL.includes(name) && !legal.has(name),
      'data-kind': PRIMARY.includes(name) && legal.has(name) && 'primary',
    });
  }
  set(byAct.exception, { 'aria-pressed': String(player.exception) });
  set(byAct.deal, { text: player.awaited === 'deal' ? words.dealSure : words.deal });
  // A hidden button keeps its space, unless this room never shows it.
  const hasColumns = play?.shown.piles.some(({ fan }) => fan === 'down') ?? false;
  const hasRemove = hasColumns && !room?.settings.auto_remove;
  set(byAct.redo, { 'data-absent': !isShown.undo });
  set(byAct.remove, { 'data-absent': !hasRemove });
  set(redoOrRemove, { hidden: !isShown.undo && !hasRemove });
  // With more buttons in the row, undo and redo only have room for their arrows.
  const more = [isShown.exception && 'exception', isShown.hint && 'hint', hasRemove && 'removes'];
  set(element, { 'data-acts': more.filter(Boolean).join(' ') });
}

/** @param {HTMLElement} root @param {RaceApp} app @returns {Bound} */
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
 * Make the table and everything that acts on it: pointers, keys, buttons, hints, and the panel with questions over it.
 * @param {RaceApp} app @param {() => Race} race returns the screen, once it is made
 */
function makeTable(app, race) {
  const boardRoot = h('section', { class: 'board', id: 'board', tabindex: '-1' });
  set(boardRoot, { 'aria-label': strings.RACE.table });
  const felt = h('div', { class: 'board-felt' }, boardRoot);
  const focusBoard = () => boardRoot.focus({ preventScroll: true });
  const board = bindBoard(boardRoot);
  const drawMarks = () => updateMarks(race());
  /** @type {ActionOf} */
  const actionOfCommand = (command) => actionOf(race(), command);
  const refusals = bindRefusals(app, board, felt);
  const { refuse } = refusals;
  const player = acts.makePlayer(app, { showInput: () => showInput(race()), refuse });
  const hints = bindHints({ app, player, board, drawMarks });
  const aids = bindAids({ app, board, player, felt, drawMarks });
  const drag = bindDrag(board, player, aids);
  const keyboard = bindKeyboard({ actionOf: actionOfCommand, board, player, aids, drawMarks });
  const showsWin = () => race().showsWin;
  const pressKey = (/** @type {KeyboardEvent} */ event) => press(keyboard, event);
  const gameOver = bindGameOver({ app, player, focusBoard, showsWin, press: pressKey });
  const box = bindMoveBox({ actionOf: actionOfCommand, app, player, aids });
  felt.append(gameOver.element, box.element);
  // Touching the board stops a game that the page plays out.
  boardRoot.addEventListener('pointerdown', gameOver.stop, { capture: true });
  const buttons = makeButtons(race, focusBoard);
  const input = { player, aids, drag, keyboard, refusals, hints, box, buttons };
  return { felt, board, focusBoard, gameOver, ...input };
}

/** Make the parts about other players: the side, and the page in place of the table. @param {RaceApp} app */
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

/** @param {RaceApp} app */
function makeRace(app) {
  const table = makeTable(app, () => race);
  const others = makeOthers(app);
  const { refusals, gameOver, felt } = table;
  const { standings, ghost, events, grid, open } = others;
  const header = bindHeader(app, () => openHelp(race), events.high); // shows the latest event
  const lastSeconds = bindLastSeconds(app);
  const element = h('div', { class: 'race' }, header.element, header.bar, table.buttons.element);
  element.append(felt, others.page, others.side, lastSeconds.element);
  const input = [refusals, table.aids, table.drag, table.hints, table.keyboard, gameOver];
  const race = {
    ...{ app, element, ...table, ...others },
    drawnLog: /** @type {readonly Logged[] | null} */ (null), // the events shown so far
    drawnTable: /** @type {TableView | null} */ (null), // the table that the board shows
    showsWin: false, // whether a table that was just won still stays on the screen
    eventViews: [header, standings, events], // the parts that show new events
    updatedLast: [header, gameOver, ghost, grid, open, events, refusals], // after the board
    bound: [header, ...input, lastSeconds, ghost, standings, grid, open, events, table.board],
  };
  return race;
}

/** Mark the cards in hand, the cursor, the piles that fit, complete suits and hints on the board. @param {Race} race */
function updateMarks({ board, player, keyboard, aids, hints }) {
  markBoard(board, {
    hand: player.hand,
    cursor: acts.tableOf(player) ? keyboard.cursor : null,
    fitting: acts.fittingPiles(player),
    complete: removablePiles(player),
    ...aids.marks(),
    hint: shownHint(hints),
  });
}

/** Show the cards in hand on the board, and on its buttons which acts are possible. @param {Race} race */
function showInput(race) {
  updateMarks(race);
  const { activeElement: focused } = document;
  drawButtons(race);
  // The board takes the focus from a button that has just been hidden or disabled.
  const isOfButtons = race.buttons.element.contains(focused);
  if (isOfButtons && focused?.matches('[hidden], :disabled')) race.focusBoard();
}

/** Show or hide the box for typed moves, as the player prefers. @param {Race} race */
function showBox({ box, focusBoard }) {
  const isOn = preference('moveBox');
  if (!isOn && box.element.contains(document.activeElement)) focusBoard();
  box.element.hidden = !isOn;
}

/** Return whether this player has won since the board was last drawn. @param {Race} race @param {State} state */
const hasJustWon = ({ drawnTable }, { play }) =>
  drawnTable !== null && drawnTable.outcome !== 'won' && play?.shown.outcome === 'won';

/** Celebrate a win, and keep the table until its last cards have moved. @param {Race} race @param {State} state */
function showWin(race, { room }) {
  celebrate(`${room?.code}/${room?.round?.n}`);
  race.showsWin = true;
  setTimeout(() => {
    race.showsWin = false;
    race.app.redraw();
  }, WON_TABLE_MS);
}

/** Show the table, or the page about other players to those who watch. @param {Race} race @param {boolean} watches */
function switchTable({ felt, grid, page, gameOver }, watches) {
  if (grid.element.hidden !== watches) return; // it is shown already
  const wasFocused = felt.contains(document.activeElement);
  setPageState('watching', String(watches));
  for (const each of [page, grid.element]) each.hidden = !watches;
  if (watches) page.prepend(gameOver.element);
  else felt.append(gameOver.element);
  if (watches && wasFocused) grid.element.focus({ preventScroll: true });
}

/** Put the list of events at the side, or in place of hidden boards. @param {Race} race @param {boolean} hidesBoards */
function placeEvents({ grid, events, side }, hidesBoards) {
  const place = hidesBoards ? grid.element : side;
  // The list can be scrolled by keyboard only if something around it takes the focus.
  grid.element.tabIndex = hidesBoards ? 0 : -1;
  if (events.element.parentElement !== place) place.append(events.element);
}

/** Draw this player's table; the first time, animate the start. @param {Race} race @param {TableView} table */
function drawTable(race, table) {
  const { board, player, aids, drawnTable } = race;
  drawBoard(board, table, { glide: drawnTable !== null });
  if (!drawnTable) {
    // The table arrives after the screen is shown, so the player may already be writing in the chat.
    if (!document.activeElement?.matches('input')) race.focusBoard();
    if (preference('keys') === 'classic') showCursor(race.keyboard);
    if (table.at === 0 && table.elapsed_ms < DEALING_MS) {
      dealBoard(board); // after a reload the table is older
      showStart(race.felt);
    }
  }
  acts.dropChangedHand(player, table);
  aids.clear();
  race.drawnTable = table;
}

/** Show the events since the last call. At the first call none is new: the list draws the log. @param {Race} race */
function showNewEvents(race) {
  const { drawnLog } = race;
  const log = race.ghost.app.log();
  if (log === drawnLog) return;
  race.drawnLog = log;
  const events = drawnLog ? log.filter((event) => !drawnLog.includes(event)) : [];
  for (const part of race.eventViews) part.showEvents(events);
}

/** Update every part of the screen. @param {Race} race @param {State} state */
function update(race, state) {
  // A win is read from the table, since the messages about the room and the standings may come earlier or later.
  if (hasJustWon(race, state)) showWin(race, state);
  const watches = isWatching(state) && !race.showsWin;
  switchTable(race, watches);
  placeEvents(race, watches && watchable(state).length === 0);
  // Events are timed from the start of the race, which no clock shows in an open race.
  const isOpen = isOpenRaceOn(state.room);
  for (const each of [race.events.element, race.events.low]) set(each, { hidden: isOpen });
  const showsOpenRace = isOpen && watches; // its page, in place of the table
  set(race.element, { 'data-waiting': showsOpenRace });
  const place = showsOpenRace ? race.open.results : race.leaderboard;
  const { element } = race.standings;
  if (element.parentElement !== place) place.append(element);
  const table = state.play?.shown;
  if (table && table !== race.drawnTable) drawTable(race, table); // a change makes a new table
  updateHints(race.hints, state);
  updateTabStop(race.keyboard);
  showInput(race);
  // A player without rivals doesn't need the standings or the events at the side.
  setPageState('forOne', String(isForOne(state.room) && !race.ghost.isOn()));
  showNewEvents(race);
  for (const part of race.updatedLast) part.update(state);
}
