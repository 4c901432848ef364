// What a player sees of the room while the page is in the background, and what keeps the screen on.

import { strings } from '../core/language.js';
import { iconSign, pageTitle } from '../core/page-title.js';
import { mutedIn } from '../core/preferences.js';
import { plays } from '../core/reducer.js';
import { listen } from '../shared/element.js';
import { bindIcon } from './icon.js';
import { notifyButton, notifyStart } from './notification.js';
import { bindWakeLock } from './wake-lock.js';

/**
 * @import {Said} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {ReturnType<typeof bindPresence>} Presence
 */

const TICK_MS = 200;

/** Return the ms until the race starts, negative once it has; Infinity without one. @param {State} state @param {number} now */
function startsIn({ room }, now) {
  const near = room?.state === 'COUNTDOWN' || room?.state === 'RUNNING';
  return near && room.round ? room.round.t0 - now : Number.POSITIVE_INFINITY;
}

/** Bind the presence of a player. @param {App} app */
export function bindPresence(app) {
  const setSign = bindIcon();
  const stayOn = bindWakeLock();
  let unread = 0;
  let timer = 0;
  let before = '';

  function show() {
    const left = startsIn(app.state(), app.now());
    const seen = { startsIn: left, unread, go: strings.GO_TITLE };
    const title = pageTitle(seen);
    if (document.title !== title) document.title = title;
    setSign(iconSign(seen));
    clearTimeout(timer);
    if (left > -TICK_MS * 20 && Number.isFinite(left)) timer = window.setTimeout(show, TICK_MS);
  }

  listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    unread = 0;
    show();
  });

  return {
    /** @param {State} state */
    update(state) {
      const is = state.room?.state ?? '';
      if (is === 'COUNTDOWN' && before && before !== is) notifyStart();
      before = is;
      stayOn((is === 'COUNTDOWN' || is === 'RUNNING') && plays(state));
      const place = document.getElementById('notify-place');
      if (place && !place.firstChild) place.append(notifyButton() ?? '');
      show();
    },
    /** Count a message that nobody has seen. @param {Said} said */
    said({ seat }) {
      const { room, me } = app.state();
      if (document.visibilityState === 'visible' || seat === me?.seat) return;
      if (room && mutedIn(room.code).includes(seat)) return;
      unread += 1;
      show();
    },
  };
}
