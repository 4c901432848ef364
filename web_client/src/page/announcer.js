// The announcer: the sentence of the status line about a message, from the states before and after it.

import { ErrorCode } from '../contract/protocol.js';
import {
  amHost,
  endOf,
  endsSooner,
  hasRoundsLeft,
  isOneOfSeveral,
  mayChase,
  mySeat,
  plays,
  waits,
} from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {RoomView, SeatView} from '../contract/messages.d.ts'
 * @import {News, NewsOfGame} from './app.d.ts'
 * @import {Message} from '../state/reducer.js'
 * @import {State} from '../state/state.js'
 */

/** Refusals for other reasons than the rules of the game. @type {ReadonlySet<string>} */
const NOT_OF_RULES = new Set([
  ErrorCode.TRY_AGAIN,
  ErrorCode.STALE,
  ErrorCode.TOO_MANY_IN_FLIGHT,
  ErrorCode.EARLY,
  ErrorCode.TOO_LATE,
]);

/**
 * Make the collector of players who have joined and are not announced yet. Many may come within seconds:
 * one sentence names them together.
 */
function makeArrivals() {
  /** @type {SeatView[]} */
  let waiting = [];

  return {
    /** Collect who is new in a room, and drop those who have left again. @param {RoomView} old @param {RoomView} room */
    update(old, room) {
      const all = [...waiting, ...room.seats.filter(({ seat }) => !isIn(old, seat))];
      waiting = all.filter(({ seat }) => isIn(room, seat));
    },
    /** Return whether somebody waits to be announced. */
    any: () => waiting.length > 0,
    /** Return whether a player waits to be announced. @param {number} number of the seat */
    includes: (number) => waiting.some(({ seat }) => seat === number),
    /** Drop all. */
    clear() {
      waiting = [];
    },
    /** Return the sentence about all who wait, or ''. */
    take() {
      const names = waiting.map(({ name }) => name);
      waiting = [];
      return names.length > 0 ? strings.joined(names) : '';
    },
  };
}

/** Return whether a seat of a room is taken. @param {RoomView} room @param {number} number */
const isIn = ({ seats }, number) => seats.some(({ seat }) => seat === number);

/** Return whether this player has come to play while a race is on. @param {State} state */
const isLate = (state) =>
  state.me?.role === 'player' &&
  state.room?.state === 'RUNNING' &&
  mySeat(state)?.state === 'WATCHING';

/** Return whether a seat is ready. @param {RoomView} room @param {number} number */
const isReady = ({ seats }, number) =>
  seats.some(({ seat, state }) => seat === number && state === 'READY');

/** Return what a player reads who joins after the start. @param {State} after */
function lateNews(after) {
  const inMatch = after.room !== null && isOneOfSeveral(after.room);
  const words = inMatch ? strings.ROUND_NEWS : strings.NEWS;
  return mayChase(after) ? words.lateChase : words.late;
}

/**
 * Return the news of a room.
 * @param {State} before
 * @param {State} after
 * @param {ReturnType<typeof makeArrivals>} arrivals
 * @param {() => News} newsOfGame about this message
 * @returns {News}
 */
function roomNews(before, after, arrivals, newsOfGame) {
  const old = before.room;
  const { room } = after;
  if (!old || !room || old.code !== room.code || old.state !== room.state) arrivals.clear();
  if (!old || !room || old.code !== room.code) return '';
  if (old.state !== room.state) return newsOfState(before, old, room);
  if (waits(before)) return waits(after) ? '' : strings.NEWS.admitted;
  const left = old.seats.filter(({ seat }) => !arrivals.includes(seat) && !isIn(room, seat));
  arrivals.update(old, room);
  const news = newsOfSeats(before, after, old, room, left);
  if (endsSooner(old, room)) return newsOfEnd(room, news, newsOfGame());
  if (news.length > 0) return [arrivals.take(), ...news].filter(Boolean).join(' ');
  return arrivals.any() ? { collected: arrivals.take } : readyNews(after, old, room);
}

/**
 * Return that others are ready. Eyes see their cards turned up.
 * @param {State} after
 * @param {RoomView} old
 * @param {RoomView} room
 * @returns {News}
 */
function readyNews({ me }, old, room) {
  const isNews = (/** @type {SeatView} */ { seat, state, level }) =>
    state === 'READY' && !level && seat !== me?.seat && !isReady(old, seat);
  const ready = room.state === 'LOBBY' ? room.seats.filter(isNews) : [];
  const spoken = ready.map(({ name }) => strings.isReady(name)).join(' ');
  return spoken && { spoken };
}

/**
 * Return the news of a room whose state has changed.
 * @param {State} before
 * @param {RoomView} old
 * @param {RoomView} room
 * @returns {News}
 */
