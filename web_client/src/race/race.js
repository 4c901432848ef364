// The race: the table, the acts of the player, and the other players.

import { bindBoard, drawBoard, uncover } from '../board/board.js';
import { dealBoard } from '../board/dealing.js';
import { bindDrag, cancel as cancelDrag } from '../board/drag.js';
import { bindHelpers } from '../board/helpers.js';
import { makeHints } from '../board/hints.js';
import { bindKeyboard, press, updateStops } from '../board/keyboard.js';
import { CLASSIC_COMMANDS } from '../board/keys.js';
import { markBoard } from '../board/marks.js';
import { bindMoveBox } from '../board/move-box.js';
import {
  attempt,
  cancelAll,
  deal,
  dropChangedHand,
  fittingPiles,
  makePlayer,
  redo,
  removeSuit,
  tableOf,
  toggleException,
  undo,
} from '../board/player.js';
import { bindRefusalBubble } from '../board/refusal-bubble.js';
import { makeRefusals } from '../board/refusals.js';
import { makeTypedCommands } from '../board/typed-commands.js';
import { strings } from '../core/language.js';
import { onPreference, prefer, preference } from '../core/preferences.js';
import { isForOne } from '../core/reducer.js';
import { nextTable } from '../shared/appearance.js';
import { h } from '../shared/element.js';
import { closeQueue, makeKeyQueue, queueUntil } from '../shared/key-queue.js';
import { bindPart, offerRetry } from '../shared/lazy-part.js';
import { setPageState } from '../shared/page-state.js';
import { bindActions } from './actions.js';
import { bindBanner } from './banner.js';
import { bindGameOver } from './game-over.js';
import { bindHeader, endRace } from './header.js';
import { makeWatchSwitch } from './watch-switch.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {Drag} from '../board/drag.js'
 * @import {Helpers} from '../board/helpers.js'
 * @import {Keyboard} from '../board/keyboard.js'
 * @import {ClassicCommand, Command} from '../board/keys.js'
 * @import {Player} from '../board/player.js'
 * @import {TableView} from '../core/notation.js'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {KeyQueue} from '../shared/key-queue.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {(key: string) => void} Action gets what the key writes
 * @typedef {Partial<Record<Command, Action>>} Actions
 * @typedef {object} Race
 * @property {App} app
 * @property {HTMLElement} element
 * @property {HTMLElement} felt the board and what lies over it
 * @property {Board} board
 * @property {Player} player
 * @property {ReturnType<typeof makeRefusals>} refusals
 * @property {ReturnType<typeof bindRefusalBubble>} bubble
 * @property {ReturnType<typeof makeHints>} hints
 * @property {Helpers} helpers
 * @property {KeyQueue} queue
 * @property {Keyboard} keyboard
 * @property {Drag} drag
 * @property {ReturnType<typeof bindGameOver>} gameOver
 * @property {ReturnType<typeof bindActions>} buttons
 * @property {ReturnType<typeof bindMoveBox>} box
 * @property {ReturnType<typeof bindHeader>} header
 * @property {ReturnType<typeof bindBanner>} banner
 * @property {Bound} standings
 * @property {Bound & {element: HTMLElement}} grid the boards of others
 * @property {Actions} actions of keys
 * @property {Promise<Record<ClassicCommand, () => void>> | null} classicActions replace some of `actions`
 *   if the player uses the keys of 1987
 * @property {TableView | null} drawn
 * @property {ReturnType<typeof makeWatchSwitch>} watchSwitch
 */

/** The deal is animated if the race has begun no longer ago than this. */
const DEALING_MS = 2_000;

/** Focus the board without scrolling. @param {Race} race */
const focusBoard = ({ board }) => board.root.focus({ preventScroll: true });

/** Return whether the board has the focus. @param {Race} race */
const hasFocus = ({ board }) => board.root.contains(document.activeElement);

