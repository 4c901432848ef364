// The standings of a running race. A changed row is drawn at once. The order changes at most once a second, so that
// players can read it.

import { onEmote, reactionSign } from '../chat/chat.js';
import { GAMES } from '../contract/protocol.js';
import { isCalm } from '../page/looks.js';
import {
  coloursOf,
  isGhostSeat,
  isPlaying,
  leader,
  NOTHING,
  programSeats,
  shownPlace,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, endLater, h, keyed, makeThrottle, set } from '../widgets/element.js';
import { keyOfSeat, seatMark, writeName } from '../widgets/names.js';

/**
 * @import {Game} from '../contract/protocol.js'
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {RaceEvent} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof makeStandings>} Standings
 * @typedef {ReturnType<ReturnType<typeof factsOf>>} Facts what the row and the board of a player show
 */

const ORDER_MS = 1_000; // change the order at most this often
export const GLIDE = { duration: 230, easing: 'ease-out' };
const EMOTE_MS = 2_500; // how long an emote is shown on the row of its sender
const STEP_MS = 6_000; // how long a change of place is shown
const SUIT_MS = 1_800; // how long a row lights up for another complete suit or for the lead
const CARD_NOTCHES = 8; // the notches of the bar in games that count single cards, not suits
const LONG_NAME = 10; // names with more letters than this take two lines
const STRIP_PLACES = 4; // phones show only this many players, in a strip

/**
 * Return how many points a player is behind the leader (`−50`), or the leader is ahead of the next player (`+50`).
 * Returns '' if they are level, the leader has won, or the player's game is over.
 * @param {Standing} standing @param {readonly Standing[]} standings best first
 */
export function gap(standing, standings) {
  const [first, second] = standings;
  if (!first || first.won || standing.state !== 'RACING') return '';
  if (standing !== first)
    return standing.score < first.score ? `−${first.score - standing.score}` : '';
  const ahead = second && second.place !== null ? first.score - second.score : 0; // null: a latecomer
  return ahead > 0 ? `+${ahead}` : '';
}

/**
 * Return the seats that the strip on phones shows: the leader, this player, and the players next to them.
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} at most `STRIP_PLACES`
 */
export function stripSeats(standings, me) {
  const mine = standings.findIndex(({ seat }) => seat === me);
  // The first and the last player get more neighbours from their other side. The leader, at 0, is always in the strip.
  const from = Math.max(1, Math.min(mine - 1, standings.length - STRIP_PLACES + 1));
  const seats = [...standings.slice(0, 1), ...standings.slice(from, from + STRIP_PLACES - 1)];
  return new Set(seats.map(({ seat }) => seat));
}

/**
 * Return how far a player has come.
 * @param {Pick<Standing, 'suits' | 'home' | 'face_down'>} standing
 * @param {Game | undefined} game undefined for one that this page does not know
 * @returns {{home: number, notches: number, turned: number | null}} `home`: the share of suits or cards on the
 *   foundations. `turned`: the share of face-down cards turned up, if any. `notches`: the number of parts of the bar
 */
export function progress({ suits, home, face_down: hidden }, game) {
  if (!game) return { home: 0, notches: 1, turned: null };
  const inSuits = game.goal === 'suits';
  return {
    home: inSuits ? suits / game.foundations : home / game.cards,
    notches: inSuits ? game.foundations : 1,
    turned: game.face_down > 0 ? Math.max(0, 1 - hidden / game.face_down) : null,
  };
}

/** Return whether a player has made progress between two standings. @param {Standing} before @param {Standing} after */
const hasGained = (before, after) =>
  after.score > before.score || after.home > before.home || after.face_down < before.face_down;

/**
 * Return the changes of place to show: of players who have passed somebody, and of this player if they lost places.
 * Players who only move up because somebody fell back have passed nobody.
 * @param {readonly Standing[]} before @param {readonly Standing[]} after
 * @param {number} me this player's seat, or -1
 * @returns {{seat: number, place: number, isUp: boolean, by: number}[]} `by`: the number of places
 */
