// A ghost is a finished game that somebody races against, with the same cards. Its figures follow the recorded times;
// its cards stay hidden until the player has finished. Here are the ghost, the page behind its link, which is a
// challenge, and the duel: the player's game and the ghost's, shown as one round of two.

import { keep, kept, keptOf } from '../browser/storage.js';
import { DAY_MS, fetchDocument, keepFetching } from '../page/loads.js';
import { fetchRound, indexAt, RANK_GAP } from '../replay/course.js';
import { parseCards } from '../state/entries.js';
import { coloursOf, GHOST_SEAT, ghostSeatBeside } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makeNameField } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';
import { idOfGames } from './day.js';
import { POLL_MS } from './days.js';
import { makeGate, makeLane } from './gate.js';
import { dealAgain } from './round.js';

/**
 * @import {Course, DayBoard, DayComputers, RoomView, RoundCourse, RoundOver, Settings, Standing} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {BestCourse} from '../browser/storage.js'
 * @import {State} from '../state/state.js'
 * @import {Rules} from './verdict.js'
 * @typedef {object} Ghost
 * @property {Course} course with times since the start of its own game
 * @property {Standing} standing at the end of the game
 * @typedef {Ghost & {cards: string, id: RoundId, settings: Settings, lateMs: number}} FoundGhost a ghost with its
 *   round, the rules, and how late the game started in that round
 * @typedef {NonNullable<ReturnType<typeof duelOf>>} Duel
 * @typedef {{room: Pick<RoomView, 'code' | 'settings' | 'seats'>, over: RoundOver, me: number}} OwnGame the game that
 *   this player, at the seat `me`, has just finished against a ghost
 */

const MINUTE_MS = 60_000;
const MAX_DUELS = 100;

/** Return the game that a ghost's link names, such as `ROOM/1/0`; null for any other path. @param {string} path */
export const ghostIn = (path) => /^\/g\/([\w-]+\/[\w-]+\/[\w.]+)$/.exec(path)?.[1] ?? null;

/** Return whether cards name a finished game played from its start, which can be a ghost. @param {string} cards */
export function haveGhost(cards) {
  const { isGame, isContinued } = parseCards(cards);
  return isGame && !isContinued;
}

/**
 * Return a game's round, and its seat there. A game of a day counts as a round of its own.
 * @param {string} cards the game's name @param {string} key of this player's own game on that day, or ''
 * @returns {{id: RoundId, seat: number}}
 */
export function gameOf(cards, key) {
  const { day, game, entry, code, n, seat } = parseCards(cards);
  return day ? { id: idOfGames({ day, game, key }, [entry]), seat: 0 } : { id: { code, n }, seat };
}

/** Return the key of this player's own game with these cards of a day, or ''. @param {string} cards */
function keyOf(cards) {
  const { day, game } = parseCards(cards);
  return keptOf('day', `${day}/${game}`) ?? '';
}

/** Fetch a ghost; rejects with `404` if its game is missing. @param {string} cards @returns {Promise<FoundGhost>} */
export async function fetchGhost(cards) {
  const { id, seat } = gameOf(cards, keyOf(cards));
  const { courses, ranking, settings } = await fetchRound(id);
  const course = courses.find((each) => each.seat === seat);
  const standing = ranking.find((each) => each.seat === seat);
  if (!course || !standing) throw new Error('404');
  // In an open race times count from the player's own start, in any other from the race's start: subtract the delay.
  const lateMs = settings.window_s ? 0 : (standing.late_ms ?? 0);
  const ms = course.ms.map((each) => Math.max(0, each - lateMs));
  const ghost = { course: { ...course, ms }, standing: { ...standing, late_ms: null } };
  return { ...ghost, cards, id, settings, lateMs };
}

/**
 * Return the ghost's row in the standings at a time of this player's game.
 * @param {Ghost} ghost @param {number} ms since this player's start
 * @param {{foundations: number, face_down: number, cards: number} | undefined} game the numbers of the game's
 *   foundations, of cards dealt face down, and of all cards
 * @returns {Standing}
 */
export function ghostRow({ course, standing }, ms, game) {
  const at = indexAt(course.ms, ms);
  const isOver = standing.finished_ms !== null && ms >= standing.finished_ms;
  const suits = course.suits[at] ?? 0;
  const home = game ? (suits * game.cards) / game.foundations : 0;
  return {
    ...standing,
    ...(!isOver && { state: 'RACING', won: false, finished_ms: null }),
    seat: GHOST_SEAT,
    name: standing.seat === GHOST_SEAT ? standing.name : strings.ghostNamed(standing.name),
    score: course.score[at] ?? 0,
    suits,
    home,
    has_acted: at > 0,
    // The course does not record which cards were turned up, so the progress bar follows the suits.
    face_down: game ? Math.round(game.face_down * (1 - home / game.cards)) : 0,
  };
}

