// The page of rules of a room, made from its settings: what holds here, in words. Pure.
//
// The server knows the rules; this only tells them, and tests hold it to all settings there are.

import { count, duration, GAMES, list } from './strings.js';

/**
 * @import {Settings} from './protocol.d.ts'
 * @typedef {{title: string, lines: string[]}} Chapter
 * @typedef {'spider' | 'spiderette' | 'little-spider'} Family
 */

/** @param {string} game @returns {Family} */
function family(game) {
  if (game.startsWith('spiderette')) return 'spiderette';
  return game === 'little-spider' ? 'little-spider' : 'spider';
}

/** @param {Settings} s */
function suits({ game }) {
  switch (game.at(-1)) {
    case '1':
      return ['All cards count as spades.'];
    case '2':
      return ['Clubs count as spades and diamonds as hearts.'];
    default:
      return [];
  }
}

/** @param {Settings} s */
function dealt(s) {
  const more = s.layout === 'left4' ? '1 to 4' : '1, 4, 7 and 10';
  const cards = {
    spider: [
      `Two decks, ten columns: 54 cards are dealt, the last of each column face up. Columns ${more} get one card more.`,
      'The other 50 are the stock: five deals of ten.',
    ],
    spiderette: [
      'One deck, seven columns: one card in the first, two in the second, up to seven, the last of each face up.',
      'The other 24 are the stock: three deals of seven, then the last three.',
    ],
    'little-spider': [
      'One deck: four cards above and four below, all face up, and four foundations between them.',
      'The other 44 are the stock: five deals of eight, then the last four on the upper row.',
    ],
  }[family(s.game)];
  const from = {
    secret:
      'Everybody gets the same fresh deal. It is sealed before the race and laid open afterwards, for anyone to check.',
    numbered: `Everybody gets ${
      s.number === null ? 'the same numbered deal' : `deal number ${s.number}`
    }. It can be looked up: an open deal.`,
    seed: 'Everybody gets a deal that was played before: an open deal.',
  }[s.deal];
  return [...cards, ...suits(s), from];
}

/** @param {Settings} s */
function moves(s) {
  if (family(s.game) === 'little-spider')
    return [
      'The first two foundations are built up in suit from the ace, the other two down in suit from the king. The ace foundations take one colour, the king foundations the other; the first card played fixes which.',
      'While the stock lasts, a top card of the upper row goes on any foundation that takes it, one of the lower row only on the foundation right above it.',
      'Once the stock is empty, any top card goes on any foundation that takes it, or on a pile whose top card is one higher or one lower, of any suit; ace and king are neighbours. An empty pile stays empty.',
    ];
  return [
    'A card, or a run of one suit in descending order, goes on a card one higher, of any suit, or on an empty column. Part of a run may be moved too.',
    'The ace is low, so a king goes only on an empty column.',
    'A face-down card that comes to the end of its column turns up at once.',
  ];
}

/** @param {Settings} s */
function dealing(s) {
  if (family(s.game) === 'little-spider')
    return ['The stock is dealt at any time, on empty piles too.'];
  const short =
    s.game.startsWith('spiderette') && !s.relaxed_deal
      ? ' That holds for the last three cards as well.'
      : '';
  return [
    s.relaxed_deal
      ? 'A deal puts one card on each column, at any time, on empty columns too.'
      : `A deal puts one card on each column, at any time, but not while a column is empty.${short}`,
    'Nothing is dealt while fewer cards lie on the table than there are columns.',
  ];
}

/** @param {Settings} s */
function removing(s) {
  return [
    s.auto_remove
      ? 'A complete suit, king to ace, leaves the table by itself.'
      : 'A complete suit, king to ace, at the end of a column glows; you remove it when you like, or keep it.',
  ];
}

/** @param {Settings} s */
function exceptions(s) {
  const ask =
    s.exceptions === 'hard'
      ? 'Press X, or the Exception button, before each.'
      : 'It is picked up like any other run.';
  return [
    `A descending run of mixed suits may be moved as one: an exception. ${ask}`,
    'It goes only where any run may go. Every exception is counted, for all to see.',
  ];
}

/** @param {Settings} s */
function undo(s) {
  return {
    no_reveal: ['A move can be taken back, unless it turned a card or was a deal.'],
    any: [
      'Everything can be taken back. Taking back a turned card or a deal is counted as a peek, for all to see, and the count never goes down.',
    ],
    off: ['Nothing is taken back.'],
  }[s.undo];
}

