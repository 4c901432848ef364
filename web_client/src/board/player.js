// What the player holds, has asked for, and does; whichever way it was said.

import * as hands from '../core/hand.js';
import { strings } from '../core/language.js';
import { preference } from '../core/preferences.js';
import { plays } from '../core/reducer.js';
import { ask } from '../shared/ask.js';

/**
 * @import {TablePile, TableView} from '../core/messages.d.ts'
 * @import {Hand} from '../core/hand.js'
 * @import {App} from '../main.js'
 * @import {Attempt} from '../core/table.js'
 * @import {TypedMove} from './typed-moves.js'
 * @typedef {object} Effects
 * @property {() => void} changed what is held or asked for is other now
 * @property {(words: string, hand: Hand | null) => void} refuse what cannot be done, before it is sent
 * @typedef {ReturnType<typeof makePlayer>} Player
 */

/** @param {App} app @param {Effects} effects */
export function makePlayer(app, effects) {
  /** @type {Hand | null} */
  let hand = null;
  /** The pile that the hand was taken from, as it was then. @type {TablePile | undefined} */
  let origin;
  /** @type {Hand | null} */
  let air = null;
  /** At the hard level an exception is asked for, and is then good for one move. */
  let asked = false;
  /** What is done if it is said once more. @type {'deal' | null} */
  let awaited = null;
  /** @type {{of: TableView, free: boolean, table: TableView} | null} */
  let known = null;

  const level = () => app.state().room?.settings.exceptions ?? 'off';

  /** The table as it can be played on; null if none can. */
  function table() {
    const state = app.state();
    const racing = plays(state) && !state.play?.base.outcome;
    const view = state.play?.shown;
    if (!racing || !view) return null;
    const free = asked || level() === 'easy';
    if (known?.of !== view || known.free !== free)
      known = { of: view, free, table: hands.playable(view, free) };
    return known.table;
  }

  /** @param {Attempt} action */
  function attempt(action) {
    hand = null;
    awaited = null;
    if (table()) app.act(action);
    if (action.type === 'move') asked = false;
    effects.changed();
  }

  /** Picks up, or lets go. @param {Hand | null} next */
  function hold(next) {
    const view = table();
    hand = next;
    origin = next && view ? hands.pileOf(view, next.pile) : undefined;
    awaited = null;
    effects.changed();
  }

  /** @param {string} [pile] the column that is meant */
  function remove(pile) {
    const all = (table()?.legal ?? []).filter((action) => action.type === 'remove');
    const action = all.find(({ from }) => from === pile) ?? (pile ? undefined : all[0]);
    if (action) attempt(action);
    else if (pile && table())
      attempt({ type: 'remove', from: pile }); // the server says why not
    else effects.refuse(strings.RACE.noSuit, null);
  }

  /** @param {boolean} [sure] it was asked for and is confirmed */
  function deal(sure = false) {
    const view = table();
    const legal = view?.legal.some((action) => action.type === 'deal');
    if (legal && preference('confirmDeal') && awaited !== 'deal' && !sure) {
      hold(null);
      awaited = 'deal';
      app.announce(strings.PLAY.dealAgain);
      effects.changed();
    } else attempt({ type: 'deal' });
  }

  return {
    table,
    attempt,
    deal,
    undo: () => attempt({ type: 'undo' }),
    redo: () => attempt({ type: 'redo' }),
    remove,
    hand: () => hand,
    /** What is held or in the air. */
    taken: () => air ?? hand,
    flying: () => air !== null,
    asked: () => asked,
    awaited: () => awaited,
    level,
    /** Whether a run of mixed suits can be moved now. */
    free: () => asked || level() === 'easy',

    async finish() {
      const view = table();
      if (view && (!view.stuck || (await ask(strings.ASK.finish)))) attempt({ type: 'finish' });
    },

    exception() {
      if (level() !== 'hard' || !table()) {
        app.announce(level() === 'easy' ? strings.EXCEPTION_FREE : strings.EXCEPTION_OFF);
        return;
      }
      asked = !asked;
      if (asked) app.sound.play('buzz');
      hold(null);
      app.announce(asked ? strings.EXCEPTION_ASKED : strings.EXCEPTION_DROPPED);
    },

    /** Lets go of everything. */
    cancel() {
      if (asked) app.announce(strings.EXCEPTION_DROPPED);
      else if (awaited) app.announce(strings.PLAY.notDone);
      asked = false;
      hold(null);
    },

    /** @param {Hand} from @param {string} to */
    put(from, to) {
      const view = table();
      if (view) attempt(hands.putting(view, from, to, asked));
    },

    /** @param {TypedMove} meant */
    move({ from, count, to, exception }) {
      if (exception && level() === 'hard') asked = true;
      const view = table();
      if (!view) return;
      const these = { pile: from, count: count || hands.longest(view, from) };
      const found = count ? undefined : hands.between(view, these, to);
      attempt(found ?? hands.putting(view, these, to, asked));
    },

    /** @param {Hand} from */
    auto(from) {
      const view = table();
      const move = view && hands.autoMove(view, from);
      if (move) attempt(move);
      else {
        hold(null);
        const space = view && hands.fitsSpace(view, from);
        effects.refuse(space ? strings.RACE.onlySpace : strings.RACE.noPlace, from);
      }
    },

    /** @param {Hand | null} from */
    grab(from) {
      air = from;
      hold(null);
    },

    /**
     * Cards are pointed at: with nothing in hand, those with one place in suit go there if the
     * player likes it so.
     *
     * @param {Hand} from
     * @returns {boolean} whether they went
     */
    tap(from) {
      const view = table();
      const move = view && !hand && preference('oneTap') && hands.onlyInSuit(view, from);
      if (move) attempt(move);
      return Boolean(move);
    },

    /**
     * The first or the second of two that make a move, in either order.
     *
     * @param {string} pile
     * @param {number} count -1 for as many as can move
     * @returns {boolean} whether these are in hand now
     */
    pick(pile, count) {
      const view = table();
      if (!view) return false;
      const next = { pile, count: count < 0 ? hands.longest(view, pile) : count };
      if (!hand) hold(hands.pileOf(view, pile)?.role === 'tableau' ? next : null);
      else if (hand.pile === pile) hold(hand.count === next.count ? null : next);
      else {
        const action = hands.meant(view, hand, next, asked);
        if (action) {
          attempt(action);
          return false;
        }
        hold(next);
      }
      return hand === next;
    },

    /** What is in hand stays there unless its own pile has changed. @param {TableView} view */
    follow(view) {
      if (hand && !hands.holdsSame(hands.pileOf(view, hand.pile), origin)) hand = null;
    },
  };
}
