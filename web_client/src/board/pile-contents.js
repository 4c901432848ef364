// What a pile holds, as a list: of a column that is covered or folded, of the suits at home.

import { runs, sign, suit } from '../core/cards.js';
import { strings } from '../core/language.js';
import { h } from '../shared/element.js';

/** @import {TableView, TablePile} from '../core/messages.d.ts' */

/** A run in a line, in the colours of its suit. @param {readonly string[]} cards */
function line(cards) {
  const row = h('li', { text: cards.map(sign).join(' ') });
  row.dataset.suit = suit(cards[0] ?? '');
  return row;
}

/** @param {TablePile} pile */
function lines(pile) {
  const found = runs(pile.up).map(({ start, length }) =>
    line(pile.up.slice(start, start + length)),
  );
  const down = pile.down > 0 ? [h('li', { text: strings.faceDown(pile.down) })] : [];
  return [...down, ...found];
}

/** @param {HTMLElement} felt @param {HTMLElement} boardRoot */
export function bindPeek(felt, boardRoot) {
  const list = h('ul', {});
  const title = h('strong', {});
  const element = h('div', { class: 'peek', id: 'peek', hidden: true }, title, list);
  felt.append(element);

  return {
    /** @param {TableView} table @param {string} id @returns {string} the same in words */
    show(table, id) {
      const pile = table.piles.find((each) => each.id === id);
      if (!pile) return '';
      // Suits at home are all shown together: there is no order among them.
      const home = pile.role === 'foundation' && pile.direction === null;
      const all = home ? table.piles.filter(({ role }) => role === 'foundation') : [pile];
      const found = all.flatMap(lines);
      title.textContent = home ? strings.PLAY.suitsHome : strings.pileTitle(id);
      list.replaceChildren(...(found.length > 0 ? found : [h('li', { text: strings.PLAY.none })]));
      element.hidden = false;
      const slot = boardRoot.querySelector(`[data-pile="${id}"]`);
      if (slot instanceof HTMLElement) {
        const middle = slot.offsetLeft + slot.offsetWidth / 2;
        const most = felt.clientWidth - element.offsetWidth - 4;
        element.style.left = `${Math.max(4, Math.min(most, middle - element.offsetWidth / 2))}px`;
        element.style.top = `${Math.max(4, Math.min(slot.offsetTop + 8, felt.clientHeight - element.offsetHeight - 4))}px`;
      }
      return home ? strings.homeLabel(found.length) : strings.pileLabel(pile);
    },
    hide() {
      element.hidden = true;
    },
  };
}
