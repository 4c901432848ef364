// One of the two boards of a replay: the menu of games, the board, its figures and its last act.

import { bindMiniature } from '../board/board.js';
import { parseAction } from '../contract/notation.js';
import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h, write, writeSpoken } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';
import { fetchReplay, KNOWN_WIN, winOf } from './finished-rounds.js';
import { actsAt, makeTape, tableAt } from './tables-over-time.js';

/**
 * @import {GameReview, RoundCourse} from '../contract/messages.d.ts'
 * @import {RoundId} from './finished-rounds.js'
 * @import {Playback} from './playback.js'
 * @import {Tape} from './tables-over-time.js'
 * @typedef {ReturnType<typeof bindSide>} Side
 */

/** The most acts between two drawings for which cards glide. */
const MAX_GLIDING = 2;

/**
 * Bind one of the two boards.
 * @param {'left' | 'right'} side
 * @param {() => void} onChoose another game was chosen
 * @param {() => void} onEnlarge
 */
export function bindSide(side, onChoose, onEnlarge) {
  const words = strings.REPLAY;
  const select = h('select', {
    id: `board-${side}`,
    'aria-label': words[side],
    onchange() {
      drawMark();
      onChoose();
    },
  });
  const mark = h('span', { class: 'replay-mark' });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures', 'data-part': 'figures' });
  const act = h('p', { class: 'text-small replay-act', 'data-part': 'act' });
  const enlargeButton = h('button', {
    class: 'miniature-enlarge',
    'data-action': 'enlarge',
    'aria-pressed': 'false',
    onclick: onEnlarge,
  });
  const view = h('div', { class: 'replay-view' }, board.element, enlargeButton);
  // An option has text only, so the mark of the chosen player stands beside the menu.
  const choice = h('div', { class: 'replay-choice' }, mark, select);
  const element = h('div', { class: 'replay-side' }, choice, figures, view, act);
  /** @type {Tape | null} */
  let tape = null;
  let taped = '';
  let shown = -1;
  let colours = coloursOf(null);

  /** Show the mark of the player whose game is chosen, or no mark for the win known before the race. */
  function drawMark() {
    const isOfPlayer = select.value !== '' && select.value !== KNOWN_WIN;
    writeName(
      mark,
      '',
      undefined,
      isOfPlayer ? colours(Number.parseInt(select.value, 10)) : undefined,
    );
  }

  return {
    element,
    enlargeButton,
    tape: () => tape,
    /** Set the games to choose from, and choose one. @param {RoundCourse} round @param {string | undefined} game */
    setGames(round, game) {
      element.hidden = game === undefined;
      const options = round.ranking.map(({ seat: value, name }) => {
        const isProgram = round.programs.includes(value);
        return h('option', { value, text: isProgram ? strings.programNamed(name) : name });
      });
      if (round.reveal.proof) options.push(h('option', { value: KNOWN_WIN, text: words.knownWin }));
      select.replaceChildren(...options);
      if (game !== undefined) select.value = game;
      colours = coloursOf(null, round);
      drawMark();
      taped = '';
    },
    /** Add the last known wins of players to the games to choose from. @param {readonly GameReview[]} games */
    setWins(games) {
      const missing = games.filter(({ seat }) => !hasOption(select, winOf(seat)));
      select.append(
        ...missing.map((game) =>
          h('option', { value: winOf(game.seat), text: strings.winOption(game) }),
        ),
      );
    },
    /** Choose a game. @param {string} game */
    choose(game) {
      element.hidden = false;
      select.value = game;
      drawMark();
    },
    /** Fetch the chosen game. @param {RoundId} roundId */
    async fetch(roundId) {
      const game = select.value;
      if (element.hidden || taped === game) return;
      element.dataset.seat = game;
      enlargeButton.setAttribute(
        'aria-label',
        strings.enlarge(select.selectedOptions[0]?.text ?? ''),
      );
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
    /** Show the board at the time of a playback. @param {Playback} playback */
    update({ ms }) {
      if (!tape) return;
      const acts = actsAt(tape, ms);
      if (acts === shown) return;
      const table = tableAt(tape, ms);
      board.update(table, Math.abs(acts - shown) <= MAX_GLIDING);
      shown = acts;
      write(figures, strings.figures(table));
      const { text, aside } = describeAct(tape, acts);
      writeSpoken(act, text, aside);
    },
    unbind: board.unbind,
  };
}

/** Return whether a menu has an option. @param {HTMLSelectElement} select @param {string} value */
const hasOption = (select, value) => [...select.options].some((option) => option.value === value);

/** Return what the last of so many acts did, and the part that only screen readers need. @param {Tape} tape @param {number} count */
function describeAct({ replay, tables }, count) {
  const step = replay.steps[count - 1];
  if (!step) return { text: strings.REPLAY.dealt, aside: '' };
  if (count === tables.length - 1 && replay.acts > replay.steps.length)
    return { text: strings.REPLAY.cut, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' };
  const [before, after] = [tables[count - 1]?.piles ?? [], tables[count]?.piles ?? []];
  return {
    text: strings.actDone(action, before, after),
    aside: strings.actAside(action, before, after),
  };
}
