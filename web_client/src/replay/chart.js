// The chart of the scores of all players over time. It shows the page's time as a line; a pointer and
// the keys of a slider set it.

import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h, svg, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';
import { marker } from './line-marker.js';
import { linear, niceTicks, stepPath, timeTicks } from './scale.js';
import {
  endOf,
  indexAt,
  lastLeader,
  leads,
  lengthOf,
  moments,
  nextTime,
  scoreAt,
} from './scores-over-time.js';

/**
 * @import {Course, GameReview, RoundCourse} from '../contract/messages.d.ts'
 * @typedef {{course: Course, style: number, colour: string, own: boolean, until: number}} Line `until` is the end of
 *   the game, in ms
 * @typedef {(value: number) => number} Scale
 * @typedef {ReturnType<typeof makeView>} View
 * @typedef {object} Chart
 * @property {View} view
 * @property {(ms: number) => void} seek
 * @property {RoundCourse | null} round
 * @property {Line[]} lines
 * @property {ReadonlyMap<number, GameReview>} reviewed the games that were reviewed, by seat
 * @property {number} length of the race, in ms
 * @property {number} shownMs the page's time
 * @property {number | null} pointerMs the time under the pointer
 * @property {{width: number, height: number}} size
 * @property {Scale} x
 * @property {Scale} y
 * @property {SVGElement} cursor the line of the time
 */

const MAX_LINES = 8;
const MAX_SCORE_TICKS = 5;
/** The least distance between two times on the axis. */
const TIME_TICK_PX = 90;
const MAX_TABLE_TIMES = 6;
/** The room around the lines, in px. */
const EDGE = { left: 46, right: 14, top: 12, bottom: 26 };
/** A step of the slider, as a part of the race. */
const STEP = 1 / 100;
/** The height of the chart, as a part of its width. */
const HEIGHT = 0.42;
const MIN_HEIGHT_PX = 180;
const MAX_HEIGHT_PX = 300;

/** Bind an empty chart. @param {(ms: number) => void} seek sets the page's time */
export function bindChart(seek) {
  const view = makeView();
  const { plot } = view;
  /** @type {Chart} */
  const chart = {
    view,
    seek,
    round: null,
    lines: [],
    reviewed: new Map(),
    length: 1,
    shownMs: 0,
    pointerMs: null,
    size: { width: 0, height: 0 },
    x: linear(0, 1, 0, 1),
    y: linear(0, 1, 0, 1),
    cursor: svg('g'),
  };
  const watcher = new ResizeObserver(() => {
    if (plot.clientWidth !== chart.size.width) draw(chart);
  });
  watcher.observe(plot);
  plot.addEventListener('pointermove', (event) => {
    chart.pointerMs = timeAt(chart, event);
    if (event.buttons > 0) seek(chart.pointerMs);
    drawTime(chart);
  });
  plot.addEventListener('pointerleave', () => {
    chart.pointerMs = null;
    drawTime(chart);
  });
  plot.addEventListener('click', (event) => seek(timeAt(chart, event)));
  plot.addEventListener('keydown', (event) => pressKey(chart, event));
  return {
    element: view.element,
    /** Show a round. @param {RoundCourse} round @param {number} me this player's seat, or -1 */
    show: (round, me) => show(chart, round, me),
    /** Mark the last known wins. @param {ReadonlyMap<number, GameReview>} reviewed by seat */
    setReview(reviewed) {
      chart.reviewed = reviewed;
      view.knownNote.hidden = !chart.lines.some((line) => knownUntil(chart, line) !== null);
      draw(chart);
    },
    /** Show another time of the page; a win may end after the race. @param {number} ms */
    setTime(ms) {
      chart.shownMs = Math.min(chart.length, ms);
      drawTime(chart);
    },
    /** Set the focus to the slider of the time. */
    focus: () => plot.focus({ preventScroll: true }),
    unbind: () => watcher.disconnect(),
  };
}

/** Make the elements. */
function makeView() {
  const words = strings.CHART;
  const drawing = svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
  const plot = h('div', {
    class: 'chart-plot',
    role: 'slider',
    tabindex: '0',
    'aria-valuemin': 0,
    'aria-label': words.moment,
  });
  plot.append(drawing);
  const summary = h('p', { class: 'text-small', id: 'chart-summary' });
  const legend = h('ul', { class: 'chart-legend' });
  const sample = svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' });
  sample.append(knownMark(10, 10));
  const knownNote = h('p', { class: 'text-small chart-known', id: 'chart-known', hidden: true });
  knownNote.append(sample, words.known);
  const table = h('table', { class: 'chart-scores', id: 'scores' });
  const scroll = h(
    'div',
    { class: 'chart-scroll', role: 'group', tabindex: '0', 'aria-label': words.table },
    table,
  );
  const element = h(
    'section',
    { class: 'panel chart', id: 'chart', 'aria-labelledby': 'chart-title' },
    h('h2', { id: 'chart-title', text: words.title }),
    summary,
    plot,
    legend,
    knownNote,
    h('details', {}, h('summary', { text: words.table }), scroll),
  );
  return { element, drawing, plot, summary, legend, knownNote, table };
}

