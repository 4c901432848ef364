// The list of open rooms on the front page.

import { parse } from '../contract/names.js';
import { fetchInvitation } from '../page/invitations.js';
import { strings } from '../strings/language.js';
import { h, keyed, listen, write } from '../widgets/element.js';

/**
 * @import {PublicRoom} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 */

const POLL_MS = 10_000;

/** Bind the list, which is hidden while there are no rooms. @param {App} app */
export function bindOpenRooms(app) {
  const list = h('ul', { class: 'landing-rooms' });
  const element = h(
    'section',
    { class: 'panel', id: 'public', hidden: true, 'aria-labelledby': 'public-title' },
    h('h2', { id: 'public-title', text: strings.LANDING.open }),
    list,
  );

  /** Fetch and draw the list. */
  async function poll() {
    if (document.visibilityState === 'hidden') return;
    /** @type {PublicRoom[]} */
    const rooms = await fetch('/api/rooms')
      .then(async (answer) => (answer.ok ? parse(await answer.text()).rooms : []))
      .catch(() => []);
    element.hidden = rooms.length === 0;
    keyed(
      list,
      rooms,
      (room) => room.code,
      (room) => makeRoom(room, visit),
      updateRoom,
    );
  }

  /** Go to a room; if it is closed by now, remove it from the list. @param {string} code */
  async function visit(code) {
    const room = await fetchInvitation(code);
    if (!element.isConnected) return;
    if (room !== null) app.visit(code);
    else list.querySelector(`[data-key="${code}"]`)?.remove();
    element.hidden = list.children.length === 0;
  }

  const timer = setInterval(poll, POLL_MS);
  const unlisten = listen(document, 'visibilitychange', poll);
  poll();
  return {
    element,
    unbind() {
      clearInterval(timer);
      unlisten();
    },
  };
}

/** Make the item of a room. @param {PublicRoom} room @param {(code: string) => void} visit */
function makeRoom(room, visit) {
  return h(
    'li',
    {},
    h('bdi', { class: 'landing-host' }),
    h('span', { class: 'landing-about' }),
    h('button', { onclick: () => visit(room.code) }),
  );
}

/** Draw the item of a room. @param {HTMLElement} element @param {PublicRoom} room */
function updateRoom(element, room) {
  const [host, about, button] = element.children;
  const words = strings.LANDING;
  // In such a room a newcomer can only watch for now, which the button says before asking for a name.
  const watchesOnly = room.full || room.state === 'RUNNING';
  if (host) write(host, room.host);
  if (about)
    write(
      about,
      [strings.publicRoomFacts(room), room.full && words.full].filter(Boolean).join(' · '),
    );
  if (button) write(button, watchesOnly ? words.watch : words.join);
  button?.setAttribute(
    'aria-label',
    watchesOnly ? strings.watchRoomOf(room.host) : strings.joinRoomOf(room.host),
  );
}
