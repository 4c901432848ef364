// The standings of a running race. Its order changes at most once a second, so that players can
// read it.

import { onEmote } from '../chat/emotes.js';
import { reactionSign } from '../chat/reaction-signs.js';
import { GAMES } from '../contract/games.js';
import { isCalm } from '../page/appearance.js';
import { makeThrottle } from '../page/throttle.js';
import { coloursOf } from '../state/seat-colours.js';
import { leadCue } from '../state/sound-cues.js';
import { leader, programSeats, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, restartAnimation, write } from '../widgets/element.js';
import { seatMark, writeName } from '../widgets/marks.js';
import { gap, steps, stripSeats, waysHome } from './standings-rows.js';

/**
 * @import {SeatView, Settings, Standing} from '../contract/messages.d.ts'
 * @import {Programs, State} from '../state/state.js'
 * @import {Colours} from '../state/seat-colours.js'
 * @import {Lead} from './lead.js'
 * @typedef {object} Panel
 * @property {Lead} lead
 * @property {HTMLElement} list
 * @property {readonly Standing[]} latest
 * @property {readonly SeatView[]} seats
 * @property {Programs} programs
 * @property {Colours} colours
 * @property {string[]} order the seats as they are drawn
 * @property {Map<number, Standing>} drawn by seat
 * @property {readonly Standing[]} ordered as they were when the order was drawn last
 * @property {number | undefined} lastLeader the seat
 * @property {ReturnType<typeof setTimeout> | undefined} gainTimer ends the highlights of gains
 * @property {ReturnType<typeof setTimeout> | undefined} stepTimer ends the signs of steps
 * @property {number} me this player's seat, or -1
 * @property {string} game
 * @property {Settings | undefined} settings
 * @property {string} cheatRule what counts as a cheat
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
/** How long the row of a player is highlighted after a completed suit. */
const SUIT_MS = 1_500;

/** Bind the standings. @param {HTMLElement} root @param {Lead} lead shows the leader whenever the standings are drawn */
export function bindStandings(root, lead) {
  /** @type {Panel} */
  const board = {
    lead,
    list: h('ol', { class: 'standings', id: 'standings', 'aria-label': strings.STANDINGS }),
    latest: [],
    seats: [],
    programs: new Map(),
    colours: coloursOf(null),
    order: [],
    drawn: new Map(),
    ordered: [],
    lastLeader: undefined,
    gainTimer: undefined,
    stepTimer: undefined,
    me: -1,
    game: '',
    settings: undefined,
    cheatRule: '',
    throttle: makeThrottle(ORDER_MS, () => drawInOrder(board)),
  };
  root.replaceChildren(board.list);
  const unbindEmotes = onEmote((...emote) => showEmote(board, ...emote));
  return {
    update: (/** @type {State} */ state) => update(board, state),
    unbind() {
      unbindEmotes();
      board.throttle.stop();
      clearTimeout(board.gainTimer);
      clearTimeout(board.stepTimer);
    },
  };
}

/** Draw a state: changed rows at once, a changed order when it is time. @param {Panel} board @param {State} state */
function update(board, state) {
  const seats = state.room?.seats ?? [];
  const me = state.me?.seat ?? -1;
  if (state.standings === board.latest && seats === board.seats && me === board.me) return;
  if (seats !== board.seats) {
    board.programs = programSeats(state.room);
    board.colours = coloursOf(state.room);
  }
  board.latest = state.standings;
  board.seats = seats;
  board.me = me;
  board.game = state.room?.settings.game ?? '';
  board.settings = state.room?.settings;
  board.cheatRule = strings.cheatRule(board.settings?.undo);
  const { latest, order, list } = board;
  const hasNewOrder = latest.some((standing, i) => String(standing.seat) !== order[i]);
  if (latest.length !== order.length) {
    board.throttle.drawNow();
    return;
  }
  for (const standing of latest) {
    const row = list.querySelector(`[data-seat="${standing.seat}"]`);
    if (row instanceof HTMLElement) drawRow(board, row, standing);
  }
  if (hasNewOrder) board.throttle.request();
  else markLeader(board);
}