/** Rank games as one race, best first; ties share a place. @param {readonly Standing[]} games @param {Rules} [rules] */
export function rankTogether(games, rules) {
  /** Return a number to rank a game by, highest first; wins ranked by time come first. @param {Standing} game */
  const rankValue = ({ won, finished_ms: ms, score, suits, face_down }) => {
    if (won && rules?.ranking !== 'best_score') return RANK_GAP - (ms ?? 0);
    // The `moves` score starts high and falls, so rank lost games by their suits, then by cards turned up.
    return won || rules?.score !== 'moves' ? score : suits * 1_000 - face_down - RANK_GAP;
  };
  const values = games.map(rankValue);
  const placed = games.map((game, i) => {
    return { ...game, place: 1 + values.filter((value) => value > (values[i] ?? 0)).length };
  });
  return placed.toSorted((one, other) => one.place - other.place);
}

/** Add a ghost to a state's standings, in a colour of its own. @param {State} state @param {Standing} ghost */
export function withGhost(state, ghost) {
  const ownColour = coloursOf(state.room)(state.me?.seat ?? 0);
  const rows = [...state.standings, { ...ghost, seat: ghostSeatBeside(ownColour) }];
  return { ...state, standings: rankTogether(rows, state.room?.settings) };
}

/** Make the page that challenges the player to race against a ghost. @param {App} app @param {FoundGhost} ghost */
function makeChallenge(app, { standing, settings, cards }) {
  const words = strings.GHOST;
  const { name, won, finished_ms: ms } = standing;
  const ownName = kept('name');
  const colours = coloursOf(null);
  const own = makeLane({ name: ownName || strings.GATE.you, colour: colours(0) });
  const ghost = { name, small: strings.GATE.ghost, colour: colours(GHOST_SEAT), isGhost: true };
  const field = ownName ? null : makeNameField(strings.nameFor(name));
  const result = strings.dayResult({ ...standing, ms });
  const toBeat = h('div', { class: 'results-place' }, h('b', { text: result }), ' ', words.toBeat);
  const rules = h('p', { id: 'about' }, h('b', { text: strings.rulesLine(settings, null) }));
  rules.append(words.same);
  function onclick() {
    field?.typed(); // stores the name, which `dealAgain` reads
    dealAgain(app, cards);
  }
  const start = h('button', { id: 'ghost-play', text: strings.GATE.start, onclick });
  set(start, { 'data-kind': 'primary', 'data-size': 'big' });
  const lasts = won && h('b', { text: strings.ghostLasts(Math.ceil((ms ?? 0) / MINUTE_MS)) });
  return makeGate({
    title: h('h1', { id: 'winner', text: strings.challengeTitle(name) }),
    facts: [toBeat, rules],
    fields: [field?.element ?? false],
    lanes: h('div', { class: 'stack' }, own, makeLane(ghost)),
    about: [h('span', { text: words.hidden }), h('b', { text: result })],
    note: h('p', {}, lasts, ' ', strings.GATE.clock),
    start,
  });
}

/** Bind the page behind a ghost's link. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindGhost(root, app) {
  const words = strings.GHOST;
  const cards = ghostIn(location.pathname) ?? '';
  const about = h('p', { id: 'about', text: strings.REPLAY.loading });
  const looks = { class: 'buttons-link', id: 'ghost-today', 'data-kind': 'primary', hidden: true };
  const today = h('a', { ...looks, text: strings.LANDING.today });
  const title = h('h1', { id: 'winner', text: words.title });
  const text = strings.BUTTONS.front;
  const front = h('a', { class: 'buttons-link', 'data-kind': 'link', href: '/', text });
  root.replaceChildren(h('div', { class: 'page stack landing' }, title, about, today, front));
  const { day, game } = parseCards(cards);
  const dayPath = `${day}/${game}`;

  /**
   * Fetch the ghost; or only its day's board while the day's cards are secret, which they are for players who have not
   * raced them until the day is over.
   */
  async function fetchGhostOrBoard() {
    if (!day) return fetchGhost(cards);
    /** @type {DayBoard} */
    const board = await fetchDocument(`/api/days/${dayPath}?key=${keyOf(cards)}`);
    const isSecret = !board.over && !board.own;
    return isSecret ? board : fetchGhost(cards);
  }

  /**
   * Show the challenge, or say why it must wait; return the ms until the next request, or 0.
   * @param {FoundGhost | DayBoard | null | undefined} found
   */
  function show(found) {
    if (found && 'standing' in found) {
      root.replaceChildren(makeChallenge(app, found));
      return 0;
    }
    const isToday = Date.parse(day) + DAY_MS > app.now(); // after midnight the day's last games may still be on
    const whySecret = isToday ? words.secret : words.later;
    const whyMissing = found === null ? words.gone : strings.UNREACHED;
    set(about, { text: found ? whySecret : whyMissing });
    set(today, { hidden: !found, href: `/d/${dayPath}` });
    return found ? POLL_MS : 0;
  }

  const { stop } = keepFetching(fetchGhostOrBoard, show);
  return { update() {}, unbind: stop };
}

