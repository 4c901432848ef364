// The sentences that every page needs from its start: the front page, cards and piles, refusals, and
// the status line. `core/language.js` adds the other files when their screens come.

import { dealtCards, rank, runs, suit } from '../../core/cards.js';

/**
 * @import {ErrorCode, PublicRoom, RefusalDetails, SettingsClash, Standing, TablePile, TableView} from '../../core/messages.d.ts'
 * @import {Attempt} from '../../core/table.js'
 * @import {Notice, State} from '../../core/reducer.js'
 */

export const LANGUAGE = 'Sprache';

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' };

const RANK_NAMES = ['Ass', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'Bube', 'Dame', 'König'];

/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** @param {string} card e.g. `9 of spades` */
export function spoken(card) {
  const name = rankName(card);
  return `${SUIT_NAMES[suit(card)]}${/\d/.test(name) ? ' ' : '-'}${name}`;
}

/** Cards are spelled out, since their faces have J and Q. @param {string} card */
export const short = spoken;

/** Return the card above, in the accusative: `eine 10`, `einen Buben`. @param {string} card */
function rankAbove(card) {
  const name = RANK_NAMES[rank(card)];
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

/** @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'Talon';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** @param {readonly string[]} names */
export function list(names) {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'Diese Karte passt dort nicht.';
  const needs = rankAbove(card);
  if (!needs) return `${spoken(card)} passt nur auf einen leeren Stapel.`;
  const where = piles.at(-1);
  const ends = onto ? `; ${where ? pileName(where) : 'der Stapel'} endet mit ${spoken(onto)}` : '';
  return `${spoken(card)} passt nur auf ${needs}${ends}.`;
}

/** @param {RefusalDetails} details */
function emptyColumns({ piles }) {
  return piles.length > 0
    ? `Solange ${list(piles.map(pileName))} leer ${piles.length > 1 ? 'sind' : 'ist'}, wird nicht ausgeteilt.`
    : 'Solange ein Stapel leer ist, wird nicht ausgeteilt.';
}

/** @param {RefusalDetails} details */
const someCards = ({ cards }) => list(cards.map(spoken));

/** @type {Record<ErrorCode, (details: RefusalDetails) => string>} */
export const REFUSALS = {
  bad_message: () => 'Der Server hat diese Seite nicht verstanden. Lade sie neu.',
  not_joined: () => 'Du bist noch in keinem Raum.',
  already_joined: () => 'Du hast deinen Platz schon.',
  try_again: () => 'Das ging gerade nicht. Versuch es noch einmal.',
  no_such_room: () => 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
  room_full: () => 'Dieser Raum ist voll.',
  room_locked: () => 'Der Gastgeber hat diesen Raum abgeschlossen. Niemand kann mehr dazukommen.',
  banned: () => 'Der Gastgeber hat dich aus diesem Raum entfernt. Du kannst nicht wieder hinein.',
  one_seat: () =>
    'In diesem Raum gibt es einen Platz pro Person, und dein Browser oder dein Netz hatte schon einen.',
  too_many_seats: () => 'In diesem Raum sind schon zu viele Spieler aus deinem Netz.',
  too_many_joins: () =>
    'Von hier kamen zu viele Versuche. Warte ein wenig und versuch es dann noch einmal.',
  too_many_rooms: () =>
    'Zu viele Räume aus deinem Netz. Warte ein wenig und versuch es dann noch einmal.',
  server_full: () =>
    'Hier sind gerade zu viele Räume offen. Versuch es in ein paar Minuten noch einmal.',
  store_full: () => 'Der Server ist gerade voll. Versuch es in ein paar Minuten noch einmal.',
  bad_token: () => 'Dieser Platz gehört jemand anderem.',
  bad_name: () => 'Bitte wähle einen anderen Namen.',
  not_host: () => 'Das kann nur der Gastgeber.',
  not_in_state: () => 'Das geht im Moment nicht.',
  not_a_player: () => 'Du schaust zu; das können nur Mitspieler.',
  not_racing: () => 'Du spielst in diesem Rennen nicht mit.',
  round_won: () => ROUND_WON,
  nobody_ready: () => 'Noch ist niemand bereit.',
  too_much_said: () => 'Das war viel auf einmal: Warte ein wenig.',
  no_such_seat: () => 'Diese Person ist nicht im Raum.',
  no_chasers: () => 'Wer zu spät kommt, schaut in diesem Raum nur zu.',
  boards_are_hidden: () => 'Solange das Rennen läuft, sind die Tische verdeckt.',
  bad_settings: ({ fields, reason }) =>
    reason
      ? (CLASHES[reason] ?? 'Diese Einstellungen passen nicht zusammen.')
      : fields.length > 0
        ? `Diese Einstellungen passen nicht zusammen: ${list(fields)}.`
        : 'Diese Einstellungen passen nicht zusammen.',
  no_such_game: () => 'Dieses Match hat kein Spiel mit dieser Nummer.',
  game_played: () => 'Dieses Spiel ist schon gespielt. Wähle ein anderes.',
  bad_deal_number: () => 'Ein Blatt mit dieser Nummer gibt es nicht.',
  early: () => 'Das Rennen hat noch nicht begonnen.',
  too_late: () => 'Das Rennen ist vorbei.',
  stale: () => 'Dein Tisch war nicht auf dem neuesten Stand; so liegt er wirklich.',
  too_many_in_flight: () => 'Zu schnell für die Leitung: Warte auf die letzten Züge.',
  game_over: () => 'Dein Spiel ist beendet.',
  game_too_long: () => LONGEST,
  no_such_pile: () => 'Dorthin lässt sich nichts legen.',
  same_pile: () => 'Dort liegen die Karten schon.',
  pile_empty: ({ piles }) =>
    piles[0] && piles[0] !== 'stock'
      ? `Auf ${pileName(piles[0])} liegt keine Karte.`
      : 'Dort liegt keine Karte.',
  not_enough_cards: ({ piles }) =>
    `Auf ${piles[0] ? pileName(piles[0]) : 'diesem Stapel'} liegen weniger Karten.`,
  face_down: () => 'Verdeckte Karten lassen sich nicht bewegen.',
  not_a_run: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} sind keine Folge.`
      : 'Diese Karten sind keine Folge.',
  mixed_suits: (details) =>
    details.cards.length > 1
      ? `${someCards(details)} sind nicht von einer Farbe und lassen sich darum nicht zusammen bewegen.`
      : 'Nur Karten einer Farbe lassen sich zusammen bewegen.',
  wrong_rank: wrongRank,
  deal_stock_empty: () => 'Alle Karten sind ausgeteilt.',
  deal_empty_column: emptyColumns,
  deal_too_few_cards: () => 'Es liegen zu wenige Karten auf dem Tisch, um jeden Stapel zu füllen.',
  not_a_complete_suit: ({ piles }) =>
    `${piles[0] ? pileName(piles[0]) : 'Dieser Stapel'} endet nicht mit einer vollständigen Farbe.`,
  not_finished: () => 'Das Spiel ist noch nicht fertig.',
  nothing_to_undo: () => 'Es gibt nichts zurückzunehmen.',
  undo_reveals: () => 'Dieser Zug hat eine Karte aufgedeckt oder ausgeteilt: Er bleibt.',
  undo_is_off: () => 'In diesem Raum wird nichts zurückgenommen.',
  nothing_to_redo: () => 'Es gibt nichts zu wiederholen.',
  hints_are_off: () => HINT_OFF,
  no_hint: () => 'Es ist kein Zug in Sicht, der hilft.',
  exceptions_are_off: () => EXCEPTION_OFF,
  exception_not_asked: () => 'Diese Farben sind gemischt: Verlange zuerst eine Ausnahme (Taste X).',
  exception_not_needed: () => 'Dafür braucht es keine Ausnahme: Der Zug ist erlaubt.',
  action_unknown_to_game: () => 'Diesen Zug gibt es in diesem Spiel nicht.',
  one_card_at_a_time: () => 'In diesem Spiel wird immer nur eine Karte bewegt.',
  foundation_is_final: () => 'Was auf einer Ablage liegt, bleibt dort.',
  wrong_foundation_suit: ({ cards: [card, last] }) =>
    card && last
      ? `${spoken(card)} folgt nicht auf ${spoken(last)}: Eine Ablage ist von einer Farbe.`
      : 'Eine Ablage ist von einer Farbe.',
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
  1000: 'Du hast den Raum verlassen.',
  1001: 'Der Server wird beendet.',
  1009: 'Das war mehr, als der Server liest.',
  1011: 'Auf dem Server ist etwas schiefgegangen.',
  4001: 'Der Server wird neu gestartet.',
  4002: 'Die Leitung kam nicht mit.',
  4003: 'Das Rennen wird aufgeholt.',
  4004: 'Die Leitung ist verstummt.',
  4005: 'Das waren zu viele Nachrichten auf einmal.',
  4500: 'Der Server versteht diese Seite nicht. Lade sie neu.',
  4501: 'Diese Seite ist von einer anderen Version als der Server. Lade sie neu.',
  4502: 'Deinen Platz gibt es hier nicht mehr. Komm noch einmal herein.',
  4503: 'Das Rennen wurde in einem anderen Tab oder Fenster geöffnet.',
  4504: 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
  4505: 'Der Gastgeber hat dich aus dem Raum entfernt.',
  4506: 'Dieser Raum ist voll.',
  4507: 'Der Gastgeber hat dich nicht hereingelassen.',
};

/** @param {number} code */
export const closing = (code) => CLOSINGS[code] ?? 'Die Verbindung ist abgebrochen.';

/** Return the sentence of a notice. @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'Das wurde abgelehnt.'; // a newer server may have newer codes
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
  const ask = `Hier aufhören${undo}? Es bleibt bei ${count(score, 'Punkt', 'Punkten')}.`;
  return [why[reason ?? ''], ask].filter(Boolean).join(' ');
}

/** Return the same in short, for the status line. @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
export const several = (cards) =>
  cards.length > 3
    ? `${spoken(cards[0] ?? '')} bis ${spoken(cards.at(-1) ?? '')}`
    : cards.map(spoken).join(', ');

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
  const turning = turned.length > 0 ? `; ${list(turned.map(spoken))} aufgedeckt` : '';
  switch (action.type) {
    case 'move': {
      const cards = after.find((pile) => pile.id === action.to)?.up.slice(-action.count) ?? [];
      return `${several(cards)} auf ${pileName(action.to)} gelegt${turning}.`;
    }
    case 'deal':
      return `Ausgeteilt: ${dealtCards(before, after).map(spoken).join(', ')}.`;
    case 'remove':
      return `Eine vollständige Farbe ist abgelegt${turning}.`;
    case 'undo':
      return 'Zurückgenommen.';
    case 'redo':
      return 'Wiederholt.';
    default:
      return 'Dein Spiel ist beendet.';
  }
}

export const EXCEPTION_OFF = 'In diesem Raum gibt es keine Ausnahmen.';

export const HINT_OFF = 'In diesem Raum gibt es keine Tipps.';

/** @param {number} n e.g. `2nd` */
export const hintsTaken = (n) => count(n, 'Tipp', 'Tipps');

/** @param {number} n e.g. `2nd` */
export const hintLate = (n) => `Tipp ${n} galt dem Tisch, wie er vorher war.`;

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

/** @param {number} n e.g. `2nd` */
export const exceptionMade = (n) => `Das war Ausnahme ${n}.`;

export const CHEAT =
  'Gemogelt hat, wer ein Austeilen oder Aufdecken zurücknimmt. Alle sehen, wie oft.';

/** @param {number} n e.g. `2nd` */
export const cheats = (n) => `${n === 1 ? 'einmal' : `${n}-mal`} gemogelt`;

/** @param {number} n e.g. `2nd` */
export const cheatMade = (n) => `Damit hast du ${cheats(n)}.`;

export const NOT_CONNECTED = 'Keine Verbindung: Das muss warten.';

export const NOT_LOADED = 'Das ließ sich nicht laden. Versuch es noch einmal.';

export const TAKING_SEAT = 'Dein Platz wird eingenommen…';

export const ASK = {
  leave: {
    title: 'Das Rennen verlassen?',
    text: 'Damit gibst du auf.',
    yes: 'Verlassen',
    no: 'Bleiben',
  },
  elsewhere: {
    title: 'Anderswo geöffnet',
    yes: 'Hier weiterspielen',
    no: 'Dort lassen',
  },
  closed: { title: 'Die Verbindung ist beendet', yes: 'Neu laden' },
  forfeit: {
    title: 'Dieses Rennen aufgeben?',
    text: 'Deine Punkte bleiben, wie sie sind, und du kannst den anderen zusehen. Willst du später weiterspielen, schließ einfach die Seite: Solange das Rennen läuft, bleibt dein Platz frei.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  restart: {
    title: 'Neu beginnen?',
    text: 'Dieselben Karten werden noch einmal ausgeteilt. Was du bisher gespielt hast, ist dann weg.',
    yes: 'Neu beginnen',
    no: 'Weiterspielen',
  },
  restartSecret: {
    title: 'Neu beginnen?',
    text: 'Dieses Blatt ist geheim, solange gespielt wird. Gib es auf, dann teilt „Dasselbe Blatt noch einmal“ auf der nächsten Seite es neu aus.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  finish: {
    title: 'Hier aufhören?',
    text: 'Es gibt keinen Zug mehr. Deine Punkte bleiben, wie sie sind.',
    yes: 'Aufhören',
    no: 'Noch nicht',
  },
  kick: { title: 'Aus dem Raum entfernen?', yes: 'Entfernen', no: 'Behalten' },
  abort: {
    title: 'Das Rennen abbrechen?',
    text: 'Dann gibt es kein Ergebnis; alle kommen zurück in den Raum.',
    yes: 'Abbrechen',
    no: 'Weiterlaufen lassen',
  },
  start: { title: 'Ohne sie beginnen?', yes: 'Beginnen', no: 'Warten' },
};

export const NEWS = {
  lead: 'Du gehst in Führung.',
  go: 'Los!',
  soon: 'In fünf Sekunden geht es los.',
  stopped: 'Der Gastgeber hat das Rennen abgebrochen.',
  host: 'Du bist jetzt Gastgeber.',
  admitted: 'Der Gastgeber hat dich hereingelassen.',
  lost: 'Die Verbindung ist abgebrochen.',
  rematch: 'Für eine Revanche ist ein neuer Raum offen: Komm mit.',
  rematchMine: 'Das ist der neue Raum. Die anderen erfahren davon.',
  back: 'Du bist wieder da.',
  forfeit: 'Du hast aufgegeben.',
  late: 'Das Rennen läuft schon: Du schaust zu und spielst beim nächsten mit.',
};

/** @param {Standing} standing */
export function ended(standing) {
  const { name, won, state, finished_ms } = standing;
  if (won) return `${name} ist im Ziel nach ${exactClock(finished_ms ?? 0)}.`;
  if (state === 'FORFEIT') return `${name} hat aufgegeben.`;
  return state === 'TIMED_OUT' ? `${name}: Zeit abgelaufen.` : `${name} hat aufgehört.`;
}

/** Return this player's name in a list. @param {string} name */
export const leads = (name) => `${name} geht in Führung.`;

/** Return this player's name in a list. @param {string} name */
export const joined = (name) => `${name} ist dazugekommen.`;

/** Return this player's name in a list. @param {string} name */
export const left = (name) => `${name} ist gegangen.`;

/** Return this player's name in a list. @param {string} name */
export const asks = (name) => `${name} möchte mitmachen.`;

/** Return this player's name in a list. @param {string} name */
export const hosts = (name) => `${name} ist jetzt Gastgeber.`;

/** @param {number} seconds */
export const endsIn = (seconds) => `Das Rennen endet in ${count(seconds, 'Sekunde', 'Sekunden')}.`;

/** @param {number} ms e.g. `3:07`, `1:02:03` */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** Return a time with tenths, for results. @param {number} ms */
export const exactClock = (ms) => `${clock(ms)},${Math.floor((ms % 1_000) / 100)}`;

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many) => `${String(n).replace('.', ',')} ${n === 1 ? one : many}`;

/** @param {number} n e.g. `2nd` */
export const ordinal = (n) => `${n}.`;

/** @param {string} code in groups, for reading out */
export const grouped = (code) => code.replace(/^(.{3})(.{3})(.{4})$/, '$1 $2 $3');

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
  dos_without_undo: 'Bei der DOS-Wertung wird nichts zurückgenommen: Schalte „Rückgängig“ aus.',
  dos_by_hand: 'Bei der DOS-Wertung werden Farben von Hand abgelegt.',
  number_of_numbered: 'Eine Nummer gehört zu einem nummerierten Blatt.',
  seed_of_seeded: 'Ein Seed gehört zum Blatt aus einem Seed, und das braucht einen.',
};

/** @param {string} game */
export const gameName = (game) => GAMES[game] ?? game;

/** @param {number} seconds */
export function duration(seconds) {
  return seconds % 60 === 0
    ? count(seconds / 60, 'Minute', 'Minuten')
    : `${clock(seconds * 1_000)} Minuten`;
}

/** @param {Standing} standing */
export function result(standing) {
  if (standing.won) return `Im Ziel nach ${exactClock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'FORFEIT') return 'Aufgegeben';
  if (standing.state === 'TIMED_OUT') return 'Zeit abgelaufen';
  if (standing.state === 'CHASING') return 'Holt auf';
  return standing.state === 'FINISHED'
    ? `Beendet nach ${exactClock(standing.finished_ms ?? 0)}`
    : 'Spielt';
}

