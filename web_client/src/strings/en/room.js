// The room before the race: the invitation, the players and the form of the settings.

import { count, duration, gameName, list } from './start.js';

/**
 * @import {RoomView, Settings} from '../../contract/messages.d.ts'
 */

/** Return the warning that players would only watch. @param {number} n */
export const onlyWatch = (n) =>
  n === 1
    ? 'One player isn’t ready. They’ll only be able to watch.'
    : `${n} players aren’t ready. They’ll only be able to watch.`;

/** The colours of players. */
export const COLOURS = {
  blue: 'Blue',
  red: 'Red',
  green: 'Green',
  violet: 'Violet',
  teal: 'Teal',
  pink: 'Pink',
  gold: 'Gold',
  copper: 'Copper',
};

/** @type {Record<string, string>} */
export const PRESETS = {
  friends: 'Friends’ race',
  'four-suits': 'Four suits',
  classic: 'Classic 1989',
  arachnid: 'Arachnid',
  'dos-hard': 'DOS 1987, hard',
  'dos-easy': 'DOS 1987, easy',
  'serenity-1': 'Serenity, one suit',
  'serenity-2': 'Serenity, two suits',
  windows: 'Windows',
  spiderette: 'Spiderette',
  'little-spider': 'Little Spider',
};

/** What each preset is, in half a sentence. @type {Record<string, string>} */
export const PRESETS_ABOUT = {
  friends: 'one suit, complete suits leave by themselves',
  'four-suits': 'four suits, complete suits leave by themselves',
  classic: 'four suits, you remove complete suits, the best score wins',
  arachnid: 'four suits, you remove complete suits, undo is free',
  'dos-hard': 'six rounds, no undo, mixed runs move if you ask first',
  'dos-easy': 'six rounds, no undo, mixed runs move at any time',
  'serenity-1': 'one suit and half an hour',
  'serenity-2': 'two suits and half an hour',
  windows: 'two suits, each move costs a point, hints',
  spiderette: 'one deck on seven columns, four suits',
  'little-spider': 'one deck, single cards on four foundations',
};

export const BAD_SEED =
  'A seed has 32 digits and letters from a to f, as shown in the results of a round.';

/** Return why a player is not connected. @param {{connection: string}} seat */
export function seatConnection(seat) {
  return { on: 'connected', grace: 'connection lost', gone: 'away' }[seat.connection] ?? '';
}

/** The most names in the sentence about the players whom the room waits for. */
const MAX_NAMES = 2;

/** Return which players the room waits for. @param {RoomView} room @param {number | undefined} me the own seat */
export function waitingFor(room, me) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'Everyone is ready.';
  if (players.length === 1) return 'Waiting for friends. Invite them.';
  const others = unready.filter(({ seat }) => seat !== me).map(({ name }) => name);
  const isLong = others.length > MAX_NAMES + 1;
  const names = isLong
    ? [...others.slice(0, MAX_NAMES), `${others.length - MAX_NAMES} others`]
    : [...others];
  if (others.length < unready.length) names.push('you');
  const what = room.settings.rounds > 1 ? 'round' : 'race';
  return `Waiting for ${list(names)}. The ${what} starts when everyone is ready.`;
}

/** @param {number} n */
export const watcherCount = (n) => `${n} watching`;

/** Return the title of the room. @param {string | undefined} host */
export const tableOf = (host) => (host ? `\u2068${host}\u2069’s table` : 'The table');

export const ROOM = {
  colour: 'Your colour',
  link: 'Link to this room',
  qr: 'QR code of the link',
  invite: 'Invite friends',
  inviteShort: 'Invite',
  closeInvitation: 'Close',
  freeSeat: 'A free seat',
  program: 'program',
  change: 'Change',
  done: 'Done',
  code: 'Room code',
  players: 'Players',
  settings: 'Settings',
  rules: 'Rules',
  ready: 'Ready',
  unready: 'Cancel ready',
  sit: 'Join the race',
  start: 'Start now',
  startAlone: 'Start alone',
  leave: 'Leave',
  you: 'you',
  host: 'host',
  addComputer: 'Add a computer player',
  readyAgain: 'Please press Ready again.',
  dealSearch: 'Looking for a deal that can be won…',
};

/** What the form of the settings says besides the names of the settings. */
export const FORM = {
  preset: 'Preset',
  own: 'Custom',
  ownAbout: 'rules that you have put together',
  more: 'More rules',
};

/** The names of the settings. @type {Record<keyof Settings, string>} */
export const SETTINGS = {
  game: 'Game',
  deal: 'Deal',
  number: 'Deal number',
  seed: 'Seed',
  winnable: 'Only deals that can be won',
  layout: 'Extra cards',
  auto_remove: 'Remove complete suits automatically',
  relaxed_deal: 'Allow dealing onto empty columns',
  exceptions: 'Exceptions',
  undo: 'Undo',
  hints: 'Allow hints (everyone sees how many)',
  autoplay: 'Offer to play out games that are as good as won',
  score: 'Score',
  ranking: 'Who wins',
  rounds: 'Rounds',
  match_ranking: 'Match decided by',
  chasers:
    'Latecomers can play the same deal (unranked); they see cards that racers haven’t turned yet',
  cheats: 'Counted undo',
  time_limit_s: 'Time limit',
  after_win_s: 'After the first win',
  spectate: 'Spectators see',
  board_delay_s: 'Board delay (s)',
  public: 'List this room on the front page',
  locked: 'Lock the room: nobody new can join',
  max_players: 'Player limit',
  one_seat: 'One seat per person (browser and network), spectators included',
  approve: 'Ask me before anyone joins',
  programs: 'Programs can join',
};

