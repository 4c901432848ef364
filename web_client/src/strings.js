// Every sentence that the client says, in one place; the server sends codes.

import * as cards from './cards.js';

/**
 * @import {ErrorCode, RefusalDetails, RoomView, SeatView, Standing, TablePile} from './protocol.d.ts'
 * @import {Attempt} from './table.js'
 * @import {Notice, State} from './reducer.js'
 */

/** @type {Record<string, string>} */
const PILES = { t: 'column', u: 'upper pile', l: 'lower pile', f: 'foundation' };

/** @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'the stock';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {readonly string[]} names */
export function list(names) {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'That card does not go there.';
  const needs = cards.rankAbove(card);
  const where = piles.at(-1) ?? '';
  if (!needs) return `${cards.short(card)} goes only on an empty column.`;
  const article = /^[a8]/.test(needs) ? 'an' : 'a';
  const rank = /\d/.test(needs) ? needs : capital(needs);
  const ends = onto ? `; ${where ? pileName(where) : 'that'} ends in ${cards.short(onto)}` : '';
  return `${cards.short(card)} needs ${article} ${rank}${ends}.`;
}

/** @param {RefusalDetails} details */
function emptyColumns({ piles }) {
  return piles.length > 0
    ? `No deal while ${list(piles.map(pileName))} ${piles.length > 1 ? 'are' : 'is'} empty.`
    : 'No deal while a column is empty.';
}

/** @param {RefusalDetails} details */
function someCards({ cards: these }) {
  return list(these.map(cards.short));
}

/** @type {Record<ErrorCode, (details: RefusalDetails) => string>} */
export const REFUSALS = {
  bad_message: () => 'The server did not understand this page. Reload it.',
  not_joined: () => 'You are not in a room yet.',
  already_joined: () => 'You have your seat already.',
  try_again: () => 'The server could not do that just now. Try again.',
  no_such_room: () => 'There is no such room, or it is closed.',
  room_full: () => 'This room is full.',
  too_many_joins: () => 'Too many wrong codes from here. Wait a little, then try again.',
  bad_token: () => 'This seat is somebody else’s.',
  bad_name: () => 'Please choose another name.',
  not_host: () => 'Only the host can do that.',
  not_in_state: () => 'That is not possible right now.',
  not_a_player: () => 'You are watching; only players can do that.',
  not_racing: () => 'You are not in this race.',
  nobody_ready: () => 'Nobody is ready yet.',
  too_much_said: () => 'That is a lot of talk: wait a little.',
  no_such_seat: () => 'That player is not in the room.',
  boards_are_hidden: () => 'Boards are hidden while the race is on.',
  bad_settings: ({ fields, reason }) =>
    reason
      ? (CLASHES[reason] ?? 'These settings do not go together.')
      : fields.length > 0
        ? `These settings do not go together: ${list(fields)}.`
        : 'These settings do not go together.',
  bad_deal_number: () => 'There is no deal with this number.',
  early: () => 'The race has not begun.',
  too_late: () => 'The race is over.',
  stale: () => 'Your table was out of step; this is how it stands.',
  too_many_in_flight: () => 'Too fast for the line: wait for the last moves.',
  game_over: () => 'Your game has ended.',
  no_such_pile: () => 'Nothing can be moved there.',
  same_pile: () => 'The cards are there already.',
  pile_empty: ({ piles }) => `There is no card on ${piles[0] ? pileName(piles[0]) : 'that pile'}.`,
  not_enough_cards: ({ piles }) =>
    `${capital(piles[0] ? pileName(piles[0]) : 'that pile')} has fewer cards.`,
  face_down: () => 'Cards that lie face down cannot be moved.',
  not_a_run: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} are not in sequence.`
      : 'These cards are not in sequence.',
  mixed_suits: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} are not of one suit, so they do not move together.`
      : 'Only cards of one suit move together.',
  wrong_rank: wrongRank,
  deal_stock_empty: () => 'All cards have been dealt.',
  deal_empty_column: emptyColumns,
  deal_too_few_cards: () => 'Too few cards are left on the table to fill every column.',
  not_a_complete_suit: ({ piles }) =>
    `${capital(piles[0] ? pileName(piles[0]) : 'that column')} does not end in a complete suit.`,
  not_finished: () => 'The game is not finished yet.',
  nothing_to_undo: () => 'There is nothing to take back.',
  undo_reveals: () => 'That move turned a card or was a deal: it stays.',
  undo_is_off: () => 'This room plays without undo.',
  nothing_to_redo: () => 'There is nothing to make again.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'These suits are mixed: ask for an exception first (key X).',
  exception_not_needed: () => 'That needs no exception: it is a legal move.',
  action_unknown_to_game: () => 'This game has no such move.',
  one_card_at_a_time: () => 'This game moves one card at a time.',
  foundation_is_final: () => 'A card on a foundation stays there.',
  wrong_foundation_suit: ({ cards: [card, last] }) =>
    card && last
      ? `${cards.short(card)} does not follow ${cards.short(last)}: a foundation is of one suit.`
      : 'A foundation is of one suit.',
  wrong_foundation_colour: () =>
    'The two ace foundations take one colour, the two king foundations the other.',
  wrong_foundation_rank: ({ cards: [card, last] }) =>
    card && last
      ? `${cards.short(card)} does not follow ${cards.short(last)}.`
      : 'A foundation begins with its ace or its king.',
  lower_pile_wrong_slot: () =>
    'While the stock lasts, a lower pile plays only on the foundation above it.',
  no_moves_between_piles_yet: () => 'While the stock lasts, cards go only to the foundations.',
  pile_stays_empty: () => 'A pile that is empty stays empty.',
  not_rank_adjacent: ({ cards: [card, onto] }) =>
    card && onto
      ? `${cards.short(card)} goes only on a card one higher or one lower than itself, not on ${cards.short(onto)}.`
      : 'A card goes only on one that is one higher or one lower.',
};

