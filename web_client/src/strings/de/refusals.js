// Refusals in a room and in the race. `refusal` and `sentence` replace those of `start.js`, which know
// the refusals before a room only.

import { rank } from '../../game/cards.js';
import { pileName, RANK_NAMES, spoken } from './cards.js';
import * as start from './start.js';
import { EXCEPTION_OFF, HINT_OFF, list } from './start.js';

/**
 * @import {ErrorCode, RefusalDetails, SettingsClash} from '../../contract/messages.d.ts'
 * @import {Notice} from '../../state/state.js'
 */

/** @type {Record<SettingsClash, string>} */
export const CLASHES = {
  score_not_of_game: 'Diese Wertung gibt es in diesem Spiel nicht.',
  option_not_of_game: 'Eine dieser Optionen gibt es in diesem Spiel nicht.',
  dos_without_undo: 'Bei der DOS-Wertung gibt es kein Rückgängig: Schalte es aus.',
  dos_by_hand: 'Bei der DOS-Wertung legst du Farben selbst ab.',
  number_of_numbered: 'Eine Nummer gibt es nur bei nummerierten Blättern.',
  seed_of_seeded: 'Ein Blatt aus einem Seed braucht einen Seed, andere Blätter haben keinen.',
};

export const ROUND_WON =
  'Es hat schon jemand gewonnen. Du kannst das Rennen noch beenden, aber nicht mehr ohne Ergebnis abbrechen.';
const LONGEST =
  'Dieses Spiel hat die Höchstzahl an Zügen erreicht. Beende es: Deine Punkte zählen.';

