// What the one status line says: what a message has changed, compared before and after.

import { strings } from './language.js';
import { amHost, hintInForce, mySeat, plays, waits } from './reducer.js';
import { makeRivals } from './rivals.js';

/**
 * @import {Message, State} from './reducer.js'
 */

/** Refusals that have nothing to do with the rules. @type {ReadonlySet<string>} */
const LINE = new Set(['try_again', 'stale', 'too_many_in_flight', 'early', 'too_late']);

/** Whether somebody has come to play while a race is on. @param {State} state */
const lateFor = (state) =>
  state.me?.role === 'player' &&
  state.room?.state === 'RUNNING' &&
  mySeat(state)?.state === 'WATCHING';

/**
 * @param {() => number} now in milliseconds
 * @param {() => number} serverNow the server's time
 * @param {() => boolean} [tells] whether the reason for a refused move is said at once
 */
export function makeAnnouncer(now, serverNow, tells = () => true) {
  const rivals = makeRivals(now);

  /** @param {State} before @param {State} after */
  function room(before, after) {
    const was = before.room;
    const is = after.room;
    if (!was || !is || was.code !== is.code) return '';
    if (was.state !== is.state) {
      if (is.state === 'RUNNING') return strings.NEWS.go;
      if (is.state === 'COUNTDOWN') return strings.NEWS.soon;
      if (is.state === 'LOBBY' && was.state !== 'FINISHED') return strings.NEWS.stopped;
      return '';
    }
    if (waits(before)) return waits(after) ? '' : strings.NEWS.admitted;
    const asks = is.waiting.find(({ seat }) => !was.waiting.some((old) => old.seat === seat));
    const newcomer = is.seats.find(({ seat }) => !was.seats.some((old) => old.seat === seat));
    const gone = was.seats.find(({ seat }) => !is.seats.some((old) => old.seat === seat));
    const host = was.host !== is.host && is.seats.find(({ seat }) => seat === is.host);
    const [endedAt, end] = [was.round?.t_end ?? Infinity, is.round?.t_end ?? Infinity];
    const own = is.seats.find(({ seat }) => seat === after.me?.seat)?.state;
    const old = was.seats.find(({ seat }) => seat === after.me?.seat)?.state;
    return [
      old !== own && own === 'FORFEIT' && strings.NEWS.forfeit,
      asks && amHost(after) && strings.asks(asks.name),
      newcomer && strings.joined(newcomer.name),
      gone && strings.left(gone.name),
      host && (amHost(after) ? strings.NEWS.host : strings.hosts(host.name)),
      end < endedAt && strings.endsIn(Math.round((end - serverNow()) / 1_000)),
      !was.rematch && is.rematch && strings.NEWS.rematch,
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** What was refused; an illegal move only on request, if the player likes it so. @param {State} after */
  function refused({ notice }) {
    if (!notice || /^(configure|say)$/.test(notice.command)) return ''; // said beside the form
    if (notice.kind === 'refused' && notice.code === 'stale' && !notice.attempt) return ''; // doubled
    const quiet = notice.command === 'act' && !LINE.has(notice.code) && !tells();
    return quiet ? strings.ASK_WHY : strings.sentence(notice);
  }

  /** @param {State} before @param {State} after @param {Message} message */
  function news(before, after, message) {
    switch (message.type) {
      case 'acted': {
        const meant = before.play?.flying.find((each) => each.id === message.id);
        if (message.stuck && !message.outcome) return strings.stuck(message);
        if (!meant || !before.play || !after.play) return '';
        const what = strings.actDone(meant.action, before.play.base.piles, after.play.base.piles);
        const { exceptions, cheats } = message.counts;
        const old = before.play.base.counts;
        if (meant.action.type === 'undo' && cheats > old.cheats)
          return `${what} ${strings.cheatMade(cheats)}`;
        const more = meant.action.type === 'move' && exceptions > old.exceptions;
        return more ? `${what} ${strings.exceptionMade(exceptions)}` : what;
      }
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
        return refused(after);
      case 'room':
      case 'changes':
        return room(before, after);
      case '@line':
        return before.line === 'on' && after.line === 'waiting' ? strings.NEWS.lost : '';
      case 'joined':
        if (before.me) return before.line === 'connecting' ? strings.NEWS.back : '';
        return lateFor(after) ? strings.NEWS.late : '';
      default:
        return '';
    }
  }

  /**
   * @param {State} before
   * @param {State} after
   * @param {Message} message
   * @returns {string} '' if there is nothing to say
   */
  return (before, after, message) => {
    const me = after.me?.seat ?? -1;
    if (after.room?.state !== 'RUNNING') rivals.forget();
    else if (message.type === 'standings') rivals.hear(before.standings, after.standings, me);
    return news(before, after, message) || rivals.due(me);
  };
}
