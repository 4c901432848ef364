// The countdown to the race, by the server's clock, with a sound for each second.

import { strings } from '../core/language.js';
import { RANKS, SUITS } from '../core/protocol.js';
import { amHost } from '../core/reducer.js';
import { h, restartAnimation, write } from '../shared/element.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 */

/** The digits of the deal's hash that are shown. */
const HASH_DIGITS = 16;
const TICK_MS = 50;

/** Make a hidden card of each face, since the browser takes longer to draw a face for the first time. */
function warmUpFaces() {
  const faces = h('div', { class: 'countdown-warm-up small-cards', 'aria-hidden': 'true' });
  for (const suit of SUITS)
    for (const rank of RANKS) {
      const card = h('div', { class: 'card' });
      card.dataset.card = rank + suit;
      faces.append(card);
    }
  return faces;
}

/** Bind the countdown. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindCountdown(root, app) {
  const digit = h('p', { class: 'countdown-digit', id: 'digit', role: 'timer' });
  const players = h('p', { class: 'countdown-players', id: 'racers' });
  const game = h('p', { class: 'small-text' });
  const hashText = h('p', { 'data-part': 'hash' });
  const proof = h(
    'details',
    { class: 'small-text', id: 'sealed' },
    h('summary', { text: strings.FAIR_DEAL }),
    hashText,
    ...strings.PROVES.map((text) => h('p', { text })),
  );
  const abort = h('button', { id: 'abort', type: 'button', class: 'quiet', text: strings.STOP });
  abort.addEventListener('click', () => app.send({ type: 'abort' }));
  root.replaceChildren(
    h('div', { class: 'page countdown' }, players, digit, game, proof, abort),
    warmUpFaces(),
  );
  let shown = -1;

  /** Show and sound the second that has begun. */
  function tick() {
    const t0 = app.state().room?.round?.t0;
    if (t0 === undefined) return;
    const secondsLeft = Math.max(0, Math.ceil((t0 - app.now()) / 1_000));
    if (secondsLeft === shown) return;
    shown = secondsLeft;
    write(digit, secondsLeft > 0 ? String(secondsLeft) : strings.GO);
    app.sound.play(secondsLeft > 0 ? 'tick' : 'go');
    restartAnimation(digit, 'countdown-beat');
  }
  const timer = setInterval(tick, TICK_MS);

  return {
    /** @param {State} state */
    update(state) {
      const { room } = state;
      if (!room) return;
      const racers = room.seats.filter((seat) => seat.state === 'READY' || seat.state === 'RACING');
      write(players, racers.map((seat) => seat.name).join(' · '));
      write(game, strings.gameAndDeal(room.settings.game, room.round?.number));
      const hash = room.round?.commitment;
      proof.hidden = !hash;
      write(hashText, hash ? strings.dealHash(hash.slice(0, HASH_DIGITS)) : '');
      abort.hidden = !amHost(state);
      tick();
    },
    unbind: () => clearInterval(timer),
  };
}
