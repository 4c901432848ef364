// Any two games of a race side by side at one moment, and the buttons that move it.

import { bindMiniature } from '../board/miniature.js';
import { strings } from '../core/language.js';
import { parseAction } from '../core/notation.js';
import { h, keyed, write } from '../shared/element.js';
import { moments, nextTime } from './course.js';
import { fetchReplay } from './finished-rounds.js';
import { faster, SPEEDS, toggle } from './playback.js';
import { svg } from './svg.js';
import { actsAt, makeTape, tableAt } from './tape.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Moment} from './course.js'
 * @import {Place} from './finished-rounds.js'
 * @import {Playback} from './playback.js'
 * @import {Tape} from './tape.js'
 * @typedef {(change: (playback: Playback) => Playback) => void} Change
 * @typedef {ReturnType<typeof bindSide>} Side
 * @typedef {ReturnType<typeof makeTransport>} Transport
 * @typedef {object} Replay
 * @property {Change} change changes the page's time
 * @property {(ms: number) => void} seek
 * @property {HTMLElement} element
 * @property {string} large the side whose board has the whole width, or ''
 * @property {Side[]} sides
 * @property {Transport} transport
 * @property {HTMLElement} list of moments
 * @property {Place | null} place
 * @property {Moment[]} moments
 * @property {Playback} now
 */

const SIDES = /** @type {const} */ (['left', 'right']);
/** Cards glide while no more acts than this pass at once. */
const MAX_GLIDING = 2;

/** A sign as a drawing, since not every font has these signs. @param {string} d */
const sign = (d) => () =>
  svg(
    'svg',
    { viewBox: '0 0 20 20', class: 'replay-sign', 'aria-hidden': 'true' },
    svg('path', { d }),
  );
const SIGNS = {
  play: sign('M5 3l12 7-12 7z'),
  pause: sign('M5 3h4v14H5zM11 3h4v14h-4z'),
  back: sign('M14 4v12L5 10z'),
  on: sign('M6 4v12l9-6z'),
  before: sign('M17 4v12l-9-6zM4 4h3v12H4z'),
  after: sign('M3 4v12l9-6zM13 4h3v12h-3z'),
};

/** Bind an empty replay. @param {Change} change @param {(ms: number) => void} seek */
export function bindReplay(change, seek) {
  const words = strings.REPLAY;
  /** The elements follow below. @type {Partial<Replay>} */
  const first = {
    change,
    seek,
    large: '',
    place: null,
    moments: [],
    now: { ms: 0, length: 1, playing: false, speed: 1 },
  };
  const replay = /** @type {Replay} */ (first);
  replay.sides = SIDES.map((side) =>
    bindSide(
      side,
      () => fetchBoth(replay),
      () => enlarge(replay, side),
    ),
  );
  const pair = h('div', { class: 'replay-pair' }, ...replay.sides.map((side) => side.element));
  replay.transport = makeTransport(replay);
  replay.list = h('ol', {
    class: 'replay-moments',
    id: 'moments',
    'aria-label': words.moments,
  });
  replay.element = h(
    'section',
    { class: 'panel replay', id: 'boards', 'aria-labelledby': 'boards-title' },
    h('h2', { id: 'boards-title', text: words.title }),
    pair,
    replay.transport.element,
    h('p', { class: 'small-text replay-keys', text: words.keys }),
    replay.list,
  );
  replay.element.addEventListener('keydown', (event) => pressKey(replay, event));
  return {
    element: replay.element,
    show: (/** @type {RoundCourse} */ round, /** @type {number} */ me) => show(replay, round, me),
    update: (/** @type {Playback} */ playback) => update(replay, playback),
    unbind() {
      for (const side of replay.sides) side.unbind();
    },
  };
}