/** Draw the rows in the order of the standings; they glide to their places. @param {Panel} board */
function drawInOrder(board) {
  const { list, latest, me } = board;
  const calm = isCalm();
  const rows = () => /** @type {Iterable<HTMLElement>} */ (list.children);
  /** @type {Map<HTMLElement, [number, number]>} */
  const before = new Map();
  if (!calm) for (const row of rows()) before.set(row, [row.offsetLeft, row.offsetTop]);
  board.order = latest.map((standing) => String(standing.seat));
  keyed(
    list,
    latest,
    (standing) => String(standing.seat),
    makeRow,
    (row, standing) => drawRow(board, row, standing),
  );
  showSteps(board);
  const near = stripSeats(latest, me);
  for (const row of rows()) row.toggleAttribute('data-near', near.has(Number(row.dataset.seat)));
  markLeader(board);
  for (const [row, [left, top]] of before) {
    if (!row.isConnected) continue;
    const [dx, dy] = [left - row.offsetLeft, top - row.offsetTop];
    if (dx || dy)
      row.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }], GLIDE);
  }
}

/** Show for a while who has gone up, and where this player has gone down to. @param {Panel} board */
function showSteps(board) {
  const { list, latest, me } = board;
  const changed = steps(board.ordered, latest, me);
  board.ordered = latest;
  for (const { seat, place, isUp } of changed) {
    const row = list.querySelector(`[data-seat="${seat}"]`);
    const step = row?.querySelector('[data-part="step"]');
    if (!step) continue;
    write(step, `${isUp ? '▲' : '▼'} ${strings.ordinal(place)}`);
    row?.setAttribute('data-step', isUp ? 'up' : 'down');
  }
  clearTimeout(board.stepTimer);
  board.stepTimer = setTimeout(() => {
    for (const row of list.children) row.removeAttribute('data-step');
  }, STEP_MS);
}

/** Make the row of a player. @param {Standing} standing */
function makeRow(standing) {
  const row = h(
    'li',
    { class: 'mark-tone' },
    h('span', { class: 'standings-place', 'data-part': 'place' }),
    seatMark(''),
    h(
      'span',
      { class: 'standings-name', 'data-part': 'name' },
      h('span', { class: 'standings-who', dir: 'auto' }),
      h('span', { class: 'standings-you' }),
    ),
    h('span', { class: 'standings-points', 'data-part': 'points' }),
    h(
      'span',
      { class: 'standings-bar', 'data-part': 'bar', 'aria-hidden': 'true' },
      h('span', { class: 'standings-home' }),
    ),
    h(
      'span',
      { class: 'standings-turned', 'data-part': 'turned', 'aria-hidden': 'true' },
      h('span', { class: 'standings-up' }),
    ),
    h('span', { class: 'text-cut standings-about', 'data-part': 'about' }),
    h('span', { class: 'standings-suits', 'data-part': 'suits', 'aria-hidden': 'true' }),
    h('span', { class: 'standings-step', 'data-part': 'step', 'aria-hidden': 'true' }),
  );
  row.dataset.seat = String(standing.seat);
  return row;
}

/** Return the line under a name. @param {Panel} board @param {Standing} standing @param {boolean} away */
function aboutLine({ game, latest, programs }, standing, away) {
  const program = programs.get(standing.seat);
  const strength = program ? strings.STRENGTHS[program] : '';
  const state = strings.standingState(standing);
  const progress = strings.progress(standing, !GAMES[game]?.face_down);
  const absent = away ? strings.NOT_THERE : '';
  const helped = standing.stand_in ? strings.STAND_IN : '';
  const hints = standing.hints > 0 ? strings.hintsTaken(standing.hints) : '';
  const cheats = standing.cheats > 0 ? strings.cheats(standing.cheats) : '';
  /** @type {Partial<Record<Standing['state'], string[]>>} */
  const playing = {
    RACING: [strength, helped, absent, gap(standing, latest), hints, cheats, progress],
    CHASING: [helped, absent, state, cheats, progress],
  };
  return (playing[standing.state] ?? [strength, state, helped, cheats]).filter(Boolean).join(' · ');
}