/** Bind the race. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindRace(root, app) {
  const race = makeRace(app);
  root.replaceChildren(race.element);
  prefetchClassicActions(race);
  showBox(race, false);
  const unbindPreference = onPreference((name) => {
    if (name === 'moveBox') showBox(race, true);
    if (name === 'keys') prefetchClassicActions(race);
  });
  return {
    update: (state) => update(race, state),
    unbind() {
      unbindPreference();
      closeQueue(race.queue);
      race.watchSwitch.unbind();
      race.header.unbind();
      race.bubble.unbind();
      race.drag.unbind();
      race.hints.unbind();
      race.keyboard.unbind();
      race.banner.unbind();
      race.standings.unbind();
      race.grid.unbind();
      race.board.unbind();
    },
  };
}

/** Make the parts of a race and connect them. @param {App} app @returns {Race} */
function makeRace(app) {
  const boardRoot = h('section', {
    class: 'board',
    id: 'board',
    tabindex: '-1',
    'aria-label': strings.RACE.table,
  });
  const felt = h('div', { class: 'felt' }, boardRoot);
  const side = h('aside', { class: 'race-side' });
  /** The first parts; the others are added below, since they need each other. @type {Partial<Race>} */
  const first = { app, felt, actions: {}, classicActions: null, drawn: null };
  const race = /** @type {Race} */ (first);
  const changed = () => showHand(race);
  const mark = () => markRace(race);
  const focus = () => focusBoard(race);
  const help = () => openHelp(race);
  race.queue = makeKeyQueue(() => app.announce(strings.NOT_LOADED));
  race.board = bindBoard(boardRoot);
  race.bubble = bindRefusalBubble(felt, race.board);
  race.refusals = makeRefusals(app, race.board, race.bubble);
  race.player = makePlayer(app, { changed, refuse: race.refusals.refuse });
  const { board, player, refusals } = race;
  race.gameOver = bindGameOver({
    act: (action) => attempt(player, action),
    endRace: () => endRace(app),
    focusBoard: focus,
    isIdle: () => document.activeElement === document.body || hasFocus(race),
    press: (event) => press(race.keyboard, event),
  });
  race.hints = makeHints({
    app,
    player,
    uncover: (pile, above) => uncover(board, pile, above),
    changed: mark,
  });
  race.helpers = bindHelpers({ app, board, player, felt, changed: mark });
  const { hints, helpers } = race;
  race.header = bindHeader(app, help);
  race.buttons = bindActions(player, hints.request, focus);
  race.grid = makeGrid(app);
  const typed = { help, why: refusals.announceReason, hint: hints.request };
  const closeBox = () => prefer('moveBox', false);
  race.box = bindMoveBox(makeTypedCommands(app, player, helpers, typed), closeBox);
  race.banner = bindBanner();
  race.standings = bindPart(
    'standings',
    () => import('./standings.js'),
    ({ bindStandings }) => bindStandings(side),
  );
  race.drag = bindDrag(board, player, helpers);
  race.actions = actionsOf(race);
  race.keyboard = bindKeyboard(
    board,
    player,
    {
      announce: app.announce,
      moved: mark,
      show: helpers.announceContents,
      found: helpers.find,
      refuse: refusals.refuse,
    },
    (command) => actionOf(race, command),
    race.queue,
  );
  felt.append(race.gameOver.element, race.box.element);
  race.element = h(
    'div',
    { class: 'race' },
    race.header.element,
    race.buttons.element,
    felt,
    race.grid.element,
    race.banner.element,
    side,
  );
  race.watchSwitch = makeWatchSwitch(race, () => update(race, app.state()));
  return race;
}

/** Make the place of the boards of others, and load them. @param {App} app @returns {Race['grid']} */
function makeGrid(app) {
  const element = h('section', {
    class: 'board-grid',
    id: 'board-grid',
    tabindex: -1,
    hidden: true,
  });
  const load = () => import('./board-grid.js');
  return { element, ...bindPart('boards', load, (part) => part.bindBoardGrid(element, app)) };
}

/** Return the actions of the commands that do not concern the cursor. @param {Race} race @returns {Actions} */
function actionsOf(race) {
  const { app, player, hints, helpers, refusals } = race;
  return {
    deal: () => deal(player),
    undo: () => undo(player),
    redo: () => redo(player),
    remove: () => removeAtCursor(race),
    exception: () => toggleException(player),
    hint: hints.request,
    cancel: () => cancel(race),
    mark: helpers.toggleMarks,
    unfold: () => helpers.unfold(race.keyboard.cursor?.pile ?? null),
    standings: () => app.announce(strings.standingsSpoken(app.state())),
    score: () => app.announce(strings.scoreSpoken(app.state().play?.shown)),
    colours: nextTable,
    type: () => prefer('moveBox', !preference('moveBox')),
    help: (key) =>
      key === '?' && refusals.hasUnshown() ? refusals.announceReason() : openHelp(race),
    why: refusals.announceReason,
  };
}

/** Return whether a complete suit can be removed from a pile. @param {Race} race @param {string | undefined} pile */
function canRemoveFrom({ player }, pile) {
  const legal = tableOf(player)?.legal ?? [];
  return legal.some((each) => each.type === 'remove' && each.from === pile);
}

