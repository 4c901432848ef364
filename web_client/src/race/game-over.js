// The end of a game, over the table: how it ended, or, where no move is left, the question whether
// it ends here.
//
// The question is not a dialog, so that the board, the chat and all keys can be used beside it.

import { strings } from '../core/language.js';
import { mySeat } from '../core/reducer.js';
import { isLegal } from '../core/table.js';
import { h, write } from '../shared/element.js';
import { makeQuestion } from './stuck.js';
import { canWatchLater } from './watching.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {Attempt} from '../core/table.js'
 * @typedef {object} Effects
 * @property {(action: Attempt) => void} act
 * @property {() => void} focus gives the focus back to the board
 * @property {() => boolean} isIdle whether the board or nothing has the focus
 * @property {(event: KeyboardEvent) => boolean} press handles a key as the board does; false if the
 *   key has no meaning there
 */

/** Make a button of the question. @param {string} id @param {string} text @param {() => void} onClick */
function button(id, text, onClick) {
  const made = h('button', { id, type: 'button', text });
  // The second click of a double click on the table may hit a button that has just appeared there.
  made.addEventListener('click', ({ detail }) => detail < 2 && onClick());
  return made;
}

/** Bind the end of a game. @param {Effects} effects */
export function bindGameOver({ act, focus, isIdle, press }) {
  const question = makeQuestion();
  const title = h('strong', { id: 'game-over-title' });
  const text = h('span', { id: 'game-over-text' });
  const finish = button('game-over-finish', strings.RACE.finish, () => act({ type: 'finish' }));
  finish.className = 'primary';
  const undo = button('game-over-undo', strings.RACE.undo, () => act({ type: 'undo' }));
  const look = button('game-over-look', strings.KEEP_LOOKING, putOff);
  const buttons = h('div', { class: 'buttons', hidden: true }, look, undo, finish);
  const element = h(
    'div',
    {
      class: 'game-over',
      id: 'game-over',
      role: 'group',
      'aria-labelledby': title.id,
      'aria-describedby': text.id,
      hidden: true,
      onkeydown: pressKey,
    },
    title,
    text,
    buttons,
  );

  function putOff() {
    question.putOff();
    show(false);
  }

  /** Handle a key while the question has the focus. @param {KeyboardEvent} event */
  function pressKey(event) {
    if (buttons.hidden || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      putOff();
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (event.repeat) event.preventDefault(); // the key was down before the question was shown
    } else if (press(event) && element.contains(document.activeElement)) focus();
  }

  /** @param {boolean} on */
  function show(on) {
    if (!on && element.contains(document.activeElement)) focus();
    element.hidden = !on;
  }

  return {
    element,
    /** Put the question off, if it is asked. */
    cancel() {
      if (!buttons.hidden && !element.hidden) putOff();
    },
    /** Show the question, the result, or nothing. @param {State} state */
    update(state) {
      const stuck = question.follow(state);
      const seat = mySeat(state);
      const outcome = state.play?.base.outcome;
      const over = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
      const fresh = element.hidden || buttons.hidden;
      if (!stuck && !buttons.hidden) show(false);
      buttons.hidden = !stuck;
      show(Boolean(over || stuck));
      if (stuck) {
        write(title, strings.STUCK);
        write(text, strings.stuckAsk(stuck));
        undo.hidden = !isLegal(stuck, { type: 'undo' });
        if (fresh && isIdle()) finish.focus({ preventScroll: true });
      } else if (over) {
        const own = state.standings.find((standing) => standing.seat === seat?.seat);
        const racing = state.standings.filter((each) => each.state === 'RACING' && each !== own);
        const gaveUp = seat?.state === 'FORFEIT';
        const { home, finished, gaveUp: ended } = strings.RACE;
        write(title, outcome === 'won' ? home : gaveUp ? ended : finished);
        const place = strings.soFar(gaveUp ? null : (own?.place ?? null), racing.length);
        write(text, canWatchLater(state) ? `${place} ${strings.WATCH_OTHERS}` : place);
      }
    },
  };
}
