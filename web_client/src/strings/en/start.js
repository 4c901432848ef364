// Every sentence that the client says in English; the server sends codes.
//
// Another language is another file with the same names; `language.js` has the one of now.

import { dealtCards, rank, runs, sign, suit } from '../../core/cards.js';

/**
 * @import {ErrorCode, PublicRoom, RefusalDetails, RoomView, SeatView, Settings, Standing, TablePile, TableView} from '../../core/messages.d.ts'
 * @import {Attempt} from '../../core/table.js'
 * @import {Notice, State} from '../../core/reducer.js'
 */

export const LANGUAGE = 'Language';

// Cards and piles

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };
const RANK_NAMES = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];

export const short = sign;
/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;
/** @param {string} card e.g. `9 of spades` */
export const spoken = (card) => `${rankName(card)} of ${SUIT_NAMES[suit(card)]}`;

/**
 * What a pile holds, for the ear: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 *
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
export function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  // Of a stack only the top is seen; one run is told as such.
  const stacked = pile.fan === 'none' && found.length > 1 && top;
  const parts = found.map(({ start, length }) => {
    const first = pile.up[start] ?? '';
    const last = pile.up[start + length - 1] ?? '';
    return length > 1 ? `run ${rankName(first)} to ${spoken(last)}` : spoken(first);
  });
  const down = pile.down > 0 ? `${pile.down} face down` : '';
  const builds = { up: 'builds up from the ace', down: 'builds down from the king' };
  const way = pile.direction ? builds[pile.direction] : '';
  const cards = stacked ? `${spoken(top)} on top of ${pile.up.length - 1}` : parts.join(', ');
  return [down, cards || (down ? '' : 'empty'), way].filter(Boolean).join('; ');
}

/** @type {Record<string, string>} */
const PILES = { t: 'column', u: 'upper pile', l: 'lower pile', f: 'foundation' };

/** @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'the stock';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {readonly string[]} names */
export function list(names) {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'That card does not go there.';
  const needs = RANK_NAMES[rank(card)]; // the one above
  const where = piles.at(-1) ?? '';
  if (!needs) return `${short(card)} goes only on an empty column.`;
  const article = /^[a8]/.test(needs) ? 'an' : 'a';
  const wanted = /\d/.test(needs) ? needs : capital(needs);
  const ends = onto ? `; ${where ? pileName(where) : 'that'} ends in ${short(onto)}` : '';
  return `${short(card)} needs ${article} ${wanted}${ends}.`;
}

/** @param {RefusalDetails} details */
function emptyColumns({ piles }) {
  return piles.length > 0
    ? `No deal while ${list(piles.map(pileName))} ${piles.length > 1 ? 'are' : 'is'} empty.`
    : 'No deal while a column is empty.';
}

/** @param {RefusalDetails} details */
function someCards({ cards: these }) {
  return list(these.map(short));
}

