// Impossible acts: a shake, a low sound, and the reason in a sentence, at once or on request, as the
// player prefers.

import { strings } from '../core/language.js';
import { preference } from '../core/preferences.js';
import { ErrorCode } from '../core/protocol.js';
import { highlight, shakeCards } from './board.js';

/**
 * @import {Hand} from '../core/hand.js'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Board} from './board.js'
 */

/** Make the refusals of a board. @param {App} app @param {Board} board */
export function makeRefusals(app, board) {
  let noticed = app.state().notice?.n ?? 0;
  let reason = '';
  let shown = true;

  /** @param {string} words */
  function keep(words) {
    reason = words;
    shown = preference('reasons') === 'at-once';
    app.sound.play('no');
  }

  /** Show that the server has refused an act; the announcer has the sentence. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === noticed) return;
    noticed = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    keep(strings.sentence(notice));
    const tried = notice.attempt;
    if (tried?.type === 'move') shakeCards(board, tried.from, tried.count);
    if (notice.code === ErrorCode.DEAL_EMPTY_COLUMN)
      for (const pile of notice.details.piles) highlight(board, pile);
  }

  return {
    update,
    /** Refuse an act that is not sent. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      keep(words);
      if (hand) shakeCards(board, hand.pile, hand.count);
      app.announce(shown ? words : strings.ASK_WHY);
    },
    /** Announce the reason of the last refusal. */
    why() {
      update(app.state()); // it may have come since the last drawing
      shown = true;
      app.announce(reason || strings.PLAY.nothingRefused);
    },
    last: () => reason,
    /** Return whether the last reason has not been shown. */
    pending() {
      update(app.state());
      return !shown;
    },
  };
}
