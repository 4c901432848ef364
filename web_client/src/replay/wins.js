// What the review of a round says about each player, and the buttons that play the last known wins.

import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';

/**
 * @import {GameReview, RoundReview} from '../contract/messages.d.ts'
 * @import {Colours} from '../state/seat-colours.js'
 */

/** Bind an empty list. @param {(game: GameReview) => void} play plays a player's last known win */
export function bindWins(play) {
  const words = strings.REPLAY;
  const list = h('ul', { class: 'replay-wins', id: 'wins', 'aria-label': words.wins });
  const note = h('p', { class: 'text-small', id: 'review-note' });

  /** Make the item of a game. @param {GameReview} game */
  function makeItem(game) {
    const onclick = () => play(game);
    const button = h('button', { 'data-action': 'play-win', text: words.playWin, onclick });
    const item = h('li', {}, h('span'), ...(game.known_ms === null ? [] : [button]));
    item.dataset.review = String(game.seat);
    return item;
  }

  return {
    element: h('div', {}, list, note),
    /**
     * Show a review as far as it is made; null is none. Nothing is said of games that nobody
     * reviews, as on a server without reviews.
     * @param {RoundReview | null} review
     * @param {readonly string[]} missing the names of players without one
     * @param {Colours} colours
     */
    show(review, missing, colours) {
      const games = review?.games ?? [];
      keyed(
        list,
        games,
        ({ seat }) => String(seat),
        makeItem,
        (item, game) => {
          const [label] = item.children;
          if (label) writeName(label, strings.reviewOf(game), undefined, colours(game.seat));
        },
      );
      list.hidden = games.length === 0;
      const left = games.length > 0 ? missing : [];
      write(note, strings.reviewNote(review?.state === 'running', left));
      note.hidden = !note.textContent;
    },
  };
}
