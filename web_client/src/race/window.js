// The pane of an open window, in place of the table: how long it stays open, the button that starts this player's
// only game, and the players who are done. Nobody sees how they played before their own game is over:
// while this player plays, the standings are a line with how many have played.

import { bindInvitation } from '../room/invitation.js';
import {
  amHost,
  coloursOf,
  hasOpenWindow,
  mayChase,
  ownRow,
  plays,
  programAt,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

const TICK_MS = 1_000;

/** Make the item of a player. */
function makePlayer() {
  const name = h('b', { dir: 'auto' });
  const state = h('span', { class: 'text-small', 'data-part': 'state' });
  return h('li', { class: 'pane-row line between window-player mark-tone' }, name, ' ', state);
}

/** Bind the panel. @param {App} app */
export function bindWindow(app) {
  const words = strings.WINDOW;
  /** The name of the table, shown in place of the clocks. */
  const head = h('p', { class: 'window-head grow text-cut' });
  const left = h('p', { class: 'window-left', id: 'window-left' });
  const title = h('h2', { id: 'window-title' });
  const about = h('p');
  const rules = h('p', { class: 'text-small' });
  const until = h('p', { id: 'window-until' });
  const begin = h('button', {
    id: 'begin',
    'data-kind': 'primary',
    text: words.begin,
    onclick() {
      app.sound.wake(); // browsers permit sound only in the event of a press
      app.send({ type: 'chase' });
    },
  });
  const { dialog, invite, showLink } = bindInvitation();
  const inviting = { id: 'invite', title: strings.ROOM.invite, 'aria-haspopup': 'dialog' };
  const more = h('button', { ...inviting, text: strings.ROOM.inviteShort, onclick: invite });
  const played = h('h3');
  const count = h('p', { class: 'pill', id: 'window-count' });
  const list = h('ul', { class: 'pane-rows', id: 'window-players' });
  const element = h('section', { class: 'pane pane-lit window', id: 'window', hidden: true });
  element.setAttribute('aria-labelledby', title.id);
  const buttons = h('div', { class: 'row' }, begin, more);
  const own = h('div', { class: 'stack' }, title, about, rules, until, buttons);
  element.append(left, own, h('div', { class: 'stack' }, played, list), dialog);

  /** Draw the time that is left. */
  function tick() {
    const end = app.state().room?.round?.t_end ?? 0;
    write(left, strings.dayLeft(Math.max(0, end - app.now())));
  }
  const timer = setInterval(tick, TICK_MS);

  /** Draw who has played. @param {NonNullable<State['room']>} room @param {number | undefined} me */
  function drawPlayers(room, me) {
    const colours = coloursOf(room);
    const players = room.seats.filter(({ role }) => role === 'player');
    const done = players.filter(({ state }) => state === 'FINISHED').length;
    for (const line of [count, played]) write(line, strings.havePlayed(done, players.length));
    keyed(
      list,
      players,
      ({ seat }) => String(seat),
      makePlayer,
      (item, person) => {
        const { seat, name, state } = person;
        const [who, what] = /** @type {HTMLElement[]} */ ([...item.children]);
        if (!who || !what) return;
        set(item, { 'data-own': seat === me, 'data-colour': colours(seat) });
        writeName(who, seat === me ? strings.you(name) : name, programAt(person), colours(seat));
        write(what, words.states[state]);
      },
    );
  }

  return {
    element,
    head,
    count,
    /** @param {State} state */
    update(state) {
      const { room, me } = state;
      const isOpen = hasOpenWindow(room);
      for (const part of [element, head]) set(part, { hidden: !isOpen || plays(state) });
      count.hidden = !isOpen || !plays(state);
      if (!room || !isOpen) return;
      showLink(room);
      tick();
      const host = room.seats.find(({ seat }) => seat === room.host);
      write(head, strings.tableOf(host?.name ?? ''));
      write(rules, strings.rulesLine(room.settings, null));
      const mayBegin = mayChase(state);
      const isOver = ownRow(state) !== undefined;
      write(title, mayBegin ? words.title : words.done);
      const { time_limit_s: limit, deal } = room.settings;
      const known = deal !== 'secret' && !amHost(state) ? ` ${strings.KNOWN_DEAL}` : '';
      write(about, mayBegin ? strings.windowAbout(limit) + known : '');
      for (const part of [about, rules]) set(part, { hidden: !mayBegin });
      set(begin, { hidden: !mayBegin });
      write(until, strings.windowUntil(room.round?.t_end ?? 0, isOver));
      drawPlayers(room, me?.seat);
    },
    unbind: () => clearInterval(timer),
  };
}
