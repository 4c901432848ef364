// The announcer finds the sentence for the status line after a message, by comparing the states before and after it.

import { preference } from '../browser/storage.js';
import { isRepeated } from '../connection/socket.js';
import { ErrorCode } from '../contract/protocol.js';
import {
  amHost,
  awaitsAdmission,
  endOf,
  endsSooner,
  hasRoundsLeft,
  isLone,
  isOneOfSeveral,
  isOpenRaceOn,
  mayChase,
  mySeat,
  newlyReady,
  plays,
} from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {RoomView, SeatView} from '../contract/messages.d.ts'
 * @import {News, NewsOfGame} from './app.d.ts'
 * @import {Change} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {{before: State, after: State, old: RoomView, room: RoomView}} RoomChange a change of the state and its room
 * @typedef {{arrivals: SeatView[]}} People those who joined and are not announced yet: many may come within seconds
 */

const { TRY_AGAIN, STALE, TOO_MANY_IN_FLIGHT, EARLY, TOO_LATE } = ErrorCode;
/** Refusals for reasons other than the rules of the game. @type {ReadonlySet<string>} */
const NOT_OF_RULES = new Set([TRY_AGAIN, STALE, TOO_MANY_IN_FLIGHT, EARLY, TOO_LATE]);

/** Return the sentences for a single race, or for a round of a match. @param {RoomView | null} room */
function wordsOf(room) {
  return room && isOneOfSeveral(room) ? strings.ROUND_NEWS : strings.NEWS;
}

/** Find a seat by its number. @param {readonly SeatView[]} seats @param {number | null} number */
const seatIn = (seats, number) => seats.find(({ seat }) => seat === number);

/** Return the news that a room is in a new state. @param {RoomChange} change @returns {News} */
function newsOfState({ before, old, room }) {
  const dealLine = strings.winLine(room.round?.winnable, room.round?.degree);
  const withDeal = (/** @type {string} */ text) => [text, dealLine].filter(Boolean).join(' ');
  if (isOpenRaceOn(room)) return withDeal(strings.NEWS.open);
  if (room.state === 'RUNNING')
    return old.state === 'COUNTDOWN' ? strings.NEWS.go : withDeal(strings.NEWS.go); // the countdown has named the deal
  if (room.state === 'COUNTDOWN')
    return {
      until: room.round?.t0 ?? 0,
      words: (left) => withDeal(strings.startsIn(left, isOneOfSeveral(room))),
      isSeen: true, // the countdown shows the seconds
    };
  // If the room returns to the lobby without showing results, the host has stopped the race.
  if (room.state === 'LOBBY' && old.state !== 'FINISHED') return wordsOf(room).stopped;
  // Otherwise the race is over: only a latecomer needs the news that it has cut their game short.
  return mySeat(before)?.state === 'CHASING' ? { spoken: wordsOf(room).cutOff } : '';
}

/** Return the sentences about a room's people and this player's seat. @param {RoomChange} change @param {readonly SeatView[]} left who has left */
function newsOfPeople(change, left) {
  const { before, after, old, room } = change;
  const own = mySeat(after)?.state;
  const hasChanged = own !== mySeat(before)?.state;
  const applicant = room.waiting.find(({ seat }) =>
    old.waiting.every((each) => each.seat !== seat),
  );
  const newHost = old.host !== room.host && seatIn(room.seats, room.host);
  return [
    // Only during the race: after it, a player who takes back `READY` becomes `FORFEIT` again.
    room.state === 'RUNNING' && own === 'FORFEIT' && hasChanged && strings.NEWS.forfeit,
    own === 'CHASING' && hasChanged && wordsOf(room).chasing,
    room.kept && !old.kept && strings.TABLE.kept,
    applicant && amHost(after) && strings.asks(applicant.name),
    ...left.map(({ name }) => strings.left(name)),
    newHost && (amHost(after) ? strings.NEWS.host : strings.hosts(newHost.name)),
  ].filter((sentence) => typeof sentence === 'string');
}

/**
 * Return the news that a race now ends earlier: the screen's sentence about the win that shortened it, or a countdown.
 * @param {RoomView} room
 * @param {readonly string[]} others sentences to put before it
 * @param {News} ofGame the news of the shown game, or ''
 */
function newsOfEnding(room, others, ofGame) {
  if (ofGame && typeof ofGame === 'string') return [...others, ofGame].join(' ');
  const words = (/** @type {number} */ seconds) =>
    [...others, strings.endsIn(seconds, isOneOfSeveral(room))].join(' ');
  return { until: endOf(room), words };
}

/** Return why something was refused, or '' if the status line need not say it. @param {State} after */
function refusalNews({ notice }) {
  if (!notice || /^(configure|say)$/.test(notice.command)) return ''; // the form or the chat shows it
  if (notice.command === 'assess') return ''; // the page asked, not the player
  if (isRepeated(notice)) return ''; // the page tries again, and its connection sign says why
  // The page sent the act twice, and has already received the answer to one of the two.
  if (notice.kind === 'refused' && notice.code === STALE && !notice.attempt) return '';
  // This is the second click of two: the first has already started the countdown or the game.
  if (notice.code === ErrorCode.NOT_IN_STATE && /^(ready|rematch|chase)$/.test(notice.command))
    return '';
  // Players can choose to be shown the reason why a move is illegal only when they press a key.
  const isIllegal = notice.command === 'act' && !NOT_OF_RULES.has(notice.code);
  return isIllegal && preference('reasons') === 'on-request'
    ? strings.askWhy(preference('keys') === 'classic')
    : strings.sentence(notice);
}

