// The standings of a running race. A changed row is drawn at once; its order changes at most once a
// second, so that players can read it. The pure functions say what the rows show.

import { onEmote, reactionSign } from '../chat/chat.js';
import { GAMES } from '../contract/games.js';
import { isCalm } from '../page/appearance.js';
import { coloursOf, isPlaying, leader, NOTHING, programSeats, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { seatMark, writeName } from '../widgets/controls.js';
import { h, keyed, makeThrottle, set } from '../widgets/element.js';

/**
 * @import {Game} from '../contract/games.js'
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {Program, State} from '../state/state.js'
 * @typedef {object} Row
 * @property {ReturnType<typeof makeParts>} parts the elements of the row that change
 * @property {string} facts what the row shows
 * @property {number | null} score that the row shows
 * @typedef {object} Panel
 * @property {HTMLElement} list
 * @property {State} state the latest one
 * @property {readonly Standing[]} ordered as they were when the order was drawn last
 * @property {ReturnType<typeof setTimeout> | undefined} gainTimer ends the highlights of gains
 * @property {ReturnType<typeof setTimeout> | undefined} stepTimer ends the signs of steps
 * @property {ReturnType<typeof makeThrottle>} throttle of the order
 */

/** The least time between two changes of the order. */
const ORDER_MS = 1_000;
const GLIDE = { duration: 230, easing: 'ease-out' };
/** The time for which a gain is highlighted, without a transition: each frame of it would be painted. */
const FLASH_MS = 500;
/** How long an emote is shown on the row of its sender. */
const EMOTE_MS = 2_500;
/** How long a step to another place is shown. */
const STEP_MS = 1_800;
/** The places of the standings that fit in a row on a phone. */
const STRIP_PLACES = 4;

/**
 * Return the points by which a player is behind the leader, or the leader is ahead: `−50`, `+50`, or
 * ''. Places can depend on more than points; then there is no gap.
 * @param {Standing} standing
 * @param {readonly Standing[]} standings best first
 */
export function gap(standing, standings) {
  const [first, second] = standings;
  if (!first || first.won || standing.state !== 'RACING') return '';
  if (standing !== first)
    return standing.score < first.score ? `−${first.score - standing.score}` : '';
  const ahead = second && second.place !== null ? first.score - second.score : 0;
  return ahead > 0 ? `+${ahead}` : '';
}

/**
 * Return the seats in the row of a phone: the leader, this player, and the players next above and
 * below.
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} at most four
 */
export function stripSeats(standings, me) {
  const mine = standings.findIndex(({ seat }) => seat === me);
  // At an end of the list the row is filled up with players of the other side.
  const from = Math.max(1, Math.min(mine - 1, standings.length - STRIP_PLACES + 1));
  const seats = [...standings.slice(0, 1), ...standings.slice(from, from + STRIP_PLACES - 1)];
  return new Set(seats.map(({ seat }) => seat));
}

/**
 * Return how far a player is: the part of the suits, or of the cards, that are home, and the part of the
 * cards that have been turned up, or null if all cards of the game begin face up.
 * @param {Pick<Standing, 'suits' | 'home' | 'face_down'>} standing
 * @param {Game | undefined} game undefined for one that this page does not know
 * @returns {{home: number, notches: number, turned: number | null}} `notches` are the parts of the bar
 */
export function waysHome({ suits, home, face_down: hidden }, game) {
  if (!game) return { home: 0, notches: 1, turned: null };
  const inSuits = game.goal === 'suits';
  return {
    home: inSuits ? suits / game.foundations : home / game.cards,
    notches: inSuits ? game.foundations : 1,
    turned: game.face_down > 0 ? Math.max(0, 1 - hidden / game.face_down) : null,
  };
}

/** Return whether a player has come farther in the own game. @param {Standing} before @param {Standing} after */
const hasGained = (before, after) =>
  after.score > before.score || after.home > before.home || after.face_down < before.face_down;

/**
 * Return who has passed somebody since the order was drawn last, and this player if it has gone down.
 * Players who only take the place of one who falls back have passed nobody.
 * @param {readonly Standing[]} before
 * @param {readonly Standing[]} after
 * @param {number} me this player's seat, or -1
 * @returns {{seat: number, place: number, isUp: boolean}[]}
 */
export function steps(before, after, me) {
  const earlier = new Map(before.map((standing) => [standing.seat, standing]));
  return after.flatMap((standing) => {
    const { seat, place } = standing;
    const old = earlier.get(seat);
    if (!old?.place || !place || old.place === place) return [];
    const isUp = place < old.place;
    const isShown = isUp ? hasGained(old, standing) : seat === me;
    return isShown ? [{ seat, place, isUp }] : [];
  });
}

/** Bind the standings. @param {HTMLElement} root */
export function bindStandings(root) {
  /** @type {Panel} */
  const panel = {
    list: h('ol', { class: 'standings', id: 'standings', 'aria-label': strings.STANDINGS }),
    state: NOTHING,
    ordered: [],
    gainTimer: undefined,
    stepTimer: undefined,
    throttle: makeThrottle(ORDER_MS, () => drawInOrder(panel)),
  };
  root.replaceChildren(panel.list);
  const unbindEmotes = onEmote((...emote) => showEmote(panel, ...emote));
  return {
    update: (/** @type {State} */ state) => update(panel, state),
    unbind() {
      unbindEmotes();
      panel.throttle.stop();
      clearTimeout(panel.gainTimer);
      clearTimeout(panel.stepTimer);
    },
  };
}

/** Return the row of a player. @param {Panel} panel @param {number} seat */
const rowOf = ({ list }, seat) =>
  /** @type {HTMLElement | null} */ (list.querySelector(`[data-seat="${seat}"]`));

/** Draw a state: changed rows at once, a changed order when it is time. @param {Panel} panel @param {State} state */
function update(panel, state) {
  const old = panel.state;
  panel.state = state;
  const isKnown = state.room?.seats === old.room?.seats && state.me?.seat === old.me?.seat;
  if (isKnown && state.standings === old.standings) return;
  const { standings } = state;
  if (standings.length !== panel.ordered.length) {
    panel.throttle.drawNow();
    return;
  }
  const draw = rowDrawer(panel);
  for (const standing of standings) {
    const row = rowOf(panel, standing.seat);
    if (row) draw(row, standing);
  }
  if (standings.some(({ seat }, i) => seat !== panel.ordered[i]?.seat)) panel.throttle.request();
}

/** Draw the rows in the order of the standings; they glide to their places. @param {Panel} panel */
function drawInOrder(panel) {
  const { list, state } = panel;
  const { standings } = state;
  const me = state.me?.seat ?? -1;
  const glides = !isCalm();
  const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
  /** @type {[HTMLElement, number, number][]} */
  const before = glides ? rows().map((row) => [row, row.offsetLeft, row.offsetTop]) : [];
  const near = stripSeats(standings, me);
  const draw = rowDrawer(panel);
  const keyOf = (/** @type {Standing} */ { seat }) => String(seat);
  keyed(list, standings, keyOf, makeRow, (row, standing) => {
    draw(row, standing);
    set(row, { 'data-near': near.has(standing.seat) });
  });
  showSteps(panel, steps(panel.ordered, standings, me));
  panel.ordered = standings;
  for (const [row, left, top] of before) {
    if (!row.isConnected) continue;
    const [dx, dy] = [left - row.offsetLeft, top - row.offsetTop];
    if (dx || dy)
      row.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }], GLIDE);
  }
}

