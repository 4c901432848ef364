// What cannot be done: a shake, a low tone, and the reason in words, at once or when it is asked
// for, as the player likes.

import { strings } from '../core/language.js';
import { preference } from '../core/preferences.js';

/**
 * @import {App} from '../main.js'
 * @import {State} from '../core/reducer.js'
 * @import {Board} from './board.js'
 * @import {Hand} from '../core/hand.js'
 */

/** @param {App} app @param {Board} board */
export function makeRefusals(app, board) {
  let noticed = app.state().notice?.n ?? 0;
  let reason = '';
  let heard = true;

  /** @param {string} words */
  function keep(words) {
    reason = words;
    heard = preference('reasons') === 'at-once';
    app.sound.play('no');
  }

  /** Refused by the server; the announcer has its words. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === noticed) return;
    noticed = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    keep(strings.sentence(notice));
    const tried = notice.attempt;
    if (tried?.type === 'move') board.shake(tried.from, tried.count);
    if (notice.code === 'deal_empty_column')
      for (const pile of notice.details.piles) board.point(pile);
  }

  return {
    update,
    /** Refused on this side of the line. @param {string} words @param {Hand | null} hand */
    say(words, hand) {
      keep(words);
      if (hand) board.shake(hand.pile, hand.count);
      app.announce(heard ? words : strings.ASK_WHY);
    },
    /** The reason of the last refusal, for whoever asks. */
    why() {
      update(app.state()); // it may have come since the last drawing
      heard = true;
      app.announce(reason || strings.PLAY.nothingRefused);
    },
    last: () => reason,
    /** Whether a reason has not been heard yet. */
    pending() {
      update(app.state());
      return !heard;
    },
  };
}
