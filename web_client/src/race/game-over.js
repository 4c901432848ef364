// What stands over the table once there is nothing more to do on it: how the game ended, or,
// where no move is left, the question whether it ends here.
//
// The question is no dialog: the board, the chat and all keys stay within reach beside it.

import { strings } from '../core/language.js';
import { mySeat } from '../core/reducer.js';
import { isLegal } from '../core/table.js';
import { h, write } from '../shared/element.js';
import { makeQuestion } from './stuck.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {Attempt} from '../core/table.js'
 * @typedef {object} Does
 * @property {(action: Attempt) => void} act
 * @property {() => void} focus the keys go back to the board
 * @property {() => boolean} idle whether the keys go to the board, or to nothing
 * @property {(event: KeyboardEvent) => boolean} press what a key does on the board, if anything
 */

/** @param {Does} does */
export function bindDone({ act, focus, idle, press }) {
  const question = makeQuestion();
  const title = h('strong', { id: 'done-title' });
  const text = h('span', { id: 'done-text' });
  const finish = button('done-finish', strings.RACE.finish, () => act({ type: 'finish' }));
  finish.className = 'primary';
  const undo = button('done-undo', strings.RACE.undo, () => act({ type: 'undo' }));
  const look = button('done-look', strings.KEEP_LOOKING, putOff);
  const buttons = h('div', { class: 'buttons', hidden: true }, look, undo, finish);
  const element = h(
    'div',
    {
      class: 'done',
      id: 'done',
      role: 'group',
      'aria-labelledby': title.id,
      'aria-describedby': text.id,
      hidden: true,
      onkeydown: key,
    },
    title,
    text,
    buttons,
  );

  /** @param {string} id @param {string} words @param {() => void} answer */
  function button(id, words, answer) {
    const made = h('button', { id, type: 'button', text: words });
    // The second half of a double click was meant for what lay here before.
    made.addEventListener('click', ({ detail }) => detail < 2 && answer());
    return made;
  }

  function putOff() {
    question.putOff();
    show(false);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (buttons.hidden || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      putOff();
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (event.repeat) event.preventDefault(); // it is held since before the question
    } else if (press(event) && element.contains(document.activeElement)) focus();
  }

  /** @param {boolean} on */
  function show(on) {
    if (!on && element.contains(document.activeElement)) focus();
    element.hidden = !on;
  }

  return {
    element,
    /** Puts the question off, if it is asked. */
    cancel() {
      if (!buttons.hidden && !element.hidden) putOff();
    },
    /** @param {State} state */
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
        if (fresh && idle()) finish.focus({ preventScroll: true });
      } else if (over) {
        const own = state.standings.find((standing) => standing.seat === seat?.seat);
        const racing = state.standings.filter((each) => each.state === 'RACING' && each !== own);
        const gaveUp = seat?.state === 'FORFEIT';
        const { home, finished, gaveUp: gone } = strings.RACE;
        write(title, outcome === 'won' ? home : gaveUp ? gone : finished);
        write(text, strings.soFar(gaveUp ? null : (own?.place ?? null), racing.length));
      }
    },
  };
}
