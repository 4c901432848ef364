// The sentences that every page needs from its start: the front page, cards and piles, refusals, and
// the status line. `core/language.js` adds the other files when their screens come.

import { areOfCompleted, effectOf } from '../../core/act-effect.js';
import { rank, runs, shortRank, sign, suit } from '../../core/cards.js';

/**
 * @import {Effect} from '../../core/act-effect.js'
 * @import {ErrorCode, PublicRoom, RefusalDetails, SettingsClash, Standing} from '../../core/messages.d.ts'
 * @import {TablePile, TableView} from '../../core/notation.js'
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

/** Return a card in words. @param {string} card e.g. `9 of spades` */
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
  const cards = stacked
    ? `${spoken(top)} on top of ${count(pile.up.length - 1, 'card')}`
    : parts.join(', ');
  return [down, cards || (down ? '' : 'empty'), way].filter(Boolean).join('; ');
}

/** @type {Record<string, string>} */
const PILES = { t: 'column', u: 'upper pile', l: 'lower pile', f: 'foundation' };

/** Return the name of a pile in a sentence. @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'the stock';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return names as a list in a sentence. @param {readonly string[]} names */
export function list(names) {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'That card doesn’t go there.';
  const needs = RANK_NAMES[rank(card)]; // the next higher rank: ranks count from 1, the list from 0
  const where = piles.at(-1) ?? '';
  if (!needs) return `${short(card)} only goes on an empty column.`;
  const article = /^[a8]/.test(needs) ? 'an' : 'a';
  const wanted = /\d/.test(needs) ? needs : capital(needs);
  const ends = onto ? `; ${where ? pileName(where) : 'that'} ends in ${short(onto)}` : '';
  return `${short(card)} needs ${article} ${wanted}${ends}.`;
}

/** @param {RefusalDetails} details */
function emptyColumns({ piles }) {
  return piles.length > 0
    ? `You can’t deal while ${list(piles.map(pileName))} ${piles.length > 1 ? 'are' : 'is'} empty.`
    : 'You can’t deal while a column is empty.';
}

/** @param {RefusalDetails} details */
function someCards({ cards: these }) {
  return list(these.map(short));
}

