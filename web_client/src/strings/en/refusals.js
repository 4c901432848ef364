// Refusals in a room and in the race. `refusal` and `sentence` replace those of `start.js`, which know
// the refusals before a room only.

import { rank } from '../../game/cards.js';
import { capital, pileName, RANK_NAMES, short } from './cards.js';
import * as start from './start.js';
import { EXCEPTION_OFF, HINT_OFF, list } from './start.js';

/**
 * @import {ErrorCode, RefusalDetails, SettingsClash} from '../../contract/messages.d.ts'
 * @import {Notice} from '../../state/state.js'
 */

/** @type {Record<SettingsClash, string>} */
export const CLASHES = {
  score_not_of_game: 'This game doesn’t have this score.',
  option_not_of_game: 'This game doesn’t have one of these options.',
  dos_without_undo: 'The DOS score allows no undo: turn undo off.',
  dos_by_hand: 'With the DOS score you remove suits yourself.',
  number_of_numbered: 'Deal numbers are only for numbered deals.',
  seed_of_seeded: 'A deal from a seed needs a seed, and no other deal has one.',
};

export const ROUND_WON =
  'Someone has already won. You can still end the race, but not stop it without a result.';
const LONGEST = 'This game has reached the move limit. Finish it: your score counts.';

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

/** @type {Partial<Record<ErrorCode, (details: RefusalDetails) => string>>} */
export const REFUSALS = {
  ...start.REFUSALS,
  not_host: () => 'Only the host can do that.',
  not_in_state: () => 'That’s not possible right now.',
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
  no_hint: () => 'No better move known.',
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

/** Return the reason of a refusal. @param {ErrorCode} code @param {RefusalDetails} details */
export const refusal = (code, details) => REFUSALS[code]?.(details) ?? start.refusal(code, details);

/** Return the sentence of a notice. @param {Notice} notice */
export const sentence = (notice) =>
  notice.kind !== 'closed' && notice.code
    ? refusal(notice.code, notice.details)
    : start.sentence(notice);
