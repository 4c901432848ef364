// The ranking: a row for each player.

import { shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';

/**
 * @import {GameReview, Standing, TieBreak} from '../contract/messages.d.ts'
 * @import {Program, Programs} from '../state/state.js'
 * @import {Colours} from '../state/seat-colours.js'
 * @typedef {object} Ranked a finished round
 * @property {readonly Standing[]} ranking
 * @property {readonly number[]} winners
 * @property {readonly TieBreak[]} [tie_breaks]
 */

/** The places of the names and of the results among the columns. */
const [NAME_COLUMN, RESULT_COLUMN] = [1, 2];

/** Bind an empty ranking. @param {(game: GameReview) => void} playWin plays a player's last known win */
export function bindRanking(playWin) {
  const words = strings.RESULTS;
  const rows = h('tbody');
  const headings = words.columns.map((text) => h('th', { scope: 'col', text }));
  const head = h('thead', {}, h('tr', {}, ...headings));
  const caption = h('caption', { hidden: true });
  const table = h('table', { class: 'ranking', id: 'ranking' }, caption, head, rows);
  const note = h('p', {
    class: 'text-small ranking-cheats',
    'data-part': 'cheat-note',
    hidden: true,
  });
  /** The games that were reviewed, by seat. @type {ReadonlyMap<number, GameReview>} */
  let reviewed = new Map();
  const element = h('section', { class: 'panel', 'aria-label': words.ranking }, table, note);

  /** Make the row of a player. @param {Standing} standing */
  function makeRow(standing) {
    const row = h('tr', { class: 'mark-tone' }, ...words.columns.map(() => h('td')));
    row.children[RESULT_COLUMN]?.append(h('span'), h('span', { class: 'ranking-review' }));
    row.dataset.seat = String(standing.seat);
    return row;
  }

  /** Draw the row of a player. @param {HTMLElement} row @param {Standing} standing @param {Ranked} round @param {number} me @param {Program | undefined} program @param {string} colour */
  function drawRow(
    row,
    standing,
    { ranking, winners, tie_breaks: tieBreaks = [] },
    me,
    program,
    colour,
  ) {
    const isOwn = standing.seat === me;
    const by = tieBreaks.find(({ seat }) => seat === standing.seat)?.by;
    // A player without rivals gives nothing up: the practice game was stopped.
    const wasStopped = ranking.length === 1 && standing.state === 'FORFEIT';
    const shown = wasStopped ? { ...standing, state: /** @type {const} */ ('FINISHED') } : standing;
    row.toggleAttribute('data-own', isOwn);
    row.dataset.colour = colour;
    const cells = [
      winners.length > 0 ? String(shownPlace(standing) ?? '') : '',
      isOwn && ranking.length > 1 ? strings.you(standing.name) : standing.name,
      [program && strings.STRENGTHS[program], strings.resultLine(shown), by && strings.tieBreak(by)]
        .filter(Boolean)
        .join(' · '),
      String(standing.score),
      String(standing.moves),
      String(standing.suits),
    ];
    cells.forEach((text, i) => {
      const cell = row.children[i];
      const isName = i === NAME_COLUMN;
      if (i === RESULT_COLUMN) drawResult(cell, text, standing);
      else if (cell)
        writeName(cell, text, isName ? program : undefined, isName ? colour : undefined);
    });
  }

  /**
   * Draw a result, and below it the review of the game. A game that may have one keeps its line from the
   * start, so that no row grows when the review comes.
   * @param {Element | undefined} cell
   * @param {string} text
   * @param {Standing} standing
   */
  function drawResult(cell, text, { seat, won, has_acted: hasActed }) {
    const result = cell?.firstElementChild;
    const line = cell?.lastElementChild;
    if (!result || !(line instanceof HTMLElement)) return;
    write(result, text);
    line.hidden = won || hasActed === false;
    const review = reviewed.get(seat);
    const said = review ? strings.reviewLine(review) : '';
    if (line.dataset.review === said) return;
    line.dataset.review = said;
    const onclick = () => review && playWin(review);
    line.replaceChildren(
      h('span', { text: said }),
      ...(review && review.known_ms !== null
        ? [' ', h('button', { 'data-kind': 'quiet', text: words.see, onclick })]
        : []),
    );
  }

  return {
    element,
    /** Set the games that were reviewed; the next update shows them. @param {ReadonlyMap<number, GameReview>} games by seat */
    setReview(games) {
      reviewed = games;
    },
    /**
     * Draw a finished round.
     * @param {Ranked} round
     * @param {number} me this player's seat, or -1
     * @param {Programs} programs
     * @param {Colours} colours
     * @param {string} [undo] what could be undone in it
     * @param {string} [title] of the table, if the round is one of several
     */
    update(round, me, programs, colours, undo, title = '') {
      const { ranking, winners } = round;
      table.toggleAttribute('data-unplaced', winners.length === 0);
      caption.hidden = title === '';
      write(caption, title);
      write(note, strings.cheatRule(undo));
      note.hidden = ranking.every(({ cheats }) => cheats === 0);
      element.toggleAttribute('data-cheats', !note.hidden);
      keyed(
        rows,
        ranking,
        (standing) => String(standing.seat),
        makeRow,
        (row, standing) => {
          const { seat } = standing;
          drawRow(row, standing, round, me, programs.get(seat), colours(seat));
        },
      );
    },
  };
}