/** Draw the row of a player, and highlight what has changed. @param {Panel} board @param {HTMLElement} row @param {Standing} standing */
function drawRow(board, row, standing) {
  const [place, mark, name, points, bar, turned, about, suits] = row.children;
  const isOwn = standing.seat === board.me;
  const seat = board.seats.find((each) => each.seat === standing.seat);
  const plays = standing.state === 'RACING' || standing.state === 'CHASING';
  const away = plays && !isOwn && seat !== undefined && seat.connection !== 'on';
  row.dataset.state = standing.state;
  row.toggleAttribute('data-own', isOwn);
  row.toggleAttribute('data-won', standing.won);
  row.toggleAttribute('data-away', away);
  if (place) write(place, String(shownPlace(standing) ?? ''));
  const isAlone = board.latest.length < 2;
  const [who, you] = name?.children ?? [];
  const program = standing.stand_in ?? board.programs.get(standing.seat);
  const colour = board.colours(standing.seat);
  row.dataset.colour = colour;
  if (mark instanceof HTMLElement) mark.dataset.colour = colour;
  if (who) writeName(who, standing.name, program);
  if (you) write(you, isOwn && !isAlone ? strings.you('') : '');
  if (points) write(points, String(standing.score));
  if (about instanceof HTMLElement) {
    write(about, aboutLine(board, standing, away));
    about.title = standing.cheats > 0 ? board.cheatRule : '';
  }
  if (suits) write(suits, strings.homeShort(standing, board.game));
  const ways = waysHome(standing, GAMES[board.game]);
  if (bar instanceof HTMLElement) drawBar(bar, ways.home);
  if (bar instanceof HTMLElement) bar.style.setProperty('--notches', String(ways.notches));
  if (turned instanceof HTMLElement) {
    turned.hidden = ways.turned === null;
    drawBar(turned, ways.turned ?? 0);
  }
  const before = board.drawn.get(standing.seat);
  board.drawn.set(standing.seat, standing);
  if (before) highlightChange(board, row, before, standing);
}

/**
 * Highlight a gain, a complete suit or a win.
 * @param {Panel} board
 * @param {HTMLElement} row
 * @param {Standing} before
 * @param {Standing} standing
 */
function highlightChange(board, row, before, standing) {
  if (standing.score > before.score) highlightGain(board, row);
  if (standing.suits > before.suits) highlightSuit(row);
  if (!before.won && standing.won) restartAnimation(row, 'data-arrived');
}

/** Fill a part of a bar. It is scaled, since a change of its width would need a new layout. @param {HTMLElement} bar @param {number} part */
function drawBar({ firstElementChild: filled }, part) {
  if (filled instanceof HTMLElement) filled.style.transform = `scaleX(${part})`;
}

/** Highlight a gain; the highlights of all gains end together. @param {Panel} board @param {HTMLElement} row */
function highlightGain(board, row) {
  row.toggleAttribute('data-gained', true);
  board.gainTimer ||= setTimeout(() => {
    board.gainTimer = undefined;
    for (const each of board.list.children) each.removeAttribute('data-gained');
  }, FLASH_MS);
}

/** Highlight a complete suit for a while. @param {HTMLElement} row */
function highlightSuit(row) {
  row.toggleAttribute('data-suit-home', true);
  setTimeout(() => row.removeAttribute('data-suit-home'), SUIT_MS);
}

/** Show an emote on the row of its sender for a while. @param {Panel} board @param {number} seat @param {string} emote @param {string} text */
function showEmote({ list }, seat, emote, text) {
  const row = list.querySelector(`[data-seat="${seat}"]`);
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

/** Mark the leader, and highlight a new one and a player who has lost the lead; the first leader of a race is not highlighted. @param {Panel} board */
function markLeader(board) {
  const { list, latest, lastLeader, me } = board;
  const leading = leader(latest);
  const cue = latest.length > 1 ? leadCue(lastLeader, leading?.seat, me) : null;
  for (const row of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    const leads = row.dataset.seat === String(leading?.seat);
    row.toggleAttribute('data-leads', leads && (leading?.score ?? 0) > 0);
    if (cue && leads) restartAnimation(row, 'data-ahead');
    else if (!leads) row.removeAttribute('data-ahead'); // a row that is shown again would start it again
    if (cue === 'behind' && row.hasAttribute('data-own')) restartAnimation(row, 'data-behind');
  }
  if (leading) board.lastLeader = leading.seat;
  board.lead.show(latest, me, board.colours, board.settings, cue);
}
