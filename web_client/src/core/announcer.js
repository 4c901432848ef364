// The announcer: the sentence of the status line about a message, from the states before and after it.

import { strings } from './language.js';
import { ErrorCode } from './protocol.js';
import {
  amHost,
  hasRoundsLeft,
  hintInForce,
  isOneOfSeveral,
  mayChase,
  mySeat,
  plays,
  waits,
} from './reducer.js';
import { makeRivals } from './rivals.js';

/**
 * @import {RoomView, Standing} from './messages.d.ts'
 * @import {Acted} from './notation.js'
 * @import {Message, State} from './reducer.js'
 * @typedef {object} Countdown news whose sentence changes every second
 * @property {number} until the end, by the server's clock
 * @property {(seconds: number) => string} words the sentence with so many seconds left
 * @typedef {object} Aside news of which only screen readers need a part
 * @property {string} text
 * @property {string} aside the part, as it stands in the text
 * @typedef {string | Countdown | Aside} News
 */

/** Refusals for other reasons than the rules of the game. @type {ReadonlySet<string>} */
const NOT_OF_RULES = new Set([
  ErrorCode.TRY_AGAIN,
  ErrorCode.STALE,
  ErrorCode.TOO_MANY_IN_FLIGHT,
  ErrorCode.EARLY,
  ErrorCode.TOO_LATE,
]);

/** Return whether this player has come to play while a race is on. @param {State} state */
const isLate = (state) =>
  state.me?.role === 'player' &&
  state.room?.state === 'RUNNING' &&
  mySeat(state)?.state === 'WATCHING';

/** Return whether a seat is ready. @param {RoomView} room @param {number} number */
const isReady = ({ seats }, number) =>
  seats.some(({ seat, state }) => seat === number && state === 'READY');

/** Return the end of a room's race, which may never come. @param {RoomView} room */
const endOf = ({ round }) => round?.t_end ?? Infinity;

/**
 * Return the player whose win has just shortened the race, if there is one. Of a game that was stopped
 * the standings know that already: it shortens nothing.
 *
 * @param {RoomView} old
 * @param {RoomView} room
 * @param {readonly Standing[]} standings
 */
function shorteningWinner(old, room, standings) {
  if (endOf(room) >= endOf(old) || room.settings.after_win_s === null) return undefined;
  const hasStopped = (/** @type {number} */ number) =>
    standings.some(
      ({ seat, won, finished_ms }) => seat === number && !won && Number.isFinite(finished_ms),
    );
  return room.seats.find(
    ({ seat, state }) =>
      state === 'FINISHED' &&
      !hasStopped(seat) &&
      old.seats.some((each) => each.seat === seat && each.state === 'RACING'),
  );
}

/** Return what a player reads who joins after the start. @param {State} after */
function lateNews(after) {
  const inMatch = after.room !== null && isOneOfSeveral(after.room);
  const words = inMatch ? strings.ROUND_NEWS : strings.NEWS;
  return mayChase(after) ? words.lateChase : words.late;
}

/**
 * Return the news of a room.
 *
 * @param {State} before
 * @param {State} after
 * @returns {News}
 */
function roomNews(before, after) {
  const old = before.room;
  const { room } = after;
  if (!old || !room || old.code !== room.code) return '';
  const inMatch = isOneOfSeveral(room);
  const words = inMatch ? strings.ROUND_NEWS : strings.NEWS;
  if (old.state !== room.state) {
    if (room.state === 'RUNNING') return strings.NEWS.go;
    if (room.state === 'COUNTDOWN')
      return {
        until: room.round?.t0 ?? 0,
        words: (left) => strings.startsIn(left, inMatch),
      };
    if (room.state === 'LOBBY' && old.state !== 'FINISHED') return words.stopped;
    return mySeat(before)?.state === 'CHASING' ? words.cutOff : '';
  }
  if (waits(before)) return waits(after) ? '' : strings.NEWS.admitted;
  const applicant = room.waiting.find(
    ({ seat }) => !old.waiting.some((each) => each.seat === seat),
  );
  const newcomer = room.seats.find(({ seat }) => !old.seats.some((each) => each.seat === seat));
  const gone = old.seats.find(({ seat }) => !room.seats.some((each) => each.seat === seat));
  const newHost = old.host !== room.host && room.seats.find(({ seat }) => seat === room.host);
  const readyPlayer =
    room.state === 'FINISHED' &&
    room.seats.find(
      ({ seat, state }) => state === 'READY' && seat !== after.me?.seat && !isReady(old, seat),
    );
  const ownState = mySeat(after)?.state;
  const hasForfeited =
    ownState === 'FORFEIT' &&
    !old.seats.some(({ seat, state }) => seat === after.me?.seat && state === ownState);
  const beginsLate = ownState === 'CHASING' && mySeat(before)?.state !== ownState;
  const news = [
    room.state === 'RUNNING' && hasForfeited && strings.NEWS.forfeit,
    beginsLate && words.chasing,
    applicant && amHost(after) && strings.asks(applicant.name),
    newcomer && strings.joined(newcomer.name),
    gone && strings.left(gone.name),
    newHost && (amHost(after) ? strings.NEWS.host : strings.hosts(newHost.name)),
    readyPlayer && strings.wants(readyPlayer.name, hasRoundsLeft(room)),
  ].filter(Boolean);
  if (endOf(room) >= endOf(old)) return news.join(' ');
  const winner = shorteningWinner(old, room, after.standings);
  const { after_win_s: seconds } = room.settings;
  if (winner && seconds !== null)
    return [...news, strings.lastStretch(seconds, winner.name)].join(' ');
  return {
    until: endOf(room),
    words: (left) => [...news, strings.endsIn(left, inMatch)].join(' '),
  };
}

