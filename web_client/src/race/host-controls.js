// What the host may do to a running race: end it for the slow, stop it while nobody has won, show
// somebody out.

import { strings } from '../core/language.js';
import { amHost } from '../core/reducer.js';
import { box, settingBox } from '../room/admission.js';
import { ask } from '../shared/ask.js';
import { h, keyed, write } from '../shared/element.js';

/**
 * @import {SeatView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

/** Seconds that the host may leave to those who still play. */
const GRACES = [30, 60, 300];

/** Asks first: it cannot be taken back. @param {App} app @param {SeatView} seat */
export async function showOut(app, { seat, name, state }) {
  const text = strings.kickText(name, state === 'RACING');
  const { field: ban, label: more } = box('kick-ban', strings.ADMISSION.ban);
  if (await ask({ ...strings.ASK.kick, text, more, grave: true }))
    app.say({ type: 'kick', seat, ban: ban.checked });
}

/** @param {App} app */
export function bindPowers(app) {
  const words = strings.HOST;
  const people = h('ul', { class: 'players' });
  const close = h('button', { type: 'button', id: 'powers-close', text: words.close });
  const about = h('p', { text: words.abortAbout });
  const abort = h('button', { type: 'button', id: 'abort', class: 'grave', text: words.abort });
  const graces = GRACES.map((seconds) => {
    const button = h('button', { type: 'button', text: strings.graceOf(seconds) });
    button.dataset.grace = String(seconds);
    button.addEventListener('click', () => {
      app.say({ type: 'end', grace_s: seconds });
      dialog.close();
    });
    return button;
  });
  const lock = settingBox(app, 'locked', strings.ADMISSION.locked, 'powers-lock');
  const dialog = h(
    'dialog',
    { id: 'powers', 'aria-labelledby': 'powers-title' },
    h('h2', { id: 'powers-title', text: words.title }),
    h('p', { text: words.end }),
    h('div', { class: 'buttons wide' }, ...graces),
    about,
    h('div', { class: 'buttons wide' }, abort),
    lock.label,
    people,
    h('div', { class: 'buttons' }, close),
  );
  const button = h('button', {
    id: 'host',
    type: 'button',
    class: 'icon crown',
    title: words.title,
    'aria-label': words.title,
    'aria-haspopup': 'dialog',
    onclick: open,
  });
  close.addEventListener('click', () => dialog.close());
  abort.addEventListener('click', async () => {
    if (await ask({ ...strings.ASK.abort, grave: true })) {
      dialog.close();
      app.say({ type: 'abort' });
    }
  });

  function open() {
    document.body.append(dialog);
    draw(app.state());
    dialog.showModal();
  }

  /** @param {State} state */
  function draw(state) {
    // A round that a ranked player has won counts; the server refuses to drop it.
    const won = state.standings.some((each) => each.won && each.place !== null);
    if (won && document.activeElement === abort) close.focus();
    abort.hidden = won;
    if (state.room) lock.update(state.room.settings);
    write(about, won ? words.won : words.abortAbout);
    const others = (state.room?.seats ?? []).filter(
      ({ seat, connection }) => seat !== state.me?.seat && connection !== 'gone',
    );
    keyed(
      people,
      others,
      ({ seat }) => String(seat),
      (seat) => {
        const out = h('button', { type: 'button', class: 'quiet', text: strings.HOST.kick });
        out.addEventListener('click', () => showOut(app, seat));
        const item = h('li', {}, h('span', { class: 'who' }), h('span', { class: 'tags' }), out);
        item.dataset.seat = String(seat.seat);
        return item;
      },
      (item, seat) => {
        const [who, tags, out] = item.children;
        if (who) write(who, seat.name);
        if (tags) write(tags, strings.seatState(seat));
        out?.setAttribute('aria-label', strings.kickLabel(seat.name));
      },
    );
  }

  return {
    button,
    /** @param {State} state */
    update(state) {
      const alone = (state.room?.seats.length ?? 0) < 2;
      button.hidden = alone || !amHost(state) || state.room?.state !== 'RUNNING';
      if (button.hidden && dialog.open) dialog.close();
      if (dialog.open) draw(state);
    },
    unbind() {
      if (dialog.open) dialog.close();
      dialog.remove();
    },
  };
}
