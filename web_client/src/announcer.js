// What the one status line says: what a message has changed, compared before and after.

import { strings } from './language.js';
import { amHost } from './reducer.js';

/**
 * @import {Message, State} from './reducer.js'
 */

const OPPONENTS_PACE = 10_000;

/**
 * @param {() => number} now in milliseconds
 * @param {() => number} serverNow the server's time
 */
export function makeAnnouncer(now, serverNow) {
  let spokenAt = -OPPONENTS_PACE;

  /** A change of lead or a finish, seldom enough to be listened to. @param {State} before @param {State} after */
  function others(before, after) {
    const me = after.me?.seat;
    const finished = after.standings.find(
      (each) =>
        each.seat !== me &&
        each.state !== 'RACING' &&
        before.standings.some((old) => old.seat === each.seat && old.state === 'RACING'),
    );
    if (finished) return strings.ended(finished);
    const [leader] = after.standings;
    const [led] = before.standings;
    if (!leader || !led || leader.seat === led.seat || now() - spokenAt < OPPONENTS_PACE) return '';
    spokenAt = now();
    return leader.seat === me ? strings.TOLD.lead : strings.leads(leader.name);
  }

  /** @param {State} before @param {State} after */
  function room(before, after) {
    const was = before.room;
    const is = after.room;
    if (!was || !is || was.code !== is.code) return '';
    if (was.state !== is.state) {
      if (is.state === 'RUNNING') return strings.TOLD.go;
      if (is.state === 'COUNTDOWN') return strings.TOLD.soon;
      if (is.state === 'LOBBY' && was.state !== 'FINISHED') return strings.TOLD.stopped;
      return '';
    }
    const newcomer = is.seats.find(({ seat }) => !was.seats.some((old) => old.seat === seat));
    const gone = was.seats.find(({ seat }) => !is.seats.some((old) => old.seat === seat));
    const host = was.host !== is.host && is.seats.find(({ seat }) => seat === is.host);
    const [endedAt, end] = [was.round?.t_end ?? Infinity, is.round?.t_end ?? Infinity];
    return [
      newcomer && strings.joined(newcomer.name),
      gone && strings.left(gone.name),
      host && (amHost(after) ? strings.TOLD.host : strings.hosts(host.name)),
      end < endedAt && strings.endsIn(Math.round((end - serverNow()) / 1_000)),
      !was.rematch && is.rematch && strings.TOLD.rematch,
    ]
      .filter(Boolean)
      .join(' ');
  }

  /**
   * @param {State} before
   * @param {State} after
   * @param {Message} message
   * @returns {string} '' if there is nothing to say
   */
  return (before, after, message) => {
    switch (message.type) {
      case 'acted': {
        const meant = before.play?.flying.find((each) => each.id === message.id);
        if (message.stuck && !message.outcome) return strings.stuck(message.stuck);
        if (!meant || !before.play || !after.play) return '';
        const news = strings.done(meant.action, before.play.base.piles, after.play.base.piles);
        const { exceptions } = message.counts;
        const more =
          meant.action.type === 'move' && exceptions > before.play.base.counts.exceptions;
        return more ? `${news} ${strings.exceptionMade(exceptions)}` : news;
      }
      case 'refused':
      case 'error': {
        const notice = after.notice;
        if (/^(configure|say)$/.test(notice?.command ?? '')) return ''; // said beside the form
        const doubled = message.type === 'refused' && message.code === 'stale' && !notice?.attempt;
        return notice && !doubled ? strings.sentence(notice) : '';
      }
      case 'standings':
        return others(before, after);
      case 'room':
        return room(before, after);
      case '@line':
        return before.line === 'on' && after.line === 'waiting' ? strings.TOLD.lost : '';
      case 'joined':
        return before.line === 'connecting' && before.me ? strings.TOLD.back : '';
      default:
        return '';
    }
  };
}
