// The header of the race: the clocks, the player's figures, and the tools, from preferences to leaving.

import { fetchStrings, strings } from '../core/language.js';
import { restartMessages } from '../core/practice.js';
import { onPreference, preference, preferNext } from '../core/preferences.js';
import {
  amHost,
  controlsRace,
  hintsTaken,
  isOneOfSeveral,
  isPractice,
  lateBy,
  mayChase,
  plays,
} from '../core/reducer.js';
import { nextCards, openPreferences } from '../shared/appearance.js';
import { ask } from '../shared/ask.js';
import { h, loadSheet, write } from '../shared/element.js';
import { bindPart } from '../shared/lazy-part.js';
import { hasFaceDown } from './places.js';
import { canWatchLater } from './watching.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {ReturnType<typeof makeFigures>} Figures
 * @typedef {Bound & {element: HTMLElement}} HostControls
 * @typedef {object} Header
 * @property {App} app
 * @property {HTMLElement} time the time that has passed
 * @property {HTMLElement} timeLeft
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

/** Make a figure with its label. @param {HTMLElement} value @param {string} label @param {string} [classes] */
const figure = (value, label, classes = '') =>
  h(
    'span',
    { class: `race-figure${classes}`, 'data-part': 'figure' },
    value,
    h('span', { text: label }),
  );

/** Make the player's figures. On a low screen those that only some rooms count come first. @param {App} app */
function makeFigures(app) {
  const words = strings.HEADER;
  const value = (/** @type {string} */ id) => h('b', { id });
  const values = {
    score: value('score'),
    moves: value('moves'),
    exceptions: value('exceptions'),
    hints: value('hints'),
    hidden: value('face-down'),
    home: value('home'),
    stock: value('in-stock'),
    cardsHome: value('cards-home'),
    cheats: value('cheats'),
  };
  const OF_SOME_ROOMS = ' race-figure-kept';
  const exceptions = figure(values.exceptions, words.exceptions, OF_SOME_ROOMS);
  const hints = figure(values.hints, words.hints, OF_SOME_ROOMS);
  // A game has either columns with face-down cards, or foundations for single cards.
  const ofColumns = [figure(values.hidden, words.faceDown), figure(values.home, words.home)];
  const ofCards = [figure(values.cardsHome, words.cardsHome), figure(values.stock, words.inStock)];
  const cheats = h(
    'button',
    {
      type: 'button',
      class: `race-figure${OF_SOME_ROOMS}`,
      'data-part': 'figure',
      onclick: () => app.announce(cheatRule(app.state())),
    },
    values.cheats,
    h('span', { text: words.cheats }),
  );
  const element = h(
    'div',
    { class: 'race-figures', id: 'figures' },
    figure(values.score, words.score),
    figure(values.moves, words.moves),
    exceptions,
    hints,
    ...ofColumns,
    ...ofCards,
    cheats,
  );
  return { element, values, exceptions, hints, cheats, ofColumns, ofCards };
}

/** Make a button with a picture or a sign. @param {string} id @param {string} label @param {() => void} onclick @param {{text?: string, classes?: string, spoken?: string}} [options] */
const tool = (id, label, onclick, { text, classes = '', spoken = label } = {}) =>
  h('button', {
    id,
    type: 'button',
    class: `icon${classes}`,
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
    { id: 'forfeit', type: 'button', class: 'quiet', title: text, onclick: () => giveUp(app) },
    h('span', { class: 'button-word', text }),
  );
}

/** Make the button for latecomers; a narrow page has no room for its second word. @param {App} app */
function chaseButton(app) {
  const words = strings.HEADER;
  return h(
    'button',
    {
      id: 'chase',
      type: 'button',
      class: 'primary',
      title: words.chaseLabel,
      onclick: () => app.send({ type: 'chase' }),
    },
    words.chase,
    h('span', { class: 'race-chase-more', text: words.chaseMore }),
  );
}

/** Make the place of the button of the host's controls, and load them. @param {App} app @returns {HostControls} */
function makeHostControls(app) {
  const place = h('button', { type: 'button', class: 'icon race-host-place', disabled: true });
  const element = h('span', { class: 'race-host' }, place);
  const load = () =>
    Promise.all([
      import('./host-controls.js'),
      fetchStrings('host', 'admission'),
      loadSheet('room'),
    ]);
  const part = bindPart('host controls', load, ([{ bindHostControls }]) => {
    const { button, ...controls } = bindHostControls(app);
    element.replaceChildren(button);
    return controls;
  });
  return {
    element,
    /** @param {State} state */
    update(state) {
      place.hidden = !controlsRace(state);
      part.update(state);
    },
    unbind: part.unbind,
  };
}

