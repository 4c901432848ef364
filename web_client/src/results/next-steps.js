// The buttons after a round: every player can ask for the next race, play the same deal alone, or
// leave; and the host can go to the lobby to change the rules.

import { strings } from '../core/language.js';
import { playOnMessages, sameDeal } from '../core/practice.js';
import { storedName } from '../core/preferences.js';
import { amHost, mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';
import { makeSteadyDraw } from '../shared/steady.js';
import { mayStart, nextRace } from './next-race.js';

/**
 * @import {RoomView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {NextRace} from './next-race.js'
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

/** Bind the buttons. @param {App} app */
export function bindNextSteps(app) {
  const words = strings.RESULTS;
  const button = (
    /** @type {string} */ id,
    /** @type {string} */ text,
    /** @type {() => void} */ onclick,
  ) => h('button', { id, type: 'button', text, onclick });
  /** @type {Steps} */
  const steps = {
    app,
    rematch: button('rematch', '', () => toggleRematch(app)),
    start: button('start', '', () => app.send({ type: 'start' })),
    lobby: button('next', words.lobby, () => app.send({ type: 'next_round' })),
    levels: LEVELS.map((exceptions, i) => levelButton(app, exceptions, i + 1)),
    wait: h('p', { class: 'small-text', id: 'next-steps' }),
  };
  const { rematch, start, lobby, levels, wait } = steps;
  const again = button('again', words.again, () => playAgain(app));
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);
  const element = h(
    'div',
    { class: 'next-steps' },
    h(
      'div',
      { class: 'next-bar' },
      wait,
      h('div', { class: 'buttons wide' }, ...levels, rematch, start),
    ),
    h('div', { class: 'buttons wide' }, lobby, again, leave),
  );
  // A line of news moves the buttons, and a new one makes the others narrower.
  const draw = makeSteadyDraw(element, () => update(steps, app.state()));
  // No message comes when the wait for other players ends.
  const timer = setInterval(draw, TICK_MS);
  return { element, update: draw, unbind: () => clearInterval(timer) };
}

/** Make a button that plays on at a level of exceptions. @param {App} app @param {'easy' | 'hard'} exceptions @param {number} level */
function levelButton(app, exceptions, level) {
  const button = h('button', { type: 'button', text: strings.againAt(level) });
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
  app.enter({ type: 'create', name, settings }, { alone: true });
}

/** Return the label of the button for the next race. @param {RoomView} room @param {NextRace} next */
function nextRaceLabel({ match, settings }, { isAlone }) {
  const words = strings.RESULTS;
  if (match && match.rounds > 1)
    return match.over ? words.newMatch : strings.nextOf(match.n.length + 1, match.rounds);
  if (!isAlone) return words.rematch;
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
  write(rematch, next.isWanted ? words.notAfterAll : nextRaceLabel(room, next));
  write(wait, strings.nextRaceLine(next));
  wait.hidden = wait.textContent === '';
  const level = room.settings.exceptions;
  const isChosenByLevel = isHost && next.isAlone && level !== 'off';
  levels.forEach((button, i) => {
    button.hidden = !isHost || level === 'off';
    button.classList.toggle('primary', isChosenByLevel && LEVELS[i] === level);
  });
  // A player alone chooses the next game by its level, where there are levels.
  rematch.hidden = isChosenByLevel;
  rematch.classList.toggle('primary', !next.isWanted);
  lobby.hidden = !isHost;
  start.hidden = !mayStart(state, app.now());
  write(start, strings.startWithout(next.missing));
}
