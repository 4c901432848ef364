// The results of a race: the ranking, how the race went, and the check of the deal.

import { storeBest, storedBest } from '../browser/storage.js';
import { celebrate } from '../celebration/celebration.js';
import { hasOneWinner } from '../replay/course.js';
import { bindMatch } from '../room/match.js';
import { bindTally } from '../room/tally.js';
import { bestOf, dealId, isBetter, resultOf } from '../state/next-game.js';
import { coloursOf } from '../state/seat-colours.js';
import { isForOne, isOneOfSeveral, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { bindNextSteps } from './next-steps.js';
import { bindRound } from './round.js';
import { distance, heading, photoFinishOf } from './verdict.js';

/**
 * @import {MatchView, RoundOver} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Return the match of a round, and the round's number in it; null for a match of one round. @param {MatchView | null | undefined} match @param {number} n */
function matchOfRound(match, n) {
  const at = match?.n.indexOf(n) ?? -1;
  return match && match.rounds > 1 && at >= 0 ? { match, number: match.numbers[at] ?? 1 } : null;
}

/**
 * Keep the result of a practice game that is over in this browser, and return a sentence about it; ''
 * for a race, and while nothing has been reached.
 * @param {State} state
 * @param {RoundOver} over
 */
function keepBest({ room, me }, over) {
  const own = over.ranking.find(({ seat }) => seat === me?.seat);
  if (!room || !own || !isForOne(room)) return '';
  const { game } = room.settings;
  const now = resultOf(own);
  const deal = dealId(game, over.reveal);
  if (deal) storeBest('deal', deal, bestOf(storedBest('deal', deal), now));
  const before = storedBest('game', game);
  const best = bestOf(before, now);
  storeBest('game', game, best);
  if (isBetter(before, now)) return strings.newBest(best);
  return best.score > 0 || best.ms !== null ? strings.yourBest(best) : '';
}

/** Bind the results. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindResults(root, app) {
  const cutOff = h('p', { id: 'cut-off', hidden: true });
  const tally = bindTally();
  const match = bindMatch(app);
  const parts = bindRound(app, strings.RESULTS.over, tally.element, tally.ofRoom, cutOff);
  const nextSteps = bindNextSteps(app, parts.pictureButtons);
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      parts.head,
      parts.ranking,
      nextSteps.element,
      match.element,
      parts.replay,
      parts.record,
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;
  /** The sentence on the best result of practice. */
  let best = '';

  /** Show another round; celebrate it if this player is home. @param {State} state @param {RoundOver} over */
  function showRound(state, over) {
    const { room } = state;
    const me = state.me?.seat ?? -1;
    const id = { code: room?.code ?? '', n: over.n };
    best = keepBest(state, over);
    if (room && photoFinishOf(over, me, room.settings)) app.sound.play('photo');
    // The winner of a race has not always won a game.
    if (over.ranking.some(({ seat, won }) => seat === me && won)) celebrate(`${id.code}/${id.n}`);
    // The sentence is about the round: at the end of a match the heading is not.
    const isMatchOver = matchOfRound(room?.match, over.n)?.match.over;
    parts.replayRound(id, me, hasOneWinner(over) && !isMatchOver);
  }

  /** Write what is fixed about a round: its deal, and that it ended with a late game. @param {State} state @param {RoundOver} over */
  function writeRound({ room, me, promise }, over) {
    const own = over.ranking.find(({ seat }) => seat === me?.seat);
    const isCutOff = own !== undefined && own.late_ms !== null && own.state === 'TIMED_OUT';
    const news = room && isOneOfSeveral(room) ? strings.ROUND_NEWS : strings.NEWS;
    set(cutOff, { hidden: !isCutOff, text: news.cutOff });
    const id = { code: room?.code ?? '', n: over.n };
    const game = room?.settings.game ?? '';
    parts.reveal({ id, game, promised: promise?.commitment, reveal: over.reveal });
  }

  /** Write who has won, and draw the ranking. At the end of a match, these are the winners of the match. @param {State} state @param {RoundOver} over */
  function drawWinners({ room, me: self }, over) {
    const me = self?.seat ?? -1;
    const of = matchOfRound(room?.match, over.n);
    const ranked = {
      round: over,
      me,
      programs: programSeats(room),
      colours: coloursOf(room, over),
      undo: room?.settings.undo,
      title: of ? strings.roundOf(of.number, of.match.rounds) : '',
    };
    if (of?.match.over) {
      const { cards, winners = [] } = of.match;
      const names = cards.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
      parts.tell(strings.matchVerdict(names, winners.includes(me)));
      parts.draw(ranked, cards, winners.length > 0);
    } else {
      const by = best || (room ? distance(over, me, room.settings) : '');
      parts.tell(heading(over, me, of?.number), by);
      parts.draw(ranked, over.ranking, over.winners.length > 0);
    }
  }

  return {
    update(state) {
      const { over } = state;
      if (over) {
        const isNew = shown?.n !== over.n;
        if (over !== shown) writeRound(state, over);
        if (isNew) showRound(state, over);
        shown = over;
        drawWinners(state, over);
        if (isNew) app.readOut(parts.told());
      } else parts.tell(strings.RESULTS.over);
      match.update(state);
      nextSteps.update();
      tally.update(state);
    },
    unbind() {
      nextSteps.unbind();
      parts.unbind();
    },
  };
}
