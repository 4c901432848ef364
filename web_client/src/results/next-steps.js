// The next steps after a round: the next race for all, which everybody asks for with one button; the
// same deal alone; leaving; and the lobby, where the host changes the rules.

import { strings } from '../core/language.js';
import { playOnMessages, sameDeal } from '../core/practice.js';
import { storedName } from '../core/preferences.js';
import { amHost, mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';
import { mayStart, wishes } from './wishes.js';

/**
 * @import {RoomView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Wishes} from './wishes.js'
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
    rematch: button('rematch', '', () => ask(app)),
    start: button('start', '', () => app.send({ type: 'start' })),
    lobby: button('next', words.lobby, () => app.send({ type: 'next_round' })),
    levels: LEVELS.map((exceptions, i) => levelButton(app, exceptions, i + 1)),
    wait: h('p', { class: 'small-text', id: 'next-steps' }),
  };
  const { rematch, start, lobby, levels, wait } = steps;
  const again = button('again', words.again, () => playAgain(app));
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);
  // The host's patience ends without a message.
  const timer = setInterval(() => updateStart(steps, app.state()), TICK_MS);
  return {
    element: h(
      'div',
      { class: 'next-steps' },
      wait,
      h('div', { class: 'buttons wide' }, ...levels, rematch, start),
      h('div', { class: 'buttons wide' }, lobby, again, leave),
    ),
    update: (/** @type {State} */ state) => update(steps, state),
    unbind: () => clearInterval(timer),
  };
}

/** A button that plays on at a level of exceptions. @param {App} app @param {'easy' | 'hard'} exceptions @param {number} level */
function levelButton(app, exceptions, level) {
  const button = h('button', { type: 'button', text: strings.againAt(level) });
  button.dataset.level = String(level);
  button.addEventListener('click', () => {
    for (const message of playOnMessages(app.state(), exceptions)) app.send(message);
  });
  return button;
}

/** Ask for the next race, or no longer. @param {App} app */
function ask(app) {
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

/** Return what the next race is called. @param {RoomView} room @param {Wishes} wishes */
function nextRace({ match, settings }, { alone }) {
  const words = strings.RESULTS;
  if (match && match.rounds > 1)
    return match.over ? words.newMatch : strings.nextOf(match.n.length + 1, match.rounds);
  if (!alone) return words.rematch;
  return settings.deal === 'secret' ? words.newDeal : words.replay;
}

/** @param {Steps} steps @param {State} state */
function update(steps, state) {
  const { rematch, lobby, levels, wait } = steps;
  const { room } = state;
  if (!room) return;
  const words = strings.RESULTS;
  const all = wishes(state);
  const host = amHost(state);
  write(rematch, all.mine ? words.notAfterAll : nextRace(room, all));
  write(wait, strings.wanting(all));
  wait.hidden = wait.textContent === '';
  const level = room.settings.exceptions;
  const byLevel = host && all.alone && level !== 'off';
  levels.forEach((button, i) => {
    button.hidden = !host || level === 'off';
    button.classList.toggle('primary', byLevel && LEVELS[i] === level);
  });
  // A player alone chooses the next game by its level, where there are levels.
  rematch.hidden = byLevel;
  rematch.classList.toggle('primary', !all.mine);
  lobby.hidden = !host;
  updateStart(steps, state);
}

/** Let the host begin without those who do not answer. @param {Steps} steps @param {State} state */
function updateStart({ app, start }, state) {
  const { missing } = wishes(state);
  start.hidden = !mayStart(state, app.now());
  write(start, strings.startWithout(missing));
}
