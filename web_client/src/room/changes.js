// The rules of the room in a line, and what the host has changed since this player was ready or came
// in. Both stand beside Ready.

import { strings } from '../core/language.js';
import { mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';
import { catalogue, presetOf } from './catalogue.js';
import { applies, differences } from './choices.js';

/**
 * @import {RoomView, Settings} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {Name} from './choices.js'
 * @typedef {object} Agreed the settings that this player has seen last when ready, or on coming in
 * @property {string} lobby the room, and the number of its rounds so far
 * @property {Settings} settings
 * @property {boolean} ready
 */

/** It stays when the page is drawn in another language. @type {Agreed | null} */
let agreed = null;

/** @param {RoomView} room */
const lobbyOf = ({ code, played }) => `${code} ${played}`;

/** Remember the settings with which this player is ready, or not any more. @param {RoomView} room @param {boolean} ready */
export function agree(room, ready) {
  agreed = { lobby: lobbyOf(room), settings: room.settings, ready };
}

/** Bind the two lines. */
export function bindChanges() {
  const gist = h('p', { class: 'room-gist', id: 'gist' });
  const line = h('p', { class: 'room-changes', id: 'changes', 'aria-live': 'polite' });
  return {
    elements: [gist, line],
    /** @param {State} state @param {RoomView} room @returns {readonly Name[]} the changed settings */
    update(state, room) {
      const { settings } = room;
      write(gist, strings.gist(settings));
      if (agreed?.lobby !== lobbyOf(room)) agree(room, false);
      const all = agreed ? differences(agreed.settings, settings) : [];
      const names = all.filter((each) => applies(each, settings));
      const again = agreed?.ready && mySeat(state)?.state === 'SEATED';
      const words = again
        ? `${changed(room, names)}. ${strings.ROOM.readyAgain}`
        : changed(room, names);
      write(line, names.length > 0 ? words : '');
      return names;
    },
  };
}

/** @param {RoomView} room @param {readonly Name[]} names */
function changed({ host, seats, settings }, names) {
  const name = seats.find(({ seat }) => seat === host)?.name ?? strings.ROOM.host;
  const who = `\u2068${name}\u2069`; // isolated: its direction is its own
  const preset = presetOf(catalogue(), settings);
  if (preset && names.length > 1)
    return strings.changedPreset(who, strings.PRESETS[preset] ?? preset);
  return strings.changedSettings(who, names, settings);
}
