// The sentences of a room's page of rules, chosen by its settings. Pure.
//
// The server has the rules; this only describes them, and tests compare it with all settings.

import { strings } from '../core/language.js';

/**
 * @import {Settings} from '../core/messages.d.ts'
 * @typedef {{title: string, lines: string[]}} Chapter
 * @typedef {'spider' | 'spiderette' | 'little-spider'} Family
 */

/** @param {string} game @returns {Family} */
function family(game) {
  if (game.startsWith('spiderette')) return 'spiderette';
  return game === 'little-spider' ? 'little-spider' : 'spider';
}

/** @param {Settings} s */
function dealt({ game, layout, deal, number }) {
  const { RULES } = strings;
  const cards = {
    spider: [RULES.spider(layout), RULES.spiderStock],
    spiderette: [RULES.spiderette, RULES.spideretteStock],
    'little-spider': [RULES.little, RULES.littleStock],
  }[family(game)];
  const suits = { 1: [RULES.suits1], 2: [RULES.suits2] }[game.at(-1) ?? ''] ?? [];
  const from = {
    secret: [RULES.secret, ...strings.PROVES],
    numbered: [RULES.numbered(number, family(game) === 'spider' ? layout : null)],
    seed: [RULES.seeded],
  }[deal];
  return [...cards, ...suits, ...from];
}

/** @param {Settings} s */
function moves({ game }) {
  const { RULES } = strings;
  return family(game) === 'little-spider'
    ? [RULES.littleFoundations, RULES.littleWhile, RULES.littleAfter]
    : [RULES.moves, RULES.kings, RULES.turning];
}

/** @param {Settings} s */
function dealing({ game, relaxed_deal }) {
  const { RULES } = strings;
  if (family(game) === 'little-spider') return [RULES.littleDealing];
  if (relaxed_deal) return [RULES.relaxedDealing];
  const short = family(game) === 'spiderette' ? [RULES.lastThree] : [];
  return [RULES.dealing, ...short, RULES.tooFew];
}

/** @param {Settings} s */
function removing({ game, auto_remove }) {
  if (family(game) === 'little-spider') return [];
  return [auto_remove ? strings.RULES.autoRemove : strings.RULES.remove];
}

/** @param {Settings} s */
function exceptions({ exceptions: level }) {
  const { RULES } = strings;
  if (level === 'off') return [];
  return [level === 'hard' ? RULES.exceptionHard : RULES.exceptionEasy, RULES.exceptionsCounted];
}

/** @param {Settings} s */
function score({ game, score: by, auto_remove }) {
  const { RULES } = strings;
  const small = family(game) === 'spiderette';
  switch (by) {
    case 'woods':
      return [
        RULES.woodsTurned,
        small ? RULES.woodsColumnsSmall : RULES.woodsColumns,
        RULES.woodsInSuit,
        RULES.woodsSuits,
        RULES.woodsAll(small ? 500 : 990),
        ...(auto_remove ? [] : [RULES.woodsKept]),
      ];
    case 'dos':
      return [RULES.dosSuits, RULES.dosWon, RULES.dosExceptions, RULES.dosOverSix, RULES.dosGrand];
    case 'cards':
      return family(game) === 'little-spider'
        ? [RULES.cardsLittle]
        : [RULES.cards(small ? 52 : 104)];
    default:
      return [RULES.windows];
  }
}

/** @param {Settings} s */
function end({ game, auto_remove, time_limit_s }) {
  const { RULES } = strings;
  const kept = auto_remove ? RULES.home : RULES.homeKept;
  return [
    family(game) === 'little-spider' ? RULES.homeLittle : kept,
    RULES.stuck,
    time_limit_s === null ? RULES.noLimit : RULES.limit(time_limit_s),
  ];
}

/** @param {Settings} s */
function ranking({ ranking: by, score: points, undo, cheats }) {
  const { RULES } = strings;
  return [
    RULES.groups,
    by === 'first_home' ? RULES.firstHome : RULES.bestScore,
    points === 'moves' ? RULES.othersBySuits : RULES.others,
    ...(undo === 'any' ? strings.CHEAT_RULES[cheats] : []),
  ];
}

/** @param {Settings} s */
function match({ rounds, deal, match_ranking }) {
  const { RULES } = strings;
  if (rounds < 2) return [];
  const deals = { secret: [], numbered: [RULES.nextNumber], seed: [RULES.sameDeal] }[deal];
  return [RULES.match(rounds), ...deals, match_ranking === 'wins' ? RULES.byWins : RULES.byScore];
}

/** @param {Settings} s */
function watching({ spectate, board_delay_s, chasers }) {
  const { RULES } = strings;
  return [
    chasers ? RULES.chasers : RULES.late,
    spectate === 'boards' ? RULES.boards(board_delay_s) : RULES.standings,
    RULES.open,
  ];
}

/** Return the rules of a room with these settings. @param {Settings} s @returns {Chapter[]} */
export function rulebook(s) {
  const { CHAPTERS, RULES } = strings;
  /** @type {[string, string[]][]} */
  const chapters = [
    [CHAPTERS.deal, dealt(s)],
    [CHAPTERS.moves, moves(s)],
    [CHAPTERS.dealing, dealing(s)],
    [CHAPTERS.removing, removing(s)],
    [CHAPTERS.exceptions, exceptions(s)],
    [CHAPTERS.undo, [RULES.undo[s.undo]]],
    [CHAPTERS.hints, s.hints ? [RULES.hints] : []],
    [CHAPTERS.score, score(s)],
    [CHAPTERS.end, end(s)],
    [CHAPTERS.ranking, ranking(s)],
    [CHAPTERS.match, match(s)],
    [CHAPTERS.watching, watching(s)],
  ];
  return chapters
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => ({ title, lines }));
}
