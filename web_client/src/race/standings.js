// The leaderboard of a running race. Its order changes at most once a second, so that players can
// read it.

import { strings } from '../core/language.js';
import { leader } from '../core/reducer.js';
import { makeThrottle } from '../core/throttle.js';
import { isCalm } from '../shared/appearance.js';
import { h, keyed, restartAnimation, write } from '../shared/element.js';
import { onEmote } from '../shared/emotes.js';
import { loadPart } from '../shared/lazy-part.js';
import { cardsOf, gap, hasFaceDown, stripSeats } from './places.js';

/**
 * @import {SeatView, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Leaderboard
 * @property {HTMLElement} list
 * @property {readonly Standing[]} latest
 * @property {readonly SeatView[]} seats
 * @property {string[]} order the seats as they are drawn
 * @property {Map<number, Standing>} drawn by seat
 * @property {number | undefined} lastLeader the seat
 * @property {ReturnType<typeof setTimeout> | undefined} gainTimer ends the highlights of gains
 * @property {number} me this player's seat, or -1
 * @property {string} round its room and number
 * @property {string} game
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
/** How long the row of a player is highlighted after a completed suit. */
const SUIT_MS = 1_500;

/** Bind the leaderboard. @param {HTMLElement} root */
export function bindStandings(root) {
  /** @type {Leaderboard} */
  const board = {
    list: h('ol', { id: 'standings', 'aria-label': strings.STANDINGS }),
    latest: [],
    seats: [],
    order: [],
    drawn: new Map(),
    lastLeader: undefined,
    gainTimer: undefined,
    me: -1,
    round: '',
    game: '',
    cheatRule: '',
    throttle: makeThrottle(ORDER_MS, () => drawInOrder(board)),
  };
  root.replaceChildren(board.list);
  const unbindEmotes = onEmote((seat, text) => showEmote(board, seat, text));
  return {
    update: (/** @type {State} */ state) => update(board, state),
    unbind() {
      unbindEmotes();
      board.throttle.stop();
      clearTimeout(board.gainTimer);
    },
  };
}

/** Draw a state: changed rows at once, a changed order when it is time. @param {Leaderboard} board @param {State} state */
function update(board, state) {
  const seats = state.room?.seats ?? [];
  const me = state.me?.seat ?? -1;
  if (state.standings === board.latest && seats === board.seats && me === board.me) return;
  board.latest = state.standings;
  board.seats = seats;
  board.me = me;
  board.round = `${state.room?.code}/${state.room?.round?.n}`;
  board.game = state.room?.settings.game ?? '';
  board.cheatRule = strings.cheatRule(state.room?.settings.undo);
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

/** Draw the rows in the order of the standings; they glide to their places. @param {Leaderboard} board */
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
  const near = stripSeats(latest, me);
  for (const row of rows())
    row.classList.toggle('standing-near', near.has(Number(row.dataset.seat)));
  markLeader(board);
  for (const [row, [left, top]] of before) {
    if (!row.isConnected) continue;
    const [dx, dy] = [left - row.offsetLeft, top - row.offsetTop];
    if (dx || dy)
      row.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }], GLIDE);
  }
}

/** Make the row of a player. @param {Standing} standing */
function makeRow(standing) {
  const row = h(
    'li',
    {},
    h('span', { class: 'standing-place', 'data-part': 'place' }),
    h(
      'span',
      { class: 'standing-name', 'data-part': 'name' },
      h('span', { class: 'standing-who' }),
      h('span', { class: 'standing-you' }),
    ),
    h('span', { class: 'standing-points', 'data-part': 'points' }),
    h(
      'span',
      { class: 'standing-bar', 'data-part': 'bar', 'aria-hidden': 'true' },
      h('span', { class: 'standing-home' }),
      h('span', { class: 'standing-hidden' }),
    ),
    h('span', { class: 'standing-about', 'data-part': 'about' }),
    h('span', { class: 'standing-suits', 'data-part': 'suits', 'aria-hidden': 'true' }),
  );
  row.dataset.seat = String(standing.seat);
  return row;
}

/** Return the line under a name. @param {Leaderboard} board @param {Standing} standing @param {boolean} away */
function aboutLine({ game, latest }, standing, away) {
  const state = strings.standingState(standing);
  const progress = strings.progress(standing, !hasFaceDown(game));
  const absent = away ? strings.NOT_THERE : '';
  const hints = standing.hints > 0 ? strings.hintsTaken(standing.hints) : '';
  const cheats = standing.cheats > 0 ? strings.cheats(standing.cheats) : '';
  /** @type {Partial<Record<Standing['state'], string[]>>} */
  const playing = {
    RACING: [absent, gap(standing, latest), hints, cheats, progress],
    CHASING: [absent, state, cheats, progress],
  };
  return (playing[standing.state] ?? [state, cheats]).filter(Boolean).join(' · ');
}

