// The sentences of the first load: the front page, the page behind a link, the status line, and words for all pages.

import { GAMES } from '../../contract/protocol.js';
import { clock } from '../../contract/text.js';

/**
 * @import {Invitation, PublicRoom} from '../../contract/messages.d.ts'
 * @import {State} from '../../state/state.js'
 */

/** The strengths of computer players, the weakest first. */
const STRENGTHS = { beginner: 'Beginner', club: 'Club', expert: 'Expert' };

/** How hard a deal is. @type {Record<string, string>} */
const DEGREES = { easy: 'Easy', middle: 'Medium', hard: 'Hard' };

/** How computer players of each strength play, in half a sentence. @type {Record<keyof typeof STRENGTHS, string>} */
const STRENGTHS_ABOUT = {
  beginner: 'Plays the first good move',
  club: 'Plans to the next hidden card',
  expert: 'Compares plans, hard to beat',
};

/** Return names as a list in a sentence. @param {readonly string[]} names */
const list = (names) => new Intl.ListFormat('en-GB').format(names);

/** @type {Record<number, string>} */
const CLOSINGS = {
  4501: 'This page is out of date. Please reload it.',
  4504: 'This room doesn’t exist, or it’s closed.',
};

/** Return why the connection was closed. @param {number} code */
const closing = (code) => CLOSINGS[code] ?? 'Connection lost.';

/** Return a day and time, with the weekday but without the year. @param {number} ms since the epoch */
const dayAndTime = (ms) =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  }).format(ms);

/** Return a number with its noun. @param {number} n @param {string} one @param {string} [many] */
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Return the name of a game. @param {string} game */
const gameName = (game) => GAMES[game]?.names.en ?? game;

/** @type {Record<string, string>} */
const SUITS = { 1: 'One suit', 2: 'Two suits', 4: 'Four suits' };

/** Return the time left of a day's race in words. @param {number} ms */
function dayLeft(ms) {
  const minutes = Math.ceil(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days) return `${days} d ${hours % 24} h left`;
  return hours ? `${hours} h ${minutes % 60} min left` : `${minutes} min left`;
}

/** Return the suits of a Spider game, or the name of another game. @param {string} game */
const suitsOf = (game) => SUITS[game.replace('spider-', '')] ?? gameName(game);

/** @param {{game: string, players: number}} room */
const roomFacts = ({ game, players }) => `${gameName(game)} · ${count(players, 'player')}`;

/**
 * The parameters of the sentences.
 * @typedef {Record<'joinRoomOf' | 'watchRoomOf' | 'invites' | 'decides' | 'tableGone' | 'ready' | 'tookLead' | 'tookSuit',
 *   (name: string) => string>} OfNames
 * @typedef {Record<'suitsHome' | 'placeOf', (n: number, of: number) => string>} OfAll
 * @typedef {object} Others
 * @property {(strength: keyof typeof STRENGTHS | null) => string} programKind
 * @property {(code: string) => string} grouped a room code in groups, which are easier to read out
 * @property {(state: State, seconds: number) => string} connectionState `seconds` to the next try
 * @property {(room: PublicRoom & {running_ms?: number | null}) => string} publicRoomFacts
 * @property {(here: readonly string[], days: number | null) => string} tableAbout the people who are here, and the days since the last race
 * @property {(host: string | undefined) => string} tableOf
 * @property {(players: number) => string} dayPlayers how many have started
 * @property {(end: number) => string} whenAbout players can start until `end`; 0 if all start together
 * @property {(room: Invitation, ms: number) => string} roomState `ms` since the start of the race
 */

