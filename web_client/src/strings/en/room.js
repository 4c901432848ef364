// The room before the race: the invitation, the players and the form of the settings.

import { count, list } from './start.js';

/**
 * @import {RoomView} from '../../core/messages.d.ts'
 */

/** @param {number} n */
export const onlyWatch = (n) => `${count(n, 'player')} not ready would only watch this race.`;

/** @type {Record<string, string>} */
export const PRESETS = {
  friends: 'Friends’ race',
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

/** @type {Record<string, string>} */
export const SCORES = {
  woods: 'Woods: points for cards turned up, put in suit, and home',
  dos: 'DOS 1987',
  cards: 'Cards home',
  moves: 'Windows: 500 less moves',
};

export const BAD_SEED =
  'A seed is 32 digits and letters a to f, as the results of a round show it.';

/** @type {Record<string, string>} */
export const LAYOUTS = {
  left4: 'Columns 1 to 4: six cards, not five',
  spread: 'Columns 1, 4, 7, 10: six cards, not five',
};

/** @param {{connection: string}} seat */
export function seatConnection(seat) {
  return { on: 'connected', grace: 'connection lost', gone: 'away' }[seat.connection] ?? '';
}

/** @param {RoomView} room */
export function waitingFor(room) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'All are ready.';
  if (players.length === 1) return 'Share the link, or start alone to practise.';
  return `Waiting for ${list(unready.map((seat) => seat.name))}. When all are ready, the race starts by itself.`;
}

export const ROOM = {
  link: 'Link to this room',
  qr: 'QR code of the link',
  invite: 'Invite friends',
  code: 'Room code',
  players: 'Players',
  settings: 'Settings',
  rules: 'The rules here',
  ready: 'I am ready',
  unready: 'Not ready after all',
  sit: 'Play along',
  start: 'Start now',
  startAlone: 'Start alone',
  leave: 'Leave',
  you: 'you',
  host: 'host',
};

/** The form of the settings: a field's name, then the words of its values. */
export const SETTINGS = {
  preset: 'Preset',
  own: 'Your own',
  game: 'Game',
  deal: 'Deal',
  deals: { secret: 'Fresh and secret', numbered: 'By number', seed: 'Of a known seed' },
  number: 'Deal number',
  seed: 'Seed',
  layout: 'Longer columns',
  exceptions: 'Exceptions',
  exceptionLevels: { off: 'None', easy: 'Easy: free', hard: 'Hard: press X' },
  undo: 'Undo',
  undos: {
    no_reveal: 'If no card turned',
    any: 'Anything, counted',
    free: 'Anything',
    off: 'Off',
  },
  score: 'Score',
  ranking: 'Who wins',
  rankings: { first_home: 'First one home', best_score: 'Best score' },
  limit: 'Time limit',
  noLimit: 'No limit',
  rounds: 'Rounds',
  match: 'Match goes by',
  matches: { wins: 'Rounds won', score: 'Total score' },
  spectate: 'Spectators see',
  spectacles: { standings: 'Standings', boards: 'Boards' },
  delay: 'Boards late by (seconds)',
  auto: 'Complete suits leave by themselves',
  relaxed: 'Dealing on empty columns is allowed',
  hints: 'Hints may be asked for, and are counted',
  chasers:
    'Latecomers can play the same deal (unranked); they see cards that racers have not turned yet',
  public: 'List this room on the front page',
};

/** The setting about undone moves that had revealed cards. */
export const CHEATS = {
  title: 'Cheats',
  levels: { shown: 'Only shown', tie: 'Break ties', out: 'Clean games first' },
};
