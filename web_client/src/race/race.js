// The race: the table, what the player does to it, and the others.

import { bindBoard } from '../board/board.js';
import { bindDrag } from '../board/drag.js';
import { bindAids } from '../board/helpers.js';
import { makeHints } from '../board/hints.js';
import { bindKeyboard } from '../board/keyboard.js';
import { bindMoveBox } from '../board/move-box.js';
import { makePlayer } from '../board/player.js';
import { makeRefusals } from '../board/refusals.js';
import { makeTypist } from '../board/typed-commands.js';
import { sources, targets } from '../core/hand.js';
import { strings } from '../core/language.js';
import { onPreference, prefer, preference } from '../core/preferences.js';
import { mySeat, plays } from '../core/reducer.js';
import { nextTable } from '../shared/appearance.js';
import { h } from '../shared/element.js';
import { bindActions } from './actions.js';
import { bindWall } from './board-grid.js';
import { bindDone } from './game-over.js';
import { bindHeader } from './header.js';
import { bindStandings } from './standings.js';

/**
 * @import {TableView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Command} from '../board/keys.js'
 * @typedef {Partial<Record<Command, (key: string) => void>>} Commands
 */

/** @param {HTMLElement} root @param {App} app */
export function bindRace(root, app) {
  const boardRoot = h('section', {
    class: 'board',
    id: 'board',
    tabindex: '-1',
    'aria-label': strings.RACE.table,
  });
  const side = h('aside', { class: 'side' });
  const focus = () => boardRoot.focus({ preventScroll: true });
  const focused = () => boardRoot.contains(document.activeElement);
  const board = bindBoard(boardRoot);
  const refusals = makeRefusals(app, board);
  const player = makePlayer(app, { changed, refuse: refusals.say });
  const done = bindDone({
    act: player.attempt,
    focus,
    idle: () => document.activeElement === document.body || focused(),
    press: (event) => keyboard.press(event),
  });
  const felt = h('div', { class: 'felt' }, boardRoot, done.element);
  const header = bindHeader(app, help);
  const hints = makeHints({ app, board, player, changed: mark });
  const actions = bindActions(player, hints.ask, focus);
  const wall = bindWall(app);
  const aids = bindAids({ app, board, player, felt, changed: mark });
  const type = makeTypist(app, player, aids, {
    help,
    why: refusals.why,
    hint: hints.ask,
  });
  const box = bindMoveBox(type, focus);
  felt.append(box.element);
  const race = h(
    'div',
    { class: 'race' },
    header.element,
    actions.element,
    felt,
    wall.element,
    side,
  );
  root.replaceChildren(race);
  const standings = bindStandings(side);
  const drag = bindDrag(board, player, aids);
  /** @type {Commands} */
  const commands = {
    deal: () => player.deal(),
    undo: player.undo,
    redo: player.redo,
    remove: () => player.remove(completeAt(keyboard.cursor()?.pile)),
    exception: player.exception,
    hint: hints.ask,
    cancel,
    mark: aids.mark,
    unfold: () => aids.unfold(keyboard.cursor()?.pile ?? null),
    standings: () => app.announce(strings.standingsSpoken(app.state())),
    score: () => app.announce(strings.scoreSpoken(app.state().play?.shown)),
    colours: nextTable,
    type: () => prefer('moveBox', !preference('moveBox')),
    help: (key) => (key === '?' && refusals.pending() ? refusals.why() : help()),
    why: refusals.why,
  };
  /** What the keys of the manual do otherwise, once that part of the page is here. @type {Commands} */
  let manual = {};
  const keyboard = bindKeyboard(
    board,
    player,
    {
      announce: app.announce,
      moved: mark,
      show: aids.tell,
      found: aids.find,
      refuse: refusals.say,
    },
    (command) => (preference('keys') === 'classic' && manual[command]) || commands[command],
  );
  /** @type {TableView | null} */
  let drawn = null;

  /** The column, if a complete suit ends it. @param {string | undefined} pile */
  function completeAt(pile) {
    const legal = player.table()?.legal ?? [];
    return legal.some((each) => each.type === 'remove' && each.from === pile) ? pile : undefined;
  }

  async function learnManual() {
    if (preference('keys') !== 'classic') return;
    const { manualKeys } = await import('../classic/classic.js');
    manual = await manualKeys({ app, player, cursor: keyboard.cursor });
  }
  learnManual();

  function cancel() {
    drag.cancel();
    aids.clear();
    hints.clear();
    done.cancel();
    player.cancel();
  }

  async function help() {
    const { openHelp } = await import('../help/help.js');
    openHelp({ app, player, aids, why: refusals.last() });
  }

  function mark() {
    const view = player.table();
    const from = player.taken();
    let open = view && from && from.count > 0 ? targets(view, from) : new Set();
    if (view && from && !player.flying() && open.size === 0) open = sources(view, from.pile);
    const complete = new Set();
    for (const action of view?.legal ?? []) if (action.type === 'remove') complete.add(action.from);
    const cursor = view ? keyboard.cursor() : null;
    board.mark({ hand: player.hand(), cursor, open, complete, ...aids.marks(), ...hints.marks() });
  }

  function drawActions() {
    const { undo, hints: hinting } = app.state().room?.settings ?? {};
    actions.update({ undo: undo !== 'off', hints: hinting === true });
    race.classList.toggle('asking', player.asked());
  }

  function changed() {
    mark();
    drawActions();
  }

  /** @param {boolean} wanted the player has just asked for it */
  function showBox(wanted) {
    const on = preference('moveBox');
    if (!on && box.element.contains(document.activeElement)) focus();
    box.show(on);
    felt.classList.toggle('typing', on);
    if (on && wanted) box.box.focus();
  }
  showBox(false);
  const unbindTaste = onPreference((name) => {
    if (name === 'moveBox') showBox(true);
    if (name === 'keys') learnManual();
  });

  return {
    /** @param {State} state */
    update(state) {
      const seat = mySeat(state)?.state ?? 'WATCHING';
      const sits = state.play !== null || plays(state) || seat === 'FINISHED';
      race.classList.toggle('watching', !sits);
      const view = state.play?.shown ?? null;
      if (view && view !== drawn) {
        board.draw(view, drawn !== null);
        if (!drawn) focus();
        player.follow(view);
        aids.follow();
        drawn = view;
      }
      hints.update(state);
      keyboard.update();
      changed();
      header.update(state);
      done.update(state);
      standings.update(state);
      wall.update(state);
      refusals.update(state);
    },
    unbind() {
      unbindTaste();
      header.unbind();
      drag.unbind();
      hints.unbind();
      keyboard.unbind();
      standings.unbind();
      wall.unbind();
      board.unbind();
    },
  };
}