export function placeChanges(before, after, me) {
  const earlier = new Map(before.map((standing) => [standing.seat, standing]));
  return after.flatMap((standing) => {
    const { seat } = standing;
    const place = shownPlace(standing);
    const old = earlier.get(seat);
    if (!old?.place || !place || old.place === place) return [];
    const isUp = place < old.place; // 1 is the best place
    const isShown = isUp ? hasGained(old, standing) : seat === me;
    return isShown ? [{ seat, place, isUp, by: Math.abs(place - old.place) }] : [];
  });
}

/**
 * Make a change, and let the children of an element glide to their new places and widths. If their width changes, they
 * must have `transform-origin: 0 0` in their style sheet.
 * @param {Element} parent @param {() => void} change
 */
export function glideThrough({ children }, change) {
  const moving = isCalm() ? [] : [...children];
  const before = moving.map((element) => ({ element, old: element.getBoundingClientRect() }));
  change();
  // Measure all of them before the first one moves, so that the browser lays out the page only once.
  const after = before.map((each) => ({ ...each, rect: each.element.getBoundingClientRect() }));
  for (const { element, old, rect } of after) {
    const { left, top, width } = rect;
    if (old.width === 0 || width === 0) continue; // not shown
    const dx = old.left - left;
    const dy = old.top - top;
    const scale = old.width / width;
    const transform = `translate(${dx}px,${dy}px) scale(${scale})`;
    if (dx || dy || scale !== 1) element.animate([{ transform }, { transform: 'none' }], GLIDE);
  }
}

/** Make the list of the standings, with the state that it shows. */
const makeStandings = () => ({
  list: h('ol', { class: 'standings', id: 'standings', 'aria-label': strings.STANDINGS }),
  state: /** @type {State} */ (NOTHING), // the latest state
  /** The standings in the order of the rows on the screen. @type {readonly Standing[]} */
  drawnOrder: [],
});

/** @param {Standings} standings @param {number} seat */
const rowOf = ({ list }, seat) =>
  /** @type {HTMLElement | null} */ (list.querySelector(`[data-seat="${seat}"]`));

/** Draw all rows in their new order, and show the changes of place. @param {Standings} shown */
function drawInOrder(shown) {
  const { list, state, drawnOrder } = shown;
  const { standings, me } = state;
  const own = me?.seat ?? -1;
  const inStrip = stripSeats(standings, own);
  const facts = factsOf(state);
  glideThrough(list, () =>
    keyed(list, standings, keyOfSeat, makeRow, (row, standing) => {
      drawRow(row, standing, state, facts(standing));
      set(row, { 'data-near': inStrip.has(standing.seat) });
    }),
  );
  const leading = leader(standings)?.seat;
  for (const { seat, isUp, by } of placeChanges(drawnOrder, standings, own)) {
    const row = rowOf(shown, seat);
    const takesLead = isUp && seat === leading;
    const step = `${isUp ? '▲' : '▼'} ${takesLead ? strings.LANDING.leads : by}`;
    if (!row) continue;
    if (takesLead) showFor(SUIT_MS, row, 'data-suit', true);
    set(row, { '--step': JSON.stringify(step), '--way': JSON.stringify(isUp ? '▲' : '▼') }); // quoted CSS strings
    showFor(STEP_MS, row, 'data-step', step);
  }
  shown.drawnOrder = standings;
}

/**
 * Draw the rows that have changed since a state, without changing their order.
 * @param {Standings} shown @param {State} before
 * @param {boolean} hasSameSeats whether the room's seats are the same; if not, every row is drawn
 */
function drawChanges(shown, { standings: before }, hasSameSeats) {
  const { state } = shown;
  const { standings } = state;
  const facts = factsOf(state);
  const mayBeSame = hasSameSeats && leader(before)?.seat === leader(standings)?.seat;
  const drawnBefore = new Set(mayBeSame ? before : []);
  for (const standing of standings) {
    // A standing that hasn't changed is the same object in both states.
    if (drawnBefore.has(standing) && gap(standing, before) === gap(standing, standings)) continue;
    const row = rowOf(shown, standing.seat);
    if (row) drawRow(row, standing, state, facts(standing));
  }
}

