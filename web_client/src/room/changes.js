// Two lines beside the Ready button: a summary of the settings, and what the host has changed since
// this player was ready or came in.

import { strings } from '../core/language.js';
import { ABOUT_PEOPLE } from '../core/protocol.js';
import { mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';
import { catalogue, presetOf } from './catalogue.js';
import { applies, differences } from './choices.js';

/**
 * @import {RoomView, Settings} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {Name} from './choices.js'
 * @typedef {object} Seen the settings that this player saw when coming in, or last pressing Ready
 * @property {string} lobby the room, and the number of its rounds so far
 * @property {Settings} settings
 * @property {boolean} ready
 */

/** Kept outside of the binding, which a change of the language replaces. @type {Seen | null} */
let seen = null;

/** Return a name for this stay in the lobby. @param {RoomView} room */
const lobbyOf = ({ code, played }) => `${code} ${played}`;

/** Remember the settings as seen. @param {RoomView} room @param {boolean} ready whether the player is ready with them */
export function rememberSeen(room, ready) {
  seen = { lobby: lobbyOf(room), settings: room.settings, ready };
}

/** Bind the two lines. */
export function bindChanges() {
  const summary = h('p', { class: 'room-gist', id: 'gist' });
  const line = h('p', { class: 'room-changes', id: 'changes', 'aria-live': 'polite' });
  return {
    elements: [summary, line],
    /** Draw the lines. @param {State} state @param {RoomView} room @returns {readonly Name[]} the changed settings */
    update(state, room) {
      const { settings } = room;
      write(summary, strings.settingsSummary(settings));
      if (seen?.lobby !== lobbyOf(room)) rememberSeen(room, false);
      const changed = seen ? differences(seen.settings, settings) : [];
      const names = changed.filter((each) => applies(each, settings));
      const lostReady = seen?.ready && mySeat(state)?.state === 'SEATED';
      const words = lostReady
        ? `${changeText(room, names)}. ${strings.ROOM.readyAgain}`
        : changeText(room, names);
      write(line, names.length > 0 ? words : '');
      return names;
    },
  };
}

/** Return what the host has changed: the rules, and who can join. @param {RoomView} room @param {readonly Name[]} names */
function changeText({ host, seats, settings }, names) {
  const name = seats.find(({ seat }) => seat === host)?.name ?? strings.ROOM.host;
  const isolated = `\u2068${name}\u2069`; // so that a name from right to left does not turn the line
  const people = names.filter((each) => ABOUT_PEOPLE.includes(each));
  const rules = names.filter((each) => !people.includes(each));
  const others = people.filter((each) => each !== 'locked');
  const preset = presetOf(catalogue(), settings);
  return [
    rules.length > 1 && preset
      ? strings.changedPreset(isolated, strings.PRESETS[preset] ?? preset)
      : rules.length > 0 && strings.changedSettings(isolated, rules, settings),
    people.includes('locked') && strings.changedLock(isolated, settings.locked),
    others.length > 0 && strings.changedSettings(isolated, others, settings),
  ]
    .filter(Boolean)
    .join('. ');
}
