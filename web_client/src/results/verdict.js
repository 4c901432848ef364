// The verdict of a finished round: its winner, the margin, the turning point, and the podium. Pure.

import { GAMES } from '../contract/protocol.js';
import { capital } from '../contract/text.js';
import { lastLeader, leads } from '../replay/course.js';
import { photoFinish } from '../state/race-events.js';
import { hasPlayed, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {CardLine, RoundCourse, RoundOver, Settings, Standing} from '../contract/messages.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Colours, Programs} from '../state/state.js'
 * @import {English} from '../strings/language.js'
 * @import {Margin} from '../strings/en/after.js'
 * @typedef {Pick<RoundOver, 'ranking' | 'winners'>} Result
 * @typedef {Pick<Settings, 'ranking' | 'score'>} Rules the settings that affect the ranking
 * @typedef {{seat: number, name: string, place: number | null}} Placed
 * @typedef {Placed & Partial<Omit<Standing, keyof Placed>>
 *   & {lines?: readonly (CardLine | null)[], wins?: number}} Played a row of a round, or a card of a match
 * @typedef {object} Round a finished round, as this player sees it
 * @property {RoundId} id
 * @property {Pick<RoundOver, 'ranking' | 'winners' | 'tie_breaks' | 'reveal'>} result
 * @property {number} me this player's seat, or -1 for a spectator
 * @property {Settings} settings
 * @property {Programs} programs
 * @property {Colours} colours
 * @property {{number: number, rounds: number} | null} [match] the round's number in a match of several
 * @property {{ranking: readonly Played[], winners: readonly number[], title: string} | null} [final] the
 *   result of a match that is over: its players, best first, its winners, and the winners in words
 * @property {string} [remark] a sentence about this player's best game
 * @property {boolean} [isDuel] whether this player has raced a ghost
 * @property {string | null | undefined} promised the hash that was shown before the race
 * @typedef {Parameters<English['decided']>[0] & {seat: number}} TurningPoint the moment from which
 *   the winner led to the end. `led`: nobody else ever led; `lead`: the winner took the lead; `home`: the winner
 *   finished from behind; `quit`: the leader gave up. The seat is the winner's, or that leader's
 * @typedef {Parameters<English['decisive']>[0]} Difference the difference between two players.
 *   `hidden`, `suits` and `home`: cards or suits that the other still lacked, out of `of`; `cards`: the winner turned
 *   more cards up; `idle`: the other made no act; `quit`: the other gave up. `n` is in ms, cards or suits
 */

/**
 * Return the heading of a finished round. The server names the winners: the first of the ranking may have given up.
 * @param {Result} result @param {number} me this player's seat, or -1
 * @param {number} [number] the round's number in a match of several @param {Pick<Settings, 'window_s'>} [settings]
 */
export function heading({ ranking, winners }, me, number, settings) {
  const names = ranking.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  return strings.verdict(names, {
    alone: ranking.length === 1 && !settings?.window_s, // in an open race others could have come
    home: ranking[0]?.won ?? false, // whether the first has brought all suits home
    won: winners.includes(me),
    round: number,
  });
}

/**
 * Return the round's photo finish (two players finishing almost together), or null. Players below second place get
 * null, too, since they read their own distance instead.
 * @param {Result} result @param {number} me this player's seat, or -1 @param {Rules} rules
 */
export function photoFinishOf({ ranking, winners }, me, rules) {
  const isBehind = ranking.some(({ seat, place }) => seat === me && (place ?? 0) > 2);
  return winners.length === 1 && !isBehind ? photoFinish(ranking, rules) : null;
}

/** Return when a game ended, cut to tenths of a second, which is what the page shows. @param {Standing} standing */
const shownEnd = ({ finished_ms: ms }) => (ms ?? 0) - ((ms ?? 0) % 100);

/**
 * Return the margin between two players in the first figure that differs: time, points, suits or cards turned up. Null
 * if all are equal.
 * @param {Standing} above the better one @param {Standing} below @param {Rules} rules @returns {Margin | null}
 */
function marginBetween(above, below, { ranking, score }) {
  if (ranking === 'first_home' && above.won && below.won) {
    const n = shownEnd(below) - shownEnd(above);
    return n > 0 ? { by: 'time', n } : null;
  }
  /** @type {Margin[]} */
  const margins = [
    { by: 'points', n: above.score - below.score },
    { by: 'suits', n: above.suits - below.suits },
    { by: 'turned', n: below.face_down - above.face_down },
  ];
  // The `moves` score starts high and falls, so it says nothing about games that were not won.
  if (score === 'moves' && !below.won) margins.shift(); // the points
  return margins.find(({ n }) => n > 0) ?? null;
}

/** Return the players of a ranking who have a place, best first. @param {readonly Standing[]} ranking */
const ranked = (ranking) => ranking.filter(({ place }) => place !== null);

/**
 * Say in a sentence how far a player is behind the winner and the player above.
 * @param {readonly Standing[]} players best first @param {Standing} own @param {Rules} rules
 */
function distanceBehind(players, own, rules) {
  const above = players[players.indexOf(own) - 1];
  const rivals = [...new Set([players[0], above])].flatMap((rival) => {
    const margin = rival && marginBetween(rival, own, rules);
    return margin ? [{ name: rival.name, margin }] : [];
  });
  return strings.behindAll(rivals);
}

/**
 * Return a sentence about distances, or '' without one to name. The sole winner and spectators read the winner's
 * lead over the next player. Other players read how far they are behind the winner and the player above.
 * @param {Result} result @param {number} me this player's seat, or -1 @param {Rules} rules
 */
export function distance({ ranking, winners }, me, rules) {
  const photo = photoFinishOf({ ranking, winners }, me, rules);
  if (photo) return strings.photoBy(photo, me);
  const players = ranked(ranking);
  const [leader, second] = players;
  if (!leader || winners.length > 1) return ''; // tied winners have no margin
  const own = players.find(({ seat }) => seat === me);
  if (own && shownPlace(own) !== null && winners.length > 0 && !winners.includes(me))
    return distanceBehind(players, own, rules);
  // There is no winner, or nobody else has a place.
  if (ranking.length > 1 && (!second || winners[0] !== leader.seat)) return '';
  const margin = second ? marginBetween(leader, second, rules) : null;
  const time = leader.won ? leader.finished_ms : null;
  return strings.winningMargin(time, margin, second?.name ?? '');
}

/** Say who came closest when nobody won; '' if several did. @param {Result} result @param {number} me a seat, or -1 */
function closest({ ranking }, me) {
  const [first, second] = ranked(ranking);
  if (!first || first.score <= 0 || first.place === second?.place) return '';
  const { seat, name, suits, score } = first;
  return strings.closest(seat === me ? '' : name, suits, score);
}

/** Add a full stop to a text, unless it is empty or ends with punctuation. @param {string} text */
export const withFullStop = (text) => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);

