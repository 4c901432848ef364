// The sentences for after a race, and for what players open on request: results, replay, help and preferences.

import { CHOICES } from '../../browser/storage.js';
import race from './race.js';
import basics from './start.js';

/**
 * @import {Margin} from '../en/after.js'
 * @import {Wide} from '../language.js'
 */

const { cheats, exactClock, hintsTaken, matchWon, wants } = race;
const { clock, count, dayAndTime, dayLeft, gameName, list, STRENGTHS, suitsOf } = basics;

/** Return a margin: `0,4 s`, `12 Punkte`. @param {Margin} margin */
function marginText({ by, n }) {
  if (by === 'time')
    return n < 60_000 ? `${n < 10_000 ? tenths(n) : Math.floor(n / 1_000)} s` : clock(n);
  if (by === 'points') return count(n, 'Punkt', 'Punkte');
  return by === 'suits'
    ? count(n, 'Farbe', 'Farben')
    : count(n, 'aufgedeckte Karte', 'aufgedeckte Karten');
}

/** @param {number} ms */
const tenths = (ms) => (Math.floor(ms / 100) / 10).toFixed(1).replace('.', ',');

/** Return a player's result in short, like `dayResult`. @param {import('../../contract/messages.d.ts').Standing} game */
const reached = (game) => de.dayResult({ ...game, ms: game.finished_ms });

/** Say when a game was lost. @param {number} ms */
const noneSince = (ms) => `ab ${clock(ms)} verloren`;

