// The chart of all scores over time: a line for each player, with marks at its moments and its end. It shows the time
// of the replay, which a press on the chart changes. Positions are in percent of the chart's size, which the style
// sheet sets.

import { coloursOf, isGhostSeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set, svg, tableHead, tableRow } from '../widgets/element.js';
import { seatMark, writeName } from '../widgets/names.js';
import { endOf, lastLeader, leads, lengthOf, scoreAt } from './course.js';

/**
 * @import {Course, RoundCourse} from '../contract/messages.d.ts'
 * @import {Moment} from './course.js'
 * @typedef {ReturnType<typeof makeChart>} Chart
 * @typedef {object} Line the line of a player
 * @property {Course} course
 * @property {number} until the end of the game, in ms
 * @property {SVGElement} path
 * @property {() => HTMLElement} makeMark makes a mark in the player's colour
 * @property {HTMLElement} dot the mark at the time that is shown
 * @property {HTMLElement} value the score at that time, in the legend
 */

/** The possible distances between two scores on the axis. */
const SCORE_STEPS = [1, 10, 100, 1_000, 10_000].flatMap((n) => [n, 2 * n, 5 * n]);
/** The possible distances between two times on the axis, in ms. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000].map(
  (seconds) => seconds * 1_000,
);
const MAX_STEPS = 6;
const MAX_SCORE_STEPS = 3;
/** Show at most this many lines: each has a mark at its end, and there is no room for more marks. */
const MAX_LINES = 8;
/** The size of a mark, in percent of the chart's size on a phone. */
const MARK_SIZE = { x: 6, y: 11 };
const MARKED_KINDS = new Set(['suit', 'lead', 'missed']);

/**
 * Return the evenly spaced values to label on an axis, from `low` or less to `high` or more.
 * @param {number} low @param {number} high @param {readonly number[]} steps the distances to choose from
 */
export function ticks(low, high, steps, maxSteps = MAX_STEPS) {
  const minStep = (high - low) / maxSteps;
  const step = steps.find((each) => each >= minStep) ?? minStep;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step)); // an axis has two ends, even for one score
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Return the times that the axis of a race shows, in ms. @param {number} length of the race in ms */
export const timesOf = (length) => ticks(0, length, TIME_STEPS).filter((ms) => ms <= length);

/** Return a fraction in percent, rounded to two decimals to keep paths short. @param {number} fraction */
const percent = (fraction) => Math.round(fraction * 10_000) / 100;

/** Return the best players' courses and this player's. @param {RoundCourse} round @param {number} me a seat, or -1 */
function coursesToShow({ ranking, courses }, me) {
  const seats = ranking.map(({ seat }) => seat).filter((seat, i) => i < MAX_LINES || seat === me);
  if (seats.length > MAX_LINES) seats.splice(MAX_LINES - 1, 1); // `me` takes the last line
  return seats.flatMap((seat) => courses.filter((each) => each.seat === seat));
}

/**
 * Move marks apart: down if they would cover others, and up again if they would leave the chart.
 * @template {{x: number, y: number}} Mark @param {readonly Mark[]} marks with positions in percent
 * @returns {Mark[]} the moved marks, from top to bottom
 */
export function apart(marks) {
  const placed = marks.map((mark) => ({ ...mark })).toSorted((a, b) => a.y - b.y);
  /** Return the marks that overlap a mark sideways. @param {Mark} mark @param {Mark[]} others */
  const near = (mark, others) => others.filter(({ x }) => Math.abs(x - mark.x) < MARK_SIZE.x);
  for (const [i, mark] of placed.entries()) {
    const above = near(mark, placed.slice(0, i));
    mark.y = Math.max(mark.y, ...above.map(({ y }) => y + MARK_SIZE.y));
  }
  for (const [i, mark] of [...placed.entries()].toReversed()) {
    const below = near(mark, placed.slice(i + 1));
    mark.y = Math.min(mark.y, 100, ...below.map(({ y }) => y - MARK_SIZE.y));
  }
  return placed;
}

