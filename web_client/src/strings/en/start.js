// The sentences that every page needs from its start: the front page, the page of a link, refusals before
// a room, the status line, and words that all others use.

import { GAMES } from '../../contract/games.js';

/**
 * @import {ErrorCode, Invitation, PublicRoom, RefusalDetails, Standing} from '../../contract/messages.d.ts'
 * @import {TableView} from '../../contract/notation.js'
 * @import {Notice, State} from '../../state/state.js'
 */

export const LANGUAGE = 'Language';

/** The strengths of computer players, the weakest first. */
export const STRENGTHS = { beginner: 'Beginner', club: 'Club', expert: 'Expert' };

/** How each of them plays, in half a sentence. @type {Record<keyof typeof STRENGTHS, string>} */
export const STRENGTHS_ABOUT = {
  beginner: 'plays the first good move',
  club: 'plans to the next hidden card',
  expert: 'compares plans, hard to beat',
};

/** The paces of computer players, and what they are called together. */
export const PACES = { label: 'Pace', slower: 'slower', usual: 'usual', faster: 'faster' };

/** Return what a program is. @param {keyof typeof STRENGTHS | null} strength of a computer player, else null */
export const programKind = (strength) =>
  strength ? `Computer player: ${STRENGTHS[strength]}` : 'Program';

/** Return names as a list in a sentence. @param {readonly string[]} names */
export const list = (names) => new Intl.ListFormat('en-GB').format(names);

/** Refusals before a room; `race.js` has the others. @type {Partial<Record<ErrorCode, (details: RefusalDetails) => string>>} */
export const REFUSALS = {
  bad_message: () => 'The server didn’t understand this page. Please reload it.',
  not_joined: () => 'You’re not in a room yet.',
  already_joined: () => 'You’re already in this room.',
  try_again: () => 'That didn’t work just now. Try again.',
  no_such_room: () => 'This room doesn’t exist, or it’s closed.',
  room_full: () => 'This room is full.',
  room_locked: () => 'The host has locked this room. No one else can join.',
  no_programs: () => 'The host doesn’t let programs into this room.',
  banned: () => 'The host removed you from this room. You can’t join again.',
  one_seat: () => 'This room has one seat per person, and your browser or network already had one.',
  too_many_seats: () => 'This room already has too many players from your network.',
  too_many_joins: () => 'Too many tries from your network. Wait a moment, then try again.',
  too_many_rooms: () => 'Too many rooms from your network. Wait a moment, then try again.',
  server_full: () => 'Too many rooms are open right now. Try again in a few minutes.',
  store_full: () => 'The server is full right now. Try again in a few minutes.',
  bad_token: () => 'This seat belongs to someone else.',
  bad_name: () => 'Please choose another name.',
  no_bots: () => 'This server has no computer players.',
  bots_busy: () => 'All computer players are busy right now. Try again in a few minutes.',
  too_many_bots: () => 'No more computer players fit in this room.',
};

/** @type {Record<number, string>} */
export const CLOSINGS = {
  '-1': 'The server refuses this connection. Ask its owner (websocket headers).',
  1000: 'You left the room.',
  1001: 'The server is shutting down.',
  1009: 'That message was too long for the server.',
  1011: 'Something went wrong on the server.',
  4001: 'The server is restarting.',
  4002: 'Your connection couldn’t keep up.',
  4003: 'Catching up with the race.',
  4004: 'Your connection went silent.',
  4005: 'Too many messages at once.',
  4500: 'The server doesn’t understand this page. Please reload it.',
  4501: 'This page is out of date. Please reload it.',
  4502: 'Your seat is gone. Please join again.',
  4503: 'You opened this race in another tab or window.',
  4504: 'This room doesn’t exist, or it’s closed.',
  4505: 'The host removed you from the room.',
  4506: 'This room is full.',
  4507: 'The host didn’t let you in.',
};

/** Return why the connection was closed. @param {number} code */
export const closing = (code) => CLOSINGS[code] ?? 'Connection lost.';

