// The sentences of a room: lobby, race, chat and refusals.

import { GAMES, SEAT_COLOURS } from '../../contract/protocol.js';
import { capital } from '../../contract/text.js';
import { completesOwnSuit, effectOf, rank, runs, shortRank, sign, suit } from '../../game/cards.js';
import basics from './start.js';

/**
 * @import {ErrorCode, GameInfo, RefusalDetails, SeatView, Settings, SettingsClash, Standing} from '../../contract/messages.d.ts'
 * @import {TablePile, TableView} from '../../contract/notation.js'
 * @import {Effect} from '../../game/cards.js'
 * @import {Attempt} from '../../game/table.js'
 * @import {PhotoFinish, RaceEvent} from '../../state/race-events.js'
 * @import {Notice} from '../../state/state.js'
 */

const { clock, closing, count, dayAndTime, gameName, list, suitsOf } = basics;

/* Why a connection closes, beside what the front page says of a room. */
Object.assign(basics.CLOSINGS, {
  '-1': 'The server refuses this connection. Ask its owner (websocket headers).',
  '-2': 'The server isn’t ready. Your seat is kept.',
  '-3': 'The server isn’t ready.',
  1000: 'You left the room.',
  1001: 'The server is shutting down.',
  1008: 'The operator of this server has banned your address for a while.',
  1009: 'That message was too long for the server.',
  1011: 'Something went wrong on the server.',
  4001: 'The server is restarting.',
  4002: 'Your connection couldn’t keep up.',
  4003: 'Catching up with the race.',
  4004: 'Your connection went silent.',
  4005: 'That was too many messages at once.',
  4500: 'The server doesn’t understand this page. Please reload it.',
  4502: 'Your seat is gone. Please join again.',
  4503: 'You opened this race in another tab or window.',
  4505: 'The host removed you from the room.',
  4506: 'This room is full.',
  4507: 'The host didn’t let you in.',
  4508: 'The host deleted this table.',
  4509: 'Your seat has moved to your other device.',
});

const LEAVE_OR_STAY = { yes: 'Leave', no: 'Stay' };
const LEFT_OUT = 'The next race starts without you';

const STUCK = 'No moves left';

/** Return the question to a player whose game has no moves left. @param {Pick<TableView, 'stuck' | 'score' | 'legal'>} table */
function stuckAsk({ stuck: reason, score, legal }) {
  const why = REFUSALS[reason === 'stock_empty' ? 'deal_stock_empty' : (reason ?? '')];
  const undo = legal.some(({ type }) => type === 'undo') ? ' or undo' : '';
  const ask = `Finish here${undo}? You keep ${count(score, 'point')}.`;
  return why ? `${why({ cards: [], piles: [], fields: [], reason: null })} ${ask}` : ask;
}

const EXCEPTION_OFF = 'Exceptions are off in this room.';
const HINT_OFF = 'Hints are off in this room.';
const EXCEPTION_ABOUT =
  'An exception moves a run of mixed suits as if they were one. Exceptions are counted, and everyone sees the count.';

/** @param {number} n */
const cheats = (n) => count(n, 'counted undo');

/** Return the news about a single race, or about a round of a match. @param {'race' | 'round'} what */
const newsOf = (what) => ({
  stopped: `The host stopped the ${what}.`,
  late: `This ${what} has started. You’ll play in the next one.`,
  lateChase: `This ${what} has started. You can play the same deal now, unranked.`,
  open: `The ${what} is open. Start when you like.`,
  chasing: `You’re playing this deal unranked, until the ${what} ends.`,
  cutOff: `The ${what} is over, and with it your unranked game. You can play the deal again alone.`,
});

const NEWS = {
  ...newsOf('race'),
  go: 'Go!',
  host: 'You’re the host now.',
  admitted: 'The host let you in.',
  lost: 'Connection lost.',
  back: 'You’re back.',
  forfeit: 'You gave up.',
};

/** Return a time with tenths of a second, for results. @param {number} ms */
const exactClock = (ms) => `${clock(ms)}.${Math.floor((ms % 1_000) / 100)}`;

const ENDINGS = { zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' };

/** Return a place in the ranking: `2nd`. @param {number} n */
const ordinal = (n) => n + ENDINGS[new Intl.PluralRules('en', { type: 'ordinal' }).select(n)];

/** Return a duration in words. @param {number} seconds */
function duration(seconds) {
  if (seconds < 60) return count(seconds, 'second');
  if (seconds % 86_400 === 0) return count(seconds / 86_400, 'day');
  if (seconds % 3_600 === 0) return count(seconds / 3_600, 'hour');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : clock(seconds * 1_000);
}

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };

const RANK_NAMES = 'ace 2 3 4 5 6 7 8 9 10 jack queen king'.split(' ');

/** Return the rank of a card in words. @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** Return a card in words: `9 of spades`. @param {string} card */
const spoken = (card) => `${rankName(card)} of ${SUIT_NAMES[suit(card)]}`;

/** @type {Record<string, string>} */
const PILES = { t: 'column', u: 'upper pile', l: 'lower pile', f: 'foundation' };

/** Return the name of a pile in a sentence. @param {string} id */
function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'the stock';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** The use and the limits of the hash that locks a deal. */
const PROVES = [
  'The hash shown before the race locks the deal. After that nobody can change it, not even the owner of this server.',
  'It doesn’t prove that nobody saw the deal earlier, or that players don’t help each other.',
];

/** @type {Record<SettingsClash, string>} */
const CLASHES = {
  score_not_of_game: 'This game can’t be scored like that.',
  option_not_of_game: 'This game doesn’t have one of these options.',
  dos_without_undo: 'The DOS score allows no undo: turn undo off.',
  dos_by_hand: 'With the DOS score you remove suits yourself.',
  number_of_numbered: 'Only numbered deals have a number.',
  seed_of_seeded: 'A deal from a seed needs a seed; other deals have none.',
  window_of_many:
    'When everyone starts when they like, nobody is late, no win ends the race, and you can’t play alone.',
};

const ROUND_WON = 'Someone has already won. You can end the race, but it keeps its result.';

const ONE_GAME = 'Your browser or network has already played this race. Everyone gets one game.';

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'That card doesn’t go there.';
  const needs = RANK_NAMES[rank(card)]; // the next higher rank: ranks start at 1, the list at 0
  const where = piles.at(-1) ?? '';
  if (!needs) return `${sign(card)} only goes on an empty column.`;
  const article = /^[a8]/.test(needs) ? 'an' : 'a';
  const wanted = /\d/.test(needs) ? needs : capital(needs);
  const ends = onto ? `; ${where ? pileName(where) : 'that'} ends in ${sign(onto)}` : '';
  return `${sign(card)} needs ${article} ${wanted}${ends}.`;
}

/** @param {RefusalDetails} details */
const someCards = ({ cards }) => (cards.length > 1 ? list(cards.map(sign)) : 'These cards');

/** @param {RefusalDetails} details */
const somePile = ({ piles: [pile] }) => (pile ? pileName(pile) : 'that pile');

/**
 * @type {{[code: string]: (details: RefusalDetails) => string}}
 * @satisfies {Record<ErrorCode, (details: RefusalDetails) => string>}
 */