/** Draw the row of a player, and highlight what has changed. @param {Leaderboard} board @param {HTMLElement} row @param {Standing} standing */
function drawRow(board, row, standing) {
  const [place, name, points, bar, about, suits] = row.children;
  const isOwn = standing.seat === board.me;
  const seat = board.seats.find((each) => each.seat === standing.seat);
  const plays = standing.state === 'RACING' || standing.state === 'CHASING';
  const away = plays && !isOwn && seat !== undefined && seat.connection !== 'on';
  row.dataset.state = standing.state;
  row.toggleAttribute('data-own', isOwn);
  row.classList.toggle('standing-won', standing.won);
  row.classList.toggle('standing-away', away);
  if (place) write(place, String(standing.place ?? ''));
  const isAlone = board.latest.length < 2;
  const [who, you] = name?.children ?? [];
  if (who) write(who, standing.name);
  if (you) write(you, isOwn && !isAlone ? strings.you('') : '');
  if (points) write(points, String(standing.score));
  if (about instanceof HTMLElement) {
    write(about, aboutLine(board, standing, away));
    about.title = standing.cheats > 0 ? board.cheatRule : '';
  }
  if (suits) write(suits, strings.homeShort(standing, board.game));
  const [home, hidden] = bar?.children ?? [];
  const cards = cardsOf(board.game);
  // The bars are scaled, since a change of their width would need a new layout.
  if (home instanceof HTMLElement) home.style.transform = `scaleX(${standing.home / cards})`;
  if (hidden instanceof HTMLElement)
    hidden.style.transform = `scaleX(${standing.face_down / cards})`;
  const before = board.drawn.get(standing.seat);
  board.drawn.set(standing.seat, standing);
  if (before) highlightChange(board, row, before, standing);
}

/** Highlight a gain, a complete suit or a win, and celebrate this player's own win. @param {Leaderboard} board @param {HTMLElement} row @param {Standing} before @param {Standing} standing */
function highlightChange(board, row, before, standing) {
  if (standing.score > before.score) highlightGain(board, row);
  if (standing.suits > before.suits) addClassFor(row, 'standing-suit', SUIT_MS);
  if (before.won || !standing.won) return;
  restartAnimation(row, 'standing-arrived');
  if (standing.seat !== board.me) return;
  const load = () => import('../shared/celebration.js');
  loadPart('celebration', load, ({ celebrate }) => celebrate(board.round));
}

/** Highlight a gain; the highlights of all gains end together. @param {Leaderboard} board @param {HTMLElement} row */
function highlightGain(board, row) {
  row.classList.add('standing-gained');
  board.gainTimer ||= setTimeout(() => {
    board.gainTimer = undefined;
    for (const each of board.list.children) each.classList.remove('standing-gained');
  }, FLASH_MS);
}

/** Give a row a class for a while. @param {HTMLElement} row @param {string} name @param {number} ms */
function addClassFor(row, name, ms) {
  row.classList.add(name);
  setTimeout(() => row.classList.remove(name), ms);
}

/** Show an emote on the row of its sender for a while. @param {Leaderboard} board @param {number} seat @param {string} text */
function showEmote({ list }, seat, text) {
  const row = list.querySelector(`[data-seat="${seat}"]`);
  row?.querySelector('.standing-emote')?.remove();
  const bubble = h('span', {
    class: 'standing-emote',
    'data-part': 'emote',
    'aria-hidden': 'true',
    text,
  });
  row?.append(bubble);
  setTimeout(() => bubble.remove(), EMOTE_MS);
}

/** Mark the leader, and highlight a new one; the first leader of a race is not highlighted. @param {Leaderboard} board */
function markLeader(board) {
  const { list, latest, lastLeader } = board;
  const leadingStanding = leader(latest);
  for (const row of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    const leads = row.dataset.seat === String(leadingStanding?.seat);
    row.toggleAttribute('data-leads', leads && (leadingStanding?.score ?? 0) > 0);
    if (
      leads &&
      lastLeader !== undefined &&
      lastLeader !== leadingStanding?.seat &&
      latest.length > 1
    )
      restartAnimation(row, 'standing-ahead');
  }
  if (leadingStanding) board.lastLeader = leadingStanding.seat;
}
