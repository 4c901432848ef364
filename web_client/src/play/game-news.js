// The news of this player's game: the effect of an act, a hint, and the end.

import { hasEnded, hasWonRace, isEnd } from '../state/race-events.js';
import { hintInForce, ownRow } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {Acted} from '../contract/notation.js'
 * @import {News, NewsOfGame} from '../page/app.d.ts'
 * @import {Change} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 */

/** Return the news of a message about this player's game: the effect of an act, a hint, or the end, which several messages can bring. @type {NewsOfGame} */
export function newsOfGame({ before, after, message, events }) {
  if (message.type === 'acted') return actNews(before, after, message);
  if (message.type !== 'hinted') return endNews(after, events);
  const piles = hintInForce(after) && after.play?.base.piles;
  // A hint for a table that has changed since is not shown, but counts: `hints` is its number.
  return piles ? strings.hinted(message, piles) : strings.hintLate(message.hints);
}

/** Return the effect of this player's act; '' if the act was taken back, or if the end that it brought is already announced. @param {State} before @param {State} after @param {Acted} message @returns {News} */
function actNews(before, after, message) {
  const row = ownRow(after);
  // The standings came first: with them `endNews` has announced the end and the place.
  if (message.outcome && row && hasEnded(row)) return '';
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (!act || !before.play || !after.play) return ''; // taken back while it was in flight
  const { piles, counts } = before.play.base;
  const { action } = act;
  const news = strings.actDone(action, piles, after.play.base.piles);
  const aside = strings.actAside(action, piles, after.play.base.piles);
  if (aside) return { text: news, aside };
  const { exceptions, cheats } = { ...counts, ...message.counts }; // the message has those that changed
  if (action.type === 'undo' && cheats > counts.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  if (action.type === 'move' && exceptions > counts.exceptions)
    return `${news} ${strings.exceptionMade(exceptions)}`;
  return news;
}

/**
 * Return the end of this player's game, in the words that stand over the table. Return '' if it has not just
 * ended, or nobody else is racing. Giving up has news of its own.
 * @param {State} after
 * @param {Change['events']} events
 */
function endNews(after, events) {
  const row = ownRow(after);
  const hasJustEnded = events.some((each) => isEnd(each) && each.standing === row);
  if (!row || !hasJustEnded || row.state === 'FORFEIT') return '';
  // The state of a game that has just ended can still be `RACING`.
  const racing = after.standings.filter((each) => each.state === 'RACING' && !hasEnded(each));
  if (racing.length === 0) return ''; // the result follows
  if (hasWonRace(after))
    return `${strings.youWin(row.finished_ms ?? 0)} ${strings.soFar(null, racing.length)}`; // `youWin` has the place
  const place = strings.soFar(row.place, racing.length);
  return row.won ? `${strings.RACE.home} ${place}` : place;
}
