// The page of rules: sentences that `room/rulebook.js` puts together from the settings.

import { count, duration, gameName } from './start.js';

/**
 * @import {Settings} from '../../core/messages.d.ts'
 */

/** The headings of the chapters. */
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

/** Return the rules in one line, for a heading. @param {Settings} settings */
export function inShort({ game, deal, number, rounds, time_limit_s }) {
  const parts = [gameName(game)];
  if (deal === 'numbered') parts.push(number === null ? 'open deal' : `deal ${number}`);
  if (rounds > 1) parts.push(count(rounds, 'round'));
  parts.push(time_limit_s === null ? 'no time limit' : duration(time_limit_s));
  return parts.join(', ');
}

/** What the setting about cheats adds to the ranking. */
export const CHEAT_RULES = {
  shown: [],
  tie: ['If players are tied, the one with fewer cheats is ahead.'],
  out: ['Games with cheats rank below all clean games of their group.'],
};
