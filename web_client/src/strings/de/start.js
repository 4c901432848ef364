// Alle Sätze auf Deutsch, unter den Namen des englischen Katalogs `strings.js`.

import { dealtCards, rank, runs, suit } from '../../core/cards.js';

/**
 * @import {ErrorCode, PublicRoom, RefusalDetails, RoomView, SeatView, Settings, Standing, TablePile, TableView} from '../../core/messages.d.ts'
 * @import {Attempt} from '../../core/table.js'
 * @import {Notice, State} from '../../core/reducer.js'
 */

export const LANGUAGE = 'Sprache';

// Karten und Stapel

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' };
const RANK_NAMES = ['Ass', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'Bube', 'Dame', 'König'];

/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** @param {string} card z. B. `Pik 9`, `Kreuz-Bube` */
export function spoken(card) {
  const name = rankName(card);
  return `${SUIT_NAMES[suit(card)]}${/\d/.test(name) ? ' ' : '-'}${name}`;
}

/** Auf den Karten steht J und Q, darum ausgeschrieben. @param {string} card */
export const short = spoken;

/** Worauf eine Karte passt, im Akkusativ: `eine 10`, `einen Buben`. @param {string} card */
function rankAbove(card) {
  const name = RANK_NAMES[rank(card)];
  if (name === 'Bube') return 'einen Buben';
  return name === 'König' ? 'einen König' : name && `eine ${name}`;
}

/**
 * Was auf einem Stapel liegt, zum Hören: `4 verdeckt; Folge Pik 9 bis 7, Herz 3`.
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

// Warum etwas nicht geht

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
  round_won: () => POWERS.won,
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

/** @param {Notice} notice */
export function sentence(notice) {
  if (notice.kind === 'closed') return closing(notice.close);
  return notice.code ? refusal(notice.code, notice.details) : '';
}

/** @param {ErrorCode} code @param {RefusalDetails} details */
export function refusal(code, details) {
  const say = REFUSALS[code];
  return say ? say(details) : 'Das wurde abgelehnt.'; // ein neuerer Server kennt neuere Gründe
}

export const STUCK = 'Kein Zug mehr';
const LONGEST =
  'Dieses Spiel hat die Höchstzahl an Zügen erreicht. Beende es: Deine Punkte zählen.';
export const KEEP_LOOKING = 'Weitersuchen';

/** @param {Pick<TableView, 'stuck' | 'score' | 'legal'>} table */
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

/** @param {Pick<TableView, 'score' | 'legal'>} table */
export const stuck = ({ score, legal }) => `${STUCK}. ${stuckAsk({ stuck: null, score, legal })}`;

/** @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${spoken(cards[0] ?? '')} bis ${spoken(cards.at(-1) ?? '')}`
    : cards.map(spoken).join(', ');

/**
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export function done(action, before, after) {
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

export const EXCEPTION_ASKED =
  'Ausnahme: Der nächste Zug darf eine Folge aus gemischten Farben bewegen.';
export const EXCEPTION_DROPPED = 'Doch keine Ausnahme.';
export const EXCEPTION_FREE =
  'Ausnahmen musst du hier nicht verlangen: Nimm einfach eine gemischte Folge.';
export const EXCEPTION_OFF = 'In diesem Raum gibt es keine Ausnahmen.';
export const HINT_OFF = 'In diesem Raum gibt es keine Tipps.';

/** @param {number} n */
export const hintsTaken = (n) => count(n, 'Tipp', 'Tipps');

/** @param {number} n */
export const hintLate = (n) => `Tipp ${n} galt dem Tisch, wie er vorher war.`;

/**
 * @param {{action: Attempt, hints: number}} hint
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

export const CHEAT =
  'Gemogelt hat, wer ein Austeilen oder Aufdecken zurücknimmt. Alle sehen, wie oft.';

/** @param {number} n */
export const cheats = (n) => `${n === 1 ? 'einmal' : `${n}-mal`} gemogelt`;

/** @param {number} n */
export const cheatMade = (n) => `Damit hast du ${cheats(n)}.`;

// Die Seite hinter allem

export const NOT_CONNECTED = 'Keine Verbindung: Das muss warten.';
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

/** @param {string} name @param {boolean} racing */
export const kickText = (name, racing) =>
  racing
    ? `${name} verliert den Platz, und das Rennen gilt als aufgegeben.`
    : `${name} verliert den Platz und kann über den Link wiederkommen.`;

/** @param {number} n */
export const onlyWatch = (n) =>
  n === 1
    ? 'Eine Person ist nicht bereit und würde bei diesem Rennen nur zuschauen.'
    : `${n} Personen sind nicht bereit und würden bei diesem Rennen nur zuschauen.`;

// Was die Statuszeile von den anderen und vom Raum erzählt

