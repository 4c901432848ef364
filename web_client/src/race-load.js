// The load of a room: everything until the end of its race.

import { makeChat } from './chat/chat.js';
import { bindCountdown } from './race/countdown.js';
import { bindRace } from './race/race.js';
import { bindWaiting, showRequests } from './room/host.js';
import { bindRoom } from './room/room.js';
import { bindTab } from './tab/tab.js';

/**
 * @import {Said} from './contract/messages.d.ts'
 * @import {App} from './page/app.d.ts'
 * @import {State} from './state/state.js'
 */

export * as sessions from './page/session.js';
export { bindWayBack } from './page/way-back.js';

export const SCREENS = {
  waiting: bindWaiting,
  room: bindRoom,
  countdown: bindCountdown,
  race: bindRace,
};

/** Bind the parts around every screen of a room: the chat, the browser's tab, and requests to join. @param {App} app @param {(words: () => string) => void} sayLater */
export function bindCompany(app, sayLater) {
  const chat = makeChat(app, sayLater);
  const tab = bindTab(app);
  return {
    chat,
    changed: () => tab.update(app.state()), // show a change at once, as a hidden tab has no frames
    /** @param {State} state */
    update(state) {
      chat.update(state);
      tab.update(state); // the screen that was drawn may have a place for its button
      showRequests(app);
    },
    /** @param {Said} said */
    receive(said) {
      if (chat.receive(said)) tab.said(); // a new one of somebody else
    },
  };
}
