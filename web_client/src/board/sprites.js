// The cards on the screen, their marks, and the badges over the columns. The style of a card sets where it lies, and an
// animation moves it there from its last place. Animations add up, so a gliding card that gets a new place won't jump.
//
// Cards have no identity: a deck has equal ones, and most lie face down. So the elements are matched with the next
// table by place. A card that stays in its pile keeps its element, and the elements that one pile loses go to another.

import { preference, showsFaceDown } from '../browser/storage.js';
import { SUIT_LENGTH } from '../game/cards.js';
import { isCalm } from '../page/looks.js';
import { h, keyed, set } from '../widgets/element.js';
import { badgeBox, hasTopFold, headBox, markBox } from './geometry.js';

/**
 * @import {PileView, TablePile} from '../contract/notation.js'
 * @import {Hand} from '../game/cards.js'
 * @import {Area, Box, Fold, Layout} from './geometry.js'
 * @typedef {ReturnType<typeof makeSprite>} Sprite
 * @typedef {boolean | 'back' | 'home'} Glide whether and how a card glides to its place: `back` after a drag that
 *   changed nothing, in the same time from any distance; `home` as part of a complete suit
 * @typedef {{from: string, count: number, to: string}} HintMarks marks the last `count` cards of `from`,
 *   and the pile `to`; '' means no pile
 * @typedef {object} Marks
 * @property {Hand | null} hand
 * @property {Hand | null} cursor of the keyboard
 * @property {ReadonlySet<string>} fitting piles that take the cards in hand; if the player has picked a pile as the
 *   target, the piles whose cards fit there
 * @property {ReadonlySet<string>} complete piles that end in a complete suit
 * @property {ReadonlyMap<string, number>} movable how many cards of each pile can move, if marked
 * @property {HintMarks | null} hint
 * @property {string} found the card that the player looks for, or ''
 */

const SHORTEST_MS = 160;
const LONGEST_MS = 230;
const MS_PER_PX = 0.12;
const SHAKE_MS = 240;
const EASE = 'cubic-bezier(.2,.7,.25,1)';
const SUIT_STEP_MS = 38; // the cards of a suit that goes home start at this interval
const SUIT_FLIGHT_MS = 320; // and each of them flies for this time
const DEAL_MS = 520; // all cards of a new game start within this time
const DEAL_FLIGHT_MS = 240; // and each of them flies for this time
const GLIDING_Z_INDEX = 500; // raise gliding cards by this much, above all cards at rest

/** Make the element and the record of a card that has no place yet. */
export const makeSprite = () => ({
  el: h('div', { class: 'card' }),
  face: '', // face down
  pile: '',
  index: -1,
  x: 0, // where it lies, or will lie once it has glided there
  y: 0,
  motion: /** @type {Animation | null} */ (null), // the latest one, until it ends
});

/** Return a pile's faces, bottom to top; '' for a face-down card. @param {PileView} pile @returns {string[]} */
export const faces = (pile) => [...Array(pile.down).fill(''), ...pile.up];

/**
 * Tests for whether a free card may take a place, strictest first: only the same face, only a face-down card, any card.
 * @type {((old: string, face: string) => boolean)[]}
 */
const FITS = [(old, face) => face !== '' && old === face, (old) => old === '', () => true];

/**
 * Return whether a card can stay at its place in the next table: the two faces are the same, or one of them is hidden.
 * @param {string} face @param {string} [next] the face at this place in the next table; undefined if the place is gone
 */
const mayBeSame = (face, next) =>
  next !== undefined && (face === next || face === '' || next === '');

/**
 * Assign the cards on the screen to the places of the next table. The caller updates their faces and removes spares.
 * @template {{face: string}} S @param {ReadonlyMap<string, readonly S[]>} sprites by pile, bottom to top
 * @param {readonly PileView[]} piles of the next table
 * @param {() => S} make makes a card for a place that no old card can take
 * @returns {{sprites: Map<string, S[]>, spare: S[]}}
 */
export function assignSprites(sprites, piles, make) {
  const next = /** @type {Map<string, S[]>} */ (new Map());
  /** The places that need a card. @type {{row: S[], index: number, face: string}[]} */
  const wanted = [];
  const isGone = (/** @type {string} */ id) => piles.every((pile) => pile.id !== id);
  const free = [...sprites].flatMap(([id, row]) => (isGone(id) ? row : []));
  // First keep the cards that stay in their piles.
  for (const pile of piles) {
    const nextFaces = faces(pile);
    const old = sprites.get(pile.id) ?? [];
    const firstLost = old.findIndex(({ face }, i) => !mayBeSame(face, nextFaces[i]));
    const row = firstLost < 0 ? [...old] : old.slice(0, firstLost);
    next.set(pile.id, row);
    free.push(...old.slice(row.length)); // the first lost card and all above it: cards leave from the end
    for (const [index, face] of nextFaces.entries())
      if (index >= row.length) wanted.push({ row, index, face });
  }

  // Then fill the other places with free cards, the best fits first.
  for (const fits of FITS)
    for (const { row, index, face } of wanted) {
      if (row[index]) continue;
      const at = free.findLastIndex((each) => fits(each.face, face));
      const sprite = free[at];
      if (!sprite) continue;
      free.splice(at, 1);
      row[index] = sprite;
    }
  for (const { row, index } of wanted) row[index] ??= make();
  return { sprites: next, spare: free };
}

