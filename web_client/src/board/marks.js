// What the board shows besides its cards: the marks of cards and piles, badges over columns, and the
// search for a card, which is marked wherever it lies face up.

import { preference, showsFaceDown } from '../browser/storage.js';
import { MAX_MOVE_COUNT, RANKS, SUITS } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { h, keyed, set } from '../widgets/element.js';
import { badgeBox, hasTopFold, headBox, markBox } from './geometry.js';
import { setBox } from './motion.js';

/**
 * @import {TablePile, TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/hand.js'
 * @import {Box, Layout} from './geometry.js'
 * @import {Sprite} from './motion.js'
 * @typedef {{from: string, count: number, to: string}} HintMarks the last `count` cards of the pile `from`,
 *   and the pile `to`; '' is no pile
 * @typedef {object} Marks
 * @property {Hand | null} hand
 * @property {Hand | null} cursor of the keyboard
 * @property {ReadonlySet<string>} fitting piles on which the cards in hand fit; if there are none,
 *   those whose cards fit on the picked pile
 * @property {ReadonlySet<string>} complete piles that end in a complete suit
 * @property {ReadonlyMap<string, number>} movable how many cards of each pile can move, if marked
 * @property {HintMarks | null} hint
 * @property {string} found a card that is marked wherever it lies face up, or ''
 * @typedef {object} Badge
 * @property {string} key
 * @property {string} text
 * @property {Box} box
 * @property {{[name: string]: string}} data
 */

/** Set the marks of all piles and cards. @param {ReadonlyMap<string, HTMLElement>} buttons by pile @param {ReadonlyMap<string, Sprite[]>} sprites by pile @param {Marks} marks */
export function drawMarks(buttons, sprites, marks) {
  const { hand, cursor, fitting, complete, movable, hint, found } = marks;
  for (const [id, button] of buttons) {
    const isHand = hand?.pile === id;
    set(button, { 'aria-pressed': String(isHand) });
    setMarks(button, {
      open: fitting.has(id),
      complete: complete.has(id),
      chosen: isHand && hand.count === 0,
      cursor: cursor?.pile === id,
      hinted: hint?.to === id,
    });
    const row = sprites.get(id) ?? [];
    for (const [index, { el, face }] of row.entries()) {
      const fromEnd = row.length - index; // 1 for the last card
      const isHinted = hint?.from === id && fromEnd <= hint.count;
      setMarks(el, {
        held: isHand && fromEnd <= hand.count,
        cursor: cursor?.pile === id && fromEnd <= cursor.count,
        target: fitting.has(id) && fromEnd === 1,
        complete: complete.has(id) && fromEnd <= MAX_MOVE_COUNT,
        movable: fromEnd <= (movable.get(id) ?? 0),
        hinted: isHinted || (hint?.to === id && fromEnd === 1),
        found: found !== '' && found === face,
      });
    }
  }
}

/** Set `data-marks`, which style sheets and tests read. @param {HTMLElement} element @param {{[mark: string]: boolean}} all */
function setMarks(element, all) {
  const marks = Object.keys(all).filter((mark) => all[mark]);
  set(element, { 'data-marks': marks.length > 0 && marks.join(' ') });
}

/** In a narrower badge there is room for the number alone. */
const SIGNED_WIDTH_PX = 20;
/** A narrower badge cannot be read. */
const LEAST_WIDTH_PX = 18;

/** Return the badges of the folds of a board: how many cards a run has, and how many are behind a top. @param {Layout} layout @returns {Badge[]} */
const foldBadges = (layout) =>
  [...layout.areas].flatMap(([pile, area]) =>
    area.folds.map((fold) => {
      const box = badgeBox(layout, area, fold);
      // On the smallest cards the badge must not cover the rank.
      const half = Math.max(LEAST_WIDTH_PX, Math.round(layout.cardWidth / 2));
      const width = fold.kind === 'run' ? Math.min(box.width, half) : box.width;
      const sign = fold.kind === 'top' ? '▲ ' : width < SIGNED_WIDTH_PX ? '' : '×';
      return {
        key: `${pile} ${fold.kind} ${fold.from}`,
        text: sign + fold.count,
        box: { ...box, x: box.x + box.width - width, width },
        data: { 'data-fold': fold.kind, 'data-of': pile },
      };
    }),
  );

