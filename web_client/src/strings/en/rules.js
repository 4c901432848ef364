// The page of rules: the sentences of `room/rulebook.js`, by game and by setting.

import { GAMES } from '../../contract/games.js';
import { PROVES } from './deal.js';
import { count, duration } from './start.js';

/**
 * @import {GameInfo, Settings} from '../../contract/messages.d.ts'
 * @typedef {string | readonly string[]} Lines
 * @typedef {(settings: Settings, game: GameInfo) => Lines} MakeLines
 * @typedef {{readonly [value: string]: Lines | MakeLines} | MakeLines} SettingRule by value, or of
 *   all values
 * @typedef {{readonly [chapter: string]: Lines | MakeLines}} GameRules
 */

/** The headings of the chapters, in their order on the page. */
export const CHAPTERS = {
  deal: 'The deal',
  moves: 'Moves',
  dealing: 'Dealing',
  removing: 'Complete suits',
  exceptions: 'Exceptions',
  undo: 'Undo',
  hints: 'Hints',
  score: 'Score',
  end: 'The end',
  ranking: 'Who wins',
  match: 'Match',
  watching: 'Watching',
  people: 'Who plays',
};

/** @param {GameInfo} game */
function stock({ stock: cards, columns }) {
  const last = cards % columns;
  const deals = `${Math.floor(cards / columns)} deals of ${columns}`;
  return `The other ${cards} are the stock: ${deals}${last ? `, then the last ${last}` : ''}.`;
}

/** @param {GameInfo} game */
const suits = ({ id }) =>
  ({
    1: ['All cards count as spades.'],
    2: ['Clubs count as spades and diamonds as hearts.'],
    4: [],
  })[GAMES[id].suits];

const MOVES = [
  'A card, or a run of one suit in descending order, goes on a card one higher, of any suit, or on an empty column. You can also move part of a run.',
  'The ace is low, so a king goes only on an empty column.',
  'A face-down card at the end of its column is turned up at once.',
];
const STUCK =
  'If you’re stuck, we’ll tell you and you can stop there. You can give up at any time.';

/** @param {Settings} settings */
const finish = ({ auto_remove: auto }) => [
  auto
    ? 'You finish when all suits are removed.'
    : 'You finish when all suits are removed. When the stock is empty and only complete suits are left, you can also stop with suits on the table.',
  STUCK,
];

/** The rules of the games, by family and chapter. @type {Record<string, GameRules>} */
export const GAME_RULES = {
  spider: {
    deal: ({ layout }, game) => [
      `Two decks, ${game.columns} columns: ${game.dealt} cards are dealt, the last of each column face up. Columns ${
        layout === 'left4' ? '1 to 4' : '1, 4, 7 and 10'
      } get one more card.`,
      stock(game),
      ...suits(game),
    ],
    moves: MOVES,
    end: finish,
  },
  spiderette: {
    deal: (_, game) => [
      `One deck, ${game.columns} columns: one card in the first, two in the second, up to ${game.columns}, the last of each face up.`,
      stock(game),
      ...suits(game),
    ],
    moves: MOVES,
    end: finish,
  },
  'little-spider': {
    deal: (_, game) => [
      'One deck: four cards above and four below, all face up, and four foundations between them.',
      stock(game).replace(/\.$/, ' on the upper row.'),
    ],
    moves: [
      'The first two foundations are built up in suit from the ace, the other two down in suit from the king. The ace foundations take one colour, the king foundations the other; the first card played decides which.',
      'While there are cards in the stock, a top card of the upper row goes on any foundation that takes it, one of the lower row only on the foundation right above it.',
      'Once the stock is empty, any top card goes on any foundation that takes it, or on a pile whose top card is one higher or one lower, of any suit; ace and king are neighbours. An empty pile stays empty.',
    ],
    dealing: 'You can deal at any time, also onto empty piles.',
    end: (_, { cards }) => [`You finish when all ${cards} cards are on the foundations.`, STUCK],
  },
};

const EXCEPTIONS_COUNTED =
  'It goes only where any run may go. Every exception is counted, and everyone sees the count.';

/** @param {Settings} settings */
const others = ({ score }) =>
  score === 'moves'
    ? 'All others are ranked by completed suits, then by fewer face-down cards, then by score.'
    : 'All others are ranked by score, then by fewer face-down cards, then by who got there earlier.';

