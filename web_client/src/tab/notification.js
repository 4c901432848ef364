// A notification at the start of the race, for players whose page is hidden. The browser is asked for
// permission only when the player presses the button.

import { prefer, preference } from '../browser/storage.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';

/** Return whether the browser can show notifications of this page. */
const isPossible = () =>
  'Notification' in window && isSecureContext && Notification.permission !== 'denied';

/** Return whether the player wants notifications and the browser allows them. */
const isOn = () => preference('notify') && isPossible() && Notification.permission === 'granted';

/** Make the button that switches notifications on and off; null if they are not possible. */
export function notifyButton() {
  if (!isPossible()) return null;
  const button = h('button', { id: 'notify', 'data-kind': 'quiet' });
  /** Draw the button. */
  function draw() {
    write(button, isOn() ? strings.TAB.notifying : strings.TAB.notify);
    button.setAttribute('aria-pressed', String(isOn()));
    button.hidden = !isPossible();
  }
  button.addEventListener('click', async () => {
    const isWanted = !isOn();
    if (isWanted) await Notification.requestPermission().catch(() => 'default');
    prefer('notify', isWanted);
    draw();
  });
  draw();
  return button;
}

/** Show the notification that the race starts, if the page is out of sight. */
export async function notifyStart() {
  if (!isOn() || document.visibilityState === 'visible') return;
  const title = strings.TAB.starting;
  const options = { body: strings.TAB.comeBack, tag: 'start', icon: '/icons/icon-192.png' };
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
