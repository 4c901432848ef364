// Five seconds to the race, by the server's clock, with a tone for each.

import { strings } from '../core/language.js';
import { amHost } from '../core/reducer.js';
import { h, write } from '../shared/element.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

const SHOWN_OF_PROMISE = 16;

/** Every face once, drawn while nobody plays, so that none is drawn first in the race. */
function warmUp() {
  const faces = h('div', { class: 'warm small', 'aria-hidden': 'true' });
  for (const suit of 'SHDC')
    for (const rank of 'A23456789TJQK') {
      const card = h('div', { class: 'card' });
      card.dataset.card = rank + suit;
      faces.append(card);
    }
  return faces;
}

/** @param {HTMLElement} root @param {App} app */
export function bindCountdown(root, app) {
  const digit = h('p', { class: 'digit', id: 'digit', role: 'timer' });
  const who = h('p', { class: 'versus' });
  const what = h('p', { class: 'small' });
  const promise = h('summary', {});
  const proves = h(
    'details',
    { class: 'small seal', id: 'sealed' },
    promise,
    ...strings.PROVES.map((text) => h('p', { text })),
  );
  const abort = h('button', { id: 'abort', type: 'button', class: 'quiet', text: strings.STOP });
  abort.addEventListener('click', () => app.say({ type: 'abort' }));
  root.replaceChildren(
    h('div', { class: 'page countdown' }, who, digit, what, proves, abort),
    warmUp(),
  );
  let shown = -1;

  function tick() {
    const t0 = app.state().room?.round?.t0;
    if (t0 === undefined) return;
    const left = Math.max(0, Math.ceil((t0 - app.now()) / 1_000));
    if (left === shown) return;
    shown = left;
    write(digit, left > 0 ? String(left) : strings.GO);
    app.sound.play(left > 0 ? 'tick' : 'go');
    digit.classList.remove('beat');
    void digit.offsetWidth;
    digit.classList.add('beat');
  }
  const timer = setInterval(tick, 50);

  return {
    /** @param {State} state */
    update(state) {
      const room = state.room;
      if (!room) return;
      const racers = room.seats.filter((seat) => seat.state === 'READY' || seat.state === 'RACING');
      write(who, racers.map((seat) => seat.name).join(' · '));
      const number = room.round?.number;
      write(what, strings.gameAndDeal(room.settings.game, number));
      const hash = room.round?.commitment;
      proves.hidden = !hash;
      write(promise, hash ? strings.sealedDeal(hash.slice(0, SHOWN_OF_PROMISE)) : '');
      abort.hidden = !amHost(state);
      tick();
    },
    unbind: () => clearInterval(timer),
  };
}