function newsOfState(before, old, room) {
  const inMatch = isOneOfSeveral(room);
  const words = inMatch ? strings.ROUND_NEWS : strings.NEWS;
  if (room.state === 'RUNNING') return strings.NEWS.go;
  if (room.state === 'COUNTDOWN')
    return {
      until: room.round?.t0 ?? 0,
      words: (left) => strings.startsIn(left, inMatch),
      isSeen: true,
    };
  if (room.state === 'LOBBY' && old.state !== 'FINISHED') return words.stopped;
  return mySeat(before)?.state === 'CHASING' ? { spoken: words.cutOff } : '';
}

/**
 * Return the sentences about the seats of a room, the own one among them.
 * @param {State} before
 * @param {State} after
 * @param {RoomView} old
 * @param {RoomView} room
 * @param {readonly SeatView[]} left who has left the room
 * @returns {string[]}
 */
function newsOfSeats(before, after, old, room, left) {
  const words = isOneOfSeveral(room) ? strings.ROUND_NEWS : strings.NEWS;
  const applicant = room.waiting.find(
    ({ seat }) => !old.waiting.some((each) => each.seat === seat),
  );
  const newHost = old.host !== room.host && room.seats.find(({ seat }) => seat === room.host);
  const readyPlayer =
    room.state === 'FINISHED' &&
    room.seats.find(
      ({ seat, state, level }) =>
        state === 'READY' && !level && seat !== after.me?.seat && !isReady(old, seat),
    );
  const ownState = mySeat(after)?.state;
  const hasForfeited =
    ownState === 'FORFEIT' &&
    !old.seats.some(({ seat, state }) => seat === after.me?.seat && state === ownState);
  const beginsLate = ownState === 'CHASING' && mySeat(before)?.state !== ownState;
  return [
    room.state === 'RUNNING' && hasForfeited && strings.NEWS.forfeit,
    beginsLate && words.chasing,
    applicant && amHost(after) && strings.asks(applicant.name),
    ...left.map(({ name }) => strings.left(name)),
    newHost && (amHost(after) ? strings.NEWS.host : strings.hosts(newHost.name)),
    readyPlayer && strings.wants(readyPlayer.name, hasRoundsLeft(room)),
  ].flatMap((sentence) => sentence || []);
}

/**
 * Return the news of a race that ends earlier than it was to end.
 * @param {RoomView} room
 * @param {readonly string[]} news other news, which come first
 * @param {News} ofGame says why, if a win has shortened the race
 * @returns {News}
 */
function newsOfEnd(room, news, ofGame) {
  if (ofGame && typeof ofGame === 'string') return [...news, ofGame].join(' ');
  return {
    until: endOf(room),
    words: (left) => [...news, strings.endsIn(left, isOneOfSeveral(room))].join(' '),
  };
}

/**
 * Return the reason of a refusal.
 * @param {State} after
 * @param {boolean} atOnce false if the player wants the reasons of illegal moves only on request
 */
function refusalNews({ notice }, atOnce) {
  if (!notice || /^(configure|say)$/.test(notice.command)) return ''; // shown beside the form
  if (notice.command === 'assess') return ''; // the player has not asked
  // The second answer to an act that was sent twice is not announced.
  if (notice.kind === 'refused' && notice.code === ErrorCode.STALE && !notice.attempt) return '';
  // A second click on Ready comes when the first one has begun the countdown.
  if (notice.code === ErrorCode.NOT_IN_STATE && /^(ready|rematch)$/.test(notice.command)) return '';
  const isOnRequest = notice.command === 'act' && !NOT_OF_RULES.has(notice.code) && !atOnce;
  return isOnRequest ? strings.ASK_WHY : strings.sentence(notice);
}

/**
 * Make the announcer.
 * @param {NewsOfGame} newsOfGame of the shown screen
 * @param {() => boolean} [reasonsAtOnce] whether the reason of an illegal move is shown unasked
 */
export function makeAnnouncer(newsOfGame, reasonsAtOnce = () => true) {
  const arrivals = makeArrivals();

  /** Return the news of a message that the page has on every screen. @param {State} before @param {State} after @param {Message} message @returns {News} */
  function news(before, after, message) {
    switch (message.type) {
      case 'acted':
        return message.stuck && !message.outcome ? strings.stuck(message) : '';
      case 'table': {
        const table = after.play?.base;
        const isNoNews = before.play?.base.stuck || table?.outcome || !plays(after);
        return table?.stuck && !isNoNews ? strings.stuck(table) : '';
      }
      case 'refused':
      case 'error':
        return refusalNews(after, reasonsAtOnce());
      case 'room':
      case 'changes':
        return roomNews(before, after, arrivals, () => newsOfGame(before, after, message));
      case '@connection':
        return before.connection === 'on' && after.connection === 'waiting'
          ? strings.NEWS.lost
          : '';
      case 'joined':
        arrivals.clear();
        if (before.me) return before.connection === 'connecting' ? strings.NEWS.back : '';
        return isLate(after) ? lateNews(after) : '';
      default:
        return '';
    }
  }

  /**
   * Return the sentence about a message.
   * @param {State} before
   * @param {State} after
   * @param {Message} message
   * @returns {News} '' if there is none
   */
  return (before, after, message) =>
    news(before, after, message) || newsOfGame(before, after, message);
}