/** Remove the complete suit under the cursor, or else any. @param {Race} race */
function removeAtCursor(race) {
  const pile = race.keyboard.cursor?.pile;
  removeSuit(race.player, canRemoveFrom(race, pile) ? pile : undefined);
}

/** Return the action of a command with the preset of keys in use. @param {Race} race @param {Command} command @returns {Action | undefined} */
function actionOf(race, command) {
  const classic =
    preference('keys') === 'classic' && CLASSIC_COMMANDS.find((each) => each === command);
  if (!classic) return race.actions[command];
  return () =>
    queueUntil(
      race.queue,
      offerRetry(
        'classic',
        loadClassicActions(race).then((actions) => actions[classic]),
        () => prefetchClassicActions(race),
      ),
    );
}

/** Load the actions of the keys of 1987; after a failure the next call tries again. @param {Race} race */
function loadClassicActions(race) {
  const { app, player, keyboard } = race;
  race.classicActions ??= import('../classic/classic.js')
    .then(({ classicActions }) => classicActions({ app, player, cursor: () => keyboard.cursor }))
    .catch((error) => {
      race.classicActions = null;
      throw error;
    });
  return race.classicActions;
}

/** Load these actions ahead, if the player uses the keys. @param {Race} race */
function prefetchClassicActions(race) {
  if (preference('keys') === 'classic') loadClassicActions(race).catch(() => {});
}

/** Cancel everything that the player has begun. @param {Race} race */
function cancel({ drag, helpers, hints, gameOver, player }) {
  cancelDrag(drag);
  helpers.clear();
  hints.clear();
  gameOver.cancel();
  cancelAll(player);
}

/** Load the help and open it; meanwhile keys are queued. @param {Race} race */
function openHelp(race) {
  const { app, player, helpers, refusals, queue } = race;
  const loading = import('../help/help.js').then(async ({ loadHelp, openHelp: open }) => {
    await loadHelp();
    return () => open({ app, player, helpers, lastReason: refusals.lastReason() });
  });
  queueUntil(
    queue,
    offerRetry('help', loading, () => openHelp(race)),
  );
}

/** Set the marks of the board. @param {Race} race */
function markRace({ board, player, keyboard, helpers, hints }) {
  const view = tableOf(player);
  const complete = new Set();
  for (const action of view?.legal ?? []) if (action.type === 'remove') complete.add(action.from);
  const cursor = view ? keyboard.cursor : null;
  markBoard(board, {
    hand: player.hand,
    cursor,
    fitting: fittingPiles(player),
    complete,
    ...helpers.marks(),
    ...hints.marks(),
  });
}

/** Show the cards in hand and the acts that are allowed. @param {Race} race */
function showHand(race) {
  markRace(race);
  const { room, play } = race.app.state();
  const { undo: undoLevel, hints, auto_remove: autoRemove } = room?.settings ?? {};
  const hasColumns = play?.shown.piles.some(({ fan }) => fan === 'down') ?? false;
  race.buttons.update({
    undo: undoLevel !== 'off',
    hints: hints === true,
    remove: hasColumns && !autoRemove,
  });
  race.element.classList.toggle('race-exception', race.player.exception);
}

/** Show or hide the box for typed moves, as the player prefers. @param {Race} race @param {boolean} focus whether an open box gets the focus */
function showBox(race, focus) {
  const { box, felt } = race;
  const isOn = preference('moveBox');
  if (!isOn && box.element.contains(document.activeElement)) focusBoard(race);
  box.show(isOn);
  felt.classList.toggle('felt-typing', isOn);
  if (isOn && focus) box.input.focus();
}

/** Show a state of the race. @param {Race} race @param {State} state */
function update(race, state) {
  const { board, player, helpers } = race;
  race.watchSwitch.update(state);
  const view = state.play?.shown ?? null;
  if (view && view !== race.drawn) {
    drawBoard(board, view, race.drawn !== null);
    if (!race.drawn) {
      focusBoard(race);
      if (view.at === 0 && view.elapsed_ms < DEALING_MS) dealBoard(board);
    }
    dropChangedHand(player, view);
    helpers.clear();
    race.drawn = view;
  }
  race.hints.update(state);
  updateStops(race.keyboard);
  showHand(race);
  // A room for one has no rivals, and so no news.
  const isAlone = isForOne(state.room);
  race.element.classList.toggle('race-alone', isAlone);
  setPageState('alone', String(isAlone));
  race.header.update(state);
  race.gameOver.update(state);
  race.banner.update(state);
  race.standings.update(state);
  race.grid.update(state);
  race.refusals.update(state);
}
