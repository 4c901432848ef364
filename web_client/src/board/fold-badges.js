// The badges of folded columns: how many cards a run has, how many lie behind the top.

import { badgeBox } from '../core/geometry.js';
import { keyed, write } from '../shared/element.js';

/**
 * @import {Layout} from '../core/geometry.js'
 */

/** Narrower than this nobody can read it. */
const LEAST = 18;

/** @param {HTMLElement} layer the cards'; badges lie among them */
export function bindBadges(layer) {
  const place = document.createElement('div');
  place.className = 'folds';
  layer.append(place);

  return {
    /** @param {Layout} layout */
    draw(layout) {
      const all = [...layout.folds].flatMap(([pile, folds]) =>
        folds.map((fold) => ({ pile, fold })),
      );
      keyed(
        place,
        all,
        ({ pile, fold }) => `${pile} ${fold.kind} ${fold.from}`,
        () => document.createElement('span'),
        (badge, { pile, fold }) => {
          const { x, y, width, height } = badgeBox(layout, pile, fold);
          // On the smallest cards it is hit where it does not cover the rank.
          const half = Math.max(LEAST, Math.round(layout.cardWidth / 2));
          const seen = fold.kind === 'run' ? Math.min(width, half) : width;
          badge.className = `fold ${fold.kind}`;
          badge.dataset.of = pile;
          const left = x + width - seen;
          badge.style.cssText = `left:${left}px;top:${y}px;width:${seen}px;height:${height}px`;
          write(badge, fold.kind === 'run' ? `×${fold.count}` : `▲ ${fold.count}`);
        },
      );
    },
  };
}
