// Acts that are refused: a shake, a low sound and the reason. It is a sentence in the status line and
// beside the cards, shown at once or on request, as the player prefers.

import { highlight, shakeCards } from '../board/board.js';
import { preference } from '../browser/storage.js';
import { ErrorCode } from '../contract/protocol.js';
import { strings } from '../strings/language.js';

/**
 * @import {Hand} from '../game/hand.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Notice} from '../state/state.js'
 * @import {Board} from '../board/board.js'
 * @import {bindRefusalBubble} from '../board/bubbles.js'
 */

/** Return the pile that a refusal is about. @param {Notice} notice */
function pileOf({ attempt, code, details }) {
  if (code === ErrorCode.DEAL_EMPTY_COLUMN) return details.piles[0];
  if (attempt?.type === 'move') return attempt.to;
  return attempt?.type === 'remove' ? attempt.from : undefined;
}

/** Make the refusals of a board. @param {App} app @param {Board} board @param {ReturnType<typeof bindRefusalBubble>} bubble */
export function makeRefusals(app, board, bubble) {
  let latestNotice = app.state().notice?.n ?? 0;
  let reason = '';
  /** The pile that the reason is about. @type {string | undefined} */
  let about;
  let shown = true;

  /** Remember the reason of a refusal, and show it if the player wants that. @param {string} words @param {string | undefined} pile */
  function setReason(words, pile) {
    reason = words;
    about = pile;
    shown = preference('reasons') === 'at-once';
    app.sound.play('no');
    if (shown) bubble.show(words, pile);
  }

  /** Show a refusal of the server; the announcer announces it. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === latestNotice) return;
    latestNotice = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    setReason(strings.sentence(notice), pileOf(notice));
    const tried = notice.attempt;
    if (tried?.type === 'move') shakeCards(board, tried.from, tried.count);
    if (notice.code === ErrorCode.DEAL_EMPTY_COLUMN)
      for (const pile of notice.details.piles) highlight(board, pile);
  }

  return {
    update,
    /** Refuse an act that is not sent. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      setReason(words, hand?.pile);
      if (hand) shakeCards(board, hand.pile, hand.count);
      app.announce(shown ? words : strings.ASK_WHY);
    },
    /** Show and announce the reason of the last refusal. */
    announceReason() {
      update(app.state()); // a refusal may have come since the last drawing
      shown = true;
      app.announce(reason || strings.PLAY.nothingRefused);
      bubble.show(reason, about);
    },
    lastReason: () => reason,
    /** Return whether the last reason has not been shown yet. */
    hasUnshown() {
      update(app.state());
      return !shown;
    },
  };
}
