// The leaderboard of a running race. It shuffles at most once a second, or nobody could read it.

import { h, keyed, write } from './element.js';
import { strings } from './language.js';

/**
 * @import {Standing} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 */

const PACE = 1_000;
const ROW = 56;
const DECK = 52;
/** Cards that begin face down, for the track; a table of mere display. */
const BURIED = /** @type {const} */ ([
  ['spider-', 44],
  ['spiderette-', 21],
]);

/** @param {Standing} standing @param {Standing | undefined} leader */
function gap(standing, leader) {
  if (!leader || leader === standing || standing.state !== 'RACING' || leader.won) return '';
  const behind = leader.score - standing.score;
  return behind > 0 ? `−${behind}` : '';
}

/**
 * How far a player has come, from 0 to 1: half the way is turning cards up, half is home.
 *
 * @param {Standing} standing
 * @param {string} game
 */
export function way({ home, face_down, won }, game) {
  if (won) return 1;
  const [family, buried] = BURIED.find(([prefix]) => game.startsWith(prefix)) ?? ['', 0];
  const brought = home / (family === 'spider-' ? 2 * DECK : DECK);
  return buried > 0 ? (brought + Math.max(0, 1 - face_down / buried)) / 2 : brought;
}

/** @param {HTMLElement} root */
export function bindStandings(root) {
  const list = h('ol', { id: 'standings', 'aria-label': strings.STANDINGS });
  root.replaceChildren(list);
  /** @type {readonly Standing[]} */
  let latest = [];
  /** @type {string[]} */
  let order = [];
  /** @type {Map<number, number>} */
  const scores = new Map();
  let cards = 2 * DECK;
  let sortedAt = 0;
  let timer = 0;
  let me = -1;
  let game = '';

  /** @param {Standing} standing */
  function make(standing) {
    const row = h(
      'li',
      {},
      h('span', { class: 'place' }),
      h('span', { class: 'who' }),
      h('span', { class: 'points' }),
      h(
        'span',
        { class: 'bar', 'aria-hidden': 'true' },
        h('span', { class: 'home' }),
        h('span', { class: 'hidden' }),
      ),
      h('span', { class: 'about' }),
    );
    row.dataset.seat = String(standing.seat);
    return row;
  }

  /** @param {HTMLElement} row @param {Standing} standing */
  function update(row, standing) {
    const [place, who, points, bar, about] = row.children;
    const own = standing.seat === me;
    row.dataset.state = standing.state;
    row.classList.toggle('own', own);
    row.classList.toggle('won', standing.won);
    if (place) write(place, standing.place === null ? '–' : String(standing.place));
    if (who) write(who, own ? strings.you(standing.name) : standing.name);
    if (points) write(points, String(standing.score));
    const far = strings.progress(standing, game === 'little-spider');
    const words =
      strings.standingState(standing) ||
      [far, gap(standing, latest[0])].filter(Boolean).join(' · ');
    if (about) write(about, words);
    const [done, hidden] = bar?.children ?? [];
    if (done instanceof HTMLElement) done.style.width = `${(100 * standing.home) / cards}%`;
    if (hidden instanceof HTMLElement)
      hidden.style.width = `${(100 * standing.face_down) / cards}%`;
    row.style.setProperty('--way', String(way(standing, game)));
    const before = scores.get(standing.seat);
    scores.set(standing.seat, standing.score);
    if (before !== undefined && standing.score > before)
      row.animate([{ backgroundColor: 'var(--flash)' }, {}], { duration: 600 });
  }

  function sort() {
    clearTimeout(timer);
    timer = 0;
    sortedAt = performance.now();
    const before = order;
    order = latest.map((standing) => String(standing.seat));
    const mine = order.indexOf(String(me));
    keyed(list, latest, (standing) => String(standing.seat), make, update);
    const wide = matchMedia('(min-width: 700px)').matches;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    Array.from(list.children).forEach((row, i) => {
      const was = before.indexOf(row instanceof HTMLElement ? (row.dataset.seat ?? '') : '');
      // The strip of a phone holds the leader and those around the player.
      row.classList.toggle('near', i === 0 || Math.abs(i - Math.max(1, mine)) < 2);
      if (was < 0 || was === i || !wide || calm) return;
      const frames = [{ transform: `translateY(${(was - i) * ROW}px)` }, { transform: 'none' }];
      row.animate(frames, { duration: 230, easing: 'ease-out' });
    });
  }

  return {
    /** @param {State} state */
    update(state) {
      if (state.standings === latest && (state.me?.seat ?? -1) === me) return;
      latest = state.standings;
      me = state.me?.seat ?? -1;
      game = state.room?.settings.game ?? '';
      cards = state.room?.settings.game.startsWith('spider-') ? 2 * DECK : DECK;
      const moved = latest.some((standing, i) => String(standing.seat) !== order[i]);
      const wait = sortedAt + PACE - performance.now();
      if (latest.length !== order.length || (moved && wait <= 0)) {
        sort();
        return;
      }
      for (const standing of latest) {
        const row = list.querySelector(`[data-seat="${standing.seat}"]`);
        if (row instanceof HTMLElement) update(row, standing);
      }
      if (moved && !timer) timer = setTimeout(sort, wait);
    },
    unbind: () => clearTimeout(timer),
  };
}
