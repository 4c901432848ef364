// The sentences of what is opened or comes after a race: rules, results, replay, help and preferences.

import { GAMES } from '../../contract/games.js';
import { homeLabel, PROVES } from './race.js';
import {
  cheats,
  clock,
  count,
  duration,
  exactClock,
  gameName,
  hintsTaken,
  list,
  ordinal,
  PREFERENCES_TITLE,
  result,
} from './start.js';

/**
 * @import {GameInfo, GameReview, Settings, Standing, TieBreak} from '../../contract/messages.d.ts'
 * @import {TableView} from '../../contract/notation.js'
 * @import {NextRace} from '../../state/next-race.js'
 * @import {GameRules, SettingRule} from '../en/after.js'
 */

// The page of rules: the sentences of `room/rulebook.js`, by game and by setting.

/** The headings of the chapters, in their order on the page. */
export const CHAPTERS = {
  deal: 'Das Blatt',
  moves: 'Züge',
  dealing: 'Austeilen',
  removing: 'Vollständige Farben',
  exceptions: 'Ausnahmen',
  undo: 'Rückgängig',
  hints: 'Tipps',
  score: 'Punkte',
  end: 'Das Ende',
  ranking: 'Wer gewinnt',
  match: 'Match',
  watching: 'Zuschauen',
  people: 'Wer mitmacht',
};

/** @param {GameInfo} game */
function stock({ stock: cards, columns }) {
  const last = cards % columns;
  const deals = `${Math.floor(cards / columns)}-mal je ${columns} Karten`;
  return `Die übrigen ${cards} sind der Talon: ${deals}${last ? `, dann die letzten ${last}` : ''}.`;
}

/** @param {GameInfo} game */
const suitsOfGame = ({ id }) =>
  ({
    1: ['Alle Karten gelten als Pik.'],
    2: ['Kreuz gilt als Pik, Karo als Herz.'],
    4: [],
  })[GAMES[id].suits];

const MOVES = [
  'Eine Karte, oder eine absteigende Folge von einer Farbe, kommt auf eine Karte, die um eins höher ist, gleich welcher Farbe, oder auf einen leeren Stapel. Auch ein Teil einer Folge darf bewegt werden.',
  'Das Ass ist die niedrigste Karte; ein König kommt darum nur auf einen leeren Stapel.',
  'Eine verdeckte Karte am Ende ihres Stapels wird sofort aufgedeckt.',
];
const STUCK =
  'Kommst du nicht weiter, sagen wir es dir, und du kannst dort aufhören. Aufgeben geht jederzeit.';

/** @param {Settings} settings */
const finish = ({ auto_remove: auto }) => [
  auto
    ? 'Du bist fertig, wenn alle Farben abgelegt sind.'
    : 'Du bist fertig, wenn alle Farben abgelegt sind. Ist der Talon leer und liegen nur noch vollständige Farben auf dem Tisch, kannst du auch mit ihnen aufhören.',
  STUCK,
];

/** The rules of the games, by family and chapter. @type {Record<string, GameRules>} */
export const GAME_RULES = {
  spider: {
    deal: ({ layout }, game) => [
      `Zwei Kartenspiele, ${game.columns} Stapel: ${game.dealt} Karten werden ausgeteilt, die letzte jedes Stapels offen. Die Stapel ${
        layout === 'left4' ? '1 bis 4' : '1, 4, 7 und 10'
      } bekommen eine Karte mehr.`,
      stock(game),
      ...suitsOfGame(game),
    ],
    moves: MOVES,
    end: finish,
  },
  spiderette: {
    deal: (_, game) => [
      `Ein Kartenspiel, ${game.columns} Stapel: eine Karte auf dem ersten, zwei auf dem zweiten, bis zu ${game.columns}, die letzte jeweils offen.`,
      stock(game),
      ...suitsOfGame(game),
    ],
    moves: MOVES,
    end: finish,
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
      STUCK,
    ],
  },
};

const EXCEPTIONS_COUNTED =
  'Sie kommt nur dorthin, wohin jede Folge darf. Jede Ausnahme wird gezählt, für alle sichtbar.';