/** @type {Wide<typeof import('../en/after.js').default>} */
const de = {
  dayDate: (day, parts = { dateStyle: 'long' }) =>
    new Date(`${day}T00:00Z`).toLocaleDateString('de', { ...parts, timeZone: 'UTC' }),
  dayResult: ({ won, ms, score }) =>
    won && ms !== null ? clock(ms) : count(score, 'Punkt', 'Punkte'),
  reviewLine({ known_ms: known, to_the_end: toTheEnd, lost_ms: lost }) {
    if (toTheEnd) return 'bis zum Schluss zu gewinnen';
    if (known !== null) return `bis ${clock(known)} war der Sieg drin`;
    return lost === null ? 'kein Sieg gefunden' : noneSince(lost);
  },
  // The results of a race, and the page of a finished round.
  explained(standing) {
    const { moves, late_ms, restored, hints, cheats: cheated, stand_in, place } = standing;
    const isLate = late_ms !== null && place === null; // in an open race everybody starts when they like
    const late = !isLate ? [] : [`${clock(late_ms)} später gestartet (ohne Wertung)`];
    if (stand_in) late.push('mit einem Computerspieler (ohne Wertung)');
    const acts = restored === 1 ? 'ein Zug' : `${restored} Züge`;
    const back = restored > 0 ? [`${acts} nach einem Datenverlust wiederhergestellt`] : [];
    const helped = hints > 0 ? [hintsTaken(hints)] : [];
    if (cheated > 0) helped.push(cheats(cheated));
    return [count(moves, 'Zug', 'Züge'), ...late, ...helped, ...back];
  },
  RESULTS: {
    ranking: 'Rangliste',
    columns: ['#', 'Name', 'Farben', 'Ergebnis', 'Rückstand'],
    over: 'Das Rennen ist vorbei',
    see: 'Den Sieg zeigen',
    savePicture: 'Bild speichern',
    sharePicture: 'Bild teilen',
    data: 'Daten der Runde',
    text: 'Als Text herunterladen',
    again: 'Dieses Blatt allein spielen',
    newMatch: 'Neues Match',
    salt: 'Salt',
    cards: 'Karten',
    seal: 'Hash, SHA-256(Seed‖Salt)',
    share: 'Link zu diesem Ergebnis',
    rematch: 'Revanche',
    join: 'Beim nächsten Rennen mitmachen',
    newDeal: 'Neues Blatt',
    replay: 'Noch einmal spielen',
    notAfterAll: 'Doch nicht',
    shared: 'Mit diesem Link können alle das Ergebnis und die Aufzeichnung sehen.',
    shareText: 'So lief unser Spider-Rennen:',
    pictureSaved: 'Das Bild ließ sich nicht teilen. Es ist stattdessen gespeichert.',
  },
  DAY: {
    tabs: 'Spiele des Tages',
    board: 'Rangliste',
    press: 'Tipp auf eine Zeile, um das Spiel zu sehen',
    again: 'Diese Karten spielen (ohne Wertung)',
    watch: 'Spiel ansehen',
    squares: 'Ein Feld für jedes Zehntel des Spiels, grün, wo eine Farbe fertig wurde.',
    halves: { won: 'im Ziel, nach Zeit', played: 'nicht im Ziel, nach Farben' },
    all: 'Alle Tage',
    pastAbout: 'Die letzten 60 Tage. Du kannst sie noch spielen, ohne Wertung.',
    notPlayed: 'Nicht gespielt',
    played: 'Gespielt',
    none: 'Diesmal keine Punkte.',
    states: { finished: 'im Ziel', played: 'gespielt', none: 'nicht gespielt' },
    ghosts: 'Gegen Freunde als Geist',
    ghostsAbout: 'Dieselben Karten, dein eigener Start. Ohne Wertung.',
    race: 'Antreten',
    streak: 'Für Tage in Folge zählt ein Spiel, das gewonnen oder zu Ende gespielt ist.',
    sealed: 'Versiegelte Blätter',
    sealedAbout:
      'Diese Hashes versiegeln die nächsten Blätter: Niemand kann die Karten mehr ändern.',
    more: 'Mehr anzeigen',
    share: 'Ergebnis teilen',
    gone: 'An diesem Tag gibt es kein Rennen.',
    notYet: 'Die Karten dieses Tages sind noch nicht da.',
    noPast: 'Noch keine früheren Tage.',
    begun: 'Dieses Spiel läuft noch. Die Rangliste siehst du, wenn du fertig bist.',
    counting: 'Dein Ergebnis wird gezählt…',
    over: 'Dieser Tag ist vorbei.',
    ending: 'Dieser Tag ist vorbei. Die Rangliste kommt, sobald die letzten Spiele zu Ende sind.',
  },
  GATE: {
    beside: 'Wer läuft mit?',
    nobody: 'Niemand',
    you: 'Du',
    ghost: 'Geist',
    about: 'Ein Geist spielt dieselben Karten. In der Rangliste zählt er nicht mit.',
    name: 'Dein Name für die Rangliste',
    clock: 'Deine Uhr startet mit den Karten.',
    start: 'Start',
    sign: 'Eintragen',
    unsigned: 'Deinen Namen eintragen',
    lost: 'Dein Browser speichert hier nichts: Dieses Spiel lässt sich nicht fortsetzen, und einen zweiten Versuch erkennen wir nicht.',
  },
  gateOnce: (minutes) => `Ein Versuch. Etwa ${minutes} Minuten.`,
  UNREACHED: 'Der Server antwortet nicht. Neuer Versuch läuft …',
  dayTitle: (day, game) => `${gameName(game)} · ${day ? de.dayDate(day) : 'Morgen'}`,
  dayPlace(place, of, game) {
    if (of > 1) return `Platz ${place} von ${of}.`;
    return game?.won
      ? `Gewonnen in ${de.dayResult(game)}. Heute als Erstes im Ziel!`
      : 'Bisher stehst nur du auf der Rangliste.';
  },
  dayRest(isWon, percent, won, others) {
    const rank = percent > 0 ? `${isWon ? 'Schneller als' : 'Besser als'} ${percent} %. ` : '';
    return `${rank}${won} im Ziel, ${others} nicht.`;
  },
  dayNext: (ms) => `Nächstes Blatt ${dayLeft(ms).replace('noch', 'in')}`,
  dayBeaten: (name, own, { won, ms }) =>
    `Du hast „${name}“ ${won ? `um ${clock((ms ?? 0) - (own.ms ?? 0))} ` : ''}geschlagen`,
  dayAhead(name, own, { won, ms, score }) {
    if (!won) return `„${name}“ hatte ${count(score - own.score, 'Punkt', 'Punkte')} mehr`;
    if (!own.won) return `„${name}“ war nach ${clock(ms ?? 0)} im Ziel`;
    return `„${name}“ war ${clock((own.ms ?? 0) - (ms ?? 0))} schneller`;
  },
  dayTotal: (players, won) => `${players} Spieler. ${won} im Ziel.`,
  dayWatch: (name) => `Das Spiel von ${name} ansehen`,
  dayYou: (game) => `Du ${de.dayResult(game)}`,
  dayGap: (ms) =>
    `${marginText({ by: 'time', n: Math.abs(ms) })} ${ms > 0 ? 'schneller' : 'langsamer'}`,
  daySpread: ({ ms, end, suits }) =>
    ms === null
      ? `Alle Ergebnisse. Am häufigsten: ${count(suits ?? 0, 'Farbe', 'Farben')} ohne Sieg.`
      : `Alle Ergebnisse. Am häufigsten: zwischen ${clock(ms)} und ${clock(end ?? ms)}.`,
  dayAmong: (place, of) => `Unter deinen Bekannten: Platz ${place} von ${of}.`,
  dayStreak: (days) => `${days} Tage in Folge`,
  RECORD: {
    won: 'Rennen gewonnen',
    played: 'bisher gespielt',
    none: 'Noch kein Rennen gegen andere.',
    places: 'Deine letzten Plätze, der älteste zuerst:',
  },
  ofAll: (n, of) => `${n} von ${of}`,
  bestTime: (game) => `Bestzeit, ${gameName(game).replace('Spider, ', '')}`,
  daysPlayed: (n, of) => `Rennen des Tages an ${n} der letzten ${of} Tage gespielt`,
  lastRaced: (names, days) => {
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} weitere`] : names;
    const when = new Intl.RelativeTimeFormat('de', { numeric: 'auto' }).format(-days, 'day');
    return [list(shown), `zuletzt gespielt: ${when}`].filter(Boolean).join(' · ');
  },
  dayShare: (day, game, { won, finished_ms: ms, score, moves }, squares) =>
    [
      `Spider Race · ${de.dayDate(day)} · ${gameName(game)}`,
      `${de.dayResult({ won, ms, score })} · ${count(moves, 'Zug', 'Züge')}`,
      squares,
    ].join('\n'),
  GHOST: {
    title: 'Eine Herausforderung',
    challenge: 'Jemanden herausfordern',
    send: 'Zurückschicken',
    back: 'Selbst herausfordern',
    again: 'Noch einmal',
    firstCounts: 'Dein erster Versuch zählt. Jeder weitere ist nur für dich.',
    toBeat: 'gilt es zu schlagen',
    same: ' · gleiche Karten, gleiche Regeln',
    hidden: 'Die Karten bleiben verdeckt',
    watch: 'Beide Tische ansehen',
    secret: 'Das sind Karten von heute. Spiel erst das Rennen des Tages.',
    later: 'Die letzten Spiele mit diesen Karten laufen noch. Danach geht es gegen den Geist.',
    gone: 'Dieses Spiel gibt es hier nicht mehr.',
    expired: 'Das Spiel, gegen das du angetreten bist, gibt es hier nicht mehr.',
    best: 'Dein bestes Spiel',
  },
  ghostLevel: (level) => `${STRENGTHS[level]} (Geist)`,
  challengeTitle: (name) => `${name} fordert dich heraus`,
  challengeText: (own) => `Schlägst du meine ${reached(own)} in Spider-Solitär? Dieselben Karten.`,
  nameFor: (name) => `Dein Name, für ${name} sichtbar`,
  ghostLasts: (minutes) => `Etwa ${count(minutes, 'Minute', 'Minuten')}.`,
  ghostNamed: (name) => `Geist von ${name}`,
  duelTitle(name, outcome, hasMargin) {
    if (outcome === 'tied') return `Unentschieden gegen ${name}`;
    const title = outcome === 'won' ? `Du schlägst ${name}` : `${name} schlägt dich`;
    return hasMargin ? `${title} um` : title;
  },
  duelRival({ name, won, finished_ms: ms }, hasWon) {
    if (won && ms !== null)
      return hasWon
        ? `${name} brauchte ${exactClock(ms)}.`
        : `${name} war nach ${exactClock(ms)} im Ziel.`;
    return hasWon ? `${name} kam nicht ins Ziel.` : '';
  },
  duelTally: (own, others, name) => `${own} : ${others} in Herausforderungen, du gegen ${name}`,
  dare: (name, own) => `Dreh den Spieß um: ${name} muss deine ${reached(own)} schlagen.`,
  FINISHED: {
    gone: 'Dieses Rennen gibt es hier nicht',
    why: 'Es läuft noch, oder sein Raum ist geschlossen.',
    room: 'Zum Raum',
  },
  raceAbout({ settings, t0, courses }) {
    const day = new Date(t0).toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' });
    return `${gameName(settings.game)} · ${courses.length} Spieler · ${day}`;
  },
  gameAmong: (game, players) => `${suitsOf(game)}${players > 1 ? ` · ${players} Spieler` : ''}`,
  TIE_BREAKS: {
    cheats: 'vorn, weil seltener zurückgenommen',
    face_down: 'vorn durch weniger verdeckte Karten',
    last_gain: 'war früher so weit',
  },
  verdict(winners, { alone, home, won, round }) {
    const names = list(winners);
    const of = round ? ` Runde ${round}` : '';
    if (alone) return home ? 'Du bist im Ziel!' : 'Übung beendet';
    if (winners.length === 0) return of ? `In${of} ist niemand im Ziel` : 'Niemand ist im Ziel';
    if (won && winners.length > 1) return `Unentschieden${of ? ` in${of}` : ''}: ${names}`;
    if (won) return `Du gewinnst${of}, ${names}!`;
    if (winners.length > 1) return `${names} teilen sich ${of ? `den Sieg in${of}` : 'den Sieg'}`;
    return `${names} gewinnt${of}`;
  },
  winningMargin(ms, margin, next) {
    const ahead = margin ? `${marginText(margin)} vor ${next}` : '';
    if (ms === null) return ahead;
    return `Im Ziel nach ${exactClock(ms)}${ahead ? `, ${ahead}` : ''}`;
  },
  closest: (name, suits, score) => {
    const suit = count(suits, 'fertigen Farbe', 'fertigen Farben');
    const what = suits > 0 ? suit : count(score, 'Punkt', 'Punkten');
    return `${name ? `${name} war` : 'Du warst'} am nächsten dran, mit ${what}.`;
  },
  youGaveUp: (ms) => `Du hast nach ${clock(ms)} aufgegeben`,
  finishedIn: (name, ms) => `${name} war nach ${exactClock(ms)} im Ziel`,
  amongPlayers: (n) => `von ${n}.`,
  practiceOver: (score) => `${score === 1 ? 'Punkt' : 'Punkte'}. Übung beendet.`,
  inShort: (margin) => `${margin.by === 'time' ? '+' : ''}${marginText(margin)}`,
  behindAll: (rivals) =>
    rivals
      .map(({ name, margin }, i) => {
        const isSame = i > 0 && margin.by !== 'time' && margin.by === rivals[0]?.margin.by;
        return `${isSame ? margin.n : marginText(margin)} hinter ${name}`;
      })
      .join(', '),
  decided({ ms, kind }, name) {
    const since = ms < 1_000 ? 'von Anfang an' : `ab ${clock(ms)} bis zum Schluss`;
    const what = {
      led: `${name} lag ${since} vorn`,
      lead: `${name} ging in Führung und blieb vorn`,
      home: `${name} war zuerst im Ziel`,
      quit: `${name} gab in Führung auf`,
    };
    return [kind === 'led' ? '' : `Entschieden bei ${clock(ms)}:`, `${what[kind]}.`];
  },
  leadChanges: (n) => (n > 1 ? `Die Führung wechselte ${n}-mal.` : ''),
  decisive({ kind, winner, rival, n, of }, me) {
    const isRival = rival.seat === me;
    const won = winner.seat === me ? 'Du hast' : `${winner.name} hat`;
    const lost = isRival ? 'Du hast' : `${rival.name} hat`;
    const other = isRival ? 'du' : rival.name;
    const had = isRival ? 'Du hattest' : `${rival.name} hatte`;
    return {
      hidden: `${had} am Ende noch ${count(n, 'verdeckte Karte', 'verdeckte Karten')}.`,
      home: `${had} am Ende ${n} von ${count(of, 'Karte', 'Karten')} abgelegt.`,
      suits: of
        ? `${had} am Ende ${n} von ${count(of, 'Farbe', 'Farben')}.`
        : `${won} ${count(n, 'Farbe', 'Farben')} geschafft, ${other} ${rival.suits}.`,
      cards: `${won} ${count(n, 'Karte', 'Karten')} mehr aufgedeckt als ${other}.`,
      idle: `${lost} keinen Zug gemacht.`,
      quit: `${lost} bei ${clock(n)} aufgegeben.`,
    }[kind];
  },
  matchVerdict(winners, won) {
    if (!won) return matchWon(winners);
    const names = list(winners);
    if (winners.length > 1) return `Das Match endet unentschieden: ${names}`;
    return `Du gewinnst das Match, ${names}!`;
  },
  roundOf: (n, of) => `Runde ${n} von ${of}`,
  nextOf: (n, of) => `Nächste Runde (${n} von ${of})`,
  againAt: (level) => `Noch einmal auf Stufe ${level}`,
  nextRaceLine({ isWanted, wanting, missing, away, inMatch }) {
    if (!isWanted) return wanting.length > 0 ? wants(wanting, inMatch) : '';
    const awaited = missing.length > 0 ? missing : wanting.length > 0 ? [] : away;
    return awaited.length > 0 ? `Warten auf ${list(awaited)}…` : '';
  },
  startWithout(missing) {
    const who = missing.length > 2 ? `${missing.length} Spieler` : list(missing);
    return who ? `Ohne ${who} starten` : 'Jetzt starten';
  },
  bestResult({ score, ms }, before) {
    const time = ms === null ? '' : ` · ${clock(ms)}`;
    const old = before && ` Vorher: ${before.ms === null ? before.score : clock(before.ms)}.`;
    return `${before ? 'Neuer Rekord' : 'Dein Rekord'}: ${count(score, 'Punkt', 'Punkte')}${time}.${old ?? ''}`;
  },
  // The chart and the replay of a finished round.
  CHART: {
    table: 'Die Punkte als Tabelle',
    known: 'Bis hier war der Sieg drin',
    player: 'Name',
    end: 'Ende',
  },
  chartFew: (n, of) => `Gezeigt werden ${n} von ${of} Spielern.`,
  chartSummary({ ms, changes, last }) {
    const times = changes === 1 ? 'einmal' : `${changes}-mal`;
    const lead = ` Die Führung hat ${times} gewechselt; am Ende hatte sie ${last}.`;
    return `Dauer: ${clock(ms)}.${changes > 0 && last ? lead : ''}`;
  },
  programNamed: (name) => `${name} (Programm)`,
  REPLAY: {
    knownWin: 'So war es zu gewinnen',
    title: 'So lief es',
    open: 'Aufzeichnung ansehen',
    shut: 'Aufzeichnung schließen',
    left: 'Tisch links',
    right: 'Tisch rechts',
    play: 'Abspielen',
    pause: 'Anhalten',
    back: 'Voriger Zug',
    on: 'Nächster Zug',
    moments: 'Momente des Rennens',
    before: 'Voriger Moment',
    after: 'Nächster Moment',
    at: 'Zeit im Rennen',
    speed: 'Tempo',
    keys: 'Tasten: Leertaste spielt ab und hält an, ← und → gehen von Zug zu Zug, Bild auf und ab von Moment zu Moment, + und − ändern das Tempo.',
    loading: 'Rennen wird geladen…',
    race: 'Gegen dieses Spiel antreten',
    playOn: 'Ab hier weiterspielen',
    dealt: 'Die Karten, wie sie ausgeteilt wurden.',
    cut: 'Dieses Spiel ist sehr lang. Wir zeigen nur das Ende.',
  },
  moment({ ms, kind, n }, name) {
    /** @type {Record<string, string>} */
    const what = {
      lead: `${name} führt`,
      suit: `${name}: ${n}. Farbe`,
      home: `${name} ist im Ziel`,
      end: `${name} hört auf`,
      quit: `${name} gibt auf`,
      missed: `${name} vergibt den Sieg`,
    };
    return `${clock(ms)} ${what[kind] ?? name}`;
  },
  reviewOf(game) {
    const { known_ms: known, lost_ms: lost } = game;
    if (known === null || lost === null) return de.reviewLine(game);
    return known === lost ? de.reviewLine(game) : `${de.reviewLine(game)}, ${noneSince(lost)}`;
  },
  playOnFrom: (ms) => `Ab ${clock(ms)} weiterspielen`,
  winOption: ({ name, known_ms: known, to_the_end: toTheEnd }) =>
    `${name}: der Sieg, ${toTheEnd ? 'bis zum Schluss möglich' : `vergeben bei ${clock(known ?? 0)}`}`,
  reviewNote(left, missing) {
    if (left > 0) return `Suche nach verpassten Siegen: noch ${count(left, 'Spiel', 'Spiele')}…`;
    return missing.length > 0 ? `Nicht durchsucht: ${list(missing)}.` : '';
  },
  enlarge: (name) => `Tisch von ${name} vergrößern`,
  figures: ({ score, counts: { moves, suits, face_down } }) =>
    `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')} · ${face_down} verdeckt · ${count(suits, 'Farbe', 'Farben')}`,
  // The help dialog: where the game stands, and the keys.
  KEYS: {
    ...{ left: 'Stapel links', right: 'Stapel rechts', more: 'Eine Karte mehr' },
    ...{ fewer: 'Eine Karte weniger', above: 'Reihe darüber: Talon, Ablage' },
    ...{ below: 'Reihe darunter', first: 'Anfang der Reihe', last: 'Ende der Reihe' },
    ...{ pick: 'Aufnehmen, ablegen', auto: 'Dorthin legen, wo es passt, gleiche Farbe zuerst' },
    ...{ column: 'Von Stapel zu Stapel', deal: 'Austeilen', dealSure: 'Austeilen bestätigen' },
    ...{ remove: 'Vollständige Farbe ablegen', undo: 'Zurücknehmen', redo: 'Wiederholen' },
    ...{ exception: 'Ausnahme ansagen', hint: 'Tipp holen, wenn erlaubt' },
    ...{ unfold: 'Stapel auffalten', mark: 'Zeigen, was sich bewegen lässt' },
    ...{ locate: 'Karte suchen: Rang, dann Farbe', peek: 'Zeigen, was auf einem Stapel liegt' },
    ...{ standings: 'Stand zeigen', score: 'Punkte zeigen', colours: 'Tisch wechseln' },
    ...{ type: 'Züge eintippen', help: 'Hilfe', why: 'Warum ein Zug nicht ging' },
    ...{ level: 'Stufe ändern', restart: 'Neues Spiel', restartSure: 'Neues Spiel bestätigen' },
    ...{ quit: 'Verlassen', cancel: 'Abbrechen' },
  },
  HELP: {
    tips: 'Tipps zu diesem Spiel',
    aids: 'Werkzeuge',
    find: 'Karte suchen',
    rank: 'Rang',
    suit: 'Farbe',
    go: 'Suchen',
    keys: 'Tasten',
    touch: 'Tippen und Ziehen',
    oneTap: [
      'Tipp eine Karte an: Sie macht den besten Zug, zuerst auf die gleiche Farbe, nie auf einen leeren Stapel. Gibt es keinen, hältst du sie: Tipp auf einen Stapel, um sie dorthin zu legen, oder noch einmal auf sie, um sie loszulassen.',
      'Eine fertige Farbe leuchtet: Tipp sie an, um sie abzulegen. Ein Tipp auf den Talon teilt aus.',
    ],
    twoTaps: [
      'Tipp erst eine Karte und dann einen Stapel an, oder umgekehrt. Zweimal tippen macht den besten Zug.',
      'Eine fertige Farbe leuchtet: Tipp sie zweimal an, um sie abzulegen. Ein Tipp auf den Talon teilt aus.',
    ],
    touching: [
      'Zieh eine Karte: Alle, die auf ihr liegen, kommen mit.',
      'Halt einen Stapel gedrückt, um zu sehen, was darin liegt. ×5 ist eine gefaltete Folge: Ein Tipp faltet sie auf.',
    ],
    oneTapNoColumns:
      'Tipp eine Karte an: Sie geht dorthin, wo sie passt. Passt sie nirgends, hältst du sie: Tipp noch einmal auf sie, um sie loszulassen. Oder zieh sie. Ein Tipp auf den Talon teilt aus.',
    twoPressesNoColumns:
      'Zieh eine Karte, oder wähl erst sie und dann einen Stapel, auch umgekehrt. Doppelklick oder doppelter Tipp spielt sie. Ein Druck auf den Talon teilt aus.',
    pointer: [
      'Zieh eine Karte: Alle, die auf ihr liegen, kommen mit. Oder klick erst eine Karte und dann einen Stapel an, oder umgekehrt.',
      'Mit Doppelklick, Rechtsklick oder Umschalt+Enter gehen Karten dorthin, wo sie passen, gleiche Farbe zuerst.',
      'Die mittlere Maustaste nimmt nur die Karten ab der angeklickten; klick dann einen Stapel an.',
      'Langes Drücken zeigt, was auf einem Stapel liegt. ×5 ist eine gefaltete Folge: Ein Klick faltet sie auf.',
    ],
    /** @type {Record<string, string>} */
    suits: { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' },
  },
  dealsLeft: (n) => `Noch ${n}-mal austeilen.`,
  cardsPlayed: (n) => `${count(n, 'Karte', 'Karten')} abgelegt.`,
  suitsRemoved: (signs) => `Abgelegte Farben: ${signs.join(' ') || 'keine'}.`,
  lastRefused: (words) => `Zuletzt abgelehnt: ${words}`,
  // How to play in three pictures.
  LESSON: {
    move: 'Leg eine Karte auf eine, die um eins höher ist. Eine Folge in einer Farbe bewegst du zusammen.',
    deal: 'Nichts geht mehr? Teil vom Talon aus: Jeder Stapel bekommt eine Karte.',
    suit: 'König bis Ass in einer Farbe verlässt den Tisch. Räum alle Farben ab, und du gewinnst.',
    close: 'Alles klar',
  },
  LITTLE_LESSON: [
    'Zwei Ablagen wachsen in ihrer Farbe vom Ass aufwärts, zwei vom König abwärts: die Asse sind rot und die Könige schwarz, oder umgekehrt.',
    'Jedes Austeilen legt eine Karte auf jeden Stapel. Karten der oberen Reihe dürfen auf jede passende Ablage, die der unteren nur auf die direkt darüber.',
    'Ist der Talon leer, darf jede oberste Karte auf jede passende Ablage oder auf eine Karte, die eins höher oder niedriger ist. Spiel alle Karten, und du gewinnst.',
  ],
  // The questions and answers of the DOS program of 1987, from its manual.
  CLASSIC: {
    back: 'Weiterspielen',
    first: {
      reasons: 'Sollen Fehlermeldungen automatisch erscheinen (J/N)?',
      confirm: 'Möchtest du jedes neue Austeilen und jedes neue Spiel bestätigen (J/N)?',
      level: 'Welchen Schwierigkeitsgrad möchtest du (1/2)? Drück 1 für leicht oder 2 für schwer.',
      yesKey: 'J',
      yes: 'Ja',
      no: 'Nein',
      skip: 'Überspringen',
    },
    deal: {
      title: 'Eine neue Reihe austeilen?',
      yes: 'Neue Reihe austeilen',
      early: 'F10 bestätigt eine neue Reihe: Drück zuerst F9.',
      none: (n) => `Alle ${n} Karten sind ausgeteilt.`,
    },
    newGame: {
      title: 'Neues Spiel beginnen?',
      text: 'Du gibst dieses Spiel auf und bekommst ein neues Blatt.',
      yes: 'Neues Spiel beginnen',
      early: 'F8 bestätigt ein neues Spiel: Drück zuerst F7.',
      race: 'Im Rennen haben alle dasselbe Blatt. Neu beginnen kannst du, wenn du allein spielst.',
      wait: 'Das Rennen beginnt, sobald alle bereit sind.',
      host: 'Nur der Gastgeber kann das nächste Spiel beginnen.',
    },
    quit: {
      title: 'Aufhören?',
      yes: 'Aufhören',
      race: 'Du bist in einem Rennen. Wenn du jetzt gehst, gibst du auf.',
      room: 'Du verlässt den Raum.',
    },
    colours: {
      title: 'Farben',
      background: 'Nächster Hintergrund',
      cards: 'Nächste Karten',
      chosen: (back, cards) =>
        `Hintergrund ${back.at} von ${back.of}: ${back.name}. Karten ${cards.at} von ${cards.of}: ${cards.name}.`,
    },
    level: {
      now: (level) => `Du spielst auf Stufe ${level}.`,
      chosen: (level) => `Das nächste Spiel spielst du auf Stufe ${level}.`,
      next: 'Deine Wahl gilt für das nächste Spiel.',
      all: 'Deine Wahl gilt im nächsten Spiel für alle.',
      racing: 'Du kannst die Stufe zwischen den Spielen ändern, nicht im Rennen.',
      host: 'Nur der Gastgeber kann die Stufe ändern, zwischen den Spielen.',
      none: 'Ohne Ausnahmen gibt es keine Stufen.',
    },
    which: 'Welches Spiel möchtest du spielen?',
    game: (n) => `Spiel ${n}`,
    /** The keys on the results, with or without levels and a score card. */
    afterGame: (levels, card) =>
      `${levels ? '1: noch einmal auf Stufe 1, 2: noch einmal auf Stufe 2' : 'F7: noch einmal spielen'}${
        card ? ', G: Spiel wählen' : ''
      }, Q: aufhören.`,
    /** The keys in the room, with or without levels and a score card's games. */
    beforeGame: (levels, games, alone) =>
      `${games > 1 ? `1 bis ${games}: Spiel ${alone ? 'austeilen' : 'wählen'}, ` : ''}${
        levels ? 'F6: Stufe ändern, ' : ''
      }F7: beginnen, Q: aufhören.`,
  },
  TABLE: {
    ...race.TABLE,
    ...{ somebody: 'Jemand', members: 'Mitglieder', versus: 'Direkter Vergleich' },
    races: 'Letzte Rennen',
    columns: ['#', 'Name', 'Siege', 'Bestes', 'Letzte zehn'],
    duel: ['Platz im Schnitt', 'Bestzeit', 'höchster Sieg'],
    lately: 'Vorn in den letzten zehn',
    neverMet: 'Sie sind noch nicht gegeneinander angetreten.',
    none: 'Noch kein gewertetes Rennen.',
    go: 'Rennen',
    WHY: {
      stand_in: 'nicht gewertet: mit Ersatzspieler',
      computers: 'nicht gewertet: weniger als zwei Personen',
      latecomers: 'nicht gewertet: mit Nachzügler',
    },
    here: 'da',
    STATES: { READY: 'da, bereit', WATCHING: 'da, schaut zu' },
    hereNow: (n) => `${n} gerade da`,
    wins: (n) => count(n, 'Sieg', 'Siege'),
    lead: (n, since, until) =>
      `Seit ${since} · ${n} Rennen · bleibt bis ${until}, mit jedem Rennen länger`,
    figures: ({ races, podiums }, average) => `${races} Rennen · ${podiums}× Podium · Ø ${average}`,
  },
  TABLE_MENU: {
    ITEMS: {
      carry: 'Platz auf einem anderen Gerät nutzen',
      ...{ members: 'Mitglieder…', rename: 'Umbenennen…' },
      ...{ lock: 'Tisch abschließen', unlock: 'Tisch aufschließen' },
      ...{ stop: 'Tisch nicht mehr behalten…', delete: 'Tisch löschen…' },
    },
    csv: 'Ergebnisse speichern (CSV)',
    ASK: {
      rename: { title: 'Name des Tischs', text: 'Alle sehen ihn.', yes: 'Umbenennen' },
      stop: {
        title: 'Tisch nicht mehr behalten?',
        text: 'Seine Ergebnisse werden gelöscht, und der Raum schließt, wenn eine Weile niemand da ist.',
        yes: 'Nicht behalten',
      },
      delete: {
        title: 'Tisch löschen?',
        text: 'Alle verlieren ihren Platz, und die Ergebnisse sind unwiderruflich weg.',
        yes: 'Löschen',
      },
      hand_over: { title: 'Tisch übergeben?', yes: 'Zum Gastgeber machen' },
      forget: { title: 'Namen vergessen?', yes: 'Vergessen' },
    },
    no: 'Abbrechen',
    hand_over: (name) => `${name} wird Gastgeber. Du behältst deinen Platz.`,
    forget: (name) => `In den Ergebnissen steht statt ${name} nur noch „Jemand“.`,
    carry:
      'Scann das mit dem anderen Gerät, oder öffne dort den Link. Dieses Gerät gibt den Platz dann ab.',
    link: 'Link zu deinem Platz',
    until: (ms) => `Gilt einmal, bis ${dayAndTime(ms)}.`,
  },
  // The page with this player’s races.
  YOURS: {
    lead: 'Sie bleiben in diesem Browser und werden nirgendwohin gesendet.',
    unstorable:
      'Der Speicher ist ausgeschaltet oder voll: Neue Rennen sind nach dem Schließen weg.',
    empty: 'Noch keine Rennen. Was du ab jetzt zu Ende spielst, steht hier, auch Übungen.',
    none: 'Noch keine Rennen',
    menu: 'Speichern, einlesen oder löschen',
    games: 'Nach Spiel',
    FACTS: ['gewonnen', 'Bestzeit', 'im Schnitt'],
    races: (n, wins) => `${n} Rennen · ${wins} im Ziel`,
    FORM: {
      title: (game) => `Letzte Platzierungen: ${game}`,
      won: (n, of) => `von den letzten ${of}: ${n} gewonnen`,
      spoken: 'Die ältesten zuerst:',
    },
    RIVALS: { title: 'Gegner', about: 'Du vorn : hinten' },
    list: 'Alle Rennen',
    more: (n) => `Alle ${n} anzeigen`,
    open: 'Rennen noch offen',
    KINDS: { practice: 'Übung', day: 'Rennen des Tages', ghost: 'gegen einen Geist' },
    csv: 'Als CSV speichern',
    json: 'Als JSON speichern',
    read: 'Datei einlesen…',
    noFile: 'Das ist keine Datei mit gespeicherten Rennen.',
    added: (n) =>
      n > 0 ? `${n} Rennen hinzugefügt.` : 'Alle Rennen aus dieser Datei sind schon da.',
    delete: 'Alle löschen…',
    DELETE: {
      title: 'Alle deine Rennen löschen?',
      text: 'Sie werden aus diesem Browser gelöscht und lassen sich nicht zurückholen.',
      yes: 'Löschen',
      no: 'Abbrechen',
    },
    deleted: 'Deine Rennen sind gelöscht.',
    locale: 'de',
    placeOf: (place, of) => `${place}. von ${of}`,
    moves: (n) => count(n, 'Zug', 'Züge'),
    met: (names) => `mit ${list(names)}`,
  },
  // The preferences dialog.
  PREFERENCES: {
    sections: { looks: 'Aussehen', sound: 'Ton', play: 'Spielen', keyboard: 'Tastatur' },
    table: {
      title: 'Tisch',
      names: Object.fromEntries(
        'Filz Lagune Farn Smaragd Nacht Pflaume Violett Kobalt Bordeaux Rubin Rose Nussbaum Olive Kupfer Schiefer Kohle'
          .split(' ')
          .map((name, i) => [CHOICES.table[i], name]),
      ),
    },
    cards: {
      title: 'Karten',
      names: { two: 'Zweifarbig', four: 'Vierfarbig', strong: 'Großdruck' },
    },
    backs: { title: 'Kartenrücken', names: { blue: 'Blau', red: 'Rot' } },
    indices: { title: 'Buchstaben der Karten', names: { english: 'J Q K', german: 'B D K' } },
    light: {
      title: 'Hell oder dunkel',
      names: { auto: 'Wie mein Gerät', light: 'Hell', dark: 'Dunkel' },
    },
    removed: 'Fertige Farben verdeckt ablegen',
    motion: 'Weniger Bewegung',
    muted: 'Töne abspielen',
    volume: 'Lautstärke',
    haptics: 'Vibrieren bei Ereignissen im Rennen',
    oneTap: 'Ein Tipp spielt den besten Zug',
    confirmDeal: 'Vor dem Austeilen und einem neuen Spiel (F7) fragen',
    faceDown: 'Verdeckte Karten zählen',
    reasons: {
      title: 'Warum ein Zug nicht geht',
      names: { 'at-once': 'Sofort anzeigen', 'on-request': 'Nur auf Nachfrage' },
    },
    keys: { title: 'Tasten', names: { modern: 'Modern', classic: 'Klassisch (1987)' } },
    letterKeys: 'Kürzel mit einzelnen Buchstaben',
    moveBox: 'Feld zum Eintippen von Zügen',
  },
};

export default de;
