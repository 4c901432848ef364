// The sentences and questions of the program of 1987, loaded with its keys.

export const BACK = 'Continue with the game';

/** The questions before the first game. */
export const FIRST = {
  reasons: 'Do you want error messages displayed automatically (Y/N)?',
  confirm: 'Do you want to confirm each new deal and new game (Y/N)?',
  level: 'What difficulty level do you want (1/2)? Press 1-Easy or 2-Hard.',
  yesKey: 'Y',
  yes: 'Yes',
  no: 'No',
  easy: 'Easy',
  hard: 'Hard',
  skip: 'Skip',
};

export const DEAL = { title: 'Deal a new row of cards?', yes: 'Deal a new row' };
/** @param {number} n */
export const allDealt = (n) => `All ${n} cards have been dealt.`;
export const DEAL_FIRST = 'F10 confirms a new row: press F9 first.';

export const NEW = {
  title: 'Start a new game?',
  text: 'You give up this game and get a new deal.',
  yes: 'Start a new game',
};
export const NEW_FIRST = 'F8 confirms a new game: press F7 first.';
export const NEW_RACE =
  'Everyone in a race has the same deal. You can start a new game when you play alone.';
export const NEW_WAIT = 'The race starts when everyone is ready.';
export const NEW_HOST = 'Only the host can start the next game.';

export const QUIT = {
  title: 'Quit?',
  yes: 'Quit',
  alone: 'Your game ends here.',
  race: 'You’re in a race. If you leave now, you give up.',
  room: 'You leave the room.',
};

export const COLOURS = { title: 'Colours', background: 'Next background', cards: 'Next cards' };
/**
 * @param {{at: number, of: number, name: string}} background
 * @param {{at: number, of: number, name: string}} cards
 */
export const colours = (background, cards) =>
  `Background ${background.at} of ${background.of}: ${background.name}. Cards ${cards.at} of ${cards.of}: ${cards.name}.`;

/** @type {Readonly<Record<'easy' | 'hard', string>>} */
export const LEVELS = {
  easy: 'Level 1: exceptions at any time',
  hard: 'Level 2: press X before an exception',
};
/** @param {number} level */
export const currently = (level) => `You are currently at level ${level}.`;
export const LEVEL = {
  next: 'Your choice is for the next game.',
  all: 'Your choice is for everyone in the next game.',
  racing: 'You can change the level between games, not in a race.',
  host: 'Only the host can change the level, between games.',
  none: 'Without exceptions there are no levels.',
};
/** @param {number} level */
export const levelNow = (level) => `The next game is played at level ${level}.`;

export const WHICH = 'Which game do you want to play?';
/** @param {number} n */
export const game = (n) => `Game ${n}`;

/**
 * The keys of the results.
 * @param {boolean} levels whether there are levels to choose
 * @param {boolean} card whether there are games to choose
 */
export function afterGame(levels, card) {
  const again = levels
    ? 'Press 1 to play again at level 1, 2 to play again at level 2'
    : 'Press F7 to play again';
  return `${again}${card ? ', G to choose the game' : ''}, Q to quit.`;
}

/**
 * The keys of the room.
 * @param {boolean} levels whether there are levels to choose
 * @param {number} games on the card
 */
export function beforeGame(levels, games) {
  const parts = [
    games > 1 && `1 to ${games} to choose the game`,
    levels && 'F6 to change the level',
    'F7 to start',
    'Q to quit',
  ];
  return `Press ${parts.filter(Boolean).join(', ')}.`;
}
