// The place to try the keys: a key lights its row, and a small picture shows what the key does. The
// picture is a drawing of a few fixed cards; the game behind it is not touched.

import { preference } from '../browser/storage.js';
import { commandOf, keyName } from '../play/key-bindings.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';

/**
 * @import {Command} from '../play/key-bindings.js'
 * @typedef {object} Scene what the picture shows
 * @property {number} cursor the column
 * @property {number} count how many cards of the run are meant
 * @property {number} run the column of the run
 * @property {boolean} isHeld
 * @property {boolean} isDealt
 * @property {boolean} isMarked
 */

const COLUMNS = 3;
const LAST = COLUMNS - 1;
/** The run of two cards begins in the first column; the last one has the card on which it fits. */
const RUN = ['8S', '7S'];
const OTHERS = ['KS', '9S'];
const DEALT = ['2S', '4S', '6S'];

/** @type {Scene} */
const START = { cursor: 0, count: 2, run: 0, isHeld: false, isDealt: false, isMarked: false };

/** Pick the run up, put it down where it fits, or put it back. @param {Scene} scene @returns {Scene} */
function pick(scene) {
  const { isHeld, cursor } = scene;
  if (!isHeld) return cursor === scene.run ? { ...scene, isHeld: true } : scene;
  return { ...scene, isHeld: false, run: cursor === LAST ? LAST : 0 };
}

/** What commands do in the picture; others are only described. @type {Partial<Record<Command, (scene: Scene) => Scene>>} */
const EFFECTS = {
  left: (scene) => ({ ...scene, cursor: (scene.cursor + LAST) % COLUMNS }),
  right: (scene) => ({ ...scene, cursor: (scene.cursor + 1) % COLUMNS }),
  first: (scene) => ({ ...scene, cursor: 0 }),
  last: (scene) => ({ ...scene, cursor: LAST }),
  more: (scene) => ({ ...scene, count: RUN.length }),
  fewer: (scene) => ({ ...scene, count: 1 }),
  pick,
  auto: (scene) => ({ ...scene, run: LAST, cursor: LAST, isHeld: false }),
  deal: (scene) => ({ ...scene, isDealt: true }),
  dealSure: (scene) => ({ ...scene, isDealt: true }),
  mark: (scene) => ({ ...scene, isMarked: !scene.isMarked }),
  hint: (scene) => ({ ...scene, isMarked: true }),
  undo: () => START,
};

/** Make a card of the picture. @param {string} card */
const makeCard = (card) => h('div', { class: 'card', 'data-card': card });

/** Put a card into its place. @param {HTMLElement} card @param {number} x @param {number} y */
function put({ style }, x, y) {
  style.setProperty('--x', String(x));
  style.setProperty('--y', String(y));
}

/** Make the picture. */
function makePicture() {
  const run = RUN.map(makeCard);
  const others = OTHERS.map(makeCard);
  const dealt = DEALT.map(makeCard);
  const element = h(
    'div',
    { class: 'help-scene', 'data-small': true, 'aria-hidden': 'true' },
    ...others,
    ...run,
    ...dealt,
    h('div', { class: 'help-cursor' }),
  );
  /** Draw a scene. @param {Scene} scene */
  function draw({ cursor, count, run: column, isHeld, isDealt, isMarked }) {
    for (const [index, card] of others.entries()) put(card, index + 1, 0);
    for (const [index, card] of run.entries()) {
      const isChosen = index >= RUN.length - count;
      const isInHand = isHeld && isChosen;
      // In the last column the run lies on another card, and cards in hand hang half a card lower.
      const row = index + (column === LAST ? 1 : 0) + (isInHand ? 0.5 : 0);
      put(card, isInHand ? cursor : column, row);
      card.toggleAttribute('data-meant', isMarked || (isChosen && cursor === column));
    }
    // A dealt card lies below the cards of its column.
    const rows = [column === 0 ? RUN.length : 0, 1, column === LAST ? 1 + RUN.length : 1];
    for (const [index, card] of dealt.entries()) {
      put(card, index, rows[index] ?? 0);
      card.toggleAttribute('data-away', !isDealt);
    }
    element.style.setProperty('--cursor', String(cursor));
  }
  return { element, draw };
}

/**
 * Make the place to try the keys.
 * @param {(command: Command) => void} light called with the command of a key
 */
export function makeKeyTrial(light) {
  const picture = makePicture();
  const words = h('p', { class: 'help-said', id: 'help-said', role: 'status' });
  let scene = START;
  const element = h(
    'div',
    {
      class: 'help-trial',
      id: 'help-trial',
      tabindex: 0,
      role: 'application',
      'aria-label': strings.HELP.trial,
      onkeydown(/** @type {KeyboardEvent} */ event) {
        if (event.key === 'Tab' || event.key === 'Escape') return;
        const found = commandOf(event, preference('keys'), preference('letterKeys'));
        if (!found) return;
        event.preventDefault();
        event.stopPropagation();
        scene = EFFECTS[found.command]?.(scene) ?? scene;
        picture.draw(scene);
        write(words, `${keyName(event)}: ${strings.KEYS[found.command]}`);
        light(found.command);
      },
    },
    picture.element,
    h('div', {}, h('p', { class: 'help-invites', text: strings.HELP.trial }), words),
  );
  picture.draw(scene);
  return element;
}
