// A finished race, shown again: the chart and any two games side by side share one time, which a slider,
// buttons and keys change.

import { bindMiniature } from '../board/board.js';
import { parseAction } from '../contract/notation.js';
import { coloursOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, set, svg, write, writeSpoken } from '../widgets/element.js';
import { bindChart } from './chart.js';
import { indexAt, lengthOf, moments } from './course.js';
import { fetchReplay, fetchRound, followReview, KNOWN_WIN, winOf } from './finished-rounds.js';

/**
 * @import {GameReview, RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Replay, TableView} from '../contract/notation.js'
 * @import {Moment} from './course.js'
 * @import {RoundId} from './finished-rounds.js'
 */

/**
 * @typedef {object} Playback
 * @property {number} ms
 * @property {number} length
 * @property {boolean} playing
 * @property {number} speed
 */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/** Return a changed playback. Its time stays within its length, and it stops at the end. @param {Playback} old @param {Partial<Playback>} values @returns {Playback} */
export function changed(old, values) {
  const { ms, length, playing, speed } = { ...old, ...values };
  const at = Math.min(length, Math.max(0, ms));
  return { ms: at, length, playing: playing && at < length, speed };
}

/** Stop, or play; at the end play from the beginning. @param {Playback} playback */
export const toggled = ({ playing, ms, length }) => ({
  playing: !playing,
  ms: !playing && ms >= length ? 0 : ms,
});

/** Return the next higher or lower speed. @param {number} speed @param {1 | -1} step */
export const nextSpeed = (speed, step) => SPEEDS[SPEEDS.indexOf(speed) + step] ?? speed;

/** The signs of the buttons, since not every font has them. */
const SIGNS = {
  play: 'M5 3l12 7-12 7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z',
  back: 'M14 4v12L5 10z',
  on: 'M6 4v12l9-6z',
  before: 'M17 4v12l-9-6zM4 4h3v12H4z',
  after: 'M3 4v12l9-6zM13 4h3v12h-3z',
};

/** Draw a sign. @param {keyof typeof SIGNS} name */
function drawSign(name) {
  const attributes = { viewBox: '0 0 20 20', class: 'replay-sign', 'aria-hidden': 'true' };
  return svg('svg', attributes, svg('path', { d: SIGNS[name] }));
}

/**
 * Bind the replay, which is empty until it shows a round.
 * @param {(round: RoundCourse, me: number) => void} onCourse gets the round once it is fetched
 * @param {(reviewed: ReadonlyMap<number, GameReview>) => void} onReview gets the games that were
 *   reviewed, by seat, whenever there are more
 */
