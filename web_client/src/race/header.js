// The head of the race: the clock, one's own figures, taste, and the way out.

import { strings } from '../core/language.js';
import { practising, restart } from '../core/practice.js';
import { onPreference, preference, preferNext } from '../core/preferences.js';
import { hintsTaken, lateBy, mayChase, plays } from '../core/reducer.js';
import { nextCards, openOptions } from '../shared/appearance.js';
import { ask } from '../shared/ask.js';
import { h, write } from '../shared/element.js';
import { bindPowers } from './host-controls.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

const TICK = 200;
const SOON = 60_000;

/** @param {App} app @param {() => void} help */
export function bindHeader(app, help) {
  const words = strings.HEADER;
  const time = h('span', {
    class: 'time',
    id: 'clock',
    role: 'timer',
    'aria-label': words.time,
    'aria-live': 'off',
  });
  const left = h('span', { class: 'left' });
  const score = h('b', { id: 'score' });
  const moves = h('b', { id: 'moves' });
  const home = h('b', { id: 'home' });
  const hidden = h('b', { id: 'face-down' });
  const cheats = h('b', { id: 'cheats' });
  const figure = (/** @type {HTMLElement} */ value, /** @type {string} */ label) =>
    h('span', { class: 'figure' }, value, h('span', { text: label }));
  const cheating = h(
    'button',
    {
      type: 'button',
      class: 'figure kept',
      title: strings.CHEAT,
      onclick: () => app.announce(strings.CHEAT),
    },
    cheats,
    h('span', { text: words.cheats }),
  );
  const exceptions = h('b', { id: 'exceptions' });
  const excepting = figure(exceptions, words.exceptions);
  excepting.classList.add('kept');
  const hints = h('b', { id: 'hints' });
  const hinting = figure(hints, words.hints);
  hinting.classList.add('kept');

  const mute = h('button', {
    id: 'mute',
    type: 'button',
    class: 'icon',
    title: words.mute,
    'aria-label': words.mute,
    onclick: () => preferNext('muted'),
  });
  const colours = h('button', {
    id: 'colours',
    type: 'button',
    class: 'icon',
    title: words.colours,
    'aria-label': words.colours,
    text: '♦',
    onclick: nextCards,
  });
  const looks = h('button', {
    id: 'looks',
    type: 'button',
    class: 'icon gear',
    title: strings.PREFERENCES_TITLE,
    'aria-label': strings.PREFERENCES_TITLE,
    onclick: openOptions,
  });
  const helping = h('button', {
    id: 'help',
    type: 'button',
    class: 'icon',
    title: words.help,
    'aria-label': words.help,
    text: '?',
    onclick: help,
  });
  const restarting = h('button', {
    id: 'restart',
    type: 'button',
    class: 'icon',
    title: words.restart,
    'aria-label': words.restartLabel,
    text: '↻',
    onclick: again,
  });
  const forfeit = h('button', {
    id: 'forfeit',
    type: 'button',
    class: 'quiet',
    title: words.forfeit,
  });
  forfeit.append(h('span', { class: 'word', text: words.forfeit }));
  forfeit.addEventListener('click', giveUp);
  const chase = h('button', {
    id: 'chase',
    type: 'button',
    class: 'primary',
    title: words.chaseLabel,
    text: words.chase,
    onclick: () => app.say({ type: 'chase' }),
  });
  const powers = bindPowers(app);
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);

  const element = h(
    'header',
    { class: 'bar-top' },
    h('div', { class: 'clocks' }, time, left),
    h(
      'div',
      { class: 'figures' },
      figure(score, words.score),
      figure(moves, words.moves),
      excepting,
      hinting,
      figure(hidden, words.faceDown),
      figure(home, words.home),
      cheating,
    ),
    h(
      'div',
      { class: 'tools' },
      colours,
      mute,
      looks,
      helping,
      restarting,
      powers.button,
      chase,
      forfeit,
      leave,
    ),
  );

  async function giveUp() {
    const yes = await ask({ ...strings.ASK.forfeit, grave: true });
    if (yes) app.say({ type: 'forfeit' });
  }

  async function again() {
    const room = app.state().room;
    const open = room && restart(room) !== null;
    const yes = await ask({
      ...(open ? strings.ASK.restart : strings.ASK.restartSecret),
      grave: !open,
    });
    if (yes) restartNow();
  }

  /** The deal once more; a secret one is given up for that. */
  function restartNow() {
    const room = app.state().room;
    if (room?.state !== 'RUNNING') return;
    const steps = restart(room);
    for (const message of steps ?? []) app.say(message);
    if (!steps) app.say({ type: 'forfeit' });
  }

  const showMuted = () => mute.setAttribute('aria-pressed', String(preference('muted')));
  const unbindMuted = onPreference(showMuted);
  showMuted();

  function tick() {
    const state = app.state();
    const round = state.room?.round;
    if (!round) return;
    const own = state.standings.find((standing) => standing.seat === state.me?.seat);
    const base = state.play?.base;
    const ended = own?.finished_ms ?? (base?.outcome ? base.elapsed_ms : null);
    write(time, strings.clock(ended ?? app.now() - round.t0 - lateBy(state)));
    const rest = round.t_end === null || ended !== null ? null : round.t_end - app.now();
    write(left, rest === null ? '' : strings.timeLeft(rest));
    left.classList.toggle('soon', rest !== null && rest < SOON);
  }
  const timer = setInterval(tick, TICK);

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
      cheating.hidden = !counts?.cheats; // a room that counts none has none to show
      write(exceptions, String(counts?.exceptions ?? 0));
      excepting.hidden = state.room?.settings.exceptions === 'off';
      write(hints, String(hintsTaken(state)));
      hinting.hidden = !state.room?.settings.hints;
      powers.update(state);
      forfeit.hidden = !plays(state);
      chase.hidden = !mayChase(state);
      leave.hidden = !forfeit.hidden;
      restarting.hidden = forfeit.hidden || !practising(state);
      tick();
    },
    unbind() {
      powers.unbind();
      unbindMuted();
      clearInterval(timer);
    },
  };
}
