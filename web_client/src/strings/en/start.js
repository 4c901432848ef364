// The sentences that every page needs from its start: the front page, the page of a link, the status
// line, and words that all others use.

import { GAMES } from '../../contract/games.js';

/**
 * @import {Invitation, PublicRoom} from '../../contract/messages.d.ts'
 * @import {State} from '../../state/state.js'
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

export const NOT_CONNECTED = 'You’re not connected. Try again in a moment.';

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

/** Return a time of the race: `3:07`, `1:02:03`. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}
/** Return a number with its noun. @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Return a room code in groups of three characters, for reading out. @param {string} code */
export const grouped = (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' ');
/** Return the name of a game. @param {string} game */
export const gameName = (game) => GAMES[game]?.names.en ?? game;

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
export const PREFERENCES_TITLE = 'Preferences';

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
