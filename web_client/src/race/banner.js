// The news of a race: a player has finished, or has completed a suit. The banner disappears after a
// while, and its place stays free, so that it neither covers nor moves anything. The status line
// announces the same.

import { suitsOf } from '../core/cards.js';
import { strings } from '../core/language.js';
import { raceNews } from '../core/race-news.js';
import { h, restartAnimation } from '../shared/element.js';

/**
 * @import {Standing} from '../core/messages.d.ts'
 * @import {RaceNews} from '../core/race-news.js'
 * @import {State} from '../core/reducer.js'
 */

/** The time that the last piece of news is shown. */
const SHOWN_MS = 3_000;
/** The time that a piece of news is shown if another one waits. */
const LEAST_MS = 1_200;

/**
 * Return the news that wait: the ends of games, then the latest completed suit, unless the game of its
 * player has ended.
 *
 * @param {readonly RaceNews[]} waiting
 * @param {readonly RaceNews[]} news
 * @returns {RaceNews[]}
 */
export function queueNews(waiting, news) {
  const all = [...waiting, ...news];
  const ends = all.filter(({ kind }) => kind !== 'suit');
  const suit = all.findLast(({ kind }) => kind === 'suit');
  const isOver = ends.some(({ standing }) => standing.seat === suit?.standing.seat);
  return suit && !isOver ? [...ends, suit] : ends;
}

/** Bind the banner. */
export function bindBanner() {
  const banner = h('p', { class: 'banner', id: 'banner', hidden: true });
  const title = h('span', { class: 'race-news-title', text: strings.STANDINGS });
  const element = h('div', { class: 'race-news', 'aria-hidden': 'true' }, title, banner);
  /** @type {RaceNews[]} */
  let waiting = [];
  /** @type {readonly Standing[]} */
  let latest = [];
  let round = '';
  let suits = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Show the next piece of news, or hide the banner. */
  function showNext() {
    timer = undefined;
    const news = waiting.shift();
    banner.hidden = !news;
    if (!news) return;
    banner.dataset.kind = news.kind;
    banner.replaceChildren(
      h('bdi', { text: news.standing.name }),
      h('span', { text: strings.raceNews(news, suits) }),
    );
    restartAnimation(banner, 'banner-in');
    timer = setTimeout(showNext, waiting.length > 0 ? LEAST_MS : SHOWN_MS);
  }

  return {
    element,
    /** @param {State} state */
    update({ room, standings, me }) {
      const current = `${room?.code}/${room?.round?.n}`;
      const before = current === round ? latest : [];
      round = current;
      suits = suitsOf(room?.settings.game ?? '');
      if (standings === latest) return;
      latest = standings;
      const news = raceNews(before, standings, me?.seat ?? -1);
      if (news.length === 0) return;
      waiting = queueNews(waiting, news);
      // A finish replaces a suit at once.
      if (timer && (banner.dataset.kind !== 'suit' || waiting[0]?.kind === 'suit')) return;
      clearTimeout(timer);
      showNext();
    },
    unbind: () => clearTimeout(timer),
  };
}