/** @type {Record<ErrorCode, (details: RefusalDetails) => string>} */
export const REFUSALS = {
  bad_message: () => 'The server did not understand this page. Reload it.',
  not_joined: () => 'You are not in a room yet.',
  already_joined: () => 'You have your seat already.',
  try_again: () => 'The server could not do that just now. Try again.',
  no_such_room: () => 'There is no such room, or it is closed.',
  room_full: () => 'This room is full.',
  room_locked: () => 'The host has locked this room. Nobody new can join.',
  banned: () => 'The host removed you from this room. You can’t join again.',
  one_seat: () => 'This room has one seat per person, and your browser or network has had one.',
  too_many_seats: () => 'Too many players from your network are in this room.',
  too_many_joins: () => 'Too many tries from here. Wait a little, then try again.',
  too_many_rooms: () => 'Too many rooms from here. Wait a little, then try again.',
  server_full: () => 'Too many rooms are open right now. Try again in a few minutes.',
  store_full: () => 'The server is full right now. Try again in a few minutes.',
  bad_token: () => 'This seat is somebody else’s.',
  bad_name: () => 'Please choose another name.',
  not_host: () => 'Only the host can do that.',
  not_in_state: () => 'That is not possible right now.',
  not_a_player: () => 'You are watching; only players can do that.',
  not_racing: () => 'You are not in this race.',
  round_won: () => POWERS.won,
  nobody_ready: () => 'Nobody is ready yet.',
  too_much_said: () => 'That is a lot of talk: wait a little.',
  no_such_seat: () => 'That player is not in the room.',
  no_chasers: () => 'In this room, whoever comes late looks on.',
  boards_are_hidden: () => 'Boards are hidden while the race is on.',
  bad_settings: ({ fields, reason }) =>
    reason
      ? (CLASHES[reason] ?? 'These settings do not go together.')
      : fields.length > 0
        ? `These settings do not go together: ${list(fields)}.`
        : 'These settings do not go together.',
  no_such_game: () => 'This match has no game of that number.',
  game_played: () => 'That game has been played. Choose another one.',
  bad_deal_number: () => 'There is no deal with this number.',
  early: () => 'The race has not begun.',
  too_late: () => 'The race is over.',
  stale: () => 'Your table was out of step; this is how it stands.',
  too_many_in_flight: () => 'Too fast for the line: wait for the last moves.',
  game_over: () => 'Your game has ended.',
  game_too_long: () => LONGEST,
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
  hints_are_off: () => HINT_OFF,
  no_hint: () => 'No move is in sight that helps.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'These suits are mixed: ask for an exception first (key X).',
  exception_not_needed: () => 'That needs no exception: it is a legal move.',
  action_unknown_to_game: () => 'This game has no such move.',
  one_card_at_a_time: () => 'This game moves one card at a time.',
  foundation_is_final: () => 'A card on a foundation stays there.',
  wrong_foundation_suit: ({ cards: [card, last] }) =>
    card && last
      ? `${short(card)} does not follow ${short(last)}: a foundation is of one suit.`
      : 'A foundation is of one suit.',
  wrong_foundation_colour: () =>
    'The two ace foundations take one colour, the two king foundations the other.',
  wrong_foundation_rank: ({ cards: [card, last] }) =>
    card && last
      ? `${short(card)} does not follow ${short(last)}.`
      : 'A foundation begins with its ace or its king.',
  lower_pile_wrong_slot: () =>
    'While the stock lasts, a lower pile plays only on the foundation above it.',
  no_moves_between_piles_yet: () => 'While the stock lasts, cards go only to the foundations.',
  pile_stays_empty: () => 'A pile that is empty stays empty.',
  not_rank_adjacent: ({ cards: [card, onto] }) =>
    card && onto
      ? `${short(card)} goes only on a card one higher or one lower than itself, not on ${short(onto)}.`
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
  4507: 'The host didn’t let you in.',
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

const LONGEST = 'This game has reached the move limit. Finish it: your score stands.';
export const STUCK = 'No moves left';
export const KEEP_LOOKING = 'Keep looking';

/**
 * The question of a game in which no move is left.
 *
 * @param {Pick<TableView, 'stuck' | 'score' | 'legal'>} table
 */
export function stuckAsk({ stuck: reason, score, legal }) {
  /** @type {Record<string, string>} */
  const why = {
    stock_empty: 'All cards have been dealt.',
    deal_too_few_cards: 'There are too few cards on the table to deal.',
    game_too_long: 'This game has reached the move limit.',
  };
  const undo = legal.some(({ type }) => type === 'undo') ? ' or undo' : '';
  const ask = `Finish here${undo}? Your score stays ${score}.`;
  return [why[reason ?? ''], ask].filter(Boolean).join(' ');
}

/** The same in short, while the question stands over the table. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** Cards that are moved together: the first few, or from the first to the last. @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${short(cards[0] ?? '')} to ${short(cards.at(-1) ?? '')}`
    : cards.map(short).join(' ');

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
  const turning = turned.length > 0 ? `; turned ${list(turned.map(short))}` : '';
  switch (action.type) {
    case 'move': {
      const cards = after.find((pile) => pile.id === action.to)?.up.slice(-action.count) ?? [];
      return `${several(cards)} moved to ${pileName(action.to)}${turning}.`;
    }
    case 'deal':
      return `Dealt ${dealtCards(before, after).map(short).join(' ')}.`;
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
export const HINT_OFF = 'This room gives no hints.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'hint');

/** @param {number} n */
export const hintLate = (n) => `Hint ${n} was for the table as it was before.`;

/**
 * A hint, in words.
 *
 * @param {{action: Attempt, hints: number}} hint the how manieth it is
 * @param {readonly TablePile[]} piles
 */
export function hinted({ action, hints }, piles) {
  switch (action.type) {
    case 'move': {
      const cards = piles.find((pile) => pile.id === action.from)?.up.slice(-action.count) ?? [];
      return `Hint ${hints}: move ${several(cards)} from ${pileName(action.from)} to ${pileName(action.to)}.`;
    }
    case 'deal':
      return `Hint ${hints}: deal.`;
    case 'remove':
      return `Hint ${hints}: remove the complete suit of ${pileName(action.from)}.`;
    default:
      return `Hint ${hints}: finish, you have won.`;
  }
}

/** @param {number} n */
export const exceptionMade = (n) => `That was exception ${n}.`;

/** What a cheat is, where the count is seen. */
export const CHEAT =
  'A cheat is undoing a deal or a turned card once you have seen it. Everyone sees the count.';

/** @param {number} n */
export const cheats = (n) => count(n, 'cheat');

/** @param {number} n */
export const cheatMade = (n) => `That counts as cheat ${n}.`;

// The page behind everything

export const NOT_CONNECTED = 'Not connected: that has to wait.';
export const TAKING_SEAT = 'Taking your seat…';

/** Questions over everything else; `no` is missing where there is only one way on. */
export const ASK = {
  leave: { title: 'Leave the race?', text: 'That is giving up.', yes: 'Leave', no: 'Stay' },
  elsewhere: { title: 'Playing elsewhere', yes: 'Take it back', no: 'Leave it' },
  closed: { title: 'The line is closed', yes: 'Reload' },
  forfeit: {
    title: 'Give up this race?',
    text: 'Your score stands as it is, and you can watch the others. To come back later, just close the page: your place is kept while the race is on.',
    yes: 'Give up',
    no: 'Play on',
  },
  restart: {
    title: 'Restart?',
    text: 'The same cards are dealt again. What you have done is lost.',
    yes: 'Restart',
    no: 'Play on',
  },
  restartSecret: {
    title: 'Restart?',
    text: 'This deal is secret while it is on. Give it up, and “Same deal again” on the next page deals it once more.',
    yes: 'Give up',
    no: 'Play on',
  },
  finish: {
    title: 'Finish here?',
    text: 'No move is left. Your score stands as it is.',
    yes: 'Finish',
    no: 'Not yet',
  },
  kick: { title: 'Show this player out?', yes: 'Show out', no: 'Keep' },
  abort: {
    title: 'Stop the race?',
    text: 'There will be no result; all go back to the room.',
    yes: 'Stop it',
    no: 'Let it run',
  },
  start: { title: 'Start without them?', yes: 'Start', no: 'Wait' },
};

/** @param {string} name @param {boolean} racing */
export const kickText = (name, racing) =>
  racing
    ? `${name} loses the seat, and the race counts as given up.`
    : `${name} loses the seat, and may come back by the link.`;

/** @param {number} n */
export const onlyWatch = (n) => `${count(n, 'player')} not ready would only watch this race.`;

// What the status line tells of the others and the room

export const TOLD = {
  lead: 'You take the lead.',
  go: 'Go!',
  soon: 'The race starts in five seconds.',
  stopped: 'The host has stopped the race.',
  host: 'You are the host now.',
  admitted: 'The host let you in.',
  lost: 'The connection was lost.',
  rematch: 'A new room is open for a rematch: come along.',
  rematchMine: 'This is the new room. The others are told to come along.',
  back: 'You are back.',
  forfeit: 'You gave up.',
  late: 'The race is on already: you look on, and play in the next one.',
};

/** @param {Standing} standing */
export const ended = (standing) => `${standing.name}: ${result(standing).toLowerCase()}.`;
/** @param {string} name */
export const leads = (name) => `${name} takes the lead.`;
/** @param {string} name */
export const joined = (name) => `${name} has joined.`;
/** @param {string} name */
export const left = (name) => `${name} has left.`;
/** @param {string} name */
export const asks = (name) => `${name} wants to join.`;
/** @param {string} name */
export const hosts = (name) => `${name} is the host now.`;
/** @param {number} seconds */
export const endsIn = (seconds) => `The race ends in ${count(seconds, 'second')}.`;

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
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

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
  seeded:
    'It was open before the race, so there is nothing to check. This browser has dealt the same cards from its seed.',
  numbered:
    'It was open before the race, so there is nothing to check. Anyone can look it up and play it again.',
};

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

