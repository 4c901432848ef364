// Ghosts: a finished game that is raced again. Its figures run on their own recorded time; its cards are
// seen only after the own end. The page of a ghost's link, and what the race and the results say of it.

import { kept, keptOf } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { fetchRound, indexAt } from '../replay/course.js';
import { GHOST_SEAT } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set, write } from '../widgets/element.js';
import { linkFor, linkRow } from '../widgets/room-parts.js';
import { idOfGames } from './day.js';
import { POLL_MS } from './days.js';
import { makeRanking, makeRow } from './parts.js';
import { dealAgain } from './round.js';

/**
 * @import {Course, DayBoard, DayComputers, Standing} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {BestCourse} from '../browser/storage.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Ghost
 * @property {Course} course
 * @property {Standing} standing at the end of its game
 * @property {number} [of] how many suits its game has
 */

const DAY_MS = 86_400_000;

export { GHOST_SEAT };

/** Return the cards that the path of a ghost's link names; null for another page. @param {string} path */
export const ghostIn = (path) => /^\/g\/([\w-]+\/[\w-]+\/[\w.]+)$/.exec(path)?.[1] ?? null;

/** Return whether cards are those of a game from its start, which then runs as a ghost. @param {string} cards */
export const isGhost = (cards) => cards.split('/').length > 2 && !cards.includes('+');

/** Return the page of a game by its cards: that of its day, or of its round. @param {string} cards */
export const pageOf = (cards) =>
  cards.includes('-') ? `/d/${cards}` : `/r/${cards.split('/').slice(0, 2).join('/')}`;

/** Return the round and the seat of a game by its cards. @param {string} cards @param {string} key of the own game of that day, or '' @returns {{id: RoundId, seat: number}} */
export function gameOf(cards, key) {
  const [first = '', second = '', third = ''] = cards.split('/');
  return first.includes('-')
    ? { id: idOfGames({ day: first, game: second, entries: [third] }, key), seat: 0 }
    : { id: { code: first, n: Number(second) }, seat: Number(third) };
}

/** Fetch a ghost; rejected with `404` if its game is not there, or not over. @param {string} cards @param {string} [key] @returns {Promise<Ghost>} */
export async function fetchGhost(cards, key = '') {
  const { id, seat } = gameOf(cards, key);
  const { courses, ranking, settings } = await fetchRound(id);
  const course = courses.find((each) => each.seat === seat);
  const standing = ranking.find((each) => each.seat === seat);
  if (!course || !standing) throw new Error('404');
  // The course of a game in a window has the clock of its player.
  const own = settings.window_s ? { ...standing, late_ms: null } : standing;
  return { course, standing: own, of: GAMES[settings.game]?.foundations ?? 0 };
}

/**
 * Return the row of a ghost at a time of the own game.
 * @param {Ghost} ghost
 * @param {number} ms since the own start
 * @param {{foundations: number, face_down: number, cards: number} | undefined} game
 * @returns {Standing}
 */
export function ghostRow({ course, standing }, ms, game) {
  const late = standing.late_ms ?? 0;
  const at = indexAt(course.ms, ms + late);
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
    // Its record has no turned cards: the bar shows the suits alone.
    face_down: game ? Math.round(game.face_down * (1 - home / game.cards)) : 0,
    late_ms: null,
  };
}

/** Return the state in whose standings a ghost runs, ranked by wins and points; equal ones share a place. @param {State} state @param {Standing} ghost @returns {State} */
export function withGhost(state, ghost) {
  const timeOf = (/** @type {Standing} */ each) => (each.won ? (each.finished_ms ?? 0) : Infinity);
  const rows = [...state.standings, ghost].toSorted(
    (a, b) => timeOf(a) - timeOf(b) || b.score - a.score,
  );
  const isEqual = (/** @type {Standing} */ a, /** @type {Standing} */ b) =>
    timeOf(a) === timeOf(b) && a.score === b.score;
  const standings = rows.map((each) => {
    const place = 1 + rows.findIndex((other) => isEqual(each, other));
    return { ...each, place };
  });
  return { ...state, standings };
}

/** Return the sentence on how an own game compares with a ghost's. @param {Standing} own @param {Standing} ghost */
export function comparedWith(own, ghost) {
  const { won, finished_ms: ms, score } = ghost;
  if (own.won && won) return strings.ghostTime(ghost.name, (own.finished_ms ?? 0) - (ms ?? 0));
  if (own.won || won)
    return own.won ? strings.ghostBeaten(ghost.name) : strings.ghostWon(ghost.name);
  return strings.ghostPoints(ghost.name, own.score - score);
}