/** Show for a while who has gone up, and where this player has gone down to. @param {Panel} panel @param {ReturnType<typeof steps>} changed */
function showSteps(panel, changed) {
  for (const { seat, place, isUp } of changed) {
    const row = rowOf(panel, seat);
    const drawn = row && ROWS.get(row);
    if (!drawn) continue;
    set(row, { 'data-step': isUp ? 'up' : 'down' });
    set(drawn.parts.step, { text: `${isUp ? '▲' : '▼'} ${strings.ordinal(place)}` });
  }
  clearTimeout(panel.stepTimer);
  panel.stepTimer = setTimeout(() => {
    for (const row of panel.list.children) row.removeAttribute('data-step');
  }, STEP_MS);
}

/** The rows by their elements. @type {WeakMap<HTMLElement, Row>} */
const ROWS = new WeakMap();

/** Make the parts of a row that change. */
const makeParts = () => ({
  place: h('span', { class: 'standings-place', 'data-part': 'place' }),
  mark: seatMark(''),
  who: h('span', { class: 'standings-who', dir: 'auto' }),
  you: h('span', { class: 'standings-you' }),
  points: h('span', { class: 'standings-points', 'data-part': 'points' }),
  home: h('span', { class: 'standings-home' }),
  turned: h('span', { class: 'standings-turned', 'data-part': 'turned', 'aria-hidden': 'true' }),
  up: h('span', { class: 'standings-up' }),
  about: h('span', { class: 'text-cut standings-about', 'data-part': 'about' }),
  suits: h('span', { class: 'standings-suits', 'data-part': 'suits', 'aria-hidden': 'true' }),
  step: h('span', { class: 'standings-step', 'data-part': 'step', 'aria-hidden': 'true' }),
});

