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

/** Bind the chat, the tab and the requests to join. @param {App} app @param {(words: () => string) => void} sayLater */
export function bindCompany(app, sayLater) {
  const chat = makeChat(app, sayLater);
  const tab = bindTab(app);
  return {
    chat,
    updateTab: () => tab.update(app.state()), // for each message at once, since a hidden tab draws no frames
    /** @param {State} state */
    update(state) {
      chat.update(state);
      tab.update(state); // again, since the screen just drawn may have a place for the tab's button
      showRequests(app);
    },
    /** @param {Said} said */
    receive(said) {
      if (chat.receive(said)) tab.said(); // a new message from somebody else
    },
  };
}
