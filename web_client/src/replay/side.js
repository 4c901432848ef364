// One of the two boards of a replay: the menu of games, the board, its figures, its last act, and what the
// review says about the game. A tape has the table after every act.

import { bindMiniature } from '../board/board.js';
import { parseAction } from '../contract/notation.js';
import { coloursOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, set, write, writeSpoken } from '../widgets/element.js';
import { indexAt } from './course.js';
import { fetchReplay, KNOWN_WIN, winOf } from './finished-rounds.js';

/**
 * @import {GameReview, RoundCourse} from '../contract/messages.d.ts'
 * @import {Replay, TableView} from '../contract/notation.js'
 * @import {RoundId} from './finished-rounds.js'
 * @typedef {object} Tape
 * @property {Replay} replay
 * @property {number[]} times of the tables, in ms; the first is the deal, at 0
 * @property {TableView[]} tables
 */

/** The most acts between two drawings for which cards glide. */
const MAX_GLIDING = 2;

/**
 * Make the tape of a replay. Tables share the piles that did not change, so that the tape of a game of
 * thousands of acts stays small.
 * @param {Replay} replay
 * @returns {Tape}
 */
export function makeTape(replay) {
  const indexes = new Map(replay.start.piles.map((pile, i) => [pile.id, i]));
  const tables = [replay.start];
  let table = replay.start;
  for (const step of replay.steps) {
    const piles = table.piles.slice();
    for (const pile of step.piles) {
      const index = indexes.get(pile.id) ?? -1;
      const old = piles[index];
      if (old) piles[index] = { ...old, ...pile };
    }
    const { moves, suits, home, face_down } = step;
    const counts = { ...table.counts, moves, suits, home, face_down };
    table = { ...table, at: table.at + 1, piles, score: step.score, counts, elapsed_ms: step.ms };
    tables.push(table);
  }
  return { replay, times: tables.map(({ elapsed_ms }) => elapsed_ms), tables };
}

/** Return what the last of so many acts did, and the part that only screen readers need. @param {Tape} tape @param {number} count */
function describeAct({ replay, tables }, count) {
  const words = strings.REPLAY;
  const step = replay.steps[count - 1];
  if (!step) return { text: words.dealt, aside: '' };
  if (count === tables.length - 1 && replay.acts > replay.steps.length)
    return { text: words.cut, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' };
  const [before, after] = [tables[count - 1]?.piles ?? [], tables[count]?.piles ?? []];
  return {
    text: strings.actDone(action, before, after),
    aside: strings.actAside(action, before, after),
  };
}

/**
 * Bind one of the two boards.
 * @param {'left' | 'right'} side
 * @param {{choose: () => void, enlarge: () => void, playWin: (game: GameReview) => void}} on
 */
export function bindSide(side, on) {
  const words = strings.REPLAY;
  const select = h('select', { id: `board-${side}`, 'aria-label': words[side] });
  select.addEventListener('change', () => {
    drawChoice();
    on.choose();
  });
  // An option has text only, so the mark of the chosen player stands beside the menu.
  const mark = h('span', { class: 'replay-mark' });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures', 'data-part': 'figures' });
  const act = h('p', { class: 'text-small replay-act', 'data-part': 'act' });
  const enlarging = { class: 'miniature-enlarge', 'data-action': 'enlarge' };
  const enlargeButton = h('button', { ...enlarging, 'aria-pressed': 'false', onclick: on.enlarge });
  const said = h('span');
  const play = h('button', { 'data-action': 'play-win', text: words.playWin, onclick: playWin });
  const review = h('p', { class: 'replay-review', 'data-part': 'review' }, said, play);
  const element = h(
    'div',
    { class: 'replay-side' },
    h('div', { class: 'replay-choice' }, mark, select),
    figures,
    h('div', { class: 'replay-view' }, board.element, enlargeButton),
    act,
    review,
  );
  /** @type {RoundCourse | null} */
  let round = null;
  /** The games that were reviewed. @type {readonly GameReview[]} */
  let reviewed = [];
  /** @type {Tape | null} */
  let tape = null;
  let taped = '';
  let shown = -1;

  /** Return the review of the chosen game. */
  const reviewOfChosen = () => reviewed.find(({ seat }) => String(seat) === select.value);

  /** Play the last known win of the chosen game. */
  function playWin() {
    const game = reviewOfChosen();
    if (game) on.playWin(game);
  }

  /** Show whose game is chosen, and its review. A game that may have one keeps a line for it. */
  function drawChoice() {
    const player = round?.ranking.find(({ seat }) => String(seat) === select.value);
    writeName(mark, '', undefined, player && coloursOf(null, round)(player.seat));
    const game = reviewOfChosen();
    review.hidden = !player || player.won || player.has_acted === false;
    write(said, game ? `${game.name}: ${strings.reviewOf(game)}.` : '');
    play.hidden = !game || game.known_ms === null;
  }

  return {
    element,
    tape: () => tape,
    /** Set the games to choose from, and choose one. @param {RoundCourse} of @param {string | undefined} game */
    setGames(of, game) {
      round = of;
      reviewed = [];
      const options = of.ranking.map(({ seat, name }) => {
        const text = of.programs.includes(seat) ? strings.programNamed(name) : name;
        return h('option', { value: seat, text });
      });
      if (of.reveal.proof) options.push(h('option', { value: KNOWN_WIN, text: words.knownWin }));
      select.replaceChildren(...options);
      element.hidden = game === undefined;
      if (game !== undefined) select.value = game;
      drawChoice();
      tape = null;
      taped = '';
    },
    /** Show the reviews, and add the last known wins to the games to choose from. @param {readonly GameReview[]} games */
    setReview(games) {
      reviewed = games;
      const values = new Set(Array.from(select.options, ({ value }) => value));
      for (const game of games) {
        const value = winOf(game.seat);
        if (game.known_ms !== null && !values.has(value))
          select.append(h('option', { value, text: strings.winOption(game) }));
      }
      drawChoice();
    },
    /** Choose a game. @param {string} game */
    choose(game) {
      element.hidden = false;
      select.value = game;
      drawChoice();
    },
    /** Fetch the chosen game. @param {RoundId} roundId */
    async fetch(roundId) {
      const game = select.value;
      if (element.hidden || taped === game) return;
      element.dataset.seat = game;
      const name = select.selectedOptions[0]?.text ?? '';
      enlargeButton.setAttribute('aria-label', strings.enlarge(name));
      const found = await fetchReplay(roundId, game).catch(() => null);
      if (select.value !== game) return;
      if (!found) {
        write(act, words.failed);
        return;
      }
      tape = makeTape(found);
      taped = game;
      shown = -1;
    },
    /** Give the board the whole width, or share it again. @param {boolean} isLarge */
    enlarge(isLarge) {
      set(enlargeButton, { 'aria-pressed': String(isLarge) });
      element.toggleAttribute('data-large', isLarge);
    },
    /** Show the board at a time. @param {number} ms */
    showAt(ms) {
      if (!tape) return;
      const acts = indexAt(tape.times, ms);
      const table = tape.tables[acts];
      if (acts === shown || !table) return;
      board.update(table, Math.abs(acts - shown) <= MAX_GLIDING);
      shown = acts;
      write(figures, strings.figures(table));
      const { text, aside } = describeAct(tape, acts);
      writeSpoken(act, text, aside);
    },
    unbind: board.unbind,
  };
}
