// The results of a race, and the page of a finished round.

import {
  cheats,
  clock,
  count,
  exactClock,
  gameName,
  hintsTaken,
  list,
  ordinal,
  result,
} from './start.js';

/**
 * @import {Standing, TieBreak} from '../../contract/messages.d.ts'
 * @import {NextRace} from '../../state/next-race.js'
 * @typedef {{by: 'time' | 'points' | 'suits' | 'turned', n: number}} Margin `n` is in ms for `time`
 */

/** Return the result in a line of the ranking, with all that explains it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated, stand_in } = standing;
  const late = late_ms === null ? [] : [`started ${clock(late_ms)} late (unranked)`];
  if (stand_in) late.push('with a computer player (unranked)');
  const back =
    restored > 0 ? [`${count(restored, 'move')} restored after the server lost data`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  return [result(standing), ...late, ...helped, ...back].join(' · ');
}

export const RESULTS = {
  ranking: 'Ranking',
  columns: ['#', 'Player', 'Result', 'Score', 'Moves', 'Suits'],
  over: 'The race is over',
  see: 'Show it',
  savePicture: 'Save picture',
  sharePicture: 'Share picture',
  data: 'See all data of this round',
  text: 'Download as text',
  again: 'Same deal, alone',
  newMatch: 'New match',
  leave: 'Leave',
  deal: 'The deal',
  check: 'Check it yourself',
  show: 'Show the cards',
  number: 'Deal number',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Hash, SHA-256(seed‖salt)',
  me: 'Me',
  share: 'Link to this result',
  lobby: 'Change the rules',
  rematch: 'Rematch',
  newDeal: 'New deal',
  replay: 'Play again',
  notAfterAll: 'Cancel',
  shared: 'Anyone with this link can see the result and replay.',
};

export const FINISHED = {
  loading: 'Loading the race…',
  gone: 'This race isn’t here',
  why: 'It isn’t over yet, or its room is closed.',
  front: 'Go to the front page',
  room: 'Go to the room',
};

/** Return a race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${count(courses.length, 'player')} · ${day}`;
}

/** What decides between players whose figures are equal. @type {Record<TieBreak['by'], string>} */
const TIE_BREAKS = {
  cheats: 'ahead by fewer counted undos',
  face_down: 'ahead by fewer face-down cards',
  last_gain: 'ahead by last gain',
};

/** Return why a player is ahead of the next one with equal figures. @param {TieBreak['by']} by */
export const tieBreak = (by) => TIE_BREAKS[by] ?? '';

/**
 * Return the heading of a ranking.
 * @param {readonly string[]} winners
 * @param {{alone: boolean, home: boolean, won: boolean, round?: number | undefined}} own `round` in a match of several
 */
export function verdict(winners, { alone, home, won, round }) {
  const names = list(winners);
  const of = round ? ` round ${round}` : '';
  if (alone) return home ? 'You finished!' : 'Practice over';
  if (winners.length === 0) return `Nobody finished${of}`;
  if (won && winners.length > 1) return `${of ? `Round ${round} is` : 'It’s'} a tie: ${names}`;
  if (won) return `You win${of}, ${names}!`;
  if (winners.length > 1) return `${names} share ${of ? `the win of${of}` : 'the win'}`;
  return `${names} wins${of}`;
}

/** Return a margin: `0.4 s`, `12 points`. @param {Margin} margin */
function marginText({ by, n }) {
  if (by === 'time')
    return n < 60_000 ? `${n < 10_000 ? tenths(n) : Math.floor(n / 1_000)} s` : clock(n);
  if (by === 'points') return count(n, 'point');
  return by === 'suits' ? count(n, 'suit') : count(n, 'turned card');
}

/** @param {number} ms */
const tenths = (ms) => (Math.floor(ms / 100) / 10).toFixed(1);

/**
 * Return the time and the lead of the winner of a round; '' if there are none.
 * @param {number | null} ms the time in which the winner finished
 * @param {Margin | null} margin to the next player
 * @param {string} next the name of that player
 */
export function winningMargin(ms, margin, next) {
  const ahead = margin ? `${marginText(margin)} ahead of ${next}` : '';
  if (ms === null) return ahead;
  return `Finished in ${exactClock(ms)}${ahead ? `, ${ahead}` : ''}`;
}

