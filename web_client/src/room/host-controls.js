// The host's controls of a running race: end it for the slow players, abort it while nobody has won,
// remove a player.

import { coloursOf } from '../state/seat-colours.js';
import { controlsRace, isPlaying, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/ask.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';
import { checkBox, settingBox } from './admission.js';

/**
 * @import {SeatView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {object} Controls
 * @property {App} app
 * @property {HTMLDialogElement} dialog
 * @property {HTMLElement} about the sentence beside `abort`
 * @property {HTMLElement} abort
 * @property {HTMLElement} close
 * @property {HTMLElement} players
 * @property {ReturnType<typeof settingBox>} lock
 */

/** The times that the host can leave to the players who still race. */
const GRACES_S = [30, 60, 300];

/**
 * Remove a player, after a question: it cannot be undone. A computer player can be added again, so
 * none is asked unless it races, and there is nobody to ban.
 * @param {App} app
 * @param {SeatView} seat
 */
export async function removePlayer(app, { seat, name, state, level }) {
  const isRacing = state === 'RACING';
  const text = strings.kickText(name, isRacing);
  if (level) {
    if (!isRacing || (await ask({ ...strings.ASK.kick, text, grave: true })))
      app.send({ type: 'kick', seat });
    return;
  }
  const { field: ban, label: option } = checkBox('kick-ban', strings.ADMISSION.ban);
  if (await ask({ ...strings.ASK.kick, text, option, grave: true }))
    app.send({ type: 'kick', seat, ban: ban.checked });
}

/** Bind the button and its dialog. @param {App} app */
export function bindHostControls(app) {
  const controls = makeControls(app);
  const { dialog } = controls;
  const button = h('button', {
    id: 'host',
    class: 'header-tool icon host-controls-button',
    title: strings.HOST.title,
    'aria-label': strings.HOST.title,
    'aria-haspopup': 'dialog',
    onclick() {
      document.body.append(dialog);
      draw(controls, app.state());
      dialog.showModal();
    },
  });
  return {
    button,
    /** @param {State} state */
    update(state) {
      button.hidden = !controlsRace(state);
      if (button.hidden && dialog.open) dialog.close();
      if (dialog.open) draw(controls, state);
    },
    unbind() {
      if (dialog.open) dialog.close();
      dialog.remove();
    },
  };
}

/** Make the dialog. @param {App} app @returns {Controls} */
function makeControls(app) {
  const words = strings.HOST;
  const players = h('ul', { class: 'player-list' });
  const about = h('p', { text: words.abortAbout });
  const close = h('button', {
    id: 'host-controls-close',
    text: words.close,
    onclick: () => dialog.close(),
  });
  const abort = h('button', {
    id: 'abort',
    'data-kind': 'grave',
    text: words.abort,
    async onclick() {
      if (!(await ask({ ...strings.ASK.abort, grave: true }))) return;
      dialog.close();
      app.send({ type: 'abort' });
    },
  });
  const graces = GRACES_S.map((seconds) => {
    const button = h('button', { text: strings.graceOf(seconds) });
    button.dataset.grace = String(seconds);
    button.addEventListener('click', () => {
      app.send({ type: 'end', grace_s: seconds });
      dialog.close();
    });
    return button;
  });
  const lock = settingBox(app, 'locked', strings.ADMISSION.locked, 'host-controls-lock');
  const dialog = h(
    'dialog',
    { class: 'host-controls', id: 'host-controls', 'aria-labelledby': 'host-controls-title' },
    h('h2', { id: 'host-controls-title', text: words.title }),
    h('p', { text: words.end }),
    h('div', { class: 'buttons buttons-wide' }, ...graces),
    about,
    h('div', { class: 'buttons buttons-wide' }, abort),
    lock.label,
    players,
    h('div', { class: 'buttons' }, close),
  );
  return { app, dialog, about, abort, close, players, lock };
}

/** Draw the dialog. @param {Controls} controls @param {State} state */
function draw({ app, about, abort, close, players, lock }, state) {
  // A round that a ranked player has won counts; the server refuses to abort it.
  const won = state.standings.some((each) => each.won && each.place !== null);
  if (won && document.activeElement === abort) close.focus();
  abort.hidden = won;
  if (state.room) lock.update(state.room.settings);
  write(about, won ? strings.HOST.won : strings.HOST.abortAbout);
  // The players come before the spectators, of whom there can be many.
  const rank = (/** @type {SeatView} */ { role }) => (role === 'player' ? 0 : 1);
  const others = (state.room?.seats ?? [])
    .filter(
      (each) => each.seat !== state.me?.seat && (each.connection !== 'gone' || isPlaying(each)),
    )
    .toSorted((a, b) => rank(a) - rank(b));
  const colours = coloursOf(state.room);
  keyed(
    players,
    others,
    ({ seat }) => String(seat),
    (seat) => makePlayerRow(app, seat),
    (item, seat) => {
      const [name, tags, standIn, remove] = item.children;
      if (name) writeName(name, seat.name, programAt(seat), colours(seat.seat));
      const isGone = seat.connection === 'gone';
      if (tags) write(tags, isGone ? strings.HOST.gone : strings.seatState(seat));
      if (standIn instanceof HTMLElement) standIn.hidden = !isGone || Boolean(seat.level);
      standIn?.setAttribute('aria-label', strings.standInLabel(seat.name));
      remove?.setAttribute('aria-label', strings.kickLabel(seat.name));
    },
  );
}

/** Make the row of a player, with the buttons that bring a stand-in and remove the player. @param {App} app @param {SeatView} seat */
function makePlayerRow(app, seat) {
  const remove = h('button', {
    'data-kind': 'quiet',
    text: strings.HOST.kick,
    onclick: () => removePlayer(app, seat),
  });
  const standIn = h('button', {
    'data-kind': 'quiet',
    text: strings.HOST.standIn,
    onclick: () => app.send({ type: 'add_stand_in', seat: seat.seat, level: 'club' }),
  });
  standIn.dataset.action = 'stand-in';
  const item = h(
    'li',
    {},
    h('span', { class: 'text-cut player-name', dir: 'auto' }),
    h('span', { class: 'player-tags' }),
    standIn,
    remove,
  );
  item.dataset.seat = String(seat.seat);
  return item;
}
