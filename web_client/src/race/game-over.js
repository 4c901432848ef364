// The end of a game, over the table: its result, or the question whether to end it, if no move is left,
// nothing can change any more, nobody else races or somebody has won, or whether to have the rest
// played out.
//
// The question is not a dialog, so that the board, the chat and all keys can be used beside it.

import { isLegal } from '../game/table.js';
import { hasWonRace, openPlace } from '../state/first-home.js';
import { amHost, mayTakeBack, mySeat, ownRow, shownPlace, timeLeftOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { awaitsComputers, makeQuestion } from './stuck.js';
import { canWatchLater } from './watching.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Attempt} from '../game/table.js'
 * @typedef {Pick<ReturnType<typeof import('../play/play-out.js').makePlayOut>, 'left' | 'start' | 'stop'>} PlayOut
 * @typedef {object} Effects
 * @property {(action: Attempt) => void} act
 * @property {() => void} giveUp
 * @property {() => number} now in ms
 * @property {() => State} state
 * @property {() => void} endRace ends the race of a player who races alone, or waits for computer players
 * @property {() => void} focusBoard
 * @property {() => boolean} isIdle whether the board or nothing has the focus
 * @property {PlayOut} playOut
 * @property {(text: string) => void} readOut reads a question out to screen readers
 * @property {() => void} stop ends a game in which nothing can change any more
 * @property {(forfeit: {taken_back?: boolean}) => void} forfeit takes back that the player has given
 *   up, or gives up for good
 * @property {(event: KeyboardEvent) => boolean} press handles a key as the board does; false if the
 *   key has no meaning there
 * @typedef {object} Asked a question over the table
 * @property {'playing' | 'gave-up' | 'stuck' | 'last' | 'won' | 'dead' | 'behind'} kind
 * @property {{title: string, text: string, goOn: string, spoken?: string}} words `spoken` is read out
 * @property {() => void} goOn the answer that changes nothing
 * @property {{words: string, act: () => void}} [end] the other answer
 * @property {boolean} [undo] whether taking back is an answer too
 * @property {boolean} [isBetterOn] whether the answer that changes nothing stands out
 */

/** How often the time that is left is written. */
const TICK_MS = 1_000;

/** Make a button of the question. @param {string} id @param {string} text @param {() => void} onClick */
function button(id, text, onClick) {
  const made = h('button', { id, text });
  // The second click of a double click on the table may hit a button that has just appeared there.
  made.addEventListener('click', ({ detail }) => detail < 2 && onClick());
  return made;
}

/** Return how this player's game has ended. @param {State} state */
function resultTitle(state) {
  const { home, finished, gaveUp } = strings.RACE;
  if (hasWonRace(state)) return strings.youWin(ownRow(state)?.finished_ms ?? 0);
  if (state.play?.base.outcome === 'won') return home;
  return mySeat(state)?.state === 'FORFEIT' ? gaveUp : finished;
}

/** Return this player's place so far, how long the others can race, and whether their boards can be watched. @param {State} state @param {number} now */
function resultText(state, now) {
  const seat = mySeat(state);
  const ownStanding = state.standings.find((standing) => standing.seat === seat?.seat);
  const racing = state.standings.filter((each) => each.state === 'RACING' && each !== ownStanding);
  const hasPlace = ownStanding && seat?.state !== 'FORFEIT';
  // The title of a winner has said the place.
  const place = hasPlace && !hasWonRace(state) ? shownPlace(ownStanding) : null;
  const left = state.room && timeLeftOf(state.room, now);
  const text = [strings.soFar(place, racing.length, left)];
  if (hasWonRace(state) && racing.length > 0) text.push(strings.WIN_STAYS);
  if (canWatchLater(state)) text.push(strings.WATCH_OTHERS);
  return text.join(' ');
}

/** Bind the end of a game. @param {Effects} effects */
export function bindGameOver(effects) {
  const { act, endRace, focusBoard, forfeit, giveUp, isIdle, now, playOut, press, readOut, stop } =
    effects;
  const question = makeQuestion();
  const title = h('strong', { id: 'game-over-title' });
  const text = h('span', { id: 'game-over-text' });
  /** What is asked, or '' if nothing is. @type {Asked['kind'] | ''} */
  let kind = '';
  /** What the buttons do, in their order. */
  let answers = { goOn() {}, end() {} };
  const finish = button('game-over-finish', '', () => answers.end());
  const undo = button('game-over-undo', strings.RACE.undo, () => act({ type: 'undo' }));
  const keepLooking = button('game-over-look', '', () => answers.goOn());
  const buttons = h('div', { class: 'buttons', hidden: true }, keepLooking, undo, finish);
  const end = button('game-over-end', strings.RACE.end, endRace);
  end.dataset.kind = 'primary';
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
    end,
  );

  /** Handle a key while the question has the focus. @param {KeyboardEvent} event */
  function pressKey(event) {
    if (buttons.hidden || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      answers.goOn();
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

  /** Return a function that puts the question off, and hides it. @param {() => void} change */
  const puttingOff = (change) => () => {
    change();
    show(false);
  };

  /** Return what is to be asked or told about the table, the most urgent of it. @param {State} state @returns {Asked | null} */
  function askedIn(state) {
    const stuck = question.tableIn(state);
    const outlook = question.outlookIn(state);
    const isAlone = question.asksLastRacer(state);
    if (playOut.left() > 0)
      return {
        kind: 'playing',
        words: strings.playingOut(playOut.left()),
        goOn: playOut.stop,
      };
    if (mayTakeBack(state))
      return {
        kind: 'gave-up',
        words: strings.GAVE_UP,
        end: { words: strings.GAVE_UP.end, act: () => forfeit({}) },
        goOn: () => forfeit({ taken_back: true }),
        isBetterOn: true,
      };
    if (stuck)
      return {
        kind: 'stuck',
        words: { title: strings.STUCK, text: strings.stuckAsk(stuck), goOn: strings.KEEP_LOOKING },
        end: { words: strings.RACE.finish, act: () => act({ type: 'finish' }) },
        goOn: puttingOff(() => question.putOff()),
        undo: isLegal(stuck, { type: 'undo' }),
      };
    if (isAlone) {
      const words = { ...strings.LAST_RACER, text: strings.lastRacerText(amHost(state)) };
      return {
        kind: 'last',
        words: { ...words, spoken: `${words.title} ${words.text}` },
        end: { words: strings.lastRacerEnd(amHost(state)), act: endRace },
        goOn: puttingOff(() => question.raceOn()),
        // Giving up wins nothing, so it is not the button that stands out.
        isBetterOn: !amHost(state),
      };
    }
    const winner = question.asksBehind(state);
    if (!outlook && winner && state.room) {
      const left = timeLeftOf(state.room, now());
      return {
        kind: 'behind',
        words: strings.behindAsk(winner.name, openPlace(state), left),
        end: { words: strings.ASK_IN_RACE.forfeit.yes, act: giveUp },
        goOn: puttingOff(() => question.raceOnBehind()),
        isBetterOn: true,
      };
    }
    if (!outlook || !state.play) return null;
    const { base } = state.play;
    const goOn = puttingOff(() => question.putOffOutlook(outlook));
    if (outlook.outlook === 'won')
      return {
        kind: 'won',
        words: strings.playOutAsk(outlook.line.length),
        end: { words: strings.PLAY_OUT, act: () => playOut.start(outlook.line, outlook.at) },
        goOn,
      };
    const canUndo = isLegal(base, { type: 'undo' });
    return {
      kind: 'dead',
      words: strings.deadAsk(base.score, outlook.gain, canUndo),
      end: { words: strings.STOP_HERE, act: stop },
      goOn,
      undo: canUndo,
    };
  }

  /** Ask. @param {Asked} asked */
  function ask({ kind: asks, words, end: ends, goOn, undo: canUndo = false, isBetterOn = false }) {
    const isNew = element.hidden || kind !== asks;
    kind = asks;
    answers = { goOn, end: () => ends?.act() };
    buttons.hidden = false;
    end.hidden = true;
    write(title, words.title);
    write(text, words.text);
    write(keepLooking, words.goOn);
    write(finish, ends?.words ?? '');
    finish.hidden = !ends;
    undo.hidden = !canUndo;
    finish.dataset.kind = isBetterOn ? 'plain' : 'primary';
    keepLooking.dataset.kind = isBetterOn ? 'primary' : 'plain';
    element.toggleAttribute('data-asks', true);
    show(true);
    // Other questions come in the middle of a game, where Enter may be on its way to the board.
    if (isNew && asks === 'stuck' && isIdle()) finish.focus({ preventScroll: true });
    if (isNew && words.spoken) readOut(words.spoken);
  }

  // No message comes while the time runs.
  const timer = setInterval(() => element.hidden || update(effects.state()), TICK_MS);

  /** Show the question, the result, or nothing. @param {State} state */
  function update(state) {
    const asked = askedIn(state);
    if (asked) {
      ask(asked);
      return;
    }
    const seat = mySeat(state);
    const outcome = state.play?.base.outcome;
    const isOver = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
    if (!buttons.hidden) show(false);
    kind = '';
    buttons.hidden = true;
    end.hidden = !awaitsComputers(state);
    element.toggleAttribute('data-asks', false);
    element.toggleAttribute('data-won', outcome === 'won');
    show(Boolean(isOver));
    if (!isOver) return;
    write(title, resultTitle(state));
    write(text, resultText(state, now()));
  }

  return {
    element,
    /** Put the question off if it is shown. */
    cancel() {
      if (!buttons.hidden && !element.hidden) answers.goOn();
    },
    update,
    unbind: () => clearInterval(timer),
  };
}