/** @type {Record<import('../../core/messages.d.ts').SettingsClash, string>} */
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
    case 'CHASING':
      return 'Chasing';
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
  if (standing.state === 'CHASING') return 'Chasing';
  return standing.state === 'FINISHED'
    ? `Finished at ${exactClock(standing.finished_ms ?? 0)}`
    : 'Racing';
}

/** A line of the ranking: the result, and what is to be known of it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated } = standing;
  const late = late_ms === null ? [] : [`began ${clock(late_ms)} late, not ranked`];
  const back =
    restored > 0 ? [`${count(restored, 'act')} given back after the store lost them`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  const cut = late_ms !== null && standing.state === 'TIMED_OUT';
  return [cut ? 'Chased to the end' : result(standing), ...late, ...helped, ...back].join(' · ');
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

export const OFFLINE = 'You are offline. We come back as soon as there is a network.';
export const TRY_NOW = 'Try now';
export const CONNECTED_ABOUT = 'What you do is stored at once.';

/** The state of our own line. @param {State} state @param {number} seconds to the next try */
export function line(state, seconds) {
  switch (state.line) {
    case 'connecting':
      return state.me ? 'Connection lost. Connecting again…' : 'Connecting…';
    case 'waiting':
      return `${closing(state.closeCode)} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}…`;
    case 'closed':
      return closing(state.closeCode);
    case 'on':
      return 'Connected';
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
  return `Waiting for ${list(unready.map((seat) => seat.name))}. When all are ready, the race starts by itself.`;
}

/** A name in a list of people. @param {string} name */
export const you = (name) => `${name} (you)`;

// The front page, and the page behind a link

export const LANDING = {
  tagline: 'The same deal, at the same moment, for you and your friends.',
  play: 'Play',
  name: 'Your name',
  nameFirst: 'Please say your name first.',
  game: 'Game',
  suits: { 'spider-4': 'Four suits', 'spider-2': 'Two suits', 'spider-1': 'One suit' },
  backTo: 'Back to room ',
  create: 'Create room',
  practice: 'Practice alone',
  or: 'or join friends',
  code: 'Code or link',
  codeLabel: 'Room code or link',
  codeHint: 'A code has ten letters and digits; the whole link will do too.',
  join: 'Join',
  open: 'Open rooms',
  invited: 'You are invited to room ',
  joinRace: 'Join the race',
  watch: 'Watch',
  back: 'Back to the front page',
  tips: 'Tips for playing better',
};

/** @param {PublicRoom} room */
export function publicRoom(room) {
  const state = { LOBBY: 'waiting', FINISHED: 'between rounds' }[String(room.state)] ?? 'racing';
  return `${gameName(room.game)} · ${count(room.players, 'player')} · ${state}`;
}

/** @param {string} host */
export const joinRoomOf = (host) => `Join ${host}’s room`;

// The room

export const ROOM = {
  link: 'Link to this room',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'The link is selected: copy it with your keyboard or a long press.',
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
  kick: 'Show out',
};

/** @param {string} name */
export const kickLabel = (name) => `Show ${name} out`;

/** What the host may do to a race. */
export const POWERS = {
  title: 'You are the host',
  end: 'Give those who still play no more than:',
  abort: 'Stop the race',
  abortAbout: 'Or end it without a result:',
  won: 'Someone has won. You can still end the race, but not stop it without a result.',
  close: 'Close',
};

/** @param {number} seconds */
export const graceOf = (seconds) => (seconds < 60 ? count(seconds, 'second') : limit(seconds));

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

/** @param {number} seconds */
export function limit(seconds) {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 1 && hours % 1 === 0
    ? count(hours, 'hour')
    : count(Math.round(minutes * 10) / 10, 'minute');
}

// What people say to each other

export const CHAT = {
  title: 'Chat',
  log: 'What has been said',
  empty: 'Nothing has been said yet.',
  emotes: 'Say in short',
  emoteWords: {
    good_luck: 'Good luck!',
    well_played: 'Well played!',
    wow: 'Wow!',
    oops: 'Oops!',
    hurry: 'Hurry up!',
    thanks: 'Thanks!',
  },
  placeholder: 'Say something',
  send: 'Send',
  mute: 'Mute…',
  close: 'Close the chat',
};

/** @param {number} n */
export const chatUnread = (n) => (n > 0 ? `Chat, ${n} unread` : 'Chat');
/** @param {string} name @param {string} words */
export const says = (name, words) => `${name}: ${words}`;
/** @param {string} name @param {boolean} muted */
export const muteVoice = (name, muted) => (muted ? `Hear ${name} again` : `Mute ${name}`);

// The countdown and the race

export const GO = 'Go!';

export const FIRST_MOVE =
  'Drag cards, or tap them and then the column where they go. The ? tells more.';

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) => `${gameName(game)}${number ? `, deal ${number}` : ''}`;

