// The sentences of a room: lobby, race, chat and refusals.

import { GAMES, SEAT_COLOURS } from '../../contract/protocol.js';
import { capital } from '../../contract/text.js';
import { completesOwnSuit, effectOf, rank, runs, shortRank, suit } from '../../game/cards.js';
import basics from './start.js';

/**
 * @import {GameInfo, RefusalDetails, Settings} from '../../contract/messages.d.ts'
 * @import {TablePile} from '../../contract/notation.js'
 * @import {Effect} from '../../game/cards.js'
 * @import {Wide} from '../language.js'
 */

const { clock, closing, count, dayAndTime, gameName, list, suitsOf } = basics;

/* Why a connection closes, beside what the front page says of a room. */
Object.assign(basics.CLOSINGS, {
  '-1': 'Der Server lehnt diese Verbindung ab. Frag seinen Betreiber (WebSocket-Header).',
  '-2': 'Der Server ist gerade nicht bereit. Dein Platz bleibt dir.',
  '-3': 'Der Server ist gerade nicht bereit.',
  1000: 'Du hast den Raum verlassen.',
  1001: 'Der Server wird heruntergefahren.',
  1008: 'Der Betreiber dieses Servers hat deine Adresse für eine Weile gesperrt.',
  1009: 'Die Nachricht war zu lang für den Server.',
  1011: 'Auf dem Server ist etwas schiefgegangen.',
  4001: 'Der Server startet neu.',
  4002: 'Deine Verbindung war zu langsam.',
  4003: 'Der Stand des Rennens wird geladen.',
  4004: 'Deine Verbindung war zu lange still.',
  4005: 'Das waren zu viele Nachrichten auf einmal.',
  4500: 'Der Server versteht diese Seite nicht. Lade sie neu.',
  4502: 'Deinen Platz gibt es nicht mehr. Tritt noch einmal bei.',
  4503: 'Du hast das Rennen in einem anderen Tab oder Fenster geöffnet.',
  4505: 'Der Gastgeber hat dich aus dem Raum entfernt.',
  4506: 'Dieser Raum ist voll.',
  4507: 'Der Gastgeber hat dich nicht hereingelassen.',
  4508: 'Der Gastgeber hat diesen Tisch gelöscht.',
  4509: 'Dein Platz ist auf dein anderes Gerät umgezogen.',
});

const LEAVE_OR_STAY = { yes: 'Verlassen', no: 'Bleiben' };
const LEFT_OUT = 'Das nächste Rennen beginnt ohne dich';

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' };

const RANK_NAMES = 'Ass 2 3 4 5 6 7 8 9 10 Bube Dame König'.split(' ');

/** @param {string} card */
const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** Return a card in words: `Pik 9`, `Pik-Dame`. @param {string} card */
const spoken = (card) =>
  `${SUIT_NAMES[suit(card)]}${rank(card) > 1 && rank(card) < 11 ? ' ' : '-'}${rankName(card)}`;

/** @type {Record<string, string>} */
const PILES = { t: 'Stapel', u: 'Stapel oben', l: 'Stapel unten', f: 'Ablage' };

const HINT_OFF = 'In diesem Raum gibt es keine Tipps.';
const EXCEPTION_OFF = 'In diesem Raum gibt es keine Ausnahmen.';
const EXCEPTION_ABOUT =
  'Mit einer Ausnahme bewegst du eine Folge aus gemischten Farben, als hätte sie nur eine. Jede wird gezählt, und alle sehen, wie viele es sind.';

/** The use and the limits of the hash that locks a deal. */
const PROVES = [
  'Der Hash, der vor dem Rennen angezeigt wird, legt das Blatt fest. Danach kann es niemand mehr ändern, auch nicht der Betreiber dieses Servers.',
  'Er beweist nicht, dass niemand das Blatt vorher kannte, und auch nicht, dass sich die Spieler nicht helfen.',
];

/** @param {string} how hard the deal is @returns {string[]} */
const degreeRule = (how) => [
  `Das Blatt ist ${how}. Jede Stufe ist ein Drittel aller Blätter: Je länger unser Rechner nach einem Sieg sucht, desto schwerer.`,
  'Finden wir rechtzeitig kein solches Blatt, spielt ihr ein anderes, das zu gewinnen ist. Der Countdown sagt, wie schwer es ist.',
];

const ROUND_WON = 'Jemand hat schon gewonnen. Du kannst das Rennen beenden, das Ergebnis bleibt.';

const ONE_GAME =
  'Mit deinem Browser oder aus deinem Netz wurde dieses Rennen schon gespielt. Alle haben nur ein Spiel.';

/** Return the news of a race, or of one round of several. @param {string} what @param {string} at */
const newsOf = (what, at) => ({
  stopped: `Der Gastgeber hat ${what} abgebrochen.`,
  late: `${capital(what)} läuft schon. ${at} nächsten spielst du mit.`,
  lateChase: `${capital(what)} läuft schon. Du kannst dasselbe Blatt jetzt ohne Wertung spielen.`,
  open: `${capital(what)} ist offen. Fang an, wann du willst.`,
  chasing: `Du spielst dieses Blatt ohne Wertung, bis ${what} endet.`,
  cutOff: `${capital(what)} ist vorbei und damit auch dein Spiel. Du kannst das Blatt allein noch einmal spielen.`,
});

/** Return the next higher rank in the accusative: `eine 10`, `einen Buben`; a king has none. @param {string} card */
function nextRankAccusative(card) {
  const name = RANK_NAMES[rank(card)]; // the next higher rank: ranks start at 1, the list at 0
  if (name === 'Bube') return 'einen Buben';
  return name === 'König' ? 'einen König' : name && `eine ${name}`;
}

/** @param {RefusalDetails} details */
function wrongRank({ cards: [card, onto], piles }) {
  if (!card) return 'Diese Karte passt dort nicht.';
  const needs = nextRankAccusative(card);
  if (!needs) return `${spoken(card)} passt nur auf einen leeren Stapel.`;
  const where = piles.at(-1);
  const ends = onto
    ? `; ${where ? de.pileName(where) : 'der Stapel'} endet mit ${spoken(onto)}`
    : '';
  return `${spoken(card)} passt nur auf ${needs}${ends}.`;
}

/** @param {RefusalDetails} details */
const someCards = ({ cards }) => (cards.length > 1 ? list(cards.map(spoken)) : 'Diese Karten');

/** The names of the settings' values, except numbers. @type {Record<string, Record<string, string>>} */
const VALUES = {
  deal: { secret: 'Neu gemischt', numbered: 'Nach Nummer', seed: 'Aus einem Seed' },
  degree: { null: 'Egal', ...basics.DEGREES },
  layout: { left4: 'Auf Stapel 1–4', spread: 'Auf Stapel 1, 4, 7, 10' },
  exceptions: { off: 'Keine', easy: 'Leicht: jederzeit', hard: 'Schwer: auf Anfrage' },
  undo: {
    no_reveal: 'Außer Aufgedecktes',
    any: 'Alles; Aufdecken gezählt',
    counted: 'Alles; jedes Mal gezählt',
    free: 'Alles',
    off: 'Aus',
  },
  score: {
    woods: 'Klassische Punkte',
    dos: 'DOS 1987',
    cards: 'Abgelegte Karten',
    moves: 'Windows: −1 pro Zug',
  },
  ranking: { first_home: 'Wer zuerst fertig ist', best_score: 'Meiste Punkte' },
  match_ranking: { wins: 'Mehr Runden gewinnt', score: 'Mehr Punkte sammelt' },
  cheats: { shown: 'Nur angezeigt', tie: 'Zählt bei Gleichstand', out: 'Ohne Rücknahmen zuerst' },
  time_limit_s: { null: 'Ohne Limit' },
  window_s: { null: 'Gemeinsam' },
  after_win_s: { null: 'Das Rennen geht weiter' },
  spectate: { standings: 'Den Stand', boards: 'Die Tische' },
  board_delay_s: { 0: 'Keine' },
  programs: { true: 'erlaubt', false: 'nicht erlaubt' },
};

/** The settings whose names differ within a sentence. @type {Partial<Record<keyof Settings, string>>} */
const BRIEFLY = {
  auto_remove: 'Automatisch ablegen',
  winnable: 'Blätter, die zu gewinnen sind',
  relaxed_deal: 'Austeilen auf leere Stapel',
  hints: 'Tipps',
  autoplay: 'Gewonnenes zu Ende spielen lassen',
  chasers: 'Nachzügler spielen ohne Wertung',
  window_s: 'Start',
  board_delay_s: 'Verzögerung der Tische',
  public: 'Auf der Startseite',
  locked: 'Raum abgeschlossen',
  max_players: 'Spieler höchstens',
  one_seat: 'Ein Platz pro Person',
  approve: 'Gastgeber lässt ein',
  programs: 'Programme',
};

/** The undo setting in the rules line. @type {Record<Settings['undo'], string>} */
const UNDO = {
  no_reveal: 'Zurücknehmen, außer nach dem Aufdecken',
  any: 'Zurücknehmen, Aufgedecktes wird gezählt',
  counted: 'jedes Zurücknehmen wird gezählt',
  free: 'Zurücknehmen ist frei',
  off: 'kein Zurücknehmen',
};