/** @type {Record<number, string>} */
export const CLOSINGS = {
  1000: 'You have left the room.',
  1001: 'The server is stopping.',
  1009: 'That was more than the server reads.',
  1011: 'Something went wrong on the server.',
  4001: 'The server is being restarted.',
  4002: 'The line could not keep up.',
  4003: 'Catching up with the race.',
  4004: 'The line went silent.',
  4005: 'Too many messages at once.',
  4500: 'The server does not understand this page. Reload it.',
  4501: 'This page is of another version than the server. Reload it.',
  4502: 'Your seat is not here any more. Join again.',
  4503: 'The race was opened in another tab or window.',
  4504: 'There is no such room, or it is closed.',
  4505: 'The host has shown you out.',
  4506: 'This room is full.',
};

/** @param {number} code */
export const closing = (code) => CLOSINGS[code] ?? 'The connection was lost.';

/** What a notice says. @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'That was refused.'; // a newer server may have newer codes
}

export const STUCK = 'Stuck';

/** Why a game is stuck. @param {string} reason */
export function stuckBecause(reason) {
  const why =
    reason === 'stock_empty'
      ? 'No move is left and all cards have been dealt'
      : reason === 'deal_too_few_cards'
        ? 'No move is left and there are too few cards on the table to deal'
        : 'No move is left';
  return `${why}. Undo if you can, or finish.`;
}

/** @param {string} reason */
export const stuck = (reason) => `${STUCK}: ${stuckBecause(reason)}`;

/**
 * What an act has done, in words.
 *
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export function done(action, before, after) {
  const turned = before
    .map((pile) => {
      const now = after.find((each) => each.id === pile.id);
      return now && now.down < pile.down && pile.role === 'tableau' ? now.up[0] : undefined;
    })
    .filter((card) => card !== undefined);
  const turning = turned.length > 0 ? `; ${list(turned.map(cards.short))} turned up` : '';
  switch (action.type) {
    case 'move': {
      const card = after.find((pile) => pile.id === action.to)?.up.at(-action.count);
      const what =
        card && action.count > 1
          ? `${action.count} cards from ${cards.short(card)}`
          : card && cards.short(card);
      return `${what ?? 'Moved'} to ${pileName(action.to)}${turning}.`;
    }
    case 'deal':
      return 'Dealt a row.';
    case 'remove':
      return `A complete suit is home${turning}.`;
    case 'undo':
      return 'Taken back.';
    case 'redo':
      return 'Made again.';
    default:
      return 'Your game is finished.';
  }
}

export const EXCEPTION_ASKED = 'Exception: the next move may take a run of mixed suits.';
export const EXCEPTION_DROPPED = 'No exception after all.';
export const EXCEPTION_FREE = 'Exceptions need not be asked for here: just take a mixed run.';
export const EXCEPTION_OFF = 'This room allows no exceptions.';

/** @param {number} n */
export const exceptionMade = (n) => `That was exception ${n}.`;

// Times and numbers

