// The news of a race over its head: who has finished, and who has completed a suit. It goes by
// itself, takes no room and no taps, and covers no card. The status line announces the same.

import { strings } from '../core/language.js';
import { raceNews } from '../core/race-news.js';
import { h } from '../shared/element.js';

/**
 * @import {Standing} from '../core/messages.d.ts'
 * @import {RaceNews} from '../core/race-news.js'
 * @import {State} from '../core/reducer.js'
 */

const SHOWN_MS = 3_000;
/** A piece of news stands at least so long before the next one replaces it. */
const LEAST_MS = 1_200;

/**
 * Return the news that wait, the greatest first: all ends of games, and one suit, the latest, if no
 * greater news of its player have come.
 *
 * @param {readonly RaceNews[]} waiting
 * @param {readonly RaceNews[]} news
 * @returns {RaceNews[]}
 */
export function queue(waiting, news) {
  const all = [...waiting, ...news];
  const ends = all.filter(({ kind }) => kind !== 'suit');
  const suit = all.findLast(({ kind }) => kind === 'suit');
  const over = ends.some(({ standing }) => standing.seat === suit?.standing.seat);
  return suit && !over ? [...ends, suit] : ends;
}

/** Bind the banner. */
export function bindBanner() {
  const element = h('p', { class: 'banner', id: 'banner', 'aria-hidden': 'true', hidden: true });
  /** @type {RaceNews[]} */
  let waiting = [];
  /** @type {readonly Standing[]} */
  let seen = [];
  let round = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function next() {
    timer = undefined;
    const news = waiting.shift();
    element.hidden = !news;
    if (!news) return;
    element.dataset.kind = news.kind;
    element.replaceChildren(h('bdi', { text: news.standing.name }), strings.raceNews(news));
    element.classList.remove('banner-in');
    void element.offsetWidth;
    element.classList.add('banner-in');
    timer = setTimeout(next, waiting.length > 0 ? LEAST_MS : SHOWN_MS);
  }

  return {
    element,
    /** @param {State} state */
    update({ room, standings, me }) {
      const now = `${room?.code}/${room?.round?.n}`;
      const before = now === round ? seen : [];
      round = now;
      if (standings === seen) return;
      seen = standings;
      const news = raceNews(before, standings, me?.seat ?? -1);
      if (news.length === 0) return;
      waiting = queue(waiting, news);
      // A finish does not wait for a suit to have been read.
      if (timer && (element.dataset.kind !== 'suit' || waiting[0]?.kind === 'suit')) return;
      clearTimeout(timer);
      next();
    },
    unbind: () => clearTimeout(timer),
  };
}
