// The page of rules: the sentences of `room/rulebook.js`, by game and by setting.

import { GAMES } from '../../contract/games.js';
import { PROVES } from './deal.js';
import { count, duration } from './start.js';

/**
 * @import {GameInfo, Settings} from '../../contract/messages.d.ts'
 * @import {GameRules, SettingRule} from '../en/rules.js'
 */

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
const suits = ({ id }) =>
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
      ...suits(game),
    ],
    moves: MOVES,
    end: finish,
  },
  spiderette: {
    deal: (_, game) => [
      `Ein Kartenspiel, ${game.columns} Stapel: eine Karte auf dem ersten, zwei auf dem zweiten, bis zu ${game.columns}, die letzte jeweils offen.`,
      stock(game),
      ...suits(game),
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