/** @param {Settings} s */
function score(s) {
  const small = family(s.game) === 'spiderette';
  switch (s.score) {
    case 'woods':
      return [
        '10 points for each card turned up that began face down.',
        small
          ? '15 for each column that began with face-down cards and has none left.'
          : '15 for each column with no face-down card left.',
        '2 for each card that lies on the next higher of its suit.',
        '50 for each suit removed.',
        `All suits removed: ${small ? 500 : 990}.${
          s.auto_remove
            ? ''
            : ' Winning with more than three complete suits still on the table adds 2 for each more.'
        }`,
      ];
    case 'dos':
      return [
        'A suit removed: 120 points, a matched pair: 10. Each exception takes 12 off a suit, down to 50, and 1 off a pair, down to 1.',
        'A game won without an exception: 1000.',
        'Won with exceptions: 100 less for each, down to 400, and 1 less for each move after the first exception.',
        'Each exception over six costs 10 more.',
        'Grand Spider, 10,000: all eight suits complete on the table before the first is removed, no exception, and nothing but removals after that.',
      ];
    case 'cards':
      return family(s.game) === 'little-spider'
        ? ['1 point for each card on a foundation; all 52 are a win.']
        : [`1 point for each card in a removed suit: up to ${small ? 52 : 104}.`];
    default:
      return [
        'You begin with 500 points. Each move, deal, undo and redo costs 1, each complete suit brings 100. Never below 0.',
      ];
  }
}

/** @param {Settings} s */
function end(s) {
  const won =
    family(s.game) === 'little-spider'
      ? 'You are home when all 52 cards are on the foundations.'
      : s.auto_remove
        ? 'You are home when all suits are removed.'
        : 'You are home when all suits are removed. With the stock dealt out and nothing but complete suits left, you may also finish with suits on the table.';
  const limit =
    s.time_limit_s === null
      ? 'There is no time limit.'
      : `The round ends after ${duration(s.time_limit_s)}, or when everybody is done.`;
  return [
    won,
    'Who is stuck is told so, and may finish there; the score stands. Giving up is always possible.',
    limit,
  ];
}

/** @param {Settings} s */
function ranking(s) {
  return [
    s.ranking === 'first_home'
      ? 'First the players who are home, by time; then the others by score, then by fewer cards face down, then by who got there earlier.'
      : 'By score; of two who are equal, the one who got there earlier.',
  ];
}

/** @param {Settings} s */
function match(s) {
  const deals =
    s.deal === 'numbered'
      ? ' Each round plays the next deal number.'
      : s.deal === 'seed'
        ? ' Each round is the same deal.'
        : '';
  const order =
    s.match_ranking === 'wins' ? ['rounds won', 'total score'] : ['total score', 'rounds won'];
  return [
    `A match of ${s.rounds} rounds, with a score card for everybody.${deals}`,
    `The match goes by ${order[0]}, then by ${order[1]}.`,
  ];
}

/** @param {Settings} s */
function watching(s) {
  const late = s.board_delay_s === 0 ? 'at once' : `${lateness(s.board_delay_s)} late`;
  return [
    s.spectate === 'boards'
      ? `Players see each other’s standings, never cards. Who does not play sees the boards, ${late}.`
      : 'All see the standings; nobody sees another’s cards.',
    'When the round is over, all boards and the deal are open.',
  ];
}

/** @param {number} seconds */
export const lateness = (seconds) =>
  seconds % 60 === 0 && seconds > 60 ? duration(seconds) : count(seconds, 'second');

/** All that holds in a room with these settings. @param {Settings} s @returns {Chapter[]} */
export function rulebook(s) {
  const spider = family(s.game) !== 'little-spider';
  /** @type {[string, string[]][]} */
  const chapters = [
    ['The deal', dealt(s)],
    ['Moves', moves(s)],
    ['Dealing on', dealing(s)],
    ['Complete suits', spider ? removing(s) : []],
    ['Exceptions', s.exceptions === 'off' ? [] : exceptions(s)],
    ['Undo', undo(s)],
    ['Score', score(s)],
    ['The end', end(s)],
    ['Who wins', ranking(s)],
    ['Match', s.rounds > 1 ? match(s) : []],
    ['Watching', watching(s)],
  ];
  return chapters
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => ({ title, lines }));
}

/** The rules in one line, for a heading. @param {Settings} s */
export function inShort(s) {
  const parts = [GAMES[s.game] ?? s.game];
  if (s.deal === 'numbered') parts.push(s.number === null ? 'open deal' : `deal ${s.number}`);
  if (s.rounds > 1) parts.push(`${s.rounds} rounds`);
  parts.push(s.time_limit_s === null ? 'no time limit' : duration(s.time_limit_s));
  return list(parts).replace(' and ', ', ');
}