/** The names of their values, where they are not numbers. @type {Record<string, Record<string, string>>} */
const VALUES = {
  deal: { secret: 'New random deal', numbered: 'By number', seed: 'From a seed' },
  layout: { left4: 'On columns 1–4', spread: 'On columns 1, 4, 7, 10' },
  exceptions: { off: 'None', easy: 'Easy: any time', hard: 'Hard: ask first' },
  undo: {
    no_reveal: 'Moves that reveal nothing',
    any: 'Everything, peeks count',
    counted: 'Everything, all counted',
    free: 'Everything',
    off: 'Off',
  },
  score: {
    woods: 'Classic points',
    dos: 'DOS 1987',
    cards: 'Cards removed',
    moves: 'Windows: −1 per move',
  },
  ranking: { first_home: 'First to finish', best_score: 'Best score' },
  match_ranking: { wins: 'Rounds won', score: 'Total score' },
  cheats: { shown: 'Shown only', tie: 'Decides ties', out: 'Games without it first' },
  time_limit_s: { null: 'No limit' },
  after_win_s: { null: 'The race goes on' },
  spectate: { standings: 'Standings', boards: 'Boards' },
  board_delay_s: { 0: 'None' },
  programs: { true: 'allowed', false: 'not allowed' },
};

/**
 * The names of the settings in a sentence, where those of the form are sentences themselves, or are
 * words of the host.
 * @type {Partial<typeof SETTINGS>}
 */
const BRIEFLY = {
  auto_remove: 'Automatic removal',
  winnable: 'Deals that can be won',
  relaxed_deal: 'Dealing onto empty columns',
  hints: 'Hints',
  autoplay: 'Won games can be played out',
  chasers: 'Latecomers can play',
  board_delay_s: 'Board delay',
  public: 'On the front page',
  locked: 'Room locked',
  one_seat: 'One seat per person',
  approve: 'Newcomers wait for the host',
  programs: 'Programs',
};

/** Return the name of a setting's value. @param {keyof Settings} name @param {Settings[keyof Settings]} value */
export function settingValue(name, value) {
  const known = VALUES[name]?.[String(value)];
  if (known) return known;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (name === 'game') return gameName(String(value));
  return typeof value === 'number' && name.endsWith('_s') ? duration(value) : String(value ?? '–');
}

/** Return the rules in a few words: `Spider, one suit · 15 min`. @param {Settings} settings */
export function settingsSummary(settings) {
  const { game, deal, number, rounds, time_limit_s: limit, after_win_s: afterWin } = settings;
  const minutes = (/** @type {number} */ s) => (s % 60 === 0 ? `${s / 60} min` : duration(s));
  return [
    gameName(game),
    deal === 'numbered' && (number === null ? 'open deal' : `deal ${number}`),
    rounds > 1 && count(rounds, 'round'),
    limit === null ? 'no time limit' : minutes(limit),
    afterWin !== null && `${minutes(afterWin)} after the first win`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What can be undone, in the line of the rules. @type {Record<Settings['undo'], string>} */
const UNDO = {
  no_reveal: 'undo that reveals nothing',
  any: 'undo, peeks count',
  counted: 'every undo counts',
  free: 'free undo',
  off: 'no undo',
};

/** Return the rules as one line: `Spider, one suit · 15 min · undo that reveals nothing`. @param {Settings} settings */
export const rulesLine = (settings) =>
  [settingsSummary(settings), UNDO[settings.undo], settings.hints && 'hints']
    .filter(Boolean)
    .join(' · ');

/**
 * Return what the host has changed.
 * @param {string} host
 * @param {readonly (keyof Settings)[]} names of the changed settings
 * @param {Settings} settings
 */
export const changedSettings = (host, names, settings) =>
  `${host} changed: ${names
    .map((name) => `${BRIEFLY[name] ?? SETTINGS[name]}: ${settingValue(name, settings[name])}`)
    .join(' · ')}`;

/** @param {string} host @param {string} preset */
export const changedPreset = (host, preset) => `${host} changed the rules: ${preset}`;

/** @param {string} host @param {boolean} locked */
export const changedLock = (host, locked) =>
  `${host} ${locked ? 'locked the room' : 'unlocked the room'}`;

/** Return what is known about a numbered deal. @param {number} number @param {'winnable' | 'unwinnable' | 'unknown' | 'searching'} label */
export const dealLabel = (number, label) =>
  ({
    winnable: `Deal ${number} can be won.`,
    unwinnable: `Deal ${number} can’t be won: we’ve checked every move. Best score counts.`,
    unknown: `We don’t know whether deal ${number} can be won.`,
    searching: `Checking whether deal ${number} can be won…`,
  })[label];
