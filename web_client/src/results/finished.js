// The page of a finished round. Its link is enough: the page needs no seat and no connection.

import { strings } from '../core/language.js';
import { sameDeal } from '../core/practice.js';
import { storedName } from '../core/preferences.js';
import { roundIn } from '../core/room-code.js';
import { fetchRound } from '../replay/finished-rounds.js';
import { bindReplayPage } from '../replay/replay-page.js';
import { h, write } from '../shared/element.js';
import { bindRanking, heading } from './ranking.js';
import { bindRevealedDeal } from './revealed-deal.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 */

/** Bind the page of the round that the address names. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindFinished(root, app) {
  const words = strings.FINISHED;
  const roundId = roundIn(location.pathname) ?? { code: '', n: 0 };
  const title = h('h1', { id: 'winner', text: words.loading });
  const about = h('p', { id: 'about' });
  const ranking = bindRanking();
  const replayPage = bindReplayPage();
  const revealed = bindRevealedDeal(app.announce);
  const again = h('button', { id: 'again', type: 'button', text: strings.RESULTS.again });
  const front = h('a', { class: 'link-button', href: '/', text: words.front });
  const room = h('a', { class: 'link-button', href: `/r/${roundId.code}`, text: words.room });
  const page = h(
    'div',
    { class: 'page results finished', id: 'results' },
    h('header', { class: 'page-title' }, title, about),
  );
  root.replaceChildren(page);
  let isBound = true;

  /** Show the round. @param {RoundCourse} round */
  function show(round) {
    write(title, heading(round, -1));
    write(about, strings.raceAbout(round));
    ranking.update(round, -1, round.settings.undo);
    // This page was not open before the race, so it knows the hash only as the server states it now.
    revealed.update(roundId, round.settings.game, null, round.reveal);
    again.addEventListener('click', () => {
      const settings = sameDeal(round.settings, round.reveal);
      const name = storedName() || strings.RESULTS.me;
      app.enter({ type: 'create', name, settings }, { alone: true });
    });
    page.append(
      ranking.element,
      h('div', { class: 'buttons wide' }, again, room, front),
      replayPage.element,
      revealed.element,
    );
    replayPage.show(roundId, -1);
  }

  /** Show that there is no such round. */
  function showMissing() {
    write(title, words.gone);
    write(about, words.why);
    page.append(h('div', { class: 'buttons wide' }, room, front));
  }

  fetchRound(roundId).then(
    (round) => isBound && show(round),
    () => isBound && showMissing(),
  );

  return {
    update() {},
    unbind() {
      isBound = false;
      replayPage.unbind();
    },
  };
}
