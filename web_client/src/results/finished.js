// The page of a finished round. Its link is enough: the page needs no seat and no connection.

import { storedName } from '../browser/storage.js';
import { roundIn } from '../page/room-code.js';
import { hasOneWinner } from '../replay/course.js';
import { fetchRound } from '../replay/finished-rounds.js';
import { sameDeal } from '../state/next-game.js';
import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { bindRound } from './round.js';
import { distance, heading } from './verdict.js';

/**
 * @import {RoundCourse} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Bind the page of the round that the address names. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindFinished(root, app) {
  const words = strings.FINISHED;
  const id = roundIn(location.pathname) ?? { code: '', n: 0 };
  const about = h('p', { id: 'about' });
  const parts = bindRound(app, words.loading, about);
  const page = h('div', { class: 'page results', id: 'results' }, parts.head);
  const links = [
    h('a', { class: 'results-link', href: `/r/${id.code}`, text: words.room }),
    h('a', { class: 'results-link', href: '/', text: words.front }),
  ];
  root.replaceChildren(page);
  let isBound = true;

  /** Show the round. @param {RoundCourse} round */
  function show(round) {
    const { settings, reveal, ranking, winners } = round;
    /** Open a room for this visitor alone, with the same deal. */
    function playAgain() {
      const name = storedName() || strings.RESULTS.me;
      const opening = { name, settings: sameDeal(settings, reveal) };
      app.enter({ type: 'create', ...opening }, { startsAtOnce: true });
    }
    const again = h('button', { id: 'again', text: strings.RESULTS.again, onclick: playAgain });
    parts.tell(heading(round, -1), distance(round, -1, settings));
    about.textContent = strings.raceAbout(round);
    const programs = new Map(round.programs.map((seat) => /** @type {const} */ ([seat, null])));
    const colours = coloursOf(null, round);
    const ranked = { round, me: -1, programs, colours, undo: settings.undo };
    parts.draw(ranked, ranking, winners.length > 0);
    // This page was not open before the race, so it knows the hash only as the server states it now.
    parts.reveal({ id, game: settings.game, promised: null, reveal });
    page.append(
      parts.ranking,
      h('div', { class: 'buttons buttons-wide' }, again, ...parts.pictureButtons, ...links),
      parts.replay,
      parts.record,
    );
    parts.replayRound(id, -1, hasOneWinner(round));
  }

  /** Show that there is no such round. */
  function showMissing() {
    parts.tell(words.gone);
    about.textContent = words.why;
    page.append(h('div', { class: 'buttons buttons-wide' }, ...links));
  }

  fetchRound(id).then(
    (round) => isBound && show(round),
    () => isBound && showMissing(),
  );
  return {
    update() {},
    unbind() {
      isBound = false;
      parts.unbind();
    },
  };
}
