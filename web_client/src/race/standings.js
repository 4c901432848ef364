// The leaderboard of a running race. It shuffles at most once a second, or nobody could read it.

import { strings } from '../core/language.js';
import { leader } from '../core/rivals.js';
import { makePace } from '../core/throttle.js';
import { calm } from '../shared/appearance.js';
import { h, keyed, write } from '../shared/element.js';
import { cardsOf, gap, strip } from './places.js';

/**
 * @import {SeatView, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

const PACE = 1_000;
const GLIDE = { duration: 230, easing: 'ease-out' };
/** A gain is shown so long; a colour that fades would be painted sixty times a second. */
const FLASH = 500;

/** @param {HTMLElement} root */
export function bindStandings(root) {
  const list = h('ol', { id: 'standings', 'aria-label': strings.STANDINGS });
  root.replaceChildren(list);
  /** @type {readonly Standing[]} */
  let latest = [];
  /** @type {readonly SeatView[]} */
  let seats = [];
  /** @type {string[]} */
  let order = [];
  /** @type {Map<number, Standing>} */
  const known = new Map();
  /** @type {number | undefined} */
  let led;
  let fading = 0;
  let me = -1;
  let round = '';
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

  /** What stands under a name. @param {Standing} standing @param {boolean} away */
  function about(standing, away) {
    const state = strings.standingState(standing);
    const far = strings.progress(standing, game === 'little-spider');
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

  /** @param {HTMLElement} row @param {Standing} standing */
  function update(row, standing) {
    const [place, who, points, bar, words] = row.children;
    const own = standing.seat === me;
    const seat = seats.find((each) => each.seat === standing.seat);
    const plays = standing.state === 'RACING' || standing.state === 'CHASING';
    const away = plays && !own && seat !== undefined && seat.connection !== 'on';
    row.dataset.state = standing.state;
    row.classList.toggle('own', own);
    row.classList.toggle('won', standing.won);
    row.classList.toggle('away', away);
    if (place) write(place, standing.place === null ? '–' : String(standing.place));
    if (who) write(who, own ? strings.you(standing.name) : standing.name);
    if (points) write(points, String(standing.score));
    if (words) {
      write(words, about(standing, away));
      if (words instanceof HTMLElement) words.title = standing.cheats > 0 ? strings.CHEAT : '';
    }
    const [done, hidden] = bar?.children ?? [];
    const cards = cardsOf(game);
    // Scaled, since whatever changes its width shifts the layout.
    if (done instanceof HTMLElement) done.style.transform = `scaleX(${standing.home / cards})`;
    if (hidden instanceof HTMLElement)
      hidden.style.transform = `scaleX(${standing.face_down / cards})`;
    const before = known.get(standing.seat);
    known.set(standing.seat, standing);
    if (before && standing.score > before.score) flash(row);
    if (!before || before.won || !standing.won) return;
    cue(row, 'arrived');
    if (own) import('../shared/celebration.js').then(({ celebrate }) => celebrate(round));
  }

  /** All that were gained together fade together. @param {HTMLElement} row */
  function flash(row) {
    row.classList.add('gained');
    fading ||= setTimeout(() => {
      fading = 0;
      for (const each of list.children) each.classList.remove('gained');
    }, FLASH);
  }

  /** Shows once that something has happened to a row. @param {HTMLElement} row @param {string} name */
  function cue(row, name) {
    row.classList.remove(name);
    void row.offsetWidth;
    row.classList.add(name);
  }

  /** The one sign of a new leader; who leads from the beginning is no news. */
  function crown() {
    const first = leader(latest);
    for (const row of list.children) {
      const leads = row instanceof HTMLElement && row.dataset.seat === String(first?.seat);
      row.classList.toggle('leads', leads && (first?.score ?? 0) > 0);
      if (leads && led !== undefined && led !== first?.seat && latest.length > 1)
        cue(/** @type {HTMLElement} */ (row), 'ahead');
    }
    if (first) led = first.seat;
  }

  const pace = makePace(PACE, sort);

  function sort() {
    const still = calm();
    /** @type {Map<Element, [number, number]>} */
    const before = new Map();
    if (!still)
      for (const row of /** @type {Iterable<HTMLElement>} */ (list.children))
        before.set(row, [row.offsetLeft, row.offsetTop]);
    order = latest.map((standing) => String(standing.seat));
    keyed(list, latest, (standing) => String(standing.seat), make, update);
    const near = strip(latest, me);
    for (const row of /** @type {Iterable<HTMLElement>} */ (list.children))
      row.classList.toggle('near', near.has(Number(row.dataset.seat)));
    crown();
    for (const [row, [left, top]] of before) {
      if (!(row instanceof HTMLElement) || !row.isConnected) continue;
      const [dx, dy] = [left - row.offsetLeft, top - row.offsetTop];
      if (dx || dy)
        row.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }], GLIDE);
    }
  }

  return {
    /** @param {State} state */
    update(state) {
      const now = state.room?.seats ?? [];
      if (state.standings === latest && now === seats && (state.me?.seat ?? -1) === me) return;
      latest = state.standings;
      seats = now;
      me = state.me?.seat ?? -1;
      round = `${state.room?.code}/${state.room?.round?.n}`;
      game = state.room?.settings.game ?? '';
      const moved = latest.some((standing, i) => String(standing.seat) !== order[i]);
      if (latest.length !== order.length) {
        pace.now();
        return;
      }
      for (const standing of latest) {
        const row = list.querySelector(`[data-seat="${standing.seat}"]`);
        if (row instanceof HTMLElement) update(row, standing);
      }
      if (moved) pace.ask();
      else crown();
    },
    unbind() {
      pace.stop();
      clearTimeout(fading);
    },
  };
}