/** Set an element's place and size in px, where they have changed. @param {HTMLElement} element @param {Box} box */
export function setBox({ style }, { x, y, width, height }) {
  for (const [name, px] of Object.entries({ left: x, top: y, width, height }))
    if (style.getPropertyValue(name) !== `${px}px`) style.setProperty(name, `${px}px`);
}

/** Lay a card at a place, without gliding. @param {Sprite} sprite @param {number} x @param {number} y */
export function lay(sprite, x, y) {
  sprite.x = x;
  sprite.y = y;
  sprite.el.style.left = `${x}px`;
  sprite.el.style.top = `${y}px`;
}

/**
 * Move a card to a place; `glide` says whether and how it glides there.
 * @param {Sprite} sprite @param {number} x @param {number} y @param {Glide} glide
 * @param {number} [cardsAhead] how many cards of its suit go home before it
 */
export function place(sprite, x, y, glide, cardsAhead = 0) {
  if (sprite.x === x && sprite.y === y) return;
  const from = { dx: sprite.x - x, dy: sprite.y - y };
  lay(sprite, x, y);
  if (!glide || isCalm()) return;
  const distance = glide === 'back' ? 0 : Math.hypot(from.dx, from.dy); // always the shortest time
  const duration = Math.min(LONGEST_MS, SHORTEST_MS + distance * MS_PER_PX);
  if (glide !== 'home') fly(sprite, from, { duration, delay: 0 });
  else fly(sprite, from, { duration: SUIT_FLIGHT_MS, delay: cardsAhead * SUIT_STEP_MS });
}

/** Lower a card to the level of the others once it has arrived. @param {Sprite} sprite */
function settle(sprite) {
  sprite.motion = null;
  sprite.el.style.zIndex = String(sprite.index);
}

/** End a card's motion. @param {Sprite} sprite */
export function stop(sprite) {
  if (!sprite.motion) return;
  for (const each of sprite.el.getAnimations()) each.cancel();
  settle(sprite);
}

/**
 * Animate a card gliding to its place.
 * @param {Sprite} sprite @param {{dx: number, dy: number}} from where it starts, relative to its place
 * @param {{duration: number, delay: number, isUnseen?: boolean}} flight `isUnseen`: hidden until it starts
 */
function fly(sprite, { dx, dy }, { duration, delay, isUnseen = false }) {
  sprite.el.style.zIndex = String(GLIDING_Z_INDEX + sprite.index);
  const transform = `translate(${dx}px,${dy}px)`;
  const end = { transform: 'none' };
  const seen = [{ transform }, end];
  // The card appears as soon as it moves.
  const unseen = [{ transform, opacity: 0 }, { opacity: 1, offset: 0.01 }, end];
  const motion = sprite.el.animate(isUnseen ? unseen : seen, {
    duration,
    delay,
    easing: EASE,
    fill: 'backwards',
    // Motions are added to earlier ones. An opacity of 0, added to the card's own 1, would not hide it.
    composite: isUnseen ? 'replace' : 'add',
  });
  sprite.motion = motion;
  motion.onfinish = () => {
    if (sprite.motion === motion) settle(sprite); // unless a later motion has started
  };
}

/**
 * Animate cards flying from the stock to their places, one after another. Players can take them before they arrive.
 * Face-up cards stay hidden until they start.
 * @param {readonly Sprite[]} sprites in the order of dealing @param {{x: number, y: number}} stock
 */
export function dealOut(sprites, stock) {
  if (isCalm()) return;
  for (const [i, sprite] of sprites.entries()) {
    const from = { dx: stock.x - sprite.x, dy: stock.y - sprite.y };
    const delay = (i * DEAL_MS) / sprites.length;
    fly(sprite, from, { duration: DEAL_FLIGHT_MS, delay, isUnseen: sprite.face !== '' });
  }
}