/** Return a run of cards in words: all of a few, or the first and the last of many. @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${spoken(cards[0] ?? '')} bis ${spoken(cards.at(-1) ?? '')}`
    : cards.map(spoken).join(', ');

/** Return the names of suits. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return the suits that an act has completed and how many are complete now, or ''. @param {Effect} effect @param {string} [before] the text before it */
const completing = ({ completed, complete, of }, before = ': ') =>
  completed.length > 0 ? `${before}${suitNames(completed)} fertig, ${complete} von ${of}` : '';

/** Return the rank of a card beside the name of its suit: jacks to kings in words, an ace as on its face. @param {string} card */
const rankOfSuit = (card) => (rank(card) === 1 ? shortRank(card) : rankName(card));

/** Return a move in words: the cards, their new pile, and the suits that it has completed. @param {Effect} effect @param {string} to @param {string} turning */
function moved(effect, to, turning) {
  const { cards, removed } = effect;
  if (removed.length === 0) {
    const also = completing(effect, ' ');
    return `${several(cards)} auf ${de.pileName(to)} gelegt${turning}.${also && `${also}.`}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && completesOwnSuit(effect);
  const what = ranks ? `${rankOfSuit(first)}–${rankOfSuit(last)}` : several(cards);
  return `${what} auf ${de.pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the dealt cards, which only screen readers have to name. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? `: ${cards.map(spoken).join(', ')}` : '');

/** Return the run that the moved cards make on their new pile. @param {TablePile} to @param {readonly string[]} cards */
function joined(to, cards) {
  const all = [...to.up, ...cards];
  const { start = 0 } = runs(all).at(-1) ?? {};
  const [first = '', last = ''] = [all[start], all.at(-1)];
  return `${rankName(first)}–${rankName(last)} in ${SUIT_NAMES[suit(last)]}`;
}

/** The reasons for hints, unless the action shows the reason. @type {Record<string, (from: TablePile, to: TablePile, cards: readonly string[]) => string>} */
const REASONS = {
  completes_suit: (_from, _to, [card = '']) => `Damit ist ${SUIT_NAMES[suit(card)]} vollständig.`,
  turns_card: () => 'Deckt eine Karte auf.',
  empties_column: (from) => `${de.pileName(from.id)} wird leer.`,
  joins_suit: (_from, to, cards) => `Verbindet ${joined(to, cards)}.`,
  frees_card: (from, _to, cards) => `Macht ${spoken(from.up.at(-cards.length - 1) ?? '')} frei.`,
  fills_column: (_from, to) => `Füllt ${de.pileName(to.id)}.`,
  uncovers_next: () => 'Gräbt nach der nächsten Karte für die Ablage.',
};

const KEEP_PLAYING = 'Weiterspielen';
const GIVE_UP = 'Aufgeben';
const GIVE_UP_OR_PLAY = { yes: GIVE_UP, no: KEEP_PLAYING };

/** Return a time on a clock, with its unit below an hour. @param {number} seconds */
const onClock = (seconds) => `${clock(seconds * 1_000)}${seconds < 3_600 ? ' Minuten' : ''}`;

/** The time left after the first win, by its usual seconds. @type {Record<number, string>} */
const LAST = { 60: 'Letzte Minute', 120: 'Letzte zwei Minuten', 300: 'Letzte fünf Minuten' };

/** @param {number} ms */
const split = (ms) =>
  ms < 10 ? `${ms} ms` : `${(Math.floor(ms / 10) / 100).toFixed(2).replace('.', ',')} s`;

/** @param {GameInfo} game */
function stock({ stock: cards, columns }) {
  const last = cards % columns;
  const deals = `${Math.floor(cards / columns)}-mal je ${columns} Karten`;
  return `Die übrigen ${cards} sind der Talon: ${deals}${last ? `, dann die letzten ${last}` : ''}.`;
}

/** What the suits of the cards mean, by the number of suits in the game. */
const SUITS_COUNT = {
  1: ['Alle Karten gelten als Pik.'],
  2: ['Kreuz gilt als Pik, Karo als Herz.'],
  4: [],
};

const MOVES = [
  'Leg eine Karte auf eine, die um eins höher ist, gleich welcher Farbe, oder auf einen leeren Stapel. Eine absteigende Folge von einer Farbe bewegst du zusammen, auch nur einen Teil davon.',
  'Das Ass ist die niedrigste Karte, ein König passt darum nur auf einen leeren Stapel.',
  'Eine verdeckte Karte am Ende ihres Stapels wird sofort aufgedeckt.',
];

const STUCK_RULE = 'Wenn nichts mehr geht, sagen wir es dir. Aufgeben kannst du jederzeit.';

/** @param {Settings} settings */
const endRules = ({ auto_remove: auto }) => [
  `Du bist fertig, wenn alle Farben abgelegt sind.${auto ? '' : ' Ist der Talon leer und liegen nur noch vollständige Farben auf dem Tisch, kannst du auch so aufhören.'}`,
  STUCK_RULE,
];

/** @param {Settings} settings */
const otherRanks = ({ score }) =>
  score === 'moves'
    ? 'Bei allen anderen zählen vollständige Farben, dann weniger verdeckte Karten, dann die Punkte.'
    : 'Bei allen anderen zählen die Punkte, dann weniger verdeckte Karten, dann, wer früher so weit war.';

/** @type {Wide<typeof import('../en/race.js').default>} */
const de = {
  ASK: {
    ...basics.ASK,
    leave: {
      title: 'Das Rennen verlassen?',
      text: 'Wenn du jetzt gehst, gibst du auf.',
      ...LEAVE_OR_STAY,
    },
    back: {
      title: 'Das Rennen verlassen?',
      text: 'Dein Platz bleibt dir, solange das Rennen läuft. Die Uhr läuft aber weiter.',
      ...LEAVE_OR_STAY,
    },
    elsewhere: { title: 'In einem anderen Tab geöffnet', yes: 'Hier spielen', no: 'Abbrechen' },
    leaveAlone: {
      title: 'Dieses Spiel verlassen?',
      text: 'Dein Spiel endet damit.',
      ...LEAVE_OR_STAY,
    },
    backAlone: {
      title: 'Dieses Spiel verlassen?',
      text: 'Du kannst zurückkommen. Die Uhr läuft aber weiter.',
      ...LEAVE_OR_STAY,
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
      text: 'Dann gibt es kein Ergebnis, und alle kommen zurück an den Tisch.',
      yes: 'Rennen abbrechen',
      no: 'Weiterspielen',
    },
    start: { title: 'Ohne sie starten?', yes: 'Starten', no: 'Warten' },
    leftOut: {
      title: LEFT_OUT,
      text: 'Du warst nicht rechtzeitig bereit. Schau zu und spiel beim nächsten mit.',
      yes: 'Raum verlassen',
      no: 'Zuschauen',
    },
    leftOutChase: {
      title: LEFT_OUT,
      text: 'Du warst nicht rechtzeitig bereit. Du kannst dieses Blatt trotzdem spielen, mit eigener Uhr.',
      yes: 'Mitspielen ohne Wertung',
      no: 'Zuschauen',
    },
  },
  joined(names) {
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} weitere`] : names;
    return `${list(shown)} ${names.length > 1 ? 'sind' : 'ist'} dazugekommen.`;
  },
  isReady: (name) => `${name} ist bereit.`,
  watch: (names) => `${list(names)} ${names.length > 1 ? 'schauen' : 'schaut'} zu.`,
  left: (name) => `${name} ist gegangen.`,
  asks: (name) => `${name} möchte mitmachen.`,
  hosts: (name) => `${name} ist jetzt Gastgeber.`,
  wants(names, inMatch) {
    const [are, want] = names.length > 1 ? ['sind', 'möchten'] : ['ist', 'möchte'];
    return `${list(names)} ${inMatch ? `${are} bereit für die nächste Runde` : `${want} eine Revanche`}.`;
  },
  ...{ HINT_OFF, EXCEPTION_OFF, EXCEPTION_ABOUT, PROVES, ROUND_WON },
  STUCK: 'Kein Zug mehr',
  stuckAsk({ stuck: reason, score, legal }) {
    const why = de.REFUSALS[reason === 'stock_empty' ? 'deal_stock_empty' : (reason ?? '')];
    const undo = legal.some(({ type }) => type === 'undo') ? ' oder zurücknehmen' : '';
    const ask = `Hier aufhören${undo}? Du behältst ${count(score, 'Punkt', 'Punkte')}.`;
    return why ? `${why({ cards: [], piles: [], fields: [], reason: null })} ${ask}` : ask;
  },
  stuck: ({ score, legal }) => `${de.STUCK}. ${de.stuckAsk({ stuck: null, score, legal })}`,
  hintsTaken: (n) => count(n, 'Tipp', 'Tipps'),
  cheats: (n) => count(n, 'gezählte Rücknahme', 'gezählte Rücknahmen'),
  NEWS: {
    ...newsOf('das Rennen', 'Beim'),
    go: 'Los!',
    host: 'Du bist jetzt Gastgeber.',
    admitted: 'Der Gastgeber hat dich hereingelassen.',
    lost: 'Verbindung verloren.',
    back: 'Du bist wieder da.',
    forfeit: 'Du hast aufgegeben.',
  },
  exactClock: (ms) => `${clock(ms)},${Math.floor((ms % 1_000) / 100)}`,
  ordinal: (n) => `${n}.`,
  duration(seconds) {
    if (seconds < 60) return count(seconds, 'Sekunde', 'Sekunden');
    if (seconds % 86_400 === 0) return count(seconds / 86_400, 'Tag', 'Tage');
    if (seconds % 3_600 === 0) return count(seconds / 3_600, 'Stunde', 'Stunden');
    return seconds % 60 === 0 ? count(seconds / 60, 'Minute', 'Minuten') : onClock(seconds);
  },
  ending({ won, state, finished_ms: ms, suits }, isResult = false) {
    if (won) return isResult ? de.exactClock(ms ?? 0) : clock(ms ?? 0);
    if (state === 'TIMED_OUT') return 'Zeit abgelaufen';
    const stuck = suits ? `kein Zug mehr bei ${count(suits, 'Farbe', 'Farben')}` : 'kein Zug mehr';
    /** @type {Record<string, string>} */
    const ends = { FINISHED: suits === undefined ? 'aufgehört' : stuck, FORFEIT: 'aufgegeben' };
    const at = isResult && ms !== null ? ` nach ${clock(ms)}` : '';
    return state in ends ? `${ends[state]}${at}` : '';
  },
  pileName(id) {
    const kind = PILES[id.charAt(0)];
    if (id === 'stock' || !kind) return 'Talon';
    return `${kind} ${Number(id.slice(1)) + 1}`;
  },
  CLASHES: {
    score_not_of_game: 'Diese Wertung gibt es in diesem Spiel nicht.',
    option_not_of_game: 'Eine dieser Optionen gibt es in diesem Spiel nicht.',
    dos_without_undo: 'Mit der DOS-Wertung gibt es kein Zurücknehmen: Schalte es aus.',
    dos_by_hand: 'Mit der DOS-Wertung legst du Farben selbst ab.',
    number_of_numbered: 'Eine Nummer gibt es nur bei nummerierten Blättern.',
    seed_of_seeded: 'Ein Blatt aus einem Seed braucht einen Seed, andere Blätter haben keinen.',
    window_of_many:
      'Wenn alle starten, wann sie wollen, braucht ihr mindestens zwei Plätze; zu spät kommt dann niemand, und kein Sieg beendet das Rennen.',
  },
  REFUSALS: {
    bad_message: () => 'Der Server hat diese Seite nicht verstanden. Lade sie neu.',
    not_joined: () => 'Du bist noch in keinem Raum.',
    already_joined: () => 'Du bist schon in diesem Raum.',
    try_again: () => 'Das hat gerade nicht geklappt. Versuch es noch einmal.',
    no_such_room: () => 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
    room_full: () => 'Dieser Raum ist voll.',
    room_locked: () => 'Der Raum ist abgeschlossen. Es kann niemand mehr dazukommen.',
    no_programs: () => 'Programme lässt der Gastgeber nicht in diesen Raum.',
    banned: () => 'Der Gastgeber hat dich aus diesem Raum entfernt. Du kannst nicht wieder hinein.',
    one_seat: () => 'Ein Platz pro Person: Dein Browser oder dein Netz hatte schon einen.',
    too_many_seats: () => 'In diesem Raum sind schon zu viele Spieler aus deinem Netz.',
    too_many_joins: () => 'Zu viele Versuche aus deinem Netz. Versuch es gleich noch einmal.',
    too_many_rooms: () => 'Zu viele Räume aus deinem Netz. Versuch es gleich noch einmal.',
    server_full: () => 'Gerade sind zu viele Räume offen. Versuch es später noch einmal.',
    store_full: () => 'Der Server ist gerade voll. Versuch es in ein paar Minuten noch einmal.',
    too_many_kept: () => 'In deinem Netz werden schon so viele Tische behalten wie erlaubt.',
    kept_full: () => 'Dieser Server kann gerade keinen weiteren Tisch behalten.',
    bad_token: () => 'Dieser Platz gehört jemand anderem.',
    bad_name: () => 'Bitte wähle einen anderen Namen.',
    no_bots: () => 'Auf diesem Server gibt es keine Computerspieler.',
    bots_busy: () => 'Alle Computerspieler sind beschäftigt. Versuch es etwas später noch einmal.',
    too_many_bots: () => 'Mehr Computerspieler passen nicht in diesen Raum.',
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
      (reason && de.CLASHES[reason]) ??
      `Diese Einstellungen passen nicht zusammen${fields.length > 0 ? `: ${list(fields)}` : ''}.`,
    no_such_game: () => 'Diese Runde gibt es in diesem Match nicht.',
    game_played: () => 'Diese Runde habt ihr schon gespielt. Wähle eine andere.',
    bad_deal_number: () => 'Es gibt kein Blatt mit dieser Nummer.',
    no_such_cards: () => 'Diese Karten gibt es hier nicht, oder sie sind noch geheim.',
    day_played: () => 'Das hast du heute schon gespielt.',
    early: () => 'Das Rennen hat noch nicht begonnen.',
    too_late: () => 'Das Rennen ist vorbei.',
    stale: () => 'Dein Tisch war nicht auf dem neuesten Stand. Jetzt stimmt er wieder.',
    too_many_in_flight: () => 'Nicht ganz so schnell: Deine letzten Züge sind noch unterwegs.',
    game_over: () => 'Dein Spiel ist vorbei.',
    game_too_long: () => 'Mehr Züge hat ein Spiel nicht. Deine Punkte zählen.',
    no_such_pile: () => 'Dorthin kannst du nichts legen.',
    same_pile: () => 'Dort liegen die Karten schon.',
    pile_empty: ({ piles }) =>
      piles[0] && piles[0] !== 'stock'
        ? `Auf ${de.pileName(piles[0])} liegt keine Karte.`
        : 'Dort liegt keine Karte.',
    not_enough_cards: ({ piles }) =>
      `Auf ${piles[0] ? de.pileName(piles[0]) : 'diesem Stapel'} liegen weniger Karten.`,
    face_down: () => 'Verdeckte Karten kannst du nicht bewegen.',
    not_a_run: (details) => `${someCards(details)} sind keine Folge.`,
    mixed_suits: (details) => `${someCards(details)} haben gemischte Farben und gehen nur einzeln.`,
    wrong_rank: wrongRank,
    deal_stock_empty: () => 'Alle Karten sind ausgeteilt.',
    deal_empty_column: ({ piles }) =>
      `Solange ${list(piles.map(de.pileName)) || 'ein Stapel'} leer ${piles.length > 1 ? 'sind' : 'ist'}, kannst du nicht austeilen.`,
    deal_too_few_cards: () => 'Es liegen zu wenige Karten auf dem Tisch, um alle Stapel zu füllen.',
    not_a_complete_suit: ({ piles }) =>
      `${piles[0] ? de.pileName(piles[0]) : 'Dieser Stapel'} endet nicht mit einer vollständigen Farbe.`,
    not_finished: () => 'Das Spiel ist noch nicht zu Ende.',
    nothing_to_undo: () => 'Es gibt nichts zurückzunehmen.',
    undo_reveals: () => 'Austeilen und Aufdecken lässt sich nicht zurücknehmen.',
    undo_is_off: () => 'In diesem Raum gibt es kein Zurücknehmen.',
    nothing_to_redo: () => 'Es gibt nichts zu wiederholen.',
    hints_are_off: () => HINT_OFF,
    no_hint: () => 'Einen besseren Zug kennen wir nicht.',
    exceptions_are_off: () => EXCEPTION_OFF,
    exception_not_asked: () => 'Diese Farben sind gemischt. Sag zuerst eine Ausnahme an (Taste X).',
    exception_not_needed: () => 'Der Zug ist erlaubt, eine Ausnahme brauchst du dafür nicht.',
    action_unknown_to_game: () => 'Das geht in diesem Spiel nicht.',
    one_card_at_a_time: () => 'In diesem Spiel bewegst du immer nur eine Karte.',
    foundation_is_final: () => 'Was auf einer Ablage liegt, bleibt dort.',
    wrong_foundation_suit: () => 'Auf einer Ablage liegt nur eine Farbe.',
    wrong_foundation_colour: () => 'Rote Asse und schwarze Könige, oder umgekehrt.',
    wrong_foundation_rank: ({ cards: [card, last] }) =>
      card && last
        ? `${spoken(card)} folgt nicht auf ${spoken(last)}.`
        : 'Eine Ablage beginnt mit ihrem Ass oder ihrem König.',
    lower_pile_wrong_slot: () => 'Solange der Talon reicht, passt sie nur auf die Ablage darüber.',
    no_moves_between_piles_yet: () => 'Solange der Talon reicht, gehen Karten nur auf die Ablagen.',
    pile_stays_empty: () => 'Ein leerer Stapel bleibt leer.',
    not_rank_adjacent: () => 'Eine Karte passt nur auf eine, die um eins höher oder niedriger ist.',
  },
  refusal: (code, details) => de.REFUSALS[code]?.(details) ?? 'Das hat nicht geklappt.',
  SETTINGS: {
    game: 'Spiel',
    deal: 'Blatt',
    number: 'Nummer des Blatts',
    seed: 'Seed',
    layout: 'Zusätzliche Karten',
    auto_remove: 'Vollständige Farben automatisch ablegen',
    winnable: 'Nur Blätter, die zu gewinnen sind',
    degree: 'Schwierigkeit',
    relaxed_deal: 'Auch auf leere Stapel austeilen',
    exceptions: 'Ausnahmen',
    undo: 'Zurücknehmen',
    hints: 'Tipps erlauben (alle sehen, wie viele)',
    autoplay: 'Anbieten, ein so gut wie gewonnenes Spiel zu Ende zu spielen',
    score: 'Wertung',
    ranking: 'Wer gewinnt',
    rounds: 'Runden',
    match_ranking: 'Match gewinnt, wer …',
    chasers: 'Wer zu spät kommt, darf dieses Blatt ohne Wertung spielen',
    cheats: 'Gezähltes Zurücknehmen',
    time_limit_s: 'Zeitlimit',
    window_s: 'Alle starten',
    after_win_s: 'Nach dem ersten Sieg',
    spectate: 'Zuschauer sehen',
    board_delay_s: 'Verzögerung der Tische (s)',
    public: 'Diesen Raum auf der Startseite zeigen',
    locked: 'Raum abschließen: Niemand kann mehr dazukommen',
    max_players: 'Höchstens so viele Spieler',
    one_seat: 'Ein Platz pro Person (Browser und Netz), auch beim Zuschauen',
    approve: 'Mich fragen, bevor jemand dazukommt',
    programs: 'Programme dürfen mitmachen',
  },
  settingValue(name, value) {
    if (name === 'game') return gameName(String(value));
    if (typeof value === 'boolean') return value ? 'an' : 'aus';
    const isTime = typeof value === 'number' && name.endsWith('_s');
    const time = isTime ? de.duration(value) : '';
    if (name === 'window_s' && isTime) return `Jederzeit, ${time} lang`;
    const other = time || String(value ?? '–');
    return VALUES[name]?.[String(value)] ?? other;
  },
  describe(pile) {
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
  },
  pileTitle: (id) => de.pileName(id),
  KEEP_LOOKING: 'Weitersuchen',
  timeLeft(ms) {
    const days = Math.floor(ms / 86_400_000);
    return `noch ${days < 2 ? clock(ms) : count(days, 'Tag', 'Tage')}`;
  },
  photoBy({ first, second, ms }, me) {
    const title = 'Fotofinish: ';
    if (first.seat === me) return `${title}${split(ms)} vor ${second.name}`;
    if (second.seat === me) return `${title}${split(ms)} hinter ${first.name}`;
    return `${title}${first.name}, ${split(ms)} vor ${second.name}`;
  },
  cheatRule: (undo) =>
    undo === 'counted'
      ? 'Jedes Zurücknehmen wird gezählt. Alle sehen, wie oft.'
      : 'Wer Aufgedecktes oder ein Austeilen zurücknimmt, wird gezählt. Alle sehen, wie oft.',
  ROUND_NEWS: newsOf('die Runde', 'Bei der'),
  startsIn: (seconds, inMatch) =>
    `${inMatch ? 'Die Runde' : 'Das Rennen'} startet in ${count(seconds, 'Sekunde', 'Sekunden')}.`,
  endsIn: (seconds, inMatch) => {
    const time = seconds < 60 ? count(seconds, 'Sekunde', 'Sekunden') : onClock(seconds);
    return `${inMatch ? 'Die Runde' : 'Das Rennen'} endet in ${time}.`;
  },
  you: (name) => (/^(ich|du)$/i.test(name) ? name : `${name} (du)`),
  firstMove: (isOneTap) =>
    isOneTap
      ? 'Tipp eine Karte an, um sie zu spielen, oder zieh sie.'
      : 'Zieh eine Karte, oder klick erst sie und dann einen Stapel an.',
  askWhy: (isClassic) => `Das geht nicht. Warum, siehst du mit ${isClassic ? 'F5' : '?'}.`,
  COPY: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    linkCopied: 'Link kopiert. Schick ihn weiter.',
    selected: 'Der Link ist markiert. Kopiere ihn mit der Tastatur oder durch langes Drücken.',
    share: 'Teilen',
    notShared: 'Das Teilen hat nicht geklappt. Kopier es stattdessen.',
    shareText: 'Spiel mit mir um die Wette Spider-Solitär!',
  },
  ONLY_HERE:
    'Dieser Link funktioniert nur auf diesem Computer. Um Freunde einzuladen, öffne die Seite über die Adresse des Computers.',
  // The deal: its name, its hash, and the result of its check.
  PROOF: {
    good: 'Faires Blatt: geprüft, der Hash stimmt',
    secret: 'Versiegeltes Blatt',
    later: 'Sobald der Tag vorbei ist, können alle es sehen und prüfen.',
    bad: 'Blatt nicht bestätigt',
    open: 'Offenes Blatt',
    sealed:
      'Seed und Salt passen zum Hash von vor dem Rennen, und der Seed ergibt diese Karten: Dein Browser hat beides geprüft.',
    otherSeal: 'Seed und Salt passen nicht zum Hash, der vor dem Rennen angezeigt wurde.',
    otherDeck: 'Der Seed ergibt andere Karten als diese.',
    known: 'Dieses Blatt war schon vor dem Rennen bekannt, also gibt es nichts zu prüfen.',
  },
  winLine: (winnable, degree) => {
    if (winnable === false) return 'Ob dieses Blatt zu gewinnen ist, wissen wir nicht.';
    const level = VALUES.degree?.[String(degree)];
    const difficulty = degree && level ? ` Schwierigkeit: ${level.toLowerCase()}.` : '';
    return winnable ? `Dieses Blatt lässt sich gewinnen.${difficulty}` : '';
  },
  oneTry: (game) => `${suitsOf(game)} · ein Versuch`,
  gameAndDeal: (game, number) => `${gameName(game)}${number ? `, Blatt ${number}` : ''}`,
  FAIR_DEAL: 'Faires Blatt · festgelegt',
  dealHash: (start) =>
    `Der Hash dieses Blatts beginnt mit ${start}… Nach dem Rennen können alle prüfen, dass es dasselbe war.`,
  STOP: 'Abbrechen',
  sentence(notice) {
    if (notice.kind === 'closed') return closing(notice.close);
    if (notice.command === 'chase' && notice.code === 'one_seat') return ONE_GAME;
    return notice.code ? de.refusal(notice.code, notice.details) : '';
  },
  // The room before the race: the invitation, the players and the form of the settings.
  onlyWatch: (n) =>
    n === 1
      ? 'Jemand ist nicht bereit und kann dann nur zuschauen.'
      : `${n} Mitspieler sind nicht bereit. Sie können dann nur zuschauen.`,
  COLOURS: Object.fromEntries(
    'Blau Rot Grün Violett Türkis Pink Gold Kupfer'
      .split(' ')
      .map((name, i) => [SEAT_COLOURS[i], name]),
  ),
  PRESETS: {
    friends: ['Rennen unter Freunden', 'Eine Farbe, fertige Folgen werden abgelegt'],
    'four-suits': ['Vier Farben', 'Vier Farben, fertige Folgen werden abgelegt'],
    classic: ['Klassisch 1989', 'Vier Farben, fertige legst du ab, die meisten Punkte gewinnen'],
    arachnid: ['Arachnid', 'Vier Farben, fertige legst du ab, Zurücknehmen ist frei'],
    'dos-hard': ['DOS 1987, schwer', 'Sechs Runden ohne Zurücknehmen, Ausnahmen auf Nachfrage'],
    'dos-easy': ['DOS 1987, leicht', 'Sechs Runden ohne Zurücknehmen, Ausnahmen jederzeit'],
    'serenity-1': ['Serenity, eine Farbe', 'Eine Farbe und eine halbe Stunde'],
    'serenity-2': ['Serenity, zwei Farben', 'Zwei Farben und eine halbe Stunde'],
    windows: ['Windows', 'Zwei Farben, jeder Zug kostet einen Punkt, mit Tipps'],
    spiderette: ['Spiderette', 'Ein Spiel Karten auf sieben Stapeln, vier Farben'],
    'little-spider': ['Little Spider', 'Ein Spiel Karten, einzelne Karten auf vier Ablagen'],
    custom: ['Eigene Regeln', 'Vom Gastgeber gewählt'],
  },
  CONNECTIONS: { grace: 'Verbindung verloren', gone: 'abwesend' },
  waitingFor: (names) => `Warten auf ${list(names)}.`,
  copyLinkOf: (code) => `${code}: Link kopieren`,
  furtherPlayers: (n) => `${n} weitere`,
  watcherCount: (n) => (n === 1 ? '1 schaut zu' : `${n} schauen zu`),
  ROOM: {
    colour: 'Deine Farbe und dein Zeichen',
    changeColour: 'Deine Farbe ändern',
    watching: 'Zuschauer',
    link: 'Link zu diesem Raum',
    qr: 'QR-Code des Links',
    invite: 'Freunde einladen',
    inviteShort: 'Einladen',
    sendInvitation: 'Einladung senden',
    scan: 'Scannen, den Code nennen oder den Link schicken.',
    program: 'Programm',
    change: 'Regeln ändern',
    players: 'Mitspieler',
    settings: 'Einstellungen',
    rules: 'Regeln',
    ready: 'Bereit',
    unready: 'Doch nicht bereit',
    start: 'Jetzt starten',
    startAlone: 'Allein starten',
    you: 'du',
    host: 'Gastgeber',
    addComputer: 'Computerspieler dazuholen',
    addShort: 'Computer dazu',
    everyoneReady: 'Alle sind bereit.',
    alone: 'Warten auf Freunde. Schick ihnen den Link, oder hol einen Computer dazu.',
    awaited: 'dich',
    readyAgain: 'Bitte drück noch einmal auf „Bereit“.',
    preset: 'Vorlage',
    more: 'Mehr Einstellungen',
    badSeed: 'Ein Seed hat 32 Zeichen, 0–9 und a–f. Er steht im Ergebnis einer Runde.',
  },
  rulesLine(settings, round) {
    const { game, deal, number, rounds, time_limit_s: limit, after_win_s: afterWin } = settings;
    const { window_s: open } = settings;
    const minutes = (/** @type {number} */ s) =>
      s % 60 === 0 ? `${s / 60}\u00a0Min.` : de.duration(s);
    return [
      gameName(game),
      deal === 'numbered' && (number === null ? 'offenes Blatt' : `Blatt ${number}`),
      rounds > 1 && (round ? `Runde ${round} von ${rounds}` : count(rounds, 'Runde', 'Runden')),
      open && `Start, wann ihr wollt (${de.duration(open)} offen)`,
      limit === null ? 'ohne Zeitlimit' : `${open ? 'je ' : ''}${minutes(limit)}`,
      afterWin !== null && `noch ${minutes(afterWin)} nach dem ersten Sieg`,
      UNDO[settings.undo],
      settings.hints && 'mit Tipps',
    ]
      .filter(Boolean)
      .join('\u00a0· ');
  },
  changedSettings: (host, names, settings) =>
    `${host} hat geändert: ${names
      .map(
        (name) => `${BRIEFLY[name] ?? de.SETTINGS[name]}: ${de.settingValue(name, settings[name])}`,
      )
      .join(' · ')}`,
  CHANGED: {
    preset: (host, preset) => `${host} hat die Regeln geändert: ${preset}`,
    locked: (host) => `${host} hat den Raum abgeschlossen`,
    unlocked: (host) => `${host} hat den Raum wieder geöffnet`,
  },
  dealLabel: (number, label) =>
    ({
      winnable: `Blatt ${number} ist zu gewinnen.`,
      unwinnable: `Blatt ${number} ist nicht zu gewinnen: Wir haben jeden Zug geprüft. Es zählen die Punkte.`,
      unknown: `Ob Blatt ${number} zu gewinnen ist, wissen wir nicht.`,
      searching: `Wir prüfen, ob Blatt ${number} zu gewinnen ist…`,
    })[label],
  // Joining a room with the host's consent: the form, the requests, and the page they wait on.
  ADMISSION: {
    title: 'Wer mitmachen darf',
    ban: 'Nicht wieder hereinlassen (dieser Browser und, wenn er sich von deinem unterscheiden lässt, dieses Netz)',
    asking: 'Möchten mitmachen',
    letIn: 'Hereinlassen',
    turnAway: 'Abweisen',
    watches: 'zum Zuschauen',
    waiting: 'Warten auf den Gastgeber',
    leave: 'Abbrechen',
  },
  // The score card of a match, and the choice of the next game.
  MATCH: {
    label: 'Punkte im Match',
    columns: ['Runde', 'Punkte', 'Züge', 'Ausnahmen', 'Tipps', 'Gemogelt', 'Zeit'],
    totals: 'Summe',
    wins: 'Siege in diesem Raum',
    which: 'Die Reihenfolge der Runden ist frei. Welche Runde möchtest du spielen?',
    repeat: 'Du kannst jede Runde wiederholen. Das letzte Ergebnis zählt.',
  },
  ROUNDS: {
    nth: (n) => `Runde ${n}`,
    next: (n) => `Als Nächstes kommt Runde ${n}.`,
    again: (n) => `Runde ${n} noch einmal`,
    againNext: (n) => `Als Nächstes noch einmal Runde ${n}. Das letzte Ergebnis zählt.`,
    match: (n) => `Match aus ${n} Runden`,
    won: (n) => `${count(n, 'Runde', 'Runden')} gewonnen`,
  },
  matchWon: (winners) =>
    winners.length > 1
      ? `${list(winners)} teilen sich den Matchsieg`
      : `${list(winners) || 'Niemand'} gewinnt das Match`,
  matchAfter: (n, of) => `Match nach ${n} von ${of} Runden`,
  // The controls of the host over players and a running race.
  kickText: (name, racing) =>
    racing
      ? `${name} verliert den Platz und gibt das Rennen damit auf.`
      : `${name} verliert den Platz, kann aber mit dem Link wiederkommen.`,
  SEAT_STATES: {
    ...{ READY: 'Bereit', SEATED: 'Nicht bereit', RACING: 'Spielt' },
    ...{ CHASING: 'Spielt ohne Wertung', FINISHED: 'Fertig', FORFEIT: 'Aufgegeben' },
    ...{ TIMED_OUT: 'Zeit abgelaufen', WATCHING: 'Schaut zu' },
  },
  DO_TO: {
    kick: (name) => `${name} aus dem Raum entfernen`,
    standIn: (name) => `Einen Computerspieler für ${name} zu Ende spielen lassen`,
    letIn: (name) => `${name} hereinlassen`,
    turnAway: (name) => `${name} abweisen`,
    mute: (name) => `${name} stummschalten`,
    unmute: (name) => `${name} nicht mehr stummschalten`,
  },
  // The open race, whose players start when they like.
  OPEN_RACE: {
    open: 'Rennen öffnen',
    opensOwn: 'Öffne das Rennen, und alle mit dem Link können anfangen, wann sie wollen.',
    opens: (host) => `Sobald ${host} das Rennen öffnet, kannst du anfangen, wann du willst.`,
    title: 'Ein Spiel, wann du willst.',
    about: 'Deine Uhr läuft ab der ersten Karte und hält nicht an.',
    begin: 'Mein Spiel starten',
    done: 'Du bist fertig.',
    faceDown: 'Die Ergebnisse bleiben verdeckt, bis du gespielt hast',
    boards: 'Alle Tische ansehen',
    invite: 'Einladung schicken',
    last: 'Ergebnis der letzten Runde',
    turn: 'du bist dran',
    states: {
      ...{ READY: 'noch nicht', SEATED: 'noch nicht', WATCHING: 'noch nicht', RACING: 'spielt' },
      ...{ CHASING: 'spielt', FINISHED: 'gespielt', FORFEIT: 'gespielt' },
      TIMED_OUT: 'gespielt',
    },
    stays: 'Es hat angefangen und lässt sich nur noch beenden.',
  },
  KNOWN_DEAL: 'Das Blatt ist nicht geheim: Der Gastgeber kennt diese Karten vielleicht schon.',
  raceOf: (host) => (host ? `Rennen von \u2068${host}\u2069` : 'Das Rennen'),
  openUntil: (end) => `bis ${dayAndTime(end)}`,
  mayChange: (end) => `Dein Platz kann sich bis ${dayAndTime(end)} noch ändern.`,
  mayPass: (n, left) => `${n} ${n === 1 ? 'kann' : 'können'} dich überholen: ${left}.`,
  ofSoFar: (of) => `von ${of} bisher`,
  openRaceGap: (isByTime, ahead, name) => {
    const n = Math.abs(ahead);
    const time = n < 60_000 ? split(n) : clock(n);
    const by = isByTime ? time : `${n} ${n === 1 ? 'Punkt' : 'Punkte'}`;
    return `${by} ${ahead > 0 ? 'vor' : 'hinter'} ${name}.`;
  },
  ownEndsIn: (seconds) => `Dein Spiel endet in ${de.duration(seconds)}.`,
  havePlayed: (n, of) => `${n} von ${of} ${n === 1 ? 'hat' : 'haben'} gespielt`,
  HOST: {
    standIn: 'Computer spielt zu Ende',
    title: 'Du bist Gastgeber',
    end: 'Das Rennen beenden in:',
    abortAbout: 'Oder ohne Ergebnis abbrechen:',
  },
  // The chat.
  CHAT: {
    title: 'Chat',
    log: 'Nachrichten',
    emotes: 'Schnelle Antworten',
    emoteWords: {
      good_luck: 'Viel Glück!',
      well_played: 'Gut gespielt!',
      wow: 'Wow!',
      oops: 'Hoppla!',
      hurry: 'Beeil dich!',
      thanks: 'Danke!',
    },
    placeholder: 'Nachricht',
    send: 'Senden',
    mute: 'Stummschalten…',
    close: 'Chat schließen',
    opened: 'Du hast den Tisch eröffnet.',
    hello: 'Sag Hallo, bis es losgeht.',
  },
  opened: (name) => `${name} hat den Tisch eröffnet.`,
  chatUnread: (n) => (n > 0 ? `Chat, ${n} ungelesen` : 'Chat'),
  // The tab and its notifications.
  TAB: {
    notify: 'Mir Bescheid geben, wenn es losgeht',
    notifying: 'Du bekommst Bescheid, wenn es losgeht',
    starting: 'Gleich geht es los',
    comeBack: 'Komm zurück zu Spider Race.',
    wants: (name) => `${name} will ein Rennen`,
  },
  // Kept tables.
  TABLE: {
    keep: 'Tisch behalten',
    kept: 'Dieser Tisch bleibt: sein Link, seine Plätze und seine Ergebnisse.',
    views: 'Ansichten des Tischs',
    VIEWS: { table: 'Tisch', result: 'Ergebnis', standings: 'Tabelle' },
    menu: 'Tisch verwalten',
  },
  SEAT_NOT_MOVED:
    'Dieser Link ist zu alt oder schon benutzt. Hol dir auf dem anderen Gerät einen neuen.',
  pileLabel(pile) {
    const all = pile.down + pile.up.length;
    const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
    const part = last ? `, ${last} von ${all}` : '';
    return `${de.pileTitle(pile.id)}: ${de.describe(pile)}${part}`;
  },
  faceDown: (n) => `${n} verdeckt`,
  homeLabel: (suits) =>
    suits > 0 ? `${count(suits, 'Farbe', 'Farben')} abgelegt.` : 'Noch keine Farbe abgelegt.',
  holding: (cards, pile) =>
    `${count(cards.length, 'Karte', 'Karten')} von ${de.pileName(pile)}: ${several(cards)}.`,
  taken: (cards, pile) =>
    cards.length > 0 ? `${several(cards)} ausgewählt.` : `Welche Karten auf ${de.pileName(pile)}?`,
  marked: (on, columns) =>
    on
      ? `Auf ${count(columns, 'Stapel', 'Stapeln')} lässt sich etwas bewegen.`
      : 'Die Markierung ist aus.',
  located(card, places) {
    if (places.length === 0) return `${spoken(card)} liegt nicht offen.`;
    const where = places.map(({ pile, above, home }) => {
      if (home) return 'abgelegt';
      return `${de.pileName(pile)}${above > 0 ? ` unter ${count(above, 'Karte', 'Karten')}` : ' am Ende'}`;
    });
    return `${spoken(card)}: ${list(where)}.`;
  },
  PLAY: {
    exceptionAsked: 'Ausnahme: Jetzt darfst du eine Folge aus gemischten Farben bewegen.',
    exceptionDropped: 'Doch keine Ausnahme.',
    exceptionFree: 'Ausnahmen musst du hier nicht ansagen: Beweg einfach eine gemischte Folge.',
    unfolded: 'Aufgefaltet.',
    folded: 'Gefaltet.',
    short: 'Hier ist nichts gefaltet.',
    noSuit: 'Kein Stapel endet mit einer vollständigen Farbe.',
    noPlace: 'Diese Karten passen nirgends.',
    onlySpace: 'Diese Karten passen nur auf einen leeren Stapel.',
    dealAgain: 'Eine Reihe austeilen? „Austeilen“ bestätigt, Escape bricht ab.',
    notDone: 'Abgebrochen.',
    whichRank: 'Karte suchen. Welcher Rang: A, 2 bis 9, 0 für die 10, J, Q oder K?',
    whichSuit: 'Welche Farbe: S für Pik, H für Herz, D für Karo oder C für Kreuz?',
    nothingRefused: 'Es wurde kein Zug abgelehnt.',
    suitsHome: 'Abgelegte Farben',
    none: 'Noch keine',
    box: 'Zug eintippen',
    boxHow: '3 5 · 3x2 5 · d teilt aus · u nimmt zurück · r 3 legt ab',
    boxGo: 'Los',
  },
  LEVELS: {
    off: EXCEPTION_OFF,
    easy: 'Stufe 1, leicht: Ausnahmen jederzeit.',
    hard: 'Stufe 2, schwer: vor einer Ausnahme X drücken.',
  },
  TYPED: {
    column: (text) => `Es gibt keinen Stapel ${text}.`,
    words: (text) => `„${text}“ ist kein Zug. Möglich sind 3 5, 3x2 5, d, u oder r 3.`,
  },
  actAside: (action, before, after) =>
    action.type === 'deal' ? dealt(effectOf(action, before, after)) : '',
  actDone(action, before, after) {
    const effect = effectOf(action, before, after);
    const { turned, removed, home, of } = effect;
    const turning = turned.length > 0 ? `; ${list(turned.map(spoken))} aufgedeckt` : '';
    return {
      move: action.type === 'move' ? moved(effect, action.to, turning) : '',
      deal: `Ausgeteilt${dealt(effect)}${completing(effect)}${turning}.`,
      remove: `Vollständige Farbe abgelegt: ${suitNames(removed)}, ${home} von ${of}${turning}.`,
      undo: 'Zurückgenommen.',
      redo: `Wiederholt${completing(effect)}.`,
      finish: 'Dein Spiel ist beendet.',
    }[action.type];
  },
  hintLate: (n) => `Tipp ${n} galt für deinen Tisch vor dem letzten Zug.`,
  hinted({ action, hints, reason = null }, piles) {
    if (action.type === 'deal')
      return `Tipp ${hints}: austeilen.${reason === 'deals' ? ' Einen besseren Zug kennen wir nicht.' : ''}`;
    if (action.type === 'remove')
      return `Tipp ${hints}: die vollständige Farbe von ${de.pileName(action.from)} ablegen.`;
    if (action.type !== 'move') return `Tipp ${hints}: beenden, du hast gewonnen.`;
    const pileOf = (/** @type {string} */ id) => piles.find((pile) => pile.id === id);
    const [from, to] = [pileOf(action.from), pileOf(action.to)];
    const cards = from?.up.slice(-action.count) ?? [];
    // A newer server may have other reasons.
    const why = from && to && REASONS[reason ?? '']?.(from, to, cards);
    return `Tipp ${hints}: ${several(cards)} von ${de.pileName(action.from)} auf ${de.pileName(action.to)} legen.${why ? ` ${why}` : ''}`;
  },
  exceptionMade: (n) => `Das war Ausnahme ${n}.`,
  cheatMade: (n) => `Das wird gezählt: bisher ${n}.`,
  boardLabel: (standing) =>
    `${standing.name}: ${count(standing.score, 'Punkt', 'Punkte')}, ${standing.face_down} verdeckt, ${count(standing.suits, 'Farbe', 'Farben')} abgelegt. Vergrößern`,
  boardsLate: (seconds) =>
    seconds === 0
      ? 'Die Tische sind live.'
      : `Die Tische sind um ${count(seconds, 'Sekunde', 'Sekunden')} verzögert.`,
  boardsFollow: (ms) =>
    `Die Tische sind verzögert, damit niemand abschaut: erste Züge in ${clock(ms + 999)}.`,
  ofPlayers: (n) => `von ${n}`,
  ofSuits: (n) => `von ${n} Farben`,
  HEADER: {
    time: 'Zeit',
    mute: 'Stumm',
    restart: 'Mit demselben Blatt neu beginnen',
    help: 'Hilfe und Tasten',
    forfeit: 'Aufgeben',
    chase: 'Mitspielen',
    chaseLabel: 'Dieses Blatt bis zum Ende des Rennens spielen, mit eigener Uhr und ohne Wertung',
  },
  RACE: {
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
    home: 'Du bist im Ziel!',
    end: 'Rennen beenden',
    finished: 'Spiel vorbei.',
  },
  NO_SCORES: 'Noch keine Punkte.',
  scoreSpoken(view) {
    if (!view) return 'Noch keine Karten ausgeteilt.';
    const { score, counts } = view;
    const exceptions =
      counts.exceptions > 0 ? `, ${count(counts.exceptions, 'Ausnahme', 'Ausnahmen')}` : '';
    const cheated = counts.cheats > 0 ? `, ${de.cheats(counts.cheats)}` : '';
    return `${count(score, 'Punkt', 'Punkte')}, ${count(counts.moves, 'Zug', 'Züge')}, ${count(counts.suits, 'Farbe', 'Farben')} abgelegt${exceptions}${cheated}.`;
  },
  youWin: (ms) => `Du gewinnst! ${clock(ms)}.`,
  placeSoFar: (place) => `Bisher Platz ${place}.`,
  soFar(place, others, left) {
    const time =
      left === undefined ? '' : ` (${left === null ? 'ohne Zeitlimit' : de.timeLeft(left)})`;
    const rest =
      others === 0
        ? 'Gleich kommt das Ergebnis.'
        : others === 1
          ? `Es spielt noch jemand${time}.`
          : `Es spielen noch ${others}${time}.`;
    return place ? `${de.placeSoFar(place)} ${rest}` : rest;
  },
  leadWord: (isOwn, wins) =>
    isOwn ? (wins ? 'Du gewinnst' : 'Du führst') : wins ? ' gewinnt' : ' führt',
  STANDINGS: 'Stand',
  standingState(standing) {
    if (standing.state === 'CHASING') return `${clock(standing.late_ms ?? 0)} später`;
    return de.ending(standing);
  },
  STAND_IN: 'vom Computer, ohne Wertung',
  progress({ home, face_down, suits }, single) {
    const left = single ? `${home} abgelegt` : `${face_down} verdeckt`;
    return !single && suits > 0 ? `${count(suits, 'Farbe', 'Farben')} · ${left}` : left;
  },
  NOT_THERE: 'offline',
  WALL: 'Tische',
  WATCH_REST: 'Du kannst bis zum Ende zusehen.',
  FIGURES: {
    score: ['Punkte'],
    moves: ['Züge', 'Zug'],
    exceptions: ['Ausnahmen', 'Ausnahme'],
    hints: ['Tipps', 'Tipp'],
    'face-down': ['verdeckt'],
    'cards-home': ['abgelegt', 'abgelegt'],
    'in-stock': ['im Talon'],
    cheats: ['Rücknahmen', 'Rücknahme'],
  },
  lastRacer: (isHost) => ({
    title: 'Nur du bist noch im Rennen',
    text: isHost
      ? 'Alle anderen haben aufgegeben. Spiel weiter oder beende das Rennen jetzt: Deine Punkte zählen.'
      : 'Alle anderen haben aufgegeben. Spiel weiter oder gib auch auf: Dann gewinnt niemand.',
    playOn: KEEP_PLAYING,
    end: isHost ? 'Rennen beenden' : GIVE_UP,
  }),
  WIN_STAYS: 'Dein Sieg zählt, auch wenn du gehst.',
  behindAsk: (name, place, left) => ({
    title: `${name} gewinnt`,
    text: left === null ? 'Du kannst noch ins Ziel kommen.' : `Du hast ${de.timeLeft(left)}.`,
    playOn: `Um Platz ${place} weiterspielen`,
    end: GIVE_UP,
  }),
  playingOut: (left) => ({
    title: 'Wird zu Ende gespielt…',
    text: `Noch ${count(left, 'Zug', 'Züge')}`,
    playOn: 'Anhalten',
  }),
  playOutAsk: (moves) => ({
    title: 'Das ist gewonnen',
    text: `Alle Karten liegen offen, noch ${count(moves, 'Zug', 'Züge')}. Sollen wir für dich zu Ende spielen?`,
    playOn: 'Ich spiele selbst',
    end: 'Zu Ende spielen',
  }),
  deadAsk: (score, gain, undo) => ({
    title: 'Hier tut sich nichts mehr',
    text: `Du kannst keine Karte mehr aufdecken und keine Farbe mehr fertig machen.${
      gain > 0 ? ` Züge bringen höchstens noch ${count(gain, 'Punkt', 'Punkte')}.` : ''
    } Hier aufhören${undo ? ' oder zurücknehmen' : ''}? Du behältst ${count(score, 'Punkt', 'Punkte')}.`,
    playOn: de.KEEP_LOOKING,
    end: 'Hier aufhören',
  }),
  GAVE_UP: {
    title: 'Du hast aufgegeben',
    text: 'Aus Versehen? Fünf Sekunden lang kannst du noch weiterspielen.',
    playOn: KEEP_PLAYING,
    end: 'Jetzt aufgeben',
  },
  ASK_IN_RACE: {
    forfeit(/** @type {boolean} */ isRound) {
      const [which, what] = isRound
        ? ['Diese Runde', 'die Runde']
        : ['Dieses Rennen', 'das Rennen'];
      return {
        title: `${which} aufgeben?`,
        text: `Du behältst deine Punkte. Brauchst du nur eine Pause? Schließ einfach die Seite: Solange ${what} läuft, bleibt dir dein Platz.`,
        ...GIVE_UP_OR_PLAY,
      };
    },
    forfeitOpenRace: {
      title: 'Aufgeben?',
      text: 'Du behältst deine Punkte, kannst dieses Rennen aber nicht noch einmal spielen. Die Uhr lässt sich nicht anhalten.',
      ...GIVE_UP_OR_PLAY,
    },
    forfeitAlone: {
      title: 'Dieses Spiel beenden?',
      text: 'Du behältst deine Punkte.',
      yes: 'Beenden',
      no: KEEP_PLAYING,
    },
    restart: {
      title: 'Neu beginnen?',
      text: 'Du fängst mit denselben Karten noch einmal von vorn an.',
      yes: 'Neu beginnen',
      no: KEEP_PLAYING,
    },
    restartSecret: {
      title: 'Neu beginnen?',
      text: 'Dieses Blatt ist geheim, bis dein Spiel vorbei ist. Gib erst auf und wähle dann auf der nächsten Seite „Dieses Blatt allein spielen“.',
      ...GIVE_UP_OR_PLAY,
    },
  },
  ownBest: ({ score, ms }) => `Rekord ${ms === null ? score : clock(ms)}`,
  ended({ name, won, state, finished_ms }, wins) {
    const time = clock(finished_ms ?? 0);
    if (won) return wins ? `${name} gewinnt nach ${time}.` : `${name} ist nach ${time} im Ziel.`;
    return `${name} hat ${state === 'FORFEIT' ? 'aufgegeben' : 'aufgehört'}.`;
  },
  leads: (name) => `${name} geht in Führung.`,
  TAKE_LEAD: 'Du gehst in Führung.',
  lastStretch: (seconds, name) =>
    `${LAST[seconds] ?? `Noch ${de.duration(seconds)}`}${name && `: ${name} ist im Ziel`}.`,
  // The moments of a finish.
  homeFirst: (forCertain) => (forCertain ? ' gewinnt!' : ' ist zuerst fertig!'),
  EVENTS: 'Was bisher geschah',
  eventWords({ kind, standing, photo }, me, game) {
    if (photo) return { name: de.photoBy(photo, me), words: '' };
    if (!standing) return { name: kind === 'begin' ? de.NEWS.go : LAST[60], words: '' };
    const { seat, place, state, suits } = standing;
    const [name, is, has, goesAhead] =
      seat === me ? ['Du', 'bist', 'hast', 'gehst'] : [standing.name, 'ist', 'hat', 'geht'];
    /** @type {Record<string, string>} */
    const words = {
      finish: place ? ` ${is} als ${de.ordinal(place)} im Ziel!` : ` ${is} im Ziel!`,
      stop: ` ${has} aufgehört`,
      out: state === 'FORFEIT' ? ` ${has} aufgegeben` : ': Zeit abgelaufen',
      lead: ` ${goesAhead} in Führung`,
      'first-lead': ` ${goesAhead} in Führung`,
      suit: `: ${basics.suitsHome(suits, GAMES[game]?.foundations ?? 0)}`,
    };
    return { name, words: words[kind] ?? '' };
  },
  suitsLeft: (n) => `dir ${n === 1 ? 'fehlt' : 'fehlen'} ${n}`,
  distance(gap) {
    const points = Number(gap.slice(1));
    if (gap.startsWith('+')) return `+${count(points, 'Punkt', 'Punkte')}`;
    return gap && `${points} zurück`;
  },
  // The rules page: the sentences of `room/rules.js`, by game and by setting.
  CHAPTERS: {
    ...{ deal: 'Das Blatt', moves: 'Züge', dealing: 'Austeilen', removing: 'Vollständige Farben' },
    ...{ exceptions: 'Ausnahmen', undo: 'Zurücknehmen', hints: 'Tipps', score: 'Punkte' },
    ...{ end: 'Das Ende', ranking: 'Wer gewinnt', match: 'Match', watching: 'Zuschauen' },
    people: 'Wer mitmacht',
  },
  GAME_RULES: {
    spider: {
      deal: ({ layout }, game) => [
        `Zwei Kartenspiele, ${game.columns} Stapel: ${game.dealt} Karten werden ausgeteilt, die letzte jedes Stapels offen. Die Stapel ${
          layout === 'left4' ? '1 bis 4' : '1, 4, 7 und 10'
        } bekommen eine Karte mehr.`,
        stock(game),
        ...SUITS_COUNT[GAMES[game.id].suits],
      ],
      moves: MOVES,
      end: endRules,
    },
    spiderette: {
      deal: (_, game) => [
        `Ein Kartenspiel, ${game.columns} Stapel: eine Karte auf dem ersten, zwei auf dem zweiten, bis zu ${game.columns}, die letzte jeweils offen.`,
        stock(game),
        ...SUITS_COUNT[GAMES[game.id].suits],
      ],
      moves: MOVES,
      end: endRules,
    },
    'little-spider': {
      deal: (_, game) => [
        'Ein Kartenspiel: vier Karten oben und vier unten, alle offen, und dazwischen vier Ablagen.',
        stock(game).replace(/\.$/, ' auf die obere Reihe.'),
      ],
      moves: [
        'Auf die ersten beiden Ablagen wird in einer Farbe aufwärts gelegt, ab dem Ass, auf die anderen beiden abwärts, ab dem König. Die Ass-Ablagen nehmen Rot oder Schwarz, die König-Ablagen das jeweils andere; die erste abgelegte Karte entscheidet.',
        'Solange der Talon reicht, geht eine oberste Karte der oberen Reihe auf jede Ablage, auf die sie passt, eine der unteren Reihe nur auf die Ablage direkt darüber.',
        'Ist der Talon leer, geht jede oberste Karte auf jede Ablage, auf die sie passt, oder auf einen Stapel, dessen oberste Karte um eins höher oder niedriger ist, gleich welcher Farbe; Ass und König sind Nachbarn. Ein leerer Stapel bleibt leer.',
      ],
      dealing: 'Austeilen kannst du jederzeit, auch auf leere Stapel.',
      end: (_, { cards }) => [
        `Du bist fertig, wenn alle ${cards} Karten auf den Ablagen liegen.`,
        STUCK_RULE,
      ],
    },
  },
  SETTING_RULES: {
    deal: {
      secret: [
        'Alle bekommen dasselbe neue Blatt. Es wird vor dem Rennen festgelegt und danach aufgedeckt, damit alle es prüfen können.',
        ...PROVES,
      ],
      numbered: ({ number, layout }, { layouts }) => {
        const which = number === null ? 'dasselbe nummerierte Blatt' : `Blatt Nummer ${number}`;
        const isOther = layouts.length > 1 && layout === 'left4';
        const other = isOther ? ', nur liegen die zusätzlichen Karten auf anderen Stapeln' : '';
        return `Alle bekommen ${which} von PySolFC${other}. Man kann es nachschlagen.`;
      },
      seed: 'Alle bekommen ein Blatt, das schon einmal gespielt wurde.',
    },
    winnable: {
      true: 'Wir kennen einen Weg zum Sieg und zeigen ihn nach dem Rennen. Kennen wir keinen, sagen wir es vorher.',
      false: 'Niemand weiß, ob es zu gewinnen ist.',
    },
    degree: {
      easy: degreeRule('leicht'),
      middle: degreeRule('mittelschwer'),
      hard: degreeRule('schwer'),
    },
    auto_remove: {
      true: 'Eine vollständige Farbe, vom König bis zum Ass, wird automatisch abgelegt.',
      false:
        'Eine vollständige Farbe, vom König bis zum Ass, leuchtet am Ende ihres Stapels. Leg sie ab, wann du willst, oder behalte sie.',
    },
    relaxed_deal: {
      true: 'Beim Austeilen kommt auf jeden Stapel eine Karte. Solange der Talon Karten hat, kannst du austeilen, auch auf leere Stapel.',
      false: (_, { stock: cards, columns }) => [
        'Beim Austeilen kommt auf jeden Stapel eine Karte; das geht jederzeit, nur nicht, solange ein Stapel leer ist.',
        ...(cards % columns ? [`Das gilt auch für die letzten ${cards % columns} Karten.`] : []),
        'Liegen auf dem Tisch weniger Karten, als es Stapel gibt, kannst du nicht austeilen.',
      ],
    },
    exceptions: {
      easy: [
        EXCEPTION_ABOUT,
        'Du nimmst sie auf wie jede andere Folge. Sie kommt nur dorthin, wohin jede Folge darf.',
      ],
      hard: [
        EXCEPTION_ABOUT,
        'Drück vor jeder die Taste X oder den Knopf „Ausnahme“. Sie kommt nur dorthin, wohin jede Folge darf.',
      ],
    },
    undo: {
      no_reveal: 'Du kannst jeden Zug zurücknehmen, außer Austeilen und Aufdecken.',
      any: 'Du kannst alles zurücknehmen. Aufgedecktes und Ausgeteiltes wird dabei gezählt, denn die Karten kennst du dann schon. Alle sehen die Zahl, und sie sinkt nie.',
      counted: 'Du kannst alles zurücknehmen. Jedes Zurücknehmen wird gezählt, für alle sichtbar.',
      free: 'Du kannst alles zurücknehmen, auch Aufgedecktes und Ausgeteiltes, so oft du willst.',
      off: 'Zurücknehmen geht hier nicht.',
    },
    hints: {
      true: 'Bitte um einen Tipp, und wir zeigen dir einen Zug. Wir wissen dabei nur, was du selbst siehst. Alle sehen, wie viele Tipps du hattest.',
    },
    autoplay: {
      true: 'Liegen alle deine Karten offen und ist das Spiel so gut wie gewonnen, spielen wir es auf Wunsch Zug um Zug zu Ende.',
    },
    score: {
      woods: ({ auto_remove: auto }, { id, columns, all_removed: all }) => [
        '10 Punkte für jede Karte, die du aufdeckst.',
        GAMES[id].covered_columns < columns
          ? '15 für jeden Stapel, der verdeckte Karten hatte und keine mehr hat.'
          : '15 für jeden Stapel ohne verdeckte Karten.',
        '2 für jede Karte, die auf der nächsthöheren ihrer Farbe liegt.',
        '50 für jede abgelegte Farbe.',
        `Alle Farben abgelegt: ${all}.`,
        ...(auto
          ? []
          : [
              'Liegen beim Sieg noch mehr als drei vollständige Farben auf dem Tisch, bringt jede weitere 2.',
            ]),
      ],
      dos: [
        'Eine abgelegte Farbe: 120 Punkte, ein passendes Paar: 10. Jede Ausnahme nimmt einer Farbe 12, bis auf 50, und einem Paar 1, bis auf 1.',
        'Ein ohne Ausnahme gewonnenes Spiel: 1000.',
        'Mit Ausnahmen gewonnen: 100 weniger für jede, bis auf 400, und 1 weniger für jeden Zug nach der ersten Ausnahme.',
        'Jede Ausnahme ab der siebten kostet 10 mehr.',
        'Grand Spider, 10.000: alle acht Farben vollständig auf dem Tisch, bevor die erste abgelegt wird, ohne Ausnahme, und danach nichts als Ablegen.',
      ],
      cards: (_, { id, cards }) =>
        GAMES[id].goal === 'cards'
          ? `1 Punkt für jede Karte auf einer Ablage; mit allen ${cards} hast du gewonnen.`
          : `1 Punkt für jede Karte einer abgelegten Farbe: bis zu ${cards}.`,
      moves:
        'Du beginnst mit 500 Punkten. Jeder Zug, jedes Austeilen, Zurücknehmen und Wiederholen kostet 1, jede vollständige Farbe bringt 100. Nie unter 0.',
    },
    ranking: (settings) => [
      'Zuerst kommen die Gewinner, dann alle, die bis zum Ende gespielt haben, dann alle, die aufgegeben haben, zuletzt alle ohne einen Zug.',
      settings.ranking === 'first_home'
        ? 'Bei den Gewinnern zählt die Zeit.'
        : 'Bei den Gewinnern zählen die Punkte.',
      otherRanks(settings),
    ],
    rounds: ({ rounds, deal }) => {
      if (rounds < 2) return [];
      const lines = [`Ein Match über ${rounds} Runden, mit einer Punktekarte für alle.`];
      if (deal === 'numbered') lines.push('Jede Runde spielt das Blatt mit der nächsten Nummer.');
      if (deal === 'seed') lines.push('Jede Runde ist dasselbe Blatt.');
      return lines;
    },
    match_ranking: {
      wins: 'Im Match zählen die gewonnenen Runden, dann alle Punkte zusammen.',
      score: 'Im Match zählen alle Punkte zusammen, dann die gewonnenen Runden.',
    },
    chasers: ({ chasers, window_s: open }) => {
      if (open) return [];
      return chasers
        ? 'Wer zu spät kommt, darf dieses Blatt mit eigener Uhr und ohne Wertung spielen und sieht dabei vielleicht Karten, die du noch nicht aufgedeckt hast.'
        : 'Wer zu spät kommt, schaut zu.';
    },
    cheats: {
      tie: 'Bei Gleichstand liegt vorn, wer weniger gezählte Rücknahmen hat.',
      out: 'Spiele mit gezählten Rücknahmen stehen in ihrer Gruppe hinter allen ohne.',
    },
    time_limit_s: ({ time_limit_s: limit, window_s: open }) => {
      if (limit === null) return 'Es gibt kein Zeitlimit.';
      return open
        ? `Jedes Spiel dauert ab seinem Start höchstens ${de.duration(limit)}.`
        : `Die Runde endet nach ${de.duration(limit)}, oder wenn alle fertig sind.`;
    },
    window_s: ({ window_s: open, deal }) =>
      open
        ? [
            ...(deal === 'secret' ? [] : [de.KNOWN_DEAL]),
            `Der Gastgeber öffnet das Rennen für ${de.duration(open)}. In dieser Zeit startest du, wann du willst, einmal und mit eigener Uhr. Sie lässt sich nicht anhalten.`,
            'Bis du fertig bist, siehst du nur, wer gespielt hat. Danach siehst du die bisherigen Ergebnisse.',
            'Zweite Versuche und Tipps von anderen können wir nicht verhindern.',
          ]
        : [],
    after_win_s: ({ after_win_s: left }) =>
      left === null ? [] : `Nach dem ersten Sieg haben die anderen noch ${de.duration(left)}.`,
    spectate: ({ spectate, board_delay_s: late, window_s: open }) => [
      open
        ? `Solange du noch spielen kannst, siehst du keine Karten der anderen.${spectate === 'boards' ? ' Bist du fertig, siehst du die Tische aller, die fertig sind.' : ''}`
        : spectate === 'standings'
          ? 'Alle sehen den Stand; niemand sieht die Karten der anderen.'
          : `Solange du spielst, siehst du den Stand, nie die Karten der anderen. Bist du fertig, siehst du ihre Tische sofort. Wer nicht mitspielt, sieht die Tische, ${
              late === 0 ? 'und zwar sofort' : `${de.duration(late)} später`
            }.`,
      'Ist die Runde vorbei, können alle sämtliche Tische und das Blatt sehen.',
    ],
    programs: ({ programs, max_players: most }) => {
      if (most === 1) return [];
      return [
        programs === false
          ? 'Programme dürfen nicht mitmachen.'
          : 'Programme dürfen mitmachen. Eine kleine Spinne zeigt, wer eins ist.',
        'Wir vertrauen auf Ehrlichkeit: Niemand kann beweisen, dass ein Mensch kein Programm ist.',
      ];
    },
  },
  FAIR: {
    title: 'Faires Blatt',
    about: [
      ...PROVES,
      'Nach dem Rennen prüft dein Browser, ob das Blatt diesen Hash hat. Das können auch alle anderen prüfen.',
    ],
  },
};

export default de;