/** Return the place of a player who has not won. @param {{place: number, players: number, leader: Standing, margin: Margin | null}} own */
export function ownPlace({ place, players, leader, margin }) {
  const of = players > 2 ? ` of ${players}` : '';
  const behind = margin ? `, ${marginText(margin)} behind ${leader.name}` : '';
  return `You came ${ordinal(place)}${of}${behind}`;
}

/** Return when a race was decided. @param {{ms: number, kind: 'led' | 'lead' | 'home' | 'quit'}} decision @param {string} name */
export function decided({ ms, kind }, name) {
  if (kind === 'led')
    return ms < 1_000 ? `${name} led all the way.` : `${name} led from ${clock(ms)} to the end.`;
  const what = {
    lead: `${name} took the lead and kept it`,
    home: `${name} finished first`,
    quit: `${name} gave up in the lead`,
  };
  return `Decided at ${clock(ms)}: ${what[kind]}.`;
}

/**
 * Return what made the difference in a race.
 * @param {{kind: 'turned' | 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit', winner: Standing, rival: Standing, n: number, of: number, isProgram: boolean}} decisive
 * @param {number} me this player's seat, or -1
 */
export function decisive({ kind, winner, rival, n, of, isProgram }, me) {
  const [isWinner, isRival] = [winner.seat === me, rival.seat === me];
  const won = isWinner ? 'You' : winner.name;
  const lost = isRival ? 'You' : rival.name;
  const other = isRival ? 'you' : rival.name;
  const own = isWinner ? 'your' : isProgram ? 'its' : 'their';
  switch (kind) {
    case 'turned':
      return `${won} turned ${own} last card ${marginText({ by: 'time', n })} before ${other}.`;
    case 'hidden':
      return `${lost} still had ${count(n, 'card')} face down at the end.`;
    case 'home':
      return `${lost} had ${n} of ${count(of, 'card')} home at the end.`;
    case 'suits':
      return of
        ? `${lost} had ${n} of ${count(of, 'suit')} at the end.`
        : `${won} completed ${count(n, 'suit')}, ${other} ${rival.suits}.`;
    case 'cards':
      return `${won} turned ${count(n, 'card')} more than ${other}.`;
    case 'idle':
      return `${lost} made no move.`;
    case 'quit':
      return `${lost} gave up at ${clock(n)}.`;
  }
}

/** Return the heading of a match that is over. @param {readonly string[]} winners @param {boolean} won whether this player is one of them */
export function matchVerdict(winners, won) {
  const names = list(winners);
  if (winners.length === 0) return 'Nobody wins the match';
  if (won)
    return winners.length > 1 ? `The match is a tie: ${names}` : `You win the match, ${names}!`;
  return `${names} ${winners.length > 1 ? 'share' : 'wins'} the match`;
}

/** @param {number} n @param {number} of */
export const roundOf = (n, of) => `Round ${n} of ${of}`;

/** @param {number} n */
export const cardCount = (n) => count(n, 'card');

/** Return the label of the button for the next round. @param {number} n @param {number} of */
export const nextOf = (n, of) => `Next round (${n} of ${of})`;

/** @param {number} level */
export const againAt = (level) => `Play again at level ${level}`;

/** Return which players want the next race, and for which it waits. @param {NextRace} next */
export function nextRaceLine({ isWanted, wanting, missing, away, inMatch }) {
  if (!isWanted && wanting.length === 0) return '';
  const many = wanting.length > 1;
  if (!isWanted && inMatch)
    return `${list(wanting)} ${many ? 'are' : 'is'} ready for the next round.`;
  if (!isWanted) return `${list(wanting)} ${many ? 'want' : 'wants'} a rematch.`;
  const awaited = missing.length > 0 ? missing : wanting.length > 0 ? [] : away;
  return awaited.length > 0 ? `Waiting for ${list(awaited)}…` : '';
}

/** Return the label of the button that starts without the missing players. @param {readonly string[]} missing */
export const startWithout = (missing) =>
  missing.length > 2
    ? `Start without ${missing.length} players`
    : missing.length > 0
      ? `Start without ${list(missing)}`
      : 'Start now';

/** @param {{score: number, ms: number | null}} best */
const bestText = ({ score, ms }) =>
  [count(score, 'point'), ms !== null && clock(ms)].filter(Boolean).join(' · ');

/** Return the best result of practice. @param {{score: number, ms: number | null}} best */
export const yourBest = (best) => `Your best: ${bestText(best)}`;

/** Return the sentence on a practice game that was better than all before. @param {{score: number, ms: number | null}} best */
export const newBest = (best) => `A new best: ${bestText(best)}`;
