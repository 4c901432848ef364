// Two lines. In the middle of the table stand the rules in a few words. Beside Ready stands what the host
// has changed since this player was ready or came in.

import { ABOUT_PEOPLE } from '../contract/protocol.js';
import { mySeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { catalogue, isOfPreset, presetOf } from './catalogue.js';
import { applies, differences } from './setting-choices.js';

/**
 * @import {RoomView, Settings} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {Name} from './setting-choices.js'
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

/** Bind the line of the rules, and the line of the latest changes. */
export function bindChanges() {
  const summary = h('p', { id: 'gist' });
  const line = h('p', { class: 'ready-bar-changes', id: 'changes', 'aria-live': 'polite' });
  return {
    summary,
    line,
    /** Draw the lines. @param {State} state @param {RoomView} room @returns {readonly Name[]} the changed settings */
    update(state, room) {
      const { settings } = room;
      write(summary, strings.rulesLine(settings));
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
  const preset = rules.filter(isOfPreset).length > 1 ? presetOf(catalogue(), settings) : undefined;
  const named = preset ? rules.filter((each) => !isOfPreset(each)) : rules;
  return [
    preset && strings.changedPreset(isolated, strings.PRESETS[preset] ?? preset),
    named.length > 0 && strings.changedSettings(isolated, named, settings),
    people.includes('locked') && strings.changedLock(isolated, settings.locked),
    others.length > 0 && strings.changedSettings(isolated, others, settings),
  ]
    .filter(Boolean)
    .join('. ');
}