/** @param {number} ms e.g. `3:07`, `1:02:03` */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** With tenths, for results. @param {number} ms */
export const exactClock = (ms) => `${clock(ms)}.${Math.floor((ms % 1_000) / 100)}`;

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** @param {number} n e.g. `2nd` */
export function ordinal(n) {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

// Deals

export const PROOF = {
  good: 'Deal verified',
  bad: 'Deal not verified',
  open: 'Open deal',
  sealed:
    'Seed and salt match the seal that was shown before the race, and this browser has dealt the same cards from the seed.',
  otherSeal: 'Seed and salt do not match the seal that was shown before the race.',
  otherDeck: 'The cards are not those that the seed deals.',
  seeded: 'It was known before the race; this browser has dealt the same cards from its seed.',
  numbered: 'It was known before the race, and anyone can look it up and play it again.',
};

export const RESTART_SECRET =
  'This deal is secret while it is on. Give it up, and “Same deal again” on the next page deals it once more.';
export const RESTART_OPEN = 'The same cards are dealt again. What you have done is lost.';

// Rooms

/** @param {string} code in groups, for reading out */
export const grouped = (code) => code.replace(/^(.{3})(.{3})(.{4})$/, '$1 $2 $3');

/** @type {Record<string, string>} */
export const GAMES = {
  'spider-1': 'Spider, one suit',
  'spider-2': 'Spider, two suits',
  'spider-4': 'Spider, four suits',
  'spiderette-1': 'Spiderette, one suit',
  'spiderette-2': 'Spiderette, two suits',
  'spiderette-4': 'Spiderette, four suits',
  'little-spider': 'Little Spider',
};

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
  woods: 'Woods: turned, in suit, home',
  dos: 'DOS 1987',
  cards: 'Cards home',
  moves: 'Windows: 500 less moves',
};

export const BAD_SEED =
  'A seed is 32 digits and letters a to f, as the results of a round show it.';

/** @type {Record<string, string>} */
export const LAYOUTS = { left4: 'Columns 1–4', spread: 'Columns 1, 4, 7, 10' };

/** @type {Record<import('./protocol.d.ts').SettingsClash, string>} */
export const CLASHES = {
  score_not_of_game: 'This game does not know this score.',
  option_not_of_game: 'This game does not know one of these options.',
  dos_without_undo: 'Under the DOS score nothing is taken back: switch undo off.',
  dos_by_hand: 'Under the DOS score suits are removed by hand.',
  number_of_numbered: 'A deal number is for numbered deals.',
  seed_of_seeded: 'A seed is for the deal of a seed, which needs one.',
};

/** @param {string} game */
export const gameName = (game) => GAMES[game] ?? game;

/** @param {number} seconds */
export function duration(seconds) {
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : clock(seconds * 1_000);
}

/** @param {SeatView} seat */
export function seatState(seat) {
  switch (seat.state) {
    case 'READY':
      return 'Ready';
    case 'SEATED':
      return 'Not ready';
    case 'RACING':
      return 'Racing';
    case 'FINISHED':
      return 'Finished';
    case 'FORFEIT':
      return 'Gave up';
    case 'TIMED_OUT':
      return 'Out of time';
    default:
      return 'Watching';
  }
}

/** @param {Standing} standing */
export function result(standing) {
  if (standing.won) return `Home in ${exactClock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'FORFEIT') return 'Gave up';
  if (standing.state === 'TIMED_OUT') return 'Out of time';
  return standing.state === 'FINISHED'
    ? `Finished at ${exactClock(standing.finished_ms ?? 0)}`
    : 'Racing';
}

/** A player in a few words, over a board. @param {Standing} standing */
export function standingShort(standing) {
  const rest = standing.state === 'RACING' ? '' : ` · ${result(standing)}`;
  return `${standing.name} · ${standing.score}${rest}`;
}

/** @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'point')}, ${standing.face_down} face down, ${count(standing.suits, 'suit')} home. Enlarge`;

/** @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0 ? 'The boards are live.' : `The boards are shown ${count(seconds, 'second')} late.`;

/** @param {{connection: string}} seat */
export function connection(seat) {
  return { on: 'connected', grace: 'connection lost', gone: 'away' }[seat.connection] ?? '';
}

/** The state of our own line. @param {State} state @param {number} seconds to the next try */
export function line(state, seconds) {
  switch (state.line) {
    case 'connecting':
      return state.me ? 'Connection lost. Connecting again…' : 'Connecting…';
    case 'waiting':
      return `${closing(state.closeCode)} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}…`;
    case 'closed':
      return closing(state.closeCode);
    default:
      return '';
  }
}

/** @param {RoomView} room */
export function waitingFor(room) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'All are ready.';
  if (players.length === 1) return 'Share the link, or start alone to practise.';
  return `Waiting for ${list(unready.map((seat) => seat.name))}.`;
}