/** Return the sentence of a notice. @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** Return the reason of a refusal; a newer server may have newer codes. @param {ErrorCode} code @param {RefusalDetails} details */
export const refusal = (code, details) => REFUSALS[code]?.(details) ?? 'That didn’t work.';

export const STUCK = 'No moves left';
/** Return the question about a game in which no move is left. @param {Pick<TableView, 'stuck' | 'score' | 'legal'>} table */
export function stuckAsk({ stuck: reason, score, legal }) {
  /** @type {Record<string, string>} */
  const why = {
    stock_empty: 'All cards have been dealt.',
    deal_too_few_cards: 'There aren’t enough cards on the table to deal.',
    game_too_long: 'This game has reached the move limit.',
  };
  const undo = legal.some(({ type }) => type === 'undo') ? ' or undo' : '';
  const ask = `Finish here${undo}? You keep ${count(score, 'point')}.`;
  return [why[reason ?? ''], ask].filter(Boolean).join(' ');
}

/** Return the same in short, for the status line. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

export const EXCEPTION_OFF = 'Exceptions are off in this room.';
export const HINT_OFF = 'Hints are off in this room.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'hint');
/** Return the explanation beside a count of cheats. @param {string} [undo] what can be undone in the room */
export const cheatRule = (undo) =>
  undo === 'counted'
    ? 'Every undo counts as a cheat. Everyone sees the count.'
    : 'Undoing a deal or a turned card counts as a cheat. Everyone sees the count.';

/** @param {number} n */
export const cheats = (n) => count(n, 'cheat');

export const NOT_CONNECTED = 'You’re not connected. Try again in a moment.';
export const NOT_LOADED = 'That couldn’t be loaded. Try again.';

/** The offer to load a part of the page again. */
export const LATE = {
  text: 'A part of the page couldn’t be loaded.',
  again: 'Try again',
  close: 'Close',
};

export const TAKING_SEAT = 'Taking your seat…';

const LEAVE_OR_STAY = { yes: 'Leave', no: 'Stay' };
const LEFT_OUT = 'The next race starts without you';
/** Questions in the dialog; without `no` there is only one answer. */
export const ASK = {
  leave: { title: 'Leave the race?', text: 'If you leave now, you give up.', ...LEAVE_OR_STAY },
  back: {
    title: 'Leave the race?',
    text: 'Your seat is kept while the race is on, but the clock keeps running.',
    ...LEAVE_OR_STAY,
  },
  elsewhere: { title: 'Open in another tab', yes: 'Play here', no: 'Cancel' },
  closed: { title: 'Disconnected', yes: 'Reload' },
  leaveAlone: { title: 'Leave this game?', text: 'Your game ends here.', ...LEAVE_OR_STAY },
  backAlone: {
    title: 'Leave this game?',
    text: 'You can come back to it. The clock keeps running.',
    ...LEAVE_OR_STAY,
  },
  finish: {
    title: 'Finish here?',
    text: 'You have no moves left. You keep your score.',
    yes: 'Finish',
    no: 'Not yet',
  },
  kick: { title: 'Remove this player?', yes: 'Remove', no: 'Cancel' },
  abort: {
    title: 'Stop the race?',
    text: 'There’s no result, and everyone goes back to the room.',
    yes: 'Stop the race',
    no: 'Cancel',
  },
  start: { title: 'Start without them?', yes: 'Start', no: 'Wait' },
  leftOut: {
    title: LEFT_OUT,
    text: 'You didn’t ask for it in time. You can watch, and play in the one after it.',
    yes: 'Leave the room',
    no: 'Watch',
  },
  leftOutChase: {
    title: LEFT_OUT,
    text: 'You didn’t ask for it in time. You can still play the same deal, on your own clock.',
    yes: 'Play this deal, unranked',
    no: 'Watch',
  },
};

