// The chart of the scores of all players over time: a line for each, with marks at its moments and its end.
// It shows the page's time; a pointer sets it, and the keys of the slider below. Everything is placed in
// parts of the chart's size, which the style sheet gives.

import { coloursOf, isGhostSeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set, svg } from '../widgets/element.js';
import { seatMark, writeName } from '../widgets/names.js';
import { tableHead, tableRow } from '../widgets/room-parts.js';
import { endOf, lastLeader, leads, lengthOf, scoreAt } from './course.js';

/**
 * @import {Course, RoundCourse} from '../contract/messages.d.ts'
 * @import {Moment} from './course.js'
 */

/** The distances between two scores of the axis. */
const SCORE_STEPS = [1, 10, 100, 1_000, 10_000].flatMap((n) => [n, 2 * n, 5 * n]);
/** The distances between two times of the axis, in ms. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000].map(
  (seconds) => seconds * 1_000,
);
const MOST_STEPS = 6;
const SCORES_SHOWN = 3;
/** Each line has a mark at its end, and there is no room for more marks than this. */
const MOST_LINES = 8;
/** The size of a mark in parts of a chart on a phone, in percent. */
const MARK_SIZE = { x: 6, y: 11 };
const MARKED = new Set(['suit', 'lead', 'missed']);

/**
 * Return round numbers at equal distances; the first and the last enclose `low` and `high`.
 * @param {number} low
 * @param {number} high
 * @param {readonly number[]} steps the distances to choose from
 * @param {number} [most] of the distances
 */
export function ticks(low, high, steps, most = MOST_STEPS) {
  const least = (high - low) / most;
  const step = steps.find((each) => each >= least) ?? least;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step)); // an axis has two ends, even for one score
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Return the round times of a race. @param {number} length of the race in ms */
export const timesOf = (length) => ticks(0, length, TIME_STEPS).filter((ms) => ms <= length);

/** Return a part of the chart's size in percent: more decimals only make a path longer. @param {number} part */
const percent = (part) => Math.round(part * 10_000) / 100;

/** Return the courses of the best players; this player replaces the last of them, if need be. @param {RoundCourse} round @param {number} me */
function coursesToShow({ ranking, courses }, me) {
  const order = ranking.map(({ seat }) => seat);
  const best = order.filter((seat, i) => i < MOST_LINES || seat === me);
  if (best.length > MOST_LINES) best.splice(MOST_LINES - 1, 1); // only `me` is one too many
  return best.flatMap((seat) => courses.filter((each) => each.seat === seat));
}

/**
 * Move marks down where they would cover others, and up again above the foot of the chart.
 * @template {{x: number, y: number}} Mark
 * @param {readonly Mark[]} marks with places in percent
 * @returns {Mark[]} from top to bottom
 */
export function apart(marks) {
  const placed = marks.map((mark) => ({ ...mark })).toSorted((a, b) => a.y - b.y);
  const near = (/** @type {number} */ at) =>
    placed.filter((each, i) => i !== at && Math.abs(each.x - (placed[at]?.x ?? 0)) < MARK_SIZE.x);
  for (const [i, mark] of placed.entries()) {
    const above = near(i).filter((each) => placed.indexOf(each) < i);
    mark.y = Math.max(mark.y, ...above.map(({ y }) => y + MARK_SIZE.y));
  }
  for (const [i, mark] of [...placed.entries()].toReversed()) {
    const below = near(i).filter((each) => placed.indexOf(each) > i);
    mark.y = Math.min(mark.y, 100, ...below.map(({ y }) => y - MARK_SIZE.y));
  }
  return placed;
}

