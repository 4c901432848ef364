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