/** Animate a card as it turns face up. @param {Sprite} sprite */
export function turnUp(sprite) {
  if (isCalm() || sprite.motion) return; // the turn would replace the motion
  const frames = [{ transform: 'scaleX(.05)' }, { transform: 'none' }];
  sprite.el.animate(frames, { duration: SHORTEST_MS, easing: 'ease-out' });
}

/** Shake a card from side to side. @param {Sprite} sprite */
export function shake({ el }) {
  if (isCalm()) return;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  el.animate(frames, { duration: SHAKE_MS });
}

/** Set the marks of all piles and cards. @param {ReadonlyMap<string, HTMLElement>} buttons by pile @param {ReadonlyMap<string, Sprite[]>} sprites by pile @param {Marks} marks */
export function drawMarks(buttons, sprites, marks) {
  const { hand, cursor, fitting, complete, movable, hint, found } = marks;
  for (const [id, button] of buttons) {
    const isHand = hand?.pile === id;
    set(button, { 'aria-pressed': String(isHand) });
    setMarks(button, {
      open: fitting.has(id),
      complete: complete.has(id),
      chosen: isHand && hand.count === 0, // picked as the target, before any cards
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
        complete: complete.has(id) && fromEnd <= SUIT_LENGTH,
        movable: fromEnd <= (movable.get(id) ?? 0),
        hinted: isHinted || (hint?.to === id && fromEnd === 1),
        found: found !== '' && found === face,
      });
    }
  }
}

/** Set `data-marks`, read by styles and tests. @param {HTMLElement} element @param {{[mark: string]: boolean}} all */
function setMarks(element, all) {
  const marks = Object.keys(all).filter((mark) => all[mark]);
  set(element, { 'data-marks': marks.length > 0 && marks.join(' ') }); // false: no attribute
}

const SIGNED_WIDTH_PX = 20; // a badge narrower than this has room for the number alone
const LEAST_WIDTH_PX = 18; // no badge is narrower, since nobody could read it

/** Return the text and the box of a fold's badge: `×5` for a run of 5, `▲ 3` for 3 hidden at the top. @param {Layout} layout @param {Area} area @param {Fold} fold */
function foldBadge(layout, area, fold) {
  const box = badgeBox(layout, area, fold);
  // The badge must not cover the rank, even on the smallest cards.
  const half = Math.max(LEAST_WIDTH_PX, Math.round(layout.cardWidth / 2));
  const width = fold.kind === 'run' ? Math.min(box.width, half) : box.width;
  let sign = '▲ ';
  if (fold.kind === 'run') sign = width < SIGNED_WIDTH_PX ? '' : '×';
  return { text: sign + fold.count, box: { ...box, x: box.x + box.width - width, width } };
}

/**
 * Return the number above a pile, or 0 for none. It counts the face-down cards of a column, as the boxes above the
 * cards do in the DOS program of 1987, and all cards of a pile that is not spread. The pile's label says the same.
 * @param {TablePile} pile
 */
export function countOver({ role, fan, down, up }) {
  if (role !== 'tableau') return 0;
  if (fan === 'down') return showsFaceDown() ? down : 0;
  return down + up.length;
}

/**
 * Draw the badges: one on each fold, and the number over a pile. With the keys of 1987 also draw a mark at the end of
 * each column that is unfolded or has a folded top, as in the DOS program of that year.
 * @param {HTMLElement} container @param {Layout} layout @param {readonly TablePile[]} piles
 * @param {ReadonlySet<string>} unfolded columns that the player unfolded
 */
export function drawBadges(container, layout, piles, unfolded) {
  /** @type {{key: string, text: string, box: Box, data: {[name: string]: string}}[]} */
  const badges = [];
  for (const pile of piles) {
    const { id } = pile;
    const area = layout.areas.get(id);
    if (!area) continue;
    for (const fold of area.folds) {
      const key = `${id} ${fold.kind} ${fold.from}`;
      const data = { 'data-fold': fold.kind, 'data-of': id };
      badges.push({ key, data, ...foldBadge(layout, area, fold) });
    }
    if (preference('keys') === 'classic' && (unfolded.has(id) || hasTopFold(area))) {
      const mark = unfolded.has(id) ? 'unfolded' : 'folded';
      const data = { 'data-fold-mark': mark, 'data-mark-of': id };
      badges.push({ key: `${id} mark`, text: '', box: markBox(layout, area), data });
    }
    const count = countOver(pile);
    const data = { 'data-count-of': id };
    const box = headBox(layout, area);
    if (count > 0) badges.push({ key: `${id} count`, text: String(count), box, data });
  }
  keyed(
    container,
    badges,
    ({ key }) => key,
    () => h('span', { class: 'board-badge' }),
    (badge, { text, box, data }) => {
      set(badge, { text, ...data });
      setBox(badge, box);
    },
  );
}
