// The page's tab: its title and icon, a notification when a race starts, the sound of a countdown, and the lock that
// keeps the screen on. It is updated with each message, since the browser draws no frames of hidden tabs.

import { prefer, preference } from '../browser/storage.js';
import { isOpenRace, NOTHING, newlyReady, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton } from '../widgets/controls.js';
import { listen, set } from '../widgets/element.js';

/** @import {State} from '../state/state.js' @import {App} from '../page/app.d.ts' */
/** @typedef {ReturnType<typeof makeTab>} Tab */

const NAME = 'Spider Race';
const TICK_MS = 100;
const CLOCK_ERROR_MS = 50; // tolerate this much, or a countdown of 5 s could start with 6
const GO_MS = 2_000; // how long the start is shown
const MAX_UNREAD = 99;
const MAX_DIGIT = 9; // the icon has room for one digit

/** @param {App} app */
const makeTab = (app) => ({
  app,
  setSign: bindIcon(),
  setScreenLock: bindScreenLock(),
  unread: 0, // how many messages have come while the page was hidden
  call: '', // a sentence that says who got ready at a kept table while the page was hidden, or ''
  before: NOTHING, // the state at the last update
  timer: 0, // until the next update during a countdown
  sounded: /** @type {number | null} */ (null), // the second of the countdown that ticked last
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
    /** Count a chat message of another player as unread if the page is hidden, and show the number. */
    said() {
      if (document.visibilityState === 'hidden') tab.unread += 1;
      draw(tab);
    },
  };
}

/** Draw the title and the icon. During a countdown, repeat this, and tick each second. @param {Tab} tab */
function draw(tab) {
  const { app, unread, call } = tab;
  const msLeft = startsIn(app.state(), app.now()) - CLOCK_ERROR_MS;
  const { title, sign, seconds } = tabLook(msLeft, unread, call);
  // The start has its own sound, played when its message comes.
  if (seconds !== tab.sounded && seconds !== null) app.sound.play('tick');
  tab.sounded = seconds;
  if (document.title !== title) document.title = title;
  tab.setSign(sign);
  clearTimeout(tab.timer);
  // Repeat until some time after the start, when its sign is gone.
  if (msLeft > -2 * GO_MS && Number.isFinite(msLeft)) tab.timer = setTimeout(draw, TICK_MS, tab);
}

/** Notify of starts and waiting opponents, keep the screen on, and redraw. @param {Tab} tab @param {State} state */
function update(tab, state) {
  const { before } = tab;
  tab.before = state;
  const roomState = state.room?.state ?? '';
  // A page that was just opened does not notify.
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

/** Return the name of an opponent just ready at a kept table, or ''. @param {State} before @param {State} after */
export function callerAt({ room: old }, { room, me }) {
  const isBetweenRaces = room?.state === 'LOBBY' || room?.state === 'FINISHED';
  if (!room?.kept || !isBetweenRaces || old?.code !== room.code) return '';
  return newlyReady(old, room, me?.seat)[0]?.name ?? '';
}

/** Return the ms until the start: negative after it, Infinity if unset. @param {State} state @param {number} nowMs */
function startsIn({ room }, nowMs) {
  const hasStart = room?.state === 'COUNTDOWN' || room?.state === 'RUNNING';
  return hasStart && room.round && !isOpenRace(room) ? room.round.t0 - nowMs : Infinity;
}

/**
 * Return the tab's title, the seconds left of a countdown (or null), and the sign on the icon: a digit of the
 * countdown, an arrow at the start, a dot for messages, or ''.
 * @param {number} msLeft until the race starts, as `startsIn` returns it
 * @param {number} unread how many messages came while the tab was hidden
 * @param {string} [call] a sentence that says who is waiting
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

/** Return an icon with a sign as a data URL, where `%23` is the `#` of a colour. @param {string} sign */
function iconOf(sign) {
  const text = `<text x='32' y='49' font-family='sans-serif' font-size='48' font-weight='700' text-anchor='middle' fill='%232b1f00'>${sign}</text>`;
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' rx='14' fill='%23f2b632'/>${text}</svg>`;
}

/** Return the function that puts a sign on the page's icon. */
function bindIcon() {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const plain = link.getAttribute('href');
  return (/** @type {string} */ sign) =>
    set(link, { href: sign ? iconOf(sign) : plain, 'data-sign': sign });
}

/** Return whether the browser could show notifications if the player permitted them. */
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
    // Store the preference even if the permission was denied: `mayNotify` checks both.
    prefer('notify', isWanted);
    drawButton();
  }
  const looks = { class: 'top-icon', 'data-kind': 'quiet' };
  const button = iconButton('bell', { id: 'notify', ...looks, onclick });
  function drawButton() {
    const text = mayNotify() ? strings.TAB.notifying : strings.TAB.notify;
    set(button, { title: text, 'aria-label': text, 'aria-pressed': String(mayNotify()) });
    button.hidden = !canNotify(); // the player may just have denied the permission
  }
  drawButton();
  return button;
}

/** Notify a player whose page is not in view. @param {string} title @param {string} body @param {string} tag */
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
    // On phones the constructor fails: only service workers can show notifications.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    await worker?.showNotification(title, options).catch(() => {});
  }
}

/** Return the function that keeps the screen on, or lets it turn off again. Browsers only allow this over HTTPS. */
function bindScreenLock() {
  let isWanted = false;
  /** The lock, once all requests so far are done. @type {Promise<WakeLockSentinel | null | undefined>} */
  let lock = Promise.resolve(null);

  /** Request or release the lock, once all requests so far are done. */
  function apply() {
    lock = lock
      .then(async (current) => {
        if (!isWanted) return current?.release().then(() => null);
        const isHeld = current?.released === false;
        const canRequest = document.visibilityState === 'visible'; // the browser would refuse
        return isHeld || !canRequest ? current : navigator.wakeLock?.request('screen');
      })
      .catch(() => null);
  }

  listen(document, 'visibilitychange', apply); // the system has released the lock of a hidden page
  return (/** @type {boolean} */ wanted) => {
    if (wanted === isWanted) return;
    isWanted = wanted;
    apply();
  };
}