/** @type {Record<ErrorCode, (details: RefusalDetails) => string>} */
export const REFUSALS = {
  bad_message: () => 'The server didn’t understand this page. Please reload it.',
  not_joined: () => 'You’re not in a room yet.',
  already_joined: () => 'You’re already in this room.',
  try_again: () => 'That didn’t work just now. Try again.',
  no_such_room: () => 'This room doesn’t exist, or it’s closed.',
  room_full: () => 'This room is full.',
  room_locked: () => 'The host has locked this room. No one else can join.',
  banned: () => 'The host removed you from this room. You can’t join again.',
  one_seat: () => 'This room has one seat per person, and your browser or network already had one.',
  too_many_seats: () => 'This room already has too many players from your network.',
  too_many_joins: () => 'Too many tries from your network. Wait a moment, then try again.',
  too_many_rooms: () => 'Too many rooms from your network. Wait a moment, then try again.',
  server_full: () => 'Too many rooms are open right now. Try again in a few minutes.',
  store_full: () => 'The server is full right now. Try again in a few minutes.',
  bad_token: () => 'This seat belongs to someone else.',
  bad_name: () => 'Please choose another name.',
  not_host: () => 'Only the host can do that.',
  not_in_state: () => 'That’s not possible right now.',
  not_a_player: () => 'You’re watching. Only players can do that.',
  not_racing: () => 'You’re not in this race.',
  round_won: () => ROUND_WON,
  nobody_ready: () => 'Nobody is ready yet.',
  too_much_said: () => 'Slow down a moment.',
  no_such_seat: () => 'That player isn’t in the room.',
  no_chasers: () => 'Latecomers watch in this room.',
  boards_are_hidden: () => 'Boards are hidden during the race.',
  bad_settings: ({ fields, reason }) =>
    reason
      ? (CLASHES[reason] ?? 'These settings don’t go together.')
      : fields.length > 0
        ? `These settings don’t go together: ${list(fields)}.`
        : 'These settings don’t go together.',
  no_such_game: () => 'This match has no round with that number.',
  game_played: () => 'You’ve already played that round. Choose another one.',
  bad_deal_number: () => 'There’s no deal with that number.',
  early: () => 'The race hasn’t started yet.',
  too_late: () => 'The race is over.',
  stale: () => 'Your board was out of date. It’s up to date again.',
  too_many_in_flight: () => 'Slow down a moment: your last moves are still on their way.',
  game_over: () => 'Your game is over.',
  game_too_long: () => LONGEST,
  no_such_pile: () => 'You can’t move cards there.',
  same_pile: () => 'The cards are already there.',
  pile_empty: ({ piles }) => `There’s no card on ${piles[0] ? pileName(piles[0]) : 'that pile'}.`,
  not_enough_cards: ({ piles }) =>
    `${capital(piles[0] ? pileName(piles[0]) : 'that pile')} doesn’t have that many cards.`,
  face_down: () => 'You can’t move face-down cards.',
  not_a_run: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} aren’t in sequence.`
      : 'These cards aren’t in sequence.',
  mixed_suits: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} aren’t the same suit, so they don’t move together.`
      : 'Only cards of the same suit move together.',
  wrong_rank: wrongRank,
  deal_stock_empty: () => 'All cards have been dealt.',
  deal_empty_column: emptyColumns,
  deal_too_few_cards: () => 'There aren’t enough cards on the table to fill every column.',
  not_a_complete_suit: ({ piles }) =>
    `${capital(piles[0] ? pileName(piles[0]) : 'that column')} doesn’t end in a complete suit.`,
  not_finished: () => 'The game isn’t finished yet.',
  nothing_to_undo: () => 'There’s nothing to undo.',
  undo_reveals: () => 'You can’t undo a deal, or a move that turned a card.',
  undo_is_off: () => 'Undo is off in this room.',
  nothing_to_redo: () => 'There’s nothing to redo.',
  hints_are_off: () => HINT_OFF,
  no_hint: () => 'No helpful move found.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'Those cards are of mixed suits. Ask for an exception first (X).',
  exception_not_needed: () => 'You don’t need an exception for that: it’s a legal move.',
  action_unknown_to_game: () => 'You can’t do that in this game.',
  one_card_at_a_time: () => 'You can only move one card at a time in this game.',
  foundation_is_final: () => 'Cards on a foundation stay there.',
  wrong_foundation_suit: ({ cards: [card, last] }) =>
    card && last
      ? `${short(card)} doesn’t follow ${short(last)}: each foundation holds one suit.`
      : 'Each foundation holds one suit.',
  wrong_foundation_colour: () =>
    'The two ace foundations take one colour, the two king foundations the other.',
  wrong_foundation_rank: ({ cards: [card, last] }) =>
    card && last
      ? `${short(card)} doesn’t follow ${short(last)}.`
      : 'A foundation starts with its ace or its king.',
  lower_pile_wrong_slot: () =>
    'Until the stock is empty, a lower pile only plays on the foundation above it.',
  no_moves_between_piles_yet: () => 'Until the stock is empty, cards only go on the foundations.',
  pile_stays_empty: () => 'Empty piles stay empty.',
  not_rank_adjacent: ({ cards: [card, onto] }) =>
    card && onto
      ? `${short(card)} only goes on a card one higher or one lower, not on ${short(onto)}.`
      : 'A card only goes on one that’s one higher or one lower.',
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

