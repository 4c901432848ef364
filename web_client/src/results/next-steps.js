// What comes after a round: the next one here, a new room for all, the same deal alone, or the door.

import { strings } from '../core/language.js';
import { playOn, sameDeal } from '../core/practice.js';
import { storedName, storedSeat } from '../core/preferences.js';
import { amHost, mySeat } from '../core/reducer.js';
import { h, write } from '../shared/element.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

/** @param {App} app */
export function bindOnward(app) {
  const words = strings.RESULTS;
  const next = h('button', { id: 'next', type: 'button', class: 'primary' });
  const rematch = h('button', { id: 'rematch', type: 'button', onclick: goOn });
  const again = h('button', { id: 'again', type: 'button', text: words.again, onclick: playAgain });
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  const wait = h('p', { class: 'small', id: 'onward' });
  /** @type {('easy' | 'hard')[]} */
  const levels = ['easy', 'hard'];
  const leveled = levels.map((exceptions, i) => {
    const text = strings.againAt(i + 1);
    const button = h('button', { type: 'button', text });
    button.dataset.level = String(i + 1);
    button.addEventListener('click', () => {
      for (const message of playOn(app.state(), exceptions)) app.say(message);
    });
    return button;
  });
  next.addEventListener('click', () => app.say({ type: 'next_round' }));
  leave.addEventListener('click', app.leave);
  let asked = false;

  /** The name to go by in another room. */
  const called = () => storedName() || (mySeat(app.state())?.name ?? words.me);

  /** A room of one's own, with the deal of this round and its rules. */
  function playAgain() {
    const { room, over } = app.state();
    if (!room || !over) return;
    const settings = sameDeal(room.settings, over.reveal);
    app.enter({ type: 'create', name: called(), settings }, { alone: true });
  }

  /** The first who asks opens the new room; all who ask are led there. */
  function goOn() {
    const { room, me } = app.state();
    const code = room?.rematch;
    if (!code) {
      asked = true;
      app.say({ type: 'rematch' });
    } else if (storedSeat(code)) app.visit(code);
    else {
      const role = me?.role ?? 'player';
      app.enter({ type: 'join', room: code, name: called(), role }, { alone: false });
    }
  }

  return {
    element: h(
      'div',
      { class: 'onward' },
      wait,
      h('div', { class: 'buttons wide' }, ...leveled, next, rematch, again, leave),
    ),
    /** @param {State} state */
    update(state) {
      const { room, me } = state;
      if (asked && room?.rematch) {
        asked = false;
        app.announce(strings.NEWS.rematchMine);
        goOn();
        return;
      }
      const host = amHost(state);
      const others = room?.seats.some(({ seat }) => seat !== me?.seat) ?? false;
      const played = room?.match;
      const goesOn = played && !played.over && played.rounds > 1;
      const after = played && played.rounds > 1 ? words.newMatch : words.next;
      write(next, goesOn ? strings.nextOf(played.n.length + 1, played.rounds) : after);
      write(rematch, room?.rematch ? words.follow : words.rematch);
      const guest = played && played.rounds > 1 && played.over ? words.waitMatch : words.wait;
      write(wait, room?.rematch ? words.rematchOpen : host || !others ? '' : guest);
      next.hidden = !host;
      const level = room?.settings.exceptions ?? 'off';
      leveled.forEach((button, i) => {
        button.hidden = !host || level === 'off';
        button.classList.toggle('primary', levels[i] === level);
      });
      next.classList.toggle('primary', level === 'off');
      rematch.hidden = !others;
      rematch.classList.toggle('primary', !host && Boolean(room?.rematch));
      wait.hidden = wait.textContent === '';
    },
  };
}
