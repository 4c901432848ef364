// Any two games of a race side by side at one time, and the buttons that change the time.

import { bindMiniature } from '../board/miniature.js';
import { strings } from '../core/language.js';
import { parseAction } from '../core/notation.js';
import { h, keyed, write, writeSpoken } from '../shared/element.js';
import { moments, nextTime } from './course.js';
import { fetchReplay } from './finished-rounds.js';
import { changeSpeed, SPEEDS, togglePlaying } from './playback.js';
import { svg } from './svg.js';
import { actsAt, makeTape, tableAt } from './tape.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Moment} from './course.js'
 * @import {RoundId} from './finished-rounds.js'
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
 * @property {RoundId | null} roundId
 * @property {Moment[]} moments
 * @property {Playback} playback
 */

const SIDES = /** @type {const} */ (['left', 'right']);
/** The most acts between two drawings for which cards glide. */
const MAX_GLIDING = 2;

/** Return a function that draws a sign, since not every font has these signs. @param {string} d the path */
const signOf = (d) => () =>
  svg(
    'svg',
    { viewBox: '0 0 20 20', class: 'replay-sign', 'aria-hidden': 'true' },
    svg('path', { d }),
  );
const SIGNS = {
  play: signOf('M5 3l12 7-12 7z'),
  pause: signOf('M5 3h4v14H5zM11 3h4v14h-4z'),
  back: signOf('M14 4v12L5 10z'),
  on: signOf('M6 4v12l9-6z'),
  before: signOf('M17 4v12l-9-6zM4 4h3v12H4z'),
  after: signOf('M3 4v12l9-6zM13 4h3v12h-3z'),
};

