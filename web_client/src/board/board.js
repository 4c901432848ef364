// The table on the screen: one button a pile, one element a card, no rules.

import { cardAt, layOut } from '../core/geometry.js';
import { holdsSame } from '../core/hand.js';
import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { bindFaceDown } from './face-down.js';
import { bindBadges } from './fold-badges.js';
import { makeSprite, place, shake, turnUp } from './motion.js';
import { faces, rematch } from './sprites.js';

/**
 * @import {TableView, TablePile} from '../core/messages.d.ts'
 * @import {Sprite} from './motion.js'
 * @typedef {object} Marks
 * @property {import('../core/hand.js').Hand | null} hand
 * @property {import('../core/hand.js').Hand | null} cursor shown for those who play by keyboard
 * @property {ReadonlySet<string>} open piles where the hand may go or come from
 * @property {ReadonlySet<string>} complete piles that end in a complete suit
 * @property {ReadonlyMap<string, number>} movable how many cards of each pile can move, if marked
 * @property {import('./hints.js').Pointed | null} hint
 * @property {string} found a card that is pointed out wherever it lies face up, or ''
 * @typedef {ReturnType<typeof bindBoard>} Board
 */

/** @type {Marks} */
const NO_MARKS = {
  hand: null,
  cursor: null,
  open: new Set(),
  complete: new Set(),
  movable: new Map(),
  hint: null,
  found: '',
};

