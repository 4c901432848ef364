// The server's answers to this player: what acts have done, refusals, hints, and what can still become
// of the game. A refusal is a shake, a low sound and the reason. The reason stands in the status line and
// beside the cards, shown at once or on request, as the player prefers.

import { highlight, shakeCards, uncover } from '../board/board.js';
import { placeBubble } from '../board/geometry.js';
import { preference } from '../browser/storage.js';
import { ErrorCode } from '../contract/protocol.js';
import { SUIT_LENGTH } from '../game/cards.js';
import { isLegal } from '../game/table.js';
import { hasEnded, hasWonRace, isEnd } from '../state/race-events.js';
import { hintInForce, isIdle, ownRow, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, listen, makeThrottle, set } from '../widgets/element.js';
import { tableOf } from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {HintMarks} from '../board/sprites.js'
 * @import {Acted, Hinted, TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/hand.js'
 * @import {App, News, NewsOfGame} from '../page/app.d.ts'
 * @import {Change} from '../state/race-events.js'
 * @import {Notice, State} from '../state/state.js'
 * @import {Player} from './player.js'
 * @typedef {ReturnType<typeof bindRefusals>} Refusals
 * @typedef {ReturnType<typeof makeHints>} Hints
 */

const READING_TIME_MS = 6_000;
/** The least time between two requests for a hint, for players who hold the key down. */
const LEAST_MS = 600;
/** The pause of a player after which the page asks what can still become of the game. */
const PAUSE_MS = 1_500;

/** Return what a message tells about this player's game: what an act has done, a hint, or else the end, which several messages can bring. @type {NewsOfGame} */
export function newsOfGame({ before, after, message, events }) {
  if (message.type === 'acted') return actNews(before, after, message);
  if (message.type !== 'hinted') return endNews(after, events);
  const piles = hintInForce(after) && after.play?.base.piles;
  // A hint for a table that has changed since is not shown, but counts: `hints` is its number.
  return piles ? strings.hinted(message, piles) : strings.hintLate(message.hints);
}

/** Return what an act of this player has done; '' if the end that it brought is announced already, or if it was taken back. @param {State} before @param {State} after @param {Acted} message @returns {News} */
function actNews(before, after, message) {
  const row = ownRow(after);
  // The standings came first: with them `endNews` has announced the end and the place.
  if (message.outcome && row && hasEnded(row)) return '';
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (!act || !before.play || !after.play) return ''; // taken back while it was in flight
  const { piles, counts } = before.play.base;
  const { action } = act;
  const news = strings.actDone(action, piles, after.play.base.piles);
  const aside = strings.actAside(action, piles, after.play.base.piles);
  if (aside) return { text: news, aside };
  const { exceptions, cheats } = { ...counts, ...message.counts }; // the message has those that changed
  if (action.type === 'undo' && cheats > counts.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  if (action.type === 'move' && exceptions > counts.exceptions)
    return `${news} ${strings.exceptionMade(exceptions)}`;
  return news;
}

/**
 * Return the end of this player's game, in the words that stand over the table; '' if it has not just ended,
 * or nobody else is racing. Giving up has news of its own.
 * @param {State} after @param {Change['events']} events
 */
function endNews(after, events) {
  const row = ownRow(after);
  const hasJustEnded = events.some((each) => isEnd(each) && each.standing === row);
  if (!row || !hasJustEnded || row.state === 'FORFEIT') return '';
  // Of a game that has just ended, the state can still be `RACING`.
  const racing = after.standings.filter((each) => each.state === 'RACING' && !hasEnded(each));
  if (racing.length === 0) return ''; // the result follows
  if (hasWonRace(after))
    return `${strings.youWin(row.finished_ms ?? 0)} ${strings.soFar(null, racing.length)}`; // `youWin` tells the place
  const place = strings.soFar(row.place, racing.length);
  return row.won ? `${strings.RACE.home} ${place}` : place;
}

/** Return the pile beside which a refusal is shown: an empty column that forbids a deal, or the pile of a move or removal; else ''. @param {Notice} refusal */
function pileOfRefusal({ attempt, code, details }) {
  if (code === ErrorCode.DEAL_EMPTY_COLUMN) return details.piles[0] ?? '';
  if (attempt?.type === 'move') return attempt.to;
  return attempt?.type === 'remove' ? attempt.from : '';
}

/**
 * Bind the refusals of a board, and the bubble with their reasons, beside the cards that they are about.
 * The status line has the same sentence for players who cannot see the bubble. The bubble catches no
 * pointer, lies below or above the columns, where players seldom press next, and disappears with the next
 * press or key.
 * @param {App} app @param {Board} board @param {HTMLElement} felt
 */
export function bindRefusals(app, board, felt) {
  const id = 'refusal-bubble';
  const bubble = h('div', { class: 'board-refusal', id, 'aria-hidden': 'true', hidden: true });
  felt.append(bubble);
  const unbinders = ['pointerdown', 'keydown'].map(
    (type) => listen(document, type, hide, { capture: true }), // first: the key may show another reason
  );
  let timer = 0;
  let latestNotice = app.state().notice?.n ?? 0; // one from before the race is not shown
  /** The last reason, the pile that it is about or '', and whether it has been shown; at first there is none to show. */
  let last = { words: '', pile: '', isShown: true };

  /** Hide the bubble. */
  function hide() {
    clearTimeout(timer);
    set(bubble, { hidden: true });
  }

  /** Show the last reason beside its pile; without a pile only the status line has it. */
  function show() {
    const { words, pile } = last;
    last.isShown = true;
    hide();
    if (!words || !board.layout.areas.has(pile)) return;
    set(bubble, { text: words, hidden: false, 'data-of': pile });
    const size = { width: bubble.offsetWidth, height: bubble.offsetHeight }; // of the new text
    const { x, y, tip, above } = placeBubble(board.layout, pile, size);
    bubble.style.left = `${x}px`;
    bubble.style.top = `${y}px`;
    set(bubble, { '--tip': `${tip}px`, 'data-side': above ? 'above' : 'below' });
    timer = setTimeout(hide, READING_TIME_MS);
  }

  /** Sound a refusal, and remember its reason; show it if the player wants to see reasons unasked. @param {string} words @param {string} [pile] */
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
    const { attempt, code, details } = notice;
    setReason(strings.sentence(notice), pileOfRefusal(notice));
    if (attempt?.type === 'move') shakeCards(board, attempt.from, attempt.count);
    if (code === ErrorCode.DEAL_EMPTY_COLUMN)
      for (const pile of details.piles) highlight(board, pile);
  }

  return {
    update,
    /** Refuse an act that is not sent, and announce the reason, or else the key that asks for it. @param {string} words @param {Hand | null} hand */
    refuse(words, hand) {
      setReason(words, hand?.pile);
      if (hand) shakeCards(board, hand.pile, hand.count);
      const askWhy = strings.askWhy(preference('keys') === 'classic');
      app.announce(last.isShown ? words : askWhy);
    },
    /** Show and announce the reason of the last refusal. */
    announceReason() {
      update(app.state()); // a refusal may have come since the last drawing
      app.announce(last.words || strings.PLAY.nothingRefused);
      show();
    },
    lastReason: () => last.words,
    /** Return whether the last reason has not been shown yet. */
    hasUnshown() {
      update(app.state()); // as in `announceReason`
      return !last.isShown;
    },
    unbind() {
      hide();
      for (const unbind of unbinders) unbind();
    },
  };
}

/** Return what a hint marks on the board; '' and 0 are nothing, as for a game that can be finished. @param {Hinted['action']} action @param {TableView} table @returns {HintMarks} */
export function hintMarks(action, table) {
  if (action.type === 'move') return { from: action.from, count: action.count, to: action.to };
  if (action.type === 'remove') return { from: action.from, count: SUIT_LENGTH, to: '' };
  const stock = table.piles.find(({ role }) => role === 'stock');
  return { from: '', count: 0, to: action.type === 'deal' && stock ? stock.id : '' };
}

/** Return what is known about the rest of the game, if the table has not changed since. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return the table, if the page may ask the server what can still become of the game; else null. @param {State} state */
export function openQuestion(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return null;
  const { base } = play;
  // A server of an earlier release has no such setting, and does not know the question.
  const isAskable = room?.settings.autoplay !== undefined && !base.outcome && !base.stuck;
  // Where cards can be dealt the game can always change, so nothing is searched.
  const isOpen = assessed?.at !== base.at && !isLegal(base, { type: 'deal' });
  return isAskable && isOpen ? base : null;
}

/**
 * Make the hints of a race, which are requested once no act is in flight and mark the board until the
 * next act. Where nothing can be dealt and the player pauses, or there is no hint, the page also asks
 * what can still become of the game, once about a table; after a lost connection the table comes anew.
 * @param {{app: App, player: Player, board: Board, changed: () => void}} race
 */
export function makeHints({ app, player, board, changed }) {
  let isWanted = false;
  /** The state in which the open request was sent. @type {State | null} */
  let sentIn = null;
  const sending = makeThrottle(LEAST_MS, send);
  /** The table for which there is no hint. @type {{at: number, notice: Notice} | null} */
  let noHint = null;
  let latest = app.state().hinted; // the latest hint that came
  let hidden = latest; // a hint that is not marked on the board
  let pause = 0;
  /** The table for which the pause runs or has run. @type {TableView | null} */
  let waiting = null;
  /** The table that was asked about. @type {TableView | null} */
  let asked = null;

  /** Return whether a request is wanted and can be sent: none is open, and no act is in flight. */
  const isReady = () => isWanted && !sentIn && app.state().synced && isIdle(app.state().play);

  /** Send a request. */
  function send() {
    if (!isReady()) return; // an act was made while the throttle waited
    isWanted = false;
    sentIn = app.state();
    app.send({ type: 'hint' });
  }

  /** Return the hint for this table, with what it marks; null without one. */
  function hintHere() {
    const { play } = app.state();
    const hint = hintInForce(app.state());
    return hint && play && { hint, play, marks: hintMarks(hint.action, play.shown) };
  }

  /** Let `marks` return the present hint again, and unfold the column of its cards. @param {HintMarks} marks */
  function show({ from, count }) {
    hidden = null;
    if (count > 0) uncover(board, from, count - 1);
  }

  /**
   * Close the request if no hint answers it: it was refused, or its connection is lost. Any other notice
   * closes it, too; then another press asks again. Without a hint, ask what can still become of the game.
   * @param {State} state @param {State} before in which it was sent
   */
  function closeRequest({ notice, play, me }, before) {
    // A request is answered on its own connection only, and each connection makes `me` anew.
    if (notice === before.notice && me === before.me) return;
    sentIn = null;
    if (!play || notice?.command !== 'hint' || notice.code !== ErrorCode.NO_HINT) return;
    isWanted = false; // a second press while it was open is answered too
    noHint = { at: play.base.at, notice };
    assess();
  }

  /** Read a new hint; one about an earlier table leaves a press that came since unanswered: `update` sends it. @param {State} state */
  function readHint({ hinted }) {
    latest = hinted;
    sentIn = null;
    const here = hintHere();
    if (!here) return;
    isWanted = false;
    show(here.marks);
  }

  /** Ask what can still become of the game, unless this table was asked about before. */
  function assess() {
    clearTimeout(pause);
    const table = openQuestion(app.state());
    if (!table || table === asked) return;
    asked = table;
    app.send({ type: 'assess' });
  }

  return {
    /** Request a hint, unless this table has one, or has none: then say that again. */
    request() {
      const { room, play } = app.state();
      const here = hintHere();
      if (!tableOf(player)) return;
      if (!room?.settings.hints) app.announce(strings.HINT_OFF);
      else if (noHint && noHint.at === play?.base.at) app.announce(strings.sentence(noHint.notice));
      else if (here) {
        show(here.marks);
        changed();
        app.announce(strings.hinted(here.hint, here.play.base.piles));
      } else {
        isWanted = true;
        if (isReady()) sending.request();
      }
    },

    /** Return what is marked: the hint for this table, until it is hidden. */
    marks() {
      const here = hintHere();
      return { hint: here && here.hint !== hidden ? here.marks : null };
    },

    /** Follow a state: read answers, send what has waited, and begin a pause for each new table. @param {State} state */
    update(state) {
      if (!tableOf(player)) isWanted = false; // nothing can be played
      if (sentIn) closeRequest(state, sentIn);
      if (state.hinted !== latest) readHint(state);
      if (isReady()) sending.request();
      const table = openQuestion(state);
      if (table === waiting) return;
      waiting = table;
      clearTimeout(pause);
      if (table) pause = setTimeout(assess, PAUSE_MS);
    },

    /** Hide the hint; another request shows it again. */
    clear() {
      hidden = app.state().hinted;
    },

    unbind() {
      sending.stop();
      clearTimeout(pause);
    },
  };
}
