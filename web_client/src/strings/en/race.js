// The race around the board: header, buttons, leaderboard and the boards of others.

import { GAMES } from '../../contract/games.js';
import { cheats, clock, count, duration, ordinal } from './start.js';

/**
 * @import {Standing} from '../../contract/messages.d.ts'
 * @import {TableView} from '../../contract/notation.js'
 * @import {RaceNews} from '../../state/race-news.js'
 * @import {State} from '../../state/state.js'
 */

export const KEEP_LOOKING = 'Keep looking';

/** Return the label of a board in the grid. @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'point')}, ${standing.face_down} face down, ${count(standing.suits, 'suit')}. Enlarge`;

/** Return how late boards are shown. @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0 ? 'The boards are live.' : `The boards are ${count(seconds, 'second')} behind.`;

/** Return when boards that are shown late have their first moves. @param {number} ms */
export const boardsFollow = (ms) =>
  `The boards are behind, so that nobody can copy: first moves in ${clock(ms + 999)}.`;

/** The label of a place. @param {number} n the players who are ranked */
export const ofPlayers = (n) => `of ${n}`;

/** The label of the suits that are home. @param {number} n all of them */
export const ofSuits = (n) => `of ${n} suits`;

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
  gaveUp: 'You gave up.',
  end: 'End the race',
  finished: 'Game over.',
};

/** Return the standings in a sentence. @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, has_acted: hasActed, seat, name, score }) => {
          const who = seat === me?.seat ? 'you' : name;
          const at = place && hasActed !== false ? `${ordinal(place)} ` : '';
          return `${at}${who}, ${score}`;
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
export const youWin = (ms) => `You win! ${clock(ms)}.`;

/**
 * Return what a player who has finished waits for.
 * @param {number | null} place null where it is not named
 * @param {number} others
 * @param {number | null} [left] the ms that they still have, null without a limit
 */
export function soFar(place, others, left) {
  const time = left === undefined ? '' : `, ${left === null ? 'no time limit' : timeLeft(left)}`;
  const rest =
    others > 0 ? `${count(others, 'player')} still racing${time}.` : 'The results are coming up.';
  return place ? `You’re ${ordinal(place)} so far. ${rest}` : rest;
}

/** The words for the leader: for this player, and after the name of another one. */
export const LEAD = { own: 'You lead', other: ' leads', ownWin: 'You win', otherWins: ' wins' };

export const STANDINGS = 'Standings';

/** Return the state of a player in the leaderboard. @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `finished ${clock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `started ${clock(standing.late_ms ?? 0)} late`;
  const words = { FINISHED: 'stopped', FORFEIT: 'gave up', TIMED_OUT: 'out of time' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** The mark of a game that a computer player plays for somebody who is gone. */
export const STAND_IN = 'by computer, unranked';

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
 * @param {RaceNews} news
 * @param {number} of the number of suits of the game
 */
export function raceNews({ kind, standing }, of) {
  const { place, finished_ms, state, suits } = standing;
  const time = clock(finished_ms ?? 0);
  if (kind === 'finish') return ` finished${place ? ` ${ordinal(place)}` : ''} · ${time}!`;
  if (kind === 'suit') return `: ${suits} of ${count(of, 'suit')}`;
  const ends = { FORFEIT: ' gave up', TIMED_OUT: ' is out of time' };
  return /** @type {Record<string, string>} */ (ends)[state] ?? ` stopped · ${time}`;
}

/** Return the suits, or single cards, that a player has brought home. @param {Standing} standing @param {string} game */
export function homeShort({ home, suits }, game) {
  const { goal, cards, foundations } = GAMES[game];
  return goal === 'cards' ? `${home}/${cards}` : `${suits}/${foundations}`;
}