/** @param {string} start of the hash */
export const sealedDeal = (start) =>
  `The deal is sealed as ${start}…: after the race anyone can check that nobody changed it.`;

export const STOP = 'Stop';

export const HEADER = {
  time: 'Time',
  score: 'score',
  moves: 'moves',
  exceptions: 'exceptions',
  hints: 'hints',
  faceDown: 'face down',
  home: 'suits home',
  cheats: 'cheats',
  mute: 'Mute',
  colours: 'Colours of the cards',
  restart: 'Restart',
  restartLabel: 'Restart with the same deal',
  help: 'Help and keys',
  forfeit: 'Give up',
  chase: 'Chase them',
  chaseLabel: 'Play the same deal now, unranked, on a clock of your own',
  leave: 'Leave',
};

/** @param {number} ms */
export const timeLeft = (ms) => `${clock(ms)} left`;

export const RACE = {
  table: 'Table',
  acts: 'Moves',
  deal: 'Deal',
  dealSure: 'Sure?',
  undo: 'Undo',
  redo: 'Redo',
  remove: 'Remove suit',
  finish: 'Finish',
  exception: 'Exception',
  hint: 'Hint',
  noSuit: 'No complete suit stands at the end of a column.',
  noPlace: 'There is no place for these cards.',
  onlySpace: 'There is no place for these cards but a space.',
  home: 'Home!',
  gaveUp: 'You gave up',
  finished: 'Finished',
};

/** @param {string} id */
export const pileTitle = (id) => capital(pileName(id));

/**
 * A pile and what it holds; of a column also how many of its cards are its last run.
 *
 * @param {TablePile} pile
 */
export function pileLabel(pile) {
  const all = pile.down + pile.up.length;
  const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
  const part = last ? `, ${last} of ${all}` : '';
  return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
}

/** @param {number} n */
export const faceDown = (n) => `${n} face down`;

/** What the foundations of Spider hold. @param {number} suits */
export const homeLabel = (suits) =>
  suits > 0 ? `${count(suits, 'suit')} home.` : 'No suit is home yet.';