/** The buttons, the slider and the speed. @param {Replay} replay */
function makeTransport(replay) {
  const words = strings.REPLAY;
  /** @param {string} id @param {SVGElement} picture @param {string} label @param {() => void} onclick */
  const button = (id, picture, label, onclick) =>
    h('button', { id, type: 'button', title: label, 'aria-label': label, onclick }, picture);
  const play = button('replay-play', SIGNS.play(), words.play, () => replay.change(toggle));
  const slider = h('input', {
    id: 'replay-at',
    type: 'range',
    min: 0,
    step: 'any',
    'aria-label': words.at,
  });
  slider.addEventListener('input', () => replay.seek(Number(slider.value)));
  const time = h('span', { class: 'replay-time' });
  const speed = h(
    'select',
    { id: 'replay-speed', 'aria-label': words.speed },
    ...SPEEDS.map((value) => h('option', { value, text: strings.times(value) })),
  );
  speed.addEventListener('change', () =>
    replay.change((playback) => ({ ...playback, speed: Number(speed.value) })),
  );
  const { before, back, on, after } = words;
  const element = h(
    'div',
    { class: 'replay-transport' },
    button('replay-before', SIGNS.before(), before, () => jump(replay, times(replay), -1)),
    button('replay-back', SIGNS.back(), back, () => jump(replay, acts(replay), -1)),
    play,
    button('replay-on', SIGNS.on(), on, () => jump(replay, acts(replay), 1)),
    button('replay-after', SIGNS.after(), after, () => jump(replay, times(replay), 1)),
    slider,
    time,
    speed,
  );
  return { element, play, slider, time, speed };
}

/** Return the times of the moments. @param {Replay} replay */
const times = (replay) => replay.moments.map(({ ms }) => ms);

/** Return the times of the acts of both games. @param {Replay} replay */
const acts = ({ sides }) =>
  [...new Set(sides.flatMap(({ tape }) => tape()?.times ?? []))].toSorted((a, b) => a - b);

/** Stop at the next of some times. @param {Replay} replay @param {readonly number[]} among @param {1 | -1} way */
function jump({ change, seek, now }, among, way) {
  const to = nextTime(among, now.ms, way) ?? (way > 0 ? now.length : 0);
  change((playback) => ({ ...playback, playing: false }));
  seek(to);
}

/** Give one board the whole width, or share it again. @param {Replay} replay @param {string} side */
function enlarge(replay, side) {
  const large = replay.large === side ? '' : side;
  replay.large = large;
  replay.sides.forEach((each, i) => {
    each.pick.setAttribute('aria-pressed', String(SIDES[i] === large));
    each.element.toggleAttribute('data-large', SIDES[i] === large);
  });
}

/** Fetch the games that are chosen. @param {Replay} replay */
function fetchBoth(replay) {
  const { place, sides } = replay;
  if (!place) return;
  for (const side of sides)
    side.fetch(place, () => replay.place === place && update(replay, replay.now));
}

