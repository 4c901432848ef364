// The room before the race: the invitation, the players and the form of the settings.

import { count, duration, gameName, list } from './start.js';

/**
 * @import {RoomView, Settings} from '../../contract/messages.d.ts'
 */

/** Return the warning that players would only watch. @param {number} n */
export const onlyWatch = (n) =>
  n === 1
    ? 'Jemand ist nicht bereit und kann dann nur zuschauen.'
    : `${n} Mitspieler sind nicht bereit. Sie können dann nur zuschauen.`;

/** The colours of players. */
export const COLOURS = {
  blue: 'Blau',
  red: 'Rot',
  green: 'Grün',
  violet: 'Violett',
  teal: 'Türkis',
  pink: 'Pink',
  gold: 'Gold',
  copper: 'Kupfer',
};

/** @type {Record<string, string>} */
export const PRESETS = {
  friends: 'Rennen unter Freunden',
  'four-suits': 'Vier Farben',
  classic: 'Klassisch 1989',
  arachnid: 'Arachnid',
  'dos-hard': 'DOS 1987, schwer',
  'dos-easy': 'DOS 1987, leicht',
  'serenity-1': 'Serenity, eine Farbe',
  'serenity-2': 'Serenity, zwei Farben',
  windows: 'Windows',
  spiderette: 'Spiderette',
  'little-spider': 'Little Spider',
};

/** What each preset is, in half a sentence. @type {Record<string, string>} */
export const PRESETS_ABOUT = {
  friends: 'eine Farbe, fertige Farben gehen von selbst',
  'four-suits': 'vier Farben, fertige Farben gehen von selbst',
  classic: 'vier Farben, fertige legst du ab, die meisten Punkte gewinnen',
  arachnid: 'vier Farben, fertige legst du ab, Zurücknehmen ist frei',
  'dos-hard': 'sechs Runden, ohne Zurücknehmen, gemischte Folgen auf Anfrage',
  'dos-easy': 'sechs Runden, ohne Zurücknehmen, gemischte Folgen jederzeit',
  'serenity-1': 'eine Farbe und eine halbe Stunde',
  'serenity-2': 'zwei Farben und eine halbe Stunde',
  windows: 'zwei Farben, jeder Zug kostet einen Punkt, mit Tipps',
  spiderette: 'ein Spiel Karten auf sieben Stapeln, vier Farben',
  'little-spider': 'ein Spiel Karten, einzelne Karten auf vier Ablagen',
};

export const BAD_SEED =
  'Ein Seed besteht aus 32 Ziffern und Buchstaben von a bis f, wie er im Ergebnis einer Runde steht.';

/** Return why a player is not connected. @param {{connection: string}} seat */
export function seatConnection(seat) {
  return { on: 'verbunden', grace: 'Verbindung verloren', gone: 'abwesend' }[seat.connection] ?? '';
}

/** The most names in the sentence about the players whom the room waits for. */
const MAX_NAMES = 2;

/** Return which players the room waits for. @param {RoomView} room @param {number | undefined} me the own seat */
export function waitingFor(room, me) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'Alle sind bereit.';
  if (players.length === 1) return 'Warten auf Freunde. Lade sie ein.';
  const others = unready.filter(({ seat }) => seat !== me).map(({ name }) => name);
  const isLong = others.length > MAX_NAMES + 1;
  const names = isLong
    ? [...others.slice(0, MAX_NAMES), `${others.length - MAX_NAMES} weitere`]
    : [...others];
  if (others.length < unready.length) names.push('dich');
  return `Warten auf ${list(names)}. Sobald alle bereit sind, geht es los.`;
}

/** @param {number} n */
export const watcherCount = (n) => (n === 1 ? '1 schaut zu' : `${n} schauen zu`);

/** Return the title of the room. @param {string | undefined} host */
export const tableOf = (host) => (host ? `Tisch von \u2068${host}\u2069` : 'Der Tisch');

