// The race: the table, what the player does to it, and the others.

import { bindActions } from './actions.js';
import { ask } from './ask.js';
import { bindBoard } from './board.js';
import { bindDrag } from './drag.js';
import { h } from './element.js';
import { autoMove, longest, meant, pileOf, playable, putting, sources, targets } from './hand.js';
import { bindHeader } from './header.js';
import { bindKeyboard } from './keyboard.js';
import { strings } from './language.js';
import { mySeat, plays } from './reducer.js';
import { bindStandings } from './standings.js';
import { bindWall } from './wall.js';

/**
 * @import {TableView} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 * @import {Hand} from './hand.js'
 * @import {App} from './main.js'
 * @import {Attempt} from './table.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindRace(root, app) {
  const boardRoot = h('section', {
    class: 'board',
    id: 'board',
    tabindex: '-1',
    'aria-label': strings.RACE.table,
  });
  const done = h('div', { class: 'done', id: 'done', hidden: true });
  const side = h('aside', { class: 'side' });
  const undo = () => attempt({ type: 'undo' });
  const redo = () => attempt({ type: 'redo' });
  const focus = () => boardRoot.focus({ preventScroll: true });
  const header = bindHeader(app);
  const actions = bindActions({ deal, undo, redo, remove, finish, exception, after: focus });
  const wall = bindWall(app);
  const felt = h('div', { class: 'felt' }, boardRoot, done);
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
  const board = bindBoard(boardRoot);
  const standings = bindStandings(side);
  /** @type {Hand | null} */
  let hand = null;
  /** @type {Hand | null} */
  let air = null;
  /** @type {TableView | null} */
  let drawn = null;
  let noticed = app.state().notice?.n ?? 0;
  /** At the hard level an exception is asked for, and is then good for one move. */
  let asked = false;
  /** @type {{of: TableView, asked: boolean, table: TableView} | null} */
  let known = null;

  const level = () => app.state().room?.settings.exceptions ?? 'off';

  const table = () => {
    const state = app.state();
    const racing = plays(state) && !state.play?.base.outcome;
    const view = state.play?.shown;
    if (!racing || !view) return null;
    const free = asked || level() === 'easy';
    if (known?.of !== view || known.asked !== free)
      known = { of: view, asked: free, table: playable(view, free) };
    return known.table;
  };

  /** @param {Attempt} action */
  function attempt(action) {
    hand = null;
    if (table()) app.act(action);
    if (action.type === 'move') asked = false;
    mark();
    drawActions();
  }

  function drawActions() {
    const { undo, exceptions } = app.state().room?.settings ?? {};
    actions.update(table(), undo !== 'off', exceptions === 'hard' ? { asked } : null);
    race.classList.toggle('asking', asked);
  }

  /** @param {boolean} on */
  function arm(on) {
    asked = on;
    hand = null;
    mark();
    drawActions();
  }

  function exception() {
    if (level() === 'hard' && table()) {
      arm(!asked);
      app.announce(asked ? strings.EXCEPTION_ASKED : strings.EXCEPTION_DROPPED);
    } else app.announce(level() === 'easy' ? strings.EXCEPTION_FREE : strings.EXCEPTION_OFF);
  }

  function deal() {
    attempt({ type: 'deal' });
  }

  function remove() {
    const view = table();
    const action = view?.legal.find((each) => each.type === 'remove');
    if (action) attempt(action);
    else app.announce(strings.RACE.noSuit);
  }

  async function finish() {
    const view = table();
    if (!view) return;
    const yes = !view.stuck || (await ask(strings.ASK.finish));
    if (yes) attempt({ type: 'finish' });
  }

  const player = {
    table,
    deal,
    /** @param {Hand} from @param {string} to */
    put(from, to) {
      const view = table();
      if (view) attempt(putting(view, from, to, asked));
    },
    /** @param {Hand} from */
    auto(from) {
      const view = table();
      const move = view && autoMove(view, from);
      if (move) attempt(move);
      else {
        hand = null;
        mark();
        board.shake(from.pile, from.count);
        app.announce(strings.RACE.noPlace);
      }
    },
    /** @param {Hand | null} from */
    grab(from) {
      air = from;
      hand = null;
      mark();
    },
    /** @param {string} pile @param {number} count -1 for as many as can move */
    pick(pile, count) {
      const view = table();
      if (!view) return false;
      const next = { pile, count: count < 0 ? longest(view, pile) : count };
      if (!hand) hand = pileOf(view, pile)?.role === 'tableau' ? next : null;
      else if (hand.pile === pile) hand = hand.count === next.count ? null : next;
      else {
        const action = meant(view, hand, next, asked);
        if (action) {
          attempt(action);
          return false;
        }
        hand = next;
      }
      mark();
      return hand === next;
    },
  };
  const drag = bindDrag(board, player);
  const keyboard = bindKeyboard(board, player, {
    undo,
    redo,
    remove,
    exception,
    escape() {
      drag.cancel();
      if (asked) app.announce(strings.EXCEPTION_DROPPED);
      arm(false);
    },
    moved: () => mark(),
  });

  function mark() {
    const view = table();
    const from = air ?? hand;
    let open = view && from && from.count > 0 ? targets(view, from) : new Set();
    if (view && from && !air && open.size === 0) open = sources(view, from.pile);
    const complete = new Set();
    for (const action of view?.legal ?? []) if (action.type === 'remove') complete.add(action.from);
    board.mark({ hand, cursor: view ? keyboard.cursor() : null, open, complete });
  }

  /** What stands over the table once there is nothing more to do on it. @param {State} state */
  function drawDone(state) {
    const seat = mySeat(state);
    const outcome = state.play?.base.outcome;
    const over = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
    const stuck = over ? null : state.play?.base.stuck;
    done.hidden = !over && !stuck;
    if (stuck) say(strings.STUCK, strings.stuckBecause(stuck));
    if (!over) return;
    const own = state.standings.find((standing) => standing.seat === seat?.seat);
    const others = state.standings.filter((each) => each.state === 'RACING' && each !== own).length;
    const gaveUp = seat?.state === 'FORFEIT';
    const { home, finished, gaveUp: gone } = strings.RACE;
    const title = outcome === 'won' ? home : gaveUp ? gone : finished;
    say(title, strings.soFar(gaveUp ? null : (own?.place ?? null), others));
  }

  /** @param {string} title @param {string} text */
  function say(title, text) {
    const key = `${title}|${text}`;
    if (done.dataset.text === key) return;
    done.dataset.text = key;
    done.replaceChildren(h('strong', { text: title }), h('span', { text }));
  }

  /** @param {State} state */
  function react(state) {
    const notice = state.notice;
    if (!notice || notice.n === noticed) return;
    noticed = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    app.sound.play('no');
    const tried = notice.attempt;
    if (tried?.type === 'move') board.shake(tried.from, tried.count);
    if (notice.code === 'deal_empty_column')
      for (const pile of notice.details.piles) board.point(pile);
  }

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
        if (hand && drawn && pileOf(view, hand.pile) !== pileOf(drawn, hand.pile)) hand = null;
        drawn = view;
      }
      mark();
      header.update(state);
      drawActions();
      drawDone(state);
      standings.update(state);
      wall.update(state);
      react(state);
    },
    unbind() {
      header.unbind();
      drag.unbind();
      keyboard.unbind();
      standings.unbind();
      wall.unbind();
      board.unbind();
    },
  };
}
