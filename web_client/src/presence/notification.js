// A notification when the race starts, for players who look at something else. The browser is asked
// for its permission only by the button.

import { strings } from '../core/language.js';
import { prefer, preference } from '../core/preferences.js';
import { h, write } from '../shared/element.js';

/** Return whether there can be notifications here. */
const isPossible = () =>
  'Notification' in window && isSecureContext && Notification.permission !== 'denied';

const isOn = () => preference('notify') && isPossible() && Notification.permission === 'granted';

/** Make the button that switches them on and off, where there can be some. */
export function notifyButton() {
  if (!isPossible()) return null;
  const button = h('button', { id: 'notify', type: 'button', class: 'quiet' });
  function draw() {
    write(button, isOn() ? strings.PRESENCE.notifying : strings.PRESENCE.notify);
    button.setAttribute('aria-pressed', String(isOn()));
    button.hidden = !isPossible();
  }
  button.addEventListener('click', async () => {
    const on = !isOn();
    if (on) await Notification.requestPermission().catch(() => 'default');
    prefer('notify', on);
    draw();
  });
  draw();
  return button;
}

/** Tell that the race starts, to a player who does not see the page. */
export async function notifyStart() {
  if (!isOn() || document.visibilityState === 'visible') return;
  const title = strings.PRESENCE.starting;
  const options = { body: strings.PRESENCE.comeBack, tag: 'start', icon: '/icons/icon-192.png' };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Phones have notifications of service workers only.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    await worker?.showNotification(title, options).catch(() => {});
  }
}
