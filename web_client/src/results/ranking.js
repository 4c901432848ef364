// Who was how good: the podium, and a line for everybody.

import { strings } from '../core/language.js';
import { h, keyed, write } from '../shared/element.js';

/**
 * @import {Standing} from '../core/messages.d.ts'
 */

const STEPS = 3;

/** The heading of a ranking. @param {readonly Standing[]} ranking @param {number} me this player's seat, or -1 */
export function heading(ranking, me) {
  const first = ranking.filter((standing) => standing.place === 1).map(({ name }) => name);
  const own = ranking.find((standing) => standing.seat === me);
  return strings.verdict(first, {
    alone: ranking.length === 1,
    home: ranking[0]?.won ?? false,
    won: own?.place === 1,
  });
}

export function bindRanking() {
  const words = strings.RESULTS;
  const podium = h('ol', { class: 'podium', 'aria-hidden': 'true' });
  const rows = h('tbody');
  const heads = words.columns.map((text) => h('th', { scope: 'col', text }));
  const table = h('table', { class: 'ranking' }, h('thead', {}, h('tr', {}, ...heads)), rows);
  const note = h('p', { class: 'small cheat-note', hidden: true, text: strings.CHEAT });
  const element = h(
    'section',
    { class: 'panel', 'aria-label': words.ranking },
    podium,
    table,
    note,
  );

  /** @param {Standing} standing */
  function makeRow(standing) {
    const row = h('tr', {}, ...words.columns.map(() => h('td')));
    row.dataset.seat = String(standing.seat);
    return row;
  }

  return {
    element,
    /** @param {readonly Standing[]} ranking @param {number} me this player's seat, or -1 */
    update(ranking, me) {
      podium.hidden = ranking.length === 1;
      note.hidden = ranking.every(({ cheats }) => cheats === 0);
      keyed(
        podium,
        ranking.filter((standing) => standing.place !== null).slice(0, STEPS),
        (standing) => String(standing.seat),
        () => h('li', {}, h('span', { class: 'who' }), h('span', { class: 'step' })),
        (item, standing) => {
          const [who, step] = item.children;
          item.dataset.place = String(standing.place);
          if (who) write(who, standing.name);
          if (step) write(step, strings.ordinal(standing.place ?? 0));
        },
      );
      keyed(
        rows,
        ranking,
        (standing) => String(standing.seat),
        makeRow,
        (row, standing) => {
          const own = standing.seat === me;
          row.classList.toggle('own', own);
          const cells = [
            standing.place === null ? '–' : String(standing.place),
            own ? strings.you(standing.name) : standing.name,
            strings.resultLine(standing),
            String(standing.score),
            String(standing.moves),
            String(standing.suits),
          ];
          cells.forEach((text, i) => {
            const cell = row.children[i];
            if (cell) write(cell, text);
          });
        },
      );
    },
  };
}