export const TOLD = {
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
/** @param {string} name */
export const leads = (name) => `${name} geht in Führung.`;
/** @param {string} name */
export const joined = (name) => `${name} ist dazugekommen.`;
/** @param {string} name */
export const left = (name) => `${name} ist gegangen.`;
/** @param {string} name */
export const asks = (name) => `${name} möchte mitmachen.`;
/** @param {string} name */
export const hosts = (name) => `${name} ist jetzt Gastgeber.`;
/** @param {number} seconds */
export const endsIn = (seconds) => `Das Rennen endet in ${count(seconds, 'Sekunde', 'Sekunden')}.`;

// Zeiten und Zahlen

/** @param {number} ms z. B. `3:07`, `1:02:03` */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** @param {number} ms */
export const exactClock = (ms) => `${clock(ms)},${Math.floor((ms % 1_000) / 100)}`;

/** @param {number} n @param {string} one @param {string} many */
const count = (n, one, many) => `${String(n).replace('.', ',')} ${n === 1 ? one : many}`;

/** @param {number} n */
export const ordinal = (n) => `${n}.`;

// Das Blatt

export const PROOF = {
  good: 'Blatt geprüft',
  bad: 'Blatt nicht bestätigt',
  open: 'Offenes Blatt',
  sealed:
    'Seed und Salt passen zu dem Siegel, das vor dem Rennen gezeigt wurde, und dieser Browser hat aus dem Seed dieselben Karten ausgeteilt.',
  otherSeal: 'Seed und Salt passen nicht zu dem Siegel, das vor dem Rennen gezeigt wurde.',
  otherDeck: 'Das sind nicht die Karten, die der Seed ergibt.',
  seeded:
    'Es war schon vor dem Rennen offen, also gibt es nichts zu prüfen. Dieser Browser hat aus seinem Seed dieselben Karten ausgeteilt.',
  numbered:
    'Es war schon vor dem Rennen offen, also gibt es nichts zu prüfen. Alle können es nachschlagen und noch einmal spielen.',
};

// Räume

/** @param {string} code in Gruppen, zum Vorlesen */
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

/** @type {Record<string, string>} */
export const PRESETS = {
  friends: 'Rennen unter Freunden',
  classic: 'Klassisch 1989',
  arachnid: 'Arachnid',
  'dos-hard': 'DOS 1987, schwer',
  'dos-easy': 'DOS 1987, leicht',
  'serenity-1': 'In Ruhe, eine Farbe',
  'serenity-2': 'In Ruhe, zwei Farben',
  windows: 'Windows',
  spiderette: 'Spiderette',
  'little-spider': 'Little Spider',
};

/** @type {Record<string, string>} */
export const SCORES = {
  woods: 'Woods: Punkte für Aufgedecktes, in Farbe Gelegtes, Abgelegtes',
  dos: 'DOS 1987',
  cards: 'Abgelegte Karten',
  moves: 'Windows: 500 minus Züge',
};

export const BAD_SEED =
  'Ein Seed besteht aus 32 Ziffern und Buchstaben von a bis f, wie er im Ergebnis einer Runde steht.';

/** @type {Record<string, string>} */
export const LAYOUTS = {
  left4: 'Stapel 1 bis 4: sechs Karten statt fünf',
  spread: 'Stapel 1, 4, 7, 10: sechs Karten statt fünf',
};

/** @type {Record<import('../../core/messages.d.ts').SettingsClash, string>} */
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

/** @param {SeatView} seat */
export function seatState(seat) {
  switch (seat.state) {
    case 'READY':
      return 'Bereit';
    case 'SEATED':
      return 'Nicht bereit';
    case 'RACING':
      return 'Spielt';
    case 'CHASING':
      return 'Spielt nach';
    case 'FINISHED':
      return 'Fertig';
    case 'FORFEIT':
      return 'Aufgegeben';
    case 'TIMED_OUT':
      return 'Zeit abgelaufen';
    default:
      return 'Schaut zu';
  }
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

/** @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated } = standing;
  const late = late_ms === null ? [] : [`${clock(late_ms)} später begonnen, außer Wertung`];
  const acts = restored === 1 ? 'ein Zug' : `${restored} Züge`;
  const back = restored > 0 ? [`${acts} nach einem Datenverlust nachgereicht`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  const cut = late_ms !== null && standing.state === 'TIMED_OUT';
  return [cut ? 'Bis zum Ende mitgespielt' : result(standing), ...late, ...helped, ...back].join(
    ' · ',
  );
}

/** @param {Standing} standing */
export function standingShort(standing) {
  const rest = standing.state === 'RACING' ? '' : ` · ${result(standing)}`;
  return `${standing.name} · ${standing.score}${rest}`;
}

/** @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'Punkt', 'Punkte')}, ${standing.face_down} verdeckt, ${count(standing.suits, 'Farbe', 'Farben')} abgelegt. Vergrößern`;

/** @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0
    ? 'Die Tische sind live zu sehen.'
    : `Die Tische sind ${count(seconds, 'Sekunde', 'Sekunden')} später zu sehen.`;

/** @param {{connection: string}} seat */
export function connection(seat) {
  return { on: 'verbunden', grace: 'Verbindung verloren', gone: 'abwesend' }[seat.connection] ?? '';
}

export const OFFLINE = 'Du bist offline. Sobald es wieder ein Netz gibt, geht es weiter.';
export const TRY_NOW = 'Jetzt versuchen';
export const CONNECTED_ABOUT = 'Was du tust, wird sofort gespeichert.';

/** @param {State} state @param {number} seconds */
export function line(state, seconds) {
  switch (state.line) {
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

/** @param {RoomView} room */
export function waitingFor(room) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'Alle sind bereit.';
  if (players.length === 1) return 'Teile den Link, oder beginne allein, um zu üben.';
  return `Es fehlt noch: ${list(unready.map((seat) => seat.name))}. Sind alle bereit, geht es von selbst los.`;
}

/** @param {string} name */
export const you = (name) => `${name} (du)`;

// Die Startseite und die Seite hinter einem Link

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

// Der Raum

export const ROOM = {
  link: 'Link zu diesem Raum',
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Der Link ist markiert: Kopiere ihn mit der Tastatur oder durch langes Drücken.',
  qr: 'QR-Code des Links',
  invite: 'Freunde einladen',
  code: 'Code des Raums',
  players: 'Mitspieler',
  settings: 'Einstellungen',
  rules: 'Die Regeln hier',
  ready: 'Ich bin bereit',
  unready: 'Doch noch nicht bereit',
  sit: 'Mitspielen',
  start: 'Jetzt beginnen',
  startAlone: 'Allein beginnen',
  leave: 'Verlassen',
  you: 'du',
  host: 'Gastgeber',
  kick: 'Entfernen',
};

/** @param {string} name */
export const kickLabel = (name) => `${name} aus dem Raum entfernen`;

export const POWERS = {
  title: 'Du bist Gastgeber',
  end: 'Wer noch spielt, bekommt höchstens noch:',
  abort: 'Rennen abbrechen',
  abortAbout: 'Oder ohne Ergebnis beenden:',
  won: 'Es hat schon jemand gewonnen. Du kannst das Rennen noch beenden, aber nicht mehr ohne Ergebnis abbrechen.',
  close: 'Schließen',
};

/** @param {number} seconds */
export const graceOf = (seconds) =>
  seconds < 60 ? count(seconds, 'Sekunde', 'Sekunden') : limit(seconds);

export const SETTINGS = {
  preset: 'Vorlage',
  own: 'Eigene',
  game: 'Spiel',
  deal: 'Blatt',
  deals: { secret: 'Neu, geheim', numbered: 'Nach Nummer', seed: 'Aus einem Seed' },
  number: 'Nummer des Blatts',
  seed: 'Seed',
  layout: 'Längere Stapel',
  exceptions: 'Ausnahmen',
  exceptionLevels: { off: 'Keine', easy: 'Leicht: frei', hard: 'Schwer: Taste X' },
  undo: 'Rückgängig',
  undos: {
    no_reveal: 'Ohne Aufdecken',
    any: 'Alles, gezählt',
    free: 'Alles',
    off: 'Aus',
  },
  score: 'Wertung',
  ranking: 'Wer gewinnt',
  rankings: { first_home: 'Zuerst im Ziel', best_score: 'Meiste Punkte' },
  limit: 'Zeitlimit',
  noLimit: 'Ohne Limit',
  rounds: 'Runden',
  match: 'Im Match zählen',
  matches: { wins: 'Gewonnene Runden', score: 'Alle Punkte' },
  spectate: 'Zuschauer sehen',
  spectacles: { standings: 'Den Stand', boards: 'Die Tische' },
  delay: 'Tische verzögert um (Sekunden)',
  auto: 'Vollständige Farben werden von selbst abgelegt',
  relaxed: 'Austeilen geht auch auf leere Stapel',
  hints: 'Tipps sind erlaubt und werden gezählt',
  chasers:
    'Wer zu spät kommt, darf dasselbe Blatt spielen (ohne Wertung) und sieht Karten, die andere noch nicht aufgedeckt haben',
  public: 'Diesen Raum auf der Startseite zeigen',
};

/** @param {number} seconds */
export function limit(seconds) {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 1 && hours % 1 === 0
    ? count(hours, 'Stunde', 'Stunden')
    : count(Math.round(minutes * 10) / 10, 'Minute', 'Minuten');
}

// Was man einander sagt

export const CHAT = {
  title: 'Chat',
  log: 'Was gesagt wurde',
  empty: 'Noch hat niemand etwas gesagt.',
  emotes: 'Kurz gesagt',
  emoteWords: {
    good_luck: 'Viel Glück!',
    well_played: 'Gut gespielt!',
    wow: 'Wow!',
    oops: 'Hoppla!',
    hurry: 'Mach hin!',
    thanks: 'Danke!',
  },
  placeholder: 'Sag etwas',
  send: 'Senden',
  mute: 'Stummschalten…',
  close: 'Chat schließen',
};

/** @param {number} n */
export const chatUnread = (n) => (n > 0 ? `Chat, ${n} ungelesen` : 'Chat');
/** @param {string} name @param {string} words */
export const says = (name, words) => `${name}: ${words}`;
/** @param {string} name @param {boolean} muted */
export const muteVoice = (name, muted) =>
  muted ? `${name} wieder hören` : `${name} stummschalten`;

// Der Countdown und das Rennen

export const GO = 'Los!';

export const FIRST_MOVE =
  'Zieh Karten, oder tippe sie an und dann den Stapel, auf den sie sollen. Mehr sagt das ?.';

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) =>
  `${gameName(game)}${number ? `, Blatt ${number}` : ''}`;

/** @param {string} start */
export const sealedDeal = (start) =>
  `Das Blatt ist versiegelt als ${start}…: Nach dem Rennen kann jeder prüfen, dass es niemand verändert hat.`;

export const STOP = 'Abbrechen';

export const HEADER = {
  time: 'Zeit',
  score: 'Punkte',
  moves: 'Züge',
  exceptions: 'Ausnahmen',
  hints: 'Tipps',
  faceDown: 'verdeckt',
  home: 'fertig',
  cheats: 'gemogelt',
  mute: 'Stumm',
  colours: 'Vier Kartenfarben',
  restart: 'Neu beginnen',
  restartLabel: 'Mit demselben Blatt neu beginnen',
  help: 'Hilfe und Tasten',
  forfeit: 'Aufgeben',
  chase: 'Nachspielen',
  chaseLabel: 'Jetzt dieselben Karten spielen, außer Wertung und mit eigener Uhr',
  leave: 'Verlassen',
};

/** @param {number} ms */
export const timeLeft = (ms) => `noch ${clock(ms)}`;

export const RACE = {
  table: 'Tisch',
  acts: 'Züge',
  deal: 'Austeilen',
  dealSure: 'Sicher?',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  remove: 'Ablegen',
  finish: 'Aufhören',
  exception: 'Ausnahme',
  hint: 'Tipp',
  noSuit: 'Kein Stapel endet mit einer vollständigen Farbe.',
  noPlace: 'Für diese Karten gibt es keinen Platz.',
  onlySpace: 'Für diese Karten gibt es nur einen leeren Platz.',
  home: 'Im Ziel!',
  gaveUp: 'Du hast aufgegeben',
  finished: 'Fertig',
};

/** @param {string} id */
export const pileTitle = (id) => pileName(id);

/** @param {TablePile} pile */
export function pileLabel(pile) {
  const all = pile.down + pile.up.length;
  const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
  const part = last ? `, ${last} von ${all}` : '';
  return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
}

/** @param {number} n */
export const faceDown = (n) => `${n} verdeckt`;

/** @param {number} suits */
export const homeLabel = (suits) =>
  suits > 0 ? `${count(suits, 'Farbe', 'Farben')} fertig.` : 'Noch keine Farbe ist fertig.';

/** @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'Karte', 'Karten')} von ${pileName(pile)}: ${several(cards)}.`;

/** @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} in der Hand.` : `Auf ${pileName(pile)}: was?`;

/** @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `Markiert ist, was sich bewegen lässt: ${columns} Stapel.` : 'Die Markierung ist aus.';

/** @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${spoken(card)} liegt nicht offen.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'abgelegt';
    return `${pileName(pile)}${above > 0 ? ` unter ${count(above, 'Karte', 'Karten')}` : ' am Ende'}`;
  });
  return `${spoken(card)}: ${list(where)}.`;
}

/** @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, seat, name, score }) => {
          const who = seat === me?.seat ? 'du' : name;
          return `${place ? `${ordinal(place)} ` : ''}${who}, ${score}`;
        })
        .join('; ')}.`
    : 'Noch hat niemand Punkte.';

/** @param {TableView | undefined} view */
export function scoreSpoken(view) {
  if (!view) return 'Noch ist nichts ausgeteilt.';
  const { score, counts } = view;
  const exceptions =
    counts.exceptions > 0 ? `, ${count(counts.exceptions, 'Ausnahme', 'Ausnahmen')}` : '';
  const cheated = counts.cheats > 0 ? `, ${cheats(counts.cheats)}` : '';
  return `${count(score, 'Punkt', 'Punkte')}, ${count(counts.moves, 'Zug', 'Züge')}, ${count(counts.suits, 'Farbe', 'Farben')} fertig${exceptions}${cheated}.`;
}

// Wie gespielt wird

export const PLAY = {
  dealAgain: 'Eine Reihe austeilen? Noch einmal „Austeilen“ tut es, Escape nicht.',
  notDone: 'Nichts geschehen.',
  whichRank: 'Karte suchen. Ihr Rang: A, 2 bis 9, 0 für die 10, J, Q oder K?',
  whichSuit: 'Ihre Farbe: S für Pik, H für Herz, D für Karo, C für Kreuz?',
  askWhy: 'Das geht nicht. Die Taste ? sagt, warum.',
  nothingRefused: 'Es wurde nichts abgelehnt.',
  suitsHome: 'Fertig',
  none: 'Noch nichts',
  box: 'Zug eintippen',
  boxHow: '3 5 · 3x2 5 · d teilt aus · u nimmt zurück · r 3 legt ab',
  boxGo: 'Los',
};

/** @type {Record<import('../../core/messages.d.ts').Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'Dieser Raum erlaubt keine Ausnahmen.',
  easy: 'Stufe 1, leicht: Ausnahmen jederzeit.',
  hard: 'Stufe 2, schwer: vor einer Ausnahme X drücken.',
};

export const UNFOLDED = {
  unfolded: 'Aufgefaltet.',
  folded: 'Gefaltet.',
  short: 'Hier ist nichts gefaltet.',
};

export const TYPED = {
  /** @param {string} text */
  column: (text) => `Einen Stapel ${text} gibt es nicht.`,
  /** @param {string} text */
  words: (text) => `„${text}“ ist kein Zug. Möglich sind 3 5, 3x2 5, d, u oder r 3.`,
};

export const KEYS = {
  left: 'Stapel links',
  right: 'Stapel rechts',
  more: 'Eine Karte mehr',
  fewer: 'Eine Karte weniger',
  above: 'Reihe darüber: Talon, Ablage',
  below: 'Reihe darunter',
  first: 'Anfang der Reihe',
  last: 'Ende der Reihe',
  pick: 'Aufnehmen, ablegen',
  auto: 'Von selbst legen, zuerst nach Farbe',
  column: 'Von Stapel zu Stapel',
  deal: 'Austeilen',
  dealSure: 'Austeilen, bestätigt',
  remove: 'Vollständige Farbe ablegen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  exception: 'Ausnahme ansagen',
  hint: 'Um einen Tipp bitten, wo der Raum welche gibt',
  unfold: 'Stapel auffalten',
  mark: 'Markieren, was sich bewegen lässt',
  locate: 'Karte suchen: Rang, dann Farbe',
  peek: 'Stapel vorlesen',
  standings: 'Stand ansagen',
  score: 'Punkte ansagen',
  colours: 'Farben ändern',
  type: 'Feld zum Eintippen',
  help: 'Diese Hilfe',
  why: 'Warum das nicht ging',
  level: 'Stufe ändern',
  restart: 'Neues Spiel',
  restartSure: 'Neues Spiel, bestätigt',
  quit: 'Verlassen',
  cancel: 'Loslassen',
};

export const HELP = {
  title: 'So wird gespielt',
  close: 'Schließen',
  tips: 'Tipps zu diesem Spiel',
  aids: 'Hilfen am Tisch',
  mark: 'Markieren, was sich bewegen lässt',
  box: 'Züge eintippen',
  find: 'Karte suchen',
  rank: 'Rang',
  suit: 'Farbe',
  go: 'Suchen',
  keys: 'Tasten',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Klassisch (1987)' },
  letters: 'Tasten, die etwas schreiben, gelten, solange der Tisch den Fokus hat',
  pointer: [
    'Zieh eine Karte: Sie nimmt alle mit, die auf ihr liegen. Oder klick erst die Karten an und dann den Stapel, oder umgekehrt.',
    'Doppelklick, Rechtsklick oder Umschalt+Enter: Die Karten gehen dorthin, wo sie passen, zuerst nach Farbe.',
    'Langer Druck oder mittlere Maustaste: was auf einem Stapel liegt. ×5 ist eine gefaltete Folge, ein Klick faltet sie auf.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' },
};

/** @param {TableView} view @param {number} deals */
export const helpStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${homeLabel(view.counts.suits)}`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Abgelegte Farben: ${signs.join(' ') || 'keine'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Zuletzt abgelehnt: ${words}`;

/** @param {number | null} place @param {number} others */
export function soFar(place, others) {
  const rest =
    others === 0
      ? 'Gleich kommt das Ergebnis.'
      : others === 1
        ? 'Eine Person spielt noch.'
        : `${others} Personen spielen noch.`;
  return place ? `Bisher Platz ${place}. ${rest}` : rest;
}

export const STANDINGS = 'Stand';

/** @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `im Ziel ${exactClock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `${clock(standing.late_ms ?? 0)} später begonnen`;
  const words = { FINISHED: 'fertig', FORFEIT: 'aufgegeben', TIMED_OUT: 'Zeit abgelaufen' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** @param {Standing} standing @param {boolean} single */
export function progress({ home, face_down, suits }, single) {
  const left = single ? `${home} abgelegt` : `${face_down} verdeckt`;
  return !single && suits > 0 ? `${suits} fertig · ${left}` : left;
}

/** A player whose connection is lost. */
export const NOT_THERE = 'offline';

export const TRACK = { lanes: 'Rennbahn', ends: ['Start', 'Alles aufgedeckt', 'Ziel'] };

export const WALL = 'Tische';

// Das Ergebnis

export const RESULTS = {
  ranking: 'Rangliste',
  columns: ['#', 'Name', 'Ergebnis', 'Punkte', 'Züge', 'Farben'],
  over: 'Das Rennen ist vorbei',
  data: 'Die ganze Runde als Daten',
  text: 'Die Runde als Textdatei behalten',
  again: 'Dasselbe Blatt noch einmal, allein',
  next: 'Nächste Runde',
  rematch: 'Revanche in einem neuen Raum',
  follow: 'Zum neuen Raum',
  rematchOpen: 'Für eine Revanche ist ein neuer Raum offen.',
  newMatch: 'Neues Match',
  wait: 'Der Gastgeber öffnet die nächste Runde.',
  waitMatch: 'Das Match ist vorbei. Der Gastgeber kann ein neues eröffnen.',
  leave: 'Verlassen',
  deal: 'Das Blatt',
  check: 'Selbst nachprüfen',
  show: 'Karten anzeigen',
  number: 'Nummer des Blatts',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Siegel, SHA-256(Seed‖Salt)',
  me: 'Ich',
  share: 'Link zu diesem Ergebnis',
  shared: 'Wer ihn hat, sieht Ergebnis, Verlauf und Wiederholung, auch ohne Platz.',
};

// Ein Rennen, noch einmal erzählt

export const FINISHED = {
  loading: 'Das Rennen wird geholt…',
  gone: 'Dieses Rennen ist nicht hier',
  why: 'Es läuft noch, oder sein Raum ist geschlossen.',
  front: 'Zur Startseite',
  room: 'Zum Raum',
};

/** @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${courses.length} Spieler · ${day}`;
}

export const CHART = {
  title: 'Punkte im Verlauf',
  moment: 'Zeitpunkt im Rennen',
  table: 'Die Punkte als Tabelle',
  player: 'Name',
  end: 'Ende',
};

/** @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * @param {number} ms
 * @param {number} changes
 * @param {string} last
 * @param {number} lines
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last
      ? ''
      : changes === 0
        ? ` ${last} hat von Anfang bis Ende geführt.`
        : ` Die Führung hat ${changes === 1 ? 'einmal' : `${changes}-mal`} gewechselt; am Ende hatte sie ${last}.`;
  const few = lines < players ? ` Gezeigt werden ${lines} von ${players} Spielern.` : '';
  return `Das Rennen hat ${clock(ms)} gedauert.${lead}${few}`;
}

export const REPLAY = {
  title: 'Wiederholung',
  left: 'Tisch links',
  right: 'Tisch rechts',
  play: 'Abspielen',
  pause: 'Anhalten',
  back: 'Ein Zug zurück',
  on: 'Ein Zug weiter',
  before: 'Der Moment davor',
  after: 'Der nächste Moment',
  at: 'Zeit im Rennen',
  speed: 'Tempo',
  moments: 'Momente des Rennens',
  keys: 'Tasten: Leertaste spielt ab und hält an, ← und → gehen von Zug zu Zug, Bild auf und ab von Moment zu Moment, + und − ändern das Tempo.',
  loading: 'Das Rennen wird geholt…',
  failed: 'Das Rennen war nicht zu bekommen.',
  again: 'Noch einmal versuchen',
  dealt: 'Wie ausgeteilt.',
  cut: 'Ein sehr langes Spiel: was vor seinem Ende war, ist ausgelassen.',
};

/** @param {number} ms @param {number} length */
export const timeOf = (ms, length) => `${clock(ms)} von ${clock(length)}`;

/** @param {number} factor */
export const times = (factor) => `${factor === 0.5 ? '½' : factor}×`;

/** @param {{ms: number, kind: string, n: number}} moment @param {string} name */
export function moment({ ms, kind, n }, name) {
  /** @type {Record<string, string>} */
  const what = {
    lead: `${name} führt`,
    suit: `${name}: ${n}. Farbe fertig`,
    home: `${name} ist im Ziel`,
    end: `${name} hört auf`,
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** @param {string} name */
export const enlarge = (name) => `Tisch von ${name} vergrößern`;

/** @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')} · ${face_down} verdeckt · ${suits} fertig`;

/** @param {readonly string[]} winners @param {{alone: boolean, home: boolean, won: boolean}} own */
export function verdict(winners, { alone, home, won }) {
  const names = list(winners);
  if (alone) return home ? 'Du bist im Ziel!' : 'Übung beendet';
  if (won) return winners.length > 1 ? `Unentschieden: ${names}` : `Du gewinnst, ${names}!`;
  return winners.length > 1 ? `${names} teilen sich den Sieg` : `${names} gewinnt`;
}

/** @param {number} n */
export const cardCount = (n) => count(n, 'Karte', 'Karten');

/** @param {number} n @param {number} of */
export const nextOf = (n, of) => `Nächste Runde (${n} von ${of})`;

export const MATCH = {
  label: 'Punktekarte des Matchs',
  columns: ['Spiel', 'Punkte', 'Züge', 'Ausnahmen', 'Tipps', 'Gemogelt', 'Zeit'],
  totals: 'Summe',
  which: 'Welches Spiel möchtest du spielen?',
};

/** @param {number} n */
export const game = (n) => `Spiel ${n}`;
/** @param {number} n */
export const gameNext = (n) => `Als Nächstes kommt Spiel ${n}.`;
/** @param {number} n */
export const matchOf = (n) => `Ein Match aus ${n} Spielen`;
/** @param {number} level */
export const againAt = (level) => `Noch einmal auf Stufe ${level}`;

/** @param {number} n */
export const roundsWon = (n) => `${count(n, 'Runde', 'Runden')} gewonnen`;

/** @param {readonly string[]} first */
export const matchWon = (first) =>
  first.length > 1 ? `${list(first)} teilen sich das Match` : `${list(first)} gewinnt das Match`;

/** @param {number} n @param {number} of */
export const matchAfter = (n, of) => `Das Match nach ${n} von ${of} Runden`;

// Die Seite mit den Regeln

export const CHAPTERS = {
  deal: 'Das Blatt',
  moves: 'Züge',
  dealing: 'Austeilen',
  removing: 'Vollständige Farben',
  exceptions: 'Ausnahmen',
  undo: 'Zurücknehmen',
  hints: 'Tipps',
  score: 'Punkte',
  end: 'Das Ende',
  ranking: 'Wer gewinnt',
  match: 'Match',
  watching: 'Zuschauen',
};

export const RULES = {
  suits1: 'Alle Karten gelten als Pik.',
  suits2: 'Kreuz gilt als Pik, Karo als Herz.',
  spider: (/** @type {'left4' | 'spread'} */ layout) =>
    `Zwei Kartenspiele, zehn Stapel: 54 Karten werden ausgeteilt, die letzte jedes Stapels offen. Die Stapel ${
      layout === 'left4' ? '1 bis 4' : '1, 4, 7 und 10'
    } bekommen eine Karte mehr.`,
  spiderStock: 'Die übrigen 50 sind der Talon: Er reicht fünfmal für je zehn Karten.',
  spiderette:
    'Ein Kartenspiel, sieben Stapel: eine Karte auf dem ersten, zwei auf dem zweiten, bis zu sieben, die letzte jeweils offen.',
  spideretteStock:
    'Die übrigen 24 sind der Talon: dreimal je sieben Karten, dann die letzten drei.',
  little:
    'Ein Kartenspiel: vier Karten oben und vier unten, alle offen, und dazwischen vier Ablagen.',
  littleStock:
    'Die übrigen 44 sind der Talon: fünfmal je acht Karten, dann die letzten vier auf die obere Reihe.',
  secret:
    'Alle bekommen dasselbe neue Blatt. Es wird vor dem Rennen versiegelt und danach aufgedeckt, damit alle es prüfen können.',
  numbered: (
    /** @type {number | null} */ number,
    /** @type {'left4' | 'spread' | null} */ layout,
  ) => {
    const where = {
      left4: ', nur liegen die zusätzlichen Karten auf anderen Stapeln als dort',
      spread: ', ausgeteilt wie dort',
    };
    return `Alle bekommen ${
      number === null ? 'dasselbe nummerierte Blatt' : `Blatt Nummer ${number}`
    } von PySolFC${layout ? where[layout] : ''}. Man kann es nachschlagen: ein offenes Blatt.`;
  },
  seeded: 'Alle bekommen ein Blatt, das schon einmal gespielt wurde: ein offenes Blatt.',

  littleFoundations:
    'Auf die ersten beiden Ablagen wird in einer Farbe aufwärts gelegt, ab dem Ass, auf die anderen beiden abwärts, ab dem König. Die Ass-Ablagen nehmen Rot oder Schwarz, die König-Ablagen das jeweils andere; die erste abgelegte Karte entscheidet.',
  littleWhile:
    'Solange der Talon reicht, geht eine oberste Karte der oberen Reihe auf jede Ablage, auf die sie passt, eine der unteren Reihe nur auf die Ablage direkt darüber.',
  littleAfter:
    'Ist der Talon leer, geht jede oberste Karte auf jede Ablage, auf die sie passt, oder auf einen Stapel, dessen oberste Karte um eins höher oder niedriger ist, gleich welcher Farbe; Ass und König sind Nachbarn. Ein leerer Stapel bleibt leer.',
  moves:
    'Eine Karte, oder eine absteigende Folge von einer Farbe, kommt auf eine Karte, die um eins höher ist, gleich welcher Farbe, oder auf einen leeren Stapel. Auch ein Teil einer Folge darf bewegt werden.',
  kings: 'Das Ass ist die niedrigste Karte; ein König kommt darum nur auf einen leeren Stapel.',
  turning: 'Eine verdeckte Karte, die ans Ende ihres Stapels kommt, wird sofort aufgedeckt.',

  littleDealing: 'Ausgeteilt wird jederzeit, auch auf leere Stapel.',
  relaxedDealing:
    'Beim Austeilen kommt auf jeden Stapel eine Karte. Solange der Talon Karten hat, darfst du austeilen, auch auf leere Stapel.',
  dealing:
    'Beim Austeilen kommt auf jeden Stapel eine Karte; das geht jederzeit, nur nicht, solange ein Stapel leer ist.',
  lastThree: 'Das gilt auch für die letzten drei Karten.',
  tooFew: 'Liegen auf dem Tisch weniger Karten, als es Stapel gibt, wird nicht ausgeteilt.',

  autoRemove: 'Eine vollständige Farbe, vom König bis zum Ass, wird von selbst abgelegt.',
  remove:
    'Eine vollständige Farbe, vom König bis zum Ass, am Ende eines Stapels leuchtet; du legst sie ab, wann du willst, oder behältst sie.',

  exceptionEasy:
    'Eine absteigende Folge aus gemischten Farben darf zusammen bewegt werden: eine Ausnahme. Du nimmst sie auf wie jede andere Folge.',
  exceptionHard:
    'Eine absteigende Folge aus gemischten Farben darf zusammen bewegt werden: eine Ausnahme. Drück vor jeder die Taste X oder den Knopf „Ausnahme“.',
  exceptionsCounted:
    'Sie kommt nur dorthin, wohin jede Folge darf. Jede Ausnahme wird gezählt, für alle sichtbar.',

  undo: {
    no_reveal:
      'Ein Zug kann zurückgenommen werden, außer er hat eine Karte aufgedeckt oder ausgeteilt.',
    any: 'Alles kann zurückgenommen werden. Wer dabei eine aufgedeckte Karte oder ein Austeilen zurücknimmt, hat gemogelt, denn die Karten sind dann bekannt. Das wird gezählt, für alle sichtbar, und die Zahl sinkt nie.',
    free: 'Alles kann zurückgenommen werden, auch Aufdecken und Austeilen, so oft du willst.',
    off: 'Nichts wird zurückgenommen.',
  },

  woodsTurned: '10 Punkte für jede aufgedeckte Karte, die anfangs verdeckt lag.',
  woodsColumns: '15 für jeden Stapel ohne verdeckte Karten.',
  woodsColumnsSmall: '15 für jeden Stapel, der verdeckte Karten hatte und keine mehr hat.',
  woodsInSuit: '2 für jede Karte, die auf der nächsthöheren ihrer Farbe liegt.',
  woodsSuits: '50 für jede abgelegte Farbe.',
  woodsAll: (/** @type {number} */ points) => `Alle Farben abgelegt: ${points}.`,
  woodsKept:
    'Wer mit mehr als drei vollständigen Farben auf dem Tisch gewinnt, bekommt 2 für jede weitere.',
  dosSuits:
    'Eine abgelegte Farbe: 120 Punkte, ein passendes Paar: 10. Jede Ausnahme nimmt einer Farbe 12, bis auf 50, und einem Paar 1, bis auf 1.',
  dosWon: 'Ein ohne Ausnahme gewonnenes Spiel: 1000.',
  dosExceptions:
    'Mit Ausnahmen gewonnen: 100 weniger für jede, bis auf 400, und 1 weniger für jeden Zug nach der ersten Ausnahme.',
  dosOverSix: 'Jede Ausnahme ab der siebten kostet 10 mehr.',
  dosGrand:
    'Grand Spider, 10.000: alle acht Farben vollständig auf dem Tisch, bevor die erste abgelegt wird, ohne Ausnahme, und danach nichts als Ablegen.',
  cardsLittle: '1 Punkt für jede Karte auf einer Ablage; mit allen 52 hast du gewonnen.',
  cards: (/** @type {number} */ most) =>
    `1 Punkt für jede Karte einer abgelegten Farbe: bis zu ${most}.`,
  windows:
    'Du beginnst mit 500 Punkten. Jeder Zug, jedes Austeilen, Zurücknehmen und Wiederholen kostet 1, jede vollständige Farbe bringt 100. Nie unter 0.',

  homeLittle: 'Du bist im Ziel, wenn alle 52 Karten auf den Ablagen liegen.',
  home: 'Du bist im Ziel, wenn alle Farben abgelegt sind.',
  homeKept:
    'Du bist im Ziel, wenn alle Farben abgelegt sind. Ist der Talon ausgeteilt und liegen nur noch vollständige Farben auf dem Tisch, darfst du auch mit ihnen aufhören.',
  stuck:
    'Ist kein Zug mehr möglich, wirst du sofort gefragt, ob du dort aufhören willst; die Punkte bleiben. Aufgeben geht immer.',
  noLimit: 'Es gibt kein Zeitlimit.',
  limit: (/** @type {number} */ seconds) =>
    `Die Runde endet nach ${duration(seconds)}, oder wenn alle fertig sind.`,

  groups:
    'Zuerst kommen die Gewinner, dann alle, die bis zum Ende gespielt haben, zuletzt alle, die aufgegeben haben.',
  firstHome: 'Bei den Gewinnern zählt die Zeit.',
  bestScore: 'Bei den Gewinnern zählen die Punkte.',
  others:
    'Bei allen anderen zählen die Punkte, dann weniger verdeckte Karten, dann, wer früher so weit war.',
  othersBySuits:
    'Bei allen anderen zählen fertige Farben, dann weniger verdeckte Karten, dann die Punkte.',

  hints:
    'Wer um einen Tipp bittet, bekommt einen Zug gezeigt, der sich aus dem eigenen Tisch ergibt. Jeder Tipp wird gezählt, für alle sichtbar.',

  match: (/** @type {number} */ rounds) =>
    `Ein Match über ${rounds} Runden, mit einer Punktekarte für alle.`,
  nextNumber: 'Jede Runde spielt das Blatt mit der nächsten Nummer.',
  sameDeal: 'Jede Runde ist dasselbe Blatt.',
  byWins: 'Im Match zählen die gewonnenen Runden, dann alle Punkte zusammen.',
  byScore: 'Im Match zählen alle Punkte zusammen, dann die gewonnenen Runden.',

  boards: (/** @type {number} */ late) =>
    `Mitspieler sehen voneinander den Stand, nie die Karten. Wer nicht mitspielt, sieht die Tische, ${
      late === 0
        ? 'und zwar sofort'
        : `${late % 60 === 0 && late > 60 ? duration(late) : count(late, 'Sekunde', 'Sekunden')} später`
    }.`,
  chasers:
    'Wer zu spät kommt, darf dasselbe Blatt trotzdem spielen, mit eigener Uhr und außerhalb der Wertung, und sieht dabei Karten, die andere noch nicht aufgedeckt haben.',
  late: 'Wer zu spät kommt, schaut zu.',
  standings: 'Alle sehen den Stand; niemand sieht die Karten der anderen.',
  open: 'Ist die Runde vorbei, liegen alle Tische und das Blatt offen.',
};

/** @param {Settings} settings */
export function inShort({ game, deal, number, rounds, time_limit_s }) {
  const parts = [gameName(game)];
  if (deal === 'numbered') parts.push(number === null ? 'offenes Blatt' : `Blatt ${number}`);
  if (rounds > 1) parts.push(count(rounds, 'Runde', 'Runden'));
  parts.push(time_limit_s === null ? 'ohne Zeitlimit' : duration(time_limit_s));
  return parts.join(', ');
}

// Was jeder für sich einstellt

export const PREFERENCES = {
  title: 'Meine Einstellungen',
  done: 'Fertig',
  looks: 'Aussehen',
  table: {
    title: 'Tisch',
    names: {
      baize: 'Filz',
      lagoon: 'Lagune',
      midnight: 'Nacht',
      plum: 'Pflaume',
      claret: 'Bordeaux',
      walnut: 'Nussbaum',
      slate: 'Schiefer',
      coal: 'Kohle',
      fern: 'Farn',
      olive: 'Olive',
      copper: 'Kupfer',
      ruby: 'Rubin',
      rose: 'Rose',
      violet: 'Violett',
      cobalt: 'Kobalt',
      emerald: 'Smaragd',
    },
  },
  cards: {
    title: 'Karten',
    names: { two: 'Zweifarbig', four: 'Vierfarbig', strong: 'Großdruck' },
  },
  light: {
    title: 'Hell oder dunkel',
    names: { auto: 'Wie mein Gerät', light: 'Hell', dark: 'Dunkel' },
  },
  motion: 'Weniger Bewegung',
  sound: 'Ton',
  sounds: 'Töne',
  volume: 'Lautstärke',
  play: 'Spielen',
  oneTap: 'Ein Tipp bewegt eine Karte, die in ihrer Farbe genau einen Platz hat',
  confirmDeal: 'Vor jedem Austeilen fragen, und vor einem neuen Spiel mit F7',
  faceDown: 'Über den Stapeln zeigen, wie viele Karten verdeckt sind',
  reasons: {
    title: 'Warum ein Zug nicht geht',
    names: { 'at-once': 'Sofort sagen', 'on-request': 'Nur auf Nachfrage' },
  },
  keyboard: 'Tastatur',
  keys: { title: 'Tasten', names: { modern: 'Modern', classic: 'Klassisch (1987)' } },
  letterKeys: 'Einzelne Buchstaben gelten, solange der Tisch den Fokus hat',
  moveBox: 'Ein Feld zum Eintippen der Züge',
};