export const ROOM = {
  colour: 'Deine Farbe',
  link: 'Link zu diesem Raum',
  qr: 'QR-Code des Links',
  invite: 'Freunde einladen',
  inviteShort: 'Einladen',
  closeInvitation: 'Schließen',
  freeSeat: 'Ein freier Platz',
  program: 'Programm',
  change: 'Ändern',
  done: 'Fertig',
  code: 'Raumcode',
  players: 'Mitspieler',
  settings: 'Einstellungen',
  rules: 'Regeln',
  ready: 'Bereit',
  unready: 'Doch nicht bereit',
  sit: 'Mitspielen',
  start: 'Jetzt starten',
  startAlone: 'Allein starten',
  leave: 'Verlassen',
  you: 'du',
  host: 'Gastgeber',
  addComputer: 'Computerspieler dazuholen',
  readyAgain: 'Bitte drück noch einmal auf „Bereit“.',
  dealSearch: 'Ein Blatt, das zu gewinnen ist, wird gesucht…',
};

/** What the form of the settings says besides the names of the settings. */
export const FORM = {
  preset: 'Vorlage',
  own: 'Eigene',
  ownAbout: 'Regeln, die du selbst gewählt hast',
  more: 'Weitere Regeln',
};

/** The names of the settings. @type {Record<keyof Settings, string>} */
export const SETTINGS = {
  game: 'Spiel',
  deal: 'Blatt',
  number: 'Nummer des Blatts',
  seed: 'Seed',
  layout: 'Zusätzliche Karten',
  auto_remove: 'Vollständige Farben automatisch ablegen',
  winnable: 'Nur Blätter, die zu gewinnen sind',
  relaxed_deal: 'Austeilen auf leere Stapel erlauben',
  exceptions: 'Ausnahmen',
  undo: 'Rückgängig',
  hints: 'Tipps erlauben (alle sehen, wie viele)',
  autoplay: 'So gut wie gewonnene Spiele auf Wunsch zu Ende spielen',
  score: 'Wertung',
  ranking: 'Wer gewinnt',
  rounds: 'Runden',
  match_ranking: 'Match gewinnt, wer …',
  chasers:
    'Wer zu spät kommt, kann dasselbe Blatt spielen (ohne Wertung) und sieht Karten, die andere noch nicht aufgedeckt haben',
  cheats: 'Gezähltes Rückgängig',
  time_limit_s: 'Zeitlimit',
  after_win_s: 'Nach dem ersten Sieg',
  spectate: 'Zuschauer sehen',
  board_delay_s: 'Verzögerung der Tische (s)',
  public: 'Diesen Raum auf der Startseite zeigen',
  locked: 'Raum abschließen: Niemand kann mehr dazukommen',
  max_players: 'Höchstens so viele Spieler',
  one_seat: 'Ein Platz pro Person (Browser und Netz), auch beim Zuschauen',
  approve: 'Mich fragen, bevor jemand dazukommt',
  programs: 'Programme dürfen mitmachen',
};