export const OFFLINE = 'Du bist offline. Sobald es wieder ein Netz gibt, geht es weiter.';

export const TRY_NOW = 'Jetzt versuchen';

export const CONNECTED_ABOUT = 'Was du tust, wird sofort gespeichert.';

/** Return the state of the connection. @param {State} state @param {number} seconds to the next try */
export function connectionState(state, seconds) {
  switch (state.connection) {
    case 'connecting':
      return state.me ? 'Verbindung verloren. Neue Verbindung…' : 'Verbinden…';
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
  tagline: 'Dasselbe Blatt, im selben Moment, für dich und deine Freunde.',
  play: 'Spielen',
  name: 'Dein Name',
  nameFirst: 'Bitte sag zuerst, wie du heißt.',
  game: 'Spiel',
  suits: { 'spider-4': 'Vier Farben', 'spider-2': 'Zwei Farben', 'spider-1': 'Eine Farbe' },
  backTo: 'Zurück in Raum ',
  create: 'Raum öffnen',
  practice: 'Allein üben',
  or: 'oder zu Freunden dazu',
  code: 'Code oder Link',
  codeLabel: 'Code des Raums oder Link',
  codeHint: 'Ein Code hat zehn Buchstaben und Ziffern; auch der ganze Link ist recht.',
  join: 'Beitreten',
  open: 'Offene Räume',
  invited: 'Du bist eingeladen in den Raum ',
  joinRace: 'Mitspielen',
  watch: 'Zuschauen',
  back: 'Zurück zur Startseite',
  tips: 'Tipps für bessere Spiele',
};

/** @param {PublicRoom} room */
export function publicRoom(room) {
  const state = { LOBBY: 'wartet', FINISHED: 'zwischen zwei Runden' }[String(room.state)];
  return `${gameName(room.game)} · ${count(room.players, 'Spieler', 'Spieler')} · ${state ?? 'Rennen läuft'}`;
}

/** @param {string} host */
export const joinRoomOf = (host) => `Dem Raum von ${host} beitreten`;

export const FIRST_MOVE =
  'Zieh Karten, oder tippe sie an und dann den Stapel, auf den sie sollen. Mehr sagt das ?.';

export const PREFERENCES_TITLE = 'Meine Einstellungen';

/** The answer to a refused move while its reason is shown only on request. */
export const ASK_WHY = 'Das geht nicht. Die Taste ? sagt, warum.';

/** The button beside a link. */
export const COPY = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Der Link ist markiert: Kopiere ihn mit der Tastatur oder durch langes Drücken.',
};