/** Say how a game ended. A player alone has not given up, but stopped. @param {Standing} standing @param {boolean} isAlone */
export const endingOf = (standing, isAlone) =>
  isAlone && standing.state === 'FORFEIT'
    ? strings.ending({ ...standing, state: 'FINISHED', suits: undefined }, true) // “stopped”
    : strings.ending(standing, true);

/** Return how this player's lost game ended, in words. @param {Standing} own */
const ownEnding = (own) =>
  own.state === 'FORFEIT' && own.finished_ms !== null
    ? strings.youGaveUp(own.finished_ms)
    : capital(endingOf(own, false));

/**
 * Return the sentences below the heading: how this player's game ended if they have no place or gave up, and the
 * distance between the players. Players without a place read when the winner finished instead: they could take
 * “3 suits ahead of Bob” for their own result.
 * @param {Pick<Round, 'result' | 'me' | 'settings'>} round
 */
function distanceLine({ result, me, settings }) {
  const { ranking, winners } = result;
  const own = ranking.find(({ seat }) => seat === me);
  const [leader] = ranked(ranking);
  const isUnplaced = own && !own.won && shownPlace(own) === null;
  const hasQuit = own && !own.won && own.state === 'FORFEIT';
  const ending = isUnplaced || hasQuit ? ownEnding(own) : '';
  const hasWinner = winners.length > 0;
  let gap = hasWinner ? distance(result, me, settings) : closest(result, me);
  if (isUnplaced && hasWinner)
    gap = leader?.won ? strings.finishedIn(leader.name, leader.finished_ms ?? 0) : '';
  return [ending, gap].map(withFullStop).join(' ').trim();
}

/** Return the verdict of a lone player. @param {Standing} own @param {string} title @param {string} remark */
function soloVerdict(own, title, remark) {
  const ending = endingOf(own, true);
  if (own.won) return { large: ending, rest: title, distance: '', remark, isFirst: true };
  const rest = strings.practiceOver(own.score);
  return { large: String(own.score), rest, distance: withFullStop(capital(ending)), remark };
}