export const NEWS = {
  go: 'Go!',
  stopped: 'The host stopped the race.',
  host: 'You’re the host now.',
  admitted: 'The host let you in.',
  lost: 'Connection lost.',
  back: 'You’re back.',
  forfeit: 'You gave up.',
  late: 'This race has started. You’ll play in the next one.',
  lateChase: 'This race has started. You can play the same deal now, unranked.',
  chasing: 'You play this deal unranked, until the race ends.',
  cutOff: 'The race is over, and with it your unranked game. You can play the deal again alone.',
};

/** The same news in a match of several rounds. */
export const ROUND_NEWS = {
  stopped: 'The host stopped the round.',
  late: 'This round has started. You’ll play in the next one.',
  lateChase: 'This round has started. You can play the same deal now, unranked.',
  chasing: 'You play this deal unranked, until the round ends.',
  cutOff: 'The round is over, and with it your unranked game. You can play the deal again alone.',
};

/** Return that players have joined; at most three are named or counted. @param {readonly string[]} names */
export const joined = (names) =>
  `${list(names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names)} joined.`;

/** @param {string} name */
export const isReady = (name) => `${name} is ready.`;
/** @param {string} name */
export const left = (name) => `${name} left.`;
/** Return that a player waits for admission. @param {string} name */
export const asks = (name) => `${name} wants to join.`;
/** @param {string} name */
export const hosts = (name) => `${name} is the host now.`;
/** Return that a player wants the next race. @param {string} name @param {boolean} inMatch whether it is a round of the same match */
export const wants = (name, inMatch) =>
  inMatch ? `${name} is ready for the next round.` : `${name} wants a rematch.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const startsIn = (seconds, inMatch) =>
  `The ${inMatch ? 'round' : 'race'} starts in ${count(seconds, 'second')}.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const endsIn = (seconds, inMatch) =>
  `The ${inMatch ? 'round' : 'race'} ends in ${seconds < 60 ? count(seconds, 'second') : clock(seconds * 1_000)}.`;

/** Return a time of the race: `3:07`, `1:02:03`. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** Return a time with tenths, for results. @param {number} ms */
export const exactClock = (ms) => `${clock(ms)}.${Math.floor((ms % 1_000) / 100)}`;
/** Return a number with its noun. @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const ENDINGS = { zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' };
/** Return a place in the ranking: `2nd`. @param {number} n */
export const ordinal = (n) =>
  n + ENDINGS[new Intl.PluralRules('en', { type: 'ordinal' }).select(n)];

/** Return a room code in groups of three characters, for reading out. @param {string} code */
export const grouped = (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' ');
/** Return the name of a game. @param {string} game */
export const gameName = (game) => GAMES[game]?.names.en ?? game;

/** Return a duration in words. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return count(seconds, 'second');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : clock(seconds * 1_000);
}

/** Return the result of a player. @param {Standing} standing @param {(ms: number) => string} [time] how times are written */
export function result({ won, state, finished_ms }, time = exactClock) {
  if (won) return `Finished in ${time(finished_ms ?? 0)}`;
  if (state === 'FINISHED') return `Stopped at ${time(finished_ms ?? 0)}`;
  /** @type {Record<string, string>} */
  const others = { FORFEIT: 'Gave up', TIMED_OUT: 'Still playing', CHASING: 'Playing (unranked)' };
  return others[state] ?? 'Racing';
}

export const OFFLINE = 'You’re offline. Reconnecting automatically…';
export const TRY_NOW = 'Try now';
export const CONNECTED_ABOUT = 'Every move is saved at once.';

/** Return the state of the connection. @param {State} state @param {number} seconds to the next try */
export function connectionState({ connection, me, closeCode }, seconds) {
  if (connection === 'connecting') return me ? 'Connection lost. Reconnecting…' : 'Connecting…';
  if (connection === 'waiting')
    return `${closing(closeCode)} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}…`;
  if (connection === 'closed') return closing(closeCode);
  return connection === 'on' ? 'Connected' : '';
}

/** Return this player's name in a list. @param {string} name */
export const you = (name) => `${name} (you)`;