/** @satisfies {OfNames & OfAll & Others & Record<string, unknown>} */
const en = {
  ...{
    STRENGTHS,
    STRENGTHS_ABOUT,
    DEGREES,
    list,
    CLOSINGS,
    closing,
    clock,
    count,
    dayAndTime,
    dayLeft,
    gameName,
    roomFacts,
    suitsOf,
  },
  LANGUAGE: 'Language',
  /** The paces of computer players, and the label of their choice. */
  PACES: { label: 'Pace', slower: 'Slower', usual: 'Normal', faster: 'Faster' },
  programKind: (strength) => (strength ? `Computer player: ${STRENGTHS[strength]}` : 'Program'),
  NOT_CONNECTED: 'You’re not connected. Try again in a moment.',
  /** The words of buttons on many screens. */
  BUTTONS: {
    close: 'Close',
    leave: 'Leave',
    done: 'Done',
    again: 'Try again',
    front: 'Front page',
  },
  NOT_LOADED: 'That couldn’t be loaded. Try again.',
  TAKING_SEAT: 'Taking your seat…',
  DEAL_SEARCH: 'Looking for a deal that can be won…',
  ASK: { closed: { title: 'Disconnected', yes: 'Reload' } },
  grouped: (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' '),
  OFFLINE: 'You’re offline. Reconnecting automatically…',
  TRY_NOW: 'Try now',
  CONNECTED_ABOUT: 'Every move is saved at once.',
  connectionState: ({ connection, me, closeCode }, seconds) => {
    if (connection === 'connecting') return me ? 'Connection lost. Reconnecting…' : 'Connecting…';
    if (connection === 'waiting')
      return `${closing(closeCode)} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}…`;
    if (connection === 'closed') return closing(closeCode);
    return connection === 'on' ? 'Connected' : '';
  },
  LANDING: {
    title: 'Race your friends at Spider solitaire',
    about: 'Same cards, same start. First to clear the table wins.',
    name: 'Your name',
    nameFirst: 'Please enter your name.',
    rename: 'Change name',
    game: 'Suits',
    suits: SUITS,
    backTo: 'Back to room ',
    backToRace: 'Back to the race',
    create: 'Race friends',
    openTable: 'Open the table',
    openRace: 'Open the race',
    when: 'When?',
    /** The times within which everyone can start, by their seconds; 0 if all start together. */
    spans: { 0: 'Now', 3600: 'An hour', 86400: 'A day', 259200: '3 days', 604800: 'A week' },
    code: 'Got a code or a link?',
    replay: 'Replay: two computer players, same cards',
    leads: 'leads',
    computer: 'Race the computer',
    practice: 'Practice alone',
    practiceAbout: 'Take back any move, ask for hints',
    today: 'Today’s race',
    once: 'One try each.',
    best: 'Yesterday’s best: ',
    past: 'Past days',
    play: 'Play once',
    board: 'See the board',
    dayOver: 'This day is over. The next race is on its way…',
    codeHint: 'Enter a room code, or paste the whole link.',
    join: 'Join',
    open: 'Open tables',
    record: 'Your latest races',
    all: 'All',
    invited: 'You’re invited to room ',
    watch: 'Watch',
    tips: 'Tips & strategy',
    lesson: 'How to play',
    yours: 'Your races',
    me: 'Me',
    nameless: 'Player',
    full: 'full',
    tables: 'Your tables',
  },
  whenAbout: (end) =>
    end ? `Each plays once, until ${dayAndTime(end)}` : 'All start at the same moment',
  ready: (name) => `Ready, \u2068${name}\u2069?`,
  tookLead: (name) => `${name} took the lead`,
  tookSuit: (name) => `${name} completed a suit`,
  suitsHome: (n, of) => `${n} of ${count(of, 'suit')}`,
  placeOf: (place, of) => `Place ${place} of ${of}`,
  publicRoomFacts: (room) => {
    const since = room.running_ms == null ? '' : ` ${clock(room.running_ms)}`;
    const state = { LOBBY: 'waiting', FINISHED: 'between rounds' }[String(room.state)];
    return `${suitsOf(room.game)} · ${count(room.players, 'player')} · ${state ?? `racing${since}`}`;
  },
  dayPlayers: (players) => (players ? count(players, 'player') : 'Be the first'),
  tableOf: (host) => (host ? `\u2068${host}\u2069’s table` : 'The table'),
  tableAbout: (here, days) => {
    const who = here.length > 0 && `${list(here)} ${here.length > 1 ? 'are' : 'is'} here`;
    const ago = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
    const last = days !== null && `last raced ${ago.format(-days, 'day')}`;
    return [who, last].filter(Boolean).join(' · ') || 'nobody here now';
  },
  tableGone: (name) => `${name} doesn’t exist any more.`,
  joinRoomOf: (host) => `Join ${host}’s table`,
  watchRoomOf: (host) => `Watch ${host}’s table`,
  PREFERENCES_TITLE: 'Preferences',
  // The page behind a room's link, and the pages for missing rooms and addresses.
  JOIN: {
    join: 'Join the race',
    ask: 'Ask to join',
    locked: 'The host has locked this room. Nobody new can join.',
    crowded: 'This room is full.',
    full: 'All places are taken. You can watch.',
    late: 'This race has started.',
    chase: 'This race has started. You can play the same deal on your own clock until it ends.',
    open: 'Play when you like, once. Your clock starts when you start.',
    joinLate: 'Join (you play from the next race)',
    chaseNow: 'Play this deal, unranked',
    noPrograms: 'Programs can’t join.',
  },
  invites: (host) => (host ? `\u2068${host}\u2069 invites you` : 'You’re invited'),
  decides: (host) =>
    `${host ? `\u2068${host}\u2069` : 'The host'} decides who joins. You may have to wait a moment.`,
  roomState: ({ state, running_ms, window_end: end }, ms) => {
    if (end) return `Open until ${dayAndTime(end)}`;
    if (running_ms !== null) return `Race running ${clock(ms)}`;
    const words = { LOBBY: 'Waiting for players', COUNTDOWN: 'Starting now' }[String(state)];
    return words ?? 'Between races';
  },
  MISSING: {
    room: 'This room is closed',
    roomText: 'Rooms close some time after everyone has left. Ask your friends for a new link.',
    page: 'There is nothing here',
    pageText: 'The address may be mistyped. A link to a room ends in its code.',
  },
};

export default en;
