// The middle of the table: the host's name, the rules in one line, and the deck with its lock.

import { strings } from '../strings/language.js';
import { h, restartAnimation, set, write } from '../widgets/element.js';
import { iconButton, makeMenu, writeItems } from '../widgets/room-parts.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {Name} from './settings.js'
 */

/** Bind the middle of the table: the host's name, the rules, and the deck with its lock. @param {HTMLElement} rulesButton @param {HTMLElement} dealLabel */
export function bindMiddle(rulesButton, dealLabel) {
  const { title: fairTitle, about } = strings.FAIR;
  const title = h('h2', { class: 'room-title', id: 'table-title' });
  const gist = h('p', { class: 'text-items room-gist', id: 'gist' });
  const menu = makeMenu('fair-deal', fairTitle, ...about.map((text) => h('p', { text })));
  const cards = [1, 2, 3].map(() => h('span', { class: 'card', 'data-back': true }));
  const deck = h('span', { class: 'room-deck', 'aria-hidden': 'true' }, ...cards);
  const words = h('span', { class: 'room-fair-words', text: fairTitle });
  const looks = { class: 'room-fair', id: 'fair', 'data-size': 'small', 'aria-haspopup': 'dialog' };
  const fair = iconButton('lock', { ...looks, onclick: menu.open }, deck, words);
  return {
    element: h('div', { class: 'room-middle' }, title, gist, rulesButton, fair, dealLabel),
    dialog: menu.dialog,
    /** Draw the words, and flash the line of rules when it changes. @param {RoomView} room @param {readonly Name[]} changed */
    update(room, changed) {
      const { settings, seats, host, next_game: round } = room;
      write(title, strings.tableOf(seats.find(({ seat }) => seat === host)?.name));
      const text = strings.rulesLine(settings, round);
      const isNews = gist.textContent !== '' && gist.textContent !== text;
      writeItems(gist, text);
      if (isNews && changed.length > 0) restartAnimation(gist, 'data-flash');
      set(gist, { 'data-changed': changed.length > 0 });
      fair.hidden = settings.deal !== 'secret';
    },
  };
}
