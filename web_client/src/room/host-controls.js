// The host's controls over players and a running race: end it for the slow players, abort it while nobody
// has won, remove a player.

import { coloursOf, controlsRace, isPlaying, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask, writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { configure } from './settings.js';

/**
 * @import {SeatView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The times that the host can leave to the players who still race. */
const GRACES_S = [30, 60, 300];

/** Make a check box with a label, for a dialog. @param {string} id @param {string} text @param {() => void} [onchange] */
function checkBox(id, text, onchange) {
  const field = h('input', { id, type: 'checkbox', onchange });
  const label = h(
    'label',
    { class: 'field-check host-controls-check' },
    field,
    h('span', { text }),
  );
  return { field, label };
}

/**
 * Remove a player, after a question: it cannot be undone. A computer player can be added again, so
 * none is asked unless it races, and there is nobody to ban.
 * @param {App} app
 * @param {SeatView} seat
 */
export async function removePlayer(app, { seat, name, state, level }) {
  const isRacing = state === 'RACING';
  const { field: ban, label: option } = checkBox('kick-ban', strings.ADMISSION.ban);
  const question = { ...strings.ASK.kick, text: strings.kickText(name, isRacing), grave: true };
  if (level) {
    if (!isRacing || (await ask(question))) app.send({ type: 'kick', seat });
  } else if (await ask({ ...question, option })) app.send({ type: 'kick', seat, ban: ban.checked });
}

/** Bind the button and its dialog. @param {App} app */
export function bindHostControls(app) {
  const words = strings.HOST;
  const about = h('p');
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
  const graces = GRACES_S.map((seconds) =>
    h('button', {
      text: strings.duration(seconds),
      'data-grace': seconds,
      onclick() {
        app.send({ type: 'end', grace_s: seconds });
        dialog.close();
      },
    }),
  );
  const lock = checkBox('host-controls-lock', strings.ADMISSION.locked, () =>
    configure(app, (settings) => ({ ...settings, locked: lock.field.checked })),
  );
  const players = h('ul');
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

  /** Draw the dialog. @param {State} state */
  function draw(state) {
    // A round that a ranked player has won counts; the server refuses to abort it.
    const won = state.standings.some((each) => each.won && each.place !== null);
    if (won && document.activeElement === abort) close.focus();
    abort.hidden = won;
    write(about, won ? words.won : words.abortAbout);
    set(lock.field, { checked: state.room?.settings.locked });
    drawPlayers(app, players, state);
  }

  const button = h('button', {
    id: 'host',
    class: 'header-tool icon host-controls-button',
    title: words.title,
    'aria-label': words.title,
    'aria-haspopup': 'dialog',
    onclick() {
      document.body.append(dialog);
      draw(app.state());
      dialog.showModal();
    },
  });
  return {
    button,
    /** @param {State} state */
    update(state) {
      button.hidden = !controlsRace(state);
      if (button.hidden && dialog.open) dialog.close();
      if (dialog.open) draw(state);
    },
    unbind() {
      if (dialog.open) dialog.close();
      dialog.remove();
    },
  };
}

/** Draw the other players, and the spectators below them, of whom there can be many. @param {App} app @param {HTMLElement} list @param {State} state */
function drawPlayers(app, list, { room, me }) {
  const others = (room?.seats ?? []).filter(
    (each) => each.seat !== me?.seat && (each.connection !== 'gone' || isPlaying(each)),
  );
  const colours = coloursOf(room);
  keyed(
    list,
    others.toSorted((a, b) => Number(b.role === 'player') - Number(a.role === 'player')),
    ({ seat }) => String(seat),
    (seat) => makeRow(app, seat),
    (row, seat) => {
      const isGone = seat.connection === 'gone';
      writeName(partOf(row, 'name'), seat.name, programAt(seat), colours(seat.seat));
      write(
        partOf(row, 'about'),
        isGone ? strings.CONNECTIONS.gone : strings.SEAT_STATES[seat.state],
      );
      partOf(row, 'stand-in').hidden = !isGone || Boolean(seat.level);
    },
  );
}

/** @param {HTMLElement} row @param {string} name */
const partOf = (row, name) =>
  /** @type {HTMLElement} */ (row.querySelector(`[data-part="${name}"]`));

/** Make the row of a player, with the buttons that bring a stand-in and remove the player. @param {App} app @param {SeatView} seat */
function makeRow(app, seat) {
  const words = strings.HOST;
  return h(
    'li',
    { 'data-seat': seat.seat },
    h('span', { class: 'text-cut host-controls-name', 'data-part': 'name', dir: 'auto' }),
    h('span', { class: 'host-controls-about', 'data-part': 'about' }),
    h('button', {
      'data-kind': 'quiet',
      'data-part': 'stand-in',
      'data-action': 'stand-in',
      text: words.standIn,
      'aria-label': strings.DO_TO.standIn(seat.name),
      onclick: () => app.send({ type: 'add_stand_in', seat: seat.seat, level: 'club' }),
    }),
    h('button', {
      'data-kind': 'quiet',
      text: words.kick,
      'aria-label': strings.DO_TO.kick(seat.name),
      onclick: () => removePlayer(app, seat),
    }),
  );
}