/** Make the object that holds an empty chart's elements and state. */
function makeChart() {
  const words = strings.CHART;
  const hidden = { 'aria-hidden': 'true' }; // screen readers have the table instead
  const ring = h('span', { class: 'mark', 'data-kind': 'missed' });
  const table = h('table', { class: 'text-small', id: 'scores' });
  const summary = h('summary', { text: words.table });
  const scroll = { class: 'replay-scroll', role: 'group', tabindex: 0, 'aria-label': words.table };
  return {
    /** The scores in words, for screen readers. */
    summary: h('p', { class: 'text-spoken', id: 'chart-summary' }),
    /** Says how many players have a line, unless all do. */
    few: h('p', { class: 'text-small' }),
    plot: h('div', { class: 'replay-plot', 'data-part': 'plot' }),
    drawing: h('div', hidden),
    marks: h('div', hidden),
    /** A vertical line at the shown time, with a clock and a dot for each player. */
    now: h('div', { class: 'replay-now', ...hidden }),
    clock: h('span', { class: 'replay-clock' }),
    /** A vertical line at the turning point, with a button that goes there. */
    turning: h('div', { class: 'replay-turn', hidden: true }),
    turnButton: h('button', { id: 'decided-see' }),
    legend: h('ul', { class: 'row replay-legend text-small' }),
    /** Explains the mark of a missed win. */
    missedNote: h('p', { class: 'replay-legend text-small', hidden: true }, ring, words.known),
    element: h('div', { id: 'chart' }),
    table,
    /** The same scores as a table, folded. */
    fold: h('details', { id: 'scores-fold' }, summary, h('div', scroll, table)),
    lines: /** @type {Line[]} */ ([]),
    lengthMs: 1,
    replayMs: 0,
    pointerMs: /** @type {number | null} */ (null),
    turningMs: 0,
    /** The ends of the score axis. */
    low: 0,
    high: 1,
  };
}

/**
 * Bind an empty chart; `seek` sets the time of the replay, and `goTo` opens the replay at a time.
 * @param {(ms: number) => void} seek @param {(ms: number) => void} goTo
 */
export function bindChart(seek, goTo) {
  const chart = makeChart();
  const { plot, turnButton } = chart;
  turnButton.addEventListener('click', (event) => {
    event.stopPropagation(); // a press on the chart itself seeks the time there
    goTo(chart.turningMs);
  });
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
  chart.turning.append(turnButton);
  plot.append(chart.drawing, chart.marks, chart.now, chart.turning);
  chart.element.append(chart.summary, chart.few, plot, chart.legend, chart.missedNote);
  return chart;
}

/** Return where a time is, in percent from the left. @param {Chart} chart @param {number} ms */
const xOf = ({ lengthMs }, ms) => percent(ms / lengthMs);

/** Return where a score is, in percent from the top. @param {Chart} chart @param {number} score */
const yOf = ({ low, high }, score) => percent((high - score) / (high - low));

/**
 * Place an element at a time, a score or both.
 * @template {HTMLElement} T @param {Chart} chart @param {T} element @param {{ms?: number, score?: number}} place
 */
function put(chart, element, { ms, score }) {
  if (ms !== undefined) set(element, { '--x': `${xOf(chart, ms)}%` });
  if (score !== undefined) set(element, { '--y': `${yOf(chart, score)}%` });
  return element;
}

/**
 * Make a player's line, and add its item to the legend.
 * @param {Chart} chart @param {RoundCourse} round @param {Course} course @param {number} me this player's seat
 */
function makeLine(chart, round, course, me) {
  const { seat, name } = course;
  const colour = coloursOf(null, round)(seat);
  const isGhost = isGhostSeat(seat);
  const value = h('strong', { 'data-part': 'value' });
  const label = h('span', { class: 'text-cut', dir: 'auto' });
  const text = seat === me && round.ranking.length > 1 ? strings.you(name) : name;
  const program = round.programs.includes(seat) ? null : undefined; // null: of unknown strength
  writeName(label, text, program, colour);
  // The line is level up to each change of the score, and from the last change to the end.
  const steps = course.ms.map((ms, i) => {
    const height = yOf(chart, course.score[i] ?? 0);
    return i === 0 ? `M${xOf(chart, ms)} ${height}` : `H${xOf(chart, ms)}V${height}`;
  });
  const until = endOf(round, seat);
  const looks = { 'data-colour': colour };
  const d = `${steps.join('')}H${xOf(chart, until)}`;
  const path = svg('path', { ...looks, 'data-part': 'line', d });
  if (seat === me) path.dataset.own = '';
  if (isGhost) path.dataset.ghost = '';
  const item = { class: 'line', 'data-seat': seat, 'data-ghost': isGhost };
  chart.legend.append(h('li', item, label, ' ', value));
  const makeMark = () => seatMark(colour, isGhost);
  return { course, makeMark, until, value, dot: makeMark(), path };
}

/** Make the marks at the ends of the lines. @param {Chart} chart */
function makeEnds(chart) {
  const ends = chart.lines.map(({ course, until, makeMark }) => {
    return { x: xOf(chart, until), y: yOf(chart, scoreAt(course, until)), mark: makeMark() };
  });
  return apart(ends).map(({ mark, ...place }) => {
    set(mark, { 'data-end': true, '--x': `${place.x}%`, '--y': `${place.y}%` });
    return mark;
  });
}

/** Write the scores into the table: a row for each line, a column for each time. @param {Chart} chart */
function writeTable({ table, lines, lengthMs }) {
  const words = strings.CHART;
  const times = timesOf(lengthMs).filter((ms) => ms < lengthMs);
  const headings = [words.player, ...times.map(strings.clock), words.end];
  const rows = lines.map(({ course }) => {
    const scores = [...times, lengthMs].map((ms) => scoreAt(course, ms));
    return tableRow([course.name, ...scores]);
  });
  table.replaceChildren(tableHead(headings), h('tbody', {}, ...rows));
}

