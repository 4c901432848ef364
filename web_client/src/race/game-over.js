// The end of a game, over the table: its result or, if no move is left or nobody else races, the
// question whether to end it.
//
// The question is not a dialog, so that the board, the chat and all keys can be used beside it.

import { strings } from '../core/language.js';
import { amHost, mySeat } from '../core/reducer.js';
import { isLegal } from '../core/table.js';
import { h, write } from '../shared/element.js';
import { makeQuestion } from './stuck.js';
import { canWatchLater } from './watching.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {Attempt} from '../core/table.js'
 * @typedef {object} Effects
 * @property {(action: Attempt) => void} act
 * @property {() => void} endRace ends the race of a player who races alone
 * @property {() => void} focusBoard
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

/** Return this player's row of the standings. @param {State} state */
const ownRow = ({ standings, me }) => standings.find(({ seat }) => seat === me?.seat);

/**
 * Return whether this player has won the race for certain, while others still race: where the first
 * at home wins, nobody can overtake, unless games without counted undos come first.
 *
 * @param {State} state
 */
export function hasWonRace(state) {
  const own = ownRow(state);
  const { ranking, cheats } = state.room?.settings ?? {};
  if (!own?.won || own.place !== 1 || state.standings.length < 2) return false;
  return ranking === 'first_home' && (cheats !== 'out' || own.cheats === 0);
}

/** Return how this player's game has ended. @param {State} state */
function resultTitle(state) {
  const { home, finished, gaveUp } = strings.RACE;
  if (hasWonRace(state)) return strings.youWin(ownRow(state)?.finished_ms ?? 0);
  if (state.play?.base.outcome === 'won') return home;
  return mySeat(state)?.state === 'FORFEIT' ? gaveUp : finished;
}

/** Return this player's place so far, and whether boards of others can be watched. @param {State} state */
function resultText(state) {
  const seat = mySeat(state);
  const ownStanding = state.standings.find((standing) => standing.seat === seat?.seat);
  const racing = state.standings.filter((each) => each.state === 'RACING' && each !== ownStanding);
  const hasPlace = ownStanding && seat?.state !== 'FORFEIT';
  const place = hasWonRace(state)
    ? strings.stillRacing(racing.length)
    : strings.soFar(hasPlace ? ownStanding.place : null, racing.length);
  return canWatchLater(state) ? `${place} ${strings.WATCH_OTHERS}` : place;
}

/** Bind the end of a game. @param {Effects} effects */
export function bindGameOver({ act, endRace, focusBoard, isIdle, press }) {
  const question = makeQuestion();
  const title = h('strong', { id: 'game-over-title' });
  const text = h('span', { id: 'game-over-text' });
  /** Whether the question is that of the last racer. */
  let asksLast = false;
  const finish = button('game-over-finish', strings.RACE.finish, () =>
    asksLast ? endRace() : act({ type: 'finish' }),
  );
  finish.className = 'primary';
  const undo = button('game-over-undo', strings.RACE.undo, () => act({ type: 'undo' }));
  const keepLooking = button('game-over-look', strings.KEEP_LOOKING, putOff);
  const buttons = h('div', { class: 'buttons', hidden: true }, keepLooking, undo, finish);
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

  /** Put the question off, and hide it. */
  function putOff() {
    if (asksLast) question.raceOn();
    else question.putOff();
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
    } else if (press(event) && element.contains(document.activeElement)) focusBoard();
  }

  /** Show or hide the element. @param {boolean} visible */
  function show(visible) {
    if (!visible && element.contains(document.activeElement)) focusBoard();
    element.hidden = !visible;
    document.body.dataset.question = visible ? 'open' : 'none';
  }

  return {
    element,
    /** Put the question off if it is shown. */
    cancel() {
      if (!buttons.hidden && !element.hidden) putOff();
    },
    /** Show the question, the result, or nothing. @param {State} state */
    update(state) {
      const stuck = question.tableIn(state);
      const seat = mySeat(state);
      const outcome = state.play?.base.outcome;
      const isOver = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
      const isNew = element.hidden || buttons.hidden || asksLast;
      asksLast = !stuck && question.asksLastRacer(state);
      if (!stuck && !asksLast && !buttons.hidden) show(false);
      buttons.hidden = !stuck && !asksLast;
      element.classList.toggle('game-over-asks', !buttons.hidden);
      show(Boolean(isOver || stuck || asksLast));
      write(keepLooking, asksLast ? strings.LAST_RACER.goOn : strings.KEEP_LOOKING);
      write(finish, asksLast ? strings.lastRacerEnd(amHost(state)) : strings.RACE.finish);
      // Giving up wins nothing, so it is not the button that stands out.
      const isBetterOn = asksLast && !amHost(state);
      finish.classList.toggle('primary', !isBetterOn);
      keepLooking.classList.toggle('primary', isBetterOn);
      if (asksLast) {
        write(title, strings.LAST_RACER.title);
        write(text, strings.lastRacerText(amHost(state)));
        undo.hidden = true;
      } else if (stuck) {
        write(title, strings.STUCK);
        write(text, strings.stuckAsk(stuck));
        undo.hidden = !isLegal(stuck, { type: 'undo' });
        if (isNew && isIdle()) finish.focus({ preventScroll: true });
      } else if (isOver) {
        write(title, resultTitle(state));
        write(text, resultText(state));
      }
    },
  };
}
