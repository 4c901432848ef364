// The sentences that every page needs from its start: the front page, cards and piles, refusals, and
// the status line. `core/language.js` adds the other files when their screens come.

import { areOfCompleted, effectOf } from '../../core/act-effect.js';
import { rank, runs, shortRank, suit } from '../../core/cards.js';

/**
 * @import {Effect} from '../../core/act-effect.js'
 * @import {ErrorCode, PublicRoom, RefusalDetails, SettingsClash, Standing} from '../../core/messages.d.ts'
 * @import {TablePile, TableView} from '../../core/notation.js'
 * @import {Attempt} from '../../core/table.js'
 * @import {Notice, State} from '../../core/reducer.js'
 */

export const LANGUAGE = 'Sprache';

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' };

const RANK_NAMES = ['Ass', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'Bube', 'Dame', 'König'];

/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** Return a card in words. @param {string} card */
export function spoken(card) {
  const name = rankName(card);
  return `${SUIT_NAMES[suit(card)]}${/\d/.test(name) ? ' ' : '-'}${name}`;
}

/** Cards are spelled out, since their faces have J and Q. @param {string} card */
export const short = spoken;

/** Return the next higher rank in the accusative: `eine 10`, `einen Buben`; a king has none. @param {string} card */
function nextRankAccusative(card) {
  const name = RANK_NAMES[rank(card)]; // ranks count from 1, the list from 0
  if (name === 'Bube') return 'einen Buben';
  return name === 'König' ? 'einen König' : name && `eine ${name}`;
}

/**
 * Return the contents of a pile in spoken words: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 *
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
export function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  const stacked = pile.fan === 'none' && found.length > 1 && top;
  const parts = found.map(({ start, length }) => {
    const first = pile.up[start] ?? '';
    const last = pile.up[start + length - 1] ?? '';
    return length > 1 ? `Folge ${spoken(first)} bis ${rankName(last)}` : spoken(first);
  });
  const down = pile.down > 0 ? `${pile.down} verdeckt` : '';
  const builds = { up: 'aufwärts ab dem Ass', down: 'abwärts ab dem König' };
  const way = pile.direction ? builds[pile.direction] : '';
  const below = count(pile.up.length - 1, 'Karte', 'Karten');
  const cards = stacked ? `${spoken(top)} auf ${below}` : parts.join(', ');
  return [down, cards || (down ? '' : 'leer'), way].filter(Boolean).join('; ');
}

/** @type {Record<string, string>} */
const PILES = { t: 'Stapel', u: 'Stapel oben', l: 'Stapel unten', f: 'Ablage' };