/** Show a round. @param {Chart} chart @param {RoundCourse} round @param {number} me this player's seat, or -1 */
function show(chart, round, me) {
  const { view } = chart;
  chart.round = round;
  chart.length = lengthOf(round);
  const order = round.ranking.map(({ seat }) => seat);
  // The best players are shown; this player replaces the last of them, if need be.
  const chosen = order.filter((seat, i) => i < MAX_LINES || seat === me).slice(0, MAX_LINES + 1);
  if (chosen.length > MAX_LINES) chosen.splice(MAX_LINES - 1, 1);
  const colours = coloursOf(null, round);
  chart.lines = chosen.flatMap((seat, style) => {
    const course = round.courses.find((each) => each.seat === seat);
    const until = endOf(round, seat);
    return course ? [{ course, style, colour: colours(seat), own: seat === me, until }] : [];
  });
  view.plot.setAttribute('aria-valuemax', String(Math.round(chart.length / 1_000)));
  const changes = leads(round).length - 1;
  const leaderSeat = lastLeader(round);
  const leader = round.courses.find(({ seat }) => seat === leaderSeat)?.name ?? '';
  const players = round.courses.length;
  write(
    view.summary,
    strings.chartSummary(chart.length, changes, leader, chart.lines.length, players),
  );
  view.legend.replaceChildren(
    ...chart.lines.map((line) =>
      legendItem(line, round.ranking.length === 1, round.programs.includes(line.course.seat)),
    ),
  );
  drawTable(chart);
  draw(chart);
}

/** Draw the lines at the present width. @param {Chart} chart */
function draw(chart) {
  const { view, round, lines, length } = chart;
  const width = view.plot.clientWidth;
  if (!round || width === 0) return;
  const height = Math.round(Math.min(MAX_HEIGHT_PX, Math.max(MIN_HEIGHT_PX, width * HEIGHT)));
  chart.size = { width, height };
  const { left, right, top, bottom } = EDGE;
  const scores = lines.flatMap(({ course }) => course.score);
  const ticks = niceTicks(Math.min(...scores), Math.max(...scores), MAX_SCORE_TICKS);
  const x = linear(0, length, left, width - right);
  const y = linear(ticks[0] ?? 0, ticks.at(-1) ?? 1, height - bottom, top);
  Object.assign(chart, { x, y, cursor: svg('g', { class: 'chart-now' }) });
  const grid = ticks.flatMap((score) => [
    svg('line', { class: 'chart-grid', x1: left, x2: width - right, y1: y(score), y2: y(score) }),
    svg('text', { x: left - 8, y: y(score) + 4, 'text-anchor': 'end' }, score),
  ]);
  const times = timeTicks(length, width / TIME_TICK_PX).map((ms) =>
    svg('text', { x: x(ms), y: height - 6, 'text-anchor': 'middle' }, strings.clock(ms)),
  );
  // This player's own line is drawn last, on top of the others, and the best before it.
  const drawn = lines.toReversed().toSorted((a, b) => Number(a.own) - Number(b.own));
  view.drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const paths = drawn.map((line) => drawLine(chart, line));
  view.drawing.replaceChildren(...grid, ...times, ...paths, chart.cursor);
  drawTime(chart);
}

/** Return the attributes of a line: the style is its colour, dash and shape. @param {Line} line */
const looksOf = ({ style, colour, own }) => ({
  class: 'mark-tone',
  'data-line': style,
  'data-colour': colour,
  ...(own && { 'data-own': '' }),
});

/** Draw the line of a player, with a marker at each complete suit and at its end. @param {Chart} chart @param {Line} line */
function drawLine(chart, line) {
  const { x, y } = chart;
  const { course, colour, until } = line;
  const known = knownUntil(chart, line);
  const path = stepPath(course.ms.map(x), course.score.map(y), x(until));
  const suitIndexes = course.suits.flatMap((n, i) => (n > (course.suits[i - 1] ?? 0) ? [i] : []));
  return svg(
    'g',
    looksOf(line),
    svg('path', { class: 'chart-path', 'data-part': 'line', d: path }),
    ...suitIndexes.map((i) => marker(colour, x(course.ms[i] ?? 0), y(course.score[i] ?? 0), 4)),
    marker(colour, x(until), y(course.score.at(-1) ?? 0), 6),
    ...(known === null ? [] : [knownMark(x(known), y(scoreAt(course, known)))]),
  );
}

