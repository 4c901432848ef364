// The head of the race: the clock, one's own figures, taste, and the way out.

import { ask } from './ask.js';
import { h, write } from './element.js';
import { practising, restart } from './practice.js';
import { likes, setLiking } from './preferences.js';
import { mySeat } from './reducer.js';
import * as strings from './strings.js';

/**
 * @import {State} from './reducer.js'
 * @import {App} from './main.js'
 */

const TICK = 200;
const SOON = 60_000;

/** @param {App} app */
export function bindHeader(app) {
  const time = h('span', { class: 'time', id: 'clock', role: 'timer', 'aria-label': 'Time' });
  const left = h('span', { class: 'left' });
  const score = h('b', { id: 'score' });
  const moves = h('b', { id: 'moves' });
  const home = h('b', { id: 'home' });
  const hidden = h('b', { id: 'face-down' });
  const cheats = h('b', { id: 'cheats' });
  const figure = (/** @type {HTMLElement} */ value, /** @type {string} */ words) =>
    h('span', { class: 'figure' }, value, h('span', { text: words }));
  const cheating = figure(cheats, 'peeks');
  const exceptions = h('b', { id: 'exceptions' });
  const excepting = figure(exceptions, 'exceptions');
  excepting.classList.add('kept');

  const mute = h('button', {
    id: 'mute',
    type: 'button',
    class: 'icon',
    title: 'Mute',
    'aria-label': 'Mute',
    onclick: () => like('muted'),
  });
  const colours = h('button', {
    id: 'colours',
    type: 'button',
    class: 'icon',
    title: 'Four colours',
    'aria-label': 'Four colours',
    text: '♦',
    onclick: () => like('fourColours'),
  });
  const restarting = h('button', {
    id: 'restart',
    type: 'button',
    class: 'icon',
    title: 'Restart',
    'aria-label': 'Restart with the same deal',
    text: '↻',
    onclick: again,
  });
  const forfeit = h('button', { id: 'forfeit', type: 'button', class: 'quiet', text: 'Give up' });
  forfeit.addEventListener('click', giveUp);
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: 'Leave' });
  leave.addEventListener('click', app.leave);

  const element = h(
    'header',
    { class: 'bar-top' },
    h('div', { class: 'clocks' }, time, left),
    h(
      'div',
      { class: 'figures' },
      figure(score, 'score'),
      figure(moves, 'moves'),
      excepting,
      figure(hidden, 'face down'),
      figure(home, 'suits home'),
      cheating,
    ),
    h('div', { class: 'tools' }, colours, mute, restarting, forfeit, leave),
  );

  async function giveUp() {
    const yes = await ask({
      title: 'Give up this race?',
      text: 'Your score stands as it is, and you can watch the others.',
      yes: 'Give up',
      no: 'Play on',
      grave: true,
    });
    if (yes) app.say({ type: 'forfeit' });
  }

  async function again() {
    const room = app.state().room;
    const open = room && restart(room) !== null;
    const yes = await ask({
      title: 'Restart?',
      text: open ? strings.RESTART_OPEN : strings.RESTART_SECRET,
      yes: open ? 'Restart' : 'Give up',
      no: 'Play on',
      grave: !open,
    });
    const now = app.state().room;
    if (!yes || now?.state !== 'RUNNING') return;
    for (const message of restart(now) ?? []) app.say(message);
    if (!open) app.say({ type: 'forfeit' });
  }

  /** @param {import('./preferences.js').Taste} taste */
  function like(taste) {
    setLiking(taste, !likes(taste));
    app.sound.wake();
    showTaste();
  }

  function showTaste() {
    mute.setAttribute('aria-pressed', String(likes('muted')));
    colours.setAttribute('aria-pressed', String(likes('fourColours')));
    document.body.classList.toggle('four-colours', likes('fourColours'));
  }

  function tick() {
    const state = app.state();
    const round = state.room?.round;
    if (!round) return;
    const own = state.standings.find((standing) => standing.seat === state.me?.seat);
    const base = state.play?.base;
    const ended = own?.finished_ms ?? (base?.outcome ? base.elapsed_ms : null);
    write(time, strings.clock(ended ?? app.now() - round.t0));
    const rest = round.t_end === null || ended !== null ? null : round.t_end - app.now();
    write(left, rest === null ? '' : `${strings.clock(rest)} left`);
    left.classList.toggle('soon', rest !== null && rest < SOON);
  }
  const timer = setInterval(tick, TICK);
  showTaste();

  return {
    element,
    /** @param {State} state */
    update(state) {
      const view = state.play?.shown;
      const counts = view?.counts;
      write(score, String(view?.score ?? '–'));
      write(moves, String(counts?.moves ?? '–'));
      write(home, String(counts?.suits ?? '–'));
      write(hidden, String(counts?.face_down ?? '–'));
      write(cheats, String(counts?.cheats ?? 0));
      cheating.hidden = !counts?.cheats;
      write(exceptions, String(counts?.exceptions ?? 0));
      excepting.hidden = state.room?.settings.exceptions === 'off';
      forfeit.hidden = mySeat(state)?.state !== 'RACING';
      leave.hidden = !forfeit.hidden;
      restarting.hidden = forfeit.hidden || !practising(state);
      tick();
    },
    unbind: () => clearInterval(timer),
  };
}
