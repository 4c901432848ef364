// The leaderboard of a running race. It changes its order at most once a second, so that it can be
// read.

import { onEmote } from '../chat/emotes.js';
import { strings } from '../core/language.js';
import { leader } from '../core/reducer.js';
import { makeThrottle } from '../core/throttle.js';
import { isCalm } from '../shared/appearance.js';
import { h, keyed, write } from '../shared/element.js';
import { late } from '../shared/late.js';
import { cardsOf, gap, hasFaceDown, strip } from './places.js';

/**
 * @import {SeatView, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Leaderboard
 * @property {HTMLElement} list
 * @property {readonly Standing[]} latest
 * @property {readonly SeatView[]} seats
 * @property {string[]} order the seats as they are drawn
 * @property {Map<number, Standing>} drawn by seat
 * @property {number | undefined} led the seat of the last leader
 * @property {ReturnType<typeof setTimeout> | undefined} fading
 * @property {number} me this player's seat, or -1
 * @property {string} round names the round
 * @property {string} game
 * @property {ReturnType<typeof makeThrottle>} throttle of the order
 */

const ORDER_MS = 1_000;
const GLIDE = { duration: 230, easing: 'ease-out' };
/** How long a gain is shown; a fading colour would be painted sixty times a second. */
const FLASH_MS = 500;

/** How long an emote stands on the row of its sender. */
const EMOTE_MS = 2_500;
/** How long the row of a player who has completed a suit is highlighted. */
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
    led: undefined,
    fading: undefined,
    me: -1,
    round: '',
    game: '',
    throttle: makeThrottle(ORDER_MS, () => sort(board)),
  };
  root.replaceChildren(board.list);
  const unbindEmotes = onEmote((seat, text) => pop(board, seat, text));
  return {
    update: (/** @type {State} */ state) => update(board, state),
    unbind() {
      unbindEmotes();
      board.throttle.stop();
      clearTimeout(board.fading);
    },
  };
}

/** @param {Leaderboard} board @param {State} state */
function update(board, state) {
  const seats = state.room?.seats ?? [];
  const me = state.me?.seat ?? -1;
  if (state.standings === board.latest && seats === board.seats && me === board.me) return;
  board.latest = state.standings;
  board.seats = seats;
  board.me = me;
  board.round = `${state.room?.code}/${state.room?.round?.n}`;
  board.game = state.room?.settings.game ?? '';
  const { latest, order, list } = board;
  const moved = latest.some((standing, i) => String(standing.seat) !== order[i]);
  if (latest.length !== order.length) {
    board.throttle.now();
    return;
  }
  for (const standing of latest) {
    const row = list.querySelector(`[data-seat="${standing.seat}"]`);
    if (row instanceof HTMLElement) drawRow(board, row, standing);
  }
  if (moved) board.throttle.request();
  else crown(board);
}

/** Put the rows in order; they glide to their places. @param {Leaderboard} board */
function sort(board) {
  const { list, latest, me } = board;
  const still = isCalm();
  const rows = () => /** @type {Iterable<HTMLElement>} */ (list.children);
  /** @type {Map<HTMLElement, [number, number]>} */
  const before = new Map();
  if (!still) for (const row of rows()) before.set(row, [row.offsetLeft, row.offsetTop]);
  board.order = latest.map((standing) => String(standing.seat));
  keyed(
    list,
    latest,
    (standing) => String(standing.seat),
    makeRow,
    (row, standing) => drawRow(board, row, standing),
  );
  const near = strip(latest, me);
  for (const row of rows())
    row.classList.toggle('standing-near', near.has(Number(row.dataset.seat)));
  crown(board);
  for (const [row, [left, top]] of before) {
    if (!row.isConnected) continue;
    const [dx, dy] = [left - row.offsetLeft, top - row.offsetTop];
    if (dx || dy)
      row.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }], GLIDE);
  }
}