/** @param {Settings} settings */
const others = ({ score }) =>
  score === 'moves'
    ? 'Bei allen anderen zählen vollständige Farben, dann weniger verdeckte Karten, dann die Punkte.'
    : 'Bei allen anderen zählen die Punkte, dann weniger verdeckte Karten, dann, wer früher so weit war.';

/** The sentences of the settings, by value or for all values. @type {Record<string, SettingRule>} */
export const SETTING_RULES = {
  deal: {
    secret: [
      'Alle bekommen dasselbe neue Blatt. Es wird vor dem Rennen festgelegt und danach aufgedeckt, damit alle es prüfen können.',
      ...PROVES,
    ],
    numbered: ({ number, layout }, { layouts }) => {
      const which = number === null ? 'dasselbe nummerierte Blatt' : `Blatt Nummer ${number}`;
      const where = {
        left4: ', nur liegen die zusätzlichen Karten auf anderen Stapeln als dort',
        spread: ', ausgeteilt wie dort',
      };
      return `Alle bekommen ${which} von PySolFC${
        layouts.length > 1 ? where[layout] : ''
      }. Man kann es nachschlagen: ein offenes Blatt.`;
    },
    seed: 'Alle bekommen ein Blatt, das schon einmal gespielt wurde: ein offenes Blatt.',
  },
  winnable: {
    true: 'Der Server kennt einen Weg zum Sieg und zeigt ihn nach dem Rennen. Kennt er keinen, sagt er es vor dem Rennen.',
    false: 'Niemand weiß, ob es zu gewinnen ist.',
  },
  auto_remove: {
    true: 'Eine vollständige Farbe, vom König bis zum Ass, wird automatisch abgelegt.',
    false:
      'Eine vollständige Farbe, vom König bis zum Ass, am Ende eines Stapels leuchtet; leg sie ab, wann du willst, oder behalte sie.',
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
      'Eine absteigende Folge aus gemischten Farben darf zusammen bewegt werden: eine Ausnahme. Du nimmst sie auf wie jede andere Folge.',
      EXCEPTIONS_COUNTED,
    ],
    hard: [
      'Eine absteigende Folge aus gemischten Farben darf zusammen bewegt werden: eine Ausnahme. Drück vor jeder die Taste X oder den Knopf „Ausnahme“.',
      EXCEPTIONS_COUNTED,
    ],
  },
  undo: {
    no_reveal:
      'Du kannst einen Zug rückgängig machen, außer er hat eine Karte aufgedeckt oder ausgeteilt.',
    any: 'Du kannst alles rückgängig machen. Wer dabei eine aufgedeckte Karte oder ein Austeilen zurücknimmt, hat gemogelt, denn die Karten sind dann bekannt. Das wird gezählt, für alle sichtbar, und die Zahl sinkt nie.',
    counted:
      'Du kannst alles rückgängig machen. Jedes Mal gilt als gemogelt. Das wird gezählt, für alle sichtbar, und die Zahl sinkt nie.',
    free: 'Du kannst alles rückgängig machen, auch Aufdecken und Austeilen, so oft du willst.',
    off: 'Nichts kann rückgängig gemacht werden.',
  },
  hints: {
    true: 'Wer um einen Tipp bittet, bekommt einen Zug gezeigt, der sich aus dem eigenen Tisch ergibt. Jeder Tipp wird gezählt, für alle sichtbar.',
  },
  autoplay: {
    true: 'Liegen alle deine Karten offen und ist der Rest so gut wie gewonnen, kannst du ihn Zug um Zug zu Ende spielen lassen.',
  },
  score: {
    woods: ({ auto_remove: auto }, { id, columns, all_removed: all }) => [
      '10 Punkte für jede aufgedeckte Karte, die anfangs verdeckt lag.',
      GAMES[id].covered_columns < columns
        ? '15 für jeden Stapel, der verdeckte Karten hatte und keine mehr hat.'
        : '15 für jeden Stapel ohne verdeckte Karten.',
      '2 für jede Karte, die auf der nächsthöheren ihrer Farbe liegt.',
      '50 für jede abgelegte Farbe.',
      `Alle Farben abgelegt: ${all}.`,
      ...(auto
        ? []
        : [
            'Wer mit mehr als drei vollständigen Farben auf dem Tisch gewinnt, bekommt 2 für jede weitere.',
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
    'Zuerst kommen die Gewinner, dann alle, die bis zum Ende gespielt haben, zuletzt alle, die aufgegeben haben.',
    settings.ranking === 'first_home'
      ? 'Bei den Gewinnern zählt die Zeit.'
      : 'Bei den Gewinnern zählen die Punkte.',
    others(settings),
  ],
  rounds: ({ rounds, deal }) => {
    if (rounds < 2) return [];
    const next = {
      secret: [],
      numbered: ['Jede Runde spielt das Blatt mit der nächsten Nummer.'],
      seed: ['Jede Runde ist dasselbe Blatt.'],
    };
    return [`Ein Match über ${rounds} Runden, mit einer Punktekarte für alle.`, ...next[deal]];
  },
  match_ranking: {
    wins: 'Im Match zählen die gewonnenen Runden, dann alle Punkte zusammen.',
    score: 'Im Match zählen alle Punkte zusammen, dann die gewonnenen Runden.',
  },
  chasers: {
    true: 'Wer zu spät kommt, kann dasselbe Blatt trotzdem spielen, mit eigener Uhr und außerhalb der Wertung, und sieht dabei Karten, die andere noch nicht aufgedeckt haben.',
    false: 'Wer zu spät kommt, schaut zu.',
  },
  cheats: {
    tie: 'Bei Gleichstand liegt vorn, wer seltener gemogelt hat.',
    out: 'Wer gemogelt hat, steht in seiner Gruppe hinter allen, die es nicht getan haben.',
  },
  time_limit_s: ({ time_limit_s: limit }) =>
    limit === null
      ? 'Es gibt kein Zeitlimit.'
      : `Die Runde endet nach ${duration(limit)}, oder wenn alle fertig sind.`,
  after_win_s: ({ after_win_s: left }) =>
    left === null ? [] : `Nach dem ersten Sieg haben die anderen noch ${duration(left)}.`,
  spectate: ({ spectate, board_delay_s: late }) => {
    const delay =
      late % 60 === 0 && late > 60 ? duration(late) : count(late, 'Sekunde', 'Sekunden');
    return [
      spectate === 'standings'
        ? 'Alle sehen den Stand; niemand sieht die Karten der anderen.'
        : `Solange du spielst, siehst du den Stand, nie die Karten der anderen. Bist du fertig, siehst du ihre Tische sofort. Wer nicht mitspielt, sieht die Tische, ${
            late === 0 ? 'und zwar sofort' : `${delay} später`
          }.`,
      'Ist die Runde vorbei, können alle sämtliche Tische und das Blatt sehen.',
    ];
  },
  programs: ({ programs, max_players: most }) =>
    most === 1
      ? []
      : [
          programs === false // an older server may not say
            ? 'Programme dürfen nicht mitmachen.'
            : 'Programme dürfen mitmachen. Ein kleiner Roboter steht vor ihrem Namen.',
          'Das beruht auf Ehrlichkeit: Niemand kann beweisen, dass ein Mensch kein Programm ist.',
        ],
};

// The results of a race, and the page of a finished round.

/**
 * @typedef {{by: 'time' | 'points' | 'suits' | 'turned', n: number}} Margin `n` is in ms for `time`
 */

/** Return the result in a line of the ranking, with all that explains it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated, stand_in } = standing;
  const late = late_ms === null ? [] : [`${clock(late_ms)} später gestartet (ohne Wertung)`];
  if (stand_in) late.push('mit einem Computerspieler (ohne Wertung)');
  const acts = restored === 1 ? 'ein Zug' : `${restored} Züge`;
  const back = restored > 0 ? [`${acts} nach einem Datenverlust wiederhergestellt`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  return [result(standing), ...late, ...helped, ...back].join(' · ');
}

export const RESULTS = {
  ranking: 'Rangliste',
  columns: ['#', 'Name', 'Ergebnis', 'Punkte', 'Züge', 'Farben'],
  over: 'Das Rennen ist vorbei',
  see: 'Ansehen',
  savePicture: 'Bild speichern',
  sharePicture: 'Bild teilen',
  data: 'Alle Daten dieser Runde',
  text: 'Als Text herunterladen',
  again: 'Dieses Blatt allein',
  newMatch: 'Neues Match',
  leave: 'Verlassen',
  deal: 'Das Blatt',
  check: 'Selbst nachprüfen',
  show: 'Karten anzeigen',
  number: 'Nummer des Blatts',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Hash, SHA-256(Seed‖Salt)',
  me: 'Ich',
  share: 'Link zu diesem Ergebnis',
  lobby: 'Regeln ändern',
  rematch: 'Revanche',
  newDeal: 'Neues Blatt',
  replay: 'Noch einmal spielen',
  notAfterAll: 'Doch nicht',
  shared: 'Mit diesem Link können alle das Ergebnis und die Wiederholung sehen.',
};

export const FINISHED = {
  loading: 'Rennen wird geladen…',
  gone: 'Dieses Rennen gibt es hier nicht',
  why: 'Es läuft noch, oder sein Raum ist geschlossen.',
  front: 'Zur Startseite',
  room: 'Zum Raum',
};

/** Return a race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${courses.length} Spieler · ${day}`;
}

/** What decides between players whose figures are equal. @type {Record<TieBreak['by'], string>} */
const TIE_BREAKS = {
  cheats: 'vorn, weil seltener zurückgenommen',
  face_down: 'vorn durch weniger verdeckte Karten',
  last_gain: 'vorn durch den früheren letzten Punktgewinn',
};

/** Return why a player is ahead of the next one with equal figures. @param {TieBreak['by']} by */
export const tieBreak = (by) => TIE_BREAKS[by] ?? '';

/**
 * Return the heading of a ranking.
 * @param {readonly string[]} winners
 * @param {{alone: boolean, home: boolean, won: boolean, round?: number | undefined}} own `round` in a match of several
 */
export function verdict(winners, { alone, home, won, round }) {
  const names = list(winners);
  const of = round ? ` Runde ${round}` : '';
  if (alone) return home ? 'Du bist im Ziel!' : 'Übung beendet';
  if (winners.length === 0) return of ? `In${of} ist niemand im Ziel` : 'Niemand ist im Ziel';
  if (won && winners.length > 1) return `Unentschieden${of ? ` in${of}` : ''}: ${names}`;
  if (won) return `Du gewinnst${of}, ${names}!`;
  if (winners.length > 1) return `${names} teilen sich ${of ? `den Sieg in${of}` : 'den Sieg'}`;
  return `${names} gewinnt${of}`;
}

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

/**
 * Return the time and the lead of the winner of a round; '' if there are none.
 * @param {number | null} ms the time in which the winner finished
 * @param {Margin | null} margin to the next player
 * @param {string} next the name of that player
 */
export function winningMargin(ms, margin, next) {
  const ahead = margin ? `${marginText(margin)} vor ${next}` : '';
  if (ms === null) return ahead;
  return `Im Ziel nach ${exactClock(ms)}${ahead ? `, ${ahead}` : ''}`;
}

/** Return the place of a player who has not won. @param {{place: number, players: number, leader: Standing, margin: Margin | null}} own */
export function ownPlace({ place, players, leader, margin }) {
  const of = players > 2 ? ` von ${players}` : '';
  const behind = margin ? `, ${marginText(margin)} hinter ${leader.name}` : '';
  return `Du bist ${ordinal(place)}${of}${behind}`;
}

/** Return when a race was decided. @param {{ms: number, kind: 'led' | 'lead' | 'home' | 'quit'}} decision @param {string} name */
export function decided({ ms, kind }, name) {
  if (kind === 'led')
    return ms < 1_000
      ? `${name} lag von Anfang an vorn.`
      : `${name} lag ab ${clock(ms)} bis zum Schluss vorn.`;
  const what = {
    lead: `${name} ging in Führung und blieb vorn`,
    home: `${name} war zuerst im Ziel`,
    quit: `${name} gab in Führung auf`,
  };
  return `Entschieden bei ${clock(ms)}: ${what[kind]}.`;
}

/**
 * Return what made the difference in a race.
 * @param {{kind: 'turned' | 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit', winner: Standing, rival: Standing, n: number, of: number, isProgram: boolean}} decisive
 * @param {number} me this player's seat, or -1
 */
export function decisive({ kind, winner, rival, n, of }, me) {
  const [isWinner, isRival] = [winner.seat === me, rival.seat === me];
  const won = isWinner ? 'Du hast' : `${winner.name} hat`;
  const lost = isRival ? 'Du hast' : `${rival.name} hat`;
  const other = isRival ? 'du' : rival.name;
  const had = isRival ? 'Du hattest' : `${rival.name} hatte`;
  switch (kind) {
    case 'turned': {
      const who = isWinner ? 'Du hattest' : `${winner.name} hatte`;
      const before = isRival ? 'dir' : rival.name;
      return `${who} ${marginText({ by: 'time', n })} vor ${before} alle Karten aufgedeckt.`;
    }
    case 'hidden':
      return `${had} am Ende noch ${count(n, 'verdeckte Karte', 'verdeckte Karten')}.`;
    case 'home':
      return `${had} am Ende ${n} von ${count(of, 'Karte', 'Karten')} abgelegt.`;
    case 'suits':
      return of
        ? `${had} am Ende ${n} von ${count(of, 'Farbe', 'Farben')}.`
        : `${won} ${count(n, 'Farbe', 'Farben')} geschafft, ${other} ${rival.suits}.`;
    case 'cards':
      return `${won} ${count(n, 'Karte', 'Karten')} mehr aufgedeckt als ${other}.`;
    case 'idle':
      return `${lost} keinen Zug gemacht.`;
    case 'quit':
      return `${lost} bei ${clock(n)} aufgegeben.`;
  }
}

/** Return the heading of a match that is over. @param {readonly string[]} winners @param {boolean} won whether this player is one of them */
export function matchVerdict(winners, won) {
  const names = list(winners);
  if (winners.length === 0) return 'Niemand gewinnt das Match';
  if (won && winners.length > 1) return `Das Match endet unentschieden: ${names}`;
  if (won) return `Du gewinnst das Match, ${names}!`;
  return winners.length > 1 ? `${names} teilen sich das Match` : `${names} gewinnt das Match`;
}

/** @param {number} n @param {number} of */
export const roundOf = (n, of) => `Runde ${n} von ${of}`;

/** @param {number} n */
export const cardCount = (n) => count(n, 'Karte', 'Karten');

/** Return the label of the button for the next round. @param {number} n @param {number} of */
export const nextOf = (n, of) => `Nächste Runde (${n} von ${of})`;

/** @param {number} level */
export const againAt = (level) => `Noch einmal auf Stufe ${level}`;

/** Return which players want the next race, and for which it waits. @param {NextRace} next */
export function nextRaceLine({ isWanted, wanting, missing, away, inMatch }) {
  if (!isWanted && wanting.length === 0) return '';
  const many = wanting.length > 1;
  if (!isWanted && inMatch)
    return `${list(wanting)} ${many ? 'sind' : 'ist'} bereit für die nächste Runde.`;
  if (!isWanted) return `${list(wanting)} ${many ? 'möchten' : 'möchte'} eine Revanche.`;
  const awaited = missing.length > 0 ? missing : wanting.length > 0 ? [] : away;
  return awaited.length > 0 ? `Warten auf ${list(awaited)} …` : '';
}

/** Return the label of the button that starts without the missing players. @param {readonly string[]} missing */
export const startWithout = (missing) =>
  missing.length > 2
    ? `Ohne ${missing.length} Spieler starten`
    : missing.length > 0
      ? `Ohne ${list(missing)} starten`
      : 'Jetzt starten';

/** @param {{score: number, ms: number | null}} best */
const bestText = ({ score, ms }) =>
  [count(score, 'Punkt', 'Punkte'), ms !== null && clock(ms)].filter(Boolean).join(' · ');

/** Return the best result of practice. @param {{score: number, ms: number | null}} best */
export const yourBest = (best) => `Dein Bestes: ${bestText(best)}`;

/** Return the sentence on a practice game that was better than all before. @param {{score: number, ms: number | null}} best */
export const newBest = (best) => `Neue Bestleistung: ${bestText(best)}`;

// The chart and the replay of a finished round.

export const CHART = {
  title: 'Punkte im Verlauf',
  moment: 'Zeitpunkt im Rennen',
  table: 'Die Punkte als Tabelle',
  player: 'Name',
  end: 'Ende',
  known: 'Bis hier war ein Sieg bekannt',
};

/** Return the scores at a time in a sentence. @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * Return the text alternative of the chart.
 * @param {number} ms the length of the race, round or practice game
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last || changes === 0 // der Kopf der Ergebnisse sagt es
      ? ''
      : ` Die Führung hat ${changes === 1 ? 'einmal' : `${changes}-mal`} gewechselt; am Ende hatte sie ${last}.`;
  const few = lines < players ? ` Gezeigt werden ${lines} von ${players} Spielern.` : '';
  return `Dauer: ${clock(ms)}.${lead}${few}`;
}

/** The name of a program where its mark does not fit. @param {string} name */
export const programNamed = (name) => `${name} (Programm)`;

export const REPLAY = {
  wins: 'Verpasste Siege',
  playWin: 'Sieg abspielen',
  knownWin: 'Ein bekannter Weg zum Sieg',
  title: 'Wiederholung',
  left: 'Tisch links',
  right: 'Tisch rechts',
  play: 'Abspielen',
  pause: 'Anhalten',
  back: 'Voriger Zug',
  on: 'Nächster Zug',
  before: 'Voriger Moment',
  after: 'Nächster Moment',
  at: 'Zeit im Rennen',
  speed: 'Tempo',
  moments: 'Momente des Rennens',
  keys: 'Tasten: Leertaste spielt ab und hält an, ← und → gehen von Zug zu Zug, Bild auf und ab von Moment zu Moment, + und − ändern das Tempo.',
  loading: 'Rennen wird geladen…',
  failed: 'Das Rennen konnte nicht geladen werden.',
  again: 'Noch einmal versuchen',
  dealt: 'Die Karten, wie sie ausgeteilt wurden.',
  cut: 'Dieses Spiel ist sehr lang: Die Züge vor dem Ende sind ausgelassen.',
};

/** @param {number} ms @param {number} length */
export const timeOf = (ms, length) => `${clock(ms)} von ${clock(length)}`;

/** Return a speed. @param {number} factor */
export const times = (factor) => `${factor === 0.5 ? '½' : factor}×`;

/** Return what happened at a moment of a race. @param {{ms: number, kind: string, n: number}} moment @param {string} name */
export function moment({ ms, kind, n }, name) {
  /** @type {Record<string, string>} */
  const what = {
    lead: `${name} führt`,
    suit: `${name}: ${n}. Farbe`,
    home: `${name} ist im Ziel`,
    end: `${name} hört auf`,
    quit: `${name} gibt auf`,
    missed: `${name} verlässt den bekannten Sieg`,
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** Return until when a game could have been won, as a review has found out. @param {GameReview} game */
export function reviewLine({ known_ms: known, to_the_end: toTheEnd, lost_ms: lost }) {
  if (toTheEnd) return 'ein Sieg war noch möglich';
  if (known !== null) return `bis ${clock(known)} war ein Sieg bekannt`;
  return lost === null ? 'kein Sieg gefunden' : noneSince(lost);
}

/** Return from when on a game was lost. @param {number} ms */
const noneSince = (ms) => `ab ${clock(ms)} gab es keinen Sieg mehr`;

/** Return all that a review has found out about a player's game. @param {GameReview} game */
export function reviewOf(game) {
  const { name, known_ms: known, lost_ms: lost } = game;
  const later = known === null || lost === null || lost === known ? '' : `, ${noneSince(lost)}`;
  const line =
    lost !== null && lost === known ? `bis ${clock(lost)} war ein Sieg möglich` : reviewLine(game);
  return `${name}: ${line}${later}.`;
}

/** Return the name of a player's last known win. @param {GameReview} game */
export const winOption = ({ name, known_ms: known }) => `${name}: der Sieg ab ${clock(known ?? 0)}`;

/** Return what is said while a review is made, and of the games that have none. @param {boolean} running @param {readonly string[]} missing */
export function reviewNote(running, missing) {
  if (running) return 'Verpasste Siege werden gesucht…';
  return missing.length > 0 ? `Nicht durchsucht: ${list(missing)}.` : '';
}

/** @param {string} name */
export const enlarge = (name) => `Tisch von ${name} vergrößern`;

/** Return the figures of a board. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')} · ${face_down} verdeckt · ${count(suits, 'Farbe', 'Farben')}`;

// The help dialog: where the game stands, and the keys.

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
  auto: 'Dorthin legen, wo es passt, gleiche Farbe zuerst',
  column: 'Von Stapel zu Stapel',
  deal: 'Austeilen',
  dealSure: 'Austeilen bestätigen',
  remove: 'Vollständige Farbe ablegen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  exception: 'Ausnahme ansagen',
  hint: 'Tipp holen, wenn der Raum welche erlaubt',
  unfold: 'Stapel auffalten',
  mark: 'Zeigen, was sich bewegen lässt',
  locate: 'Karte suchen: Rang, dann Farbe',
  peek: 'Zeigen, was auf einem Stapel liegt',
  standings: 'Stand zeigen',
  score: 'Punkte zeigen',
  colours: 'Hintergrund wechseln',
  type: 'Züge eintippen',
  help: 'Diese Hilfe',
  why: 'Warum ein Zug nicht ging',
  level: 'Stufe ändern',
  restart: 'Neues Spiel',
  restartSure: 'Neues Spiel bestätigen',
  quit: 'Verlassen',
  cancel: 'Abbrechen',
};

export const HELP = {
  title: 'So wird gespielt',
  close: 'Schließen',
  tips: 'Tipps zu diesem Spiel',
  aids: 'Werkzeuge',
  mark: 'Zeigen, was sich bewegen lässt',
  box: 'Züge eintippen',
  find: 'Karte suchen',
  rank: 'Rang',
  suit: 'Farbe',
  go: 'Suchen',
  keys: 'Tasten',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Klassisch (1987)' },
  letters: 'Tastenkürzel mit einzelnen Buchstaben',
  trial: 'Probier die Tasten hier aus: drück eine.',
  touch: 'Tippen und Ziehen',
  oneTap: [
    'Tipp eine Karte an: Sie macht den besten Zug, zuerst auf die gleiche Farbe, nie auf einen leeren Stapel. Gibt es keinen, hältst du sie: Tipp auf den Stapel, zu dem sie soll, oder noch einmal auf sie, um sie loszulassen.',
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
  littleTap:
    'Tipp eine Karte an: Sie geht dorthin, wo sie passt. Passt sie nirgends, hältst du sie: Tipp noch einmal auf sie, um sie loszulassen. Oder zieh sie. Ein Tipp auf den Talon teilt aus.',
  littleHands:
    'Zieh eine Karte, oder wähl erst sie und dann einen Stapel, auch umgekehrt. Doppelklick oder doppelter Tipp spielt sie. Ein Druck auf den Talon teilt aus.',
  pointer: [
    'Zieh eine Karte: Alle, die auf ihr liegen, kommen mit. Oder klick erst eine Karte und dann einen Stapel an, oder umgekehrt.',
    'Mit Doppelklick, Rechtsklick oder Umschalt+Enter gehen Karten dorthin, wo sie passen, gleiche Farbe zuerst.',
    'Die mittlere Maustaste, bei Arachnid auch die rechte, nimmt nur den Teil einer Folge ab der angeklickten Karte; dann klick einen Stapel an.',
    'Langes Drücken zeigt, was auf einem Stapel liegt. ×5 ist eine gefaltete Folge: Ein Klick faltet sie auf.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' },
};

/** Return where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${homeLabel(view.counts.suits)}`;

/** Return where a game without columns stands. @param {TableView} view @param {number} deals left */
export const littleStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${count(view.counts.home, 'Karte', 'Karten')} abgelegt.`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Abgelegte Farben: ${signs.join(' ') || 'keine'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Zuletzt abgelehnt: ${words}`;

// Das Spiel in drei Bildern, und was ein festgelegtes Blatt beweist.

export const LESSON = {
  title: 'So geht es',
  move: 'Leg eine Karte auf eine, die um eins höher ist. Karten einer Farbe in Folge ziehen gemeinsam.',
  deal: 'Nichts geht mehr? Teil vom Talon aus: Jeder Stapel bekommt eine Karte.',
  suit: 'König bis Ass in einer Farbe verlässt den Tisch. Wer alle Farben abräumt, gewinnt.',
  close: 'Alles klar',
};

export const LITTLE_LESSON = [
  'Zwei Ablagen wachsen in ihrer Farbe vom Ass aufwärts, zwei vom König abwärts: die Asse sind rot und die Könige schwarz, oder umgekehrt.',
  'Jedes Austeilen legt eine Karte auf jeden Stapel. Karten der oberen Reihe dürfen auf jede passende Ablage, die der unteren nur auf die direkt darüber.',
  'Ist der Talon leer, darf jede oberste Karte auf jede passende Ablage oder auf eine Karte, die eins höher oder niedriger ist. Spiel alle Karten, und du gewinnst.',
];

export const FAIR = {
  line: 'Faires Blatt: Ist es einmal festgelegt, kann es niemand mehr ändern, auch nicht der Betreiber dieses Servers.',
  check: [
    'Vor dem Rennen sehen alle einen Hash des geheimen Blatts. Nach dem Rennen wird das Blatt aufgedeckt, und dein Browser prüft, ob es diesen Hash hat und diese Karten ergibt. Das können auch alle anderen prüfen.',
    'Der Hash beweist nicht, dass niemand das Blatt vorher gesehen hat, und auch nicht, dass zwei Spieler einander nichts verraten.',
  ],
};

// The dialog of preferences.

export const PREFERENCES = {
  title: PREFERENCES_TITLE,
  done: 'Fertig',
  looks: 'Aussehen',
  table: {
    title: 'Hintergrund',
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
  backs: { title: 'Rückseite der Karten', names: { blue: 'Blau', red: 'Rot' } },
  indices: {
    title: 'Buchstaben der Karten',
    names: { english: 'J Q K', german: 'B D K' },
  },
  light: {
    title: 'Hell oder dunkel',
    names: { auto: 'Wie mein Gerät', light: 'Hell', dark: 'Dunkel' },
  },
  removed: 'Fertige Farben verdeckt ablegen',
  motion: 'Weniger Bewegung',
  sound: 'Ton',
  sounds: 'Töne abspielen',
  volume: 'Lautstärke',
  haptics: 'Vibrieren, wenn im Rennen etwas passiert',
  play: 'Spielen',
  oneTap: 'Einmal antippen spielt den besten Zug',
  confirmDeal: 'Vor dem Austeilen fragen, und vor einem neuen Spiel mit F7',
  faceDown: 'Anzahl der verdeckten Karten anzeigen',
  reasons: {
    title: 'Warum ein Zug nicht geht',
    names: { 'at-once': 'Sofort anzeigen', 'on-request': 'Nur auf Nachfrage' },
  },
  keyboard: 'Tastatur',
  keys: { title: 'Tasten', names: { modern: 'Modern', classic: 'Klassisch (1987)' } },
  letterKeys: 'Tastenkürzel mit einzelnen Buchstaben',
  moveBox: 'Feld zum Eintippen von Zügen anzeigen',
};