/** Cards that the cursor surrounds. @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'card')} of ${pileName(pile)}: ${several(cards)}.`;

/** Cards in hand. @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} in hand.` : `To ${pileName(pile)}: what?`;

/** @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `What can move is marked: ${count(columns, 'column')}.` : 'Nothing is marked.';

/** @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${short(card)} does not lie face up.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'home';
    return `${pileName(pile)}${above > 0 ? ` under ${count(above, 'card')}` : ' at its end'}`;
  });
  return `${short(card)}: ${list(where)}.`;
}

/** @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, seat, name, score }) => {
          const who = seat === me?.seat ? 'you' : name;
          return `${place ? `${ordinal(place)} ` : ''}${who}, ${score}`;
        })
        .join('; ')}.`
    : 'Nobody has a score yet.';

/** @param {TableView | undefined} view */
export function scoreSpoken(view) {
  if (!view) return 'Nothing is dealt yet.';
  const { score, counts } = view;
  const exceptions = counts.exceptions > 0 ? `, ${count(counts.exceptions, 'exception')}` : '';
  const cheated = counts.cheats > 0 ? `, ${cheats(counts.cheats)}` : '';
  return `Score ${score}, ${count(counts.moves, 'move')}, ${count(counts.suits, 'suit')} home${exceptions}${cheated}.`;
}

// Ways to play

export const PLAY = {
  dealAgain: 'Deal a row? Deal again to do it, Escape to play on.',
  notDone: 'Nothing is done.',
  whichRank: 'Find a card. Its rank: A, 2 to 9, 0 for a 10, J, Q or K?',
  whichSuit: 'Its suit: S, H, D or C?',
  askWhy: 'Not possible. The ? key says why.',
  nothingRefused: 'Nothing was refused.',
  suitsHome: 'Home',
  none: 'Nothing yet',
  box: 'Type a move',
  boxHow: '3 5 · 3x2 5 · d deals · u undoes · r 3 removes',
  boxGo: 'Go',
};

/** @type {Record<import('../../core/messages.d.ts').Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'This room allows no exceptions.',
  easy: 'Level 1, easy: exceptions at any time.',
  hard: 'Level 2, hard: press X before an exception.',
};

export const UNFOLDED = {
  unfolded: 'Unfolded.',
  folded: 'Folded.',
  short: 'Nothing is folded here.',
};

export const TYPED = {
  /** @param {string} text */
  column: (text) => `There is no column ${text}.`,
  /** @param {string} text */
  words: (text) => `“${text}” is not a move. Type 3 5, 3x2 5, d, u or r 3.`,
};

/** What keys do. */
export const KEYS = {
  left: 'Column to the left',
  right: 'Column to the right',
  more: 'One card more',
  fewer: 'One card fewer',
  above: 'Row above: stock, home',
  below: 'Row below',
  first: 'First of the row',
  last: 'Last of the row',
  pick: 'Pick up, put down',
  auto: 'Move by itself, in suit first',
  column: 'From a column to a column',
  deal: 'Deal',
  dealSure: 'Deal, confirmed',
  remove: 'Remove a complete suit',
  undo: 'Undo',
  redo: 'Redo',
  exception: 'Ask for an exception',
  hint: 'Ask for a hint, where the room gives some',
  unfold: 'Unfold a column',
  mark: 'Mark what can move',
  locate: 'Find a card: rank, then suit',
  peek: 'Read a column',
  standings: 'Say the standings',
  score: 'Say the score',
  colours: 'Change colours',
  type: 'Box for typing moves',
  help: 'This help',
  why: 'Why it was refused',
  level: 'Change the level',
  restart: 'New game',
  restartSure: 'New game, confirmed',
  quit: 'Leave',
  cancel: 'Let go',
};

export const HELP = {
  title: 'How to play',
  close: 'Close',
  tips: 'Tips for this game',
  aids: 'Help on the table',
  mark: 'Mark what can move',
  box: 'Type moves',
  find: 'Find a card',
  rank: 'Rank',
  suit: 'Suit',
  go: 'Find',
  keys: 'Keys',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Classic (1987)' },
  letters: 'Keys that write something act while the table has the focus',
  pointer: [
    'Drag a card: it takes all that lie on it. Or click the cards and then the column, in either order.',
    'Double click, right click or Shift+Enter: the cards go where they fit, in suit first.',
    'Long press or middle click: what a column holds. ×5 is a folded run: click it to unfold.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Spades', H: 'Hearts', D: 'Diamonds', C: 'Clubs' },
};

/** Where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `${count(deals, 'deal')} left. ${homeLabel(view.counts.suits)}`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Suits removed: ${signs.join(' ') || 'none'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Refused last: ${words}`;

/** What somebody who is done waits for. @param {number | null} place @param {number} others */
export function soFar(place, others) {
  const rest = others > 0 ? `${count(others, 'player')} still racing.` : 'The result is coming.';
  return place ? `${ordinal(place)} so far. ${rest}` : rest;
}

export const STANDINGS = 'Standings';

