// The ranking: a row for each player, with the review of the game.

import { shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';

/**
 * @import {GameReview, Standing, TieBreak} from '../contract/messages.d.ts'
 * @import {Programs} from '../state/state.js'
 * @import {Colours} from '../state/state.js'
 * @typedef {object} Ranked a finished round, and who looks at it
 * @property {{ranking: readonly Standing[], winners: readonly number[], tie_breaks?: readonly TieBreak[]}} round
 * @property {number} me this player's seat, or -1
 * @property {Programs} programs
 * @property {Colours} colours
 * @property {string | undefined} undo what could be undone in it
 * @property {string} [title] of the table, if the round is one of several
 */

/** Bind an empty ranking. @param {(game: GameReview) => void} playWin plays a player's last known win */
export function bindRanking(playWin) {
  const words = strings.RESULTS;
  const caption = h('caption', { hidden: true });
  const headings = words.columns.map((text) => h('th', { scope: 'col', text }));
  const rows = h('tbody');
  const table = h(
    'table',
    { class: 'results-ranking', id: 'ranking' },
    caption,
    h('thead', {}, h('tr', {}, ...headings)),
    rows,
  );
  const note = h('p', { class: 'text-small results-note', 'data-part': 'cheat-note' });
  const element = h(
    'section',
    { class: 'panel results-table', 'aria-label': words.ranking },
    table,
    note,
  );
  /** @type {Ranked | null} */
  let shown = null;
  /** The games that were reviewed, by seat. @type {ReadonlyMap<number, GameReview>} */
  let reviewed = new Map();
  /** The parts of each row. @type {WeakMap<HTMLElement, ReturnType<typeof makeParts>>} */
  const partsOf = new WeakMap();

  /** Make the parts of the row of a player. @param {number} seat */
  function makeParts(seat) {
    const onclick = () => {
      const game = reviewed.get(seat);
      if (game) playWin(game);
    };
    return {
      ...{ place: h('td'), name: h('td'), score: h('td'), moves: h('td'), suits: h('td') },
      result: h('span'),
      review: h('span', { class: 'results-review' }),
      said: h('span'),
      see: h('button', { 'data-kind': 'quiet', onclick }),
    };
  }

  /** Make the row of a player. @param {Standing} standing */
  function makeRow({ seat }) {
    const parts = makeParts(seat);
    const { place, name, result, review, said, see, score, moves, suits } = parts;
    review.append(said, see);
    const line = h('td', {}, result, review);
    const tone = { class: 'mark-tone', 'data-seat': seat };
    const row = h('tr', tone, place, name, line, score, moves, suits);
    partsOf.set(row, parts);
    return row;
  }

  /** Draw the row of a player. @param {HTMLElement} row @param {Standing} standing @param {Ranked} ranked */
  function drawRow(row, standing, { round, me, programs, colours }) {
    const parts = partsOf.get(row);
    if (!parts) return;
    const { place, name, result, review, said, see } = parts;
    const { seat } = standing;
    const isAlone = round.ranking.length === 1;
    const isOwn = seat === me;
    const program = programs.get(seat);
    const by = round.tie_breaks?.find((each) => each.seat === seat)?.by;
    // A player without rivals gives nothing up: the practice game was stopped.
    const wasStopped = isAlone && standing.state === 'FORFEIT';
    const line = strings.resultLine(wasStopped ? { ...standing, state: 'FINISHED' } : standing);
    const results = [program && strings.STRENGTHS[program], line, by && strings.TIE_BREAKS[by]];
    set(row, { 'data-own': isOwn, 'data-colour': colours(seat) });
    write(place, round.winners.length > 0 ? String(shownPlace(standing) ?? '') : '');
    const label = isOwn && !isAlone ? strings.you(standing.name) : standing.name;
    writeName(name, label, program, colours(seat));
    write(result, results.filter(Boolean).join(' · '));
    write(parts.score, String(standing.score));
    write(parts.moves, String(standing.moves));
    write(parts.suits, String(standing.suits));
    // A game that may be reviewed keeps a line for that from the start, so that no row grows later.
    const game = reviewed.get(seat);
    const isKnown = game !== undefined && game.known_ms !== null;
    review.hidden = standing.won || standing.has_acted === false;
    write(said, game ? `${strings.reviewLine(game)} ` : '');
    set(see, { hidden: !isKnown, text: isKnown ? words.see : '' });
  }

  /** Draw a finished round. @param {Ranked} ranked */
  function update(ranked) {
    shown = ranked;
    const { round, undo, title = '' } = ranked;
    table.toggleAttribute('data-unplaced', round.winners.length === 0);
    set(caption, { hidden: title === '', text: title });
    const hidden = round.ranking.every(({ cheats }) => cheats === 0);
    set(note, { hidden, text: strings.cheatRule(undo) });
    keyed(
      rows,
      round.ranking,
      ({ seat }) => String(seat),
      makeRow,
      (row, standing) => drawRow(row, standing, ranked),
    );
  }

  return {
    element,
    update,
    /** Show the games that were reviewed. @param {ReadonlyMap<number, GameReview>} games by seat */
    setReview(games) {
      reviewed = games;
      if (shown) update(shown);
    },
  };
}