/** Return the next higher rank in the accusative: `eine 10`, `einen Buben`; a king has none. @param {string} card */
function nextRankAccusative(card) {
  const name = RANK_NAMES[rank(card)]; // ranks count from 1, the list from 0
  if (name === 'Bube') return 'einen Buben';
  return name === 'König' ? 'einen König' : name && `eine ${name}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'Diese Karte passt dort nicht.';
  const needs = nextRankAccusative(card);
  if (!needs) return `${spoken(card)} passt nur auf einen leeren Stapel.`;
  const where = piles.at(-1);
  const ends = onto ? `; ${where ? pileName(where) : 'der Stapel'} endet mit ${spoken(onto)}` : '';
  return `${spoken(card)} passt nur auf ${needs}${ends}.`;
}

/** @param {RefusalDetails} details */
function emptyColumns({ piles }) {
  return piles.length > 0
    ? `Solange ${list(piles.map(pileName))} leer ${piles.length > 1 ? 'sind' : 'ist'}, kannst du nicht austeilen.`
    : 'Solange ein Stapel leer ist, kannst du nicht austeilen.';
}

/** @param {RefusalDetails} details */
const someCards = ({ cards }) => list(cards.map(spoken));

/** @type {Partial<Record<ErrorCode, (details: RefusalDetails) => string>>} */
export const REFUSALS = {
  ...start.REFUSALS,
  not_host: () => 'Das kann nur der Gastgeber.',
  not_in_state: () => 'Das geht gerade nicht.',
  not_a_player: () => 'Du schaust zu. Das können nur Mitspieler.',
  not_racing: () => 'Du spielst in diesem Rennen nicht mit.',
  round_won: () => ROUND_WON,
  nobody_ready: () => 'Noch ist niemand bereit.',
  too_much_said: () => 'Nicht ganz so schnell.',
  player_is_back: () => 'Diese Person ist wieder da.',
  colour_taken: () => 'Diese Farbe hat schon jemand.',
  no_such_seat: () => 'Diese Person ist nicht im Raum.',
  no_chasers: () => 'Wer zu spät kommt, schaut in diesem Raum zu.',
  boards_are_hidden: () => 'Solange das Rennen läuft, siehst du die Tische der anderen nicht.',
  bad_settings: ({ fields, reason }) =>
    reason
      ? (CLASHES[reason] ?? 'Diese Einstellungen passen nicht zusammen.')
      : fields.length > 0
        ? `Diese Einstellungen passen nicht zusammen: ${list(fields)}.`
        : 'Diese Einstellungen passen nicht zusammen.',
  no_such_game: () => 'Dieses Match hat keine Runde mit dieser Nummer.',
  game_played: () => 'Diese Runde habt ihr schon gespielt. Wähle eine andere.',
  bad_deal_number: () => 'Es gibt kein Blatt mit dieser Nummer.',
  early: () => 'Das Rennen hat noch nicht begonnen.',
  too_late: () => 'Das Rennen ist vorbei.',
  stale: () => 'Dein Tisch war nicht auf dem neuesten Stand. Jetzt stimmt er wieder.',
  too_many_in_flight: () => 'Nicht ganz so schnell: Deine letzten Züge sind noch unterwegs.',
  game_over: () => 'Dein Spiel ist vorbei.',
  game_too_long: () => LONGEST,
  no_such_pile: () => 'Dorthin kannst du nichts legen.',
  same_pile: () => 'Dort liegen die Karten schon.',
  pile_empty: ({ piles }) =>
    piles[0] && piles[0] !== 'stock'
      ? `Auf ${pileName(piles[0])} liegt keine Karte.`
      : 'Dort liegt keine Karte.',
  not_enough_cards: ({ piles }) =>
    `Auf ${piles[0] ? pileName(piles[0]) : 'diesem Stapel'} liegen weniger Karten.`,
  face_down: () => 'Verdeckte Karten kannst du nicht bewegen.',
  not_a_run: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} sind keine Folge.`
      : 'Diese Karten sind keine Folge.',
  mixed_suits: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} haben nicht dieselbe Farbe und lassen sich darum nicht zusammen bewegen.`
      : 'Nur Karten derselben Farbe lassen sich zusammen bewegen.',
  wrong_rank: wrongRank,
  deal_stock_empty: () => 'Alle Karten sind ausgeteilt.',
  deal_empty_column: emptyColumns,
  deal_too_few_cards: () => 'Es liegen zu wenige Karten auf dem Tisch, um jeden Stapel zu füllen.',
  not_a_complete_suit: ({ piles }) =>
    `${piles[0] ? pileName(piles[0]) : 'Dieser Stapel'} endet nicht mit einer vollständigen Farbe.`,
  not_finished: () => 'Das Spiel ist noch nicht zu Ende.',
  nothing_to_undo: () => 'Es gibt nichts rückgängig zu machen.',
  undo_reveals: () => 'Austeilen und Aufdecken lässt sich nicht zurücknehmen.',
  undo_is_off: () => 'In diesem Raum gibt es kein Rückgängig.',
  nothing_to_redo: () => 'Es gibt nichts zu wiederholen.',
  hints_are_off: () => HINT_OFF,
  no_hint: () => 'Einen besseren Zug kennen wir nicht.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'Diese Farben sind gemischt. Sag zuerst eine Ausnahme an (Taste X).',
  exception_not_needed: () => 'Dafür braucht es keine Ausnahme: Der Zug ist erlaubt.',
  action_unknown_to_game: () => 'Das geht in diesem Spiel nicht.',
  one_card_at_a_time: () => 'In diesem Spiel bewegst du immer nur eine Karte.',
  foundation_is_final: () => 'Was auf einer Ablage liegt, bleibt dort.',
  wrong_foundation_suit: ({ cards: [card, last] }) =>
    card && last
      ? `${spoken(card)} folgt nicht auf ${spoken(last)}: Auf einer Ablage liegt nur eine Farbe.`
      : 'Auf einer Ablage liegt nur eine Farbe.',
  wrong_foundation_colour: () =>
    'Die beiden Ablagen ab dem Ass nehmen die eine Farbe, Rot oder Schwarz, die beiden ab dem König die andere.',
  wrong_foundation_rank: ({ cards: [card, last] }) =>
    card && last
      ? `${spoken(card)} folgt nicht auf ${spoken(last)}.`
      : 'Eine Ablage beginnt mit ihrem Ass oder ihrem König.',
  lower_pile_wrong_slot: () =>
    'Solange der Talon reicht, geht eine Karte von unten nur auf die Ablage direkt darüber.',
  no_moves_between_piles_yet: () => 'Solange der Talon reicht, gehen Karten nur auf die Ablagen.',
  pile_stays_empty: () => 'Ein leerer Stapel bleibt leer.',
  not_rank_adjacent: ({ cards: [card, onto] }) =>
    card && onto
      ? `${spoken(card)} passt nur auf eine Karte, die um eins höher oder niedriger ist, nicht auf ${spoken(onto)}.`
      : 'Eine Karte passt nur auf eine, die um eins höher oder niedriger ist.',
};

/** Return the reason of a refusal. @param {ErrorCode} code @param {RefusalDetails} details */
export const refusal = (code, details) => REFUSALS[code]?.(details) ?? start.refusal(code, details);

/** Return the sentence of a notice. @param {Notice} notice */
export const sentence = (notice) =>
  notice.kind !== 'closed' && notice.code
    ? refusal(notice.code, notice.details)
    : start.sentence(notice);
