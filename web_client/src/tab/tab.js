// The tab of the page: what it shows of the room in the background, the sound of a countdown, and the
// lock that keeps the screen on. All of it follows messages, since hidden tabs have no frames.

import { isMuted, mutedIn } from '../browser/storage.js';
import { plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { listen } from '../widgets/element.js';
import { bindIcon } from './icon.js';
import { notifyButton, notifyStart } from './notification.js';
import { iconSign, pageTitle, secondsLeft } from './page-title.js';
import { bindWakeLock } from './wake-lock.js';

/**
 * @import {Said} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof bindTab>} Tab
 */

const TICK_MS = 100;
/** The error of the clock, by which a countdown of 5 s could begin with 6. */
const EARLY_MS = 50;
/** The time after the start for which the title changes. */
const AFTER_START_MS = 4_000;

/** Return the ms until the race starts; negative after the start, Infinity without a race. @param {State} state @param {number} now */
function startsIn({ room }, now) {
  const hasStart = room?.state === 'COUNTDOWN' || room?.state === 'RUNNING';
  return hasStart && room.round ? room.round.t0 - now : Number.POSITIVE_INFINITY;
}

/** Bind the tab. @param {App} app */
export function bindTab(app) {
  const setSign = bindIcon();
  const setScreenLock = bindWakeLock();
  let unread = 0;
  let timer = 0;
  let oldState = '';
  /** @type {number | null} */
  let sounded = null;

  /** Sound each second before the start; the start itself is the sound of a message. @param {number | null} seconds */
  function tick(seconds) {
    if (seconds !== sounded && seconds !== null) app.sound.play('tick');
    sounded = seconds;
  }

  /** Draw the title and the icon, and sound the countdown, again and again around a start. */
  function draw() {
    const msLeft = startsIn(app.state(), app.now()) - EARLY_MS;
    tick(secondsLeft(msLeft));
    const tab = { startsIn: msLeft, unread, go: strings.GO_TITLE };
    const title = pageTitle(tab);
    if (document.title !== title) document.title = title;
    setSign(iconSign(tab));
    clearTimeout(timer);
    if (msLeft > -AFTER_START_MS && Number.isFinite(msLeft))
      timer = window.setTimeout(draw, TICK_MS);
  }

  listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    unread = 0;
    draw();
  });

  return {
    /** @param {State} state */
    update(state) {
      const roomState = state.room?.state ?? '';
      if (roomState === 'COUNTDOWN' && oldState && oldState !== roomState) notifyStart();
      oldState = roomState;
      setScreenLock((roomState === 'COUNTDOWN' || roomState === 'RUNNING') && plays(state));
      const place = document.getElementById('notify-place');
      if (place && !place.firstChild) place.append(notifyButton() ?? '');
      draw();
    },
    /** Count a chat message if the page is hidden. @param {Said} said */
    said({ seat, name }) {
      const { room, me } = app.state();
      if (document.visibilityState === 'visible' || seat === me?.seat) return;
      if (room && isMuted(mutedIn(room.code), seat, name)) return;
      unread += 1;
      draw();
    },
  };
}
