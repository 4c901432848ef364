// The sentences of the first load: the front page, the page behind a link, the status line, and words for all pages.

import { GAMES } from '../../contract/protocol.js';
import { clock } from '../../contract/text.js';

/** @import {Wide} from '../language.js' */

/** @type {Record<string, string>} */
const SUITS = { 1: 'Eine Farbe', 2: 'Zwei Farben', 4: 'Vier Farben' };

/** @type {Wide<typeof import('../en/start.js').default>} */
const de = {
  STRENGTHS: { beginner: 'Anfänger', club: 'Geübt', expert: 'Experte' },
  DEGREES: { easy: 'Leicht', middle: 'Mittelschwer', hard: 'Schwer' },
  list: (names) => new Intl.ListFormat('de').format(names),
  CLOSINGS: {
    4501: 'Diese Seite ist veraltet. Lade sie neu.',
    4504: 'Diesen Raum gibt es nicht, oder er ist geschlossen.',
  },
  closing: (code) => de.CLOSINGS[code] ?? 'Verbindung verloren.',
  clock,
  dayAndTime: (ms) =>
    new Intl.DateTimeFormat('de', {
      ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    }).format(ms),
  count: (n, one, many) => `${String(n).replace('.', ',')} ${n === 1 ? one : many}`,
  gameName: (game) => GAMES[game]?.names.de ?? game,
  dayLeft(ms) {
    const minutes = Math.ceil(ms / 60_000);
    const hours = Math.floor(minutes / 60);
    const days = Math.floor(hours / 24);
    if (days) return `noch ${days} ${days === 1 ? 'Tag' : 'Tage'} ${hours % 24} h`;
    return hours ? `noch ${hours} h ${minutes % 60} min` : `noch ${minutes} min`;
  },
  dayPlayers: (players) => (players ? de.count(players, 'Spieler', 'Spieler') : 'Noch niemand'),
  suitsOf: (game) => SUITS[game.replace('spider-', '')] ?? de.gameName(game),
  roomFacts: ({ game, players }) =>
    `${de.gameName(game)} · ${de.count(players, 'Spieler', 'Spieler')}`,
  LANGUAGE: 'Sprache',
  STRENGTHS_ABOUT: {
    beginner: 'Spielt den ersten guten Zug',
    club: 'Plant bis zur nächsten Karte',
    expert: 'Wägt ab, schwer zu schlagen',
  },
  PACES: { label: 'Tempo', slower: 'Langsamer', usual: 'Normal', faster: 'Schneller' },
  programKind: (strength) => (strength ? `Computerspieler: ${de.STRENGTHS[strength]}` : 'Programm'),
  NOT_CONNECTED: 'Keine Verbindung. Versuch es gleich noch einmal.',
  BUTTONS: {
    close: 'Schließen',
    leave: 'Verlassen',
    done: 'Fertig',
    again: 'Noch einmal versuchen',
    front: 'Startseite',
  },
  NOT_LOADED: 'Das ließ sich nicht laden. Versuch es noch einmal.',
  TAKING_SEAT: 'Du nimmst Platz…',
  DEAL_SEARCH: 'Wir suchen ein Blatt, das zu gewinnen ist…',
  ASK: { closed: { title: 'Verbindung getrennt', yes: 'Neu laden' } },
  grouped: (code) => (code.match(/.{3}(?=.{3})|.+/g) ?? []).join(' '),
  OFFLINE: 'Du bist offline. Die Verbindung wird von selbst wiederhergestellt…',
  TRY_NOW: 'Jetzt verbinden',
  CONNECTED_ABOUT: 'Jeder Zug wird sofort gespeichert.',
  connectionState({ connection, me, closeCode }, seconds) {
    if (connection === 'connecting')
      return me ? 'Verbindung verloren. Wird neu verbunden…' : 'Verbinden…';
    if (connection === 'waiting')
      return `${de.closing(closeCode)} Neuer Versuch${seconds > 0 ? ` in ${seconds} s` : ''}…`;
    if (connection === 'closed') return de.closing(closeCode);
    return connection === 'on' ? 'Verbunden' : '';
  },
  LANDING: {
    title: 'Spider-Solitär um die Wette',
    about: 'Gleiche Karten, gleicher Start. Wer zuerst abräumt, gewinnt.',
    name: 'Dein Name',
    nameFirst: 'Bitte gib deinen Namen ein.',
    rename: 'Namen ändern',
    game: 'Farben',
    suits: SUITS,
    backTo: 'Zurück in Raum ',
    backToRace: 'Zurück ins Rennen',
    create: 'Gegen Freunde antreten',
    openTable: 'Tisch eröffnen',
    openRace: 'Rennen eröffnen',
    when: 'Wann?',
    spans: { 0: 'Jetzt', 3600: '1 Stunde', 86400: '1 Tag', 259200: '3 Tage', 604800: '1 Woche' },
    code: 'Code oder Link?',
    replay: 'Aufzeichnung: zwei Computerspieler',
    leads: 'führt',
    computer: 'Gegen Computer',
    practice: 'Allein üben',
    practiceAbout: 'Züge zurücknehmen, Tipps holen',
    today: 'Rennen des Tages',
    once: 'Je Spiel ein Versuch.',
    best: 'Gestern am schnellsten: ',
    past: 'Frühere Tage',
    play: 'Starten',
    board: 'Rangliste',
    dayOver: 'Dieser Tag ist vorbei. Das nächste Rennen kommt gleich …',
    codeHint: 'Gib einen Raumcode ein oder füg den ganzen Link ein.',
    join: 'Mitspielen',
    open: 'Offene Tische',
    record: 'Deine letzten Rennen',
    all: 'Alle',
    invited: 'Du bist eingeladen in den Raum ',
    watch: 'Zuschauen',
    tips: 'Tipps & Strategie',
    lesson: 'Anleitung',
    yours: 'Deine Rennen',
    me: 'Ich',
    nameless: 'Spieler',
    full: 'voll',
    tables: 'Deine Tische',
  },
  whenAbout: (end) =>
    end ? `Jeder spielt einmal, bis ${de.dayAndTime(end)}` : 'Alle starten gleichzeitig',
  ready: (name) => `Bereit, \u2068${name}\u2069?`,
  tookLead: (name) => `${name} geht in Führung`,
  tookSuit: (name) => `${name} hat eine Farbe abgelegt`,
  suitsHome: (n, of) => `${n} von ${of} ${of === 1 ? 'Farbe' : 'Farben'}`,
  placeOf: (place, of) => `Platz ${place} von ${of}`,
  publicRoomFacts(room) {
    const since = room.running_ms == null ? '' : ` seit ${de.clock(room.running_ms)}`;
    const state = { LOBBY: 'wartet', FINISHED: 'Pause' }[String(room.state)];
    const players = de.count(room.players, 'Spieler', 'Spieler');
    return `${de.suitsOf(room.game)} · ${players} · ${state ?? `Rennen läuft${since}`}`;
  },
  tableOf: (host) => (host ? `Tisch von \u2068${host}\u2069` : 'Der Tisch'),
  tableAbout: (here, days) => {
    const who = here.length > 0 && `${de.list(here)} ${here.length > 1 ? 'sind' : 'ist'} da`;
    const ago = new Intl.RelativeTimeFormat('de', { numeric: 'auto' });
    const last = days !== null && `letztes Rennen ${ago.format(-days, 'day')}`;
    return [who, last].filter(Boolean).join(' · ') || 'gerade niemand da';
  },
  tableGone: (name) => `${name}: Diesen Tisch gibt es nicht mehr.`,
  joinRoomOf: (host) => `Am Tisch von ${host} mitspielen`,
  watchRoomOf: (host) => `Am Tisch von ${host} zuschauen`,
  PREFERENCES_TITLE: 'Meine Einstellungen',
  // The page behind a room's link, and the pages for missing rooms and addresses.
  JOIN: {
    join: 'Mitspielen',
    ask: 'Um Einlass bitten',
    locked: 'Dieser Raum ist abgeschlossen. Es kommt niemand mehr hinein.',
    crowded: 'Dieser Raum ist voll.',
    full: 'Alle Plätze sind besetzt. Du kannst zuschauen.',
    late: 'Dieses Rennen läuft schon.',
    chase: 'Dieses Rennen läuft. Bis es endet, kannst du sein Blatt mit eigener Uhr spielen.',
    open: 'Spiel einmal, wann du willst. Deine Uhr läuft ab deinem Start.',
    joinLate: 'Mitspielen (ab dem nächsten Rennen)',
    chaseNow: 'Mitspielen ohne Wertung',
    noPrograms: 'Programme dürfen nicht mitmachen.',
  },
  invites: (host) => (host ? `\u2068${host}\u2069 lädt dich ein` : 'Du bist eingeladen'),
  decides: (host) =>
    `${host ? `\u2068${host}\u2069` : 'Die Gastgeberin oder der Gastgeber'} entscheidet, wer mitspielt. Das kann einen Moment dauern.`,
  roomState({ state, running_ms, window_end: end }, ms) {
    if (end) return `Offen bis ${de.dayAndTime(end)}`;
    if (running_ms !== null) return `Rennen läuft seit ${de.clock(ms)}`;
    const words = { LOBBY: 'Wartet auf Mitspieler', COUNTDOWN: 'Gleich geht es los' }[
      String(state)
    ];
    return words ?? 'Zwischen zwei Rennen';
  },
  MISSING: {
    room: 'Dieser Raum ist geschlossen',
    roomText: 'Räume schließen, wenn eine Weile niemand da ist. Frag nach einem neuen Link.',
    page: 'Hier ist nichts',
    pageText: 'Stimmt die Adresse genau? Der Link zu einem Raum endet mit seinem Code.',
  },
};

export default de;