/** Return the reason of a refusal. @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'That didn’t work.'; // a newer server may have newer codes
}

export const ROUND_WON =
  'Someone has already won. You can still end the race, but not stop it without a result.';
const LONGEST = 'This game has reached the move limit. Finish it: your score counts.';

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
    deal_too_few_cards: 'There aren’t enough cards on the table to deal.',
    game_too_long: 'This game has reached the move limit.',
  };
  const undo = legal.some(({ type }) => type === 'undo') ? ' or undo' : '';
  const ask = `Finish here${undo}? You keep ${count(score, 'point')}.`;
  return [why[reason ?? ''], ask].filter(Boolean).join(' ');
}

/** Return the same in short, for the status line. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
export const several = (cards) =>
  cards.length > 3
    ? `${short(cards[0] ?? '')} to ${short(cards.at(-1) ?? '')}`
    : cards.map(short).join(' ');

/** Return suits by their names. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return which suits an act has completed, and how many now are, or ''. @param {Effect} effect */
const completedSuits = ({ completed, complete, of }) =>
  completed.length > 0 ? `${suitNames(completed)} complete, ${complete} of ${of}` : '';

/** Return the same after a colon. @param {Effect} effect */
const completing = (effect) => (effect.completed.length > 0 ? `: ${completedSuits(effect)}` : '');

/** Return where cards were moved, and what they completed. @param {Effect} effect @param {string} to @param {string} turning */
function moved(effect, to, turning) {
  const { cards, completed, removed } = effect;
  if (removed.length === 0) {
    const also = completed.length > 0 ? ` ${capital(completedSuits(effect))}.` : '';
    return `${several(cards)} moved to ${pileName(to)}${turning}.${also}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && areOfCompleted(effect);
  const what = ranks ? `${shortRank(first)}–${shortRank(last)}` : several(cards);
  return `${what} to ${pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the cards of a deal within its sentence: only screen readers need them. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? ` ${cards.map(short).join(' ')}` : '');

/**
 * Return the part of the sentence of an act that only screen readers need.
 *
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export const actAside = (action, before, after) =>
  action.type === 'deal' ? dealt(effectOf(action, before, after)) : '';

/**
 * Return what an act has done.
 *
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export function actDone(action, before, after) {
  const effect = effectOf(action, before, after);
  const { turned, removed, home, of } = effect;
  const turning = turned.length > 0 ? `; turned ${list(turned.map(short))}` : '';
  switch (action.type) {
    case 'move':
      return moved(effect, action.to, turning);
    case 'deal':
      return `Dealt${dealt(effect)}${completing(effect)}${turning}.`;
    case 'remove':
      return `Complete suit removed: ${suitNames(removed)}, ${home} of ${of}${turning}.`;
    case 'undo':
      return 'Undone.';
    case 'redo':
      return `Redone${completing(effect)}.`;
    default:
      return 'Your game is finished.';
  }
}

export const EXCEPTION_OFF = 'Exceptions are off in this room.';

export const HINT_OFF = 'Hints are off in this room.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'hint');

/** @param {number} n */
export const hintLate = (n) => `Hint ${n} was for your board before the last move.`;

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
      return `Hint ${hints}: remove the complete suit from ${pileName(action.from)}.`;
    default:
      return `Hint ${hints}: finish, you’ve won.`;
  }
}

/** @param {number} n */
export const exceptionMade = (n) => `That was exception ${n}.`;

/** Return the explanation beside a count of cheats. @param {string} [undo] what can be undone in the room */
export const cheatRule = (undo) =>
  undo === 'counted'
    ? 'Every undo counts as a cheat. Everyone sees the count.'
    : 'Undoing a deal or a turned card counts as a cheat. Everyone sees the count.';

/** @param {number} n */
export const cheats = (n) => count(n, 'cheat');

/** @param {number} n */
export const cheatMade = (n) => `That counts as cheat ${n}.`;

export const NOT_CONNECTED = 'You’re not connected. Try again in a moment.';

export const NOT_LOADED = 'That couldn’t be loaded. Try again.';