/** @param {HTMLElement} root @param {boolean} [still] to look at only */
export function bindBoard(root, still = false) {
  const slots = h('div', { class: 'slots' });
  const layer = h('div', { class: 'cards', 'aria-hidden': 'true' });
  const lift = h('div', { class: 'lift', 'aria-hidden': 'true' });
  root.replaceChildren(slots, layer, lift);
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  /** @type {Map<string, Sprite[]>} */
  let held = new Map();
  /** @type {TableView | null} */
  let table = null;
  /** @type {Marks} */
  let marks = NO_MARKS;
  /** Columns whose runs were unfolded; what happens to a column folds it again. @type {Set<string>} */
  const unfolded = new Set();
  const badges = bindBadges(layer);
  const faceDown = bindFaceDown(layer);
  /** @type {Sprite[]} */
  let lifted = [];
  let carried = { dx: 0, dy: 0 };
  let size = { width: root.clientWidth, height: root.clientHeight };
  let layout = layOut([], size.width, size.height);

  const watcher = new ResizeObserver(() => {
    size = { width: root.clientWidth, height: root.clientHeight };
    if (table) draw(table, false, true);
  });
  watcher.observe(root);

  /**
   * Of a table of the same piles only those are touched that hold other cards than before.
   *
   * @param {TableView} next
   * @param {boolean | 'back'} glide
   * @param {boolean} [all] for another reason than what the piles hold
   */
  function draw(next, glide, all = false) {
    const before = table && layout;
    const old = new Map(table?.piles.map((pile) => [pile.id, pile]));
    const other = next.piles.filter((pile) => !holdsSame(old.get(pile.id), pile));
    for (const pile of other) unfolded.delete(pile.id);
    const same = before && table?.game === next.game && old.size === next.piles.length;
    table = next;
    layout = layOut(next.piles, size.width, size.height, unfolded);
    if (before?.cardWidth !== layout.cardWidth) {
      root.style.setProperty('--card-width', `${layout.cardWidth}px`);
      root.style.setProperty('--card-height', `${layout.cardHeight}px`);
    }
    root.classList.toggle('small', layout.small);
    const touched = all || !same ? next.piles : other;
    drawSlots(next, touched);
    const match = rematch(held, next.piles, makeSprite);
    for (const sprite of match.spare) sprite.el.remove();
    held = match.held;
    if (lifted.some((sprite) => held.get(sprite.pile)?.[sprite.index] !== sprite)) release();
    for (const pile of touched) drawCards(pile, glide);
    badges.draw(layout);
    faceDown.draw(next.piles, layout);
    if (marks !== NO_MARKS) mark(marks);
  }

  /** @param {TableView} next @param {readonly TablePile[]} touched */
  function drawSlots(next, touched) {
    for (const pile of touched) {
      let button = buttons.get(pile.id);
      if (!button) {
        button = h('button', {
          type: 'button',
          class: `slot ${pile.role}`,
          tabindex: '-1',
          'aria-pressed': 'false',
        });
        button.dataset.pile = pile.id;
        buttons.set(pile.id, button);
        slots.append(button);
      }
      const box = layout.slots.get(pile.id);
      if (box) {
        button.style.left = `${box.x}px`;
        button.style.top = `${box.y}px`;
        button.style.height = `${box.height}px`;
        const last = layout.offsets.get(pile.id)?.at(-1);
        button.style.width = `${box.width + (last?.dx ?? 0)}px`;
      }
      button.dataset.direction = pile.direction ?? '';
      const label = strings.pileLabel(pile);
      if (button.getAttribute('aria-label') !== label) button.setAttribute('aria-label', label);
    }
    if (touched !== next.piles) return;
    for (const [id, button] of buttons) {
      if (next.piles.some((pile) => pile.id === id)) continue;
      button.remove();
      buttons.delete(id);
    }
  }

  /** @param {TablePile} pile @param {boolean | 'back'} glide */
  function drawCards(pile, glide) {
    const box = layout.slots.get(pile.id);
    const offsets = layout.offsets.get(pile.id) ?? [];
    faces(pile).forEach((face, index) => {
      const sprite = held.get(pile.id)?.[index];
      const offset = offsets[index];
      if (!sprite || !box || !offset) return;
      const fresh = sprite.face === '-';
      const fromStock = table?.piles.some(
        (each) => each.id === sprite.pile && each.role === 'stock',
      );
      const turned = sprite.face === '' && face !== '';
      sprite.pile = pile.id;
      if (sprite.index !== index) {
        sprite.index = index;
        sprite.el.style.zIndex = String(index);
        sprite.el.dataset.index = String(index);
      }
      sprite.el.dataset.in = pile.id;
      if (sprite.face !== face) {
        sprite.face = face;
        sprite.el.classList.toggle('back', face === '');
        if (face) sprite.el.dataset.card = face;
        else delete sprite.el.dataset.card;
      }
      // What a still board hides under the next card of its pile need not be drawn either.
      const above = offsets[index + 1];
      if (still) sprite.el.hidden = !glide && above?.dx === offset.dx && above.dy === offset.dy;
      if (fresh) layer.append(sprite.el);
      if (lifted.includes(sprite)) return;
      place(sprite, box.x + offset.dx, box.y + offset.dy, fresh ? false : glide);
      if (turned && glide && !fromStock) turnUp(sprite);
    });
  }

  /** Shows what is picked up and where it may go. @param {Marks} next */
  function mark(next) {
    marks = next;
    for (const [id, button] of buttons) {
      button.classList.toggle('open', next.open.has(id));
      button.classList.toggle('complete', next.complete.has(id));
      button.setAttribute('aria-pressed', String(next.hand?.pile === id));
      button.classList.toggle('chosen', next.hand?.pile === id && next.hand.count === 0);
      button.classList.toggle('cursor', next.cursor?.pile === id);
      button.classList.toggle('hinted', next.hint?.to === id);
      const row = held.get(id) ?? [];
      for (const sprite of row) {
        const fromEnd = row.length - sprite.index;
        const all = [
          next.hand?.pile === id && fromEnd <= next.hand.count && 'held',
          next.cursor?.pile === id && fromEnd <= next.cursor.count && 'under',
          next.open.has(id) && fromEnd === 1 && 'target',
          next.complete.has(id) && fromEnd <= 13 && 'glow',
          fromEnd <= (next.movable.get(id) ?? 0) && 'movable',
          next.hint?.from === id && fromEnd <= next.hint.count && 'hinted',
          next.hint?.to === id && fromEnd === 1 && 'hinted',
          next.found !== '' && next.found === sprite.face && 'found',
        ];
        const now = all.filter(Boolean).join(' ');
        if (now === sprite.marks) continue;
        sprite.marks = now;
        sprite.el.className = `card ${sprite.face ? '' : 'back '}${now}`;
      }
    }
  }

  /** Puts the cards in hand back where they are seen; the next drawing takes them to rest. */
  function release() {
    for (const sprite of lifted) {
      layer.append(sprite.el);
      sprite.x += carried.dx;
      sprite.y += carried.dy;
      sprite.el.style.left = `${sprite.x}px`;
      sprite.el.style.top = `${sprite.y}px`;
    }
    lifted = [];
    carried = { dx: 0, dy: 0 };
    lift.classList.remove('flying');
    lift.style.transform = '';
  }

  return {
    root,
    buttons,
    draw,
    mark,
    layout: () => layout,
    /** The pile and the card under a pointer. @param {MouseEvent} event */
    hit(event) {
      const { left, top } = root.getBoundingClientRect();
      return cardAt(layout, event.clientX - left, event.clientY - top);
    },
    /** Takes a card and all on it off the board. @param {string} pile @param {number} index */
    lift(pile, index) {
      lifted = held.get(pile)?.slice(index) ?? [];
      for (const sprite of lifted) {
        sprite.motion?.cancel();
        sprite.motion = null;
        lift.append(sprite.el);
      }
      lift.classList.add('flying');
    },
    /** @param {number} dx @param {number} dy */
    carry(dx, dy) {
      carried = { dx, dy };
      lift.style.transform = `translate3d(${dx}px,${dy}px,0)`;
    },
    /** Where the first card in hand is, without asking the browser. */
    carriedBox() {
      const first = lifted[0];
      if (!first) return null;
      const { cardWidth: width, cardHeight: height } = layout;
      return { x: first.x + carried.dx, y: first.y + carried.dy, width, height };
    },
    carrying: () => lifted.length > 0,
    /** Lets go, and glides all to where the table says. */
    drop() {
      release();
      if (table) draw(table, 'back', true);
    },
    /**
     * Unfolds a column, or folds it again.
     *
     * @param {string} pile
     * @returns {'unfolded' | 'folded' | 'short'} `short` if there is nothing to fold
     */
    unfold(pile) {
      const was = unfolded.delete(pile);
      if (!was) {
        if (!layout.folds.get(pile)?.some(({ kind }) => kind === 'run')) return 'short';
        unfolded.add(pile);
      }
      if (table) draw(table, true, true);
      return was ? 'folded' : 'unfolded';
    },
    /** Unfolds a column if the card under so many is folded away. @param {string} pile @param {number} above */
    uncover(pile, above) {
      const spots = layout.offsets.get(pile) ?? [];
      if (spots.at(-above - 1)?.hidden && !unfolded.has(pile)) this.unfold(pile);
    },
    /** Whether the top of a column is behind a badge. @param {string} pile */
    isCut: (pile) => layout.folds.get(pile)?.[0]?.kind === 'top',
    /** Whether the last cards of a column are a run that is folded. @param {string} pile */
    isFolded(pile) {
      const cards = layout.offsets.get(pile)?.length ?? 0;
      const last = layout.folds.get(pile)?.at(-1);
      return last?.kind === 'run' && last.from + last.count === cards;
    },
    /** @param {string} pile @param {number} count */
    shake(pile, count) {
      for (const sprite of held.get(pile)?.slice(-Math.max(1, count)) ?? []) shake(sprite);
    },
    /** Points at a pile for a moment. @param {string} pile */
    point(pile) {
      const button = buttons.get(pile);
      button?.classList.remove('pointed');
      void button?.offsetWidth;
      button?.classList.add('pointed');
    },
    unbind() {
      watcher.disconnect();
      faceDown.unbind();
      root.replaceChildren();
    },
  };
}