export function bindReplay(onCourse, onReview) {
  const words = strings.REPLAY;
  /** @type {Playback} */
  let playback = { ms: 1, length: 1, playing: false, speed: 8 };
  let frame = 0;
  let frameAt = 0;
  /** @type {RoundId | null} */
  let shown = null;
  /** @type {RoundCourse | null} */
  let round = null;
  /** @type {readonly Moment[]} */
  let marked = [];
  let large = -1;
  let unfollow = () => {};

  const chart = bindChart(seek);
  const sides = /** @type {const} */ (['left', 'right']).map((name, i) =>
    bindSide(name, { choose: fetchGames, enlarge: () => enlarge(i), playWin }),
  );
  const pair = h('div', { class: 'replay-pair', id: 'boards' });
  pair.append(...sides.map((side) => side.element));
  const buttons = {
    before: button('before', () => jump(momentTimes(), -1)),
    back: button('back', () => jump(actTimes(), -1)),
    play: button('play', toggle),
    on: button('on', () => jump(actTimes(), 1)),
    after: button('after', () => jump(momentTimes(), 1)),
  };
  const slider = h('input', {
    ...{ class: 'replay-at', id: 'replay-at', type: 'range', min: 0, step: 'any' },
    'aria-label': words.at,
    oninput: () => seek(Number(slider.value)),
  });
  const time = h('span', { 'data-part': 'time' });
  const speed = h(
    'select',
    {
      ...{ class: 'replay-speed', id: 'replay-speed', 'aria-label': words.speed },
      onchange: () => change({ speed: Number(speed.value) }),
    },
    ...SPEEDS.map((value) => h('option', { value, text: `${value === 0.5 ? '½' : value}×` })),
  );
  const moment = h('p', { class: 'replay-moment', id: 'moment' });
  const note = h('p', { class: 'text-small', id: 'review-note', hidden: true });
  const panel = h(
    'section',
    { class: 'panel replay', 'aria-labelledby': 'boards-title' },
    h('h2', { id: 'boards-title', text: words.title }),
    chart.element,
    slider,
    h('div', { class: 'replay-transport' }, ...Object.values(buttons), time, speed, moment),
    pair,
    note,
    h('p', { class: 'text-small replay-keys', text: words.keys }),
    chart.table,
  );
  panel.addEventListener('keydown', pressKey);
  const loading = h('p', { class: 'panel', text: words.loading });
  const page = { class: 'replay-page', id: 'replay-page', 'data-loading': true };
  const element = h('div', page, loading);

  /** Make a button with a sign. @param {keyof typeof SIGNS & keyof typeof words} name @param {() => void} onclick */
  function button(name, onclick) {
    const label = words[name];
    const id = `replay-${name}`;
    const names = { id, 'data-tool': id, title: label, 'aria-label': label };
    return h('button', { ...names, onclick }, drawSign(name));
  }

  const momentTimes = () => marked.map(({ ms }) => ms);
  const actTimes = () =>
    [...new Set(sides.flatMap(({ tape }) => tape()?.times ?? []))].toSorted((a, b) => a - b);

  /** Change the playback and show it; request a frame while it plays. @param {Partial<Playback>} values */
  function change(values) {
    playback = changed(playback, values);
    draw();
    if (!playback.playing || frame) return;
    frameAt = performance.now();
    frame = requestAnimationFrame(drawFrame);
  }

  /** Advance the playback by the time since the last frame. */
  function drawFrame() {
    const passed = performance.now() - frameAt;
    frame = 0;
    if (playback.playing) change({ ms: playback.ms + passed * playback.speed });
  }

  /** Set the time. @param {number} ms */
  function seek(ms) {
    change({ ms });
  }

  /** Stop, or play. */
  function toggle() {
    change(toggled(playback));
  }

  /** Stop at the next or previous one of some times. @param {readonly number[]} times @param {1 | -1} way */
  function jump(times, way) {
    const { ms, length } = playback;
    const next = way > 0 ? times.find((each) => each > ms) : times.findLast((each) => each < ms);
    change({ ms: next ?? (way > 0 ? length : 0), playing: false });
  }

  /** Perform the command of a key. @param {KeyboardEvent} event */
  function pressKey(event) {
    const target = event.target instanceof HTMLElement ? event.target : panel;
    const isForReplay = !target.closest('select, details'); // menus and the table have their own keys
    if (event.altKey || event.ctrlKey || event.metaKey || !isForReplay) return;
    /** @type {{[key: string]: () => void}} */
    const keys = {
      ArrowLeft: () => jump(actTimes(), -1),
      ArrowRight: () => jump(actTimes(), 1),
      PageUp: () => jump(momentTimes(), 1),
      PageDown: () => jump(momentTimes(), -1),
      '+': () => change({ speed: nextSpeed(playback.speed, 1) }),
      '-': () => change({ speed: nextSpeed(playback.speed, -1) }),
      // The space bar presses a button that has the focus.
      ...(target.tagName === 'BUTTON' ? {} : { ' ': toggle }),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Draw the time: chart, boards, slider, and the latest moment. */
  function draw() {
    const { ms, length, playing } = playback;
    chart.setTime(ms);
    for (const side of sides) side.showAt(ms);
    set(slider, { max: length, value: String(ms), 'aria-valuetext': chart.spoken() });
    write(time, `${strings.clock(ms)} / ${strings.clock(length)}`);
    const label = playing ? words.pause : words.play;
    if (buttons.play.title !== label) {
      set(buttons.play, { title: label, 'aria-label': label });
      buttons.play.replaceChildren(drawSign(playing ? 'pause' : 'play'));
    }
    set(speed, { value: String(playback.speed) });
    const latest = marked.findLast((each) => each.ms <= ms);
    const text = latest ? strings.moment(latest, nameOf(latest.seat)) : '';
    writeName(moment, text, undefined, latest && coloursOf(null, round)(latest.seat));
    // The first one is no news, and while it plays they come faster than they can be read out.
    set(moment, { 'aria-live': playing ? 'off' : 'polite' });
  }

  /** Return the name of a player. @param {number} seat */
  function nameOf(seat) {
    return round?.courses.find((course) => course.seat === seat)?.name ?? '';
  }

  /** Give one board the whole width, or share it again. @param {number} side */
  function enlarge(side) {
    large = large === side ? -1 : side;
    pair.toggleAttribute('data-enlarged', large >= 0);
    sides.forEach((each, i) => {
      each.enlarge(i === large);
    });
  }

  /** Fetch the chosen games, and show them; a win may end after the race. */
  async function fetchGames() {
    const id = shown;
    if (!id || !round) return;
    await Promise.all(sides.map((side) => side.fetch(id)));
    if (shown !== id) return;
    const ends = sides.map((side) => side.tape()?.times.at(-1) ?? 0);
    change({ length: Math.max(lengthOf(round), ...ends) });
  }

  /** Play a player's game and the last known win, from the moment at which they part. @param {GameReview} game */
  async function playWin({ seat, known_ms: ms }) {
    slider.scrollIntoView({ block: 'start' });
    const [left, right] = sides;
    left?.choose(String(seat));
    right?.choose(winOf(seat));
    await fetchGames();
    change({ ms: ms ?? 0, playing: true });
  }

  /** Show the review of the round, as far as it is made. Nothing is said of games that nobody reviews, as on a server without reviews. @param {RoundCourse} of @param {RoundReview} review */
  function showReview(of, { games, missing, state }) {
    marked = moments(of, games);
    chart.mark(marked, games);
    for (const side of sides) side.setReview(games);
    const left = games.length > 0 ? missing.map(nameOf) : [];
    const text = strings.reviewNote(state === 'running', left);
    set(note, { text, hidden: text === '' });
    onReview(new Map(games.map((game) => [game.seat, game])));
  }

  /** Show a round, or that it cannot be fetched. @param {RoundId} id @param {number} me this player's seat, or -1 */
  async function show(id, me) {
    shown = id;
    unfollow();
    element.replaceChildren(loading);
    element.toggleAttribute('data-loading', true);
    const course = await fetchRound(id).catch(() => null);
    if (shown !== id) return;
    element.removeAttribute('data-loading');
    if (!course) {
      const again = h('button', { text: words.again, onclick: () => show(id, me) });
      element.replaceChildren(h('p', { class: 'panel', text: words.failed }), again);
      return;
    }
    round = course;
    element.replaceChildren(panel);
    chart.show(course, me);
    // This player and the best other one.
    const order = course.ranking.map(({ seat }) => seat);
    const others = order.filter((seat) => seat !== me).map(String);
    const games = order.includes(me) ? [String(me), ...others] : others;
    if (course.reveal.proof) games.push(KNOWN_WIN);
    sides.forEach((side, i) => {
      side.setGames(course, games[i]);
    });
    marked = moments(course);
    chart.mark(marked, []);
    const length = lengthOf(course);
    change({ length, ms: length, playing: false });
    fetchGames();
    onCourse(course, me);
    unfollow = followReview(id, (review) => showReview(course, review));
  }

  return {
    element,
    show,
    playWin,
    /** Stop at a time, and bring the slider below the chart into view. @param {number} ms */
    goTo(ms) {
      change({ ms, playing: false });
      slider.scrollIntoView({ block: 'center' });
      slider.focus({ preventScroll: true });
    },
    unbind() {
      shown = null;
      unfollow();
      cancelAnimationFrame(frame);
      chart.unbind();
      for (const side of sides) side.unbind();
    },
  };
}

// One of the two boards of a replay: the menu of games, the board, its figures, its last act, and what the
// review says about the game. A tape has the table after every act.

/**
 * @typedef {object} Tape
 * @property {Replay} replay
 * @property {number[]} times of the tables, in ms; the first is the deal, at 0
 * @property {TableView[]} tables
 */

/** The most acts between two drawings for which cards glide. */
const MAX_GLIDING = 2;

/**
 * Make the tape of a replay. Tables share the piles that did not change, so that the tape of a game of
 * thousands of acts stays small.
 * @param {Replay} replay
 * @returns {Tape}
 */
export function makeTape(replay) {
  const indexes = new Map(replay.start.piles.map((pile, i) => [pile.id, i]));
  const tables = [replay.start];
  let table = replay.start;
  for (const step of replay.steps) {
    const piles = table.piles.slice();
    for (const pile of step.piles) {
      const index = indexes.get(pile.id) ?? -1;
      const old = piles[index];
      if (old) piles[index] = { ...old, ...pile };
    }
    const { moves, suits, home, face_down } = step;
    const counts = { ...table.counts, moves, suits, home, face_down };
    table = { ...table, at: table.at + 1, piles, score: step.score, counts, elapsed_ms: step.ms };
    tables.push(table);
  }
  return { replay, times: tables.map(({ elapsed_ms }) => elapsed_ms), tables };
}

/** Return what the last of so many acts did, and the part that only screen readers need. @param {Tape} tape @param {number} count */
function describeAct({ replay, tables }, count) {
  const words = strings.REPLAY;
  const step = replay.steps[count - 1];
  if (!step) return { text: words.dealt, aside: '' };
  if (count === tables.length - 1 && replay.acts > replay.steps.length)
    return { text: words.cut, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' };
  const [before, after] = [tables[count - 1]?.piles ?? [], tables[count]?.piles ?? []];
  return {
    text: strings.actDone(action, before, after),
    aside: strings.actAside(action, before, after),
  };
}

/**
 * Bind one of the two boards.
 * @param {'left' | 'right'} side
 * @param {{choose: () => void, enlarge: () => void, playWin: (game: GameReview) => void}} on
 */
export function bindSide(side, on) {
  const words = strings.REPLAY;
  const select = h('select', { id: `board-${side}`, 'aria-label': words[side] });
  select.addEventListener('change', () => {
    drawChoice();
    on.choose();
  });
  // An option has text only, so the mark of the chosen player stands beside the menu.
  const mark = h('span', { class: 'replay-mark' });
  const board = bindMiniature();
  const figures = h('p', { class: 'replay-figures', 'data-part': 'figures' });
  const act = h('p', { class: 'text-small replay-act', 'data-part': 'act' });
  const enlarging = { class: 'miniature-enlarge', 'data-action': 'enlarge' };
  const enlargeButton = h('button', { ...enlarging, 'aria-pressed': 'false', onclick: on.enlarge });
  const said = h('span');
  const play = h('button', { 'data-action': 'play-win', text: words.playWin, onclick: playWin });
  const review = h('p', { class: 'replay-review', 'data-part': 'review' }, said, play);
  const element = h(
    'div',
    { class: 'replay-side' },
    h('div', { class: 'replay-choice' }, mark, select),
    figures,
    h('div', { class: 'replay-view' }, board.element, enlargeButton),
    act,
    review,
  );
  /** @type {RoundCourse | null} */
  let round = null;
  /** The games that were reviewed. @type {readonly GameReview[]} */
  let reviewed = [];
  /** @type {Tape | null} */
  let tape = null;
  let taped = '';
  let shown = -1;

  /** Return the review of the chosen game. */
  const reviewOfChosen = () => reviewed.find(({ seat }) => String(seat) === select.value);

  /** Play the last known win of the chosen game. */
  function playWin() {
    const game = reviewOfChosen();
    if (game) on.playWin(game);
  }

  /** Show whose game is chosen, and its review. A game that may have one keeps a line for it. */
  function drawChoice() {
    const player = round?.ranking.find(({ seat }) => String(seat) === select.value);
    writeName(mark, '', undefined, player && coloursOf(null, round)(player.seat));
    const game = reviewOfChosen();
    review.hidden = !player || player.won || player.has_acted === false;
    write(said, game ? `${game.name}: ${strings.reviewOf(game)}.` : '');
    play.hidden = !game || game.known_ms === null;
  }

  return {
    element,
    tape: () => tape,
    /** Set the games to choose from, and choose one. @param {RoundCourse} of @param {string | undefined} game */
    setGames(of, game) {
      round = of;
      reviewed = [];
      const options = of.ranking.map(({ seat, name }) => {
        const text = of.programs.includes(seat) ? strings.programNamed(name) : name;
        return h('option', { value: seat, text });
      });
      if (of.reveal.proof) options.push(h('option', { value: KNOWN_WIN, text: words.knownWin }));
      select.replaceChildren(...options);
      element.hidden = game === undefined;
      if (game !== undefined) select.value = game;
      drawChoice();
      tape = null;
      taped = '';
    },
    /** Show the reviews, and add the last known wins to the games to choose from. @param {readonly GameReview[]} games */
    setReview(games) {
      reviewed = games;
      const values = new Set(Array.from(select.options, ({ value }) => value));
      for (const game of games) {
        const value = winOf(game.seat);
        if (game.known_ms !== null && !values.has(value))
          select.append(h('option', { value, text: strings.winOption(game) }));
      }
      drawChoice();
    },
    /** Choose a game. @param {string} game */
    choose(game) {
      element.hidden = false;
      select.value = game;
      drawChoice();
    },
    /** Fetch the chosen game. @param {RoundId} roundId */
    async fetch(roundId) {
      const game = select.value;
      if (element.hidden || taped === game) return;
      element.dataset.seat = game;
      const name = select.selectedOptions[0]?.text ?? '';
      enlargeButton.setAttribute('aria-label', strings.enlarge(name));
      const found = await fetchReplay(roundId, game).catch(() => null);
      if (select.value !== game) return;
      if (!found) {
        write(act, words.failed);
        return;
      }
      tape = makeTape(found);
      taped = game;
      shown = -1;
    },
    /** Give the board the whole width, or share it again. @param {boolean} isLarge */
    enlarge(isLarge) {
      set(enlargeButton, { 'aria-pressed': String(isLarge) });
      element.toggleAttribute('data-large', isLarge);
    },
    /** Show the board at a time. @param {number} ms */
    showAt(ms) {
      if (!tape) return;
      const acts = indexAt(tape.times, ms);
      const table = tape.tables[acts];
      if (acts === shown || !table) return;
      board.update(table, Math.abs(acts - shown) <= MAX_GLIDING);
      shown = acts;
      write(figures, strings.figures(table));
      const { text, aside } = describeAct(tape, acts);
      writeSpoken(act, text, aside);
    },
    unbind: board.unbind,
  };
}
