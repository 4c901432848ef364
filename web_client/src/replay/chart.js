// The chart of the scores of all players over time, with the moments of the race as marks on the lines.
// It shows the page's time as a line; a pointer sets it, and the keys of the slider below.

import { coloursOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, svg, write } from '../widgets/element.js';
import { endOf, indexAt, lastLeader, leads, lengthOf, scoreAt } from './course.js';

/**
 * @import {Course, GameReview, RoundCourse} from '../contract/messages.d.ts'
 * @import {Moment} from './course.js'
 * @typedef {object} Line
 * @property {Course} course
 * @property {string} dashes
 * @property {string} colour of the player, which has a shape too
 * @property {boolean} own
 * @property {number} until the end of the game, in ms
 * @property {HTMLElement} value the score in the legend
 */

/** The times between two ticks of the axis, in seconds. */
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 36_000];

/**
 * Return round numbers at equal distances; the first and the last enclose `low` and `high`.
 * @param {number} low
 * @param {number} high
 * @param {number} mostSteps
 */
export function niceTicks(low, high, mostSteps) {
  const leastStep = Math.max(1, (high - low) / mostSteps);
  const power = 10 ** Math.floor(Math.log10(leastStep));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= leastStep) ?? leastStep;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Return round times of a race. @param {number} length of the race in milliseconds @param {number} mostSteps @returns {number[]} */
export function timeTicks(length, mostSteps) {
  const step = 1_000 * (STEPS_S.find((s) => length / (1_000 * s) <= mostSteps) ?? length / 1_000);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step);
}

/** Return a linear scale. @param {number} from @param {number} to @param {number} start where `from` lies @param {number} end where `to` lies */
export const linear = (from, to, start, end) => (/** @type {number} */ value) =>
  start + ((value - from) / (to - from || 1)) * (end - start);

/** Round a coordinate: more decimals only make a path longer. @param {number} x */
const px = (x) => Math.round(x * 10) / 10;

const DISC = 'M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0z';
/** The shapes of the players' marks (`css/mark.css`) around 0,0, each with about the area of a circle of radius 1: lines differ by more than their colour. @type {Record<string, string>} */
const SHAPES = {
  blue: DISC,
  red: 'M0-1.3 1.2.9H-1.200z',
  green: 'M-1-1H1V1H-1z',
  violet: 'M0-1.4.4-.4 1.4-.4.6.3.9 1.3 0 .7-.9 1.3-.6.3-1.4-.4-.4-.4z',
  teal: 'M-.5-1.300H.5V-.5H1.300V.5H.5V1.300H-.5V.5H-1.300V-.5H-.5z',
  pink: `${DISC}M-.4 0a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0z`,
  gold: 'M-1.1-1.100H-.3V1.100H-1.100zM.3-1.100H1.100V1.100H.3z',
  copper: 'M-1.3.2 0-1 1.3.2V1.100L0 0-1.3 1.100z',
};

/** Draw the marker of a line at a point. @param {string} colour @param {number} x @param {number} y @param {number} radius */
const marker = (colour, x, y, radius) =>
  svg('path', {
    class: 'replay-marker mark-tone',
    'data-colour': colour,
    'fill-rule': 'evenodd',
    d: SHAPES[colour] ?? DISC,
    transform: `translate(${px(x)} ${px(y)})scale(${radius})`,
  });

/** Draw the mark of the last known win: a ring around a point of a line. @param {number} cx @param {number} cy */
const knownMark = (cx, cy) =>
  svg('circle', { class: 'replay-ring', 'data-part': 'known', cx, cy, r: 8 });

/** The dashes of the lines, from the best player on. */
const DASHES = ['none', '9 4', '2 4', '12 4 2 4', '6 6', '16 5', '4 3 1 3', '1 3'];

/** Return the attributes of a line. @param {Pick<Line, 'dashes' | 'colour' | 'own'>} line */
const looksOf = ({ dashes, colour, own }) => ({
  class: 'mark-tone',
  'stroke-dasharray': dashes,
  'data-colour': colour,
  ...(own && { 'data-own': '' }),
});

const MAX_SCORE_TICKS = 5;
/** The least distance between two times on the axis. */
const TIME_TICK_PX = 90;
const MAX_TABLE_TIMES = 6;
/** The room around the lines, in px. */
const EDGE = { left: 46, right: 14, top: 12, bottom: 26 };
/** The height of the chart, as a part of its width. */
const HEIGHT = 0.42;
const [MIN_HEIGHT_PX, MAX_HEIGHT_PX] = [180, 300];