/** Return the verdict of a round in words, for `write` of `makeVerdict`. @param {Round} round */
export function verdictOf(round) {
  const { result, me, settings, match, final, remark = '', isDuel } = round;
  if (isDuel) return duelVerdict(round);
  const { ranking } = result;
  const title = final?.title ?? heading(result, me, match?.number, settings);
  const [first] = ranking;
  const isAlone = ranking.length === 1 && !settings.window_s; // in an open race others could have come
  if (first && isAlone) return soloVerdict(first, title, remark);
  const winners = final?.winners ?? result.winners;
  const players = final?.ranking ?? ranking;
  const own = players.find(({ seat }) => seat === me);
  const of = players.filter(({ place }) => place !== null).length; // how many have a place
  const hasPlace = own && own.place !== null && winners.length > 0 && of > 1 && hasEarnedPlace(own);
  return {
    large: hasPlace ? strings.ordinal(own.place ?? 0) : '',
    rest: hasPlace ? `${strings.amongPlayers(of)} ${withFullStop(title)}` : title,
    // The heading of a finished match is about the match, not about its last round.
    distance: final ? '' : distanceLine({ result, me, settings }),
    remark,
    isFirst: winners.includes(me),
  };
}

/** Return a margin as text for large type: `0:23`, `12 points`, below ten seconds `0:03.4`. @param {Margin} margin */
function largeMargin(margin) {
  if (margin.by !== 'time') return strings.inShort(margin);
  return (margin.n < 10_000 ? strings.exactClock : strings.clock)(margin.n);
}

/** Return the verdict of a duel, which is a game against a ghost: its winner, and the margin. @param {Round} round */
function duelVerdict({ result: { ranking, winners }, me, settings, remark = '' }) {
  const [first, second] = ranking;
  const own = ranking.find(({ seat }) => seat === me);
  const rival = ranking.find(({ seat }) => seat !== me);
  if (!first || !second || !own || !rival) return { rest: '', isFirst: false };
  const isFirst = winners.length === 1 && winners[0] === me;
  const isComparable = winners.length === 1 && first.won === second.won; // a win has no margin over a loss
  const margin = isComparable ? marginBetween(first, second, settings) : null;
  const outcome = isFirst ? 'won' : winners.length > 1 ? 'tied' : 'lost';
  const title = strings.duelTitle(rival.name, outcome, margin !== null);
  const finished = strings.winningMargin(own.finished_ms, null, ''); // “Finished in 4:12.3”
  const ending = withFullStop(own.won ? finished : ownEnding(own));
  const below = [ending, strings.duelRival(rival, own.won)].join(' ').trim();
  const words = margin ? { before: title, large: largeMargin(margin), rest: '' } : { rest: title };
  return { ...words, distance: below, remark, isFirst };
}

/**
 * Return how far a player is behind the first, in short; '' if all figures are equal.
 * @param {Result} result @param {Standing} standing @param {Rules} rules
 */
export function behindFirst({ ranking, winners }, standing, rules) {
  const [leader] = ranked(ranking);
  if (!leader || winners.length === 0 || standing.place === null || standing === leader) return '';
  const margin = marginBetween(leader, standing, rules);
  return margin ? strings.inShort(margin) : '';
}

/** Return whether one player won against others. @param {Result} round */
export const hasOneWinner = ({ ranking, winners }) =>
  winners.length === 1 && ranked(ranking).length > 1;

/** Return when the winner took the final lead, if known. @param {RoundCourse} round @returns {TurningPoint | null} */
export function turningPointOf(round) {
  const { ranking, winners, settings } = round;
  const winner = ranking.find((each) => each.seat === winners[0]);
  if (!hasOneWinner(round) || !winner) return null;
  const { seat, won, finished_ms: finishedMs } = winner;
  // The `moves` score ranks by suits and turned cards first, and a course does not record turned cards.
  if (settings.score === 'moves')
    return won && finishedMs !== null ? { ms: finishedMs, kind: 'home', seat } : null;
  const [last, before] = leads(round).toReversed();
  if (!last || lastLeader(round) !== seat) return null;
  const { ms } = last;
  if (!before) return { ms, kind: 'led', seat }; // nobody else ever led
  if (won && ms === finishedMs) return { ms, kind: 'home', seat }; // took the lead by finishing
  const leader = ranking.find((each) => each.seat === before.seat);
  // In an open race each player has their own clock, so nobody takes the lead because another stops.
  const hasLeaderEnded = !settings.window_s && leader?.finished_ms === ms;
  const hasQuit = hasLeaderEnded && leader?.state === 'FORFEIT' && !leader.won;
  return hasQuit ? { ms, kind: 'quit', seat: before.seat } : { ms, kind: 'lead', seat };
}

