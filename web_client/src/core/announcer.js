// The sentence in the status line about a message, from the state before it and after it.

import { strings } from './language.js';
import { ErrorCode } from './protocol.js';
import { amHost, hasRoundsLeft, hintInForce, mySeat, plays, waits } from './reducer.js';
import { makeRivals } from './rivals.js';

/**
 * @import {RoomView} from './messages.d.ts'
 * @import {Acted} from './notation.js'
 * @import {Message, State} from './reducer.js'
 * @typedef {object} Countdown news whose sentence changes every second
 * @property {number} until the end, by the server's clock
 * @property {(seconds: number) => string} words the sentence with so many seconds left
 */

/** Refusals that have nothing to do with the rules of the game. @type {ReadonlySet<string>} */
const NOT_OF_RULES = new Set([
  ErrorCode.TRY_AGAIN,
  ErrorCode.STALE,
  ErrorCode.TOO_MANY_IN_FLIGHT,
  ErrorCode.EARLY,
  ErrorCode.TOO_LATE,
]);

/** Return whether somebody has come to play while a race is on. @param {State} state */
const isLate = (state) =>
  state.me?.role === 'player' &&
  state.room?.state === 'RUNNING' &&
  mySeat(state)?.state === 'WATCHING';

/** Return whether a seat was ready already. @param {RoomView} room @param {number} number */
const readyBefore = ({ seats }, number) =>
  seats.some(({ seat, state }) => seat === number && state === 'READY');

/** Return the player whose win has just shortened the race, if that is so. @param {RoomView} was @param {RoomView} is */
function shortener(was, is) {
  const [endedAt, end] = [was.round?.t_end ?? Infinity, is.round?.t_end ?? Infinity];
  if (end >= endedAt || is.settings.after_win_s === null) return undefined;
  return is.seats.find(
    ({ seat, state }) =>
      state === 'FINISHED' && was.seats.some((old) => old.seat === seat && old.state === 'RACING'),
  );
}

/**
 * Return the news of a room.
 *
 * @param {State} before
 * @param {State} after
 * @returns {string | Countdown}
 */
function roomNews(before, after) {
  const was = before.room;
  const is = after.room;
  if (!was || !is || was.code !== is.code) return '';
  if (was.state !== is.state) {
    if (is.state === 'RUNNING') return strings.NEWS.go;
    if (is.state === 'COUNTDOWN') return { until: is.round?.t0 ?? 0, words: strings.startsIn };
    if (is.state === 'LOBBY' && was.state !== 'FINISHED') return strings.NEWS.stopped;
    return '';
  }
  if (waits(before)) return waits(after) ? '' : strings.NEWS.admitted;
  const asks = is.waiting.find(({ seat }) => !was.waiting.some((old) => old.seat === seat));
  const newcomer = is.seats.find(({ seat }) => !was.seats.some((old) => old.seat === seat));
  const gone = was.seats.find(({ seat }) => !is.seats.some((old) => old.seat === seat));
  const host = was.host !== is.host && is.seats.find(({ seat }) => seat === is.host);
  const [endedAt, end] = [was.round?.t_end ?? Infinity, is.round?.t_end ?? Infinity];
  const wants =
    is.state === 'FINISHED' &&
    is.seats.find(
      ({ seat, state }) => state === 'READY' && seat !== after.me?.seat && !readyBefore(was, seat),
    );
  const own = is.seats.find(({ seat }) => seat === after.me?.seat)?.state;
  const old = was.seats.find(({ seat }) => seat === after.me?.seat)?.state;
  const news = [
    is.state === 'RUNNING' && old !== own && own === 'FORFEIT' && strings.NEWS.forfeit,
    asks && amHost(after) && strings.asks(asks.name),
    newcomer && strings.joined(newcomer.name),
    gone && strings.left(gone.name),
    host && (amHost(after) ? strings.NEWS.host : strings.hosts(host.name)),
    wants && strings.wants(wants.name, hasRoundsLeft(is)),
  ].filter(Boolean);
  if (end >= endedAt) return news.join(' ');
  const first = shortener(was, is);
  const { after_win_s: stretch } = is.settings;
  if (first && stretch !== null)
    return [...news, strings.lastStretch(stretch, first.name)].join(' ');
  return { until: end, words: (seconds) => [...news, strings.endsIn(seconds)].join(' ') };
}

/**
 * Return the reason of a refusal.
 *
 * @param {State} after
 * @param {boolean} atOnce false if the player wants the reasons of illegal moves only on request
 */
function refusalNews({ notice }, atOnce) {
  if (!notice || /^(configure|say)$/.test(notice.command)) return ''; // shown beside the form
  // The answer to an act that was sent twice is no news.
  if (notice.kind === 'refused' && notice.code === ErrorCode.STALE && !notice.attempt) return '';
  const quiet = notice.command === 'act' && !NOT_OF_RULES.has(notice.code) && !atOnce;
  return quiet ? strings.ASK_WHY : strings.sentence(notice);
}

/** Return what an own act has done. @param {State} before @param {State} after @param {Acted} message */
function actNews(before, after, message) {
  const made = before.play?.inFlight.find((each) => each.id === message.id);
  if (message.stuck && !message.outcome) return strings.stuck(message);
  if (!made || !before.play || !after.play) return '';
  const news = strings.actDone(made.action, before.play.base.piles, after.play.base.piles);
  const old = before.play.base.counts;
  const { exceptions, cheats } = { ...old, ...message.counts };
  if (made.action.type === 'undo' && cheats > old.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  const more = made.action.type === 'move' && exceptions > old.exceptions;
  return more ? `${news} ${strings.exceptionMade(exceptions)}` : news;
}

/**
 * Make the announcer.
 *
 * @param {() => number} now in milliseconds
 * @param {() => boolean} [reasonsAtOnce] whether the reason of an illegal move is shown unasked
 */
export function makeAnnouncer(now, reasonsAtOnce = () => true) {
  const rivals = makeRivals(now);

  /** @param {State} before @param {State} after @param {Message} message @returns {string | Countdown} */
  function news(before, after, message) {
    switch (message.type) {
      case 'acted':
        return actNews(before, after, message);
      case 'table': {
        const table = after.play?.base;
        const known = before.play?.base.stuck || table?.outcome || !plays(after);
        return table?.stuck && !known ? strings.stuck(table) : '';
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
        return isLate(after) ? strings.NEWS.late : '';
      default:
        return '';
    }
  }

  /**
   * @param {State} before
   * @param {State} after
   * @param {Message} message
   * @returns {string | Countdown} '' if there is nothing to say
   */
  return (before, after, message) => {
    const me = after.me?.seat ?? -1;
    if (after.room?.state !== 'RUNNING') rivals.clear();
    else if (message.type === 'room' && before.room) {
      const first = shortener(before.room, after.room);
      if (first) rivals.announced(first.seat);
    } else if (message.type === 'standings' || message.type === 'standings_changes')
      rivals.update(before.standings, after.standings, me);
    return news(before, after, message) || rivals.due(me);
  };
}