/**
 * Return the marks of the keys of 1987 (`seeds/` 3): of columns that their players have unfolded, and
 * of those with folded tops.
 * @param {Layout} layout
 * @param {ReadonlySet<string>} unfolded
 * @returns {Badge[]}
 */
function classicMarks(layout, unfolded) {
  if (preference('keys') !== 'classic') return [];
  const marked = [...layout.areas].filter(([id, area]) => unfolded.has(id) || hasTopFold(area));
  return marked.map(([pile, area]) => ({
    key: `${pile} mark`,
    text: '',
    box: markBox(layout, area),
    data: { 'data-fold-mark': unfolded.has(pile) ? 'unfolded' : 'folded', 'data-mark-of': pile },
  }));
}

/**
 * Return the number over a pile; 0 if there is none. Over a column it counts the face-down cards
 * (`seeds/` 3, "The small rectangular boxes above the cards"), over a pile that is not spread all. The
 * label of the pile says the same.
 * @param {TablePile} pile
 */
export function countOver({ role, fan, down, up }) {
  if (role !== 'tableau') return 0;
  if (fan === 'down') return showsFaceDown() ? down : 0;
  return down + up.length;
}

/** Return the numbers over the piles. @param {Layout} layout @param {readonly TablePile[]} piles @returns {Badge[]} */
const counts = (layout, piles) =>
  piles.flatMap((pile) => {
    const [area, count] = [layout.areas.get(pile.id), countOver(pile)];
    if (!area || count === 0) return [];
    const data = { 'data-count-of': pile.id };
    return { key: `${pile.id} count`, text: String(count), box: headBox(layout, area), data };
  });

/**
 * Draw what lies over the columns.
 * @param {HTMLElement} container
 * @param {Layout} layout
 * @param {readonly TablePile[]} piles
 * @param {ReadonlySet<string>} unfolded columns that the player unfolded
 */
export function drawBadges(container, layout, piles, unfolded) {
  keyed(
    container,
    [...foldBadges(layout), ...classicMarks(layout, unfolded), ...counts(layout, piles)],
    ({ key }) => key,
    () => h('span', { class: 'board-badge' }),
    (badge, { text, box, data }) => {
      set(badge, { text, ...data });
      setBox(badge, box);
    },
  );
}

/**
 * Return where a card lies face up.
 * @param {TableView} table
 * @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above` is the number of cards on it, `home`
 *   whether it is on a foundation
 */
export const placesOf = (table, card) =>
  table.piles.flatMap(({ id, role, up }) =>
    up.flatMap((each, i) =>
      each === card ? [{ pile: id, above: up.length - i - 1, home: role === 'foundation' }] : [],
    ),
  );

/** Make the reader of the two keys that name a card: its rank, then its suit. @param {{announce: (text: string) => void, found: (card: string) => void}} effects */
export function makeLocator(effects) {
  /** Null while no card is asked for, '' before the rank. @type {string | null} */
  let named = null;
  return {
    /** Ask for a card. */
    ask() {
      named = '';
      effects.announce(strings.PLAY.whichRank);
    },
    /** Read a key. @param {string} key @returns {boolean} whether a card is being named */
    receive(key) {
      if (named === null || key === 'Shift') return false;
      // The ten is typed as T, 1 or 0: a name has one key for the rank.
      const sign = key === '0' || key === '1' ? 'T' : key.toUpperCase();
      if (named === '' && sign.length === 1 && RANKS.includes(sign)) {
        named = sign;
        effects.announce(strings.PLAY.whichSuit);
      } else if (named && sign.length === 1 && SUITS.includes(sign)) {
        effects.found(named + sign);
        named = null;
      } else {
        named = null;
        effects.announce(strings.PLAY.notDone);
      }
      return true;
    },
  };
}
