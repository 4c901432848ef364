// The scores of all players over time. One time belongs to the whole page: the chart shows it
// as a line, and sets it where somebody points or by the keys of a slider.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';
import { endOf, indexAt, leads, lengthOf, moments, nextTime, scoreAt } from './course.js';
import { linear, niceTicks, steps, timeTicks } from './scale.js';
import { mark, svg } from './svg.js';

/**
 * @import {Course, RoundCourse} from '../core/messages.d.ts'
 * @typedef {{course: Course, style: number, own: boolean, until: number}} Line
 */

const MOST = 8;
const EDGE = { left: 46, right: 14, top: 12, bottom: 26 };
const STEP = 1 / 100;

/** @param {(ms: number) => void} seek */
export function bindChart(seek) {
  const words = strings.CHART;
  const drawing = svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
  const plot = h('div', { class: 'plot', role: 'slider', tabindex: '0', 'aria-valuemin': 0 });
  plot.setAttribute('aria-label', words.moment);
  plot.append(drawing);
  const summary = h('p', { class: 'small', id: 'chart-summary' });
  const legend = h('ul', { class: 'legend' });
  const table = h('table', { class: 'scores' });
  const scroll = h('div', { class: 'scroll', role: 'group', tabindex: '0' }, table);
  scroll.setAttribute('aria-label', words.table);
  const element = h(
    'section',
    { class: 'panel chart', id: 'chart', 'aria-labelledby': 'chart-title' },
    h('h2', { id: 'chart-title', text: words.title }),
    summary,
    plot,
    legend,
    h('details', {}, h('summary', { text: words.table }), scroll),
  );
  /** @type {RoundCourse | null} */
  let round = null;
  /** @type {Line[]} */
  let lines = [];
  let length = 1;
  let shown = 0;
  /** @type {number | null} */
  let pointed = null;
  let size = { width: 0, height: 0 };
  let x = linear(0, 1, 0, 1);
  let y = linear(0, 1, 0, 1);
  /** @type {SVGElement} */
  let cursor = svg('g');

  const watcher = new ResizeObserver(() => {
    if (plot.clientWidth !== size.width) draw();
  });
  watcher.observe(plot);

  function draw() {
    const width = plot.clientWidth;
    if (!round || width === 0) return;
    const height = Math.round(Math.min(300, Math.max(180, width * 0.42)));
    size = { width, height };
    const { left, right, top, bottom } = EDGE;
    const scores = lines.flatMap(({ course }) => course.score);
    const ticks = niceTicks(Math.min(...scores), Math.max(...scores), 5);
    x = linear(0, length, left, width - right);
    y = linear(ticks[0] ?? 0, ticks.at(-1) ?? 1, height - bottom, top);
    const grid = ticks.flatMap((score) => [
      svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(score), y2: y(score) }),
      svg('text', { class: 'tick', x: left - 8, y: y(score) + 4, 'text-anchor': 'end' }, score),
    ]);
    const times = timeTicks(length, width / 90).map((ms) =>
      svg(
        'text',
        { class: 'tick', x: x(ms), y: height - 6, 'text-anchor': 'middle' },
        strings.clock(ms),
      ),
    );
    // The own line, and then the best, lie on top.
    const drawn = lines.toReversed().toSorted((a, b) => Number(a.own) - Number(b.own));
    cursor = svg('g', { class: 'now' });
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.replaceChildren(...grid, ...times, ...drawn.map(drawLine), cursor);
    point();
  }

  /** @param {Line} line */
  function drawLine({ course, style, own, until }) {
    const path = steps(course.ms.map(x), course.score.map(y), x(until));
    const firsts = course.suits.flatMap((n, i) => (n > (course.suits[i - 1] ?? 0) ? [i] : []));
    return svg(
      'g',
      { class: `line line-${style} ${own ? 'own' : ''}` },
      svg('path', { class: 'path', d: path }),
      ...firsts.map((i) => mark(style, x(course.ms[i] ?? 0), y(course.score[i] ?? 0), 4)),
      mark(style, x(until), y(course.score.at(-1) ?? 0), 6),
    );
  }

  /** Shows the scores of the moment that is pointed at, or else of the page's. */
  function point() {
    const ms = Math.round(pointed ?? shown);
    if (!round) return;
    const scores = lines.map(({ course }) => ({
      name: course.name,
      score: scoreAt(course, ms),
    }));
    legend.querySelectorAll('.value').forEach((value, i) => {
      write(value, String(scores[i]?.score ?? ''));
    });
    if (pointed === null) {
      plot.setAttribute('aria-valuenow', String(Math.round(ms / 1_000)));
      plot.setAttribute('aria-valuetext', strings.chartAt(ms, scores));
    }
    const at = x(ms);
    const dots = lines.map(({ course, style, until }, i) =>
      ms > until || ms < (course.ms[0] ?? 0) ? null : mark(style, at, y(scores[i]?.score ?? 0), 5),
    );
    const time = svg(
      'text',
      {
        x: Math.min(size.width - EDGE.right, Math.max(EDGE.left, at)),
        y: EDGE.top - 2,
        'text-anchor': at > size.width / 2 ? 'end' : 'start',
      },
      strings.clock(ms),
    );
    const bar = svg('line', { x1: at, x2: at, y1: EDGE.top, y2: size.height - EDGE.bottom });
    cursor.replaceChildren(bar, ...dots.filter((dot) => dot !== null), time);
  }

  /** @param {PointerEvent} event */
  function timeAt(event) {
    const { left, width } = plot.getBoundingClientRect();
    const inside = linear(EDGE.left, width - EDGE.right, 0, length)(event.clientX - left);
    return Math.min(length, Math.max(0, inside));
  }

  plot.addEventListener('pointermove', (event) => {
    pointed = timeAt(event);
    if (event.buttons > 0) seek(pointed);
    point();
  });
  plot.addEventListener('pointerleave', () => {
    pointed = null;
    point();
  });
  plot.addEventListener('click', (event) => seek(timeAt(/** @type {PointerEvent} */ (event))));
  plot.addEventListener('keydown', (event) => {
    const jumps = round ? moments(round).map(({ ms }) => ms) : [];
    /** @type {{[key: string]: number | null}} */
    const keys = {
      ArrowRight: shown + length * STEP,
      ArrowUp: shown + length * STEP,
      ArrowLeft: shown - length * STEP,
      ArrowDown: shown - length * STEP,
      PageUp: nextTime(jumps, shown, 1) ?? length,
      PageDown: nextTime(jumps, shown, -1) ?? 0,
      Home: 0,
      End: length,
    };
    const to = keys[event.key];
    if (to === undefined || to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    seek(to);
  });

  function drawLegend() {
    legend.replaceChildren(
      ...lines.map(({ course, style, own }) => {
        const line = svg('line', { class: 'path', x1: 0, x2: 34, y1: 8, y2: 8 });
        const sample = svg('svg', { viewBox: '0 0 34 16', 'aria-hidden': 'true' });
        sample.append(line, mark(style, 17, 8, 5));
        sample.setAttribute('class', `line line-${style} ${own ? 'own' : ''}`);
        const name = h('span', {
          class: 'who',
          text: own ? strings.you(course.name) : course.name,
        });
        const item = h('li', {}, name, h('span', { class: 'value' }));
        item.dataset.seat = String(course.seat);
        item.prepend(sample);
        return item;
      }),
    );
  }

  function drawTable() {
    const times = timeTicks(length, 6).filter((ms) => ms < length);
    const heads = [...times.map(strings.clock), words.end];
    table.replaceChildren(
      h('thead', {}, h('tr', {}, ...[words.player, ...heads].map(head))),
      h(
        'tbody',
        {},
        ...lines.map(({ course }) => {
          const scores = [...times, length].map((ms) => course.score[indexAt(course.ms, ms)] ?? 0);
          return h(
            'tr',
            {},
            h('th', { scope: 'row', text: course.name }),
            ...scores.map((score) => h('td', { text: score })),
          );
        }),
      ),
    );
  }

  return {
    element,
    /** @param {RoundCourse} next @param {number} me this player's seat, or -1 */
    show(next, me) {
      round = next;
      length = lengthOf(next);
      const order = next.ranking.map(({ seat }) => seat);
      const chosen = order.filter((seat, i) => i < MOST || seat === me).slice(0, MOST + 1);
      if (chosen.length > MOST) chosen.splice(MOST - 1, 1);
      lines = chosen.flatMap((seat, style) => {
        const course = next.courses.find((each) => each.seat === seat);
        return course ? [{ course, style, own: seat === me, until: endOf(next, seat) }] : [];
      });
      plot.setAttribute('aria-valuemax', String(Math.round(length / 1_000)));
      const led = leads(next);
      const last = next.courses.find(({ seat }) => seat === led.at(-1)?.seat)?.name ?? '';
      const players = next.courses.length;
      const changes = led.length - 1;
      write(summary, strings.chartSummary(length, changes, last, lines.length, players));
      drawLegend();
      drawTable();
      draw();
    },
    /** The time of the page is another. @param {number} ms */
    at(ms) {
      shown = ms;
      point();
    },
    unbind: () => watcher.disconnect(),
  };
}

/** @param {string} text */
const head = (text) => h('th', { scope: 'col', text });