/**
 * Return what separated the sole winner from this player, or from the next player if this one won or only watched.
 * Null if no single difference stands out.
 * @param {RoundCourse} round @param {number} me this player's seat, or -1 @returns {Difference | null}
 */
export function differenceOf(round, me) {
  const { settings } = round;
  const players = ranked(round.ranking);
  const winner = players.find(({ seat }) => seat === round.winners[0]);
  const others = players.filter((each) => each !== winner);
  const rival = others.find(({ seat }) => seat === me) ?? others[0];
  const game = GAMES[settings.game];
  // If a stand-in (a computer player) has finished the rival's game, its figures say nothing about the rival.
  if (!hasOneWinner(round) || !winner || !rival || !game || rival.stand_in) return null;
  // With this setting games with cheats rank below all others, even with better cards.
  if (settings.cheats === 'out' && rival.cheats > 0) return null;
  /** Make a difference: `n` cards or suits, perhaps out of `of`, or `n` ms. @param {Difference['kind']} kind */
  const difference = (kind, n = 0, of = 0) => ({ kind, winner, rival, n, of });
  if (rival.has_acted === false) return difference('idle');
  // Time or points decide between two wins, and the margin already names them.
  if (winner.won && rival.won) return null;
  // If there is a turning point, the sentence about it says more than that the rival gave up.
  if (rival.state === 'FORFEIT' && !rival.won)
    return turningPointOf(round) ? null : difference('quit', rival.finished_ms ?? 0);
  if (winner.won && rival.face_down > 0) return difference('hidden', rival.face_down);
  if (winner.won)
    return game.goal === 'cards'
      ? difference('home', rival.home, game.cards)
      : difference('suits', rival.suits, game.foundations);
  if (winner.suits !== rival.suits)
    return winner.suits > rival.suits ? difference('suits', winner.suits) : null;
  const turnedMore = rival.face_down - winner.face_down;
  return turnedMore > 0 ? difference('cards', turnedMore) : null;
}

/**
 * Return sentences about what decided a round, the first one apart, and when that was, in ms. Null without any.
 * @param {RoundCourse} round @param {number} me this player's seat, or -1
 */
export function decidedIn(round, me) {
  const difference = differenceOf(round, me);
  const turningPoint = turningPointOf(round);
  if (!difference && !turningPoint) return null;
  const name = round.courses.find(({ seat }) => seat === turningPoint?.seat)?.name ?? '';
  const [when = '', what = ''] = turningPoint ? strings.decided(turningPoint, name) : [];
  const changes = strings.leadChanges(leads(round).length - 1);
  const rest = [difference && when, what, turningPoint?.kind === 'lead' && changes];
  return {
    // A difference comes before the turning point's time; without one, that time begins the sentences.
    first: difference ? strings.decisive(difference, me) : when,
    rest: rest.filter(Boolean).join(' '),
    // A rival who never moved did not fall behind at any moment.
    ms: difference?.kind === 'idle' ? null : (turningPoint?.ms ?? null),
  };
}

const PODIUM_STEPS = 3;

/** Return whether a player has acted and not given up (in a match, in at least one round). @param {Played} player */
const hasEarnedPlace = ({ state, won, has_acted: hasActed, lines }) =>
  lines ? hasPlayed(lines) : hasActed !== false && (state !== 'FORFEIT' || won);

/**
 * Return the players on the podium, best first; nobody if there are no rivals or no winner. Players who never acted or
 * who gave up are not on it (RULES, Wins). Tied players are on it together or not at all.
 * @param {readonly Played[]} players best first; unranked players have no place @param {boolean} hasWinner
 * @returns {Played[]}
 */
export function onPodium(players, hasWinner) {
  if (!hasWinner || players.length < 2) return [];
  const worthy = players.filter((player) => player.place !== null && hasEarnedPlace(player));
  const countUpTo = (/** @type {number} */ last) =>
    worthy.filter(({ place }) => (place ?? 0) <= last).length;
  return worthy.filter(({ place }) => countUpTo(place ?? 0) <= PODIUM_STEPS);
}