/** The offer to load a part of the page again. */
export const LATE = {
  text: 'A part of the page couldn’t be loaded.',
  again: 'Try again',
  close: 'Close',
};

export const TAKING_SEAT = 'Taking your seat…';

/** Questions in the dialog; without `no` there is only one answer. */
export const ASK = {
  leave: {
    title: 'Leave the race?',
    text: 'If you leave now, you give up.',
    yes: 'Leave',
    no: 'Stay',
  },
  back: {
    title: 'Leave the race?',
    text: 'Your seat is kept while the race is on, but the clock keeps running.',
    yes: 'Leave',
    no: 'Stay',
  },
  elsewhere: { title: 'Open in another tab', yes: 'Play here', no: 'Cancel' },
  closed: { title: 'Disconnected', yes: 'Reload' },
  forfeit: {
    title: 'Give up this race?',
    text: 'You keep your score. Just need a break? Close the page: your seat is kept while the race is on.',
    yes: 'Give up',
    no: 'Keep playing',
  },
  forfeitRound: {
    title: 'Give up this round?',
    text: 'You keep your score. Just need a break? Close the page: your seat is kept while the round is on.',
    yes: 'Give up',
    no: 'Keep playing',
  },
  forfeitAlone: {
    title: 'Stop this game?',
    text: 'You keep your score.',
    yes: 'Stop',
    no: 'Keep playing',
  },
  leaveAlone: { title: 'Leave this game?', text: 'Your game ends here.', yes: 'Leave', no: 'Stay' },
  backAlone: {
    title: 'Leave this game?',
    text: 'You can come back to it. The clock keeps running.',
    yes: 'Leave',
    no: 'Stay',
  },
  restart: {
    title: 'Restart?',
    text: 'You start over with the same cards.',
    yes: 'Restart',
    no: 'Keep playing',
  },
  restartSecret: {
    title: 'Restart?',
    text: 'This deal stays secret until your game is over. Give up first, then choose “Same deal again” on the next page.',
    yes: 'Give up',
    no: 'Keep playing',
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
    title: 'The next race starts without you',
    text: 'You didn’t ask for it in time. You can watch, and play in the one after it.',
    yes: 'Leave the room',
    no: 'Watch',
  },
  leftOutChase: {
    title: 'The next race starts without you',
    text: 'You didn’t ask for it in time. You can still play the same deal, on your own clock.',
    yes: 'Play this deal, unranked',
    no: 'Watch',
  },
};

export const NEWS = {
  lead: 'You take the lead.',
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
  cutOff:
    'The race is over, and with it your unranked game. You can play the same deal again, alone.',
};

/** The same news in a match of several rounds. */
export const ROUND_NEWS = {
  stopped: 'The host stopped the round.',
  late: 'This round has started. You’ll play in the next one.',
  lateChase: 'This round has started. You can play the same deal now, unranked.',
  chasing: 'You play this deal unranked, until the round ends.',
  cutOff:
    'The round is over, and with it your unranked game. You can play the same deal again, alone.',
};

/** Return how a game of another player has ended. @param {Standing} standing */
export function ended({ name, won, state, finished_ms }) {
  if (won) return `${name} finished in ${clock(finished_ms ?? 0)}.`;
  if (state === 'FORFEIT') return `${name} gave up.`;
  return state === 'TIMED_OUT' ? `${name} ran out of time.` : `${name} stopped.`;
}

/** Return that a player has taken the lead. @param {string} name */
export const leads = (name) => `${name} takes the lead.`;

/** Return that a player has joined. @param {string} name */
export const joined = (name) => `${name} joined.`;

/** Return that a player has left. @param {string} name */
export const left = (name) => `${name} left.`;

/** Return that a player waits for admission. @param {string} name */
export const asks = (name) => `${name} wants to join.`;

/** Return that a player wants the next race. @param {string} name @param {boolean} inMatch whether the next race is a round of the same match */
export const wants = (name, inMatch) =>
  inMatch ? `${name} is ready for the next round.` : `${name} wants a rematch.`;