const REFUSALS = {
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
  too_many_kept: () => 'Your network already keeps as many tables as it may.',
  kept_full: () => 'This server can’t keep any more tables right now.',
  bad_token: () => 'This seat belongs to someone else.',
  bad_name: () => 'Please choose another name.',
  no_bots: () => 'This server has no computer players.',
  bots_busy: () => 'All computer players are busy right now. Try again in a few minutes.',
  too_many_bots: () => 'No more computer players fit in this room.',
  not_host: () => 'Only the host can do that.',
  not_in_state: () => 'You can’t do that right now.',
  not_a_player: () => 'You’re watching. Only players can do that.',
  not_racing: () => 'You’re not in this race.',
  round_won: () => ROUND_WON,
  nobody_ready: () => 'Nobody is ready yet.',
  too_much_said: () => 'Slow down a moment.',
  player_is_back: () => 'That player is back.',
  colour_taken: () => 'Someone else has this colour.',
  no_such_seat: () => 'That player isn’t in the room.',
  no_chasers: () => 'Latecomers watch in this room.',
  boards_are_hidden: () => 'Boards are hidden during the race.',
  bad_settings: ({ fields, reason }) =>
    (reason && CLASHES[reason]) ??
    `These settings can’t be combined${fields.length > 0 ? `: ${list(fields)}` : ''}.`,
  no_such_game: () => 'This match doesn’t have that round.',
  game_played: () => 'You’ve already played that round. Choose another one.',
  bad_deal_number: () => 'There’s no deal with that number.',
  no_such_cards: () => 'These cards aren’t here, or they’re still secret.',
  day_played: () => 'You’ve already played this one today.',
  early: () => 'The race hasn’t started yet.',
  too_late: () => 'The race is over.',
  stale: () => 'Your board was out of date. It’s up to date again.',
  too_many_in_flight: () => 'Slow down a moment: your last moves are still on their way.',
  game_over: () => 'Your game is over.',
  game_too_long: () => 'This game has reached the move limit. Your score counts.',
  no_such_pile: () => 'You can’t move cards there.',
  same_pile: () => 'The cards are already there.',
  pile_empty: (details) => `There’s no card on ${somePile(details)}.`,
  not_enough_cards: (details) => `${capital(somePile(details))} doesn’t have that many cards.`,
  face_down: () => 'You can’t move face-down cards.',
  not_a_run: (details) => `${someCards(details)} aren’t in sequence.`,
  mixed_suits: (details) => `${someCards(details)} are mixed suits: they don’t move together.`,
  wrong_rank: wrongRank,
  deal_stock_empty: () => 'All cards have been dealt.',
  deal_empty_column: ({ piles }) =>
    `You can’t deal while ${list(piles.map(pileName)) || 'a column'} ${piles.length > 1 ? 'are' : 'is'} empty.`,
  deal_too_few_cards: () => 'There aren’t enough cards on the table to fill every column.',
  not_a_complete_suit: (details) => `${capital(somePile(details))} doesn’t end in a complete suit.`,
  not_finished: () => 'The game isn’t finished yet.',
  nothing_to_undo: () => 'There’s nothing to undo.',
  undo_reveals: () => 'You can’t undo a deal, or a move that turned a card.',
  undo_is_off: () => 'Undo is off in this room.',
  nothing_to_redo: () => 'There’s nothing to redo.',
  hints_are_off: () => HINT_OFF,
  no_hint: () => 'No better move known.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'Those suits are mixed. Ask for an exception first (X).',
  exception_not_needed: () => 'That’s a legal move: you don’t need an exception.',
  action_unknown_to_game: () => 'You can’t do that in this game.',
  one_card_at_a_time: () => 'You can only move one card at a time in this game.',
  foundation_is_final: () => 'Cards on a foundation stay there.',
  wrong_foundation_suit: () => 'Each foundation holds one suit.',
  wrong_foundation_colour: () => 'Either red aces and black kings, or the other way round.',
  wrong_foundation_rank: ({ cards: [card, last] }) =>
    card && last
      ? `${sign(card)} doesn’t follow ${sign(last)}.`
      : 'A foundation starts with its ace or its king.',
  lower_pile_wrong_slot: () => 'For now, a lower pile only plays to the foundation above it.',
  no_moves_between_piles_yet: () => 'Until the stock is empty, cards only go on the foundations.',
  pile_stays_empty: () => 'Empty piles stay empty.',
  not_rank_adjacent: () => 'A card only goes on one that’s one higher or one lower.',
};

/** Return the reason for a refusal, even if only a newer server knows its code. @param {ErrorCode} code @param {RefusalDetails} details */
const refusal = (code, details) => REFUSALS[code]?.(details) ?? 'That didn’t work.';

/** The presets: each with its name and a short description. @type {Record<string, readonly [string, string]>} */
const PRESETS = {
  friends: ['Friends’ race', 'One suit, complete suits are removed for you'],
  'four-suits': ['Four suits', 'Four suits, complete suits are removed for you'],
  classic: ['Classic 1989', 'Four suits, you remove complete suits, the best score wins'],
  arachnid: ['Arachnid', 'Four suits, you remove complete suits, undo is free'],
  'dos-hard': ['DOS 1987, hard', 'Six rounds, no undo, mixed runs if you ask first'],
  'dos-easy': ['DOS 1987, easy', 'Six rounds, no undo, mixed runs at any time'],
  'serenity-1': ['Serenity, one suit', 'One suit, half an hour'],
  'serenity-2': ['Serenity, two suits', 'Two suits, half an hour'],
  windows: ['Windows', 'Two suits, each move costs a point, hints'],
  spiderette: ['Spiderette', 'One deck on seven columns, four suits'],
  'little-spider': ['Little Spider', 'One deck, single cards on four foundations'],
  custom: ['Custom rules', 'Put together by the host'],
};

/** The names of the settings. @type {Record<keyof Settings, string>} */
const SETTINGS = {
  game: 'Game',
  deal: 'Deal',
  number: 'Deal number',
  seed: 'Seed',
  winnable: 'Only deals that can be won',
  degree: 'Difficulty',
  layout: 'Extra cards',
  auto_remove: 'Remove complete suits automatically',
  relaxed_deal: 'Deal onto empty columns, too',
  exceptions: 'Exceptions',
  undo: 'Undo',
  hints: 'Allow hints (everyone sees how many)',
  autoplay: 'Offer to play out a game that’s as good as won',
  score: 'Score',
  ranking: 'Who wins',
  rounds: 'Rounds',
  match_ranking: 'Match decided by',
  chasers: 'Let latecomers play this deal, unranked',
  cheats: 'Counted undo',
  time_limit_s: 'Time limit',
  window_s: 'Everyone starts',
  after_win_s: 'After the first win',
  spectate: 'Spectators see',
  board_delay_s: 'Board delay (s)',
  public: 'List this room on the front page',
  locked: 'Lock the room: nobody new can join',
  max_players: 'Player limit',
  one_seat: 'One seat per person (browser and network), spectators too',
  approve: 'Ask me before anyone joins',
  programs: 'Programs can join',
};

