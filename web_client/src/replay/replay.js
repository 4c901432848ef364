// Any two games of a race side by side at one moment, and the buttons that move it.

import { bindMiniature } from '../board/miniature.js';
import { strings } from '../core/language.js';
import { h, keyed, write } from '../shared/element.js';
import { moments, nextTime } from './course.js';
import { fetchReplay } from './finished-rounds.js';
import { faster, SPEEDS, toggle } from './playback.js';
import { svg } from './svg.js';
import { actOf, actsAt, makeTape, tableAt } from './tape.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Moment} from './course.js'
 * @import {Playback} from './playback.js'
 * @import {Place} from './finished-rounds.js'
 * @import {Tape} from './tape.js'
 * @typedef {(change: (playback: Playback) => Playback) => void} Change
 */

const SIDES = /** @type {const} */ (['left', 'right']);
/** Drawn, since not every font has these signs. */
const sign = (/** @type {string} */ d) => () =>
  svg('svg', { viewBox: '0 0 20 20', class: 'sign', 'aria-hidden': 'true' }, svg('path', { d }));
const SIGNS = {
  play: sign('M5 3l12 7-12 7z'),
  pause: sign('M5 3h4v14H5zM11 3h4v14h-4z'),
  back: sign('M14 4v12L5 10z'),
  on: sign('M6 4v12l9-6z'),
  before: sign('M17 4v12l-9-6zM4 4h3v12H4z'),
  after: sign('M3 4v12l9-6zM13 4h3v12h-3z'),
};
/** Cards glide while no more than this many acts pass at once. */
const GLIDE = 2;

/**
 * @param {Change} change how the page's time is moved
 * @param {(ms: number) => void} seek
 */