/** Return that a player has become the host. @param {string} name */
export const hosts = (name) => `${name} is the host now.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const startsIn = (seconds, inMatch) =>
  `The ${inMatch ? 'round' : 'race'} starts in ${count(seconds, 'second')}.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const endsIn = (seconds, inMatch) =>
  `The ${inMatch ? 'round' : 'race'} ends in ${seconds < 60 ? count(seconds, 'second') : clock(seconds * 1_000)}.`;

/** What is left after the first win, by its usual seconds. @type {Record<number, string>} */
const LAST = { 60: 'Last minute', 120: 'Last two minutes', 300: 'Last five minutes' };

/** Return that a win has shortened the race. @param {number} seconds @param {string} name */
export const lastStretch = (seconds, name) =>
  `${LAST[seconds] ?? `Last ${duration(seconds)}`}: ${name} finished.`;

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

/** Return a place in the ranking: `2nd`. @param {number} n */
export function ordinal(n) {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

/** Return a room code in groups of three characters, for reading out. @param {string} code */
export const grouped = (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' ');

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
  score_not_of_game: 'This game doesn’t have this score.',
  option_not_of_game: 'This game doesn’t have one of these options.',
  dos_without_undo: 'The DOS score allows no undo: turn undo off.',
  dos_by_hand: 'With the DOS score you remove suits yourself.',
  number_of_numbered: 'Deal numbers are only for numbered deals.',
  seed_of_seeded: 'A deal from a seed needs a seed, and no other deal has one.',
};

/** Return the name of a game. @param {string} game */
export const gameName = (game) => GAMES[game] ?? game;

/** Return a duration in words. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return count(seconds, 'second');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : clock(seconds * 1_000);
}

/** Return the result of a player. @param {Standing} standing @param {(ms: number) => string} [time] how times are written */
export function result(standing, time = exactClock) {
  if (standing.won) return `Finished in ${time(standing.finished_ms ?? 0)}`;
  if (standing.state === 'FORFEIT') return 'Gave up';
  if (standing.state === 'TIMED_OUT') return 'Out of time';
  if (standing.state === 'CHASING') return 'Playing (unranked)';
  return standing.state === 'FINISHED' ? `Stopped at ${time(standing.finished_ms ?? 0)}` : 'Racing';
}

export const OFFLINE = 'You’re offline. Reconnecting automatically…';

export const TRY_NOW = 'Try now';

export const CONNECTED_ABOUT = 'Every move is saved at once.';

/** Return the state of the connection. @param {State} state @param {number} seconds to the next try */
export function connectionState(state, seconds) {
  switch (state.connection) {
    case 'connecting':
      return state.me ? 'Connection lost. Reconnecting…' : 'Connecting…';
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
  tagline: 'Race your friends at Spider solitaire. Same cards, same start.',
  play: 'Play',
  name: 'Your name',
  nameFirst: 'Please enter your name.',
  game: 'Game',
  suits: { 'spider-1': 'One suit', 'spider-2': 'Two suits', 'spider-4': 'Four suits' },
  backTo: 'Back to room ',
  raceOn: 'Your race is still on',
  backToRace: 'Back to the race',
  create: 'Create room',
  practice: 'Practice alone',
  or: 'or join friends',
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

/** Return the facts about an open room in a line. @param {PublicRoom} room */
export function publicRoomFacts(room) {
  const state = { LOBBY: 'waiting', FINISHED: 'between rounds' }[String(room.state)] ?? 'racing';
  return `${gameName(room.game)} · ${count(room.players, 'player')} · ${state}`;
}

/** @param {string} host */
export const joinRoomOf = (host) => `Join ${host}’s room`;

export const FIRST_MOVE = 'Drag cards, or tap a card and then a column. Press ? for help.';

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

/** @param {string} host */
export const watchRoomOf = (host) => `Watch ${host}’s room`;
