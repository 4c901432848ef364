// The badges of folded columns: how many cards a run has, and how many are behind the top. With the
// keys of 1987 a mark at the end of a column shows too whether it is folded or unfolded.

import { h, keyed, write } from '../widgets/element.js';
import { badgeBox, markBox } from './geometry.js';

/** @import {Layout} from './geometry.js' */

/** A narrower badge cannot be read. */
const LEAST_WIDTH_PX = 18;
/** In a narrower badge there is room for the number alone. */
const SIGNED_WIDTH_PX = 20;

/**
 * Return the columns that have a mark (`seeds/` 3): their players have unfolded them, or cards at their
 * tops are folded.
 * @param {Layout} layout
 * @param {ReadonlySet<string>} unfolded
 */
const markedColumns = ({ slots, folds }, unfolded) =>
  [...slots.keys()].filter((pile) => unfolded.has(pile) || folds.get(pile)?.[0]?.kind === 'top');

/** Bind the badges. @param {HTMLElement} layer of the cards, among which they lie */
export function bindFoldBadges(layer) {
  const container = h('div');
  const marks = h('div', { class: 'fold-marks' });
  layer.append(container, marks);

  return {
    /** @param {Layout} layout @param {ReadonlySet<string>} unfolded columns that the player unfolded */
    draw(layout, unfolded) {
      const badges = [...layout.folds].flatMap(([pile, folds]) =>
        folds.map((fold) => ({ pile, fold })),
      );
      keyed(
        container,
        badges,
        ({ pile, fold }) => `${pile} ${fold.kind} ${fold.from}`,
        () => h('span', { class: 'fold-badge' }),
        (badge, { pile, fold }) => {
          const { x, y, width, height } = badgeBox(layout, pile, fold);
          // On the smallest cards the badge must not cover the rank.
          const half = Math.max(LEAST_WIDTH_PX, Math.round(layout.cardWidth / 2));
          const drawnWidth = fold.kind === 'run' ? Math.min(width, half) : width;
          badge.dataset.fold = fold.kind;
          badge.dataset.of = pile;
          const left = x + width - drawnWidth;
          badge.style.cssText = `left:${left}px;top:${y}px;width:${drawnWidth}px;height:${height}px`;
          const sign = fold.kind === 'top' ? '▲ ' : drawnWidth < SIGNED_WIDTH_PX ? '' : '×';
          write(badge, sign + fold.count);
        },
      );
      keyed(
        marks,
        markedColumns(layout, unfolded),
        (pile) => pile,
        () => h('span', { class: 'fold-mark' }),
        (element, pile) => {
          const { x, y, width, height } = markBox(layout, pile);
          element.dataset.foldMark = unfolded.has(pile) ? 'unfolded' : 'folded';
          element.dataset.markOf = pile;
          element.style.cssText = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
        },
      );
    },
  };
}
