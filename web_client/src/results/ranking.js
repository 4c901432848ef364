// The ranking: the podium, and a row for each player.

import { strings } from '../core/language.js';
import { h, keyed, write } from '../shared/element.js';

/**
 * @import {Standing, TieBreak} from '../core/messages.d.ts'
 * @typedef {object} Ranked a finished round, without winners from a server of the release before
 * @property {readonly Standing[]} ranking
 * @property {readonly number[]} [winners]
 * @property {readonly TieBreak[]} [tie_breaks]
 * @typedef {{seat: number, name: string, place: number | null}} Placed
 */

const PODIUM_STEPS = 3;

/**
 * Return the heading of a finished round. The server says who has won: nobody wins by giving up.
 *
 * @param {Ranked} round
 * @param {number} me this player's seat, or -1
 * @param {number} [number] of the round in its match, if that has several
 */
export function heading({ ranking, winners = [] }, me, number) {
  const names = ranking.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  return strings.verdict(names, {
    alone: ranking.length === 1,
    home: ranking[0]?.won ?? false,
    won: winners.includes(me),
    round: number,
  });
}

/** Bind an empty ranking. */
export function bindRanking() {
  const words = strings.RESULTS;
  const podium = h('ol', { class: 'podium', id: 'podium', 'aria-hidden': 'true' });
  const rows = h('tbody');
  const headings = words.columns.map((text) => h('th', { scope: 'col', text }));
  const head = h('thead', {}, h('tr', {}, ...headings));
  const caption = h('caption', { hidden: true });
  const table = h('table', { class: 'ranking', id: 'ranking' }, caption, head, rows);
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

  /** Draw the row of a player. @param {HTMLElement} row @param {Standing} standing @param {Ranked} round @param {number} me */
  function drawRow(row, standing, { ranking, winners = [], tie_breaks: tieBreaks = [] }, me) {
    const isOwn = standing.seat === me;
    const by = tieBreaks.find(({ seat }) => seat === standing.seat)?.by;
    row.classList.toggle('ranking-own', isOwn);
    const cells = [
      winners.length > 0 ? String(standing.place ?? '') : '',
      isOwn && ranking.length > 1 ? strings.you(standing.name) : standing.name,
      [strings.resultLine(standing), by && strings.tieBreak(by)].filter(Boolean).join(' · '),
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
    /**
     * Draw a finished round.
     *
     * @param {Ranked} round
     * @param {number} me this player's seat, or -1
     * @param {string} [undo] what could be undone in it
     * @param {object} [match] if the round is one of several
     * @param {string} match.title of the table
     * @param {readonly Placed[] | null} match.podium of the match if it is over
     */
    update(round, me, undo, match) {
      const { ranking, winners = [] } = round;
      const placed = match?.podium ?? ranking;
      const hasWinner = match?.podium ? placed.length > 0 : winners.length > 0;
      podium.hidden = ranking.length === 1 || !hasWinner;
      table.toggleAttribute('data-unplaced', winners.length === 0);
      caption.hidden = !match;
      write(caption, match?.title ?? '');
      write(note, strings.cheatRule(undo));
      note.hidden = ranking.every(({ cheats }) => cheats === 0);
      element.toggleAttribute('data-cheats', !note.hidden);
      keyed(
        podium,
        placed.filter(({ place }) => place !== null).slice(0, PODIUM_STEPS),
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
        (row, standing) => drawRow(row, standing, round, me),
      );
    },
  };
}
