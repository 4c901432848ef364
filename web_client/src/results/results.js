// The results of a race: the ranking, how the race went, and the check of the deal.

import { strings } from '../core/language.js';
import { isOneOfSeveral } from '../core/reducer.js';
import { bindReplayPage } from '../replay/replay-page.js';
import { bindMatch } from '../room/match.js';
import { celebrate } from '../shared/celebration.js';
import { h, write } from '../shared/element.js';
import { bindNextSteps } from './next-steps.js';
import { bindRanking, heading } from './ranking.js';
import { bindRevealedDeal } from './revealed-deal.js';
import { bindTally } from './tally.js';

/**
 * @import {MatchView, RoundOver, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 */

/** Return whether a latecomer's game ended with the race. @param {Standing | undefined} standing */
const isCutOff = (standing) =>
  standing !== undefined && standing.late_ms !== null && standing.state === 'TIMED_OUT';

/** Return the match of several rounds to which a round belongs, and its number there. @param {MatchView | null} match @param {number} n */
function matchOfRound(match, n) {
  const at = match?.n.indexOf(n) ?? -1;
  return match && match.rounds > 1 && at >= 0 ? { match, number: match.numbers[at] ?? 1 } : null;
}

/** Bind the results. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindResults(root, app) {
  const title = h('h1', { id: 'winner' });
  const cutOff = h('p', { id: 'cut-off', hidden: true });
  const ranking = bindRanking();
  const match = bindMatch(app);
  const replayPage = bindReplayPage();
  const revealed = bindRevealedDeal(app.announce);
  const nextSteps = bindNextSteps(app);
  const tally = bindTally();
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      h('header', { class: 'page-title' }, title, tally.element, tally.ofRoom, cutOff),
      ranking.element,
      nextSteps.element,
      match.element,
      replayPage.element,
      revealed.element,
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;

  /** Draw a finished round; celebrate it if it is new. @param {State} state @param {RoundOver} over */
  function draw(state, over) {
    const me = state.me?.seat ?? -1;
    const ownStanding = over.ranking.find(({ seat }) => seat === me);
    cutOff.hidden = !isCutOff(ownStanding);
    const inMatch = state.room !== null && isOneOfSeveral(state.room);
    write(cutOff, (inMatch ? strings.ROUND_NEWS : strings.NEWS).cutOff);
    const roundId = { code: state.room?.code ?? '', n: over.n };
    const game = state.room?.settings.game ?? '';
    revealed.update(roundId, game, state.promise?.commitment, over.reveal);
    if (shown?.n !== over.n) {
      app.sound.play(over.winners?.includes(me) ? 'won' : 'home');
      // The winner of a race has not always won a game.
      if (ownStanding?.won) celebrate(`${roundId.code}/${roundId.n}`);
      replayPage.show(roundId, me);
    }
    shown = over;
  }

  /** Write who has won, and draw the ranking. After a match the winners and the podium are its own. @param {State} state @param {RoundOver} over */
  function drawWinners({ room, me: self }, over) {
    const me = self?.seat ?? -1;
    const undo = room?.settings.undo;
    const of = matchOfRound(room?.match ?? null, over.n);
    if (!of) {
      write(title, heading(over, me));
      ranking.update(over, me, undo);
      return;
    }
    const { cards, winners = [], rounds, over: isOver } = of.match;
    const names = cards.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
    const ofRound = heading(over, me, of.number);
    write(title, isOver ? strings.matchVerdict(names, winners.includes(me)) : ofRound);
    const podium = winners.length > 0 ? cards : [];
    const caption = strings.roundOf(of.number, rounds);
    ranking.update(over, me, undo, { title: caption, podium: isOver ? podium : null });
  }

  return {
    update(state) {
      if (state.over && state.over !== shown) draw(state, state.over);
      if (state.over) drawWinners(state, state.over);
      else write(title, strings.RESULTS.over);
      match.update(state);
      nextSteps.update();
      tally.update(state);
    },
    unbind() {
      nextSteps.unbind();
      replayPage.unbind();
    },
  };
}