/** @param {Replay} replay @param {KeyboardEvent} event */
function pressKey(replay, event) {
  const { element, change } = replay;
  const target = event.target instanceof HTMLElement ? event.target : element;
  if (event.altKey || event.ctrlKey || event.metaKey || target.tagName === 'SELECT') return;
  /** @type {{[key: string]: () => void}} */
  const keys = {
    ArrowLeft: () => jump(replay, acts(replay), -1),
    ArrowRight: () => jump(replay, acts(replay), 1),
    PageUp: () => jump(replay, times(replay), 1),
    PageDown: () => jump(replay, times(replay), -1),
    '+': () => change((playback) => faster(playback, 1)),
    '-': () => change((playback) => faster(playback, -1)),
    // The space bar presses a button that has the focus.
    ...(target.tagName === 'BUTTON' ? {} : { ' ': () => change(toggle) }),
  };
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Show a round: this player and the best other one. @param {Replay} replay @param {RoundCourse} round @param {number} me this player's seat, or -1 */
function show(replay, round, me) {
  replay.place = { code: round.room, n: round.n };
  replay.moments = moments(round);
  const order = round.ranking.map(({ seat }) => seat);
  const own = order.includes(me) ? [me] : [];
  const chosen = [...own, ...order.filter((seat) => seat !== me)].slice(0, 2);
  replay.sides.forEach((side, i) => {
    side.offer(round, chosen[i]);
  });
  const name = (/** @type {number} */ seat) =>
    round.courses.find((course) => course.seat === seat)?.name ?? '';
  keyed(
    replay.list,
    replay.moments,
    ({ ms, kind, seat, n }) => `${ms} ${kind} ${seat} ${n}`,
    ({ ms }) => h('li', {}, h('button', { type: 'button', onclick: () => replay.seek(ms) })),
    (item, moment) => {
      const [label] = item.children;
      if (label) write(label, strings.moment(moment, name(moment.seat)));
    },
  );
  fetchBoth(replay);
}

/** Show the moment of a playback. @param {Replay} replay @param {Playback} playback */
function update(replay, playback) {
  replay.now = playback;
  const { sides, transport, list } = replay;
  for (const side of sides) side.update(playback);
  updateTransport(transport, playback);
  const last = replay.moments.findLastIndex((moment) => moment.ms <= playback.ms);
  Array.from(list.children).forEach((item, i) => {
    if (i === last) item.setAttribute('aria-current', 'true');
    else item.removeAttribute('aria-current');
  });
}

/** @param {Transport} transport @param {Playback} playback */
function updateTransport({ play, slider, time, speed }, playback) {
  const { ms, length, playing } = playback;
  slider.max = String(length);
  slider.value = String(ms);
  const text = strings.timeOf(ms, length);
  slider.setAttribute('aria-valuetext', text);
  write(time, text);
  const label = playing ? strings.REPLAY.pause : strings.REPLAY.play;
  if (play.title !== label) {
    play.title = label;
    play.setAttribute('aria-label', label);
    play.replaceChildren(playing ? SIGNS.pause() : SIGNS.play());
  }
  if (speed.value !== String(playback.speed)) speed.value = String(playback.speed);
}

/**
 * Bind one of the two boards.
 *
 * @param {'left' | 'right'} side
 * @param {() => void} chosen another game was chosen
 * @param {() => void} enlarge
 */
function bindSide(side, chosen, enlarge) {
  const words = strings.REPLAY;
  const select = h('select', { id: `board-${side}`, 'aria-label': words[side], onchange: chosen });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures', 'data-part': 'figures' });
  const act = h('p', { class: 'small-text replay-act', 'data-part': 'act' });
  const pick = h('button', {
    type: 'button',
    class: 'board-enlarge',
    'data-action': 'enlarge',
    'aria-pressed': 'false',
    onclick: enlarge,
  });
  const view = h('div', { class: 'replay-view' }, board.element, pick);
  const element = h('div', { class: 'replay-side' }, select, figures, view, act);
  /** @type {Tape | null} */
  let tape = null;
  let shown = -1;

  return {
    element,
    pick,
    tape: () => tape,
    /** Offer the games of a round, one of them chosen. @param {RoundCourse} round @param {number | undefined} seat */
    offer(round, seat) {
      element.hidden = seat === undefined;
      const options = round.ranking.map(({ seat: value, name }) =>
        h('option', { value, text: name }),
      );
      select.replaceChildren(...options);
      if (seat !== undefined) select.value = String(seat);
    },
    /** Fetch the chosen game. @param {Place} place @param {() => void} ready */
    fetch(place, ready) {
      const seat = Number(select.value);
      if (element.hidden || tape?.replay.seat === seat) return;
      element.dataset.seat = String(seat);
      pick.setAttribute('aria-label', strings.enlarge(select.selectedOptions[0]?.text ?? ''));
      fetchReplay(place, seat).then(
        (found) => {
          if (Number(select.value) !== seat) return;
          tape = makeTape(found);
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
      board.update(table, Math.abs(at - shown) <= MAX_GLIDING);
      shown = at;
      write(figures, strings.figures(table));
      write(act, describeAct(tape, at));
    },
    unbind: board.unbind,
  };
}

/** Return what the act that led to a table did. @param {Tape} tape @param {number} at */
function describeAct({ replay, tables }, at) {
  const step = replay.steps[at - 1];
  if (!step) return strings.REPLAY.dealt;
  if (at === tables.length - 1 && replay.acts > replay.steps.length) return strings.REPLAY.cut;
  const action = parseAction(step.action);
  return action
    ? strings.actDone(action, tables[at - 1]?.piles ?? [], tables[at]?.piles ?? [])
    : step.action;
}