/** Bind an empty replay. @param {Change} change @param {(ms: number) => void} seek */
export function bindReplay(change, seek) {
  const words = strings.REPLAY;
  /** The elements are added below. @type {Partial<Replay>} */
  const first = {
    change,
    seek,
    large: '',
    roundId: null,
    moments: [],
    playback: { ms: 0, length: 1, playing: false, speed: 1 },
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

/** Make the buttons, the slider and the menu of speeds. @param {Replay} replay */
function makeTransport(replay) {
  const words = strings.REPLAY;
  /** Make a button with a picture. @param {string} id @param {SVGElement} picture @param {string} label @param {() => void} onclick */
  const button = (id, picture, label, onclick) =>
    h('button', { id, type: 'button', title: label, 'aria-label': label, onclick }, picture);
  const play = button('replay-play', SIGNS.play(), words.play, () => replay.change(togglePlaying));
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
    button('replay-before', SIGNS.before(), before, () => jump(replay, momentTimes(replay), -1)),
    button('replay-back', SIGNS.back(), back, () => jump(replay, actTimes(replay), -1)),
    play,
    button('replay-on', SIGNS.on(), on, () => jump(replay, actTimes(replay), 1)),
    button('replay-after', SIGNS.after(), after, () => jump(replay, momentTimes(replay), 1)),
    slider,
    time,
    speed,
  );
  return { element, play, slider, time, speed };
}

/** Return the times of the moments. @param {Replay} replay */
const momentTimes = (replay) => replay.moments.map(({ ms }) => ms);

/** Return the times of the acts of both games. @param {Replay} replay */
const actTimes = ({ sides }) =>
  [...new Set(sides.flatMap(({ tape }) => tape()?.times ?? []))].toSorted((a, b) => a - b);

/** Stop at the next or previous one of some times. @param {Replay} replay @param {readonly number[]} times @param {1 | -1} direction */
function jump({ change, seek, playback: now }, times, direction) {
  const target = nextTime(times, now.ms, direction) ?? (direction > 0 ? now.length : 0);
  change((playback) => ({ ...playback, playing: false }));
  seek(target);
}

/** Give one board the whole width, or share it again. @param {Replay} replay @param {string} side */
function enlarge(replay, side) {
  const large = replay.large === side ? '' : side;
  replay.large = large;
  replay.sides.forEach((each, i) => {
    each.enlargeButton.setAttribute('aria-pressed', String(SIDES[i] === large));
    each.element.toggleAttribute('data-large', SIDES[i] === large);
    each.element.parentElement?.toggleAttribute('data-enlarged', large !== '');
  });
}

/** Fetch the chosen games. @param {Replay} replay */
function fetchBoth(replay) {
  const { roundId, sides } = replay;
  if (!roundId) return;
  for (const side of sides)
    side.fetch(roundId, () => replay.roundId === roundId && update(replay, replay.playback));
}

/** Perform the command of a key. @param {Replay} replay @param {KeyboardEvent} event */
function pressKey(replay, event) {
  const { element, change } = replay;
  const target = event.target instanceof HTMLElement ? event.target : element;
  if (event.altKey || event.ctrlKey || event.metaKey || target.tagName === 'SELECT') return;
  /** @type {{[key: string]: () => void}} */
  const keys = {
    ArrowLeft: () => jump(replay, actTimes(replay), -1),
    ArrowRight: () => jump(replay, actTimes(replay), 1),
    PageUp: () => jump(replay, momentTimes(replay), 1),
    PageDown: () => jump(replay, momentTimes(replay), -1),
    '+': () => change((playback) => changeSpeed(playback, 1)),
    '-': () => change((playback) => changeSpeed(playback, -1)),
    // The space bar presses a button that has the focus.
    ...(target.tagName === 'BUTTON' ? {} : { ' ': () => change(togglePlaying) }),
  };
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Show a round: this player and the best other one. @param {Replay} replay @param {RoundCourse} round @param {number} me this player's seat, or -1 */
function show(replay, round, me) {
  replay.roundId = { code: round.room, n: round.n };
  replay.moments = moments(round);
  const order = round.ranking.map(({ seat }) => seat);
  const thisPlayer = order.includes(me) ? [me] : [];
  const chosen = [...thisPlayer, ...order.filter((seat) => seat !== me)].slice(0, 2);
  replay.sides.forEach((side, i) => {
    side.setGames(round, chosen[i]);
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
  replay.playback = playback;
  const { sides, transport, list } = replay;
  for (const side of sides) side.update(playback);
  updateTransport(transport, playback);
  const last = replay.moments.findLastIndex((moment) => moment.ms <= playback.ms);
  Array.from(list.children).forEach((item, i) => {
    if (i === last) item.setAttribute('aria-current', 'true');
    else item.removeAttribute('aria-current');
  });
}

/** Draw the buttons, the slider and the speed. @param {Transport} transport @param {Playback} playback */
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
 * @param {() => void} onChoose another game was chosen
 * @param {() => void} onEnlarge
 */
function bindSide(side, onChoose, onEnlarge) {
  const words = strings.REPLAY;
  const select = h('select', {
    id: `board-${side}`,
    'aria-label': words[side],
    onchange: onChoose,
  });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures', 'data-part': 'figures' });
  const act = h('p', { class: 'small-text replay-act', 'data-part': 'act' });
  const enlargeButton = h('button', {
    type: 'button',
    class: 'board-enlarge',
    'data-action': 'enlarge',
    'aria-pressed': 'false',
    onclick: onEnlarge,
  });
  const view = h('div', { class: 'replay-view' }, board.element, enlargeButton);
  const element = h('div', { class: 'replay-side' }, select, figures, view, act);
  /** @type {Tape | null} */
  let tape = null;
  let shown = -1;

  return {
    element,
    enlargeButton,
    tape: () => tape,
    /** Set the games to choose from, and choose one. @param {RoundCourse} round @param {number | undefined} seat */
    setGames(round, seat) {
      element.hidden = seat === undefined;
      const options = round.ranking.map(({ seat: value, name }) =>
        h('option', { value, text: name }),
      );
      select.replaceChildren(...options);
      if (seat !== undefined) select.value = String(seat);
    },
    /** Fetch the chosen game. @param {RoundId} roundId @param {() => void} ready */
    fetch(roundId, ready) {
      const seat = Number(select.value);
      if (element.hidden || tape?.replay.seat === seat) return;
      element.dataset.seat = String(seat);
      enlargeButton.setAttribute(
        'aria-label',
        strings.enlarge(select.selectedOptions[0]?.text ?? ''),
      );
      fetchReplay(roundId, seat).then(
        (found) => {
          if (Number(select.value) !== seat) return;
          tape = makeTape(found);
          shown = -1;
          ready();
        },
        () => write(act, words.failed),
      );
    },
    /** Show the board at the time of a playback. @param {Playback} playback */
    update({ ms }) {
      if (!tape) return;
      const acts = actsAt(tape, ms);
      if (acts === shown) return;
      const table = tableAt(tape, ms);
      board.update(table, Math.abs(acts - shown) <= MAX_GLIDING);
      shown = acts;
      write(figures, strings.figures(table));
      const { text, aside } = describeAct(tape, acts);
      writeSpoken(act, text, aside);
    },
    unbind: board.unbind,
  };
}

/** Return what the last of so many acts did, and the part that only screen readers need. @param {Tape} tape @param {number} count */
function describeAct({ replay, tables }, count) {
  const step = replay.steps[count - 1];
  if (!step) return { text: strings.REPLAY.dealt, aside: '' };
  if (count === tables.length - 1 && replay.acts > replay.steps.length)
    return { text: strings.REPLAY.cut, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' };
  const [before, after] = [tables[count - 1]?.piles ?? [], tables[count]?.piles ?? []];
  return {
    text: strings.actDone(action, before, after),
    aside: strings.actAside(action, before, after),
  };
}