/** The names of the settings' values, except numbers. @type {Record<string, Record<string, string>>} */
const VALUES = {
  deal: { secret: 'New random deal', numbered: 'By number', seed: 'From a seed' },
  degree: { null: 'Any', ...basics.DEGREES },
  layout: { left4: 'On columns 1–4', spread: 'On columns 1, 4, 7, 10' },
  exceptions: { off: 'None', easy: 'Easy: any time', hard: 'Hard: ask first' },
  undo: {
    no_reveal: 'Unless it showed a card',
    any: 'All; turned cards counted',
    counted: 'All; every undo counted',
    free: 'All, as often as you like',
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
  cheats: { shown: 'Only shown', tie: 'Breaks ties', out: 'Games without undo first' },
  time_limit_s: { null: 'No limit' },
  window_s: { null: 'Together' },
  after_win_s: { null: 'The race goes on' },
  spectate: { standings: 'Standings', boards: 'Boards' },
  board_delay_s: { 0: 'None' },
  programs: { true: 'allowed', false: 'not allowed' },
};

/** The settings whose names differ within a sentence. @type {Partial<typeof SETTINGS>} */
const BRIEFLY = {
  auto_remove: 'Automatic removal',
  winnable: 'Deals that can be won',
  relaxed_deal: 'Dealing onto empty columns',
  hints: 'Hints',
  autoplay: 'Playing out won games',
  chasers: 'Latecomers can play, unranked',
  window_s: 'Start',
  board_delay_s: 'Board delay',
  public: 'On the front page',
  locked: 'Room locked',
  one_seat: 'One seat per person',
  approve: 'Newcomers wait for the host',
  programs: 'Programs',
};

/** Return the name of a setting's value. @param {keyof Settings} name @param {Settings[keyof Settings]} value */
function settingValue(name, value) {
  if (name === 'game') return gameName(String(value));
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const isTime = typeof value === 'number' && name.endsWith('_s');
  const time = isTime ? duration(value) : '';
  if (name === 'window_s' && isTime) return `Any time within ${time}`;
  const other = time || String(value ?? '–');
  return VALUES[name]?.[String(value)] ?? other;
}

/** The undo setting in the rules line. @type {Record<Settings['undo'], string>} */
const UNDO = {
  no_reveal: 'undo, unless it showed a card',
  any: 'undo, turned cards are counted',
  counted: 'every undo is counted',
  free: 'free undo',
  off: 'no undo',
};

/**
 * Return how a game ended: the time of a win, or why it ended otherwise.
 * @param {Ended} game
 * @param {boolean} [isResult] whether to give the tenths of a second of a win, and the time of other ends
 */
function ending({ won, state, finished_ms: ms, suits }, isResult = false) {
  if (won) return isResult ? exactClock(ms ?? 0) : clock(ms ?? 0);
  if (state === 'TIMED_OUT') return 'out of time';
  const stuck = suits ? `stuck with ${count(suits, 'suit')}` : 'stuck';
  /** @type {Record<string, string>} */
  const ends = { FINISHED: suits === undefined ? 'stopped' : stuck, FORFEIT: 'gave up' };
  const at = isResult && ms !== null ? ` at ${clock(ms)}` : '';
  return state in ends ? `${ends[state]}${at}` : '';
}

/** The states of players. @type {Record<SeatView['state'], string>} */
const SEAT_STATES = {
  ...{ READY: 'Ready', SEATED: 'Not ready', RACING: 'Racing', CHASING: 'Playing (unranked)' },
  ...{ FINISHED: 'Finished', FORFEIT: 'Gave up', TIMED_OUT: 'Out of time', WATCHING: 'Watching' },
};

/**
 * Return the contents of a pile in spoken words: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  // In a stack only the top card is visible, unless the stack is one run.
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

/** Return some cards: all of them if they are few, otherwise the first and the last. @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${sign(cards[0] ?? '')} to ${sign(cards.at(-1) ?? '')}`
    : cards.map(sign).join(' ');

/** @param {string} id */
const pileTitle = (id) => capital(pileName(id));

/** @type {Record<Settings['exceptions'], string>} */
const LEVELS = {
  off: EXCEPTION_OFF,
  easy: 'Level 1, easy: exceptions at any time.',
  hard: 'Level 2, hard: press X before an exception.',
};

/** Return the names of suits. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return words for the suits that an act has completed, and how many are complete now; '' if it completed none. @param {Effect} effect @param {string} [before] the text to put before them */
const completing = ({ completed, complete, of }, before = ': ') =>
  completed.length > 0 ? `${before}${suitNames(completed)} complete, ${complete} of ${of}` : '';

/** Return a move in words: the cards, their new pile, and the suits that it has completed. @param {Effect} effect @param {string} to @param {string} turning words for a turned card, or '' */
function moved(effect, to, turning) {
  const { cards, removed } = effect;
  if (removed.length === 0) {
    const also = capital(completing(effect, ''));
    return `${several(cards)} moved to ${pileName(to)}${turning}.${also && ` ${also}.`}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && completesOwnSuit(effect);
  const what = ranks ? `${shortRank(first)}–${shortRank(last)}` : several(cards);
  return `${what} to ${pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the dealt cards, which only screen readers have to name. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? ` ${cards.map(sign).join(' ')}` : '');

/** Return the run that the moved cards join on their new pile. @param {TablePile} to @param {readonly string[]} cards */
function joined(to, cards) {
  const all = [...to.up, ...cards];
  const { start = 0 } = runs(all).at(-1) ?? {};
  const [first = '', last = ''] = [all[start], all.at(-1)];
  return `${shortRank(first)}–${shortRank(last)} in ${SUIT_NAMES[suit(last)]}`;
}

/** The reasons for hints, except those that the action itself makes clear. @type {Record<string, (from: TablePile, to: TablePile, cards: readonly string[]) => string>} */
const REASONS = {
  completes_suit: (_from, _to, [card = '']) => `Completes ${SUIT_NAMES[suit(card)]}.`,
  turns_card: () => 'Turns a card.',
  empties_column: (from) => `Empties ${pileName(from.id)}.`,
  joins_suit: (_from, to, cards) => `Joins ${joined(to, cards)}.`,
  frees_card: (from, _to, cards) => `Frees ${sign(from.up.at(-cards.length - 1) ?? '')}.`,
  fills_column: (_from, to) => `Fills ${pileName(to.id)}.`,
  uncovers_next: () => 'Digs toward the next card that goes home.',
};

const KEEP_LOOKING = 'Keep looking';

/** Return the time left of a race: in whole days, but as a clock for the last two days. @param {number} ms */
function timeLeft(ms) {
  const days = Math.floor(ms / 86_400_000);
  return `${days < 2 ? clock(ms) : count(days, 'day')} left`;
}

/** Return the news for a finished player while the race goes on. @param {number | null} place @param {number} others how many still race @param {number | null} [left] their time in ms; null without a limit */
function soFar(place, others, left) {
  const time = left === undefined ? '' : `, ${left === null ? 'no time limit' : timeLeft(left)}`;
  const rest =
    others > 0 ? `${count(others, 'player')} still racing${time}.` : 'The results are coming up.';
  return place ? `${placeSoFar(place)} ${rest}` : rest;
}

/** @param {number} place */
const placeSoFar = (place) => `You’re ${ordinal(place)} so far.`;

/** The labels of the figures in the header: plural, and singular if it differs. @type {Record<string, [string, string?]>} */
const FIGURES = {
  score: ['score'],
  moves: ['moves', 'move'],
  exceptions: ['exceptions', 'exception'],
  hints: ['hints', 'hint'],
  'face-down': ['face down'],
  'cards-home': ['cards played', 'card played'],
  'in-stock': ['in stock'],
  cheats: ['undos', 'undo'],
};

const KEEP_PLAYING = 'Keep playing';
const GIVE_UP = 'Give up';
const GIVE_UP_OR_PLAY = { yes: GIVE_UP, no: KEEP_PLAYING };

/** The last part of a race, after the first win, by its usual lengths in seconds. @type {Record<number, string>} */
const LAST = { 60: 'Last minute', 120: 'Last two minutes', 300: 'Last five minutes' };

/** @param {number} ms */
const split = (ms) => (ms < 10 ? `${ms} ms` : `${(Math.floor(ms / 10) / 100).toFixed(2)} s`);

/** Return a photo finish in words. @param {PhotoFinish} photo @param {number} me this player's seat, or -1 */
function photoBy({ first, second, ms }, me) {
  const title = 'Photo finish: ';
  if (first.seat === me) return `${title}${split(ms)} before ${second.name}`;
  if (second.seat === me) return `${title}${split(ms)} behind ${first.name}`;
  return `${title}${first.name}, ${split(ms)} before ${second.name}`;
}

/**
 * @typedef {Pick<Standing, 'won' | 'state' | 'finished_ms'> & {suits?: number | undefined}} Ended a game that has ended
 * @typedef {string | readonly string[]} Lines
 * @typedef {(settings: Settings, game: GameInfo) => Lines} MakeLines
 * @typedef {{readonly [value: string]: Lines | MakeLines} | MakeLines} SettingRule by value, or one for all values
 * @typedef {{readonly [chapter: string]: Lines | MakeLines}} GameRules
 */

/** @param {GameInfo} game */
function stock({ stock: cards, columns }) {
  const last = cards % columns;
  const deals = `${Math.floor(cards / columns)} deals of ${columns}`;
  return `The other ${cards} are the stock: ${deals}${last ? `, then the last ${last}` : ''}.`;
}

/** What the suits of the cards mean, by the number of suits in the game. */
const SUITS_COUNT = {
  1: ['All cards count as spades.'],
  2: ['Clubs count as spades, diamonds as hearts.'],
  4: [],
};

const MOVES = [
  'Put a card on one that is one higher, of any suit, or on an empty column. A run of one suit, in order, moves together; you can also move part of it.',
  'The ace is low, so a king only goes on an empty column.',
  'A face-down card at the end of its column turns up at once.',
];

const STUCK_RULE = 'If you’re stuck, we’ll tell you. You can stop there, or give up any time.';

/** @param {Settings} settings */
const endRules = ({ auto_remove: auto }) => [
  `You finish when all suits are removed.${auto ? '' : ' When the stock is empty and only complete suits are left, you can also stop there.'}`,
  STUCK_RULE,
];

/** The rules of the games, by family and chapter. @type {Record<string, GameRules>} */
const GAME_RULES = {
  spider: {
    deal: ({ layout }, game) => [
      `Two decks, ${game.columns} columns: ${game.dealt} cards are dealt, the last of each column face up. Columns ${
        layout === 'left4' ? '1 to 4' : '1, 4, 7 and 10'
      } get one more card.`,
      stock(game),
      ...SUITS_COUNT[GAMES[game.id].suits],
    ],
    moves: MOVES,
    end: endRules,
  },
  spiderette: {
    deal: (_, game) => [
      `One deck, ${game.columns} columns: one card in the first, two in the second, up to ${game.columns}, the last of each face up.`,
      stock(game),
      ...SUITS_COUNT[GAMES[game.id].suits],
    ],
    moves: MOVES,
    end: endRules,
  },
  'little-spider': {
    deal: (_, game) => [
      'One deck: four cards above and four below, all face up, and four foundations between them.',
      stock(game).replace(/\.$/, ' on the upper row.'),
    ],
    moves: [
      'Build the first two foundations up in suit from the ace, the other two down in suit from the king. One pair is red, the other black; the first card played decides which.',
      'While the stock lasts, a top card of the upper row goes on any foundation that takes it; one of the lower row only goes on the foundation right above it.',
      'Once the stock is empty, any top card goes on any foundation that takes it, or on a pile whose top card is one higher or one lower, of any suit; ace and king are neighbours. An empty pile stays empty.',
    ],
    dealing: 'You can deal at any time, also onto empty piles.',
    end: (_, { cards }) => [
      `You finish when all ${cards} cards are on the foundations.`,
      STUCK_RULE,
    ],
  },
};

/** @param {Settings} settings */
const otherRanks = ({ score }) =>
  score === 'moves'
    ? 'All others are ranked by completed suits, then by fewer face-down cards, then by score.'
    : 'All others are ranked by score, then by fewer face-down cards, then by who got there earlier.';

/** @param {string} how hard the deal is @returns {string[]} */
const degreeRule = (how) => [
  `Its difficulty is ${how}. Each level is a third of all deals: the longer our solver looks for a win, the harder the deal.`,
  'If we don’t find such a deal in time, you play another one that can be won. The countdown says how hard it is.',
];

const KNOWN_DEAL = 'The deal isn’t secret: the host may know these cards already.';

/** The sentences of the settings, by value or for all values. @type {Record<string, SettingRule>} */
const SETTING_RULES = {
  deal: {
    secret: [
      'Everyone gets the same new deal. It’s locked before the race and shown afterwards, so anyone can check it.',
      ...PROVES,
    ],
    numbered: ({ number, layout }, { layouts }) => {
      const which = number === null ? 'the same numbered deal' : `deal number ${number}`;
      const isOther = layouts.length > 1 && layout === 'left4';
      const other = isOther ? ', but with the extra cards on other columns' : '';
      return `Everyone gets ${which} of PySolFC${other}. It can be looked up.`;
    },
    seed: 'Everyone gets a deal that has been played before.',
  },
  winnable: {
    true: 'We know a way to win it, and show it after the race. If we don’t, we say so before the race.',
    false: 'Nobody knows whether it can be won.',
  },
  degree: { easy: degreeRule('easy'), middle: degreeRule('medium'), hard: degreeRule('hard') },
  auto_remove: {
    true: 'A complete suit, king to ace, is removed automatically.',
    false: 'A complete suit, king to ace, glows. Remove it when you like, or keep it.',
  },
  relaxed_deal: {
    true: 'A deal puts one card on each column. You can deal while the stock lasts, onto empty columns too.',
    false: (_, { stock: cards, columns }) => [
      'A deal puts one card on each column. You can deal at any time, but not while a column is empty.',
      ...(cards % columns
        ? [`This includes the last ${cards % columns > 1 ? `${cards % columns} cards` : 'card'}.`]
        : []),
      'You can’t deal while fewer cards are on the table than there are columns.',
    ],
  },
  exceptions: {
    easy: [EXCEPTION_ABOUT, 'Pick it up like any other run. It only goes where any run may go.'],
    hard: [
      EXCEPTION_ABOUT,
      'Press X or the Exception button before each one. It only goes where any run may go.',
    ],
  },
  undo: {
    no_reveal: 'You can undo a move, unless it turned a card or was a deal.',
    any: 'You can undo everything. Undoing a turned card or a deal is counted, because you’ve seen the cards by then. Everyone sees the count, and it never goes down.',
    counted: 'You can undo everything. Every undo is counted, for everyone to see.',
    free: 'You can undo everything, even turned cards and deals, as often as you like.',
    off: 'There is no undo.',
  },
  hints: {
    true: 'Ask for a hint and we’ll show you a move. It uses only what you can see yourself. Everyone sees how many hints you took.',
  },
  autoplay: {
    true: 'Once all your cards are face up and the game is as good as won, we can play it out for you, move by move.',
  },
  score: {
    woods: ({ auto_remove: auto }, { id, columns, all_removed: all }) => [
      '10 points for each card that you turn up.',
      GAMES[id].covered_columns < columns
        ? '15 for each column that had face-down cards and has none left.'
        : '15 for each column with no face-down card left.',
      '2 for each card that lies on the next higher of its suit.',
      '50 for each suit removed.',
      `All suits removed: ${all}.`,
      ...(auto ? [] : ['Each complete suit beyond three still on the table adds 2 when you win.']),
    ],
    dos: [
      'A suit removed: 120 points, a matched pair: 10. Each exception takes 12 off a suit, down to 50, and 1 off a pair, down to 1.',
      'A game won without an exception: 1000.',
      'Won with exceptions: 100 less for each, down to 400, and 1 less for each move after the first exception.',
      'Each exception over six costs 10 more.',
      'Grand Spider, 10,000: all eight suits complete on the table before the first is removed, no exception, and only removals after that.',
    ],
    cards: (_, { id, cards }) =>
      GAMES[id].goal === 'cards'
        ? `1 point for each card on a foundation. All ${cards} are a win.`
        : `1 point for each card in a removed suit: up to ${cards}.`,
    moves:
      'You start with 500 points. Each move, deal, undo and redo costs 1, each complete suit adds 100. Never below 0.',
  },
  ranking: (settings) => [
    'Winners come first, then everyone who played to the end, then players who gave up, then those who made no move.',
    settings.ranking === 'first_home'
      ? 'Winners are ranked by time.'
      : 'Winners are ranked by score.',
    otherRanks(settings),
  ],
  rounds: ({ rounds, deal }) => {
    if (rounds < 2) return [];
    const lines = [`A match of ${rounds} rounds, with a score card for everyone.`];
    if (deal === 'numbered') lines.push('Each round plays the next deal number.');
    if (deal === 'seed') lines.push('Each round is the same deal.');
    return lines;
  },
  match_ranking: {
    wins: 'The match is decided by rounds won, then by total score.',
    score: 'The match is decided by total score, then by rounds won.',
  },
  chasers: ({ chasers, window_s: open }) => {
    if (open) return [];
    return chasers
      ? 'Latecomers can play this deal, unranked, with their own clock. They may see cards that you haven’t turned yet.'
      : 'Latecomers watch.';
  },
  cheats: {
    tie: 'If players are tied, the one with fewer counted undos is ahead.',
    out: 'Games with counted undos rank below the others of their group.',
  },
  time_limit_s: ({ time_limit_s: limit, window_s: open }) => {
    if (limit === null) return 'There is no time limit.';
    return open
      ? `Each game ends ${duration(limit)} after its start.`
      : `The round ends after ${duration(limit)}, or when everyone is done.`;
  },
  window_s: ({ window_s: open, deal }) =>
    open
      ? [
          ...(deal === 'secret' ? [] : [KNOWN_DEAL]),
          `The host opens the race. Within ${duration(open)} everyone starts when they like, once, with their own clock. You can’t pause the clock.`,
          'Until you’re done, you only see who has played. After that, you see the results so far.',
          'We can’t stop second tries or shared tips.',
        ]
      : [],
  after_win_s: ({ after_win_s: left }) =>
    left === null ? [] : `Once the first player has won, the others have ${duration(left)} left.`,
  spectate: ({ spectate, board_delay_s: late, window_s: open }) => [
    open
      ? `Nobody sees another player’s cards while they can still play.${spectate === 'boards' ? ' Once you’re done, you see the boards of everyone who is done.' : ''}`
      : spectate === 'standings'
        ? 'Everyone sees the standings; nobody sees another player’s cards.'
        : `While you play, you see the standings, never other players’ cards. Once you’re done, you see their boards at once. Spectators see the boards, ${
            late === 0 ? 'at once' : `${duration(late)} late`
          }.`,
    'When the round is over, everyone can see all boards and the deal.',
  ],
  programs: ({ programs, max_players: most }) => {
    if (most === 1) return [];
    return [
      // Older servers don't say whether programs can join.
      programs === false ? 'Programs can’t join.' : 'Programs can join. A small spider marks them.',
      'We rely on honesty: nobody can prove that a person isn’t a program.',
    ];
  },
};

/**
 * The parameters of the sentences. A number can also mean seconds or ms.
 * @typedef {Record<'hintsTaken' | 'onlyWatch' | 'furtherPlayers' | 'watcherCount' | 'chatUnread'
 *   | 'faceDown' | 'homeLabel' | 'hintLate' | 'exceptionMade' | 'cheatMade' | 'boardsLate'
 *   | 'boardsFollow' | 'ofPlayers' | 'ofSuits' | 'suitsLeft' | 'youWin' | 'playingOut' | 'playOutAsk'
 *   | 'ownEndsIn' | 'ofSoFar' | 'openUntil' | 'mayChange',
 *   (n: number) => unknown>} OfNumbers
 * @typedef {Record<'you' | 'leads' | 'dealHash' | 'isReady' | 'left' | 'asks' | 'hosts' | 'opened'
 *   | 'copyLinkOf', (name: string) => string>} OfNames
 * @typedef {Record<'joined' | 'watch' | 'waitingFor' | 'matchWon',
 *   (names: readonly string[]) => string>} OfLists
 * @typedef {Record<'lastRacer' | 'firstMove' | 'askWhy' | 'homeFirst', (is: boolean) => unknown>} OfYesNo
 * @typedef {Record<'startsIn' | 'endsIn', (seconds: number, inMatch: boolean) => string>} OfTimes
 * @typedef {Record<'standingState' | 'boardLabel', (standing: Standing) => string>} OfStandings
 * @typedef {Record<'havePlayed' | 'matchAfter', (n: number, of: number) => string>} OfAll
 * @typedef {Record<'holding' | 'taken', (cards: readonly string[], pile: string) => string>} OfHands
 * @typedef {Record<'actAside' | 'actDone', (action: Attempt, before: readonly TablePile[],
 *   after: readonly TablePile[]) => string>} OfActs
 * @typedef {object} Others
 * @property {(names: readonly string[], inMatch: boolean) => string} wants the next race or, in a match, the next round
 * @property {(table: Pick<TableView, 'score' | 'legal'>) => string} stuck for the status line
 * @property {(game: Ended, isResult?: boolean) => string} ending
 * @property {(undo?: string) => string} cheatRule explains the count of undos
 * @property {(winnable: boolean | null | undefined, degree?: string | null) => string} winLine
 * @property {(game: string) => string} oneTry
 * @property {(game: string, number: number | null | undefined) => string} gameAndDeal
 * @property {(notice: Notice) => string} sentence
 * @property {(n: number, left: string) => string} mayPass
 * @property {(host: string | undefined) => string} raceOf
 * @property {(isByTime: boolean, ahead: number, name: string) => string} openRaceGap in ms or points
 * @property {(settings: Settings, round?: number | null) => string} rulesLine `round` is the next one of a match; e.g. `Spider, one suit · 15 min · free undo`
 * @property {(host: string, names: readonly (keyof Settings)[], settings: Settings) => string} changedSettings
 * @property {(n: number, label: 'winnable' | 'unwinnable' | 'unknown' | 'searching') => string} dealLabel
 * @property {Record<string, (host: string, preset: string) => string>} CHANGED
 * @property {Record<string, (n: number) => string>} ROUNDS
 * @property {Record<string, (name: string) => string>} DO_TO the actions on another player
 * @property {Record<string, (text: string) => string>} TYPED
 * @property {(name: string, isRacing: boolean) => string} kickText
 * @property {(pile: TablePile) => string} pileLabel its contents, and the length of its last run
 * @property {(on: boolean, columns: number) => string} marked
 * @property {(card: string, places: readonly {pile: string, above: number, home: boolean}[]) => string} located
 * @property {(hint: {action: Attempt, hints: number, reason?: string | null}, piles: readonly TablePile[]) => string} hinted
 *   `hints`: how many hints the player has taken
 * @property {(view: TableView | undefined) => string} scoreSpoken
 * @property {(isOwn: boolean, wins: boolean) => string} leadWord stands alone, or after the name of another player
 * @property {(standing: Standing, single: boolean) => string} progress `single`: in single cards, not in suits
 * @property {(standing: Standing, wins: boolean) => string} ended `wins`: whether that player is sure to win
 * @property {(winner: string, place: number, left: number | null) => unknown} behindAsk whether to play on for `place`;
 *   `left`: the time left in ms, or null
 * @property {(score: number, gain: number, undo: boolean) => unknown} deadAsk whether to stop, since only a few points
 *   (`gain`) can still be added
 * @property {(best: {score: number, ms: number | null}) => string} ownBest the time of a win, or the score
 * @property {(seconds: number, winner: string) => string} lastStretch `winner` is '' if none, or if the player knows
 * @property {(gap: string) => string} distance to the leader or the next player: `38 behind` for `−38`, or ''
 * @property {(event: RaceEvent, me: number, game: string) => {name: string, words: string}} eventWords
 *   the name, or the words in its place, and the words after it; `me` is this player's seat, or -1
 */

/**
 * @satisfies {OfNumbers & OfAll & OfNames & OfLists & OfYesNo & OfTimes & OfStandings & OfHands & OfActs & Others
 *   & Record<string, unknown>}
 */
const en = {
  ...{ STUCK, stuckAsk, EXCEPTION_OFF, HINT_OFF, ROUND_WON, NEWS, cheats, REFUSALS, refusal },
  ...{ ending },
  ...{ exactClock, ordinal, duration, timeLeft, pileName, pileTitle, describe, photoBy, FIGURES },
  ...{ PRESETS, SETTINGS, settingValue, SEAT_STATES, LEVELS, PROVES, GAME_RULES, SETTING_RULES },
  ...{ CLASHES, KEEP_LOOKING, soFar, placeSoFar, EXCEPTION_ABOUT },
  /** Questions in the dialog; one without `no` has a single answer. */
  ASK: {
    ...basics.ASK,
    leave: { title: 'Leave the race?', text: 'If you leave now, you give up.', ...LEAVE_OR_STAY },
    back: {
      title: 'Leave the race?',
      text: 'We keep your seat while the race is on, but the clock keeps running.',
      ...LEAVE_OR_STAY,
    },
    elsewhere: { title: 'Open in another tab', yes: 'Play here', no: 'Cancel' },
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
      text: 'There’ll be no result, and everyone goes back to the table.',
      yes: 'Stop the race',
      no: 'Cancel',
    },
    start: { title: 'Start without them?', yes: 'Start', no: 'Wait' },
    leftOut: {
      title: LEFT_OUT,
      text: 'You weren’t ready in time. Watch this one and play in the next.',
      yes: 'Leave the room',
      no: 'Watch',
    },
    leftOutChase: {
      title: LEFT_OUT,
      text: 'You weren’t ready in time. You can still play this deal with your own clock.',
      yes: 'Play this deal, unranked',
      no: 'Watch',
    },
  },
  /** Up to three names, or two and the number of the others. */
  joined: (names) =>
    `${list(names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names)} joined.`,
  isReady: (name) => `${name} is ready.`,
  watch: (names) => `${list(names)} ${names.length > 1 ? 'are' : 'is'} watching.`,
  left: (name) => `${name} left.`,
  asks: (name) => `${name} wants to join.`,
  hosts: (name) => `${name} is the host now.`,
  wants: (names, inMatch) => {
    const [are, want] = names.length > 1 ? ['are', 'want'] : ['is', 'wants'];
    return `${list(names)} ${inMatch ? `${are} ready for the next round` : `${want} a rematch`}.`;
  },
  // Words for all screens of a room: results and places, the news of the status line, links.
  stuck: ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`,
  hintsTaken: (n) => count(n, 'hint'),
  cheatRule: (undo) =>
    undo === 'counted'
      ? 'Every undo is counted. Everyone sees the count.'
      : 'Undoing a deal or a turned card is counted. Everyone sees the count.',
  ROUND_NEWS: newsOf('round'),
  startsIn: (seconds, inMatch) =>
    `The ${inMatch ? 'round' : 'race'} starts in ${count(seconds, 'second')}.`,
  endsIn: (seconds, inMatch) =>
    `The ${inMatch ? 'round' : 'race'} ends in ${seconds < 60 ? count(seconds, 'second') : clock(seconds * 1_000)}.`,
  you: (name) => (/^(me|you)$/i.test(name) ? name : `${name} (you)`),
  firstMove: (isOneTap) =>
    isOneTap ? 'Tap a card to play it, or drag it.' : 'Drag a card, or click it and then a column.',
  askWhy: (isClassic) => `Not possible. Press ${isClassic ? 'F5' : '?'} to see why.`,
  /** The button beside a link. */
  COPY: {
    copy: 'Copy',
    copied: 'Copied',
    linkCopied: 'Link copied. Send it to a friend.',
    selected: 'The link is selected. Copy it with your keyboard or a long press.',
    share: 'Share',
    notShared: 'That couldn’t be shared. Copy it instead.',
    shareText: 'Race me at Spider solitaire!',
  },
  ONLY_HERE:
    'This link works only on this computer. To invite friends, open this page by the computer’s own address.',
  // The deal: its name, its hash, and the result of its check.
  PROOF: {
    good: 'Fair deal: checked, the hash matches',
    secret: 'Locked deal',
    later: 'Once the day is over, everyone can see and check it.',
    bad: 'Deal not verified',
    open: 'Open deal',
    sealed:
      'Seed and salt match the hash shown before the race, and the seed deals these cards: your browser checked both.',
    otherSeal: 'Seed and salt don’t match the hash shown before the race.',
    otherDeck: 'The seed deals other cards than these.',
    known: 'This deal was known before the race, so there’s nothing to check.',
  },
  winLine: (winnable, degree) => {
    if (winnable === false) return 'We don’t know whether this deal can be won.';
    const level = VALUES.degree?.[String(degree)];
    const difficulty = degree && level ? ` Difficulty: ${level.toLowerCase()}.` : '';
    return winnable ? `This deal can be won.${difficulty}` : '';
  },
  oneTry: (game) => `${suitsOf(game)} · one try`,
  gameAndDeal: (game, number) => `${gameName(game)}${number ? `, deal ${number}` : ''}`,
  FAIR_DEAL: 'Fair deal · locked',
  dealHash: (start) =>
    `This deal’s hash starts with ${start}… After the race, anyone can check that it is the same deal.`,
  STOP: 'Stop',
  sentence: (notice) => {
    if (notice.kind === 'closed') return closing(notice.close);
    if (notice.command === 'chase' && notice.code === 'one_seat') return ONE_GAME;
    return notice.code ? refusal(notice.code, notice.details) : '';
  },
  // The room before the race: the invitation, the players and the form of the settings.
  onlyWatch: (n) =>
    n === 1
      ? 'One player isn’t ready. They’ll only be able to watch.'
      : `${n} players aren’t ready. They’ll only be able to watch.`,
  COLOURS: Object.fromEntries(
    'Blue Red Green Violet Teal Pink Gold Copper'
      .split(' ')
      .map((name, i) => [SEAT_COLOURS[i], name]),
  ),
  /** The reasons why a player is missing. */
  CONNECTIONS: { grace: 'connection lost', gone: 'away' },
  waitingFor: (names) => `Waiting for ${list(names)}.`,
  copyLinkOf: (code) => `${code}: copy the link`,
  furtherPlayers: (n) => `${n} others`,
  watcherCount: (n) => `${n} watching`,
  ROOM: {
    colour: 'Your colour and mark',
    changeColour: 'Change your colour',
    watching: 'Watching',
    link: 'Link to this room',
    qr: 'QR code of the link',
    invite: 'Invite friends',
    inviteShort: 'Invite',
    sendInvitation: 'Send invitation',
    scan: 'Scan it, say the code, or send the link.',
    program: 'program',
    change: 'Change rules',
    players: 'Players',
    settings: 'Settings',
    rules: 'Rules',
    ready: 'Ready',
    unready: 'Cancel ready',
    start: 'Start now',
    startAlone: 'Start alone',
    you: 'you',
    host: 'host',
    addComputer: 'Add a computer player',
    addShort: 'Add computer',
    everyoneReady: 'Everyone is ready.',
    alone: 'Waiting for friends. Send them the link, or add a computer player.',
    awaited: 'you',
    readyAgain: 'Please press Ready again.',
    preset: 'Preset',
    more: 'More settings',
    badSeed: 'A seed is 32 characters, 0–9 and a–f. The results of a round show it.',
  },
  rulesLine: (settings, round) => {
    const { game, deal, number, rounds, time_limit_s: limit, after_win_s: afterWin } = settings;
    const { window_s: open } = settings;
    const minutes = (/** @type {number} */ s) =>
      s % 60 === 0 ? `${s / 60}\u00a0min` : duration(s);
    return [
      gameName(game),
      deal === 'numbered' && (number === null ? 'open deal' : `deal ${number}`),
      rounds > 1 && (round ? `Round ${round} of ${rounds}` : count(rounds, 'round')),
      open && `everyone starts when they like within ${duration(open)}`,
      limit === null ? 'no time limit' : `${minutes(limit)}${open ? ' each' : ''}`,
      afterWin !== null && `${minutes(afterWin)} after the first win`,
      UNDO[settings.undo],
      settings.hints && 'hints',
    ]
      .filter(Boolean)
      .join('\u00a0· ');
  },
  changedSettings: (host, names, settings) =>
    `${host} changed: ${names
      .map((name) => `${BRIEFLY[name] ?? SETTINGS[name]}: ${settingValue(name, settings[name])}`)
      .join(' · ')}`,
  CHANGED: {
    preset: (host, preset) => `${host} changed the rules: ${preset}`,
    locked: (host) => `${host} locked the room`,
    unlocked: (host) => `${host} unlocked the room`,
  },
  dealLabel: (number, label) =>
    ({
      winnable: `Deal ${number} can be won.`,
      unwinnable: `Deal ${number} can’t be won: we’ve checked every move. Best score counts.`,
      unknown: `We don’t know whether deal ${number} can be won.`,
      searching: `Checking whether deal ${number} can be won…`,
    })[label],
  // Joining a room with the host's consent: the form, the requests, and the page they wait on.
  ADMISSION: {
    title: 'Who can join',
    ban: 'Don’t let them back in (this browser and, if we can tell it apart from yours, this network)',
    asking: 'Waiting to join',
    letIn: 'Let in',
    turnAway: 'Don’t let in',
    watches: 'to watch',
    waiting: 'Waiting for the host',
    leave: 'Cancel',
  },
  // The score card of a match, and the choice of the next game.
  MATCH: {
    label: 'Match scores',
    columns: ['Round', 'Score', 'Moves', 'Exceptions', 'Hints', 'Cheats', 'Time'],
    totals: 'Totals',
    wins: 'Wins in this room',
    which: 'You can play the rounds in any order. Which round do you want to play?',
    repeat: 'You can replay any round. The last result counts.',
  },
  ROUNDS: {
    nth: (n) => `Round ${n}`,
    next: (n) => `Round ${n} is next.`,
    again: (n) => `Play round ${n} again`,
    againNext: (n) => `Next is round ${n} again. The last result counts.`,
    match: (n) => `Match of ${n} rounds`,
    won: (n) => `${count(n, 'round')} won`,
  },
  matchWon: (winners) =>
    `${list(winners) || 'Nobody'} ${winners.length > 1 ? 'share' : 'wins'} the match`,
  matchAfter: (n, of) => `Match after ${n} of ${of} rounds`,
  // The controls of the host over players and a running race.
  kickText: (name, racing) =>
    racing
      ? `${name} loses their seat, and the race counts as given up.`
      : `${name} loses their seat, but can come back with the link.`,
  DO_TO: {
    kick: (name) => `Remove ${name}`,
    standIn: (name) => `Let a computer player finish for ${name}`,
    letIn: (name) => `Let ${name} in`,
    turnAway: (name) => `Don’t let ${name} in`,
    mute: (name) => `Mute ${name}`,
    unmute: (name) => `Unmute ${name}`,
  },
  // The open race, whose players start when they like.
  OPEN_RACE: {
    open: 'Open the race',
    opensOwn: 'Open the race, and everyone with the link can start when they like.',
    opens: (/** @type {string} */ host) =>
      `Once ${host} opens the race, you can start when you like.`,
    title: 'One game, when you like.',
    about: 'Your clock starts with the cards and doesn’t stop.',
    begin: 'Start my game',
    done: 'You’re done.',
    faceDown: 'Results stay face down until your game is over',
    boards: 'Watch all boards',
    invite: 'Send invitation',
    last: 'Results of the last round',
    turn: 'your turn',
    states: {
      ...{ READY: 'not yet', SEATED: 'not yet', WATCHING: 'not yet', RACING: 'playing' },
      ...{ CHASING: 'playing', FINISHED: 'played', FORFEIT: 'played' },
      TIMED_OUT: 'played',
    },
    stays: 'It has started; it can only be ended now.',
  },
  KNOWN_DEAL,
  raceOf: (host) => (host ? `\u2068${host}\u2069’s race` : 'The race'),
  openUntil: (end) => `until ${dayAndTime(end)}`,
  mayChange: (end) => `Your place can change until ${dayAndTime(end)}.`,
  mayPass: (n, left) => `${n} can still pass you: ${left}.`,
  ofSoFar: (of) => `of ${of} so far`,
  openRaceGap: (isByTime, ahead, name) => {
    const n = Math.abs(ahead);
    const time = n < 60_000 ? split(n) : clock(n);
    return `${isByTime ? time : count(n, 'point')} ${ahead > 0 ? 'ahead of' : 'behind'} ${name}.`;
  },
  ownEndsIn: (seconds) => `Your game ends in ${duration(seconds)}.`,
  havePlayed: (n, of) => `${n} of ${of} ${n === 1 && of === 1 ? 'has' : 'have'} played`,
  HOST: {
    standIn: 'Let a computer finish',
    title: 'You’re the host',
    end: 'End the race in:',
    abortAbout: 'Or stop it without a result:',
  },
  // The chat.
  CHAT: {
    title: 'Chat',
    log: 'Messages',
    emotes: 'Quick replies',
    emoteWords: {
      good_luck: 'Good luck!',
      well_played: 'Well played!',
      wow: 'Wow!',
      oops: 'Oops!',
      hurry: 'Hurry up!',
      thanks: 'Thanks!',
    },
    placeholder: 'Message',
    send: 'Send',
    mute: 'Mute…',
    close: 'Close chat',
    opened: 'You opened the table.',
    hello: 'Say hello while you wait.',
  },
  opened: (name) => `${name} opened the table.`,
  chatUnread: (n) => (n > 0 ? `Chat, ${n} unread` : 'Chat'),
  // The tab and its notifications.
  TAB: {
    notify: 'Notify me when the race starts',
    notifying: 'You’ll be notified when the race starts',
    starting: 'The race is about to start',
    comeBack: 'Come back to Spider Race.',
    wants: (/** @type {string} */ name) => `${name} wants to race`,
  },
  // Kept tables.
  TABLE: {
    keep: 'Keep this table',
    kept: 'This table stays: its link, its seats and its results.',
    views: 'Views of the table',
    VIEWS: { table: 'Table', result: 'Result', standings: 'Standings' },
    menu: 'Manage the table',
  },
  SEAT_NOT_MOVED: 'This link to a seat is too old, or was used. Get a new one on the other device.',
  // The board: piles, cards in hand, the effects of acts, hints, typed moves and exceptions.
  pileLabel: (pile) => {
    const all = pile.down + pile.up.length;
    const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
    const part = last ? `, ${last} of ${all}` : '';
    return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
  },
  faceDown: (n) => `${n} face down`,
  homeLabel: (suits) => (suits > 0 ? `${count(suits, 'suit')} removed.` : 'No suits removed yet.'),
  holding: (cards, pile) =>
    `${count(cards.length, 'card')} from ${pileName(pile)}: ${several(cards)}.`,
  taken: (cards, pile) =>
    cards.length > 0 ? `${several(cards)} selected.` : `Move which cards to ${pileName(pile)}?`,
  marked: (on, columns) =>
    on ? `Cards can move from ${count(columns, 'column')}.` : 'Marks are off.',
  located: (card, places) => {
    if (places.length === 0) return `${sign(card)} isn’t face up.`;
    const where = places.map(({ pile, above, home }) => {
      if (home) return 'on a foundation';
      return `${pileName(pile)}${above > 0 ? ` under ${count(above, 'card')}` : ' at its end'}`;
    });
    return `${sign(card)}: ${list(where)}.`;
  },
  PLAY: {
    exceptionAsked: 'Exception: your next move can be a run of mixed suits.',
    exceptionDropped: 'Exception cancelled.',
    exceptionFree: 'No need to ask for exceptions here: just move a mixed run.',
    unfolded: 'Unfolded.',
    folded: 'Folded.',
    short: 'Nothing is folded here.',
    noSuit: 'No column ends in a complete suit.',
    noPlace: 'These cards don’t fit anywhere.',
    onlySpace: 'These cards only fit on an empty column.',
    dealAgain: 'Deal a row? Press Deal again to confirm, Escape to cancel.',
    notDone: 'Cancelled.',
    whichRank: 'Find a card. Which rank: A, 2 to 9, 0 for a 10, J, Q or K?',
    whichSuit: 'Which suit: S, H, D or C?',
    nothingRefused: 'No move was refused.',
    suitsHome: 'Suits removed',
    none: 'None yet',
    box: 'Type a move',
    boxHow: '3 5 · 3x2 5 · d deals · u undoes · r 3 removes',
    boxGo: 'Go',
  },
  TYPED: {
    column: (text) => `There’s no column ${text}.`,
    words: (text) => `“${text}” is not a move. Type 3 5, 3x2 5, d, u or r 3.`,
  },
  actAside: (action, before, after) =>
    action.type === 'deal' ? dealt(effectOf(action, before, after)) : '',
  actDone: (action, before, after) => {
    const effect = effectOf(action, before, after);
    const { turned, removed, home, of } = effect;
    const turning = turned.length > 0 ? `; turned ${list(turned.map(sign))}` : '';
    return {
      move: action.type === 'move' ? moved(effect, action.to, turning) : '',
      deal: `Dealt${dealt(effect)}${completing(effect)}${turning}.`,
      remove: `Complete suit removed: ${suitNames(removed)}, ${home} of ${of}${turning}.`,
      undo: 'Undone.',
      redo: `Redone${completing(effect)}.`,
      finish: 'Your game is finished.',
    }[action.type];
  },
  hintLate: (n) => `Hint ${n} was for your board before the last move.`,
  hinted: ({ action, hints, reason = null }, piles) => {
    if (action.type === 'deal')
      return `Hint ${hints}: deal.${reason === 'deals' ? ' No better move known.' : ''}`;
    if (action.type === 'remove')
      return `Hint ${hints}: remove the complete suit from ${pileName(action.from)}.`;
    if (action.type !== 'move') return `Hint ${hints}: finish, you’ve won.`;
    const pileOf = (/** @type {string} */ id) => piles.find((pile) => pile.id === id);
    const [from, to] = [pileOf(action.from), pileOf(action.to)];
    const cards = from?.up.slice(-action.count) ?? [];
    // A newer server may have other reasons.
    const why = from && to && REASONS[reason ?? '']?.(from, to, cards);
    return `Hint ${hints}: move ${several(cards)} from ${pileName(action.from)} to ${pileName(action.to)}.${why ? ` ${why}` : ''}`;
  },
  exceptionMade: (n) => `That was exception ${n}.`,
  cheatMade: (n) => `This one is counted: ${n} so far.`,
  // The race around the board: header, buttons, leaderboard and the boards of others.
  boardLabel: (standing) =>
    `${standing.name}: ${count(standing.score, 'point')}, ${standing.face_down} face down, ${count(standing.suits, 'suit')}. Enlarge`,
  boardsLate: (seconds) =>
    seconds === 0 ? 'The boards are live.' : `The boards are ${count(seconds, 'second')} behind.`,
  boardsFollow: (ms) =>
    `The boards run late, so nobody can copy: first moves in ${clock(ms + 999)}.`,
  ofPlayers: (n) => `of ${n}`,
  ofSuits: (n) => `of ${n} suits`,
  HEADER: {
    time: 'Time',
    mute: 'Mute',
    restart: 'Restart with the same deal',
    help: 'Help and keys',
    forfeit: 'Give up',
    chase: 'Play this deal',
    chaseLabel: 'Play the same deal now, unranked and on your own clock, until the race ends',
  },
  RACE: {
    table: 'Board',
    acts: 'Moves',
    deal: 'Deal',
    dealSure: 'Sure?',
    undo: 'Undo',
    redo: 'Redo',
    remove: 'Remove suit',
    finish: 'Finish',
    exception: 'Exception',
    hint: 'Hint',
    home: 'You finished!',
    end: 'End the race',
    finished: 'Game over.',
  },
  NO_SCORES: 'No scores yet.',
  scoreSpoken: (view) => {
    if (!view) return 'No cards dealt yet.';
    const { score, counts } = view;
    const exceptions = counts.exceptions > 0 ? `, ${count(counts.exceptions, 'exception')}` : '';
    const cheated = counts.cheats > 0 ? `, ${cheats(counts.cheats)}` : '';
    return `Score ${score}, ${count(counts.moves, 'move')}, ${count(counts.suits, 'suit')} removed${exceptions}${cheated}.`;
  },
  youWin: (ms) => `You win! ${clock(ms)}.`,
  leadWord: (isOwn, wins) => (isOwn ? (wins ? 'You win' : 'You lead') : wins ? ' wins' : ' leads'),
  STANDINGS: 'Standings',
  standingState: (standing) => {
    if (standing.state === 'CHASING') return `started ${clock(standing.late_ms ?? 0)} late`;
    return ending(standing);
  },
  /** Of a game that a computer player finishes for an absent person. */
  STAND_IN: 'by computer, unranked',
  progress: ({ home, face_down, suits }, single) => {
    const left = single ? `${count(home, 'card')} played` : `${face_down} face down`;
    return !single && suits > 0 ? `${count(suits, 'suit')} · ${left}` : left;
  },
  /** For a player without a connection. */
  NOT_THERE: 'offline',
  WALL: 'Boards',
  /** For a player who has finished and can watch boards. */
  WATCH_REST: 'You can watch the rest.',
  // Questions beside the table: `playOn` and `end` name the answers.
  lastRacer: (isHost) => ({
    title: 'You’re the last one racing',
    text: isHost
      ? 'Everyone else gave up. Play on, or end the race now: your score counts.'
      : 'Everyone else gave up. Play on, or give up too: then nobody wins.',
    playOn: KEEP_PLAYING,
    end: isHost ? 'End the race' : GIVE_UP,
  }),
  /** For a winner while others still race. */
  WIN_STAYS: 'Your win counts even if you leave.',
  behindAsk: (name, place, left) => ({
    title: `${name} wins`,
    text: left === null ? 'You can still finish.' : `You can still finish: ${timeLeft(left)}.`,
    playOn: `Play on for ${ordinal(place)}`,
    end: GIVE_UP,
  }),
  playingOut: (left) => ({
    title: 'Playing it out…',
    text: `${count(left, 'move')} left`,
    playOn: 'Stop',
  }),
  playOutAsk: (moves) => ({
    title: 'It’s a win from here',
    text: `All cards are face up, ${count(moves, 'move')} to go. Shall we play it out for you?`,
    playOn: 'I’ll play it myself',
    end: 'Play it out',
  }),
  deadAsk: (score, gain, undo) => ({
    title: 'Nothing can change any more',
    text: `You can’t turn another card or complete another suit.${
      gain > 0 ? ` More moves add ${count(gain, 'point')} at most.` : ''
    } Stop here${undo ? ' or undo' : ''}? You keep ${count(score, 'point')}.`,
    playOn: KEEP_LOOKING,
    end: 'Stop here',
  }),
  /** The offer to take giving up back. */
  GAVE_UP: {
    title: 'You gave up',
    text: 'By mistake? You have five seconds to play on.',
    playOn: 'Play on',
    end: 'Give up now',
  },
  /** More questions in the dialog, like `ASK`. */
  ASK_IN_RACE: {
    forfeit(/** @type {boolean} */ isRound) {
      const what = isRound ? 'round' : 'race';
      return {
        title: `Give up this ${what}?`,
        text: `You keep your score. Just need a break? Close the page: we keep your seat while the ${what} is on.`,
        ...GIVE_UP_OR_PLAY,
      };
    },
    forfeitOpenRace: {
      title: 'Give up?',
      text: 'You keep your score, and can’t play again in this race. You can’t pause the clock.',
      ...GIVE_UP_OR_PLAY,
    },
    forfeitAlone: {
      title: 'Stop this game?',
      text: 'You keep your score.',
      yes: 'Stop',
      no: KEEP_PLAYING,
    },
    restart: {
      title: 'Restart?',
      text: 'You start over with the same cards.',
      yes: 'Restart',
      no: KEEP_PLAYING,
    },
    restartSecret: {
      title: 'Restart?',
      text: 'This deal stays secret until your game is over. Give up first, then choose “Play this deal alone” on the next page.',
      ...GIVE_UP_OR_PLAY,
    },
  },
  ownBest: ({ score, ms }) => `Best ${ms === null ? score : clock(ms)}`,
  ended: ({ name, won, state, finished_ms }, wins) => {
    if (won) return `${name} ${wins ? 'wins' : 'finished'} in ${clock(finished_ms ?? 0)}.`;
    return `${name} ${state === 'FORFEIT' ? 'gave up' : 'stopped'}.`;
  },
  leads: (name) => `${name} takes the lead.`,
  TAKE_LEAD: 'You take the lead.',
  lastStretch: (seconds, name) =>
    `${LAST[seconds] ?? `Last ${duration(seconds)}`}${name && `: ${name} finished`}.`,
  // The moments of a finish.
  homeFirst: (forCertain) => (forCertain ? ' wins!' : ' finished first!'),
  EVENTS: 'Race events',
  eventWords: ({ kind, standing, photo }, me, game) => {
    if (photo) return { name: photoBy(photo, me), words: '' };
    if (!standing) return { name: kind === 'begin' ? NEWS.go : LAST[60], words: '' };
    const { seat, name, place, state, suits } = standing;
    /** @type {Record<string, string>} */
    const words = {
      finish: ` finished${place ? ` ${ordinal(place)}` : ''}!`,
      stop: ' stopped',
      out: state === 'FORFEIT' ? ' gave up' : ': out of time',
      lead: ' took the lead',
      'first-lead': ' took the lead',
      suit: `: ${basics.suitsHome(suits, GAMES[game]?.foundations ?? 0)}`,
    };
    return { name: seat === me ? 'You' : name, words: words[kind] ?? '' };
  },
  suitsLeft: (n) => `you need ${n} more`,
  distance: (gap) => {
    const points = Number(gap.slice(1));
    if (gap.startsWith('+')) return `+${count(points, 'point')}`;
    return gap && `${points} behind`;
  },
  // The rules page: the sentences of `room/rules.js`, by game and by setting.
  // The headings of the chapters are in their order on the page.
  CHAPTERS: {
    ...{ deal: 'The deal', moves: 'Moves', dealing: 'Dealing', removing: 'Complete suits' },
    ...{ exceptions: 'Exceptions', undo: 'Undo', hints: 'Hints', score: 'Score', end: 'The end' },
    ...{ ranking: 'Who wins', match: 'Match', watching: 'Watching', people: 'Who plays' },
  },
  FAIR: {
    title: 'Fair deal',
    about: [
      ...PROVES,
      'After the race, your browser checks that the deal has that hash. Anyone else can check it, too.',
    ],
  },
};

export default en;
