// The header of the race: the clocks, the player's figures, and the tools, from preferences to leaving.

import { onPreference, preference, preferNext, storedBest } from '../browser/storage.js';
import { nextCards } from '../page/appearance.js';
import { bindHostControls } from '../room/host-controls.js';
import { dealId } from '../state/next-game.js';
import { isForOne, isOnlyRacer, lateBy, mayChase, mayTakeBack, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { makeFigures, showPlace, updateFigures } from './figures.js';
import { giveUp, restart } from './game-over.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {Figures} from './figures.js'
 * @import {Lead} from './lead.js'
 * @typedef {Bound & {element: HTMLElement}} HostControls
 * @typedef {object} Header
 * @property {App} app
 * @property {HTMLElement} time the time that has passed
 * @property {HTMLElement} timeLeft
 * @property {HTMLElement} best the best result so far of a player who practises alone
 * @property {Figures} figures
 * @property {HTMLElement} mute
 * @property {HTMLElement} restart
 * @property {HTMLElement} chase
 * @property {HTMLElement} forfeit
 * @property {HTMLElement} leave
 * @property {HostControls} host
 */

const TICK_MS = 200;
/** Less time than this is highlighted. */
const SOON_MS = 60_000;

/**
 * Make a button with a picture or a sign.
 * @param {string} id
 * @param {string} label
 * @param {() => void} onclick
 * @param {{text?: string, spoken?: string}} [options] `text` is a sign instead of a picture
 */
const tool = (id, label, onclick, { text, spoken = label } = {}) =>
  h('button', {
    id,
    class: text ? 'header-tool' : 'header-tool icon',
    'data-tool': id,
    title: label,
    'aria-label': spoken,
    text,
    onclick,
  });

/** Make the button that gives up; on a narrow page a flag replaces its word. @param {App} app */
function forfeitButton(app) {
  const text = strings.HEADER.forfeit;
  return h(
    'button',
    {
      id: 'forfeit',
      class: 'icon race-act header-forfeit',
      'data-kind': 'quiet',
      title: text,
      onclick: () => giveUp(app),
    },
    h('span', { class: 'race-act-word', text }),
  );
}

/** Make the button for latecomers; a narrow page has no room for its second word. @param {App} app */
function chaseButton(app) {
  const words = strings.HEADER;
  return h(
    'button',
    {
      id: 'chase',
      'data-kind': 'primary',
      title: words.chaseLabel,
      onclick: () => app.send({ type: 'chase' }),
    },
    words.chase,
    h('span', { class: 'header-chase-more', text: words.chaseMore }),
  );
}

/** Make the button of the host's controls. @param {App} app @returns {HostControls} */
function makeHostControls(app) {
  const { button, ...controls } = bindHostControls(app);
  return { element: h('span', { class: 'header-host' }, button), ...controls };
}

/** Bind the header of the race. @param {App} app @param {Lead} lead @param {() => void} openHelp */
export function bindHeader(app, lead, openHelp) {
  const words = strings.HEADER;
  /** @type {Header} */
  const header = {
    app,
    time: h('span', {
      class: 'header-time',
      id: 'clock',
      role: 'timer',
      'aria-label': words.time,
      'aria-live': 'off',
    }),
    timeLeft: h('span', { class: 'header-left', id: 'time-left' }),
    best: h('span', { class: 'header-left', id: 'best' }),
    figures: makeFigures(app, lead),
    mute: tool('mute', words.mute, () => preferNext('muted')),
    restart: tool('restart', words.restart, () => restart(app), {
      text: '↻',
      spoken: words.restartLabel,
    }),
    chase: chaseButton(app),
    forfeit: forfeitButton(app),
    leave: h('button', {
      id: 'leave',
      'data-kind': 'quiet',
      text: words.leave,
      onclick: app.leave,
    }),
    host: makeHostControls(app),
  };
  const showMuted = () => header.mute.setAttribute('aria-pressed', String(preference('muted')));
  const unbindMuted = onPreference(showMuted);
  showMuted();
  const timer = setInterval(() => tick(header), TICK_MS);

  return {
    element: h(
      'header',
      { class: 'header', id: 'race-top' },
      h('div', { class: 'header-clocks' }, header.time, header.timeLeft, header.best),
      header.figures.element,
      h(
        'div',
        { class: 'header-tools' },
        tool('colours', words.colours, nextCards, { text: '♦' }),
        header.mute,
        tool('looks', strings.PREFERENCES_TITLE, app.openPreferences),
        tool('help', words.help, openHelp, { text: '?' }),
        header.restart,
        header.host.element,
        header.chase,
        header.forfeit,
        header.leave,
      ),
    ),
    /** @param {State} state */
    update(state) {
      updateFigures(header.figures, state);
      drawBest(header.best, state);
      header.host.update(state);
      header.forfeit.hidden = !plays(state) || mayTakeBack(state);
      header.chase.hidden = !mayChase(state);
      header.leave.hidden = !header.forfeit.hidden;
      header.restart.hidden = header.forfeit.hidden || !isOnlyRacer(state);
      tick(header);
    },
    /** Show the place in the standings that the leaderboard shows. */
    showPlace: () => showPlace(header.figures, app.state()),
    unbind() {
      header.host.unbind();
      unbindMuted();
      clearInterval(timer);
    },
  };
}

/** Show the best result in this deal or game so far, in practice. @param {HTMLElement} element @param {State} state */
function drawBest(element, { room }) {
  if (!room || !isForOne(room)) {
    element.hidden = true;
    return;
  }
  const { round, settings } = room;
  if (element.dataset.n === String(round?.n)) return;
  element.dataset.n = String(round?.n);
  const deal = dealId(settings.game, settings);
  const best = (deal && storedBest('deal', deal)) || storedBest('game', settings.game);
  element.hidden = !best;
  write(element, best ? strings.ownBest(best) : '');
}

/** Show the time that has passed, on this player's own clock while the player plays, and the time that is left. @param {Header} header */
function tick({ app, time, timeLeft }) {
  const state = app.state();
  const round = state.room?.round;
  if (!round) return;
  const now = Math.min(app.now(), round.ended ?? Number.POSITIVE_INFINITY);
  write(time, strings.clock(now - round.t0 - (plays(state) ? lateBy(state) : 0)));
  const msLeft = round.t_end === null ? null : round.t_end - now;
  write(timeLeft, msLeft === null ? '' : strings.timeLeft(msLeft));
  if (round.t_end !== null) reserve(timeLeft, strings.timeLeft(round.t_end - round.t0));
  timeLeft.toggleAttribute('data-soon', msLeft !== null && msLeft < SOON_MS);
}

/** Keep the room of a longer text, since the figures beside it must not move. @param {HTMLElement} element @param {string} text */
function reserve({ dataset }, text) {
  if (text.length > (dataset.widest?.length ?? 0)) dataset.widest = text;
}
