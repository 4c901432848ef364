// The sentence of the status line about this player's game: about an act, a hint, or the end.

import { hasWonRace } from '../state/first-home.js';
import { hasEnded } from '../state/race-news.js';
import { hintInForce, ownRow } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {Acted, Hinted} from '../contract/notation.js'
 * @import {News, NewsOfGame} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

/** Return the news of a message. @type {NewsOfGame} */
export function newsOfGame(before, after, message) {
  if (message.type === 'acted') return actNews(before, after, message);
  return message.type === 'hinted' ? hintNews(after, message) : endNews(before, after);
}

/** Return the effect of an act. @param {State} before @param {State} after @param {Acted} message @returns {News} */
function actNews(before, after, message) {
  const row = ownRow(after);
  // The end has been announced, with the place.
  if (message.outcome && row && hasEnded(row)) return '';
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (!act || !before.play || !after.play) return '';
  const [oldPiles, piles] = [before.play.base.piles, after.play.base.piles];
  const news = strings.actDone(act.action, oldPiles, piles);
  const aside = strings.actAside(act.action, oldPiles, piles);
  if (aside) return { text: news, aside };
  const old = before.play.base.counts;
  const { exceptions, cheats } = { ...old, ...message.counts };
  if (act.action.type === 'undo' && cheats > old.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  const wasException = act.action.type === 'move' && exceptions > old.exceptions;
  return wasException ? `${news} ${strings.exceptionMade(exceptions)}` : news;
}

/** Return a hint, or that it came too late. @param {State} after @param {Hinted} hint */
const hintNews = (after, hint) =>
  hintInForce(after) && after.play
    ? strings.hinted(hint, after.play.base.piles)
    : strings.hintLate(hint.hints);

/**
 * Return the end of this player's game while others still race, as it stands over the table. Giving up
 * has news of its own.
 * @param {State} before
 * @param {State} after
 */
function endNews(before, after) {
  const [old, row] = [ownRow(before), ownRow(after)];
  if (!old || !row || hasEnded(old) || !hasEnded(row) || row.state === 'FORFEIT') return '';
  const racing = after.standings.filter((each) => each.state === 'RACING' && !hasEnded(each));
  if (racing.length === 0) return ''; // the result follows
  if (hasWonRace(after))
    return `${strings.youWin(row.finished_ms ?? 0)} ${strings.soFar(null, racing.length)}`;
  const place = strings.soFar(row.place, racing.length);
  return row.won ? `${strings.RACE.home} ${place}` : place;
}
