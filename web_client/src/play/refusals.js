// How an act is refused: the cards shake, a low sound plays, and the reason appears in the status line and in a bubble
// beside the cards. Players can choose to see it at once or on request.

import { highlight, shakeCards } from '../board/board.js';
import { placeBubble } from '../board/geometry.js';
import { preference } from '../browser/storage.js';
import { ErrorCode } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { callAll, h, listen, set } from '../widgets/element.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {Hand} from '../game/cards.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Notice, State} from '../state/state.js'
 * @typedef {ReturnType<typeof bindRefusals>} Refusals
 */

const READING_TIME_MS = 6_000; // how long the bubble is shown

/** Return the id of the pile that a refusal is about, such as the target of a move, or ''. @param {Notice} refusal */
function pileOfRefusal({ attempt, code, details }) {
  if (code === ErrorCode.DEAL_EMPTY_COLUMN) return details.piles[0] ?? '';
  if (attempt?.type === 'move') return attempt.to;
  return attempt?.type === 'remove' ? attempt.from : '';
}

/**
 * Bind the bubble that says why an act was refused. It ignores the pointer, is placed below or above the columns, where
 * players seldom press next, and disappears with the next press or key. Screen readers get the reason from the status
 * line.
 * @param {Board} board @param {HTMLElement} felt
 */
function bindBubble(board, felt) {
  const id = 'refusal-bubble';
  const bubble = h('div', { class: 'board-refusal', id, 'aria-hidden': 'true', hidden: true });
  felt.append(bubble);
  const unbinders = ['pointerdown', 'keydown'].map(
    (type) => listen(document, type, hide, { capture: true }), // before the key shows another reason
  );
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    set(bubble, { hidden: true });
  }

  return {
    /** Show a reason beside a pile; nothing is shown if the pile is ''. @param {string} words @param {string} pile */
    show(words, pile) {
      hide();
      if (!words || !board.layout.areas.has(pile)) return;
      set(bubble, { text: words, hidden: false, 'data-of': pile });
      const size = { width: bubble.offsetWidth, height: bubble.offsetHeight }; // of the new text
      const { x, y, tip, above } = placeBubble(board.layout, pile, size);
      bubble.style.left = `${x}px`;
      bubble.style.top = `${y}px`;
      set(bubble, { '--tip': `${tip}px`, 'data-side': above ? 'above' : 'below' });
      timer = setTimeout(hide, READING_TIME_MS);
    },
    unbind: callAll(hide, ...unbinders),
  };
}

/** @param {App} app @param {Board} board @param {HTMLElement} felt */
export function bindRefusals(app, board, felt) {
  const bubble = bindBubble(board, felt);
  let latestNotice = app.state().notice?.n ?? 0; // a notice from before the race is not shown
  /** The latest refusal: the reason, the pile that it is about, and whether the player has seen it. */
  let last = { words: '', pile: '', isShown: true };

  function show() {
    last.isShown = true;
    bubble.show(last.words, last.pile);
  }

  /** Play the sound, and show the reason at once if that is preferred. @param {string} words @param {string} [pile] */
  function setReason(words, pile = '') {
    last = { words, pile, isShown: false };
    app.sound.play('no');
    if (preference('reasons') === 'at-once') show();
  }

  /** Show that the server has refused an act, if it has; `page/announcer.js` announces it. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === latestNotice) return;
    latestNotice = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    setReason(strings.sentence(notice), pileOfRefusal(notice));
    const { attempt, code, details } = notice;
    if (attempt?.type === 'move') shakeCards(board, attempt.from, attempt.count);
    if (code !== ErrorCode.DEAL_EMPTY_COLUMN) return;
    for (const pile of details.piles) highlight(board, pile); // they forbid the deal
  }

  return {
    update,
    /** Refuse an act without sending it, and say why, or how to ask. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      setReason(words, hand?.pile);
      if (hand) shakeCards(board, hand.pile, hand.count);
      app.announce(last.isShown ? words : strings.askWhy(preference('keys') === 'classic'));
    },
    /** Show and announce the reason for the latest refusal. */
    announceReason() {
      update(app.state()); // a refusal may have come since the last update
      app.announce(last.words || strings.PLAY.nothingRefused);
      show();
    },
    lastReason: () => last.words,
    /** Return whether the latest reason has yet to be shown. */
    hasUnshown() {
      update(app.state());
      return !last.isShown;
    },
    unbind: bubble.unbind,
  };
}