/** @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `home ${exactClock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `began ${clock(standing.late_ms ?? 0)} late`;
  const words = { FINISHED: 'finished', FORFEIT: 'gave up', TIMED_OUT: 'out of time' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** How far somebody is. @param {Standing} standing @param {boolean} single cards go home, not suits */
export function progress({ home, face_down, suits }, single) {
  const left = single ? `${home} cards home` : `${face_down} face down`;
  return !single && suits > 0 ? `${suits} home · ${left}` : left;
}

/** A player whose connection is lost. */
export const NOT_THERE = 'offline';

/** The race track: its name, and what is at its ends. */
export const TRACK = { lanes: 'Race track', ends: ['Deal', 'All cards up', 'Home'] };

export const WALL = 'Boards';

// The results

export const RESULTS = {
  ranking: 'Ranking',
  columns: ['#', 'Player', 'Result', 'Score', 'Moves', 'Suits'],
  over: 'The race is over',
  data: 'The whole round as data',
  text: 'Keep the round as a text file',
  again: 'Same deal again, alone',
  next: 'Next round',
  rematch: 'Rematch in a new room',
  follow: 'Go to the new room',
  rematchOpen: 'A new room is open for a rematch.',
  newMatch: 'New match',
  wait: 'The host opens the next round.',
  waitMatch: 'The match is over. The host may open another.',
  leave: 'Leave',
  deal: 'The deal',
  check: 'Check it yourself',
  show: 'Show its cards',
  number: 'Deal number',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Seal, SHA-256(seed‖salt)',
  me: 'Me',
  share: 'Link to this result',
  shared: 'Anybody who has it sees the result, the chart and the replay, without a seat.',
};

// A race told again

export const FINISHED = {
  loading: 'Fetching the race…',
  gone: 'This race is not here',
  why: 'It is not over yet, or its room is closed.',
  front: 'To the front page',
  room: 'To the room',
};

/** A race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${count(courses.length, 'player')} · ${day}`;
}

export const CHART = {
  title: 'Score over time',
  moment: 'Moment of the race',
  table: 'The scores as a table',
  player: 'Player',
  end: 'End',
};

/** @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * What a chart shows, in words.
 *
 * @param {number} ms how long the race was
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last
      ? ''
      : changes === 0
        ? ` ${last} led all the way.`
        : ` The lead changed ${changes === 1 ? 'once' : `${changes} times`}; ${last} had it at the end.`;
  const few = lines < players ? ` The chart shows ${lines} of ${players} players.` : '';
  return `The race took ${clock(ms)}.${lead}${few}`;
}

export const REPLAY = {
  title: 'Replay',
  left: 'Board on the left',
  right: 'Board on the right',
  play: 'Play',
  pause: 'Pause',
  back: 'One act back',
  on: 'One act on',
  before: 'The moment before',
  after: 'The next moment',
  at: 'Time in the race',
  speed: 'Speed',
  moments: 'Moments of the race',
  keys: 'Keys: space plays and pauses, ← and → go from act to act, page up and down from moment to moment, + and − change the speed.',
  loading: 'Fetching the race…',
  failed: 'The race could not be fetched.',
  again: 'Try again',
  dealt: 'As it was dealt.',
  cut: 'A very long game: what was before its end is left out.',
};

/** @param {number} ms @param {number} length */
export const timeOf = (ms, length) => `${clock(ms)} of ${clock(length)}`;

/** @param {number} factor */
export const times = (factor) => `${factor === 0.5 ? '½' : factor}×`;

