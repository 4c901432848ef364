// The page's tab: its title and icon, a notification when a race starts, the sound of a countdown, and the lock
// that keeps the screen on. All of it follows messages, since hidden tabs have no frames.

import { prefer, preference } from '../browser/storage.js';
import { isOpenRace, NOTHING, newlyReady, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton } from '../widgets/controls.js';
import { listen, set } from '../widgets/element.js';

/** @import {State} from '../state/state.js' @import {App} from '../page/app.d.ts' */
/** @typedef {ReturnType<typeof makeTab>} Tab */

const NAME = 'Spider Race';
const TICK_MS = 100;
const EARLY_MS = 50; // the error of the clock; without it a countdown of 5 s could start with 6
const GO_MS = 2_000; // how long the start is shown
const MAX_UNREAD = 99;
const MAX_DIGIT = 9; // the icon has room for one digit

/** Make the tab's record. @param {App} app */
const makeTab = (app) => ({
  app,
  setSign: bindIcon(),
  setScreenLock: bindScreenLock(),
  unread: 0, // how many messages have come while the page was hidden
  call: '', // the latest call to a race while the page was hidden, as a sentence
  before: NOTHING, // the state at the last update
  timer: 0,
  sounded: /** @type {number | null} */ (null), // the last second of the countdown that has sounded
});

/** Bind the tab, once for all screens. @param {App} app */
export function bindTab(app) {
  const tab = makeTab(app);
  listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    Object.assign(tab, { unread: 0, call: '' });
    draw(tab);
  });
  return {
    update: (/** @type {State} */ state) => update(tab, state),
    /** Count a chat message of another player as unread if the page is hidden, and draw. */
    said() {
      if (document.visibilityState === 'hidden') tab.unread += 1;
      draw(tab);
    },
  };
}

/** Draw the title and the icon, and sound each second of a countdown; repeat this until the start is over. @param {Tab} tab */
function draw(tab) {
  const { app, unread, call } = tab;
  const msLeft = startsIn(app.state(), app.now()) - EARLY_MS;
  const { title, sign, seconds } = tabLook(msLeft, unread, call);
  // The start itself sounds with its message.
  if (seconds !== tab.sounded && seconds !== null) app.sound.play('tick');
  tab.sounded = seconds;
  if (document.title !== title) document.title = title;
  tab.setSign(sign);
  clearTimeout(tab.timer);
  // Continue after the start, until its sign is gone.
  if (msLeft > -2 * GO_MS && Number.isFinite(msLeft)) tab.timer = setTimeout(draw, TICK_MS, tab);
}

/** Notify the player of a start, keep the screen on in a race, and draw. @param {Tab} tab @param {State} state */
function update(tab, state) {
  const { before } = tab;
  tab.before = state;
  const roomState = state.room?.state ?? '';
  // A page that has just opened does not notify.
  if (roomState === 'COUNTDOWN' && before.room && before.room.state !== roomState)
    notify(strings.TAB.starting, strings.TAB.comeBack, 'start');
  const isHidden = document.visibilityState === 'hidden';
  const caller = isHidden && callerAt(before, state);
  if (caller) {
    tab.call = strings.TAB.wants(caller);
    tab.app.sound.play('other');
    notify(tab.call, strings.TAB.comeBack, 'table');
  }
  tab.setScreenLock((roomState === 'COUNTDOWN' || roomState === 'RUNNING') && plays(state));
  const place = document.getElementById('notify-place'); // only some screens have it
  if (place && !place.firstChild && canNotify()) place.append(makeNotifyButton());
  draw(tab);
}

/** Return the name of another person who has just become ready at a kept table, or ''. @param {State} before @param {State} after */
export function callerAt({ room: old }, { room, me }) {
  const isBetweenRaces = room?.state === 'LOBBY' || room?.state === 'FINISHED';
  if (!room?.kept || !isBetweenRaces || old?.code !== room.code) return '';
  return newlyReady(old, room, me?.seat)[0]?.name ?? '';
}

/** Return the ms until the race starts; negative after the start, Infinity without a race. @param {State} state @param {number} nowMs */
function startsIn({ room }, nowMs) {
  const hasStart = room?.state === 'COUNTDOWN' || room?.state === 'RUNNING';
  return hasStart && room.round && !isOpenRace(room) ? room.round.t0 - nowMs : Infinity;
}