/** Return the time until which a win was known to a player, or null. @param {Chart} chart @param {Line} line */
function knownUntil({ reviewed }, { course, until }) {
  const game = reviewed.get(course.seat);
  return game?.to_the_end ? until : (game?.known_ms ?? null);
}

/** Make the mark of the last known win: a ring around a point of a line. @param {number} x @param {number} y */
const knownMark = (x, y) =>
  svg('circle', { class: 'chart-known-mark', 'data-part': 'known', cx: x, cy: y, r: 8 });

/** Show the scores of the time under the pointer, or else of the page's time. @param {Chart} chart */
function drawTime({ view, round, lines, pointerMs, shownMs, size, x, y, cursor }) {
  if (!round) return;
  const ms = Math.round(pointerMs ?? shownMs);
  const scores = lines.map(({ course }) => ({ name: course.name, score: scoreAt(course, ms) }));
  view.legend.querySelectorAll('[data-part=value]').forEach((value, i) => {
    write(value, String(scores[i]?.score ?? ''));
  });
  if (pointerMs === null) {
    view.plot.setAttribute('aria-valuenow', String(Math.round(ms / 1_000)));
    view.plot.setAttribute('aria-valuetext', strings.chartAt(ms, scores));
  }
  const timeX = x(ms);
  const dots = lines.flatMap(({ course, colour, until }, i) =>
    ms > until || ms < (course.ms[0] ?? 0)
      ? []
      : [marker(colour, timeX, y(scores[i]?.score ?? 0), 5)],
  );
  const time = svg(
    'text',
    {
      x: Math.min(size.width - EDGE.right, Math.max(EDGE.left, timeX)),
      y: EDGE.top - 2,
      'text-anchor': timeX > size.width / 2 ? 'end' : 'start',
    },
    strings.clock(ms),
  );
  const bar = svg('line', { x1: timeX, x2: timeX, y1: EDGE.top, y2: size.height - EDGE.bottom });
  cursor.replaceChildren(bar, ...dots, time);
}

/** Return the time under a pointer. @param {Chart} chart @param {MouseEvent} event */
function timeAt({ view, size, length }, event) {
  const { left, width } = view.plot.getBoundingClientRect();
  const right = width - EDGE.right;
  const ms = linear(EDGE.left, right, 0, length)(event.clientX - left);
  return size.width === 0 ? 0 : Math.min(length, Math.max(0, ms));
}

/** Set the time by a key of the slider. @param {Chart} chart @param {KeyboardEvent} event */
function pressKey({ round, shownMs, length, seek }, event) {
  const jumps = round ? moments(round).map(({ ms }) => ms) : [];
  /** @type {{[key: string]: number}} */
  const keys = {
    ArrowRight: shownMs + length * STEP,
    ArrowUp: shownMs + length * STEP,
    ArrowLeft: shownMs - length * STEP,
    ArrowDown: shownMs - length * STEP,
    PageUp: nextTime(jumps, shownMs, 1) ?? length,
    PageDown: nextTime(jumps, shownMs, -1) ?? 0,
    Home: 0,
    End: length,
  };
  const target = keys[event.key];
  if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  seek(target);
}

/** Make the item of a line in the legend. @param {Line} line @param {boolean} alone whether nobody else has played @param {boolean} isProgram */
function legendItem(line, alone, isProgram) {
  const { course, colour, own } = line;
  const sample = svg('svg', {
    viewBox: '0 0 34 16',
    'aria-hidden': 'true',
    ...looksOf(line),
  });
  const path = svg('line', { class: 'chart-path', x1: 0, x2: 34, y1: 8, y2: 8 });
  sample.append(path, marker(colour, 17, 8, 5));
  const value = h('span', { class: 'chart-value', 'data-part': 'value' });
  const text = own && !alone ? strings.you(course.name) : course.name;
  const name = h('span', { class: 'text-cut chart-name', dir: 'auto' });
  writeName(name, text, isProgram ? null : undefined, colour);
  const item = h('li', {}, name, value);
  item.dataset.seat = String(course.seat);
  item.prepend(sample);
  return item;
}

/** Draw the same scores as a table. @param {Chart} chart */
function drawTable({ view, lines, length }) {
  const words = strings.CHART;
  const times = timeTicks(length, MAX_TABLE_TIMES).filter((ms) => ms < length);
  const headings = [words.player, ...times.map(strings.clock), words.end];
  const rows = lines.map(({ course }) => {
    const scores = [...times, length].map((ms) => course.score[indexAt(course.ms, ms)] ?? 0);
    const cells = scores.map((score) => h('td', { text: score }));
    return h('tr', {}, h('th', { scope: 'row', text: course.name }), ...cells);
  });
  view.table.replaceChildren(
    h('thead', {}, h('tr', {}, ...headings.map((text) => h('th', { scope: 'col', text })))),
    h('tbody', {}, ...rows),
  );
}