/** Bind an empty chart. @param {(ms: number) => void} seek sets the page's time @param {(ms: number) => void} show shows the marked moment */
export function bindChart(seek, show) {
  const words = strings.CHART;
  const summary = h('p', { class: 'text-spoken', id: 'chart-summary' });
  const few = h('p', { class: 'text-small' });
  const legend = h('ul', { class: 'row replay-legend text-small' });
  const ring = h('span', { class: 'mark', 'data-kind': 'missed' });
  const known = h('p', { class: 'replay-legend text-small', hidden: true }, ring, words.known);
  const drawing = h('div');
  const marks = h('div');
  const clock = h('span', { class: 'replay-clock' });
  const now = h('div', { class: 'replay-now' });
  let turnMs = 0;
  const turn = h('button', {
    id: 'decided-see',
    onclick(/** @type {MouseEvent} */ event) {
      event.stopPropagation(); // a press on the chart itself goes to its place
      show(turnMs);
    },
  });
  const turning = h('div', { class: 'replay-turn', hidden: true }, turn);
  const plot = h('div', {
    class: 'replay-plot',
    'data-part': 'plot',
    /** @param {PointerEvent} event */
    onpointermove(event) {
      pointerMs = timeAt(event);
      if (event.buttons > 0) seek(pointerMs);
      drawTime();
    },
    onpointerleave() {
      pointerMs = null;
      drawTime();
    },
    onclick: (/** @type {MouseEvent} */ event) => seek(timeAt(event)),
  });
  for (const each of [drawing, marks, now]) set(each, { 'aria-hidden': 'true' });
  plot.append(drawing, marks, now, turning);
  const table = h('table', { class: 'text-small', id: 'scores' });
  const scroll = { class: 'replay-scroll', role: 'group', tabindex: 0, 'aria-label': words.table };
  /** @type {ReturnType<typeof makeLine>[]} */
  let lines = [];
  let length = 1;
  let pageMs = 0;
  /** The time under the pointer. @type {number | null} */
  let pointerMs = null;
  /** The lowest and the highest score of the axis. */
  let [low, high] = [0, 1];

  const x = (/** @type {number} */ ms) => percent(ms / length);
  const y = (/** @type {number} */ score) => percent((high - score) / (high - low));

  /** Put an element at a place of the chart. @param {HTMLElement} element @param {{ms?: number, score?: number}} place */
  function put(element, { ms, score }) {
    if (ms !== undefined) set(element, { '--x': `${x(ms)}%` });
    if (score !== undefined) set(element, { '--y': `${y(score)}%` });
    return element;
  }

  /** Make the line of a player, and its item in the legend. @param {RoundCourse} round @param {Course} course @param {number} me */
  function makeLine(round, course, me) {
    const { seat, name } = course;
    const colour = coloursOf(null, round)(seat);
    const isGhost = isGhostSeat(seat);
    const value = h('strong', { 'data-part': 'value' });
    const label = h('span', { class: 'text-cut', dir: 'auto' });
    const text = seat === me && round.ranking.length > 1 ? strings.you(name) : name;
    const program = round.programs.includes(seat) ? null : undefined; // null: of unknown strength
    writeName(label, text, program, colour);
    // The line is level until the score changes, and from the last change to the end.
    const steps = course.ms.map((ms, i) => {
      const height = y(course.score[i] ?? 0);
      return i === 0 ? `M${x(ms)} ${height}` : `H${x(ms)}V${height}`;
    });
    const until = endOf(round, seat);
    const looks = { class: 'mark-tone', 'data-colour': colour };
    const d = `${steps.join('')}H${x(until)}`;
    const path = svg('path', { ...looks, 'data-part': 'line', d });
    if (seat === me) path.dataset.own = '';
    if (isGhost) path.dataset.ghost = '';
    const item = { class: 'line', 'data-seat': seat, 'data-ghost': isGhost };
    legend.append(h('li', item, label, ' ', value));
    const makeMark = () => seatMark(colour, isGhost);
    const dot = makeMark(); // at the time that is shown
    return { course, makeMark, until, value, dot, path };
  }

  /** Make the marks at the ends of the lines. */
  function makeEnds() {
    const ends = lines.map(({ course, until, makeMark }) => {
      return { x: x(until), y: y(scoreAt(course, until)), mark: makeMark() };
    });
    return apart(ends).map(({ mark, ...place }) => {
      set(mark, { 'data-end': true, '--x': `${place.x}%`, '--y': `${place.y}%` });
      return mark;
    });
  }

  /** Write the same scores as a table. */
  function writeTable() {
    const times = timesOf(length).filter((ms) => ms < length);
    const headings = [words.player, ...times.map(strings.clock), words.end];
    const rows = lines.map(({ course }) => {
      const scores = [...times, length].map((ms) => scoreAt(course, ms));
      return tableRow([course.name, ...scores]);
    });
    table.replaceChildren(tableHead(headings), h('tbody', {}, ...rows));
  }

  /** Show the scores of the time under the pointer, or else of the page's time. */
  function drawTime() {
    const ms = Math.min(length, Math.round(pointerMs ?? pageMs));
    for (const { course, until, value, dot } of lines) {
      const score = scoreAt(course, ms);
      set(value, { text: String(score) });
      set(put(dot, { score }), { hidden: ms > until || ms < (course.ms[0] ?? 0) }); // not in the game then
    }
    put(now, { ms });
    set(clock, { text: strings.clock(ms) });
  }

  /** Return the time under a pointer. @param {MouseEvent} event */
  function timeAt({ clientX }) {
    const { left, width } = plot.getBoundingClientRect();
    return length * Math.min(1, Math.max(0, (clientX - left) / width));
  }

  return {
    element: h('div', { id: 'chart' }, summary, few, plot, legend, known),
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
      const courses = coursesToShow(round, me);
      const all = courses.flatMap(({ score }) => score);
      const scores = ticks(Math.min(...all), Math.max(...all), SCORE_STEPS, SCORES_SHOWN);
      [low, high] = [scores[0] ?? 0, scores.at(-1) ?? 1];
      legend.replaceChildren();
      lines = courses.map((course) => makeLine(round, course, me));
      // This player's own line is drawn last, on top of the others, and the best before it.
      const paths = lines.map(({ path }) => path).toReversed();
      paths.sort((a, b) => Number('own' in a.dataset) - Number('own' in b.dataset));
      const d = scores.map((score) => `M0 ${y(score)}H100`).join('');
      const grid = svg('path', { d });
      drawing.replaceChildren(
        ...scores.slice(1).map((score) => put(h('span', { text: score }), { score })),
        ...timesOf(length).map((ms) =>
          put(h('span', { class: 'replay-time', text: strings.clock(ms) }), { ms }),
        ),
        svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none' }, grid, ...paths),
      );
      now.replaceChildren(clock, ...lines.map(({ dot }) => dot));
      const last = round.courses.find(({ seat }) => seat === lastLeader(round))?.name ?? '';
      const changes = leads(round).length - 1;
      const players = round.courses.length;
      set(summary, { text: strings.chartSummary({ ms: length, changes, last }) });
      set(few, { hidden: lines.length === players, text: strings.chartFew(lines.length, players) });
      writeTable();
    },
    /** Mark a moment; one that the sentence above the chart is not about has its own words. @param {number | null} ms @param {string} [said] */
    turn(ms, said = strings.clock(ms ?? 0)) {
      turnMs = ms ?? 0;
      set(turning, { hidden: ms === null });
      put(turning, { ms: turnMs });
      set(turn, { text: said, 'aria-label': `${strings.REPLAY.open}: ${said}` });
    },
    /** Mark moments, and the ends of the games. @param {readonly Moment[]} moments */
    mark(moments) {
      const all = lines.flatMap(({ course, makeMark }) => {
        const own = moments.filter(({ seat, kind }) => seat === course.seat && MARKED.has(kind));
        return own.map(({ ms, kind }) => {
          const mark = put(makeMark(), { ms, score: scoreAt(course, ms) });
          set(mark, { 'data-kind': kind });
          return mark;
        });
      });
      marks.replaceChildren(...all, ...makeEnds());
      known.hidden = !moments.some(({ kind }) => kind === 'missed');
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
  };
}