/**
 * Return the tab's title, the sign on its icon, and the seconds left of a countdown, or null. The sign is a digit,
 * an arrow at the start, a dot for messages, or ''.
 * @param {number} msLeft until the race starts, as `startsIn` returns it
 * @param {number} unread the number of messages that came while the tab was hidden
 * @param {string} [call] the latest call to a race, as a sentence
 */
export function tabLook(msLeft, unread, call = '') {
  const seconds = msLeft > 0 && Number.isFinite(msLeft) ? Math.ceil(msLeft / 1_000) : null;
  if (seconds !== null)
    return { title: `${seconds}… · ${NAME}`, sign: String(Math.min(seconds, MAX_DIGIT)), seconds };
  if (msLeft <= 0 && msLeft > -GO_MS)
    return { title: `${strings.NEWS.go} · ${NAME}`, sign: '▶', seconds };
  if (call) return { title: `${call} · ${NAME}`, sign: '•', seconds };
  const count = unread > 0 ? `(${Math.min(unread, MAX_UNREAD)}) ` : '';
  return { title: count + NAME, sign: unread > 0 ? '•' : '', seconds };
}

/** Return the icon with a sign as a data URL; `%23` is the `#` of a colour. @param {string} sign */
function iconOf(sign) {
  const text = `<text x='32' y='49' font-family='sans-serif' font-size='48' font-weight='700' text-anchor='middle' fill='%232b1f00'>${sign}</text>`;
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' rx='14' fill='%23f2b632'/>${text}</svg>`;
}

/** Bind the page's icon; return the function that puts a sign on it. */
function bindIcon() {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const plain = link.getAttribute('href');
  return (/** @type {string} */ sign) =>
    set(link, { href: sign ? iconOf(sign) : plain, 'data-sign': sign });
}

/** Return whether the browser can show notifications, if the player permits them. */
const canNotify = () =>
  'Notification' in window && isSecureContext && Notification.permission !== 'denied';

/** Return whether the player wants notifications and the browser allows them. */
const mayNotify = () =>
  preference('notify') && canNotify() && Notification.permission === 'granted';

/** Make the button that switches notifications on and off, and asks the browser for permission. */
function makeNotifyButton() {
  async function onclick() {
    const isWanted = !mayNotify();
    if (isWanted) await Notification.requestPermission().catch(() => 'default');
    // Keep the wish even without permission, which `mayNotify` looks up each time.
    prefer('notify', isWanted);
    drawButton();
  }
  const looks = { class: 'top-icon', 'data-kind': 'quiet' };
  const button = iconButton('bell', { id: 'notify', ...looks, onclick });
  function drawButton() {
    const text = mayNotify() ? strings.TAB.notifying : strings.TAB.notify;
    set(button, { title: text, 'aria-label': text, 'aria-pressed': String(mayNotify()) });
    button.hidden = !canNotify(); // the player may just have denied it
  }
  drawButton();
  return button;
}

/** Notify a player whose page is not in view. @param {string} title @param {string} body @param {string} tag replaces a notification with the same one */
async function notify(title, body, tag) {
  if (!mayNotify() || document.visibilityState === 'visible') return;
  const options = { body, tag, icon: '/icons/icon-192.png' };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // On phones only service workers can show notifications.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    await worker?.showNotification(title, options).catch(() => {});
  }
}

/** Bind the screen lock, and return the function that requests or releases it. Browsers have it only with HTTPS. */
function bindScreenLock() {
  let isWanted = false;
  /** The lock, once the requests so far are done. @type {Promise<WakeLockSentinel | null | undefined>} */
  let lock = Promise.resolve(null);

  /** Request or release the lock, after the requests so far. The system releases it when the page is hidden. */
  function apply() {
    lock = lock
      .then(async (current) => {
        if (!isWanted) return current?.release().then(() => null);
        const isHeld = current?.released === false;
        const canRequest = document.visibilityState === 'visible'; // else the browser refuses
        return isHeld || !canRequest ? current : navigator.wakeLock?.request('screen');
      })
      .catch(() => null);
  }

  listen(document, 'visibilitychange', apply); // to request it again
  return (/** @type {boolean} */ wanted) => {
    if (wanted === isWanted) return;
    isWanted = wanted;
    apply();
  };
}
