// The results of a race: the ranking, how the race went, and the check of the deal.

import { celebrate } from '../celebration/celebration.js';
import { hasOneWinner } from '../replay/decision.js';
import { bindReplayPage } from '../replay/replay-page.js';
import { bindMatch } from '../room/match.js';
import { bindTally } from '../room/tally.js';
import { coloursOf } from '../state/seat-colours.js';
import { isOneOfSeveral, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { bindHeadline, distance, heading, photoFinishOf } from './headline.js';
import { bindNextSteps } from './next-steps.js';
import { keepBest } from './own-best.js';
import { bindPicture } from './picture.js';
import { bindPodium, onPodium } from './podium.js';
import { bindRanking } from './ranking.js';
import { bindRevealedDeal } from './revealed-deal.js';

/**
 * @import {MatchView, RoundOver, Standing} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Return whether a latecomer's game ended with the race. @param {Standing | undefined} standing */
const isCutOff = (standing) =>
  standing !== undefined && standing.late_ms !== null && standing.state === 'TIMED_OUT';

/** Return the match of a round, and the round's number in it; null for a match of one round. @param {MatchView | null} match @param {number} n */
function matchOfRound(match, n) {
  const at = match?.n.indexOf(n) ?? -1;
  return match && match.rounds > 1 && at >= 0 ? { match, number: match.numbers[at] ?? 1 } : null;
}

/** Return whether the heading is about a match that is over. @param {State} state @param {RoundOver} over */
const isMatchOver = ({ room }, over) => matchOfRound(room?.match ?? null, over.n)?.match.over;

/** Bind the results. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindResults(root, app) {
  const cutOff = h('p', { id: 'cut-off', hidden: true });
  const tally = bindTally();
  const lines = [tally.element, tally.ofRoom, cutOff];
  const headline = bindHeadline('', (ms) => replayPage.goTo(ms), ...lines);
  const podium = bindPodium();
  const ranking = bindRanking((game) => replayPage.playWin(game));
  const match = bindMatch(app);
  const replayPage = bindReplayPage({
    onCourse: headline.setCourse,
    onReview(reviewed) {
      ranking.setReview(reviewed);
      if (latest?.over) drawWinners(latest, latest.over);
    },
  });
  const revealed = bindRevealedDeal(app.announce);
  const picture = bindPicture(app.announce);
  const nextSteps = bindNextSteps(app, picture.buttons);
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      h('header', { class: 'page-title results-top' }, headline.element, podium.element),
      ranking.element,
      nextSteps.element,
      match.element,
      replayPage.element,
      revealed.element,
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;
  /** @type {State | null} */
  let latest = null;
  /** The sentence on the best result of practice. */
  let best = '';

  /** Draw a finished round; celebrate it if it is new. @param {State} state @param {RoundOver} over */
  function draw(state, over) {
    const me = state.me?.seat ?? -1;
    const ownStanding = over.ranking.find(({ seat }) => seat === me);
    cutOff.hidden = !isCutOff(ownStanding);
    const inMatch = state.room !== null && isOneOfSeveral(state.room);
    write(cutOff, (inMatch ? strings.ROUND_NEWS : strings.NEWS).cutOff);
    const roundId = { code: state.room?.code ?? '', n: over.n };
    const game = state.room?.settings.game ?? '';
    picture.update(roundId);
    revealed.update(roundId, game, state.promise?.commitment, over.reveal);
    if (shown?.n !== over.n) {
      best = keepBest(state, over);
      if (state.room && photoFinishOf(over, me, state.room.settings)) app.sound.play('photo');
      // The winner of a race has not always won a game.
      if (ownStanding?.won) celebrate(`${roundId.code}/${roundId.n}`);
      ranking.setReview(new Map());
      // The sentence is about the round: at the end of a match the heading is not.
      headline.awaitDecision(hasOneWinner(over) && !isMatchOver(state, over));
      replayPage.show(roundId, me);
    }
    shown = over;
  }

  /**
   * Write who has won, and draw the ranking. At the end of a match, these are the winners of the match.
   * @param {State} state
   * @param {RoundOver} over
   */
  function drawWinners({ room, me: self }, over) {
    const me = self?.seat ?? -1;
    const programs = programSeats(room);
    const colours = coloursOf(room, over);
    const undo = room?.settings.undo;
    const own = matchOfRound(room?.match ?? null, over.n);
    const title = own ? strings.roundOf(own.number, own.match.rounds) : '';
    ranking.update(over, me, programs, colours, undo, title);
    if (own?.match.over) {
      const { cards, winners = [] } = own.match;
      const names = cards.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
      headline.update(strings.matchVerdict(names, winners.includes(me)), '');
      podium.update(onPodium(cards, winners.length > 0), programs, colours);
      return;
    }
    const by = best || (room ? distance(over, me, room.settings) : '');
    headline.update(heading(over, me, own?.number), by);
    podium.update(onPodium(over.ranking, over.winners.length > 0), programs, colours);
  }

  return {
    update(state) {
      latest = state;
      const isNew = state.over !== null && shown?.n !== state.over.n;
      if (state.over && state.over !== shown) draw(state, state.over);
      if (state.over) drawWinners(state, state.over);
      else headline.update(strings.RESULTS.over, '');
      if (isNew) app.readOut(headline.spoken());
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
