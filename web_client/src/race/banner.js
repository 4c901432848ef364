// The news of a race: a player has finished, or has completed a suit. The banner disappears after a
// while, and its place stays free, so that it neither covers nor moves anything. The status line
// announces the same. A win also sweeps over the page, and a photo finish comes with its margin.

import { sweep } from '../celebration/sweep.js';
import { GAMES } from '../contract/games.js';
import { photoFinish, winsForCertain } from '../state/first-home.js';
import { raceNews } from '../state/race-news.js';
import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation } from '../widgets/element.js';
import { seatMark } from '../widgets/marks.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {Sound} from '../browser/sound.js'
 * @import {PhotoFinish} from '../state/first-home.js'
 * @import {RaceNews} from '../state/race-news.js'
 * @import {State} from '../state/state.js'
 * @typedef {{kind: 'photo', standing: Standing, photo: PhotoFinish}} PhotoNews
 * @typedef {RaceNews | PhotoNews} News
 */

/** The time that the last piece of news is shown. */
const SHOWN_MS = 3_000;
/** The time that a piece of news is shown if another one waits. */
const LEAST_MS = 1_200;

/** Return the players whose game has ended with this news. @param {News} news */
const seatsOf = (news) =>
  news.kind === 'photo' ? [news.photo.first.seat, news.photo.second.seat] : [news.standing.seat];

/**
 * Return the news that wait: the ends of games, then the latest completed suit, unless the game of its
 * player has ended.
 * @param {readonly News[]} waiting
 * @param {readonly News[]} news
 * @returns {News[]}
 */
export function queueNews(waiting, news) {
  const all = [...waiting, ...news];
  const ends = all.filter(({ kind }) => kind !== 'suit');
  const suit = all.findLast(({ kind }) => kind === 'suit');
  const isOver = suit && ends.flatMap(seatsOf).includes(suit.standing.seat);
  return suit && !isOver ? [...ends, suit] : ends;
}

/**
 * Return the news of a photo finish, which replaces that of the second player's finish.
 * @param {readonly Standing[]} before
 * @param {State} after
 * @param {readonly RaceNews[]} news
 * @returns {readonly News[]}
 */
export function withPhotoFinish(before, { room, standings }, news) {
  const photo = photoFinish(standings, room?.settings);
  if (!photo || before.length === 0 || photoFinish(before, room?.settings)) return news;
  const others = news.filter(({ standing }) => standing.seat !== photo.second.seat);
  return [{ kind: 'photo', standing: photo.first, photo }, ...others];
}

/** Bind the banner. @param {HTMLElement} lead who leads, while there is no other news @param {Pick<Sound, 'play'>} sound */
export function bindBanner(lead, sound) {
  const banner = h('p', { class: 'banner mark-tone', id: 'banner', hidden: true });
  const element = h('div', { class: 'banner-place', 'aria-hidden': 'true' }, lead, banner);
  /** @type {News[]} */
  let waiting = [];
  let seat = -1;
  /** @type {readonly Standing[]} */
  let latest = [];
  let round = '';
  let suits = 0;
  let colours = coloursOf(null);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Show the next piece of news, or hide the banner. */
  function showNext() {
    timer = undefined;
    const news = waiting.shift();
    banner.hidden = !news;
    if (!news) return;
    banner.dataset.kind = news.kind;
    banner.dataset.colour = colours(news.standing.seat);
    const isPhoto = news.kind === 'photo';
    const name = h(
      'bdi',
      { class: 'text-cut' },
      seatMark(colours(news.standing.seat)),
      isPhoto ? strings.PHOTO_FINISH : news.standing.name,
    );
    const text = isPhoto ? strings.photoBy(news.photo, seat) : strings.raceNews(news, suits);
    // A colon stays beside the name, where the words stand below it.
    const colon = text.startsWith(':') ? ':' : '';
    banner.replaceChildren(
      h('span', { class: 'banner-who' }, name, colon),
      h('span', { class: 'banner-words', text: text.slice(colon.length) }),
    );
    if (isPhoto) sound.play('photo');
    restartAnimation(banner, 'data-arriving');
    timer = setTimeout(showNext, waiting.length > 0 ? LEAST_MS : SHOWN_MS);
  }

  /** Let the win of a rival sweep over the page. @param {Standing} standing @param {boolean} forCertain */
  function showWin(standing, forCertain) {
    sweep(element, standing.name, strings.homeFirst(forCertain), colours(standing.seat));
  }

  return {
    element,
    /** @param {State} state */
    update(state) {
      const { room, standings, me } = state;
      const current = `${room?.code}/${room?.round?.n}`;
      const before = current === round ? latest : [];
      round = current;
      colours = coloursOf(room);
      suits = GAMES[room?.settings.game ?? '']?.foundations ?? 0;
      if (standings === latest) return;
      latest = standings;
      seat = me?.seat ?? -1;
      const ends = raceNews(before, standings, seat);
      const win = ends.find(({ kind, standing }) => kind === 'finish' && standing.place === 1);
      if (win) showWin(win.standing, winsForCertain(win.standing, room?.settings));
      const news = withPhotoFinish(before, state, ends);
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
