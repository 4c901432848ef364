// The sentences that every page needs from its start: the front page, cards and piles, refusals, and
// the status line. `core/language.js` adds the other files when their screens come.

import { dealtCards, rank, runs, sign, suit } from '../../core/cards.js';

/**
 * @import {ErrorCode, PublicRoom, RefusalDetails, SettingsClash, Standing, TablePile, TableView} from '../../core/messages.d.ts'
 * @import {Attempt} from '../../core/table.js'
 * @import {Notice, State} from '../../core/reducer.js'
 */

export const LANGUAGE = 'Language';

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };

const RANK_NAMES = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];

export const short = sign;

/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** @param {string} card e.g. `9 of spades` */
export const spoken = (card) => `${rankName(card)} of ${SUIT_NAMES[suit(card)]}`;

/**
 * Return the contents of a pile in spoken words: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 *
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
export function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  // Only the top of a stack is visible, unless it is one run.
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
  round_won: () => ROUND_WON,
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

/** Return the sentence of a notice. @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'That was refused.'; // a newer server may have newer codes
}

export const ROUND_WON =
  'Someone has won. You can still end the race, but not stop it without a result.';
const LONGEST = 'This game has reached the move limit. Finish it: your score stands.';

export const STUCK = 'No moves left';

/**
 * Return the question about a game in which no move is left.
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

/** Return the same in short, for the status line. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
export const several = (cards) =>
  cards.length > 3
    ? `${short(cards[0] ?? '')} to ${short(cards.at(-1) ?? '')}`
    : cards.map(short).join(' ');

/**
 * Return what an act has done.
 *
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export function actDone(action, before, after) {
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

export const EXCEPTION_OFF = 'This room allows no exceptions.';

export const HINT_OFF = 'This room gives no hints.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'hint');

/** @param {number} n */
export const hintLate = (n) => `Hint ${n} was for the table as it was before.`;

/**
 * Return the sentence of a hint.
 *
 * @param {{action: Attempt, hints: number}} hint `hints` is its number
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

/** The explanation beside a count of cheats. */
export const CHEAT =
  'A cheat is undoing a deal or a turned card once you have seen it. Everyone sees the count.';

/** @param {number} n */
export const cheats = (n) => count(n, 'cheat');

/** @param {number} n */
export const cheatMade = (n) => `That counts as cheat ${n}.`;

export const NOT_CONNECTED = 'Not connected: that has to wait.';

export const NOT_LOADED = 'That could not be loaded. Try again.';

export const TAKING_SEAT = 'Taking your seat…';

/** Questions in the dialog; without `no` there is only one answer. */
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

export const NEWS = {
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

/** @param {number} ms e.g. `3:07`, `1:02:03` */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** Return a time with tenths, for results. @param {number} ms */
export const exactClock = (ms) => `${clock(ms)}.${Math.floor((ms % 1_000) / 100)}`;

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** @param {number} n e.g. `2nd` */
export function ordinal(n) {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

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

/** @type {Record<SettingsClash, string>} */
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

export const OFFLINE = 'You are offline. We come back as soon as there is a network.';

export const TRY_NOW = 'Try now';

export const CONNECTED_ABOUT = 'What you do is stored at once.';

/** Return the state of the connection. @param {State} state @param {number} seconds to the next try */
export function connectionState(state, seconds) {
  switch (state.connection) {
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

/** Return this player's name in a list. @param {string} name */
export const you = (name) => `${name} (you)`;

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

export const FIRST_MOVE =
  'Drag cards, or tap them and then the column where they go. The ? tells more.';

export const PREFERENCES_TITLE = 'Preferences';

/** The answer to a refused move while its reason is shown only on request. */
export const ASK_WHY = 'Not possible. The ? key says why.';

/** The button beside a link. */
export const COPY = {
  copy: 'Copy',
  copied: 'Copied',
  selected: 'The link is selected: copy it with your keyboard or a long press.',
};
