// The sentences for after a race, and for what players open on request: results, replay, help and preferences.

import { CHOICES } from '../../browser/storage.js';
import race from './race.js';
import basics from './start.js';

/**
 * @import {GameReview, MemberStanding, Standing, TieBreak} from '../../contract/messages.d.ts'
 * @import {Best, NextRace} from '../../state/next-game.js'
 * @typedef {{by: 'time' | 'points' | 'suits' | 'turned', n: number}} Margin between two
 *   players: in ms for `time`; `turned` counts cards that were turned face up
 * @typedef {{kind: 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit', winner: Standing, rival: Standing, n: number, of: number}} Decisive
 *   what made the difference between two players
 */

const { cheats, exactClock, hintsTaken, matchWon, ordinal, wants } = race;
const { clock, count, dayAndTime, dayLeft, gameName, list, STRENGTHS, suitsOf } = basics;

/** Return a date in words. @param {string} day e.g. `2026-11-28` @param {Intl.DateTimeFormatOptions} [parts] */
const dayDate = (day, parts = { dateStyle: 'long' }) =>
  new Date(`${day}T00:00Z`).toLocaleDateString('en-GB', { ...parts, timeZone: 'UTC' });

/** Return a game's result in short: the time of a win, or the score. @param {Played} game */
const dayResult = ({ won, ms, score }) => (won && ms !== null ? clock(ms) : count(score, 'point'));

/** Return a player's result in short, like `dayResult`. @param {Standing} game */
const reached = (game) => dayResult({ ...game, ms: game.finished_ms });

/** Why a player with equal figures is ahead of the next one. @type {Record<TieBreak['by'], string>} */
const TIE_BREAKS = {
  cheats: 'ahead by fewer counted undos',
  face_down: 'ahead by fewer face-down cards',
  last_gain: 'got there earlier',
};

/** Return a margin: `0.4 s`, `12 points`. @param {Margin} margin */
function marginText({ by, n }) {
  if (by === 'time')
    return n < 60_000 ? `${n < 10_000 ? tenths(n) : Math.floor(n / 1_000)} s` : clock(n);
  if (by === 'points') return count(n, 'point');
  return by === 'suits' ? count(n, 'suit') : count(n, 'turned card');
}

/** @param {number} ms */
const tenths = (ms) => (Math.floor(ms / 100) / 10).toFixed(1);

/** Say how long a game could still be won, according to its review. @param {GameReview} game */
function reviewLine({ known_ms: known, to_the_end: toTheEnd, lost_ms: lost }) {
  if (toTheEnd) return 'winnable to the end';
  if (known !== null) return `winnable up to ${clock(known)}`;
  return lost === null ? 'no win found' : noneSince(lost);
}

/** Say when a game was lost. @param {number} ms */
const noneSince = (ms) => `lost from ${clock(ms)}`;

/** @typedef {{at: number, of: number, name: string}} Choice a colour; it is number `at` of all colours */

/** @typedef {{won: boolean, ms: number | null, score: number}} Played a game of today's race that is over */