/** Return the name of a pile in a sentence. @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'Talon';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** Return names as a list in a sentence. @param {readonly string[]} names */
export function list(names) {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`;
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

/** @type {Record<ErrorCode, (details: RefusalDetails) => string>} */
export const REFUSALS = {
  bad_message: () => 'Der Server hat diese Seite nicht verstanden. Lade sie neu.',
  not_joined: () => 'Du bist noch in keinem Raum.',
  already_joined: () => 'Du bist schon in diesem Raum.',
  try_again: () => 'Das hat gerade nicht geklappt. Versuch es noch einmal.',
  no_such_room: () => 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
  room_full: () => 'Dieser Raum ist voll.',
  room_locked: () =>
    'Der Gastgeber hat diesen Raum abgeschlossen. Es kann niemand mehr dazukommen.',
  banned: () => 'Der Gastgeber hat dich aus diesem Raum entfernt. Du kannst nicht wieder hinein.',
  one_seat: () =>
    'In diesem Raum gibt es einen Platz pro Person, und dein Browser oder dein Netz hatte schon einen.',
  too_many_seats: () => 'In diesem Raum sind schon zu viele Spieler aus deinem Netz.',
  too_many_joins: () =>
    'Zu viele Versuche aus deinem Netz. Warte kurz und versuch es dann noch einmal.',
  too_many_rooms: () =>
    'Zu viele Räume aus deinem Netz. Warte kurz und versuch es dann noch einmal.',
  server_full: () =>
    'Hier sind gerade zu viele Räume offen. Versuch es in ein paar Minuten noch einmal.',
  store_full: () => 'Der Server ist gerade voll. Versuch es in ein paar Minuten noch einmal.',
  bad_token: () => 'Dieser Platz gehört jemand anderem.',
  bad_name: () => 'Bitte wähle einen anderen Namen.',
  not_host: () => 'Das kann nur der Gastgeber.',
  not_in_state: () => 'Das geht gerade nicht.',
  not_a_player: () => 'Du schaust zu. Das können nur Mitspieler.',
  not_racing: () => 'Du spielst in diesem Rennen nicht mit.',
  round_won: () => ROUND_WON,
  nobody_ready: () => 'Noch ist niemand bereit.',
  too_much_said: () => 'Nicht ganz so schnell.',
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
  no_hint: () => 'Kein hilfreicher Zug gefunden.',
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

/** @type {Record<number, string>} */
export const CLOSINGS = {
  '-1': 'Der Server lehnt diese Verbindung ab. Frag seinen Betreiber (WebSocket-Header).',
  1000: 'Du hast den Raum verlassen.',
  1001: 'Der Server wird heruntergefahren.',
  1009: 'Die Nachricht war zu lang für den Server.',
  1011: 'Auf dem Server ist etwas schiefgegangen.',
  4001: 'Der Server startet neu.',
  4002: 'Deine Verbindung war zu langsam.',
  4003: 'Der Stand des Rennens wird geladen.',
  4004: 'Deine Verbindung war zu lange still.',
  4005: 'Das waren zu viele Nachrichten auf einmal.',
  4500: 'Der Server versteht diese Seite nicht. Lade sie neu.',
  4501: 'Diese Seite ist veraltet. Lade sie neu.',
  4502: 'Deinen Platz gibt es nicht mehr. Tritt noch einmal bei.',
  4503: 'Du hast das Rennen in einem anderen Tab oder Fenster geöffnet.',
  4504: 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
  4505: 'Der Gastgeber hat dich aus dem Raum entfernt.',
  4506: 'Dieser Raum ist voll.',
  4507: 'Der Gastgeber hat dich nicht hereingelassen.',
};

/** Return why the connection was closed. @param {number} code */
export const closing = (code) => CLOSINGS[code] ?? 'Verbindung verloren.';

/** Return the sentence of a notice. @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** Return the reason of a refusal. @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'Das hat nicht geklappt.'; // a newer server may have newer codes
}

export const STUCK = 'Kein Zug mehr';

export const ROUND_WON =
  'Es hat schon jemand gewonnen. Du kannst das Rennen noch beenden, aber nicht mehr ohne Ergebnis abbrechen.';
const LONGEST =
  'Dieses Spiel hat die Höchstzahl an Zügen erreicht. Beende es: Deine Punkte zählen.';

/**
 * Return the question about a game in which no move is left.
 *
 * @param {Pick<TableView, 'stuck' | 'score' | 'legal'>} table
 */
export function stuckAsk({ stuck: reason, score, legal }) {
  /** @type {Record<string, string>} */
  const why = {
    stock_empty: 'Alle Karten sind ausgeteilt.',
    deal_too_few_cards: 'Zum Austeilen liegen zu wenige Karten auf dem Tisch.',
    game_too_long: 'Dieses Spiel hat die Höchstzahl an Zügen erreicht.',
  };
  const undo = legal.some(({ type }) => type === 'undo') ? ' oder zurücknehmen' : '';
  const ask = `Hier aufhören${undo}? Du behältst ${count(score, 'Punkt', 'Punkte')}.`;
  return [why[reason ?? ''], ask].filter(Boolean).join(' ');
}

/** Return the same in short, for the status line. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
export const several = (cards) =>
  cards.length > 3
    ? `${spoken(cards[0] ?? '')} bis ${spoken(cards.at(-1) ?? '')}`
    : cards.map(spoken).join(', ');

/** Return suits by their names. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return which suits an act has completed, and how many now are, or ''. @param {Effect} effect */
const completedSuits = ({ completed, complete, of }) =>
  completed.length > 0 ? `${suitNames(completed)} fertig, ${complete} von ${of}` : '';

/** Return the same after a colon. @param {Effect} effect */
const completing = (effect) => (effect.completed.length > 0 ? `: ${completedSuits(effect)}` : '');

/** Return the rank of a card of a named suit: aces as on their faces, jacks to kings spelled out. @param {string} card */
const rankOfSuit = (card) => (rank(card) === 1 ? shortRank(card) : rankName(card));

/** Return where cards were moved, and what they completed. @param {Effect} effect @param {string} to @param {string} turning */
function moved(effect, to, turning) {
  const { cards, completed, removed } = effect;
  if (removed.length === 0) {
    const also = completed.length > 0 ? ` ${completedSuits(effect)}.` : '';
    return `${several(cards)} auf ${pileName(to)} gelegt${turning}.${also}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && areOfCompleted(effect);
  const what = ranks ? `${rankOfSuit(first)}–${rankOfSuit(last)}` : several(cards);
  return `${what} auf ${pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the cards of a deal within its sentence: only screen readers need them. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? `: ${cards.map(spoken).join(', ')}` : '');

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
  const turning = turned.length > 0 ? `; ${list(turned.map(spoken))} aufgedeckt` : '';
  switch (action.type) {
    case 'move':
      return moved(effect, action.to, turning);
    case 'deal':
      return `Ausgeteilt${dealt(effect)}${completing(effect)}${turning}.`;
    case 'remove':
      return `Vollständige Farbe abgelegt: ${suitNames(removed)}, ${home} von ${of}${turning}.`;
    case 'undo':
      return 'Zurückgenommen.';
    case 'redo':
      return `Wiederholt${completing(effect)}.`;
    default:
      return 'Dein Spiel ist beendet.';
  }
}

export const EXCEPTION_OFF = 'In diesem Raum gibt es keine Ausnahmen.';

export const HINT_OFF = 'In diesem Raum gibt es keine Tipps.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'Tipp', 'Tipps');

/** @param {number} n */
export const hintLate = (n) => `Tipp ${n} galt für deinen Tisch vor dem letzten Zug.`;

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
      return `Tipp ${hints}: ${several(cards)} von ${pileName(action.from)} auf ${pileName(action.to)} legen.`;
    }
    case 'deal':
      return `Tipp ${hints}: austeilen.`;
    case 'remove':
      return `Tipp ${hints}: die vollständige Farbe von ${pileName(action.from)} ablegen.`;
    default:
      return `Tipp ${hints}: beenden, du hast gewonnen.`;
  }
}

/** @param {number} n */
export const exceptionMade = (n) => `Das war Ausnahme ${n}.`;

/** Return the explanation beside a count of cheats. @param {string} [undo] what can be undone in the room */
export const cheatRule = (undo) =>
  undo === 'counted'
    ? 'Wer etwas rückgängig macht, mogelt. Alle sehen, wie oft.'
    : 'Wer ein Austeilen oder Aufdecken zurücknimmt, mogelt. Alle sehen, wie oft.';

/** @param {number} n */
export const cheats = (n) => `${n === 1 ? 'einmal' : `${n}-mal`} gemogelt`;

/** @param {number} n */
export const cheatMade = (n) => `Damit hast du ${cheats(n)}.`;

export const NOT_CONNECTED = 'Keine Verbindung. Versuch es gleich noch einmal.';

export const NOT_LOADED = 'Das ließ sich nicht laden. Versuch es noch einmal.';

/** The offer to load a part of the page again. */
export const LATE = {
  text: 'Ein Teil der Seite ließ sich nicht laden.',
  again: 'Noch einmal versuchen',
  close: 'Schließen',
};

export const TAKING_SEAT = 'Du nimmst Platz…';

export const ASK = {
  leave: {
    title: 'Das Rennen verlassen?',
    text: 'Wenn du jetzt gehst, gibst du auf.',
    yes: 'Verlassen',
    no: 'Bleiben',
  },
  back: {
    title: 'Das Rennen verlassen?',
    text: 'Dein Platz bleibt dir, solange das Rennen läuft. Die Uhr läuft aber weiter.',
    yes: 'Verlassen',
    no: 'Bleiben',
  },
  elsewhere: {
    title: 'In einem anderen Tab geöffnet',
    yes: 'Hier spielen',
    no: 'Abbrechen',
  },
  closed: { title: 'Verbindung getrennt', yes: 'Neu laden' },
  forfeit: {
    title: 'Dieses Rennen aufgeben?',
    text: 'Du behältst deine Punkte. Willst du nur eine Pause machen? Schließ einfach die Seite: Solange das Rennen läuft, behältst du deinen Platz.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  forfeitRound: {
    title: 'Diese Runde aufgeben?',
    text: 'Du behältst deine Punkte. Willst du nur eine Pause machen? Schließ einfach die Seite: Solange die Runde läuft, behältst du deinen Platz.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  forfeitAlone: {
    title: 'Dieses Spiel beenden?',
    text: 'Du behältst deine Punkte.',
    yes: 'Beenden',
    no: 'Weiterspielen',
  },
  leaveAlone: {
    title: 'Dieses Spiel verlassen?',
    text: 'Dein Spiel endet damit.',
    yes: 'Verlassen',
    no: 'Bleiben',
  },
  backAlone: {
    title: 'Dieses Spiel verlassen?',
    text: 'Du kannst zurückkommen. Die Uhr läuft aber weiter.',
    yes: 'Verlassen',
    no: 'Bleiben',
  },
  restart: {
    title: 'Neu beginnen?',
    text: 'Du fängst mit denselben Karten noch einmal von vorn an.',
    yes: 'Neu beginnen',
    no: 'Weiterspielen',
  },
  restartSecret: {
    title: 'Neu beginnen?',
    text: 'Dieses Blatt ist geheim, bis dein Spiel vorbei ist. Gib erst auf und wähle dann auf der nächsten Seite „Dasselbe Blatt noch einmal“.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  finish: {
    title: 'Hier aufhören?',
    text: 'Es gibt keinen Zug mehr. Du behältst deine Punkte.',
    yes: 'Aufhören',
    no: 'Noch nicht',
  },
  kick: { title: 'Aus dem Raum entfernen?', yes: 'Entfernen', no: 'Abbrechen' },
  abort: {
    title: 'Das Rennen abbrechen?',
    text: 'Dann gibt es kein Ergebnis; alle kommen zurück in den Raum.',
    yes: 'Rennen abbrechen',
    no: 'Weiterspielen',
  },
  start: { title: 'Ohne sie starten?', yes: 'Starten', no: 'Warten' },
  leftOut: {
    title: 'Das nächste Rennen beginnt ohne dich',
    text: 'Du hast nicht rechtzeitig zugesagt. Du kannst zuschauen und beim übernächsten mitspielen.',
    yes: 'Raum verlassen',
    no: 'Zuschauen',
  },
  leftOutChase: {
    title: 'Das nächste Rennen beginnt ohne dich',
    text: 'Du hast nicht rechtzeitig zugesagt. Du kannst dasselbe Blatt trotzdem spielen, mit eigener Uhr.',
    yes: 'Mitspielen ohne Wertung',
    no: 'Zuschauen',
  },
};

export const NEWS = {
  lead: 'Du gehst in Führung.',
  go: 'Los!',
  stopped: 'Der Gastgeber hat das Rennen abgebrochen.',
  host: 'Du bist jetzt Gastgeber.',
  admitted: 'Der Gastgeber hat dich hereingelassen.',
  lost: 'Verbindung verloren.',
  back: 'Du bist wieder da.',
  forfeit: 'Du hast aufgegeben.',
  late: 'Das Rennen läuft schon. Beim nächsten spielst du mit.',
  lateChase: 'Das Rennen läuft schon. Du kannst dasselbe Blatt jetzt ohne Wertung spielen.',
  chasing: 'Du spielst dieses Blatt ohne Wertung, bis das Rennen endet.',
  cutOff:
    'Das Rennen ist vorbei und damit auch dein Spiel ohne Wertung. Du kannst dasselbe Blatt allein noch einmal spielen.',
};

/** The same news in a match of several rounds. */
export const ROUND_NEWS = {
  stopped: 'Der Gastgeber hat die Runde abgebrochen.',
  late: 'Die Runde läuft schon. Bei der nächsten spielst du mit.',
  lateChase: 'Die Runde läuft schon. Du kannst dasselbe Blatt jetzt ohne Wertung spielen.',
  chasing: 'Du spielst dieses Blatt ohne Wertung, bis die Runde endet.',
  cutOff:
    'Die Runde ist vorbei und damit auch dein Spiel ohne Wertung. Du kannst dasselbe Blatt allein noch einmal spielen.',
};

/** Return how a game of another player has ended. @param {Standing} standing */
export function ended(standing) {
  const { name, won, state, finished_ms } = standing;
  if (won) return `${name} ist nach ${clock(finished_ms ?? 0)} im Ziel.`;
  if (state === 'FORFEIT') return `${name} hat aufgegeben.`;
  return state === 'TIMED_OUT' ? `Für ${name} ist die Zeit abgelaufen.` : `${name} hat aufgehört.`;
}

/** Return that a player has taken the lead. @param {string} name */
export const leads = (name) => `${name} geht in Führung.`;

/** Return that a player has joined. @param {string} name */
export const joined = (name) => `${name} ist dazugekommen.`;

/** Return that a player has left. @param {string} name */
export const left = (name) => `${name} ist gegangen.`;

/** Return that a player waits for admission. @param {string} name */
export const asks = (name) => `${name} möchte mitmachen.`;

/** Return that a player wants the next race. @param {string} name @param {boolean} inMatch whether the next race is a round of the same match */
export const wants = (name, inMatch) =>
  inMatch ? `${name} ist bereit für die nächste Runde.` : `${name} möchte eine Revanche.`;

/** Return that a player has become the host. @param {string} name */
export const hosts = (name) => `${name} ist jetzt Gastgeber.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const startsIn = (seconds, inMatch) =>
  `${inMatch ? 'Die Runde' : 'Das Rennen'} startet in ${count(seconds, 'Sekunde', 'Sekunden')}.`;

/** @param {number} seconds @param {boolean} inMatch whether it is a round of several */
export const endsIn = (seconds, inMatch) => {
  const time =
    seconds < 60 ? count(seconds, 'Sekunde', 'Sekunden') : `${clock(seconds * 1_000)} Minuten`;
  return `${inMatch ? 'Die Runde' : 'Das Rennen'} endet in ${time}.`;
};

/** What is left after the first win, by its usual seconds. @type {Record<number, string>} */
const LAST = { 60: 'Letzte Minute', 120: 'Letzte zwei Minuten', 300: 'Letzte fünf Minuten' };

/** Return that a win has shortened the race. @param {number} seconds @param {string} name */
export const lastStretch = (seconds, name) =>
  `${LAST[seconds] ?? `Noch ${duration(seconds)}`}: ${name} ist im Ziel.`;

/** Return a time of the race: `3:07`, `1:02:03`. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** Return a time with tenths, for results. @param {number} ms */
export const exactClock = (ms) => `${clock(ms)},${Math.floor((ms % 1_000) / 100)}`;

/** Return a number with its noun. @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many) => `${String(n).replace('.', ',')} ${n === 1 ? one : many}`;

/** Return a place in the ranking: `2.`. @param {number} n */
export const ordinal = (n) => `${n}.`;

/** Return a room code in groups of three characters, for reading out. @param {string} code */
export const grouped = (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' ');

/** @type {Record<string, string>} */
export const GAMES = {
  'spider-1': 'Spider, eine Farbe',
  'spider-2': 'Spider, zwei Farben',
  'spider-4': 'Spider, vier Farben',
  'spiderette-1': 'Spiderette, eine Farbe',
  'spiderette-2': 'Spiderette, zwei Farben',
  'spiderette-4': 'Spiderette, vier Farben',
  'little-spider': 'Little Spider',
};

/** @type {Record<SettingsClash, string>} */
export const CLASHES = {
  score_not_of_game: 'Diese Wertung gibt es in diesem Spiel nicht.',
  option_not_of_game: 'Eine dieser Optionen gibt es in diesem Spiel nicht.',
  dos_without_undo: 'Bei der DOS-Wertung gibt es kein Rückgängig: Schalte es aus.',
  dos_by_hand: 'Bei der DOS-Wertung legst du Farben selbst ab.',
  number_of_numbered: 'Eine Nummer gibt es nur bei nummerierten Blättern.',
  seed_of_seeded: 'Ein Blatt aus einem Seed braucht einen Seed, andere Blätter haben keinen.',
};

/** Return the name of a game. @param {string} game */
export const gameName = (game) => GAMES[game] ?? game;

/** Return a duration in words. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return count(seconds, 'Sekunde', 'Sekunden');
  return seconds % 60 === 0
    ? count(seconds / 60, 'Minute', 'Minuten')
    : `${clock(seconds * 1_000)} Minuten`;
}

/** Return the result of a player. @param {Standing} standing @param {(ms: number) => string} [time] how times are written */
export function result(standing, time = exactClock) {
  if (standing.won) return `Im Ziel nach ${time(standing.finished_ms ?? 0)}`;
  if (standing.state === 'FORFEIT') return 'Aufgegeben';
  if (standing.state === 'TIMED_OUT') return 'Zeit abgelaufen';
  if (standing.state === 'CHASING') return 'Spielt ohne Wertung';
  return standing.state === 'FINISHED'
    ? `Aufgehört nach ${time(standing.finished_ms ?? 0)}`
    : 'Spielt';
}

export const OFFLINE = 'Du bist offline. Die Verbindung kommt von selbst zurück…';

export const TRY_NOW = 'Jetzt verbinden';

export const CONNECTED_ABOUT = 'Jeder Zug wird sofort gespeichert.';

/** Return the state of the connection. @param {State} state @param {number} seconds to the next try */
export function connectionState(state, seconds) {
  switch (state.connection) {
    case 'connecting':
      return state.me ? 'Verbindung verloren. Wird neu verbunden…' : 'Verbinden…';
    case 'waiting':
      return `${closing(state.closeCode)} Neuer Versuch${seconds > 0 ? ` in ${seconds} s` : ''}…`;
    case 'closed':
      return closing(state.closeCode);
    case 'on':
      return 'Verbunden';
    default:
      return '';
  }
}

/** Return this player's name in a list. @param {string} name */
export const you = (name) => `${name} (du)`;

export const LANDING = {
  tagline: 'Spiel Spider-Solitär mit deinen Freunden um die Wette. Gleiche Karten, gleicher Start.',
  play: 'Spielen',
  name: 'Dein Name',
  nameFirst: 'Bitte gib deinen Namen ein.',
  game: 'Spiel',
  suits: { 'spider-1': 'Eine Farbe', 'spider-2': 'Zwei Farben', 'spider-4': 'Vier Farben' },
  backTo: 'Zurück in Raum ',
  raceOn: 'Dein Rennen läuft noch',
  backToRace: 'Zurück ins Rennen',
  create: 'Raum öffnen',
  practice: 'Allein üben',
  or: 'oder bei Freunden mitspielen',
  code: 'Code oder Link',
  codeLabel: 'Raumcode oder Link',
  codeHint: 'Gib einen Raumcode ein oder füg den ganzen Link ein.',
  join: 'Beitreten',
  open: 'Offene Räume',
  invited: 'Du bist eingeladen in den Raum ',
  watch: 'Zuschauen',
  back: 'Zurück zur Startseite',
  tips: 'Tipps & Strategie',
  me: 'Ich',
  full: 'voll',
};

/** Return the facts about an open room in a line. @param {PublicRoom} room */
export function publicRoomFacts(room) {
  const state = { LOBBY: 'wartet', FINISHED: 'zwischen zwei Runden' }[String(room.state)];
  return `${gameName(room.game)} · ${count(room.players, 'Spieler', 'Spieler')} · ${state ?? 'Rennen läuft'}`;
}

/** @param {string} host */
export const joinRoomOf = (host) => `Raum von ${host} beitreten`;

export const FIRST_MOVE =
  'Zieh Karten, oder tipp erst eine Karte und dann einen Stapel an. Hilfe gibt es mit ?.';

export const PREFERENCES_TITLE = 'Meine Einstellungen';

/** The answer to a refused move while its reason is shown only on request. */
export const ASK_WHY = 'Das geht nicht. Warum, siehst du mit ?.';

/** The button beside a link. */
export const COPY = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Der Link ist markiert. Kopiere ihn mit der Tastatur oder durch langes Drücken.',
  share: 'Teilen',
  shareText: 'Spiel mit mir um die Wette Spider-Solitär!',
};

export const ONLY_HERE =
  'Dieser Link funktioniert nur auf diesem Computer. Um Freunde einzuladen, öffne die Seite über die Adresse des Computers.';

/** @param {string} host */
export const watchRoomOf = (host) => `Im Raum von ${host} zuschauen`;