/** Return the news when a seat is taken: that the page is connected again, that the race is on, or ''. @param {State} before @param {State} after */
function newsOfJoining(before, after) {
  if (before.me) return before.connection === 'connecting' ? strings.NEWS.back : '';
  const { me, room } = after;
  if (isOpenRaceOn(room)) return '';
  const isLate = room?.state === 'RUNNING' && mySeat(after)?.state === 'WATCHING';
  if (me?.role !== 'player' || !isLate) return '';
  return mayChase(after) ? wordsOf(room).lateChase : wordsOf(room).late;
}

/**
 * Make the announcer. For each message it returns the news about the page or, without any, about the game.
 * @param {NewsOfGame} newsOfGame returns the news about the game on the shown screen
 * @returns {NewsOfGame}
 */
export function makeAnnouncer(newsOfGame) {
  const people = { arrivals: [] }; // kept from one change to the next, until they are announced
  return (change) => newsOfPage(people, change, newsOfGame) || newsOfGame(change);
}

/** Return one sentence about all people who have joined, or '', and count them as announced. @param {People} people */
function takeArrivals(people) {
  const names = people.arrivals.map(({ name }) => name);
  people.arrivals = [];
  return names.length > 0 ? strings.joined(names) : '';
}

/**
 * Return the news of a changed room: its state if that is new, otherwise its people.
 * @param {People} people @param {RoomChange} change
 * @param {() => News} ofGame returns the news of this player's game @returns {News}
 */
function newsOfRoom(people, change, ofGame) {
  const { before, after, old, room } = change;
  if (old.code !== room.code || old.state !== room.state) {
    people.arrivals = []; // the new screen shows all players
    return old.code === room.code ? newsOfState(change) : '';
  }
  // People waiting to be admitted do not see the others.
  if (awaitsAdmission(before)) return awaitsAdmission(after) ? '' : strings.NEWS.admitted;
  // If somebody leaves before their arrival was announced, neither is news.
  const known = old.seats.filter(({ seat }) => !seatIn(people.arrivals, seat));
  const left = known.filter(({ seat }) => !seatIn(room.seats, seat));
  const joined = room.seats.filter(({ seat }) => !seatIn(old.seats, seat));
  people.arrivals = [...people.arrivals, ...joined].filter(({ seat }) => seatIn(room.seats, seat));
  const news = newsOfPeople(change, left);
  if (endsSooner(old, room)) return newsOfEnding(room, news, ofGame()); // arrivals can wait
  // In the lobby the chat already shows arrivals and departures. A lone player has no chat there.
  const isLobby = room.state === 'LOBBY';
  const isSpoken = isLobby && !isLone(room);
  const text = news.length > 0 && [takeArrivals(people), ...news].filter(Boolean).join(' ');
  if (text) return isSpoken ? { spoken: text } : text;
  if (people.arrivals.length > 0) return { collected: () => takeArrivals(people), isSpoken };
  const mayBeReady = isLobby || room.state === 'FINISHED';
  const ready = mayBeReady ? newlyReady(old, room, after.me?.seat) : [];
  const words = ready.map(({ name }) =>
    isLobby ? strings.isReady(name) : strings.wants([name], hasRoundsLeft(room)),
  );
  // The screen shows it: their cards turn up, or the bar below the results names them.
  return words.length > 0 ? { spoken: words.join(' ') } : '';
}

/**
 * Return the news for every screen: about the room, a refusal, a stuck game or the connection; else ''.
 * @param {People} people @param {Change} change @param {NewsOfGame} newsOfGame @returns {News}
 */
function newsOfPage(people, change, newsOfGame) {
  const { before, after, message } = change;
  switch (message.type) {
    case 'acted':
      return message.stuck && !message.outcome ? strings.stuck(message) : '';
    case 'table': {
      // A new connection sends the table again: do not announce once more that the game is stuck.
      const table = after.play?.base;
      const isOver = table?.outcome || !plays(after);
      return table?.stuck && !before.play?.base.stuck && !isOver ? strings.stuck(table) : '';
    }
    case '@act': // refused if too many acts are waiting
      return after.notice === before.notice ? '' : refusalNews(after);
    case 'refused':
    case 'error':
      return refusalNews(after);
    case 'room':
    case 'changes': {
      const { room: old } = before;
      const { room } = after;
      if (!old || !room) return '';
      return newsOfRoom(people, { before, after, old, room }, () => newsOfGame(change));
    }
    case '@connection':
      if (after.connection !== 'waiting') return '';
      // The connection sign shows why there is no seat yet (a negative code), but not to screen readers.
      if (after.closeCode < 0 && after.closeCode !== before.closeCode)
        return { spoken: strings.closing(after.closeCode) };
      return before.connection === 'on' ? strings.NEWS.lost : '';
    case 'joined':
      people.arrivals = []; // the message has the whole room
      return newsOfJoining(before, after);
    default:
      return '';
  }
}
