// The ranking: the podium, and a row for each player.

import { strings } from '../core/language.js';
import { h, keyed, write } from '../shared/element.js';

/** @import {Standing} from '../core/messages.d.ts' */

const PODIUM_STEPS = 3;

/**
 * Return the heading of a finished round. The server says who has won: nobody wins by giving up.
 *
 * @param {{ranking: readonly Standing[], winners?: readonly number[]}} round without winners from a
 *   server of the release before
 * @param {number} me this player's seat, or -1
 */
export function heading({ ranking, winners = [] }, me) {
  const names = ranking.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  return strings.verdict(names, {
    alone: ranking.length === 1,
    home: ranking[0]?.won ?? false,
    won: winners.includes(me),
  });
}

/** Bind an empty ranking. */
export function bindRanking() {
  const words = strings.RESULTS;
  const podium = h('ol', { class: 'podium', id: 'podium', 'aria-hidden': 'true' });
  const rows = h('tbody');
  const headings = words.columns.map((text) => h('th', { scope: 'col', text }));
  const head = h('thead', {}, h('tr', {}, ...headings));
  const table = h('table', { class: 'ranking', id: 'ranking' }, head, rows);
  const note = h('p', {
    class: 'small-text cheat-note',
    'data-part': 'cheat-note',
    hidden: true,
  });
  const element = h(
    'section',
    { class: 'panel', 'aria-label': words.ranking },
    podium,
    table,
    note,
  );

  /** Make the row of a player. @param {Standing} standing */
  function makeRow(standing) {
    const row = h('tr', {}, ...words.columns.map(() => h('td')));
    row.dataset.seat = String(standing.seat);
    return row;
  }

  /** Draw the row of a player. @param {HTMLElement} row @param {Standing} standing @param {boolean} isOwn */
  function drawRow(row, standing, isOwn) {
    row.classList.toggle('ranking-own', isOwn);
    const cells = [
      String(standing.place ?? ''),
      isOwn ? strings.you(standing.name) : standing.name,
      strings.resultLine(standing),
      String(standing.score),
      String(standing.moves),
      String(standing.suits),
    ];
    cells.forEach((text, i) => {
      const cell = row.children[i];
      if (cell) write(cell, text);
    });
  }

  return {
    element,
    /** @param {{ranking: readonly Standing[], winners?: readonly number[]}} round @param {number} me this player's seat, or -1 @param {string} [undo] what could be undone in it */
    update({ ranking, winners = [] }, me, undo) {
      podium.hidden = ranking.length === 1 || winners.length === 0;
      write(note, strings.cheatRule(undo));
      note.hidden = ranking.every(({ cheats }) => cheats === 0);
      keyed(
        podium,
        ranking.filter((standing) => standing.place !== null).slice(0, PODIUM_STEPS),
        (standing) => String(standing.seat),
        () => h('li', {}, h('span', { class: 'podium-name' }), h('span', { class: 'podium-step' })),
        (item, standing) => {
          const [name, step] = item.children;
          item.dataset.place = String(standing.place);
          if (name) write(name, standing.name);
          if (step) write(step, strings.ordinal(standing.place ?? 0));
        },
      );
      keyed(
        rows,
        ranking,
        (standing) => String(standing.seat),
        makeRow,
        (row, standing) => drawRow(row, standing, standing.seat === me),
      );
    },
  };
}