/**
 * The parameters of the sentences.
 * @typedef {Record<'youGaveUp' | 'amongPlayers' | 'practiceOver' | 'leadChanges' | 'playOnFrom' | 'againAt' | 'dealsLeft' | 'cardsPlayed' | 'dayStreak' | 'gateOnce' | 'ghostLasts' | 'dayNext', (n: number) => string>} OfNumbers
 * @typedef {Record<'roundOf' | 'nextOf' | 'chartFew' | 'ofAll' | 'daysPlayed' | 'dayAmong',
 *   (n: number, of: number) => string>} OfRounds
 * @typedef {Record<'programNamed' | 'enlarge' | 'lastRefused' | 'ghostNamed' | 'challengeTitle' | 'nameFor' | 'bestTime' | 'dayWatch', (name: string) => string>} OfNames
 * @typedef {Record<'startWithout' | 'suitsRemoved', (each: readonly string[]) => string>} OfLists
 * @typedef {Record<'reviewOf' | 'winOption', (game: GameReview) => string>} OfReviews
 * @typedef {object} Others
 * @property {(standing: Standing) => string[]} explained the moves, and other explanations of a result
 * @property {(game: string, players: number) => string} gameAmong
 * @property {(margin: Margin) => string} inShort such as `+0:12` or `3 suits`
 * @property {(rivals: readonly {name: string, margin: Margin}[]) => string} behindAll
 * @property {(round: {settings: {game: string}, t0: number, courses: readonly unknown[]}) => string} raceAbout
 * @property {(name: string, ms: number) => string} finishedIn
 * @property {(name: string, suits: number, score: number) => string} closest `name` is '' for this player
 * @property {(winners: readonly string[], own: {alone: boolean, home: boolean, won: boolean, round?: number | undefined}) => string} verdict
 *   `round`: its number in a match
 * @property {(ms: number | null, margin: Margin | null, next: string) => string} winningMargin '' without a time and a margin
 * @property {(decision: {ms: number, kind: 'led' | 'lead' | 'home' | 'quit'}, name: string) => string[]} decided the
 *   words with the time, and the rest of the sentence
 * @property {(decisive: Decisive, me: number) => string} decisive `me` is this player's seat, or -1
 * @property {(winners: readonly string[], won: boolean) => string} matchVerdict
 * @property {(next: NextRace) => string} nextRaceLine
 * @property {(best: Best, before: Best | null) => string} bestResult `before` is the result it has beaten
 * @property {(chart: {ms: number, changes: number, last: string}) => string} chartSummary
 *   `changes`: how often the lead changed; `last`: the final leader
 * @property {(moment: {ms: number, kind: string, n: number}, name: string) => string} moment
 * @property {(left: number, missing: readonly string[]) => string} reviewNote `left`: how many reviews are still to
 *   come; `missing`: the players whose games will not be reviewed
 * @property {(day: string, parts?: Intl.DateTimeFormatOptions) => string} dayDate
 * @property {(day: string, game: string) => string} dayTitle `day` is '' for tomorrow's race
 * @property {(names: readonly string[], days: number) => string} lastRaced
 * @property {(place: number, of: number, game: Played | null) => string} dayPlace `game`: this player's, or null if the
 *   day is over
 * @property {(isWon: boolean, percent: number, won: number, others: number) => string} dayRest `percent` of the players are behind
 * @property {(bar: {ms: number | null, end: number | null, suits: number | null}) => string} daySpread `bar`: the highest
 * @property {(name: string, own: Played, other: Played) => string} dayBeaten `other`: a computer player's game
 * @property {(name: string, own: Played, other: Played) => string} dayAhead
 * @property {(ms: number) => string} dayGap `ms`: how much faster the other player was, or below 0
 * @property {(game: Played) => string} dayYou
 * @property {(players: number, won: number) => string} dayTotal for a day that is over
 * @property {(game: Played) => string} dayResult
 * @property {(day: string, game: string, standing: Standing, squares: string) => string} dayShare
 * @property {(level: keyof typeof STRENGTHS) => string} ghostLevel
 * @property {(own: Standing) => string} challengeText
 * @property {(name: string, outcome: 'won' | 'lost' | 'tied', hasMargin: boolean) => string} duelTitle
 * @property {(rival: Standing, hasWon: boolean) => string} duelRival `hasWon`: this player has finished
 * @property {(own: number, others: number, name: string) => string} duelTally
 * @property {(name: string, own: Standing) => string} dare
 * @property {(table: {score: number, counts: {moves: number, suits: number, face_down: number}}) => string} figures
 */