/** Show the scores at the time under the pointer; without a pointer, at the replay's time. @param {Chart} chart */
function drawTime(chart) {
  const { lines, lengthMs, pointerMs, replayMs, now, clock } = chart;
  const ms = Math.min(lengthMs, Math.round(pointerMs ?? replayMs));
  for (const { course, until, value, dot } of lines) {
    const score = scoreAt(course, ms);
    set(value, { text: String(score) });
    const isGameOn = ms <= until && ms >= (course.ms[0] ?? 0);
    set(put(chart, dot, { score }), { hidden: !isGameOn });
  }
  put(chart, now, { ms });
  set(clock, { text: strings.clock(ms) });
}

/** Return the time under a pointer. @param {Chart} chart @param {MouseEvent} event */
function timeAt({ plot, lengthMs }, { clientX }) {
  const { left, width } = plot.getBoundingClientRect();
  return lengthMs * Math.min(1, Math.max(0, (clientX - left) / width));
}

/** Draw a round. @param {Chart} chart @param {RoundCourse} round @param {number} me this player's seat, or -1 */
export function showChart(chart, round, me) {
  const { drawing, now, clock, summary, few, legend } = chart;
  chart.lengthMs = lengthOf(round);
  const courses = coursesToShow(round, me);
  const all = courses.flatMap(({ score }) => score);
  const scores = ticks(Math.min(...all), Math.max(...all), SCORE_STEPS, MAX_SCORE_STEPS);
  [chart.low, chart.high] = [scores[0] ?? 0, scores.at(-1) ?? 1];
  legend.replaceChildren();
  const lines = courses.map((course) => makeLine(chart, round, course, me));
  chart.lines = lines;
  // Draw this player's line last, on top of the others, and the best one just below it.
  const paths = lines.map(({ path }) => path).toReversed();
  paths.sort((a, b) => Number('own' in a.dataset) - Number('own' in b.dataset));
  const grid = svg('path', { d: scores.map((score) => `M0 ${yOf(chart, score)}H100`).join('') });
  const looks = { class: 'replay-time' };
  drawing.replaceChildren(
    ...scores.slice(1).map((score) => put(chart, h('span', { text: score }), { score })),
    ...timesOf(chart.lengthMs).map((ms) =>
      put(chart, h('span', { ...looks, text: strings.clock(ms) }), { ms }),
    ),
    svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none' }, grid, ...paths),
  );
  now.replaceChildren(clock, ...lines.map(({ dot }) => dot));
  const finalLeader = round.courses.find(({ seat }) => seat === lastLeader(round))?.name ?? '';
  const changes = leads(round).length - 1;
  const players = round.courses.length;
  const figures = { ms: chart.lengthMs, changes, last: finalLeader };
  set(summary, { text: strings.chartSummary(figures) });
  set(few, { hidden: lines.length === players, text: strings.chartFew(lines.length, players) });
  writeTable(chart);
}

/** Mark the turning point of a race, if any. @param {Chart} chart @param {number | null} ms @param {string} [label] */
export function markTurn(chart, ms, label = strings.clock(ms ?? 0)) {
  const { turning, turnButton } = chart;
  chart.turningMs = ms ?? 0;
  set(put(chart, turning, { ms: chart.turningMs }), { hidden: ms === null });
  set(turnButton, { text: label, 'aria-label': `${strings.REPLAY.open}: ${label}` });
}

/** Mark moments and the ends of games, and explain the mark of a missed win if there is one. @param {Chart} chart @param {readonly Moment[]} moments */
export function markMoments(chart, moments) {
  const all = chart.lines.flatMap(({ course, makeMark }) => {
    const own = moments.filter(({ seat, kind }) => seat === course.seat && MARKED_KINDS.has(kind));
    return own.map(({ ms, kind }) => {
      const mark = put(chart, makeMark(), { ms, score: scoreAt(course, ms) });
      set(mark, { 'data-kind': kind });
      return mark;
    });
  });
  chart.marks.replaceChildren(...all, ...makeEnds(chart));
  chart.missedNote.hidden = !moments.some(({ kind }) => kind === 'missed');
}

/** Show the scores at a time; a known win may end after the race. @param {Chart} chart @param {number} ms */
export function setTime(chart, ms) {
  chart.replayMs = ms;
  drawTime(chart);
}

/** Return the scores at the time of the replay as a sentence for screen readers. @param {Chart} chart */
export function spokenScores({ lines, replayMs }) {
  const scores = lines.map(({ course }) => `${course.name} ${scoreAt(course, replayMs)}`);
  return `${strings.clock(replayMs)}: ${scores.join(', ')}`;
}
