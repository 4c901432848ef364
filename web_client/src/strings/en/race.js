// The race around the board: header, buttons, leaderboard and the boards of others.

import { suitsOf } from '../../core/cards.js';
import { cheats, clock, count, ordinal, result } from './start.js';

/**
 * @import {Standing} from '../../core/messages.d.ts'
 * @import {TableView} from '../../core/notation.js'
 * @import {RaceNews} from '../../core/race-news.js'
 * @import {State} from '../../core/reducer.js'
 */

export const KEEP_LOOKING = 'Keep looking';

/** Return what follows a player's name over the board. @param {Standing} standing */
export function standingShort(standing) {
  const rest = standing.state === 'RACING' ? '' : ` · ${result(standing, clock)}`;
  return ` · ${standing.score}${rest}`;
}

/** Return the label of a board in the grid. @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'point')}, ${standing.face_down} face down, ${count(standing.suits, 'suit')}. Enlarge`;

/** Return how late boards are shown. @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0 ? 'The boards are live.' : `The boards are ${count(seconds, 'second')} behind.`;

export const HEADER = {
  time: 'Time',
  score: 'score',
  moves: 'moves',
  exceptions: 'exceptions',
  hints: 'hints',
  faceDown: 'face down',
  home: 'suits',
  cardsHome: 'cards played',
  inStock: 'in stock',
  cheats: 'cheats',
  mute: 'Mute',
  colours: 'Card colours',
  restart: 'Restart',
  restartLabel: 'Restart with the same deal',
  help: 'Help and keys',
  forfeit: 'Give up',
  chase: 'Play this deal',
  chaseMore: ', unranked',
  chaseLabel: 'Play the same deal now, unranked and on your own clock, until the race ends',
  leave: 'Leave',
};

/** @param {number} ms */
export const timeLeft = (ms) => `${clock(ms)} left`;

export const RACE = {
  table: 'Board',
  acts: 'Moves',
  deal: 'Deal',
  dealSure: 'Sure?',
  undo: 'Undo',
  redo: 'Redo',
  remove: 'Remove suit',
  finish: 'Finish',
  exception: 'Exception',
  hint: 'Hint',
  home: 'You finished!',
  gaveUp: 'You gave up',
  finished: 'Game over',
};

/** Return the standings in a sentence. @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, seat, name, score }) => {
          const who = seat === me?.seat ? 'you' : name;
          return `${place ? `${ordinal(place)} ` : ''}${who}, ${score}`;
        })
        .join('; ')}.`
    : 'No scores yet.';

/** Return the score in a sentence. @param {TableView | undefined} view */
export function scoreSpoken(view) {
  if (!view) return 'No cards dealt yet.';
  const { score, counts } = view;
  const exceptions = counts.exceptions > 0 ? `, ${count(counts.exceptions, 'exception')}` : '';
  const cheated = counts.cheats > 0 ? `, ${cheats(counts.cheats)}` : '';
  return `Score ${score}, ${count(counts.moves, 'move')}, ${count(counts.suits, 'suit')} removed${exceptions}${cheated}.`;
}

/** Return that this player has won. @param {number} ms */
export const youWin = (ms) => `You win! ${clock(ms)}`;

/** Return how many others still race, to a winner. @param {number} others */
export const stillRacing = (others) =>
  others > 0 ? `· ${others} still racing` : 'The results are coming up.';

/** Return what a player who has finished waits for. @param {number | null} place @param {number} others */
export function soFar(place, others) {
  const rest =
    others > 0 ? `${count(others, 'player')} still racing.` : 'The results are coming up.';
  return place ? `You’re ${ordinal(place)} so far. ${rest}` : rest;
}

export const STANDINGS = 'Standings';

/** Return the state of a player in the leaderboard. @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `finished ${clock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `started ${clock(standing.late_ms ?? 0)} late`;
  const words = { FINISHED: 'stopped', FORFEIT: 'gave up', TIMED_OUT: 'out of time' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** Return how far a player has come. @param {Standing} standing @param {boolean} single cards are played, not suits */
export function progress({ home, face_down, suits }, single) {
  const left = single ? `${count(home, 'card')} played` : `${face_down} face down`;
  return !single && suits > 0 ? `${count(suits, 'suit')} · ${left}` : left;
}

/** The mark of a player whose connection is lost. */
export const NOT_THERE = 'offline';

/** The race track: its name, and the names of its ends. */
export const TRACK = { lanes: 'Race track', ends: ['Start', 'All cards face up', 'Finish'] };

export const WALL = 'Boards';

/** After the own end, where the host shows boards. */
export const WATCH_OTHERS = 'You can watch the others.';

/**
 * Return the words of a piece of news after the player's name.
 *
 * @param {RaceNews} news
 * @param {number} [of] the number of suits of the game
 */
export function raceNews({ kind, standing }, of = 8) {
  const { place, finished_ms, state, suits } = standing;
  const time = clock(finished_ms ?? 0);
  if (kind === 'finish') return ` finished${place ? ` ${ordinal(place)}` : ''} · ${time}!`;
  if (kind === 'suit') return `: ${suits} of ${count(of, 'suit')}`;
  const ends = { FORFEIT: ' gave up', TIMED_OUT: ' is out of time' };
  return /** @type {Record<string, string>} */ (ends)[state] ?? ` stopped · ${time}`;
}

/** Return the suits, or single cards, that a player has brought home. @param {Standing} standing @param {string} game */
export const homeShort = ({ home, suits }, game) =>
  game === 'little-spider' ? `${home}/52` : `${suits}/${suitsOf(game)}`;

/** The figures of the header where they are 1. @type {Record<string, string>} */
export const FIGURE_OF_ONE = {
  moves: 'move',
  exceptions: 'exception',
  hints: 'hint',
  home: 'suit',
  cardsHome: 'card played',
  cheats: 'cheat',
};

export const LAST_RACER = { title: 'You’re the last one racing.', goOn: 'Keep playing' };

/** @param {boolean} isHost */
export const lastRacerText = (isHost) =>
  isHost
    ? 'Everyone else gave up. Play on, or end the race now: your score counts.'
    : 'Everyone else gave up. Play on, or give up too: then nobody wins.';

/** @param {boolean} isHost */
export const lastRacerEnd = (isHost) => (isHost ? 'End the race' : 'Give up');