/** Show a quick reaction for a while. @param {HTMLElement | null} row @param {string} emote @param {string} text */
function showEmote(row, emote, text) {
  row?.querySelector('.standings-emote')?.remove();
  const looks = { class: 'pill standings-emote', 'data-part': 'emote', 'aria-hidden': 'true' };
  const bubble = h('span', looks, reactionSign(emote), h('span', { class: 'text-cut', text }));
  row?.append(bubble);
  setTimeout(() => bubble.remove(), EMOTE_MS);
}

export function bindStandings() {
  const shown = makeStandings();
  const throttle = makeThrottle(ORDER_MS, () => drawInOrder(shown));
  const unbindEmotes = onEmote((seat, emote, text) => showEmote(rowOf(shown, seat), emote, text));
  return {
    element: shown.list,
    /** Draw changed rows at once, and a changed order later. @param {State} state */
    update(state) {
      const { state: before, drawnOrder } = shown;
      const { standings, room, me } = state;
      // Rows also show the colours and connections of the seats.
      const hasSameSeats = room?.seats === before.room?.seats && me?.seat === before.me?.seat;
      if (hasSameSeats && standings === before.standings) return;
      shown.state = state;
      if (standings.length !== drawnOrder.length) return throttle.runNow(); // a row comes or goes at once
      drawChanges(shown, before, hasSameSeats);
      if (standings.some(({ seat }, i) => seat !== drawnOrder[i]?.seat)) throttle.request();
    },
    /** Light up the rows of players who have completed another suit. @param {readonly RaceEvent[]} events */
    showEvents(events) {
      for (const { kind, standing } of events) {
        const hasSuit = standing && ['suit', 'finish', 'photo'].includes(kind); // a win too
        const row = hasSuit && rowOf(shown, standing.seat);
        if (row) showFor(SUIT_MS, row, 'data-suit', true);
      }
    },
    unbind: callAll(unbindEmotes, throttle.stop),
  };
}

/** @param {number} ms @param {HTMLElement} element @param {string} name of an attribute @param {string | true} value */
function showFor(ms, element, name, value) {
  set(element, { [name]: value });
  endLater(element, name, ms, () => element.removeAttribute(name));
}

/** @type {WeakMap<HTMLElement, ReturnType<typeof makeParts>>} */
const PARTS_BY_ROW = new WeakMap();

/** Make those parts of a player's row that change. */
const makeParts = () => ({
  place: h('span', { class: 'standings-place', 'data-part': 'place' }),
  mark: seatMark(''),
  name: h('span', { dir: 'auto' }),
  you: h('span', { class: 'standings-you' }),
  points: h('span', { class: 'standings-points', 'data-part': 'points' }),
  bar: h('span', { class: 'notches standings-bar', 'data-part': 'bar', role: 'img' }),
  turned: h('span', { class: 'standings-turned', 'data-part': 'turned', 'aria-hidden': 'true' }), // see `drawRow`
  about: h('span', { class: 'text-note text-cut standings-about', 'data-part': 'about' }),
  level: h('span', { class: 'text-spoken' }), // this and the next two are in `about`
  gist: h('span'),
  rest: h('span', { class: 'standings-rest' }),
});

/** @param {Standing} standing */
function makeRow({ seat }) {
  const parts = makeParts();
  const { place, mark, name, you, points, bar, turned, about, level, gist, rest } = parts;
  about.append(level, gist, rest);
  const row = h('li', { 'data-seat': seat });
  const who = h('span', { class: 'standings-name', 'data-part': 'name' }, name, you);
  row.append(place, ' ', mark, who, ' ', points, ' ', bar, turned, about);
  PARTS_BY_ROW.set(row, parts);
  return row;
}

