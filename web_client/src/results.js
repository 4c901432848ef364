// After the race: who was how good, how it went, and the proof that nobody knew the deal.

import { h, write } from './element.js';
import { strings } from './language.js';
import { bindMatch } from './match.js';
import { sameDeal } from './practice.js';
import { storedName } from './preferences.js';
import { bindRanking, heading } from './ranking.js';
import { amHost, mySeat } from './reducer.js';
import { bindRetelling } from './retelling.js';
import { bindRevealed } from './revealed.js';

/**
 * @import {RoundOver} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 * @import {App} from './main.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindResults(root, app) {
  const words = strings.RESULTS;
  const title = h('h1', { id: 'winner' });
  const ranking = bindRanking();
  const match = bindMatch();
  const retelling = bindRetelling();
  const revealed = bindRevealed(app.announce);
  const again = h('button', { id: 'again', type: 'button', text: words.again });
  again.addEventListener('click', playAgain);
  const next = h('button', { id: 'next', type: 'button', class: 'primary', text: words.next });
  const wait = h('p', { class: 'small', text: words.wait });
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  next.addEventListener('click', () => app.say({ type: 'next_round' }));
  leave.addEventListener('click', app.leave);
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      h('header', { class: 'title' }, title),
      ranking.element,
      h('div', { class: 'buttons wide' }, next, wait, again, leave),
      match.element,
      retelling.element,
      revealed.element,
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;

  /** A room of one's own, with the deal of this round and its rules. */
  function playAgain() {
    const state = app.state();
    const settings = state.room?.settings;
    if (!settings || !state.over) return;
    const deal = sameDeal(settings, state.over.reveal);
    const name = storedName() || (mySeat(state)?.name ?? words.me);
    app.enter({ type: 'create', name, settings: deal }, { alone: true });
  }

  /** @param {State} state @param {RoundOver} over */
  function draw(state, over) {
    const me = state.me?.seat ?? -1;
    const won = over.ranking.some(({ seat, place }) => seat === me && place === 1);
    write(title, heading(over.ranking, me));
    ranking.update(over.ranking, me);
    const place = { code: state.room?.code ?? '', n: over.n };
    const game = state.room?.settings.game ?? '';
    revealed.update(place, game, state.promise?.commitment, over.reveal);
    if (shown?.n !== over.n) {
      app.sound.play(won ? 'won' : 'home');
      retelling.show(place, me);
    }
    shown = over;
  }

  return {
    /** @param {State} state */
    update(state) {
      if (state.over && state.over !== shown) draw(state, state.over);
      if (!state.over) write(title, words.over);
      const played = state.room?.match;
      match.update(played ?? null, state.me?.seat ?? -1);
      const goesOn = played && !played.over && played.rounds > 1;
      const after = played && played.rounds > 1 ? words.newMatch : words.next;
      write(next, goesOn ? strings.nextOf(played.n.length + 1, played.rounds) : after);
      next.hidden = !amHost(state);
      wait.hidden = amHost(state);
    },
    unbind: retelling.unbind,
  };
}