/** The sentences of the settings, by value or for all values. @type {Record<string, SettingRule>} */
export const SETTING_RULES = {
  deal: {
    secret: [
      'Everybody gets the same new deal. It is locked before the race and revealed afterwards, for anyone to check.',
      ...PROVES,
    ],
    numbered: ({ number, layout }, { layouts }) => {
      const which = number === null ? 'the same numbered deal' : `deal number ${number}`;
      const where = {
        left4: ', but with the extra cards on other columns than there',
        spread: ', laid out as it is there',
      };
      return `Everybody gets ${which} of PySolFC${
        layouts.length > 1 ? where[layout] : ''
      }. It can be looked up: an open deal.`;
    },
    seed: 'Everybody gets a deal that was played before: an open deal.',
  },
  winnable: {
    true: 'The server knows a way to win it, and shows it after the race. If it knows none, it says so before the race.',
    false: 'Nobody knows whether it can be won.',
  },
  auto_remove: {
    true: 'A complete suit, king to ace, is removed automatically.',
    false:
      'A complete suit, king to ace, at the end of a column glows; remove it when you like, or keep it.',
  },
  relaxed_deal: {
    true: 'A deal puts one card on each column. As long as the stock has cards you can deal, also onto empty columns.',
    false: (_, { stock: cards, columns }) => [
      'A deal puts one card on each column. You can deal at any time, but not while a column is empty.',
      ...(cards % columns ? [`That goes for the last ${cards % columns} cards too.`] : []),
      'You can’t deal while fewer cards are on the table than there are columns.',
    ],
  },
  exceptions: {
    easy: [
      'You can move a descending run of mixed suits as one: an exception. Pick it up like any other run.',
      EXCEPTIONS_COUNTED,
    ],
    hard: [
      'You can move a descending run of mixed suits as one: an exception. Press X, or the Exception button, before each.',
      EXCEPTIONS_COUNTED,
    ],
  },
  undo: {
    no_reveal: 'You can undo a move, unless it turned a card or was a deal.',
    any: 'You can undo everything. Undoing a turned card or a deal counts as a cheat, because you have seen the cards by then. Everyone sees the count, and it never goes down.',
    counted:
      'You can undo everything. Every undo counts as a cheat. Everyone sees the count, and it never goes down.',
    free: 'You can undo everything, turned cards and deals too, as often as you like.',
    off: 'There is no undo.',
  },
  hints: {
    true: 'Ask for a hint and we’ll show you a move, based on what you can see yourself. Everyone sees how many hints you took.',
  },
  autoplay: {
    true: 'Once all your cards are face up and the rest is as good as won, you can have it played out for you, move by move.',
  },
  score: {
    woods: ({ auto_remove: auto }, { id, columns, all_removed: all }) => [
      '10 points for each card turned up that began face down.',
      GAMES[id].covered_columns < columns
        ? '15 for each column that began with face-down cards and has none left.'
        : '15 for each column with no face-down card left.',
      '2 for each card that lies on the next higher of its suit.',
      '50 for each suit removed.',
      `All suits removed: ${all}.`,
      ...(auto
        ? []
        : [
            'Winning with more than three complete suits still on the table adds 2 for each one above three.',
          ]),
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
        ? `1 point for each card on a foundation; all ${cards} are a win.`
        : `1 point for each card in a removed suit: up to ${cards}.`,
    moves:
      'You start with 500 points. Each move, deal, undo and redo costs 1, each complete suit adds 100. Never below 0.',
  },
  ranking: (settings) => [
    'Winners come first, then everyone who played to the end, then players who gave up.',
    settings.ranking === 'first_home'
      ? 'Winners are ranked by time.'
      : 'Winners are ranked by score.',
    others(settings),
  ],
  rounds: ({ rounds, deal }) => {
    if (rounds < 2) return [];
    const next = {
      secret: [],
      numbered: ['Each round plays the next deal number.'],
      seed: ['Each round is the same deal.'],
    };
    return [`A match of ${rounds} rounds, with a score card for everybody.`, ...next[deal]];
  },
  match_ranking: {
    wins: 'The match is decided by rounds won, then by total score.',
    score: 'The match is decided by total score, then by rounds won.',
  },
  chasers: {
    true: 'Latecomers can play the same deal on a clock of their own, unranked. They see cards that racers have not turned yet.',
    false: 'Latecomers watch.',
  },
  cheats: {
    tie: 'If players are tied, the one with fewer cheats is ahead.',
    out: 'Games with cheats rank below all clean games of their group.',
  },
  time_limit_s: ({ time_limit_s: limit }) =>
    limit === null
      ? 'There is no time limit.'
      : `The round ends after ${duration(limit)}, or when everybody is done.`,
  after_win_s: ({ after_win_s: left }) =>
    left === null ? [] : `Once the first player has won, the others have ${duration(left)} left.`,
  spectate: ({ spectate, board_delay_s: late }) => {
    const delay = late % 60 === 0 && late > 60 ? duration(late) : count(late, 'second');
    return [
      spectate === 'standings'
        ? 'Everyone sees the standings; nobody sees another player’s cards.'
        : `While you play, you see the standings, never other players’ cards. Once you’re done, you see their boards at once. Spectators see the boards, ${
            late === 0 ? 'at once' : `${delay} late`
          }.`,
      'When the round is over, everyone can see all boards and the deal.',
    ];
  },
  programs: ({ programs, max_players: most }) =>
    most === 1
      ? []
      : [
          programs === false // an older server may not say
            ? 'Programs can’t join.'
            : 'Programs can join. A small robot before a name marks them.',
          'This relies on honesty: nobody can prove that a person isn’t a program.',
        ],
};