/** @param {Standing} standing */
function makeRow(standing) {
  const row = h(
    'li',
    {},
    h('span', { class: 'standing-place', 'data-part': 'place' }),
    h('span', { class: 'standing-name', 'data-part': 'name' }),
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
  const far = strings.progress(standing, !hasFaceDown(game));
  const lost = away ? strings.NOT_THERE : '';
  const helped = standing.hints > 0 ? strings.hintsTaken(standing.hints) : '';
  const cheated = standing.cheats > 0 ? strings.cheats(standing.cheats) : '';
  /** @type {Partial<Record<Standing['state'], string[]>>} */
  const playing = {
    RACING: [lost, gap(standing, latest), helped, cheated, far],
    CHASING: [lost, state, cheated, far],
  };
  return (playing[standing.state] ?? [state, cheated]).filter(Boolean).join(' · ');
}

/** @param {Leaderboard} board @param {HTMLElement} row @param {Standing} standing */
function drawRow(board, row, standing) {
  const [place, name, points, bar, about, suits] = row.children;
  const own = standing.seat === board.me;
  const seat = board.seats.find((each) => each.seat === standing.seat);
  const plays = standing.state === 'RACING' || standing.state === 'CHASING';
  const away = plays && !own && seat !== undefined && seat.connection !== 'on';
  row.dataset.state = standing.state;
  row.toggleAttribute('data-own', own);
  row.classList.toggle('standing-won', standing.won);
  row.classList.toggle('standing-away', away);
  if (place) write(place, String(standing.place ?? ''));
  if (name) write(name, own ? strings.you(standing.name) : standing.name);
  if (points) write(points, String(standing.score));
  if (about instanceof HTMLElement) {
    write(about, aboutLine(board, standing, away));
    about.title = standing.cheats > 0 ? strings.CHEAT : '';
  }
  if (suits) write(suits, strings.homeShort(standing, board.game));
  const [home, hidden] = bar?.children ?? [];
  const cards = cardsOf(board.game);
  // Scaled, since a change of the width would shift the layout.
  if (home instanceof HTMLElement) home.style.transform = `scaleX(${standing.home / cards})`;
  if (hidden instanceof HTMLElement)
    hidden.style.transform = `scaleX(${standing.face_down / cards})`;
  const before = board.drawn.get(standing.seat);
  board.drawn.set(standing.seat, standing);
  if (before && standing.score > before.score) flash(board, row);
  if (before && standing.suits > before.suits) show(row, 'standing-suit', SUIT_MS);
  if (!before || before.won || !standing.won) return;
  animate(row, 'standing-arrived');
  if (!own) return;
  const load = () => import('../shared/celebration.js');
  late('celebration', load, ({ celebrate }) => celebrate(board.round));
}

/** Highlight a gain; all gains of the moment fade together. @param {Leaderboard} board @param {HTMLElement} row */
function flash(board, row) {
  row.classList.add('standing-gained');
  board.fading ||= setTimeout(() => {
    board.fading = undefined;
    for (const each of board.list.children) each.classList.remove('standing-gained');
  }, FLASH_MS);
}

/** Show a row in another way for a while. @param {HTMLElement} row @param {string} name a class @param {number} ms */
function show(row, name, ms) {
  row.classList.add(name);
  setTimeout(() => row.classList.remove(name), ms);
}

/** Let an emote pop up on the row of its sender. @param {Leaderboard} board @param {number} seat @param {string} text */
function pop({ list }, seat, text) {
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

/** Run an animation of a row once. @param {HTMLElement} row @param {string} name */
function animate(row, name) {
  row.classList.remove(name);
  void row.offsetWidth;
  row.classList.add(name);
}

/** Mark the leader; the first leader of a race is no news. @param {Leaderboard} board */
function crown(board) {
  const { list, latest, led } = board;
  const first = leader(latest);
  for (const row of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    const leads = row.dataset.seat === String(first?.seat);
    row.toggleAttribute('data-leads', leads && (first?.score ?? 0) > 0);
    if (leads && led !== undefined && led !== first?.seat && latest.length > 1)
      animate(row, 'standing-ahead');
  }
  if (first) board.led = first.seat;
}