/** The figures of the header where they are 1. @type {Record<string, string>} */
export const FIGURE_OF_ONE = {
  moves: 'move',
  exceptions: 'exception',
  hints: 'hint',
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

/** To a winner, while others still race. */
export const WIN_STAYS = 'Your win counts even if you leave.';

/**
 * Return the question whether to race on after somebody has won.
 * @param {string} name of the winner
 * @param {number} place that is still open
 * @param {number | null} left the ms that are left, null without a limit
 */
export const behindAsk = (name, place, left) => ({
  title: `${name} wins.`,
  text: left === null ? 'You can still finish.' : `You can still finish: ${timeLeft(left)}.`,
  goOn: `Play on for ${ordinal(place)}`,
  spoken: `${name} wins. Play on for ${ordinal(place)}?`,
});

/** Return what is shown while the rest of a game is played out. @param {number} left */
export const playingOut = (left) => ({
  title: 'Playing it out…',
  text: `${count(left, 'move')} left`,
  goOn: 'Stop',
});

export const PLAY_OUT = 'Play it out';

/** Return the offer to play out the rest of a game. @param {number} moves */
export const playOutAsk = (moves) => ({
  title: 'It’s a win from here',
  text: `All cards are face up, ${count(moves, 'move')} to go. Shall we play it out for you?`,
  goOn: 'I’ll play it myself',
  spoken: 'It’s a win from here. Play it out?',
});

export const STOP_HERE = 'Stop here';

/**
 * Return the question about a game in which nothing can change any more.
 * @param {number} score
 * @param {number} gain the points that moves can still add, at most
 * @param {boolean} undo whether a move can be taken back
 */
export const deadAsk = (score, gain, undo) => ({
  title: 'Nothing can change any more',
  text: `No card can turn up, and no suit can be completed.${
    gain > 0 ? ` Moving cards can add ${count(gain, 'point')} at most.` : ''
  } Stop here${undo ? ' or undo' : ''}? You keep ${count(score, 'point')}.`,
  goOn: KEEP_LOOKING,
  spoken: 'Nothing can change any more. Stop here?',
});

/** The offer to take back that the player has given up. */
export const GAVE_UP = {
  title: 'You gave up',
  text: 'By mistake? For five seconds you can play on.',
  goOn: 'Play on',
  end: 'Give up now',
  spoken: 'You gave up. For five seconds you can play on.',
};

/** Questions of the header, as those in `ASK`. */
export const ASK_IN_RACE = {
  forfeit: {
    title: 'Give up this race?',
    text: 'You keep your score. Just need a break? Close the page: your seat is kept while the race is on.',
    yes: 'Give up',
    no: 'Keep playing',
  },
  forfeitRound: {
    title: 'Give up this round?',
    text: 'You keep your score. Just need a break? Close the page: your seat is kept while the round is on.',
    yes: 'Give up',
    no: 'Keep playing',
  },
  forfeitAlone: {
    title: 'Stop this game?',
    text: 'You keep your score.',
    yes: 'Stop',
    no: 'Keep playing',
  },
  restart: {
    title: 'Restart?',
    text: 'You start over with the same cards.',
    yes: 'Restart',
    no: 'Keep playing',
  },
  restartSecret: {
    title: 'Restart?',
    text: 'This deal stays secret until your game is over. Give up first, then choose “Same deal, alone” on the next page.',
    yes: 'Give up',
    no: 'Keep playing',
  },
};

/** Return the best result of practice so far, in short: the time of a win, or else the score. @param {{score: number, ms: number | null}} best */
export const ownBest = ({ score, ms }) => `Best ${ms === null ? score : clock(ms)}`;

/** Return how a game of another player has ended. @param {Standing} standing @param {boolean} wins whether that wins the race for certain */
export function ended({ name, won, state, finished_ms }, wins) {
  if (won) return `${name} ${wins ? 'wins' : 'finished'} in ${clock(finished_ms ?? 0)}.`;
  return `${name} ${state === 'FORFEIT' ? 'gave up' : 'stopped'}.`;
}

/** Return that a player has taken the lead. @param {string} name */
export const leads = (name) => `${name} takes the lead.`;

export const TAKE_LEAD = 'You take the lead.';

/** What is left after the first win, by its usual seconds. @type {Record<number, string>} */
const LAST = { 60: 'Last minute', 120: 'Last two minutes', 300: 'Last five minutes' };

/** Return that a win has shortened the race. @param {number} seconds @param {string} name of the winner; '' if the win is known */
export const lastStretch = (seconds, name) =>
  `${LAST[seconds] ?? `Last ${duration(seconds)}`}${name && `: ${name} finished`}.`;
