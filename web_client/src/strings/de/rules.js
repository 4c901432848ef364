// The page of rules: sentences that `room/rulebook.js` puts together from the settings.

import { count, duration, gameName } from './start.js';

/**
 * @import {Settings} from '../../core/messages.d.ts'
 */

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

/** Return the rules in one line, for a heading. @param {Settings} settings */
export function inShort({ game, deal, number, rounds, time_limit_s }) {
  const parts = [gameName(game)];
  if (deal === 'numbered') parts.push(number === null ? 'offenes Blatt' : `Blatt ${number}`);
  if (rounds > 1) parts.push(count(rounds, 'Runde', 'Runden'));
  parts.push(time_limit_s === null ? 'ohne Zeitlimit' : duration(time_limit_s));
  return parts.join(', ');
}

/** What the setting about cheats adds to the ranking. */
export const CHEAT_RULES = {
  shown: [],
  tie: ['Bei Gleichstand liegt vorn, wer seltener gemogelt hat.'],
  out: ['Wer gemogelt hat, steht in seiner Gruppe hinter allen, die es nicht getan haben.'],
};