/** Bind an empty chart. @param {(ms: number) => void} seek sets the page's time */
export function bindChart(seek) {
  const words = strings.CHART;
  const drawing = svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
  const plot = h('div', { class: 'replay-plot', 'data-part': 'plot' }, drawing);
  const summary = h('p', { class: 'text-small', id: 'chart-summary' });
  const legend = h('ul', { class: 'replay-legend' });
  const sample = svg('svg', { viewBox: '0 0 34 20', 'aria-hidden': 'true' }, knownMark(17, 10));
  const knownNote = h(
    'li',
    { class: 'text-small', id: 'chart-known', hidden: true },
    sample,
    words.known,
  );
  const table = h('table', { class: 'replay-scores', id: 'scores' });
  const scroll = { class: 'replay-scroll', role: 'group', tabindex: 0, 'aria-label': words.table };
  /** @type {Line[]} */
  let lines = [];
  /** @type {readonly Moment[]} */
  let moments = [];
  /** The games that were reviewed. @type {readonly GameReview[]} */
  let reviewed = [];
  let length = 1;
  let pageMs = 0;
  /** The time under the pointer. @type {number | null} */
  let pointerMs = null;
  let [width, height] = [0, 0];
  let x = linear(0, 1, 0, 1);
  let y = linear(0, 1, 0, 1);
  let cursor = svg('g');

  /** Return the time until which a win was known to a player, or null. @param {Line} line */
  function knownUntil({ course, until }) {
    const game = reviewed.find(({ seat }) => seat === course.seat);
    return game?.to_the_end ? until : (game?.known_ms ?? null);
  }

  /** Make the line of a player, and its item in the legend. @param {RoundCourse} round @param {number} seat @param {number} me @param {string} dashes */
  function makeLine(round, seat, me, dashes) {
    const course = round.courses.find((each) => each.seat === seat);
    if (!course) return [];
    const colour = coloursOf(null, round)(seat);
    const looks = { dashes, colour, own: seat === me };
    const value = h('span', { class: 'replay-value', 'data-part': 'value' });
    const name = h('span', { class: 'text-cut replay-name', dir: 'auto' });
    const text = seat === me && round.ranking.length > 1 ? strings.you(course.name) : course.name;
    writeName(name, text, round.programs.includes(seat) ? null : undefined, colour);
    const line = svg(
      'svg',
      { viewBox: '0 0 34 16', 'aria-hidden': 'true', ...looksOf(looks) },
      svg('line', { class: 'replay-path', x1: 0, x2: 34, y1: 8, y2: 8 }),
      marker(colour, 17, 8, 5),
    );
    legend.append(h('li', { 'data-seat': seat }, line, name, value));
    return [{ course, ...looks, until: endOf(round, seat), value }];
  }

  /** Write the same scores as a table. */
  function writeTable() {
    const times = timeTicks(length, MAX_TABLE_TIMES).filter((ms) => ms < length);
    const headings = [words.player, ...times.map(strings.clock), words.end];
    const rows = lines.map(({ course }) => {
      const scores = [...times, length].map((ms) => course.score[indexAt(course.ms, ms)] ?? 0);
      const cells = scores.map((score) => h('td', { text: score }));
      return h('tr', {}, h('th', { scope: 'row', text: course.name }), ...cells);
    });
    table.replaceChildren(
      h('thead', {}, h('tr', {}, ...headings.map((text) => h('th', { scope: 'col', text })))),
      h('tbody', {}, ...rows),
    );
  }

  /** Draw the line of a player, with a mark at each of its moments and at its end. @param {Line} line */
  function drawLine(line) {
    const { course, colour, until } = line;
    const known = knownUntil(line);
    const at = (/** @type {number} */ ms) => /** @type {const} */ ([x(ms), y(scoreAt(course, ms))]);
    const marks = moments.filter(
      ({ seat, kind }) => seat === course.seat && (kind === 'suit' || kind === 'lead'),
    );
    // The line is level until the score changes, and from the last change to the end.
    const steps = course.ms.map((ms, i) => {
      const [across, up] = i === 0 ? ['M', ' '] : ['H', 'V'];
      return across + px(x(ms)) + up + px(y(course.score[i] ?? 0));
    });
    const d = `${steps.join('')}H${px(x(until))}`;
    return svg(
      'g',
      looksOf(line),
      svg('path', { class: 'replay-path', 'data-part': 'line', d }),
      ...marks.map(({ ms }) => marker(colour, ...at(ms), 4)),
      marker(colour, ...at(until), 6),
      ...(known === null ? [] : [knownMark(...at(known))]),
    );
  }

  /** Draw the lines at the present width. */
  function draw() {
    width = plot.clientWidth;
    if (lines.length === 0 || width === 0) return;
    height = Math.round(Math.min(MAX_HEIGHT_PX, Math.max(MIN_HEIGHT_PX, width * HEIGHT)));
    const { left, right, top, bottom } = EDGE;
    const scores = lines.flatMap(({ course }) => course.score);
    const ticks = niceTicks(Math.min(...scores), Math.max(...scores), MAX_SCORE_TICKS);
    x = linear(0, length, left, width - right);
    y = linear(ticks[0] ?? 0, ticks.at(-1) ?? 1, height - bottom, top);
    cursor = svg('g', { class: 'replay-now' });
    const grid = ticks.flatMap((score) => [
      svg('line', {
        class: 'replay-grid',
        x1: left,
        x2: width - right,
        y1: y(score),
        y2: y(score),
      }),
      svg('text', { x: left - 8, y: y(score) + 4, 'text-anchor': 'end' }, score),
    ]);
    const times = timeTicks(length, width / TIME_TICK_PX).map((ms) =>
      svg('text', { x: x(ms), y: height - 6, 'text-anchor': 'middle' }, strings.clock(ms)),
    );
    // This player's own line is drawn last, on top of the others, and the best before it.
    const drawn = lines.toReversed().toSorted((a, b) => Number(a.own) - Number(b.own));
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.replaceChildren(...grid, ...times, ...drawn.map(drawLine), cursor);
    drawTime();
  }

  /** Show the scores of the time under the pointer, or else of the page's time. */
  function drawTime() {
    const ms = Math.min(length, Math.round(pointerMs ?? pageMs));
    for (const { course, value } of lines) write(value, String(scoreAt(course, ms)));
    const now = x(ms);
    const dots = lines
      .filter(({ course, until }) => ms <= until && ms >= (course.ms[0] ?? 0))
      .map(({ course, colour }) => marker(colour, now, y(scoreAt(course, ms)), 5));
    const place = {
      x: Math.min(width - EDGE.right, Math.max(EDGE.left, now)),
      y: EDGE.top - 2,
      'text-anchor': now > width / 2 ? 'end' : 'start',
    };
    cursor.replaceChildren(
      svg('line', { x1: now, x2: now, y1: EDGE.top, y2: height - EDGE.bottom }),
      ...dots,
      svg('text', place, strings.clock(ms)),
    );
  }

  /** Return the time under a pointer. @param {MouseEvent} event */
  function timeAt({ clientX }) {
    const { left, width: shown } = plot.getBoundingClientRect();
    const ms = linear(EDGE.left, shown - EDGE.right, 0, length)(clientX - left);
    return Math.min(length, Math.max(0, ms));
  }

  plot.addEventListener('pointermove', (event) => {
    pointerMs = timeAt(event);
    if (event.buttons > 0) seek(pointerMs);
    drawTime();
  });
  plot.addEventListener('pointerleave', () => {
    pointerMs = null;
    drawTime();
  });
  plot.addEventListener('click', (event) => seek(timeAt(event)));
  const watcher = new ResizeObserver(() => {
    if (plot.clientWidth !== width) draw();
  });
  watcher.observe(plot);

  return {
    element: h('div', { class: 'replay-chart', id: 'chart' }, summary, legend, plot),
    /** The same scores as a table. */
    table: h(
      'details',
      { id: 'scores-fold' },
      h('summary', { text: words.table }),
      h('div', scroll, table),
    ),
    /** Show a round. @param {RoundCourse} round @param {number} me this player's seat, or -1 */
    show(round, me) {
      length = lengthOf(round);
      // The best players are shown; this player replaces the last of them, if need be.
      const order = round.ranking.map(({ seat }) => seat);
      const best = order
        .filter((seat, i) => i < DASHES.length || seat === me)
        .slice(0, DASHES.length + 1);
      if (best.length > DASHES.length) best.splice(DASHES.length - 1, 1);
      legend.replaceChildren();
      lines = best.flatMap((seat, i) => makeLine(round, seat, me, DASHES[i] ?? 'none'));
      legend.append(knownNote);
      const last = round.courses.find(({ seat }) => seat === lastLeader(round))?.name ?? '';
      const changes = leads(round).length - 1;
      const counts = { lines: lines.length, players: round.courses.length };
      write(summary, strings.chartSummary({ ms: length, changes, last, ...counts }));
      writeTable();
    },
    /** Mark moments, and the last known wins. @param {readonly Moment[]} all @param {readonly GameReview[]} games */
    mark(all, games) {
      moments = all;
      reviewed = games;
      knownNote.hidden = lines.every((line) => knownUntil(line) === null);
      draw();
    },
    /** Show another time of the page; a win may end after the race. @param {number} ms */
    setTime(ms) {
      pageMs = ms;
      drawTime();
    },
    /** Return the scores at the page's time in a sentence. */
    spoken() {
      const scores = lines.map(({ course }) => `${course.name} ${scoreAt(course, pageMs)}`);
      return `${strings.clock(pageMs)}: ${scores.join(', ')}`;
    },
    unbind: () => watcher.disconnect(),
  };
}
