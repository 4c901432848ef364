// The moment at which a race was decided, and what made the difference. Pure.
//
// The moment is the last change of the lead, if the new leader is the only winner. As in `leads()`, points
// alone give the lead; players who have won are above all others, and players who gave up below. A tie
// is no change. Where the score counts moves there is no lead, and the win decides.

import { GAMES } from '../contract/games.js';
import { lastLeader, leads } from './scores-over-time.js';

/**
 * @import {RoundCourse, Standing} from '../contract/messages.d.ts'
 * @import {Replay} from '../contract/notation.js'
 * @typedef {object} Decision
 * @property {number} ms
 * @property {'led' | 'lead' | 'home' | 'quit'} kind `led`: the winner was the only leader; `lead`: the
 *   winner took the lead; `home`: the winner finished from behind; `quit`: the leader gave up
 * @property {number} seat of the winner, or of the player who gave up
 */

/** Return the players on a ranking, best first. @param {readonly Standing[]} ranking */
export const ranked = (ranking) => ranking.filter(({ place }) => place !== null);

/** Return whether a round was won by one player against others. @param {{ranking: readonly Standing[], winners?: readonly number[]}} round */
export const hasOneWinner = ({ ranking, winners = [] }) =>
  winners.length === 1 && ranked(ranking).length > 1;

/** Return the moment at which a round was decided; null if there is none. @param {RoundCourse} round @returns {Decision | null} */
export function decisionOf(round) {
  const { ranking, winners = [], settings } = round;
  const winner = ranking.find((each) => each.seat === winners[0]);
  if (!hasOneWinner(round) || !winner) return null;
  const { seat, won, finished_ms: finishedMs } = winner;
  if (settings.score === 'moves')
    return won && finishedMs !== null ? { ms: finishedMs, kind: 'home', seat } : null;
  if (lastLeader(round) !== seat) return null;
  const changes = leads(round);
  const last = changes.at(-1);
  const before = changes.at(-2);
  if (!last) return null;
  const { ms } = last;
  if (!before) return { ms, kind: 'led', seat };
  if (won && ms === finishedMs) return { ms, kind: 'home', seat };
  const leader = ranking.find((each) => each.seat === before.seat);
  const hasQuit = leader?.state === 'FORFEIT' && !leader.won && leader.finished_ms === ms;
  return hasQuit ? { ms, kind: 'quit', seat: before.seat } : { ms, kind: 'lead', seat };
}

/**
 * @typedef {object} Decisive what made the difference between two players
 * @property {'turned' | 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit'} kind `turned`: the winner had
 *   all cards face up earlier; `hidden`, `suits` and `home`: what the other still lacked; `cards`: the
 *   winner turned more of them up; `idle`: the other made no act; `quit`: the other gave up
 * @property {Standing} winner
 * @property {Standing} rival
 * @property {number} n ms, cards or suits
 * @property {number} of all suits or cards of the game, where a winner was home; 0 for others
 * @property {boolean} isProgram whether the winner is one
 */

/**
 * Return the only winner, and the player with whom a reader compares that one: the reader, or else the
 * next on the ranking. Null without them.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 */
export function rivalsOf(round, me) {
  const players = ranked(round.ranking);
  const winner = players.find(({ seat }) => seat === round.winners?.[0]);
  const others = players.filter((each) => each !== winner);
  const rival = others.find(({ seat }) => seat === me) ?? others[0];
  return hasOneWinner(round) && winner && rival ? { winner, rival } : null;
}

/**
 * Return the time since which all cards of a game were face up; null if that is not known.
 * @param {Pick<Replay, 'acts' | 'steps'>} replay
 */
export function turnedUpAt({ acts, steps }) {
  if (acts > steps.length) return null; // the acts before the last one are left out
  const last = steps.findLastIndex(({ face_down: hidden }) => hidden > 0);
  return steps[last + 1]?.ms ?? null;
}

/**
 * Return what made the difference in a round; null where nothing did for certain. Its own rules decide:
 * winners by time, and others by what they brought home or turned up.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 * @param {(seat: number) => number | null} turnedAt the time since which a player's cards were face up
 * @returns {Decisive | null}
 */
export function decisiveOf(round, me, turnedAt) {
  const pair = rivalsOf(round, me);
  if (!pair) return null;
  const { winner, rival } = pair;
  const { settings } = round;
  const told = (/** @type {Decisive['kind']} */ kind, n = 0, of = 0) => ({
    kind,
    ...pair,
    n,
    of,
    isProgram: round.programs?.includes(winner.seat) ?? false,
  });
  const game = GAMES[settings.game];
  const isUnclean = settings.cheats === 'out' && rival.cheats > 0;
  if (!game || rival.stand_in || isUnclean) return null;
  if (rival.has_acted === false) return told('idle');
  if (rival.state === 'FORFEIT' && !rival.won)
    return decisionOf(round) ? null : told('quit', rival.finished_ms ?? 0);
  if (winner.won && rival.won) {
    const [first, second] = [turnedAt(winner.seat), turnedAt(rival.seat)];
    const ms = first === null || second === null ? 0 : second - first;
    return settings.ranking === 'first_home' && ms >= 1_000 ? told('turned', ms) : null;
  }
  if (winner.won && rival.face_down > 0) return told('hidden', rival.face_down);
  if (winner.won)
    return game.goal === 'cards'
      ? told('home', rival.home, game.cards)
      : told('suits', rival.suits, game.foundations);
  if (winner.suits !== rival.suits)
    return winner.suits > rival.suits ? told('suits', winner.suits) : null;
  const more = rival.face_down - winner.face_down;
  return more > 0 ? told('cards', more) : null;
}
