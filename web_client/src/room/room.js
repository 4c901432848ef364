// The room before the race: the link, the people, the rules, ready.

import { strings } from '../core/language.js';
import { amHost, mySeat } from '../core/reducer.js';
import { showOut } from '../race/host-controls.js';
import { ask } from '../shared/ask.js';
import { h, keyed, write } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';
import { bindAdmission } from './admission.js';
import { aboutJoining, configure, forgetSent } from './configure.js';
import { bindMatch } from './match.js';
import { bindRules } from './rules.js';
import { bindSettings } from './settings.js';

/**
 * @import {RoomView, SeatView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindRoom(root, app) {
  const words = strings.ROOM;
  const match = bindMatch(app);
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  const copied = h('button', {
    id: 'copy',
    type: 'button',
    class: 'primary',
    text: strings.COPY.copy,
  });
  const code = h('p', { class: 'code big', id: 'room-code' });
  const picture = h('img', { class: 'qr', alt: words.qr, width: 132, height: 132 });
  const players = h('ul', { class: 'players', id: 'players' });
  const watchers = h('ul', { class: 'players watchers', id: 'watchers' });
  const waiting = h('p', { class: 'small', id: 'waiting' });
  const rulesRoot = h('div');
  const rules = bindRules(rulesRoot);
  const formRoot = h('div');
  const form = bindSettings(formRoot, (settings) =>
    configure(app, (base) => ({ ...settings, ...aboutJoining(base) })),
  );
  const admission = bindAdmission(app);
  const settings = h(
    'section',
    { class: 'panel set', 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', text: words.settings }),
    formRoot,
    admission.element,
  );
  let noticed = app.state().notice?.n ?? 0;
  const ready = h('button', { id: 'ready', type: 'button', class: 'primary', onclick: toggle });
  const start = h('button', { id: 'start', type: 'button', text: words.start, onclick: begin });
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);
  copied.addEventListener('click', copy);
  link.addEventListener('focus', () => link.select());

  const page = h(
    'div',
    { class: 'page room' },
    h(
      'section',
      { class: 'panel share', 'aria-labelledby': 'share-title' },
      h('h2', { id: 'share-title', text: words.invite }),
      h(
        'div',
        { class: 'sharing' },
        picture,
        h(
          'div',
          {},
          h('p', { class: 'small', text: words.code }),
          code,
          h('div', { class: 'joining' }, link, copied),
        ),
      ),
    ),
    h(
      'section',
      { class: 'panel people', 'aria-labelledby': 'players-title' },
      h('h2', { id: 'players-title', text: words.players }),
      players,
      watchers,
      waiting,
      h('div', { class: 'buttons wide' }, ready, start),
      leave,
    ),
    h('div', { id: 'chat-place' }),
    settings,
    match.element,
    h(
      'details',
      { class: 'panel rules-page', open: true },
      h('summary', {}, h('h2', { text: words.rules })),
      rulesRoot,
    ),
    languageField(app),
  );
  root.replaceChildren(page);

  async function copy() {
    try {
      await navigator.clipboard.writeText(link.value);
      write(copied, strings.COPY.copied);
      setTimeout(() => write(copied, strings.COPY.copy), 2_000);
    } catch {
      // On plain HTTP there is no clipboard: the text stands selected, to be copied by hand.
      link.focus();
      link.select();
      app.announce(strings.COPY.selected);
    }
  }

  function toggle() {
    app.sound.wake();
    app.say({ type: 'ready', ready: mySeat(app.state())?.state !== 'READY' });
  }

  async function begin() {
    app.sound.wake();
    const state = app.state();
    const others = (state.room?.seats ?? []).filter(
      (seat) => seat.role === 'player' && seat.state !== 'READY' && seat.seat !== state.me?.seat,
    );
    if (others.length > 0) {
      const yes = await ask({
        ...strings.ASK.start,
        text: strings.onlyWatch(others.length),
      });
      if (!yes) return;
    }
    if (mySeat(app.state())?.state === 'SEATED') app.say({ type: 'ready', ready: true });
    if (app.state().room?.state === 'LOBBY') app.say({ type: 'start' });
  }

  /** @param {SeatView} seat */
  function makeSeat(seat) {
    const row = h(
      'li',
      {},
      h('span', { class: 'dot', 'aria-hidden': 'true' }),
      h('span', { class: 'who' }),
      h('span', { class: 'tags' }),
      h('span', { class: 'badge' }),
      h('button', {
        type: 'button',
        class: 'quiet kick',
        text: '×',
        title: strings.HOST.kick,
        'aria-label': strings.kickLabel(seat.name),
        onclick: () => showOut(app, seat),
      }),
    );
    row.dataset.seat = String(seat.seat);
    return row;
  }

  /** @param {HTMLElement} row @param {SeatView} seat @param {State} state */
  function updateSeat(row, seat, state) {
    const [, who, tags, badge, kick] = row.children;
    const own = seat.seat === state.me?.seat;
    const about = [own && words.you, seat.seat === state.room?.host && words.host];
    if (seat.connection !== 'on') about.push(strings.seatConnection(seat));
    row.dataset.state = seat.state;
    row.dataset.connection = seat.connection;
    if (who) write(who, seat.name);
    if (tags) write(tags, about.filter(Boolean).join(' · '));
    if (badge) write(badge, strings.seatState(seat));
    if (kick instanceof HTMLElement) kick.hidden = own || !amHost(state);
  }

  /** @param {State} state @param {RoomView} room */
  function draw(state, room) {
    const url = `${location.origin}/r/${room.code}`;
    if (link.value !== url) {
      link.value = url;
      picture.src = `/qr/${room.code}.svg`;
      write(code, strings.grouped(room.code));
    }
    const host = amHost(state);
    settings.hidden = !host;
    page.classList.toggle('hosting', host);
    form.update(room.settings);
    admission.update(room.settings);
    rules.update(room.settings);
    const rows = (/** @type {HTMLElement} */ row, /** @type {SeatView} */ seat) =>
      updateSeat(row, seat, state);
    const seated = room.seats.filter((seat) => seat.role === 'player');
    const watching = room.seats.filter((seat) => seat.role !== 'player');
    keyed(players, seated, (seat) => String(seat.seat), makeSeat, rows);
    keyed(watchers, watching, (seat) => String(seat.seat), makeSeat, rows);
    write(waiting, strings.waitingFor(room));
    match.update(state);
    const mine = mySeat(state);
    const isReady = mine?.state === 'READY';
    write(ready, isReady ? words.unready : mine?.role === 'player' ? words.ready : words.sit);
    const alone = seated.length < 2;
    ready.classList.toggle('primary', !isReady && !(host && alone));
    write(start, alone ? words.startAlone : words.start);
    start.hidden = !host || mine?.role !== 'player';
    start.classList.toggle('primary', host && (isReady || alone));
  }

  return {
    /** @param {State} state */
    update(state) {
      if (state.room) draw(state, state.room);
      const { notice } = state;
      if (!notice || notice.n === noticed) return;
      noticed = notice.n;
      if (/^(configure|settings)/.test(notice.command)) {
        forgetSent();
        form.refuse(strings.sentence(notice));
      }
    },
    unbind() {},
  };
}