export function bindReplay(change, seek) {
  const words = strings.REPLAY;
  const sides = SIDES.map((side) =>
    bindSide(
      side,
      () => fetchBoth(),
      () => enlarge(side),
    ),
  );
  /** @param {string} id @param {SVGElement} sign @param {string} label @param {() => void} onclick */
  const button = (id, sign, label, onclick) =>
    h('button', { id, type: 'button', title: label, 'aria-label': label, onclick }, sign);
  const play = button('replay-play', SIGNS.play(), words.play, () => change(toggle));
  const scrubber = h('input', { id: 'replay-at', type: 'range', min: 0, step: 'any' });
  scrubber.setAttribute('aria-label', words.at);
  scrubber.addEventListener('input', () => seek(Number(scrubber.value)));
  const time = h('span', { class: 'replay-time' });
  const speed = h(
    'select',
    { id: 'replay-speed', 'aria-label': words.speed },
    ...SPEEDS.map((value) => h('option', { value, text: strings.times(value) })),
  );
  speed.addEventListener('change', () =>
    change((playback) => ({ ...playback, speed: Number(speed.value) })),
  );
  const pair = h('div', { class: 'pair' }, ...sides.map((side) => side.element));
  const list = h('ol', { class: 'moments', 'aria-label': words.moments });
  const element = h(
    'section',
    { class: 'panel replay', id: 'boards', 'aria-labelledby': 'boards-title' },
    h('h2', { id: 'boards-title', text: words.title }),
    pair,
    h(
      'div',
      { class: 'transport' },
      button('replay-before', SIGNS.before(), words.before, () => jump(times(), -1)),
      button('replay-back', SIGNS.back(), words.back, () => jump(acts(), -1)),
      play,
      button('replay-on', SIGNS.on(), words.on, () => jump(acts(), 1)),
      button('replay-after', SIGNS.after(), words.after, () => jump(times(), 1)),
      scrubber,
      time,
      speed,
    ),
    h('p', { class: 'small keys', text: words.keys }),
    list,
  );
  /** @type {RoundCourse | null} */
  let round = null;
  /** @type {Place | null} */
  let place = null;
  /** @type {Moment[]} */
  let jumps = [];
  /** @type {Playback} */
  let now = { ms: 0, length: 1, playing: false, speed: 1 };

  const times = () => jumps.map(({ ms }) => ms);
  const acts = () =>
    [...new Set(sides.flatMap(({ tape }) => tape()?.times ?? []))].toSorted((a, b) => a - b);

  /** @param {readonly number[]} among @param {1 | -1} way */
  function jump(among, way) {
    const to = nextTime(among, now.ms, way) ?? (way > 0 ? now.length : 0);
    change((playback) => ({ ...playback, playing: false }));
    seek(to);
  }

  /** One board takes the whole width, or both share it again. @param {string} side */
  function enlarge(side) {
    const large = pair.dataset.large === side ? '' : side;
    pair.dataset.large = large;
    sides.forEach((each, i) => {
      each.pick.setAttribute('aria-pressed', String(SIDES[i] === large));
      each.element.classList.toggle('large', SIDES[i] === large);
    });
  }

  function fetchBoth() {
    if (!place) return;
    const at = place;
    for (const side of sides) side.fetch(at, () => place === at && update(now));
  }

  element.addEventListener('keydown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : element;
    if (event.altKey || event.ctrlKey || event.metaKey || target.tagName === 'SELECT') return;
    /** @type {{[key: string]: () => void}} */
    const keys = {
      ArrowLeft: () => jump(acts(), -1),
      ArrowRight: () => jump(acts(), 1),
      PageUp: () => jump(times(), 1),
      PageDown: () => jump(times(), -1),
      '+': () => change((playback) => faster(playback, 1)),
      '-': () => change((playback) => faster(playback, -1)),
      // On a button the space bar presses it.
      ...(target.tagName === 'BUTTON' ? {} : { ' ': () => change(toggle) }),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  /** @param {Playback} playback */
  function update(playback) {
    now = playback;
    for (const side of sides) side.update(playback);
    const { ms, length, playing } = playback;
    scrubber.max = String(length);
    scrubber.value = String(ms);
    const text = strings.timeOf(ms, length);
    scrubber.setAttribute('aria-valuetext', text);
    write(time, text);
    const label = playing ? words.pause : words.play;
    if (play.title !== label) {
      play.title = label;
      play.setAttribute('aria-label', label);
      play.replaceChildren(playing ? SIGNS.pause() : SIGNS.play());
    }
    if (speed.value !== String(playback.speed)) speed.value = String(playback.speed);
    const last = jumps.findLastIndex((moment) => moment.ms <= ms);
    Array.from(list.children).forEach((item, i) => {
      if (i === last) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    });
  }

  return {
    element,
    /** @param {RoundCourse} next @param {number} me this player's seat, or -1 */
    show(next, me) {
      round = next;
      place = { code: next.room, n: next.n };
      jumps = moments(next);
      const order = next.ranking.map(({ seat }) => seat);
      const own = order.includes(me) ? [me] : [];
      const chosen = [...own, ...order.filter((seat) => seat !== me)].slice(0, 2);
      sides.forEach((side, i) => {
        side.offer(next, chosen[i]);
      });
      const name = (/** @type {number} */ seat) =>
        round?.courses.find((course) => course.seat === seat)?.name ?? '';
      keyed(
        list,
        jumps,
        ({ ms, kind, seat, n }) => `${ms} ${kind} ${seat} ${n}`,
        ({ ms }) => h('li', {}, h('button', { type: 'button', onclick: () => seek(ms) })),
        (item, moment) => {
          const [label] = item.children;
          if (label) write(label, strings.moment(moment, name(moment.seat)));
        },
      );
      fetchBoth();
    },
    update,
    unbind() {
      for (const side of sides) side.unbind();
    },
  };
}

/**
 * One of the two boards.
 *
 * @param {'left' | 'right'} side
 * @param {() => void} chosen
 * @param {() => void} enlarge
 */
function bindSide(side, chosen, enlarge) {
  const words = strings.REPLAY;
  const select = h('select', { id: `board-${side}`, 'aria-label': words[side] });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures' });
  const act = h('p', { class: 'small replay-act' });
  const pick = h('button', { type: 'button', class: 'wall-pick', 'aria-pressed': 'false' });
  pick.addEventListener('click', enlarge);
  const view = h('div', { class: 'view' }, board.element, pick);
  const element = h('div', { class: 'side-by' }, select, figures, view, act);
  /** @type {Tape | null} */
  let tape = null;
  let shown = -1;
  select.addEventListener('change', chosen);

  return {
    element,
    pick,
    tape: () => tape,
    /** @param {RoundCourse} round @param {number | undefined} seat */
    offer(round, seat) {
      element.hidden = seat === undefined;
      const options = round.ranking.map(({ seat: value, name }) =>
        h('option', { value, text: name }),
      );
      select.replaceChildren(...options);
      if (seat !== undefined) select.value = String(seat);
    },
    /** @param {Place} place @param {() => void} ready */
    fetch(place, ready) {
      const seat = Number(select.value);
      if (element.hidden || tape?.replay.seat === seat) return;
      element.dataset.seat = String(seat);
      pick.setAttribute('aria-label', strings.enlarge(select.selectedOptions[0]?.text ?? ''));
      fetchReplay(place, seat).then(
        (replay) => {
          if (Number(select.value) !== seat) return;
          tape = makeTape(replay);
          shown = -1;
          ready();
        },
        () => write(act, words.failed),
      );
    },
    /** @param {Playback} playback */
    update({ ms }) {
      if (!tape) return;
      const at = actsAt(tape, ms);
      if (at === shown) return;
      const table = tableAt(tape, ms);
      board.update(table, Math.abs(at - shown) <= GLIDE);
      shown = at;
      write(figures, strings.figures(table));
      write(act, said(tape, at));
    },
    unbind: board.unbind,
  };
}

/** What the act that led to a table did. @param {Tape} tape @param {number} at */
function said({ replay, tables }, at) {
  const step = replay.steps[at - 1];
  if (!step) return strings.REPLAY.dealt;
  if (at === tables.length - 1 && replay.acts > replay.steps.length) return strings.REPLAY.cut;
  const meant = actOf(step);
  return meant
    ? strings.actDone(meant, tables[at - 1]?.piles ?? [], tables[at]?.piles ?? [])
    : step.action;
}