/** The names of their values, where they are not numbers. @type {Record<string, Record<string, string>>} */
const VALUES = {
  deal: { secret: 'Neu gemischt', numbered: 'Nach Nummer', seed: 'Aus einem Seed' },
  layout: { left4: 'Auf Stapel 1–4', spread: 'Auf Stapel 1, 4, 7, 10' },
  exceptions: { off: 'Keine', easy: 'Leicht: jederzeit', hard: 'Schwer: auf Anfrage' },
  undo: {
    no_reveal: 'Züge ohne Aufdecken',
    any: 'Alles (Aufdecken zählt)',
    counted: 'Alles (jedes Mal gezählt)',
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
  cheats: { shown: 'Nur anzeigen', tie: 'Entscheidet Gleichstand', out: 'Spiele ohne zuerst' },
  time_limit_s: { null: 'Ohne Limit' },
  after_win_s: { null: 'Das Rennen geht weiter' },
  spectate: { standings: 'Den Stand', boards: 'Die Tische' },
  board_delay_s: { 0: 'Keine' },
  programs: { true: 'erlaubt', false: 'nicht erlaubt' },
};

/**
 * The names of the settings in a sentence, where those of the form are sentences themselves, or are
 * words of the host.
 * @type {Partial<typeof SETTINGS>}
 */
const BRIEFLY = {
  auto_remove: 'Automatisch ablegen',
  winnable: 'Blätter, die zu gewinnen sind',
  relaxed_deal: 'Austeilen auf leere Stapel',
  hints: 'Tipps',
  autoplay: 'Gewonnenes zu Ende spielen lassen',
  chasers: 'Nachzügler spielen nach',
  board_delay_s: 'Verzögerung der Tische',
  public: 'Auf der Startseite',
  locked: 'Raum abgeschlossen',
  max_players: 'Spieler höchstens',
  one_seat: 'Ein Platz pro Person',
  approve: 'Gastgeber lässt ein',
  programs: 'Programme',
};

/** Return the name of a setting's value. @param {keyof Settings} name @param {Settings[keyof Settings]} value */
export function settingValue(name, value) {
  const known = VALUES[name]?.[String(value)];
  if (known) return known;
  if (typeof value === 'boolean') return value ? 'an' : 'aus';
  if (name === 'game') return gameName(String(value));
  return typeof value === 'number' && name.endsWith('_s') ? duration(value) : String(value ?? '–');
}

/** Return the rules in a few words: `Spider, eine Farbe · 15 Min.`. @param {Settings} settings */
export function settingsSummary(settings) {
  const { game, deal, number, rounds, time_limit_s: limit, after_win_s: afterWin } = settings;
  const minutes = (/** @type {number} */ s) => (s % 60 === 0 ? `${s / 60} Min.` : duration(s));
  return [
    gameName(game),
    deal === 'numbered' && (number === null ? 'offenes Blatt' : `Blatt ${number}`),
    rounds > 1 && count(rounds, 'Runde', 'Runden'),
    limit === null ? 'ohne Zeitlimit' : minutes(limit),
    afterWin !== null && `noch ${minutes(afterWin)} nach dem ersten Sieg`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What can be undone, in the line of the rules. @type {Record<Settings['undo'], string>} */
const UNDO = {
  no_reveal: 'Rückgängig ohne Aufdecken',
  any: 'Rückgängig, Aufdecken zählt',
  counted: 'jedes Rückgängig zählt',
  free: 'Rückgängig ist frei',
  off: 'kein Rückgängig',
};

/** Return the rules as one line: `Spider, eine Farbe · 15 Min. · Rückgängig ohne Aufdecken`. @param {Settings} settings */
export const rulesLine = (settings) =>
  [settingsSummary(settings), UNDO[settings.undo], settings.hints && 'mit Tipps']
    .filter(Boolean)
    .join(' · ');

/**
 * Return what the host has changed.
 * @param {string} host
 * @param {readonly (keyof Settings)[]} names of the changed settings
 * @param {Settings} settings
 */
export const changedSettings = (host, names, settings) =>
  `${host} hat geändert: ${names
    .map((name) => `${BRIEFLY[name] ?? SETTINGS[name]}: ${settingValue(name, settings[name])}`)
    .join(' · ')}`;

/** @param {string} host @param {string} preset */
export const changedPreset = (host, preset) => `${host} hat die Regeln geändert: ${preset}`;

/** @param {string} host @param {boolean} locked */
export const changedLock = (host, locked) =>
  `${host} ${locked ? 'hat den Raum abgeschlossen' : 'hat den Raum wieder geöffnet'}`;

/** Return what is known about a numbered deal. @param {number} number @param {'winnable' | 'unwinnable' | 'unknown' | 'searching'} label */
export const dealLabel = (number, label) =>
  ({
    winnable: `Blatt ${number} ist zu gewinnen.`,
    unwinnable: `Blatt ${number} ist nicht zu gewinnen: Wir haben jeden Zug geprüft. Es zählen die Punkte.`,
    unknown: `Ob Blatt ${number} zu gewinnen ist, wissen wir nicht.`,
    searching: `Wir prüfen, ob Blatt ${number} zu gewinnen ist…`,
  })[label];