/** Make the two rows of a duel: this player's, still empty, and the ghost's. @param {Ghost} ghost */
function makeDuel({ standing, of = 0 }) {
  const both = { place: null, small: '', isFirst: false, program: undefined, of };
  const name = strings.you(kept('name') || strings.LANDING.nameless);
  const own = { ...both, seat: 0, name, colour: 'blue', suits: 0, result: '', isOwn: true };
  const result = strings.dayResult({ ...standing, ms: standing.finished_ms });
  const figures = { name: strings.ghostNamed(standing.name), suits: standing.suits, result };
  const ghost = makeRow({ ...both, seat: 1, ...figures, colour: 'red', isOwn: false });
  set(ghost, { 'data-ghost': true });
  return [makeRow(own), ghost];
}

/** Bind the page of a ghost's link. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindGhost(root, app) {
  const words = strings.GHOST;
  const cards = ghostIn(location.pathname) ?? '';
  const title = h('h1', { id: 'winner', text: words.title });
  const about = h('p', { id: 'about', text: strings.REPLAY.loading });
  const start = { id: 'ghost-play', 'data-kind': 'primary', 'data-size': 'big', hidden: true };
  const play = h('button', { ...start, text: words.play, onclick: () => dealAgain(app, cards) });
  const looks = { class: 'buttons-link', id: 'ghost-today', 'data-kind': 'primary', hidden: true };
  const today = h('a', { ...looks, text: strings.LANDING.today });
  const text = () => title.textContent ?? '';
  const link = { id: 'ghost-link', label: words.link, url: linkFor(`/g/${cards}`), text };
  const share = linkRow('ghost', link, app.announce);
  const pane = h(
    'div',
    { class: 'pane' },
    share,
    h('p', { class: 'text-small', text: words.about }),
  );
  const acts = h('div', { class: 'row day-acts' }, play, today);
  const { columns } = strings.RESULTS;
  const { element: table, rows } = makeRanking({ 'aria-label': words.title }, ...columns);
  table.hidden = true;
  const page = { class: 'page stack results-grid results-narrow' };
  root.replaceChildren(h('div', page, title, about, table, acts, pane));
  const [day = '', game = ''] = cards.split('/');
  const isOfDay = day.includes('-');
  const ofDay = `${day}/${game}`;
  const key = keptOf('day', ofDay) ?? '';

  /** Fetch the ghost, or only the board of its day while its cards are a secret to this player. @returns {Promise<Ghost | DayBoard>} */
  async function fetchIt() {
    if (!isOfDay) return fetchGhost(cards, key);
    /** @type {DayBoard} */
    const board = await fetchDocument(`/api/days/${ofDay}?key=${key}`);
    return board.over || board.own ? fetchGhost(cards, key) : board;
  }

  /** Show the ghost, or say why it can't be raced. @param {Ghost | DayBoard | null | undefined} found */
  function show(found) {
    const isGhostThere = found && 'standing' in found;
    const isSecret = found && !isGhostThere;
    const secret = Date.parse(day) + DAY_MS > app.now() ? words.secret : words.later;
    const missing = found === null ? words.gone : strings.UNREACHED;
    if (isGhostThere) write(title, strings.ghostTitle(found.standing));
    write(about, isGhostThere ? words.same : isSecret ? secret : missing);
    set(play, { hidden: !isGhostThere });
    table.hidden = !isGhostThere;
    if (isGhostThere) rows.replaceChildren(...makeDuel(found));
    set(today, { hidden: !isSecret, href: `/d/${ofDay}` });
    return isSecret ? POLL_MS : 0;
  }

  const { stop } = keepFetching(fetchIt, show);
  return { update() {}, unbind: stop };
}

/** Fetch a computer player's game of a day as a ghost; null if it has not played it. @param {string} cards @param {string} level @returns {Promise<Ghost | null>} */
export async function fetchComputer(cards, level) {
  /** @type {DayComputers} */
  const { computers } = await fetchDocument(`/api/days/${cards}/computers`);
  const game = computers.find((each) => each.level === level);
  return game ? ghostOf({ ...game, end: game.ended_ms }, strings.ghostLevel(game.level)) : null;
}

/** Return the own best game of practice as a ghost. @param {BestCourse} best */
export function ownBest(best) {
  return ghostOf(best, strings.GHOST.best);
}

/** Return a game of which only the course is known as a ghost. @param {BestCourse & {state?: Standing['state']}} game @param {string} name @returns {Ghost} */
function ghostOf({ ms, score, suits, end, won, state = 'FINISHED' }, name) {
  const figures = { place: null, moves: 0, home: 0, face_down: 0, cheats: 0, exceptions: 0 };
  const others = { hints: 0, restored: 0, late_ms: null, gained_ms: 0 };
  return {
    course: { seat: GHOST_SEAT, name, ms, score, suits },
    standing: {
      ...{ ...figures, ...others, seat: GHOST_SEAT, name, won, state, has_acted: true },
      score: score.at(-1) ?? 0,
      suits: suits.at(-1) ?? 0,
      finished_ms: end,
    },
  };
}