/**
 * Fetch a computer player's game of a day as a ghost; null before it has played.
 * @param {string} cards the day and the game @param {string} level @returns {Promise<Ghost | null>}
 */
export async function fetchComputer(cards, level) {
  /** @type {DayComputers} */
  const { computers } = await fetchDocument(`/api/days/${cards}/computers`);
  const game = computers.find((each) => each.level === level);
  return game ? ghostOf({ ...game, end: game.ended_ms }, strings.ghostLevel(game.level)) : null;
}

/** Return this player's best practice game as a ghost. @param {BestCourse} best */
export function ownBest(best) {
  return ghostOf(best, strings.GHOST.best);
}

/**
 * Make a ghost from a game's course and end. Its other figures are unknown, and set to 0 or null.
 * @param {BestCourse & {state?: Standing['state']}} game @param {string} name @returns {Ghost}
 */
function ghostOf({ ms, score, suits, end: endMs, won, state = 'FINISHED' }, name) {
  const figures = { place: null, moves: 0, home: 0, face_down: 0, cheats: 0, exceptions: 0 };
  const extras = { hints: 0, restored: 0, late_ms: null, gained_ms: 0 };
  const last = { score: score.at(-1) ?? 0, suits: suits.at(-1) ?? 0, finished_ms: endMs };
  const known = { seat: GHOST_SEAT, name, won, state, has_acted: true, ...last };
  return {
    course: { seat: GHOST_SEAT, name, ms, score, suits },
    standing: { ...figures, ...extras, ...known },
  };
}

/**
 * Return the duel between this player's game and a ghost; null if the player has no game in the round.
 * @param {OwnGame} ownGame @param {RoundCourse | null} round the player's; null while its deal is secret
 * @param {FoundGhost} ghost
 */
export function duelOf({ room, over, me }, round, ghost) {
  const own = over.ranking.find((each) => each.seat === me);
  if (!own) return null;
  const ownColour = coloursOf(/** @type {RoomView} */ (room), over)(me);
  const seat = ghostSeatBeside(ownColour); // the ghost's
  const rival = { ...ghost.standing, seat };
  const ranking = rankTogether([own, rival], room.settings);
  const winners = ranking.filter(({ place }) => place === 1).map((each) => each.seat);
  const result = { ranking, winners, tie_breaks: [] }; // equal games stay tied
  /** @type {RoundId} */
  const id = { code: room.code, n: over.n, games: { [seat]: ghost.cards } };
  if (round) {
    const courses = [...round.courses, { ...ghost.course, seat }];
    id.duel = { round: { ...round, ...result, courses }, seat, ghost };
  }
  const isWon = winners.length === 1 && winners[0] === me;
  return { id, result: { ...over, ...result }, own, rival, isWon };
}

/** Fetch a duel; rejects with `404` if the ghost's game is gone. @param {string} cards @param {OwnGame} ownGame */
export async function fetchDuel(cards, ownGame) {
  const { room, over } = ownGame;
  // While a deal is still played in today's race, its round cannot be fetched, and its result has no deck.
  const isSecret = over.reveal.deck.length === 0;
  const fetchingRound = isSecret ? null : fetchRound({ code: room.code, n: over.n });
  const [ghost, round] = await Promise.all([fetchGhost(cards), fetchingRound]);
  return duelOf(ownGame, round, ghost);
}

/**
 * Store who won a duel. Only the first duel against each game counts.
 * @param {string} cards the name of the ghost's game @param {Duel} duel
 * @returns {string} the tally of all duels with the ghost's player in words; '' after the first duel
 */
export function keepDuel(cards, { result: { winners }, rival: { name }, isWon }) {
  const before = kept('duels');
  const won = winners.length > 1 ? null : isWon; // null for a draw
  const isFirst = before.every((duel) => duel.cards !== cards);
  if (isFirst) keep('duels', [...before, { cards, name, won }].slice(-MAX_DUELS));
  const all = kept('duels').filter((duel) => duel.name === name);
  const wins = all.filter((duel) => duel.won === true).length;
  const losses = all.filter((duel) => duel.won === false).length;
  return all.length > 1 ? strings.duelTally(wins, losses, name) : '';
}
