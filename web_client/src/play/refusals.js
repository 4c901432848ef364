// Refusals: a shake, a low sound and the reason. The reason stands in the status line and beside the cards,
// shown at once or on request, as the player prefers.

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

const READING_TIME_MS = 6_000;

/**
 * Return the id of the pile beside which a refusal is shown, or '': the target of a move, the column of a removal, or
 * an empty column that forbids a deal.
 * @param {Notice} refusal
 */
function pileOfRefusal({ attempt, code, details }) {
  if (code === ErrorCode.DEAL_EMPTY_COLUMN) return details.piles[0] ?? '';
  if (attempt?.type === 'move') return attempt.to;
  return attempt?.type === 'remove' ? attempt.from : '';
}

/**
 * Bind the bubble that says why an act was refused, beside its cards. The status line has the same sentence for
 * players who cannot see the bubble. It ignores the pointer, lies below or above the columns, where players
 * seldom press next, and disappears with the next press or key.
 * @param {Board} board @param {HTMLElement} felt
 */
function bindBubble(board, felt) {
  const id = 'refusal-bubble';
  const bubble = h('div', { class: 'board-refusal', id, 'aria-hidden': 'true', hidden: true });
  felt.append(bubble);
  const unbinders = ['pointerdown', 'keydown'].map(
    (type) => listen(document, type, hide, { capture: true }), // first: the key may show another reason
  );
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    set(bubble, { hidden: true });
  }

  return {
    /** Show a reason beside a pile; without a pile only the status line has it. @param {string} words @param {string} pile */
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

/** Shake the cards of a refused move, or highlight the empty columns that forbid a deal. @param {Board} board @param {Notice} refusal */
function markRefused(board, { attempt, code, details }) {
  if (attempt?.type === 'move') shakeCards(board, attempt.from, attempt.count);
  if (code !== ErrorCode.DEAL_EMPTY_COLUMN) return;
  for (const pile of details.piles) highlight(board, pile);
}

/** Bind the refusals of a board. @param {App} app @param {Board} board @param {HTMLElement} felt */
export function bindRefusals(app, board, felt) {
  const bubble = bindBubble(board, felt);
  let latestNotice = app.state().notice?.n ?? 0; // a notice from before the race is not shown
  /** The last reason, its pile or '', and whether it has been shown. At first there is nothing to show. */
  let last = { words: '', pile: '', isShown: true };

  function show() {
    last.isShown = true;
    bubble.show(last.words, last.pile);
  }

  /** Play the sound of a refusal, and keep its reason; show it if the player prefers that. @param {string} words @param {string} [pile] */
  function setReason(words, pile = '') {
    last = { words, pile, isShown: false };
    app.sound.play('no');
    if (preference('reasons') === 'at-once') show();
  }

  /** Show a new refusal of an act by the server; `page/announcer.js` announces it. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === latestNotice) return;
    latestNotice = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    setReason(strings.sentence(notice), pileOfRefusal(notice));
    markRefused(board, notice);
  }

  return {
    update,
    /** Refuse an act that is not sent. Announce the reason, or the key that asks for it. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      setReason(words, hand?.pile);
      if (hand) shakeCards(board, hand.pile, hand.count);
      app.announce(last.isShown ? words : strings.askWhy(preference('keys') === 'classic'));
    },
    /** Show and announce the reason for the last refusal. */
    announceReason() {
      update(app.state()); // a refusal may have come since the last drawing
      app.announce(last.words || strings.PLAY.nothingRefused);
      show();
    },
    lastReason: () => last.words,
    /** Return whether the last reason has not been shown yet. */
    hasUnshown() {
      update(app.state()); // a refusal may have come since the last drawing
      return !last.isShown;
    },
    unbind: bubble.unbind,
  };
}
