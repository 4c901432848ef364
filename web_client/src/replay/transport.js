// The buttons of a replay, its slider and its menu of speeds.

import { strings } from '../strings/language.js';
import { h, svg, write } from '../widgets/element.js';
import { SPEEDS, togglePlaying } from './playback.js';

/**
 * @import {Change, Playback} from './playback.js'
 * @typedef {ReturnType<typeof makeTransport>} Transport
 */

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

/**
 * Make the buttons, the slider and the menu of speeds.
 * @param {Change} change
 * @param {(ms: number) => void} seek
 * @param {Record<'act' | 'moment', (direction: 1 | -1) => void>} jumpTo goes to the next act or moment, or
 *   to the one before
 */
export function makeTransport(change, seek, jumpTo) {
  const words = strings.REPLAY;
  /** Make a button with a picture. @param {string} id @param {SVGElement} picture @param {string} label @param {() => void} onclick */
  const button = (id, picture, label, onclick) =>
    h('button', { id, 'data-tool': id, title: label, 'aria-label': label, onclick }, picture);
  const play = button('replay-play', SIGNS.play(), words.play, () => change(togglePlaying));
  const slider = h('input', {
    class: 'replay-at',
    id: 'replay-at',
    type: 'range',
    min: 0,
    step: 'any',
    'aria-label': words.at,
  });
  slider.addEventListener('input', () => seek(Number(slider.value)));
  const time = h('span', { class: 'replay-time' });
  const speed = h(
    'select',
    { class: 'replay-speed', id: 'replay-speed', 'aria-label': words.speed },
    ...SPEEDS.map((value) => h('option', { value, text: strings.times(value) })),
  );
  speed.addEventListener('change', () =>
    change((playback) => ({ ...playback, speed: Number(speed.value) })),
  );
  const { before, back, on, after } = words;
  const element = h(
    'div',
    { class: 'replay-transport' },
    button('replay-before', SIGNS.before(), before, () => jumpTo.moment(-1)),
    button('replay-back', SIGNS.back(), back, () => jumpTo.act(-1)),
    play,
    button('replay-on', SIGNS.on(), on, () => jumpTo.act(1)),
    button('replay-after', SIGNS.after(), after, () => jumpTo.moment(1)),
    slider,
    time,
    speed,
  );
  return { element, play, slider, time, speed };
}

/** Draw the buttons, the slider and the speed. @param {Transport} transport @param {Playback} playback */
export function updateTransport({ play, slider, time, speed }, playback) {
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
