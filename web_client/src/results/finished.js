// The page of a finished round. Its link is enough: the page needs no seat and no connection.

import { storedName } from '../browser/storage.js';
import { roundIn } from '../page/room-code.js';
import { hasOneWinner } from '../replay/decision.js';
import { fetchRound } from '../replay/finished-rounds.js';
import { bindReplayPage } from '../replay/replay-page.js';
import { sameDeal } from '../state/next-game.js';
import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { bindHeadline, distance, heading } from './headline.js';
import { bindPicture } from './picture.js';
import { bindPodium, onPodium } from './podium.js';
import { bindRanking } from './ranking.js';
import { bindRevealedDeal } from './revealed-deal.js';

/**
 * @import {RoundCourse} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Bind the page of the round that the address names. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindFinished(root, app) {
  const words = strings.FINISHED;
  const roundId = roundIn(location.pathname) ?? { code: '', n: 0 };
  const about = h('p', { id: 'about' });
  const headline = bindHeadline(words.loading, (ms) => replayPage.goTo(ms), about);
  const podium = bindPodium();
  const ranking = bindRanking((game) => replayPage.playWin(game));
  /** @type {RoundCourse | null} */
  let shown = null;
  const replayPage = bindReplayPage({
    onCourse: headline.setCourse,
    onReview(reviewed) {
      ranking.setReview(reviewed);
      if (shown) drawRanking(shown);
    },
  });
  const revealed = bindRevealedDeal(app.announce);
  const picture = bindPicture(app.announce);
  const again = h('button', { id: 'again', text: strings.RESULTS.again });
  const front = h('a', { class: 'finished-link', href: '/', text: words.front });
  const room = h('a', { class: 'finished-link', href: `/r/${roundId.code}`, text: words.room });
  const page = h(
    'div',
    { class: 'page results', id: 'results' },
    h('header', { class: 'page-title results-top' }, headline.element, podium.element),
  );
  root.replaceChildren(page);
  let isBound = true;

  /** Draw the ranking. @param {RoundCourse} round */
  function drawRanking(round) {
    const programs = new Map(round.programs.map((seat) => /** @type {const} */ ([seat, null])));
    const colours = coloursOf(null, round);
    ranking.update(round, -1, programs, colours, round.settings.undo);
    podium.update(onPodium(round.ranking, round.winners.length > 0), programs, colours);
  }

  /** Show the round. @param {RoundCourse} round */
  function show(round) {
    shown = round;
    headline.update(heading(round, -1), distance(round, -1, round.settings));
    headline.awaitDecision(hasOneWinner(round));
    write(about, strings.raceAbout(round));
    drawRanking(round);
    // This page was not open before the race, so it knows the hash only as the server states it now.
    picture.update(roundId);
    revealed.update(roundId, round.settings.game, null, round.reveal);
    again.addEventListener('click', () => {
      const settings = sameDeal(round.settings, round.reveal);
      const name = storedName() || strings.RESULTS.me;
      app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
    });
    page.append(
      ranking.element,
      h('div', { class: 'buttons buttons-wide' }, again, ...picture.buttons, room, front),
      replayPage.element,
      revealed.element,
    );
    replayPage.show(roundId, -1);
  }

  /** Show that there is no such round. */
  function showMissing() {
    headline.update(words.gone, '');
    write(about, words.why);
    page.append(h('div', { class: 'buttons buttons-wide' }, room, front));
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