/** Bind the header of the race. @param {App} app @param {() => void} openHelp */
export function bindHeader(app, openHelp) {
  const words = strings.HEADER;
  /** @type {Header} */
  const header = {
    app,
    time: h('span', {
      class: 'race-time',
      id: 'clock',
      role: 'timer',
      'aria-label': words.time,
      'aria-live': 'off',
    }),
    timeLeft: h('span', { class: 'race-left', id: 'time-left' }),
    figures: makeFigures(app),
    mute: tool('mute', words.mute, () => preferNext('muted')),
    restart: tool('restart', words.restart, () => restart(app), {
      text: '↻',
      spoken: words.restartLabel,
    }),
    chase: chaseButton(app),
    forfeit: forfeitButton(app),
    leave: h('button', {
      id: 'leave',
      type: 'button',
      class: 'quiet',
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
      { class: 'race-top', id: 'race-top' },
      h('div', { class: 'race-clocks' }, header.time, header.timeLeft),
      header.figures.element,
      h(
        'div',
        { class: 'race-tools' },
        tool('colours', words.colours, nextCards, { text: '♦' }),
        header.mute,
        tool('looks', strings.PREFERENCES_TITLE, openPreferences, { classes: ' icon-sliders' }),
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
      header.host.update(state);
      header.forfeit.hidden = !plays(state);
      header.chase.hidden = !mayChase(state);
      header.leave.hidden = !header.forfeit.hidden;
      header.restart.hidden = header.forfeit.hidden || !isPractice(state);
      tick(header);
    },
    unbind() {
      header.host.unbind();
      unbindMuted();
      clearInterval(timer);
    },
  };
}

/** Return the explanation of the count of cheats. @param {State} state */
const cheatRule = ({ room }) => strings.cheatRule(room?.settings.undo);

/** Draw the figures, and hide those that the game or the room does not have. @param {Figures} figures @param {State} state */
function updateFigures(figures, state) {
  const { element, values, exceptions, hints, cheats, ofColumns, ofCards } = figures;
  const view = state.play?.shown;
  const counts = view?.counts;
  write(values.score, String(view?.score ?? '–'));
  write(values.moves, String(counts?.moves ?? '–'));
  write(values.home, String(counts?.suits ?? '–'));
  write(values.hidden, String(counts?.face_down ?? '–'));
  write(values.cardsHome, String(counts?.home ?? '–'));
  write(values.stock, String(counts?.stock ?? '–'));
  const hasColumns = hasFaceDown(state.room?.settings.game ?? '');
  for (const each of ofColumns) each.hidden = !hasColumns;
  for (const each of ofCards) each.hidden = hasColumns;
  write(values.cheats, String(counts?.cheats ?? 0));
  cheats.title = cheatRule(state);
  cheats.hidden = !counts?.cheats; // a room without the setting never counts any
  write(values.exceptions, String(counts?.exceptions ?? 0));
  exceptions.hidden = state.room?.settings.exceptions === 'off';
  write(values.hints, String(hintsTaken(state)));
  hints.hidden = !state.room?.settings.hints;
  const hasMore = !exceptions.hidden || !hints.hidden;
  element.classList.toggle('race-figures-cheats', !cheats.hidden);
  element.classList.toggle('race-figures-full', !cheats.hidden && hasMore);
  for (const [name, word] of Object.entries(strings.FIGURE_OF_ONE)) {
    const value = values[/** @type {keyof typeof values} */ (name)];
    writeLabel(value, word, strings.HEADER[/** @type {'moves'} */ (name)]);
  }
}

/** Write the label of a figure, in the singular for 1, and without a shift of the other figures. @param {HTMLElement} value @param {string} one @param {string} many */
function writeLabel(value, one, many) {
  const label = value.nextElementSibling;
  const text = value.textContent === '1' ? one : many;
  if (!(label instanceof HTMLElement) || label.textContent === text) return;
  label.style.minWidth = text === one ? `${label.offsetWidth}px` : '';
  write(label, text);
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
  timeLeft.classList.toggle('race-soon', msLeft !== null && msLeft < SOON_MS);
}

/** Keep the room of a longer text, since the figures beside it must not move. @param {HTMLElement} element @param {string} text */
function reserve({ dataset }, text) {
  if (text.length > (dataset.widest?.length ?? 0)) dataset.widest = text;
}

/** The shortest time that a host can leave to the race. */
const LEAST_GRACE_S = 5;

/** End the race of a player who races alone: the host ends it for all, others can only give up. @param {App} app */
export function endRace(app) {
  if (amHost(app.state())) app.send({ type: 'end', grace_s: LEAST_GRACE_S });
  else giveUp(app);
}

/** Give up, after a question. @param {App} app */
async function giveUp(app) {
  const state = app.state();
  const inCompany =
    state.room && isOneOfSeveral(state.room) ? strings.ASK.forfeitRound : strings.ASK.forfeit;
  const forfeit = isPractice(state) ? strings.ASK.forfeitAlone : inCompany;
  const text = canWatchLater(state) ? `${forfeit.text} ${strings.WATCH_OTHERS}` : forfeit.text;
  if (await ask({ ...forfeit, text, grave: true })) app.send({ type: 'forfeit' });
}

/** Deal the same cards again, after a question; a game of a secret deal can only be given up. @param {App} app */
async function restart(app) {
  const before = app.state().room;
  const canRestart = before && restartMessages(before) !== null;
  const question = canRestart ? strings.ASK.restart : strings.ASK.restartSecret;
  if (!(await ask({ ...question, grave: !canRestart }))) return;
  const { room } = app.state();
  if (room?.state !== 'RUNNING') return;
  const messages = restartMessages(room);
  for (const message of messages ?? []) app.send(message);
  if (!messages) app.send({ type: 'forfeit' });
}