export const LANDING = {
  tagline: 'Race your friends at Spider solitaire. Same cards, same start.',
  play: 'Play',
  name: 'Your name',
  nameFirst: 'Please enter your name.',
  game: 'Game',
  suits: { 1: 'One suit', 2: 'Two suits', 4: 'Four suits' },
  backTo: 'Back to room ',
  raceOn: 'Your race is still on',
  backToRace: 'Back to the race',
  create: 'Create room',
  practice: 'Practice alone',
  friends: { title: 'Race friends', about: 'Open a room and send its link.' },
  computer: { title: 'Race the computer', about: 'It starts at once. How strong?' },
  or: 'or join friends',
  alone: { title: 'Practice', about: 'On your own. You can undo any move.' },
  code: 'Code or link',
  codeLabel: 'Room code or link',
  codeHint: 'Enter a room code, or paste the whole link.',
  join: 'Join',
  open: 'Open rooms',
  invited: 'You’re invited to room ',
  watch: 'Watch',
  back: 'Back to the front page',
  tips: 'Tips & strategy',
  me: 'Me',
  full: 'full',
};

/** @param {{game: string, players: number}} room */
export const roomFacts = ({ game, players }) => `${gameName(game)} · ${count(players, 'player')}`;

/** Return the facts about an open room in a line. @param {PublicRoom} room */
export function publicRoomFacts(room) {
  const state = { LOBBY: 'waiting', FINISHED: 'between rounds' }[String(room.state)] ?? 'racing';
  return `${roomFacts(room)} · ${state}`;
}

/** @param {string} host */
export const joinRoomOf = (host) => `Join ${host}’s room`;
/** @param {string} host */
export const watchRoomOf = (host) => `Watch ${host}’s room`;

export const FIRST_MOVE = 'Drag cards, or tap a card and then a column.';
export const PREFERENCES_TITLE = 'Preferences';
/** The answer to a refused move while its reason is shown only on request. */
export const ASK_WHY = 'Not possible. Press ? to see why.';

/** The button beside a link. */
export const COPY = {
  copy: 'Copy',
  copied: 'Copied',
  selected: 'The link is selected. Copy it with your keyboard or a long press.',
  share: 'Share',
  shareText: 'Race me at Spider solitaire!',
};

export const ONLY_HERE =
  'This link works only on this computer. To invite friends, open this page by the computer’s own address.';

// The page behind a room's link, and the pages for rooms and addresses that are not there.

export const JOIN = {
  invited: 'You’re invited',
  join: 'Join the race',
  ask: 'Ask to join',
  locked: 'The host has locked this room. Nobody new can join.',
  crowded: 'This room is full.',
  full: 'All places are taken. You can watch.',
  late: 'This race has started.',
  chase: 'This race has started. You can play the same deal on your own clock until it ends.',
  joinLate: 'Join (you play from the next race)',
  chaseNow: 'Play this deal, unranked',
  noPrograms: 'Programs can’t join.',
};

/** Return who invites; the name is kept apart from the text around it. @param {string} host */
export const invites = (host) => (host ? `\u2068${host}\u2069 invites you` : JOIN.invited);

/** Return that the host decides on newcomers. @param {string} host */
export const decides = (host) =>
  `${host ? `\u2068${host}\u2069` : 'The host'} decides who joins. You may have to wait a moment.`;

/** Return what goes on in a room. @param {Invitation} room @param {number} ms since the start of the race */
export function roomState({ state, running_ms }, ms) {
  if (running_ms !== null) return `Race running ${clock(ms)}`;
  const words = { LOBBY: 'Waiting for players', COUNTDOWN: 'Starting now' }[String(state)];
  return words ?? 'Between races';
}

export const MISSING = {
  room: 'This room is closed',
  roomText: 'Rooms close some time after everyone has left. Ask your friends for a new link.',
  page: 'There is nothing here',
  pageText: 'The address may be mistyped. A link to a room ends in its code.',
  front: 'To the front page',
};
