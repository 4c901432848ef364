// The buttons after a round. In a bar at the foot of the window, every player can ask for the next race
// or leave. Below the ranking, every player can play the same deal alone, and the host can go to the
// lobby to change the rules.

import { storedName } from '../browser/storage.js';
import { keepRulesOpen } from '../room/open-rules.js';
import { mayStart, nextRace, playOnMessages, repeatedGame, sameDeal } from '../state/next-game.js';
import { amHost, mySeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makeSteadyDraw } from '../widgets/draw-after-press.js';
import { h, write } from '../widgets/element.js';
import { shareHeight } from '../widgets/foot-bar.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {NextRace} from '../state/next-game.js'
 * @typedef {object} Steps
 * @property {App} app
 * @property {HTMLElement} rematch
 * @property {HTMLElement} start
 * @property {HTMLElement} lobby
 * @property {HTMLElement[]} levels
 * @property {HTMLElement} wait
 */

const LEVELS = /** @type {const} */ (['easy', 'hard']);
const TICK_MS = 1_000;

/** Bind the buttons. @param {App} app @param {readonly HTMLElement[]} more buttons below the ranking */
export function bindNextSteps(app, more) {
  const words = strings.RESULTS;
  const button = (
    /** @type {string} */ id,
    /** @type {string} */ text,
    /** @type {() => void} */ onclick,
  ) => h('button', { id, text, onclick });
  /** @type {Steps} */
  const steps = {
    app,
    rematch: button('rematch', '', () => toggleRematch(app)),
    start: button('start', '', () => app.send({ type: 'start' })),
    lobby: button('next', words.lobby, () => changeRules(app)),
    levels: LEVELS.map((exceptions, i) => levelButton(app, exceptions, i + 1)),
    wait: h('p', { class: 'text-small', id: 'next-steps' }),
  };
  const { rematch, start, lobby, levels, wait } = steps;
  const again = button('again', words.again, () => playAgain(app));
  const leave = h('button', {
    id: 'leave',
    'data-kind': 'quiet',
    text: words.leave,
    onclick: app.leave,
  });
  const bar = h(
    'div',
    { class: 'next-steps-bar' },
    wait,
    h('div', { class: 'buttons buttons-wide' }, ...levels, rematch, start, leave),
  );
  const element = h(
    'div',
    { class: 'next-steps' },
    bar,
    h('div', { class: 'buttons buttons-wide' }, lobby, again, ...more),
  );
  const unshare = shareHeight(bar);
  // A line of news moves the buttons, and a new one makes the others narrower.
  const draw = makeSteadyDraw(element, () => update(steps, app.state()));
  // No message comes when the wait for other players ends.
  const timer = setInterval(draw, TICK_MS);
  return { element, update: draw, unbind };

  /** Stop the drawing and the measuring. */
  function unbind() {
    clearInterval(timer);
    unshare();
  }
}

/** Go to the lobby, to its rules. @param {App} app */
function changeRules(app) {
  keepRulesOpen(app.state().room?.code ?? '');
  app.send({ type: 'next_round' });
}

/** Make a button that plays again under a rule for exceptions, shown as level 1 or 2. @param {App} app @param {'easy' | 'hard'} exceptions @param {number} level */
function levelButton(app, exceptions, level) {
  const button = h('button', { text: strings.againAt(level) });
  button.dataset.level = String(level);
  button.addEventListener('click', () => {
    for (const message of playOnMessages(app.state(), exceptions)) app.send(message);
  });
  return button;
}

/** Ask for the next race, or withdraw that. @param {App} app */
function toggleRematch(app) {
  app.sound.wake();
  app.send({ type: 'rematch', wanted: mySeat(app.state())?.state !== 'READY' });
}

/** Open a room for this player alone, with the deal and the rules of this round. @param {App} app */
function playAgain(app) {
  const { room, over } = app.state();
  if (!room || !over) return;
  const settings = sameDeal(room.settings, over.reveal);
  const name = storedName() || (mySeat(app.state())?.name ?? strings.RESULTS.me);
  app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
}

/** Return the label of the button for the next race. @param {State} state @param {RoomView} room @param {NextRace} next */
function nextRaceLabel(state, { match, settings }, { hasOthers }) {
  const words = strings.RESULTS;
  const again = repeatedGame(state);
  if (again) return strings.gameAgain(again);
  if (match && match.rounds > 1)
    return match.over ? words.newMatch : strings.nextOf(match.n.length + 1, match.rounds);
  if (hasOthers) return words.rematch;
  return settings.deal === 'secret' ? words.newDeal : words.replay;
}

/** Draw the buttons. @param {Steps} steps @param {State} state */
function update(steps, state) {
  const { app, rematch, start, lobby, levels, wait } = steps;
  const { room } = state;
  if (!room) return;
  const words = strings.RESULTS;
  const next = nextRace(state);
  const isHost = amHost(state);
  write(rematch, next.isWanted ? words.notAfterAll : nextRaceLabel(state, room, next));
  write(wait, strings.nextRaceLine(next));
  wait.hidden = wait.textContent === '';
  const level = room.settings.exceptions;
  const isChosenByLevel = isHost && !next.hasOthers && level !== 'off';
  levels.forEach((button, i) => {
    button.hidden = !isHost || level === 'off';
    button.dataset.kind = isChosenByLevel && LEVELS[i] === level ? 'primary' : 'plain';
  });
  // A player alone chooses the next game by its level, where there are levels.
  rematch.hidden = isChosenByLevel;
  rematch.dataset.kind = next.isWanted ? 'plain' : 'primary';
  lobby.hidden = !isHost;
  start.hidden = !mayStart(state, app.now());
  write(start, strings.startWithout(next.missing));
}