/** Return the function that describes a player's row and board; styles use its `looks`. @param {State} state */
export function factsOf({ standings, room, me }) {
  const programs = programSeats(room);
  const colours = coloursOf(room);
  const leadingSeat = leader(standings)?.seat;
  const game = GAMES[room?.settings.game ?? ''];

  return (/** @type {Standing} */ standing) => {
    const { seat, state, won } = standing;
    const isOwn = seat === me?.seat;
    const connection = room?.seats.find((each) => each.seat === seat)?.connection ?? 'on';
    const isAway = isPlaying(standing) && !isOwn && connection !== 'on';
    const colour = colours(seat);
    const ofSeat = { 'data-state': state, 'data-colour': colour, 'data-won': won };
    const ofRace = { 'data-own': isOwn, 'data-leads': seat === leadingSeat, 'data-away': isAway };
    const looks = { ...ofSeat, ...ofRace, 'data-ghost': isGhostSeat(seat) };
    const countsCards = !game?.face_down; // counts cards on the foundations, not face-down cards
    return { looks, isOwn, isAway, colour, program: programs.get(seat), game, countsCards };
  };
}

/** Light up a share of a bar. @param {HTMLElement} bar @param {number} share 0 to 1 @param {number} count of notches */
function drawNotches(bar, share, count) {
  if (bar.childElementCount !== count)
    bar.replaceChildren(...Array.from({ length: count }, () => h('i')));
  set(bar, { '--notches': count });
  for (const [i, notch] of [...bar.children].entries())
    set(notch, { 'data-on': i + 1 <= share * count });
}

/** @param {HTMLElement} row @param {Standing} standing @param {State} state @param {Facts} facts */
function drawRow(row, standing, { standings, room }, facts) {
  const parts = PARTS_BY_ROW.get(row);
  if (!parts) return;
  const { name, score, cheats } = standing;
  const { looks, isOwn, isAway, colour, program, game, countsCards } = facts;
  const { home, notches, turned } = progress(standing, game);
  // The style sheet draws the way to the flag: one half for cards turned up, the other for cards brought home.
  set(row, { ...looks, '--home': home, '--turned': turned ?? home });
  drawNotches(parts.bar, home, notches > 1 ? notches : CARD_NOTCHES);
  set(parts.bar, { 'aria-label': strings.suitsHome(standing.suits, game?.foundations ?? 0) });
  set(parts.place, { text: shownPlace(standing) });
  set(parts.mark, { 'data-colour': colour });
  writeName(parts.name, name, standing.stand_in ?? program);
  set(row, { 'data-long': name.length > LONG_NAME });
  const withYou = strings.you(name); // the name, followed by "you"
  const isMarked = isOwn && standings.length > 1;
  set(parts.you, { text: isMarked ? withYou.slice(name.length) : '' });
  const inSuits = game?.goal === 'suits';
  set(parts.points, { text: score, 'data-suits': inSuits && `${standing.suits}/${notches}` });
  const gist = aboutLine(standing, gap(standing, standings), isAway);
  // The bar shows the suits already.
  const rest = isPlaying(standing) ? strings.progress({ ...standing, suits: 0 }, countsCards) : '';
  set(parts.about, { title: cheats > 0 && strings.cheatRule(room?.settings.undo) });
  set(parts.level, { text: program ? `${strings.STRENGTHS[program]} · ` : '' });
  set(parts.gist, { text: gist });
  set(parts.rest, { text: gist && rest ? ` · ${rest}` : rest });
}

/**
 * Return the first part of the line below a name. The second part, the progress, is hidden during a change of place.
 * @param {Standing} standing
 * @param {string} distance as `gap` returns it
 * @param {boolean} isAway whether the player has lost their connection
 */
const aboutLine = (standing, distance, isAway) =>
  [
    standing.stand_in && strings.STAND_IN,
    isAway && strings.NOT_THERE,
    strings.standingState(standing),
    strings.distance(distance),
    standing.state === 'RACING' && standing.hints > 0 && strings.hintsTaken(standing.hints),
    standing.cheats > 0 && strings.cheats(standing.cheats),
  ]
    .filter(Boolean)
    .join(' · ');