/**
 * Return the reason of a refusal.
 *
 * @param {State} after
 * @param {boolean} atOnce false if the player wants the reasons of illegal moves only on request
 */
function refusalNews({ notice }, atOnce) {
  if (!notice || /^(configure|say)$/.test(notice.command)) return ''; // shown beside the form
  // The second answer to an act that was sent twice is not announced.
  if (notice.kind === 'refused' && notice.code === ErrorCode.STALE && !notice.attempt) return '';
  // A second click on Ready comes when the first one has begun the countdown.
  if (notice.code === ErrorCode.NOT_IN_STATE && /^(ready|rematch)$/.test(notice.command)) return '';
  const isOnRequest = notice.command === 'act' && !NOT_OF_RULES.has(notice.code) && !atOnce;
  return isOnRequest ? strings.ASK_WHY : strings.sentence(notice);
}

/** Return the effect of an act of this player. @param {State} before @param {State} after @param {Acted} message @returns {News} */
function actNews(before, after, message) {
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (message.stuck && !message.outcome) return strings.stuck(message);
  if (!act || !before.play || !after.play) return '';
  const [oldPiles, piles] = [before.play.base.piles, after.play.base.piles];
  const news = strings.actDone(act.action, oldPiles, piles);
  const aside = strings.actAside(act.action, oldPiles, piles);
  if (aside) return { text: news, aside };
  const old = before.play.base.counts;
  const { exceptions, cheats } = { ...old, ...message.counts };
  if (act.action.type === 'undo' && cheats > old.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  const wasException = act.action.type === 'move' && exceptions > old.exceptions;
  return wasException ? `${news} ${strings.exceptionMade(exceptions)}` : news;
}

/**
 * Make the announcer.
 *
 * @param {() => number} now in milliseconds
 * @param {() => boolean} [reasonsAtOnce] whether the reason of an illegal move is shown unasked
 */
export function makeAnnouncer(now, reasonsAtOnce = () => true) {
  const rivals = makeRivals(now);

  /** Return the news of a message. @param {State} before @param {State} after @param {Message} message @returns {News} */
  function news(before, after, message) {
    switch (message.type) {
      case 'acted':
        return actNews(before, after, message);
      case 'table': {
        const table = after.play?.base;
        const isNoNews = before.play?.base.stuck || table?.outcome || !plays(after);
        return table?.stuck && !isNoNews ? strings.stuck(table) : '';
      }
      case 'hinted':
        return hintInForce(after) && after.play
          ? strings.hinted(message, after.play.base.piles)
          : strings.hintLate(message.hints);
      case 'refused':
      case 'error':
        return refusalNews(after, reasonsAtOnce());
      case 'room':
      case 'changes':
        return roomNews(before, after);
      case '@connection':
        return before.connection === 'on' && after.connection === 'waiting'
          ? strings.NEWS.lost
          : '';
      case 'joined':
        if (before.me) return before.connection === 'connecting' ? strings.NEWS.back : '';
        if (!isLate(after)) return '';
        return lateNews(after);
      default:
        return '';
    }
  }

  /**
   * Return the sentence about a message, or else the collected news of other players.
   *
   * @param {State} before
   * @param {State} after
   * @param {Message} message
   * @returns {News} '' if there is none
   */
  return (before, after, message) => {
    const me = after.me?.seat ?? -1;
    if (after.room?.state !== 'RUNNING') rivals.clear();
    else if (message.type === 'room' && before.room) {
      const winner = shorteningWinner(before.room, after.room, after.standings);
      if (winner) rivals.dropEnd(winner.seat);
    } else if (message.type === 'standings' || message.type === 'standings_changes')
      rivals.update(before.standings, after.standings, me);
    return news(before, after, message) || rivals.take(me);
  };
}
