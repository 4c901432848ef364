// The race: the table, the acts of the player, and the other players.

import { bindBoard, dealBoard, drawBoard, markBoard } from '../board/board.js';
import { onPreference, prefer, preference } from '../browser/storage.js';
import { celebrate } from '../celebration/celebration.js';
import { setPageState } from '../page/appearance.js';
import { bindAids } from '../play/aids.js';
import { bindRefusals, makeHints } from '../play/answers.js';
import { bindMoveBox } from '../play/commands.js';
import { bindDrag } from '../play/drag.js';
import { bindKeyboard, press, updateStops } from '../play/keyboard.js';
import { dropChangedHand, fittingPiles, makePlayer, tableOf } from '../play/player.js';
import { isForOne } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { actionOf, bindActions, openHelp } from './actions.js';
import { bindBoardGrid, makeWatchSwitch } from './board-grid.js';
import { bindEvents, bindLastSeconds, showStart } from './events.js';
import { bindGameOver } from './game-over.js';
import { bindHeader } from './header.js';
import { makeRaceNews } from './rival-news.js';
import { bindStandings } from './standings.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {TableView} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {Commanded} from './actions.js'
 * @typedef {Commanded & {
 *   element: HTMLElement,
 *   felt: HTMLElement,
 *   board: Board,
 *   buttons: ReturnType<typeof bindActions>,
 *   box: ReturnType<typeof bindMoveBox>,
 *   header: ReturnType<typeof bindHeader>,
 *   lastSeconds: ReturnType<typeof bindLastSeconds>,
 *   standings: Bound,
 *   grid: Bound & {element: HTMLElement},
 *   events: ReturnType<typeof bindEvents>,
 *   watchSwitch: ReturnType<typeof makeWatchSwitch>,
 *   drawn: TableView | null,
 * }} Race the parts of the screen: `felt` is the board with what lies over it, `grid` has the boards of
 *   others, and `drawn` is the table that is on the board
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
  showBox(race, false);
  const unbindPreference = onPreference((name) => {
    if (name === 'moveBox') showBox(race, true);
    if (name === 'keys' || name === 'letterKeys') showHand(race);
  });
  return {
    newsOfGame: makeRaceNews(() => performance.now()),
    update: (state) => update(race, state),
    unbind() {
      unbindPreference();
      race.watchSwitch.unbind();
      race.header.unbind();
      race.refusals.unbind();
      race.drag.unbind();
      race.hints.unbind();
      race.keyboard.unbind();
      race.gameOver.unbind();
      race.lastSeconds.unbind();
      race.standings.unbind();
      race.grid.unbind();
      race.events.unbind();
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
  const felt = h('div', { class: 'board-felt' }, boardRoot);
  const leaderboard = h('div', { class: 'race-standings' });
  const events = bindEvents(app);
  const side = h('aside', { class: 'race-side' }, leaderboard, events.element);
  const changed = () => showHand(race);
  const mark = () => markRace(race);
  const focus = () => focusBoard(race);
  const help = () => openHelp(race);
  const board = bindBoard(boardRoot);
  const refusals = bindRefusals(app, board, felt);
  const player = makePlayer(app, { changed, refuse: refusals.refuse });
  const hints = makeHints({ app, player, board, changed: mark });
  const aids = bindAids({ app, board, player, felt, changed: mark });
  const drag = bindDrag(board, player, aids);
  const keyboard = bindKeyboard({
    ...{ board, player, aids, moved: mark },
    actionOf: (command) => actionOf(race, command),
  });
  const gameOver = bindGameOver({
    app,
    player,
    focusBoard: focus,
    isIdle: () => document.activeElement === document.body || hasFocus(race),
    press: (event) => press(keyboard, event),
  });
  const header = bindHeader(app, help);
  const buttons = bindActions(player, () => race, focus);
  const grid = makeGrid(app);
  const box = bindMoveBox({
    ...{ app, player, aids },
    actionOf: (command) => actionOf(race, command),
    close: () => prefer('moveBox', false),
  });
  const lastSeconds = bindLastSeconds(app);
  felt.append(gameOver.element, box.element);
  // Whoever touches the board plays on alone.
  boardRoot.addEventListener('pointerdown', gameOver.stop, { capture: true });
  const element = h(
    'div',
    { class: 'race' },
    header.element,
    buttons.element,
    felt,
    grid.element,
    side,
    lastSeconds.element,
  );
  /** @type {Race} */
  const race = {
    ...{ app, element, felt, board, player, refusals, hints, aids, drag },
    ...{ keyboard, gameOver, buttons, box, header, events, lastSeconds, grid },
    standings: bindStandings(leaderboard),
    watchSwitch: makeWatchSwitch(
      { felt, gameOver, grid, events, side, drawn: () => race.drawn },
      () => update(race, app.state()),
    ),
    drawn: null,
  };
  return race;
}

/** Bind the boards of others. @param {App} app @returns {Race['grid']} */
function makeGrid(app) {
  const element = h('section', {
    class: 'board-grid',
    id: 'board-grid',
    tabindex: -1,
    hidden: true,
  });
  return { element, ...bindBoardGrid(element, app) };
}

/** Set the marks of the board. @param {Race} race */
function markRace({ board, player, keyboard, aids, hints }) {
  const view = tableOf(player);
  const complete = new Set();
  for (const action of view?.legal ?? []) if (action.type === 'remove') complete.add(action.from);
  const cursor = view ? keyboard.cursor : null;
  markBoard(board, {
    hand: player.hand,
    cursor,
    fitting: fittingPiles(player),
    complete,
    ...aids.marks(),
    ...hints.marks(),
  });
}

/** Show the cards in hand and the acts that are allowed. @param {Race} race */
function showHand(race) {
  markRace(race);
  race.buttons.update();
  race.element.toggleAttribute('data-exception', race.player.exception);
}

/** Show or hide the box for typed moves, as the player prefers. @param {Race} race @param {boolean} focus whether an open box gets the focus */
function showBox(race, focus) {
  const { box, felt } = race;
  const isOn = preference('moveBox');
  if (!isOn && box.element.contains(document.activeElement)) focusBoard(race);
  box.element.hidden = !isOn;
  felt.toggleAttribute('data-typing', isOn);
  if (isOn && focus) box.input.focus();
}

/** Show a state of the race. @param {Race} race @param {State} state */
function update(race, state) {
  const { board, player, aids } = race;
  race.watchSwitch.update(state);
  const view = state.play?.shown ?? null;
  if (view && view !== race.drawn) {
    drawBoard(board, view, race.drawn !== null);
    if (!race.drawn) {
      focusBoard(race);
      if (view.at === 0 && view.elapsed_ms < DEALING_MS) {
        dealBoard(board);
        showStart(race.felt);
      }
    }
    // The news of the table: the standings may come later.
    if (race.drawn && race.drawn.outcome !== 'won' && view.outcome === 'won')
      celebrate(`${state.room?.code}/${state.room?.round?.n}`);
    dropChangedHand(player, view);
    aids.clear();
    race.drawn = view;
  }
  race.hints.update(state);
  updateStops(race.keyboard);
  showHand(race);
  // A room for one has no rivals, and so no news.
  setPageState('forOne', String(isForOne(state.room)));
  race.header.update(state);
  race.gameOver.update(state);
  race.standings.update(state);
  race.grid.update(state);
  race.events.update(state);
  race.refusals.update(state);
}