/** Make the row of a player. @param {Standing} standing */
function makeRow({ seat }) {
  const parts = makeParts();
  const { place, mark, who, you, points, home, turned, up, about, suits, step } = parts;
  turned.append(up);
  const row = h(
    'li',
    { class: 'mark-tone', 'data-seat': seat },
    place,
    mark,
    h('span', { class: 'standings-name', 'data-part': 'name' }, who, you),
    points,
    h('span', { class: 'standings-bar', 'data-part': 'bar', 'aria-hidden': 'true' }, home),
    ...[turned, about, suits, step],
  );
  ROWS.set(row, { parts, facts: '', score: null });
  return row;
}

/** Return the function that draws a row from the latest state, and highlights a gain; without a change it writes nothing. @param {Panel} panel */
function rowDrawer(panel) {
  const { standings, room, me } = panel.state;
  const programs = programSeats(room);
  const colours = coloursOf(room);
  const leadingSeat = leader(standings)?.seat;
  const gameName = room?.settings.game ?? '';
  const game = GAMES[gameName];
  const cheatRule = strings.cheatRule(room?.settings.undo);

  return (/** @type {HTMLElement} */ row, /** @type {Standing} */ standing) => {
    const { seat, name, state, won, score, cheats } = standing;
    const isOwn = seat === me?.seat;
    const connection = room?.seats.find((each) => each.seat === seat)?.connection ?? 'on';
    const isAway = isPlaying(standing) && !isOwn && connection !== 'on';
    const program = standing.stand_in ?? programs.get(seat);
    const colour = colours(seat);
    const { home, notches, turned } = waysHome(standing, game);
    const ofRow = {
      'data-state': state,
      'data-colour': colour,
      'data-own': isOwn,
      'data-won': won,
      'data-leads': seat === leadingSeat,
      'data-away': isAway,
      '--notches': notches,
      '--home': home,
      '--turned': turned ?? 0,
    };
    const texts = {
      place: String(shownPlace(standing) ?? ''),
      you: isOwn && standings.length > 1 ? strings.you('') : '',
      points: String(score),
      about: aboutLine(standing, standings, programs.get(seat), isAway, !game?.face_down),
      suits: game ? strings.homeShort(standing, gameName) : '',
    };
    const facts = JSON.stringify([ofRow, texts, name, program, turned]);
    const drawn = ROWS.get(row);
    if (!drawn || drawn.facts === facts) return;
    const { parts, score: oldScore } = drawn;
    ROWS.set(row, { parts, facts, score });
    set(row, ofRow);
    set(parts.mark, { 'data-colour': colour });
    set(parts.turned, { hidden: turned === null });
    set(parts.about, { title: cheats > 0 ? cheatRule : null });
    writeName(parts.who, name, program);
    for (const [part, text] of Object.entries(texts))
      set(parts[/** @type {keyof typeof texts} */ (part)], { text });
    if (oldScore !== null && score > oldScore) highlightGain(panel, row);
  };
}

/**
 * Return the line under a name.
 * @param {Standing} standing
 * @param {readonly Standing[]} standings best first
 * @param {Program | undefined} program
 * @param {boolean} isAway
 * @param {boolean} isOpen whether all cards of the game begin face up
 */
function aboutLine(standing, standings, program, isAway, isOpen) {
  const strength = program ? strings.STRENGTHS[program] : '';
  const state = strings.standingState(standing);
  const progress = strings.progress(standing, isOpen);
  const absent = isAway ? strings.NOT_THERE : '';
  const helped = standing.stand_in ? strings.STAND_IN : '';
  const hints = standing.hints > 0 ? strings.hintsTaken(standing.hints) : '';
  const cheats = standing.cheats > 0 ? strings.cheats(standing.cheats) : '';
  /** @type {Partial<Record<Standing['state'], string[]>>} */
  const playing = {
    RACING: [strength, helped, absent, gap(standing, standings), hints, cheats, progress],
    CHASING: [helped, absent, state, cheats, progress],
  };
  return (playing[standing.state] ?? [strength, state, helped, cheats]).filter(Boolean).join(' · ');
}

/** Highlight a gain; the highlights of all gains end together. @param {Panel} panel @param {HTMLElement} row */
function highlightGain(panel, row) {
  set(row, { 'data-gained': true });
  panel.gainTimer ||= setTimeout(() => {
    panel.gainTimer = undefined;
    for (const each of panel.list.children) each.removeAttribute('data-gained');
  }, FLASH_MS);
}

/** Show an emote on the row of its sender for a while. @param {Panel} panel @param {number} seat @param {string} emote @param {string} text */
function showEmote(panel, seat, emote, text) {
  const row = rowOf(panel, seat);
  row?.querySelector('.standings-emote')?.remove();
  const bubble = h(
    'span',
    { class: 'standings-emote', 'data-part': 'emote', 'aria-hidden': 'true' },
    reactionSign(emote),
    h('span', { class: 'text-cut', text }),
  );
  row?.append(bubble);
  setTimeout(() => bubble.remove(), EMOTE_MS);
}
