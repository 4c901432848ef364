// The sentences and questions of the program of 1987 in German, loaded with its keys.

export const BACK = 'Weiterspielen';

export const FIRST = {
  reasons: 'Sollen Fehlermeldungen automatisch erscheinen (J/N)?',
  confirm: 'Möchtest du jedes neue Austeilen und jedes neue Spiel bestätigen (J/N)?',
  level: 'Welchen Schwierigkeitsgrad möchtest du (1/2)? Drücke 1 für leicht oder 2 für schwer.',
  yesKey: 'J',
  yes: 'Ja',
  no: 'Nein',
  easy: 'Leicht',
  hard: 'Schwer',
  skip: 'Überspringen',
};

export const DEAL = { title: 'Eine neue Reihe austeilen?', yes: 'Neue Reihe austeilen' };
/** @param {number} n */
export const allDealt = (n) => `Alle ${n} Karten sind ausgeteilt.`;
export const DEAL_FIRST = 'F10 bestätigt eine neue Reihe: Drücke zuerst F9.';

export const NEW = {
  title: 'Neues Spiel beginnen?',
  text: 'Du gibst dieses Spiel auf und bekommst ein neues Blatt.',
  yes: 'Neues Spiel beginnen',
};
export const NEW_FIRST = 'F8 bestätigt ein neues Spiel: Drücke zuerst F7.';
export const NEW_RACE =
  'Im Rennen haben alle dasselbe Blatt. Neu beginnen kannst du, wenn du allein spielst.';
export const NEW_WAIT = 'Das Rennen beginnt, sobald alle bereit sind.';
export const NEW_HOST = 'Nur der Gastgeber kann das nächste Spiel beginnen.';

export const QUIT = {
  title: 'Aufhören?',
  yes: 'Aufhören',
  alone: 'Dein Spiel endet damit.',
  race: 'Du bist in einem Rennen. Wenn du jetzt gehst, gibst du auf.',
  room: 'Du verlässt den Raum.',
};

export const COLOURS = {
  title: 'Farben',
  background: 'Nächster Hintergrund',
  cards: 'Nächste Karten',
};
/**
 * @param {{at: number, of: number, name: string}} background
 * @param {{at: number, of: number, name: string}} cards
 */
export const colours = (background, cards) =>
  `Hintergrund ${background.at} von ${background.of}: ${background.name}. Karten ${cards.at} von ${cards.of}: ${cards.name}.`;

/** @type {Readonly<Record<'easy' | 'hard', string>>} */
export const LEVELS = {
  easy: 'Stufe 1: Ausnahmen jederzeit',
  hard: 'Stufe 2: vor einer Ausnahme X drücken',
};
/** @param {number} level */
export const currently = (level) => `Du spielst auf Stufe ${level}.`;
export const LEVEL = {
  next: 'Deine Wahl gilt für das nächste Spiel.',
  all: 'Deine Wahl gilt im nächsten Spiel für alle.',
  racing: 'Du kannst die Stufe zwischen den Spielen ändern, nicht im Rennen.',
  host: 'Nur der Gastgeber kann die Stufe ändern, zwischen den Spielen.',
  none: 'Ohne Ausnahmen gibt es keine Stufen.',
};
/** @param {number} level */
export const levelNow = (level) => `Das nächste Spiel wird auf Stufe ${level} gespielt.`;

export const WHICH = 'Welches Spiel möchtest du spielen?';
/** @param {number} n */
export const game = (n) => `Spiel ${n}`;

/** @param {boolean} levels @param {boolean} card */
export function afterGame(levels, card) {
  const again = levels
    ? '1: noch einmal auf Stufe 1, 2: noch einmal auf Stufe 2'
    : 'F7: noch einmal spielen';
  return `${again}${card ? ', G: Spiel wählen' : ''}, Q: aufhören.`;
}

/** @param {boolean} levels @param {number} games */
export function beforeGame(levels, games) {
  const parts = [
    games > 1 && `1 bis ${games}: Spiel wählen`,
    levels && 'F6: Stufe ändern',
    'F7: beginnen',
    'Q: aufhören',
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
