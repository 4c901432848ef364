// After the race: who was how good, how it went, and the proof that nobody knew the deal.

import { strings } from '../core/language.js';
import { bindRetelling } from '../replay/replay-page.js';
import { bindMatch } from '../room/match.js';
import { celebrate } from '../shared/celebration.js';
import { h, write } from '../shared/element.js';
import { bindOnward } from './next-steps.js';
import { bindRanking, heading } from './ranking.js';
import { bindRevealed } from './revealed-deal.js';

/**
 * @import {RoundOver} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindResults(root, app) {
  const words = strings.RESULTS;
  const title = h('h1', { id: 'winner' });
  const ranking = bindRanking();
  const match = bindMatch(app);
  const retelling = bindRetelling();
  const revealed = bindRevealed(app.announce);
  const onward = bindOnward(app);
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      h('header', { class: 'title' }, title),
      ranking.element,
      onward.element,
      match.element,
      retelling.element,
      revealed.element,
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;

  /** @param {State} state @param {RoundOver} over */
  function draw(state, over) {
    const me = state.me?.seat ?? -1;
    const own = over.ranking.find(({ seat }) => seat === me);
    const won = own?.place === 1;
    write(title, heading(over.ranking, me));
    ranking.update(over.ranking, me);
    const place = { code: state.room?.code ?? '', n: over.n };
    const game = state.room?.settings.game ?? '';
    revealed.update(place, game, state.promise?.commitment, over.reveal);
    if (shown?.n !== over.n) {
      app.sound.play(won ? 'won' : 'home');
      // The best of those who gave up have won, but there is nothing to throw pips for.
      if (own?.won) celebrate(`${place.code}/${place.n}`);
      retelling.show(place, me);
    }
    shown = over;
  }

  return {
    /** @param {State} state */
    update(state) {
      if (state.over && state.over !== shown) draw(state, state.over);
      if (!state.over) write(title, words.over);
      match.update(state);
      onward.update(state);
    },
    unbind: retelling.unbind,
  };
}
