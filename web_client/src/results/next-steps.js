// The next steps after a round: another round here, a new room for all, the same deal alone, or
// leaving.

import { strings } from '../core/language.js';
import { playOnMessages, sameDeal } from '../core/practice.js';
import { storedName, storedSeat } from '../core/preferences.js';
import { amHost, mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {object} Steps
 * @property {App} app
 * @property {boolean} asked whether this player has asked for a rematch
 * @property {HTMLElement} next
 * @property {HTMLElement} rematch
 * @property {HTMLElement[]} levels
 * @property {HTMLElement} wait
 */

const LEVELS = /** @type {const} */ (['easy', 'hard']);

/** Bind the buttons. @param {App} app */
export function bindNextSteps(app) {
  const words = strings.RESULTS;
  /** @type {Steps} */
  const steps = {
    app,
    asked: false,
    next: h('button', {
      id: 'next',
      type: 'button',
      class: 'primary',
      onclick: () => app.send({ type: 'next_round' }),
    }),
    rematch: h('button', { id: 'rematch', type: 'button', onclick: () => goToRematch(steps) }),
    levels: LEVELS.map((exceptions, i) => levelButton(app, exceptions, i + 1)),
    wait: h('p', { class: 'small-text', id: 'next-steps' }),
  };
  const again = h('button', { id: 'again', type: 'button', text: words.again });
  again.addEventListener('click', () => playAgain(app));
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);
  return {
    element: h(
      'div',
      { class: 'next-steps' },
      steps.wait,
      h('div', { class: 'buttons wide' }, ...steps.levels, steps.next, steps.rematch, again, leave),
    ),
    update: (/** @type {State} */ state) => update(steps, state),
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

/** Return the player's name for another room. @param {App} app */
function nameOf(app) {
  return storedName() || (mySeat(app.state())?.name ?? strings.RESULTS.me);
}

/** Open a room for this player alone, with the deal and the rules of this round. @param {App} app */
function playAgain(app) {
  const { room, over } = app.state();
  if (!room || !over) return;
  const settings = sameDeal(room.settings, over.reveal);
  app.enter({ type: 'create', name: nameOf(app), settings }, { alone: true });
}

/** Go to the room of the rematch; the first player who asks for it opens it. @param {Steps} steps */
function goToRematch(steps) {
  const { app } = steps;
  const { room, me } = app.state();
  const code = room?.rematch;
  if (!code) {
    steps.asked = true;
    app.send({ type: 'rematch' });
  } else if (storedSeat(code)) app.visit(code);
  else {
    const role = me?.role ?? 'player';
    app.enter({ type: 'join', room: code, name: nameOf(app), role }, { alone: false });
  }
}

/** @param {Steps} steps @param {State} state */
function update(steps, state) {
  const { app, next, rematch, levels, wait } = steps;
  const words = strings.RESULTS;
  const { room, me } = state;
  if (steps.asked && room?.rematch) {
    steps.asked = false;
    app.announce(strings.NEWS.rematchMine);
    goToRematch(steps);
    return;
  }
  const host = amHost(state);
  const others = room?.seats.some(({ seat }) => seat !== me?.seat) ?? false;
  const played = room?.match;
  const goesOn = played && !played.over && played.rounds > 1;
  const after = played && played.rounds > 1 ? words.newMatch : words.next;
  write(next, goesOn ? strings.nextOf(played.n.length + 1, played.rounds) : after);
  write(rematch, room?.rematch ? words.follow : words.rematch);
  const guest = played && played.rounds > 1 && played.over ? words.waitMatch : words.wait;
  write(wait, room?.rematch ? words.rematchOpen : host || !others ? '' : guest);
  next.hidden = !host;
  const level = room?.settings.exceptions ?? 'off';
  levels.forEach((button, i) => {
    button.hidden = !host || level === 'off';
    button.classList.toggle('primary', LEVELS[i] === level);
  });
  next.classList.toggle('primary', level === 'off');
  rematch.hidden = !others;
  rematch.classList.toggle('primary', !host && Boolean(room?.rematch));
  wait.hidden = wait.textContent === '';
}
