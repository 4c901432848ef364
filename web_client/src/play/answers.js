// The server's answers to this player's acts: the sentence of the status line about an act, a hint or
// the end, and refused acts. A refusal is a shake, a low sound and the reason. The reason stands in the
// status line and beside the cards, shown at once or on request, as the player prefers.

import { highlight, shakeCards } from '../board/board.js';
import { preference } from '../browser/storage.js';
import { ErrorCode } from '../contract/protocol.js';
import { hasEnded, hasWonRace } from '../state/race-events.js';
import { hintInForce, ownRow } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {bindRefusalBubble} from '../board/bubbles.js'
 * @import {Acted, Hinted} from '../contract/notation.js'
 * @import {Hand} from '../game/hand.js'
 * @import {App, News, NewsOfGame} from '../page/app.d.ts'
 * @import {Notice, State} from '../state/state.js'
 */

/** Return the news of a message. @type {NewsOfGame} */
export function newsOfGame(before, after, message) {
  if (message.type === 'acted') return actNews(before, after, message);
  return message.type === 'hinted' ? hintNews(after, message) : endNews(before, after);
}

/** Return the effect of an act. @param {State} before @param {State} after @param {Acted} message @returns {News} */
function actNews(before, after, message) {
  const row = ownRow(after);
  // The end has been announced, with the place.
  if (message.outcome && row && hasEnded(row)) return '';
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (!act || !before.play || !after.play) return '';
  const [old, next] = [before.play.base, after.play.base];
  const news = strings.actDone(act.action, old.piles, next.piles);
  const aside = strings.actAside(act.action, old.piles, next.piles);
  if (aside) return { text: news, aside };
  const { exceptions, cheats } = { ...old.counts, ...message.counts };
  if (act.action.type === 'undo' && cheats > old.counts.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  const wasException = act.action.type === 'move' && exceptions > old.counts.exceptions;
  return wasException ? `${news} ${strings.exceptionMade(exceptions)}` : news;
}

/** Return a hint, or that it came too late. @param {State} after @param {Hinted} hint */
const hintNews = (after, hint) =>
  hintInForce(after) && after.play
    ? strings.hinted(hint, after.play.base.piles)
    : strings.hintLate(hint.hints);

/**
 * Return the end of this player's game while others still race, as it stands over the table. Giving up
 * has news of its own.
 * @param {State} before
 * @param {State} after
 */
function endNews(before, after) {
  const [old, row] = [ownRow(before), ownRow(after)];
  if (!old || !row || hasEnded(old) || !hasEnded(row) || row.state === 'FORFEIT') return '';
  const racing = after.standings.filter((each) => each.state === 'RACING' && !hasEnded(each));
  if (racing.length === 0) return ''; // the result follows
  if (hasWonRace(after))
    return `${strings.youWin(row.finished_ms ?? 0)} ${strings.soFar(null, racing.length)}`;
  const place = strings.soFar(row.place, racing.length);
  return row.won ? `${strings.RACE.home} ${place}` : place;
}

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
  let isShown = true;

  /** Remember the reason of a refusal, and show it if the player wants that. @param {string} words @param {string | undefined} pile */
  function setReason(words, pile) {
    reason = words;
    about = pile;
    isShown = preference('reasons') === 'at-once';
    app.sound.play('no');
    if (isShown) bubble.show(words, pile);
  }

  /** Show a refusal of the server; the announcer announces it. @param {State} state */
  function update({ notice }) {
    if (!notice || notice.n === latestNotice) return;
    latestNotice = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    setReason(strings.sentence(notice), pileOf(notice));
    const { attempt: tried, code, details } = notice;
    if (tried?.type === 'move') shakeCards(board, tried.from, tried.count);
    if (code === ErrorCode.DEAL_EMPTY_COLUMN)
      for (const pile of details.piles) highlight(board, pile);
  }

  return {
    update,
    /** Refuse an act that is not sent. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      setReason(words, hand?.pile);
      if (hand) shakeCards(board, hand.pile, hand.count);
      app.announce(isShown ? words : strings.ASK_WHY);
    },
    /** Show and announce the reason of the last refusal. */
    announceReason() {
      update(app.state()); // a refusal may have come since the last drawing
      isShown = true;
      app.announce(reason || strings.PLAY.nothingRefused);
      bubble.show(reason, about);
    },
    lastReason: () => reason,
    /** Return whether the last reason has not been shown yet. */
    hasUnshown() {
      update(app.state());
      return !isShown;
    },
  };
}