/** @param {{ms: number, kind: string, n: number}} moment @param {string} name */
export function moment({ ms, kind, n }, name) {
  /** @type {Record<string, string>} */
  const what = {
    lead: `${name} leads`,
    suit: `${name}: ${ordinal(n)} suit home`,
    home: `${name} is home`,
    end: `${name} ends`,
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** @param {string} name */
export const enlarge = (name) => `Enlarge ${name}’s board`;

/** A board in figures. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'point')} · ${count(moves, 'move')} · ${face_down} face down · ${count(suits, 'suit')} home`;

/** @param {readonly string[]} winners @param {{alone: boolean, home: boolean, won: boolean}} own */
export function verdict(winners, { alone, home, won }) {
  const names = list(winners);
  if (alone) return home ? 'You are home!' : 'Practice over';
  if (won) return winners.length > 1 ? `A tie: ${names}` : `You win, ${names}!`;
  return `${names} ${winners.length > 1 ? 'share the win' : 'wins'}`;
}

/** @param {number} n */
export const cardCount = (n) => count(n, 'card');

/** @param {number} n @param {number} of */
export const nextOf = (n, of) => `Next round (${n} of ${of})`;

export const MATCH = {
  label: 'Score card of the match',
  columns: ['Game', 'Score', 'Moves', 'Exceptions', 'Hints', 'Cheats', 'Time'],
  totals: 'Totals',
  which: 'Which game do you want to play?',
};

/** @param {number} n */
export const game = (n) => `Game ${n}`;
/** @param {number} n */
export const gameNext = (n) => `Game ${n} is next.`;
/** @param {number} n */
export const matchOf = (n) => `A match of ${n} games`;
/** @param {number} level */
export const againAt = (level) => `Play again at level ${level}`;

/** @param {number} n */
export const roundsWon = (n) => `${count(n, 'round')} won`;

/** @param {readonly string[]} first */
export const matchWon = (first) =>
  `${list(first)} ${first.length > 1 ? 'share' : 'wins'} the match`;

/** @param {number} n @param {number} of */
export const matchAfter = (n, of) => `The match after ${n} of ${of} rounds`;

// The page of rules: sentences that `rulebook.js` puts together from a room's settings

/** The chapters, in the words of their headings. */
export const CHAPTERS = {
  deal: 'The deal',
  moves: 'Moves',
  dealing: 'Dealing on',
  removing: 'Complete suits',
  exceptions: 'Exceptions',
  undo: 'Undo',
  hints: 'Hints',
  score: 'Score',
  end: 'The end',
  ranking: 'Who wins',
  match: 'Match',
  watching: 'Watching',
};

export const RULES = {
  suits1: 'All cards count as spades.',
  suits2: 'Clubs count as spades and diamonds as hearts.',
  spider: (/** @type {'left4' | 'spread'} */ layout) =>
    `Two decks, ten columns: 54 cards are dealt, the last of each column face up. Columns ${
      layout === 'left4' ? '1 to 4' : '1, 4, 7 and 10'
    } get one card more.`,
  spiderStock: 'The other 50 are the stock: five deals of ten.',
  spiderette:
    'One deck, seven columns: one card in the first, two in the second, up to seven, the last of each face up.',
  spideretteStock: 'The other 24 are the stock: three deals of seven, then the last three.',
  little:
    'One deck: four cards above and four below, all face up, and four foundations between them.',
  littleStock:
    'The other 44 are the stock: five deals of eight, then the last four on the upper row.',
  secret:
    'Everybody gets the same fresh deal. It is sealed before the race and laid open afterwards, for anyone to check.',
  numbered: (
    /** @type {number | null} */ number,
    /** @type {'left4' | 'spread' | null} */ layout,
  ) => {
    const where = {
      left4: ', but with the extra cards on other columns than there',
      spread: ', laid out as it is there',
    };
    return `Everybody gets ${
      number === null ? 'the same numbered deal' : `deal number ${number}`
    } of PySolFC${layout ? where[layout] : ''}. It can be looked up: an open deal.`;
  },
  seeded: 'Everybody gets a deal that was played before: an open deal.',

  littleFoundations:
    'The first two foundations are built up in suit from the ace, the other two down in suit from the king. The ace foundations take one colour, the king foundations the other; the first card played fixes which.',
  littleWhile:
    'While the stock lasts, a top card of the upper row goes on any foundation that takes it, one of the lower row only on the foundation right above it.',
  littleAfter:
    'Once the stock is empty, any top card goes on any foundation that takes it, or on a pile whose top card is one higher or one lower, of any suit; ace and king are neighbours. An empty pile stays empty.',
  moves:
    'A card, or a run of one suit in descending order, goes on a card one higher, of any suit, or on an empty column. Part of a run may be moved too.',
  kings: 'The ace is low, so a king goes only on an empty column.',
  turning: 'A face-down card that comes to the end of its column turns up at once.',

  littleDealing: 'The stock is dealt at any time, on empty piles too.',
  relaxedDealing:
    'A deal puts one card on each column. As long as the stock has cards you may deal, on empty columns too.',
  dealing: 'A deal puts one card on each column, at any time, but not while a column is empty.',
  lastThree: 'That holds for the last three cards as well.',
  tooFew: 'Nothing is dealt while fewer cards lie on the table than there are columns.',

  autoRemove: 'A complete suit, king to ace, leaves the table by itself.',
  remove:
    'A complete suit, king to ace, at the end of a column glows; you remove it when you like, or keep it.',

  exceptionEasy:
    'A descending run of mixed suits may be moved as one: an exception. It is picked up like any other run.',
  exceptionHard:
    'A descending run of mixed suits may be moved as one: an exception. Press X, or the Exception button, before each.',
  exceptionsCounted:
    'It goes only where any run may go. Every exception is counted, for all to see.',

  undo: {
    no_reveal: 'A move can be taken back, unless it turned a card or was a deal.',
    any: 'Everything can be taken back. Taking back a turned card or a deal counts as a cheat, because you have seen the cards by then. Everyone sees the count, and it never goes down.',
    free: 'Everything can be taken back, turned cards and deals too, as often as you like.',
    off: 'Nothing is taken back.',
  },

  woodsTurned: '10 points for each card turned up that began face down.',
  woodsColumns: '15 for each column with no face-down card left.',
  woodsColumnsSmall: '15 for each column that began with face-down cards and has none left.',
  woodsInSuit: '2 for each card that lies on the next higher of its suit.',
  woodsSuits: '50 for each suit removed.',
  woodsAll: (/** @type {number} */ points) => `All suits removed: ${points}.`,
  woodsKept: 'Winning with more than three complete suits still on the table adds 2 for each more.',
  dosSuits:
    'A suit removed: 120 points, a matched pair: 10. Each exception takes 12 off a suit, down to 50, and 1 off a pair, down to 1.',
  dosWon: 'A game won without an exception: 1000.',
  dosExceptions:
    'Won with exceptions: 100 less for each, down to 400, and 1 less for each move after the first exception.',
  dosOverSix: 'Each exception over six costs 10 more.',
  dosGrand:
    'Grand Spider, 10,000: all eight suits complete on the table before the first is removed, no exception, and nothing but removals after that.',
  cardsLittle: '1 point for each card on a foundation; all 52 are a win.',
  cards: (/** @type {number} */ most) => `1 point for each card in a removed suit: up to ${most}.`,
  windows:
    'You begin with 500 points. Each move, deal, undo and redo costs 1, each complete suit brings 100. Never below 0.',

  homeLittle: 'You are home when all 52 cards are on the foundations.',
  home: 'You are home when all suits are removed.',
  homeKept:
    'You are home when all suits are removed. With the stock dealt out and nothing but complete suits left, you may also finish with suits on the table.',
  stuck:
    'If no move is left, you are asked at once whether to finish there; your score stays. Giving up is always possible.',
  noLimit: 'There is no time limit.',
  limit: (/** @type {number} */ seconds) =>
    `The round ends after ${duration(seconds)}, or when everybody is done.`,

  groups: 'Winners come first, then everyone who played to the end, then players who gave up.',
  firstHome: 'Winners are ranked by time.',
  bestScore: 'Winners are ranked by score.',
  others:
    'All others are ranked by score, then by fewer face-down cards, then by who got there earlier.',
  othersBySuits:
    'All others are ranked by completed suits, then by fewer face-down cards, then by score.',

  hints:
    'Whoever asks for a hint is shown a move, made of what they see themselves. Each hint is counted, for everybody to see.',

  match: (/** @type {number} */ rounds) =>
    `A match of ${rounds} rounds, with a score card for everybody.`,
  nextNumber: 'Each round plays the next deal number.',
  sameDeal: 'Each round is the same deal.',
  byWins: 'The match goes by rounds won, then by total score.',
  byScore: 'The match goes by total score, then by rounds won.',

  boards: (/** @type {number} */ late) =>
    `Players see each other’s standings, never cards. Who does not play sees the boards, ${
      late === 0
        ? 'at once'
        : `${late % 60 === 0 && late > 60 ? duration(late) : count(late, 'second')} late`
    }.`,
  chasers:
    'Latecomers can play the same deal on a clock of their own, unranked. They see cards that racers have not turned yet.',
  late: 'Latecomers watch.',
  standings: 'All see the standings; nobody sees another’s cards.',
  open: 'When the round is over, all boards and the deal are open.',
};

/** The rules in one line, for a heading. @param {Settings} settings */
export function inShort({ game, deal, number, rounds, time_limit_s }) {
  const parts = [gameName(game)];
  if (deal === 'numbered') parts.push(number === null ? 'open deal' : `deal ${number}`);
  if (rounds > 1) parts.push(count(rounds, 'round'));
  parts.push(time_limit_s === null ? 'no time limit' : duration(time_limit_s));
  return parts.join(', ');
}
// Preferences

export const PREFERENCES = {
  title: 'Preferences',
  done: 'Done',
  looks: 'Looks',
  table: {
    title: 'Table',
    names: {
      baize: 'Baize',
      lagoon: 'Lagoon',
      midnight: 'Midnight',
      plum: 'Plum',
      claret: 'Claret',
      walnut: 'Walnut',
      slate: 'Slate',
      coal: 'Coal',
      fern: 'Fern',
      olive: 'Olive',
      copper: 'Copper',
      ruby: 'Ruby',
      rose: 'Rose',
      violet: 'Violet',
      cobalt: 'Cobalt',
      emerald: 'Emerald',
    },
  },
  cards: {
    title: 'Cards',
    names: { two: 'Two colours', four: 'Four colours', strong: 'Large print' },
  },
  light: {
    title: 'Light or dark',
    names: { auto: 'As my device', light: 'Light', dark: 'Dark' },
  },
  motion: 'Less motion',
  sound: 'Sound',
  sounds: 'Sounds',
  volume: 'Volume',
  play: 'Play',
  oneTap: 'One tap moves a card that has one place in its suit',
  confirmDeal: 'Ask before each deal, and before a new game with F7',
  faceDown: 'Show how many cards are face down',
  reasons: {
    title: 'Why a move is not legal',
    names: { 'at-once': 'Say it at once', 'on-request': 'Only when I ask' },
  },
  keyboard: 'Keyboard',
  keys: { title: 'Keys', names: { modern: 'Modern', classic: 'Classic (1987)' } },
  letterKeys: 'Single letters act while the table has the focus',
  moveBox: 'A box for typing moves',
};