/** @satisfies {OfNumbers & OfRounds & OfNames & OfLists & OfReviews & Others & Record<string, unknown>} */
const en = {
  ...{ TIE_BREAKS, dayDate, dayResult, reviewLine },
  gameAmong: (game, players) => `${suitsOf(game)}${players > 1 ? ` · ${players} players` : ''}`,
  // The results of a race, and the page of a finished round.
  explained: (standing) => {
    const { moves, late_ms, restored, hints, cheats: cheated, stand_in, place } = standing;
    const isLate = late_ms !== null && place === null; // in an open race everybody starts when they like
    const late = !isLate ? [] : [`started ${clock(late_ms)} late (unranked)`];
    if (stand_in) late.push('with a computer player (unranked)');
    const back =
      restored > 0 ? [`${count(restored, 'move')} restored after the server lost data`] : [];
    const helped = hints > 0 ? [hintsTaken(hints)] : [];
    if (cheated > 0) helped.push(cheats(cheated));
    return [count(moves, 'move'), ...late, ...helped, ...back];
  },
  RESULTS: {
    ranking: 'Ranking',
    columns: ['#', 'Player', 'Suits', 'Result', 'Behind'],
    over: 'The race is over',
    see: 'Show the win',
    savePicture: 'Save picture',
    sharePicture: 'Share picture',
    data: 'Round data',
    text: 'Download as text',
    again: 'Play this deal alone',
    newMatch: 'New match',
    salt: 'Salt',
    cards: 'Cards',
    seal: 'Hash, SHA-256(seed‖salt)',
    share: 'Link to this result',
    rematch: 'Rematch',
    join: 'Join the next race',
    newDeal: 'New deal',
    replay: 'Play again',
    notAfterAll: 'Cancel',
    shared: 'Anyone with this link can see the result and the replay.',
    shareText: 'How our Spider race went:',
    pictureSaved: 'The picture couldn’t be shared, so it was saved.',
  },
  DAY: {
    tabs: 'Games of the day',
    board: 'Board',
    press: 'Press a row to watch that game',
    again: 'Play these cards (unranked)',
    watch: 'Watch game',
    squares: 'A square for each tenth of the game, green where a suit came home.',
    /** The names of the chart's two halves. */
    halves: { won: 'finished, by time', played: 'not finished, by suits home' },
    all: 'All days',
    pastAbout: 'The last 60 days. You can still play their cards, unranked.',
    notPlayed: 'Not played',
    played: 'Played',
    none: 'No points this time.',
    states: { finished: 'finished', played: 'played', none: 'not played' },
    ghosts: 'Race a friend’s ghost',
    ghostsAbout: 'Same cards, your own start. It doesn’t count.',
    race: 'Race ghost',
    streak: 'Days in a row count once you’ve won a game, or played one to its end.',
    sealed: 'Locked deals',
    sealedAbout: 'These hashes lock the coming deals: nobody can change the cards any more.',
    more: 'Show more',
    share: 'Share result',
    gone: 'There’s no race on this day.',
    notYet: 'The cards of this day aren’t here yet.',
    noPast: 'No past days yet.',
    begun: 'You’re playing this one. The board opens when you’re done.',
    counting: 'Counting your result…',
    over: 'This day is over.',
    ending: 'This day is over. The board opens when the last games end.',
  },
  /** The gate, where a game of today's race is started. */
  GATE: {
    beside: 'Who runs beside you',
    nobody: 'Nobody',
    you: 'You',
    ghost: 'ghost',
    about: 'A ghost plays the same cards. It takes no place on the board.',
    name: 'Your name, for the board',
    clock: 'Your clock starts with the cards.',
    start: 'Start',
    sign: 'Add',
    unsigned: 'Add your name',
    lost: 'Your browser doesn’t store anything here: you can’t resume this game, and we can’t tell a second try apart.',
  },
  gateOnce: (minutes) => `One try. About ${minutes} minutes.`,
  /** When something could not be fetched and will be fetched again. */
  UNREACHED: 'No answer from the server. Trying again…',
  dayTitle: (day, game) => `${gameName(game)} · ${day ? dayDate(day) : 'Tomorrow'}`,
  dayPlace: (place, of, game) => {
    if (of > 1) return `You’re ${ordinal(place)} of ${of}.`;
    return game?.won
      ? `You won in ${dayResult(game)}. First to finish today!`
      : 'You’re the first on the board.';
  },
  dayRest: (isWon, percent, won, others) => {
    const rank = percent > 0 ? `${isWon ? 'Faster than' : 'Ahead of'} ${percent}%. ` : '';
    return `${rank}${won} finished, ${others} didn’t.`;
  },
  dayNext: (ms) => `Next deal in ${dayLeft(ms).replace(' left', '')}`,
  dayBeaten: (name, own, { won, ms }) =>
    `You beat ${name}${won ? ` by ${clock((ms ?? 0) - (own.ms ?? 0))}` : ''}`,
  dayAhead: (name, own, { won, ms, score }) => {
    if (!won) return `${name} had ${count(score - own.score, 'point')} more`;
    if (!own.won) return `${name} finished in ${clock(ms ?? 0)}`;
    return `${name} was ${clock((own.ms ?? 0) - (ms ?? 0))} faster`;
  },
  dayTotal: (players, won) => `${count(players, 'player')}. ${won} finished.`,
  dayWatch: (name) => `Watch ${name}’s game`,
  dayYou: (game) => `You ${dayResult(game)}`,
  dayGap: (ms) => `${marginText({ by: 'time', n: Math.abs(ms) })} ${ms > 0 ? 'faster' : 'slower'}`,
  daySpread: ({ ms, end, suits }) =>
    ms === null
      ? `All results. The most: ${count(suits ?? 0, 'suit')} without a win.`
      : `All results. The most: between ${clock(ms)} and ${clock(end ?? ms)}.`,
  dayAmong: (place, of) => `Among those you’ve raced before: ${ordinal(place)} of ${of}.`,
  dayStreak: (days) => `${days} days in a row`,
  /** A returning player's record on the front page. */
  RECORD: {
    won: 'races won',
    played: 'played so far',
    none: 'No race against others yet.',
    places: 'Your latest places, oldest first:',
  },
  ofAll: (n, of) => `${n} of ${of}`,
  bestTime: (game) => `best time, ${gameName(game).replace('Spider, ', '')}`,
  daysPlayed: (n, of) => `Today’s race played on ${n} of the last ${of} days`,
  lastRaced: (names, days) => {
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
    const when = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(-days, 'day');
    return [list(shown), `last raced ${when}`].filter(Boolean).join(', ');
  },
  dayShare: (day, game, { won, finished_ms: ms, score, moves }, squares) =>
    [
      `Spider Race · ${dayDate(day)} · ${gameName(game)}`,
      `${dayResult({ won, ms, score })} · ${count(moves, 'move')}`,
      squares,
    ].join('\n'),
  GHOST: {
    title: 'A challenge',
    challenge: 'Challenge a friend',
    send: 'Send it back',
    back: 'Challenge back',
    again: 'Try again',
    firstCounts: 'Your first try counts. Again is for yourself.',
    toBeat: 'to beat',
    same: ' · same cards, same rules',
    hidden: 'The cards stay hidden',
    watch: 'Watch both boards',
    secret: 'These are today’s cards. Play today’s race first.',
    later: 'The last games with these cards are still on. Race the ghost once they’re over.',
    gone: 'This game isn’t here any more.',
    expired: 'The game you raced isn’t here any more.',
    best: 'Your best',
  },
  ghostLevel: (level) => `${STRENGTHS[level]} (ghost)`,
  challengeTitle: (name) => `${name} challenges you`,
  challengeText: (own) => `Can you beat my ${reached(own)} at Spider solitaire? Same cards.`,
  nameFor: (name) => `Your name, for ${name} to see`,
  ghostLasts: (minutes) => `About ${count(minutes, 'minute')}.`,
  ghostNamed: (name) => `Ghost of ${name}`,
  duelTitle: (name, outcome, hasMargin) => {
    if (outcome === 'tied') return `A tie with ${name}`;
    return `${outcome === 'won' ? `You beat ${name}` : `${name} beat you`}${hasMargin ? ' by' : ''}`;
  },
  duelRival: ({ name, won, finished_ms: ms }, hasWon) => {
    if (won && ms !== null)
      return hasWon
        ? `${name} needed ${exactClock(ms)}.`
        : `${name}’s ghost finished in ${exactClock(ms)}.`;
    return hasWon ? `${name} didn’t finish.` : '';
  },
  duelTally: (own, others, name) => `${own} : ${others}, you and ${name}, in challenges`,
  dare: (name, own) => `Your turn to dare. ${name} gets your ${reached(own)} to beat.`,
  FINISHED: {
    gone: 'This race isn’t here',
    why: 'It isn’t over yet, or its room is closed.',
    room: 'Go to the room',
  },
  raceAbout: ({ settings, t0, courses }) => {
    const day = new Date(t0).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
    return `${gameName(settings.game)} · ${count(courses.length, 'player')} · ${day}`;
  },
  verdict: (winners, { alone, home, won, round }) => {
    const names = list(winners);
    const of = round ? ` round ${round}` : '';
    if (alone) return home ? 'You finished!' : 'Practice over';
    if (winners.length === 0) return `Nobody finished${of}`;
    if (won && winners.length > 1) return `${of ? `Round ${round} is` : 'It’s'} a tie: ${names}`;
    if (won) return `You win${of}, ${names}!`;
    if (winners.length > 1) return `${names} share ${of ? `the win of${of}` : 'the win'}`;
    return `${names} wins${of}`;
  },
  winningMargin: (ms, margin, next) => {
    const ahead = margin ? `${marginText(margin)} ahead of ${next}` : '';
    if (ms === null) return ahead;
    return `Finished in ${exactClock(ms)}${ahead ? `, ${ahead}` : ''}`;
  },
  closest: (name, suits, score) => {
    const what = suits > 0 ? `${count(suits, 'suit')} home` : count(score, 'point');
    return `${name || 'You'} came closest, with ${what}.`;
  },
  youGaveUp: (ms) => `You gave up at ${clock(ms)}`,
  finishedIn: (name, ms) => `${name} finished in ${exactClock(ms)}`,
  amongPlayers: (n) => `of ${n}.`,
  practiceOver: (score) => `${score === 1 ? 'point' : 'points'}. Practice over.`,
  inShort: (margin) => `${margin.by === 'time' ? '+' : ''}${marginText(margin)}`,
  behindAll: (rivals) =>
    rivals
      .map(({ name, margin }, i) => {
        const isSame = i > 0 && margin.by !== 'time' && margin.by === rivals[0]?.margin.by;
        return `${isSame ? margin.n : marginText(margin)} behind ${name}`;
      })
      .join(', '),
  decided: ({ ms, kind }, name) => {
    const what = {
      led: ms < 1_000 ? `${name} led all the way` : `${name} led from ${clock(ms)} to the end`,
      lead: `${name} took the lead and kept it`,
      home: `${name} finished first`,
      quit: `${name} gave up in the lead`,
    };
    return [kind === 'led' ? '' : `Decided at ${clock(ms)}:`, `${what[kind]}.`];
  },
  leadChanges: (n) => (n > 1 ? `The lead changed ${n} times.` : ''),
  decisive: ({ kind, winner, rival, n, of }, me) => {
    const isRival = rival.seat === me;
    const won = winner.seat === me ? 'You' : winner.name;
    const lost = isRival ? 'You' : rival.name;
    const other = isRival ? 'you' : rival.name;
    return {
      hidden: `${lost} still had ${count(n, 'card')} face down at the end.`,
      home: `${lost} had ${n} of ${count(of, 'card')} home at the end.`,
      suits: of
        ? `${lost} had ${n} of ${count(of, 'suit')} at the end.`
        : `${won} completed ${count(n, 'suit')}, ${other} ${rival.suits}.`,
      cards: `${won} turned ${count(n, 'card')} more than ${other}.`,
      idle: `${lost} made no move.`,
      quit: `${lost} gave up at ${clock(n)}.`,
    }[kind];
  },
  matchVerdict: (winners, won) => {
    if (!won) return matchWon(winners);
    const names = list(winners);
    return winners.length > 1 ? `The match is a tie: ${names}` : `You win the match, ${names}!`;
  },
  roundOf: (n, of) => `Round ${n} of ${of}`,
  nextOf: (n, of) => `Next round (${n} of ${of})`,
  againAt: (level) => `Play again at level ${level}`,
  nextRaceLine: ({ isWanted, wanting, missing, away, inMatch }) => {
    if (!isWanted) return wanting.length > 0 ? wants(wanting, inMatch) : '';
    const awaited = missing.length > 0 ? missing : wanting.length > 0 ? [] : away;
    return awaited.length > 0 ? `Waiting for ${list(awaited)}…` : '';
  },
  startWithout: (missing) => {
    const who = missing.length > 2 ? `${missing.length} players` : list(missing);
    return who ? `Start without ${who}` : 'Start now';
  },
  bestResult: ({ score, ms }, before) => {
    const time = ms === null ? '' : ` · ${clock(ms)}`;
    const old = before && ` Before: ${before.ms === null ? before.score : clock(before.ms)}.`;
    return `${before ? 'A new best' : 'Your best'}: ${count(score, 'point')}${time}.${old ?? ''}`;
  },
  // The chart and the replay of a finished round.
  CHART: {
    table: 'The scores as a table',
    known: 'Winnable up to here',
    player: 'Player',
    end: 'End',
  },
  chartFew: (n, of) => `The chart shows ${n} of ${of} players.`,
  chartSummary: ({ ms, changes, last }) => {
    const times = changes === 1 ? 'once' : `${changes} times`;
    const lead = ` The lead changed ${times}; ${last} had it at the end.`;
    return `Length: ${clock(ms)}.${changes > 0 && last ? lead : ''}`;
  },
  programNamed: (name) => `${name} (program)`,
  REPLAY: {
    knownWin: 'A way to win',
    title: 'How it went',
    open: 'Watch replay',
    shut: 'Close replay',
    left: 'Board on the left',
    right: 'Board on the right',
    play: 'Play',
    pause: 'Pause',
    back: 'Previous move',
    on: 'Next move',
    moments: 'Moments of the race',
    before: 'Previous moment',
    after: 'Next moment',
    at: 'Time in the race',
    speed: 'Speed',
    keys: 'Keys: space plays and pauses, ← and → go from move to move, page up and page down from moment to moment, + and − change the speed.',
    loading: 'Loading the race…',
    dealt: 'The cards as dealt.',
    race: 'Race this game',
    playOn: 'Play on from here',
    cut: 'This is a very long game. We only show its end.',
  },
  moment: ({ ms, kind, n }, name) => {
    /** @type {Record<string, string>} */
    const what = {
      lead: `${name} leads`,
      suit: `${name}: ${ordinal(n)} suit`,
      home: `${name} finishes`,
      end: `${name} stops`,
      quit: `${name} gives up`,
      missed: `${name} misses the win`,
    };
    return `${clock(ms)} ${what[kind] ?? name}`;
  },
  reviewOf: (game) => {
    const { known_ms: known, lost_ms: lost } = game;
    const isLater = known !== null && lost !== null && known !== lost;
    return isLater ? `${reviewLine(game)}, ${noneSince(lost)}` : reviewLine(game);
  },
  playOnFrom: (ms) => `Play on from ${clock(ms)}`,
  winOption: ({ name, known_ms: known, to_the_end: toTheEnd }) =>
    `${name}: the win ${toTheEnd ? 'open to the end' : `missed at ${clock(known ?? 0)}`}`,
  reviewNote: (left, missing) => {
    if (left > 0) return `Looking for missed wins: ${count(left, 'game')} to go…`;
    return missing.length > 0 ? `Not looked at: ${list(missing)}.` : '';
  },
  enlarge: (name) => `Enlarge ${name}’s board`,
  figures: ({ score, counts: { moves, suits, face_down } }) =>
    `${count(score, 'point')} · ${count(moves, 'move')} · ${face_down} face down · ${count(suits, 'suit')}`,
  // The help dialog: where the game stands, and the keys.
  /** The descriptions of the keys. */
  KEYS: {
    ...{ left: 'Column to the left', right: 'Column to the right', more: 'One card more' },
    ...{ fewer: 'One card fewer', above: 'Up a row: stock, foundations', below: 'Down a row' },
    ...{ first: 'Start of the row', last: 'End of the row', pick: 'Pick up, put down' },
    ...{ auto: 'Move where it fits, same suit first', column: 'Move from column to column' },
    ...{ deal: 'Deal', dealSure: 'Confirm the deal', remove: 'Remove a complete suit' },
    ...{ undo: 'Undo', redo: 'Redo', exception: 'Ask for an exception' },
    ...{ hint: 'Get a hint, if allowed', unfold: 'Unfold a column', mark: 'Show what can move' },
    ...{ locate: 'Find a card: rank, then suit', peek: 'Show what’s in a column' },
    ...{ standings: 'Show the standings', score: 'Show the score', colours: 'Change the table' },
    ...{ type: 'Type moves', help: 'Help', why: 'Why a move was refused', level: 'Change level' },
    ...{ restart: 'New game', restartSure: 'Confirm the new game', quit: 'Leave' },
    cancel: 'Cancel',
  },
  HELP: {
    tips: 'Tips for this game',
    aids: 'Tools',
    find: 'Find a card',
    rank: 'Rank',
    suit: 'Suit',
    go: 'Find',
    keys: 'Keys',
    touch: 'Touch',
    oneTap: [
      'Tap a card to play its best move: same suit first, never to an empty column. Without one, you hold the card: tap a column to put it there, or tap it again to let go.',
      'A complete suit glows: tap it to remove it. Tap the stock to deal.',
    ],
    twoTaps: [
      'Tap a card and then a column, in either order. Tap twice to play the best move.',
      'A complete suit glows: tap it twice to remove it. Tap the stock to deal.',
    ],
    touching: [
      'Drag a card, and the cards on it come along.',
      'Touch and hold a column to see what’s in it. ×5 is a folded run: tap to unfold it.',
    ],
    oneTapNoColumns:
      'Tap a card to play it where it fits. If it fits nowhere, you hold it: tap it again to let go. Or drag it. Tap the stock to deal.',
    twoPressesNoColumns:
      'Drag a card, or choose it and then a pile, in either order. A double-click or double tap plays it. Press the stock to deal.',
    pointer: [
      'Drag a card, and the cards on it come along. Or click a card and then a column, in either order.',
      'Double-click, right-click or press Shift+Enter to move cards where they fit, same suit first.',
      'The middle button picks up only the cards from the clicked one on; then click a column.',
      'Press and hold to see what’s in a column. ×5 is a folded run: click to unfold it.',
    ],
    /** @type {Record<string, string>} */
    suits: { S: 'Spades', H: 'Hearts', D: 'Diamonds', C: 'Clubs' },
  },
  dealsLeft: (n) => `${count(n, 'deal')} left.`,
  cardsPlayed: (n) => `${count(n, 'card')} played.`,
  suitsRemoved: (signs) => `Suits removed: ${signs.join(' ') || 'none'}.`,
  lastRefused: (words) => `Last refused: ${words}`,
  // How to play in three pictures.
  LESSON: {
    move: 'Put a card on one that is one higher. A run of one suit moves together.',
    deal: 'Stuck? Deal from the stock: every column gets one more card.',
    suit: 'King to ace in one suit leaves the table. Clear every suit to win.',
    close: 'Got it',
  },
  LITTLE_LESSON: [
    'Build two foundations up from the ace in one suit, and two down from the king: red aces and black kings, or the other way round.',
    'Each deal puts a card on every pile. The upper row plays to any foundation that fits, the lower row only to the one right above.',
    'Once the stock is empty, any top card goes on any foundation that fits, or on a card one higher or lower. Play every card to win.',
  ],
  // The questions and answers of the DOS program of 1987, from its manual.
  CLASSIC: {
    back: 'Continue with the game',
    first: {
      reasons: 'Do you want error messages displayed automatically (Y/N)?',
      confirm: 'Do you want to confirm each new deal and new game (Y/N)?',
      level: 'What difficulty level do you want (1/2)? Press 1-Easy or 2-Hard.',
      yesKey: 'Y',
      yes: 'Yes',
      no: 'No',
      skip: 'Skip',
    },
    deal: {
      title: 'Deal a new row of cards?',
      yes: 'Deal a new row',
      early: 'F10 confirms a new row: press F9 first.',
      none: (/** @type {number} */ n) => `All ${n} cards have been dealt.`,
    },
    newGame: {
      title: 'Start a new game?',
      text: 'You give up this game and get a new deal.',
      yes: 'Start a new game',
      early: 'F8 confirms a new game: press F7 first.',
      race: 'Everyone in a race has the same deal. You can start a new game when you play alone.',
      wait: 'The race starts when everyone is ready.',
      host: 'Only the host can start the next game.',
    },
    quit: {
      title: 'Quit?',
      yes: 'Quit',
      race: 'You’re in a race. If you leave now, you give up.',
      room: 'You’ll leave the room.',
    },
    colours: {
      title: 'Colours',
      background: 'Next background',
      cards: 'Next cards',
      chosen: (/** @type {Choice} */ back, /** @type {Choice} */ cards) =>
        `Background ${back.at} of ${back.of}: ${back.name}. Cards ${cards.at} of ${cards.of}: ${cards.name}.`,
    },
    level: {
      now: (/** @type {number} */ level) => `You are currently at level ${level}.`,
      chosen: (/** @type {number} */ level) => `You’ll play the next game at level ${level}.`,
      next: 'Your choice is for the next game.',
      all: 'Your choice is for everyone in the next game.',
      racing: 'You can change the level between games, not in a race.',
      host: 'Only the host can change the level, between games.',
      none: 'There are no levels without exceptions.',
    },
    which: 'Which game do you want to play?',
    game: (/** @type {number} */ n) => `Game ${n}`,
    /** The keys on the results, with or without levels and a score card. */
    afterGame: (/** @type {boolean} */ levels, /** @type {boolean} */ card) =>
      `Press ${levels ? '1 to play again at level 1, 2 to play again at level 2' : 'F7 to play again'}${
        card ? ', G to choose the game' : ''
      }, Q to quit.`,
    /** The keys in the room, with or without levels and a score card's games, which start at once for a player alone. */
    beforeGame: (/** @type {boolean} */ levels, /** @type {number} */ games, alone = false) =>
      `Press ${games > 1 ? `1 to ${games} to ${alone ? 'deal that' : 'choose the'} game, ` : ''}${
        levels ? 'F6 to change the level, ' : ''
      }F7 to start, Q to quit.`,
  },
  // The page of a kept table, and its menu.
  TABLE: {
    ...race.TABLE,
    ...{ somebody: 'Somebody', members: 'Members', versus: 'Head to head', races: 'Last races' },
    columns: ['#', 'Player', 'Wins', 'Best', 'Last ten'],
    duel: ['average place', 'best time', 'widest win'],
    lately: 'Ahead in the last ten',
    neverMet: 'They haven’t raced each other yet.',
    none: 'No race has counted yet.',
    go: 'Race',
    /** Why a race is not in the standings. */
    WHY: {
      stand_in: 'not counted: a stand-in played',
      computers: 'not counted: fewer than two people',
      latecomers: 'not counted: a latecomer',
    },
    here: 'here',
    /** @type {Record<string, string>} */
    STATES: { READY: 'here, ready', WATCHING: 'here, watching' },
    hereNow: (/** @type {number} */ n) => `${n} here now`,
    wins: (/** @type {number} */ n) => count(n, 'win'),
    lead: (/** @type {number} */ n, /** @type {string} */ since, /** @type {string} */ until) =>
      `Kept since ${since} · ${count(n, 'race')} · until ${until}, or longer if you race`,
    figures: (/** @type {MemberStanding} */ { races, podiums }, /** @type {string} */ average) =>
      `${count(races, 'race')} · ${count(podiums, 'podium')} · avg. ${average}`,
  },
  TABLE_MENU: {
    ITEMS: {
      ...{ carry: 'Use this seat on another device', members: 'Members…', rename: 'Rename…' },
      ...{ lock: 'Lock the table', unlock: 'Unlock the table' },
      ...{ stop: 'Stop keeping this table…', delete: 'Delete the table…' },
    },
    csv: 'Save the results (CSV)',
    ASK: {
      rename: { title: 'Name of the table', text: 'Everyone sees it.', yes: 'Rename' },
      stop: {
        title: 'Stop keeping this table?',
        text: 'Its history is deleted, and the room closes some time after everyone has left.',
        yes: 'Stop keeping',
      },
      delete: {
        title: 'Delete this table?',
        text: 'Everyone loses their seat, and the history can’t be brought back.',
        yes: 'Delete',
      },
      hand_over: { title: 'Hand over the table?', yes: 'Make host' },
      forget: { title: 'Forget this player?', yes: 'Forget' },
    },
    no: 'Cancel',
    hand_over: (/** @type {string} */ name) => `${name} becomes the host. You keep your seat.`,
    forget: (/** @type {string} */ name) => `In the history, ${name} becomes “Somebody”.`,
    carry:
      'Scan this with the other device, or open the link there. This device gives up the seat.',
    link: 'Link to your seat',
    until: (/** @type {number} */ ms) => `Works once, until ${dayAndTime(ms)}.`,
  },
  // The page with this player’s races.
  YOURS: {
    lead: 'Kept in this browser only and never sent anywhere.',
    unstorable: 'This browser’s storage is off or full: close this page and new races are gone.',
    empty: 'No races yet. Every race you finish from now on shows up here, practice too.',
    none: 'No races yet',
    menu: 'Save, import or delete',
    games: 'By game',
    FACTS: ['won', 'best', 'average'],
    races: (/** @type {number} */ n, /** @type {number} */ wins) =>
      `${count(n, 'race')} · ${wins} finished`,
    FORM: {
      title: (/** @type {string} */ game) => `Latest places, ${game.toLowerCase()}`,
      won: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of the last ${of} won`,
      spoken: 'Oldest first:',
    },
    RIVALS: { title: 'Rivals', about: 'You ahead : behind' },
    list: 'All races',
    more: (/** @type {number} */ n) => `Show all ${n}`,
    open: 'race still open',
    /** The kinds of games that were no race. */
    KINDS: { practice: 'practice', day: 'Today’s race', ghost: 'against a ghost' },
    csv: 'Save as CSV',
    json: 'Save as JSON',
    read: 'Import a file…',
    noFile: 'This isn’t a file of saved races.',
    added: (/** @type {number} */ n) =>
      n > 0 ? `${count(n, 'race')} added.` : 'All races in this file are here already.',
    delete: 'Delete all…',
    DELETE: {
      title: 'Delete all your races?',
      text: 'They are deleted from this browser, and can’t be brought back.',
      yes: 'Delete',
      no: 'Cancel',
    },
    deleted: 'Your races are deleted.',
    locale: 'en-GB',
    placeOf: (/** @type {number} */ place, /** @type {number} */ of) =>
      `${ordinal(place)} of ${of}`,
    moves: (/** @type {number} */ n) => count(n, 'move'),
    met: (/** @type {readonly string[]} */ names) => `with ${list(names)}`,
  },
  // The preferences dialog.
  PREFERENCES: {
    sections: { looks: 'Appearance', sound: 'Sound', play: 'Gameplay', keyboard: 'Keyboard' },
    table: {
      title: 'Table',
      names: Object.fromEntries(
        'Baize Lagoon Fern Emerald Midnight Plum Violet Cobalt Claret Ruby Rose Walnut Olive Copper Slate Coal'
          .split(' ')
          .map((name, i) => [CHOICES.table[i], name]),
      ),
    },
    cards: {
      title: 'Cards',
      names: { two: 'Two colours', four: 'Four colours', strong: 'Large print' },
    },
    backs: { title: 'Card backs', names: { blue: 'Blue', red: 'Red' } },
    indices: { title: 'Letters on cards', names: { english: 'J Q K', german: 'B D K' } },
    light: {
      title: 'Light or dark',
      names: { auto: 'Same as my device', light: 'Light', dark: 'Dark' },
    },
    removed: 'Turn completed suits face down',
    motion: 'Reduce motion',
    muted: 'Sound effects',
    volume: 'Volume',
    haptics: 'Vibrate on race events',
    oneTap: 'One tap plays the best move',
    confirmDeal: 'Ask before dealing, and before a new game (F7)',
    faceDown: 'Count the face-down cards',
    reasons: {
      title: 'Why a move isn’t allowed',
      names: { 'at-once': 'Tell me at once', 'on-request': 'Only when I ask' },
    },
    keys: { title: 'Keys', names: { modern: 'Modern', classic: 'Classic (1987)' } },
    letterKeys: 'Single-letter shortcuts',
    moveBox: 'A box for typing moves',
  },
};

export default en;
