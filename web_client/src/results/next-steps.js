// The buttons after a round. In a bar at the foot of the window, every player can ask for the next race
// or leave. Below the ranking, the host can go to the lobby to change the rules.

import { keepRulesOpen } from '../room/settings.js';
import { mayStart, nextRace, playOnMessages, repeatedGame } from '../state/next-game.js';
import { amHost, mySeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { makeSteadyDraw, shareHeight } from '../widgets/room-parts.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

const LEVELS = /** @type {const} */ (['easy', 'hard']);
const TICK_MS = 1_000;

/** Return the label of the button for the next race. @param {State} state @param {RoomView} room @param {boolean} hasOthers */
function nextRaceLabel(state, { match, settings }, hasOthers) {
  const words = strings.RESULTS;
  const again = repeatedGame(state);
  if (again) return strings.ROUNDS.again(again);
  if (match && match.rounds > 1)
    return match.over ? words.newMatch : strings.nextOf(match.n.length + 1, match.rounds);
  if (hasOthers) return words.rematch;
  return settings.deal === 'secret' ? words.newDeal : words.replay;
}

/** Bind the buttons. @param {App} app @param {readonly HTMLElement[]} more buttons below the ranking */
export function bindNextSteps(app, more) {
  const words = strings.RESULTS;
  const wait = h('p', { class: 'text-small', id: 'next-steps' });
  const levels = LEVELS.map((exceptions, i) =>
    h('button', {
      'data-level': i + 1,
      text: strings.againAt(i + 1),
      onclick() {
        for (const message of playOnMessages(app.state(), exceptions)) app.send(message);
      },
    }),
  );
  const rematch = h('button', { id: 'rematch', onclick: toggleRematch });
  const start = h('button', { id: 'start', onclick: () => app.send({ type: 'start' }) });
  const leaving = { id: 'leave', 'data-kind': 'quiet', text: words.leave };
  const leave = h('button', { ...leaving, onclick: app.leave });
  const lobby = h('button', { id: 'next', text: words.lobby, onclick: changeRules });
  const bar = h(
    'div',
    { class: 'results-steps-bar' },
    wait,
    h('div', { class: 'buttons buttons-wide' }, ...levels, rematch, start, leave),
  );
  const element = h(
    'div',
    { class: 'results-steps' },
    bar,
    h('div', { class: 'buttons buttons-wide' }, lobby, ...more),
  );
  const unshare = shareHeight(bar);
  // A line of news moves the buttons, and a new one makes the others narrower.
  const update = makeSteadyDraw(element, draw);
  // No message comes when the wait for other players ends.
  const timer = setInterval(update, TICK_MS);

  /** Ask for the next race, or withdraw that. */
  function toggleRematch() {
    app.sound.wake();
    app.send({ type: 'rematch', wanted: mySeat(app.state())?.state !== 'READY' });
  }

  /** Go to the lobby, to its rules. */
  function changeRules() {
    keepRulesOpen(app.state().room?.code ?? '');
    app.send({ type: 'next_round' });
  }

  /** Draw the buttons. */
  function draw() {
    const state = app.state();
    const { room } = state;
    if (!room) return;
    const next = nextRace(state);
    const isHost = amHost(state);
    const level = room.settings.exceptions;
    // A player alone chooses the next game by its level, where there are levels.
    const isChosenByLevel = isHost && !next.hasOthers && level !== 'off';
    const text = strings.nextRaceLine(next);
    set(wait, { text, hidden: text === '' });
    levels.forEach((button, i) => {
      const isSame = isChosenByLevel && LEVELS[i] === level;
      set(button, {
        hidden: !isHost || level === 'off',
        'data-kind': isSame ? 'primary' : 'plain',
      });
    });
    set(rematch, {
      text: next.isWanted ? words.notAfterAll : nextRaceLabel(state, room, next.hasOthers),
      hidden: isChosenByLevel,
      'data-kind': next.isWanted ? 'plain' : 'primary',
    });
    lobby.hidden = !isHost;
    set(start, { hidden: !mayStart(state, app.now()), text: strings.startWithout(next.missing) });
  }

  return {
    element,
    update,
    /** Stop the drawing and the measuring. */
    unbind() {
      clearInterval(timer);
      unshare();
    },
  };
}
