// A finished race, shown again: the chart and any two games side by side share one time, which a slider,
// buttons and keys change.

import { bindMiniature } from '../board/board.js';
import { parseAction } from '../contract/notation.js';
import { coloursOf, isGhostSeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, set, svg, writeSpoken } from '../widgets/element.js';
import { writeName } from '../widgets/names.js';
import { bindChart } from './chart.js';
import * as courses from './course.js';

/**
 * @import {GameReview, RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Moment, RoundId, Tape} from './course.js'
 * @typedef {object} Playback
 * @property {number} ms
 * @property {number} length
 * @property {boolean} playing
 * @property {number} speed
 */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];
/** The most acts between two drawings for which cards glide. */
const MAX_GLIDING = 2;

/** Return a changed playback. Its time stays within its length, and it stops at the end. @param {Playback} old @param {Partial<Playback>} values @returns {Playback} */
export function playbackWith(old, values) {
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
  before: 'M17 4v12l-9-6zM4 4h3v12H4z',
  back: 'M14 4v12L5 10z',
  play: 'M5 3l12 7-12 7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z',
  on: 'M6 4v12l9-6z',
  after: 'M3 4v12l9-6zM13 4h3v12h-3z',
};
/** What the keys do. */
const KEYS = /** @type {const} */ ({
  PageDown: 'before',
  ArrowLeft: 'back',
  ' ': 'play',
  ArrowRight: 'on',
  PageUp: 'after',
  '+': 'faster',
  '-': 'slower',
});

/** Return what the last of so many acts did, and the part that only screen readers need. @param {Tape} tape @param {number} count */
function describeAct({ replay, tables }, count) {
  const words = strings.REPLAY;
  // Of a very long game the replay has the first acts and the last one.
  const isCut = count === tables.length - 1 && replay.acts > replay.steps.length;
  if (isCut) return { text: words.cut, aside: '' };
  const step = replay.steps[count - 1];
  if (!step) return { text: words.dealt, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' };
  const before = tables[count - 1]?.piles ?? [];
  const after = tables[count]?.piles ?? [];
  return {
    text: strings.actDone(action, before, after),
    aside: strings.actAside(action, before, after),
  };
}

/** Bind one of the two boards: the menu of games, the board, its figures, its last act, and the review. @param {'left' | 'right'} name @param {() => void} onchange @param {(game: GameReview) => void} playWin @param {(cards: string, acts: number) => void} deal */
function bindSide(name, onchange, playWin, deal) {
  const words = strings.REPLAY;
  const select = h('select', { id: `board-${name}`, 'aria-label': words[name], onchange });
  // An option has text only, so the mark of the chosen player stands beside the menu.
  const mark = h('span');
  const board = bindMiniature();
  const line = (/** @type {string} */ part, /** @type {(Node | string)[]} */ ...nodes) =>
    h('p', { class: 'text-note replay-said', 'data-part': part }, ...nodes);
  const [figures, act] = [line('figures'), line('act')];
  const reviewText = h('span');
  /** The review of the chosen game. @type {GameReview | undefined} */
  let reviewOfGame;
  const onclick = () => reviewOfGame && playWin(reviewOfGame);
  const see = h('button', { 'data-kind': 'link', text: strings.RESULTS.see, onclick });
  const review = line('review', reviewText, ' ', see);
  /** What names the cards of the chosen game. */
  let cards = '';
  const race = h('a', { class: 'buttons-link', 'data-kind': 'link', 'data-part': 'race' });
  set(race, { text: words.race });
  const dealOn = () => deal(cards, Math.max(0, shownActs));
  const playOn = h('button', { 'data-kind': 'link', text: words.playOn, onclick: dealOn });
  set(playOn, { 'data-part': 'play-on' });
  const again = line('again', race, ' ', playOn);
  const enlargeButton = h('button', {
    class: 'miniature-enlarge',
    'data-action': 'enlarge',
    'aria-pressed': 'false',
    onclick() {
      const isLarge = element.toggleAttribute('data-large');
      set(enlargeButton, { 'aria-pressed': String(isLarge) });
    },
  });
  const choice = h('div', { class: 'line' }, mark, select);
  const view = h('div', { class: 'replay-view' }, board.element, enlargeButton);
  const said = [act, review, again];
  const element = h('div', { class: 'stack replay-side' }, choice, figures, view, ...said);
  /** @type {Tape | null} */
  let tape = null;
  let shownActs = -1; // of the table on the board

  return {
    element,
    times: () => tape?.times ?? [],
    /** Show the games to choose from, and of the chosen one whose it is, and its review. @param {RoundCourse} round @param {readonly GameReview[]} reviewed */
    drawChoice(round, reviewed) {
      const games = round.ranking.map(({ seat, name: text }) => ({
        value: String(seat),
        text: round.programs.includes(seat) ? strings.programNamed(text) : text,
      }));
      if (round.reveal.proof) games.push({ value: courses.KNOWN_WIN, text: words.knownWin });
      for (const game of reviewed)
        if (game.known_ms !== null)
          games.push({ value: courses.winOf(game.seat), text: strings.winOption(game) });
      const makeOption = () => h('option');
      keyed(select, games, ({ value }) => value, makeOption, set);
      const player = round.ranking.find(({ seat }) => String(seat) === select.value);
      const game = reviewed.find(({ seat }) => seat === player?.seat);
      reviewOfGame = game;
      writeName(mark, '', undefined, player && coloursOf(null, round)(player.seat));
      set(mark, { 'data-ghost': isGhostSeat(player?.seat) });
      // A game that may have a review keeps a line for it.
      const hidden = !player || player.won || player.has_acted === false;
      set(review, { hidden });
      set(reviewText, { text: game && `${game.name}: ${strings.reviewOf(game)}.` });
      see.hidden = !game || game.known_ms === null;
    },
    /** Choose a game; without one this side is hidden. @param {string} [game] */
    choose(game) {
      element.hidden = game === undefined;
      if (game !== undefined) select.value = game;
    },
    /** Fetch the chosen game. @param {RoundId} id */
    async fetch(id) {
      const game = select.value;
      if (element.hidden) return;
      element.dataset.seat = game;
      cards = courses.cardsOf(id, game);
      again.hidden = !/^\d+$/.test(game); // a line that wins is no player's game
      set(race, { href: `/g/${cards}` });
      const label = strings.enlarge(select.selectedOptions[0]?.text ?? '');
      set(enlargeButton, { 'aria-label': label });
      const found = await courses.fetchTape(id, game).catch(() => null);
      if (select.value !== game) return; // another game is chosen by now
      if (found !== tape) shownActs = -1; // so that `showAt` draws the other game
      tape = found;
      if (!found) set(act, { text: strings.NOT_LOADED });
    },
    /** Show the board at a time. @param {number} ms */
    showAt(ms) {
      if (!tape) return;
      const acts = courses.indexAt(tape.times, ms);
      const table = tape.tables[acts];
      if (acts === shownActs || !table) return;
      board.update(table, Math.abs(acts - shownActs) <= MAX_GLIDING);
      shownActs = acts;
      set(figures, { text: strings.figures(table) });
      const { text, aside } = describeAct(tape, acts);
      writeSpoken(act, text, aside);
    },
    unbind: board.unbind,
  };
}

/**
 * Bind the course of a round: its chart, and a button that opens the replay with the boards.
 * @param {(round: RoundCourse, me: number) => void} onCourse gets the round once it is fetched
 * @param {(reviewed: ReadonlyMap<number, GameReview>, isDone: boolean) => void} onReview gets the games
 *   that were reviewed, by seat, whenever there are more, and whether these are all
 * @param {(cards: string, acts: number) => void} deal begins a game with these cards, after so many acts
 * @param {readonly HTMLElement[]} [actions] in its head, beside the button of the replay
 * @param {readonly HTMLElement[]} [lines] above the chart
 */
export function bindReplay(onCourse, onReview, deal, actions = [], lines = []) {
  const words = strings.REPLAY;
  /** @type {Playback} */
  let playback = { ms: 1, length: 1, playing: false, speed: 8 };
  let frame = 0;
  let frameAt = 0;
  /** @type {RoundId | null} */
  let shownId = null;
  /** @type {RoundCourse | null} */
  let round = null;
  /** @type {readonly Moment[]} */
  let moments = [];
  /** @type {readonly GameReview[]} */
  let reviewed = [];
  let unfollow = () => {};

  const commands = {
    before: () => jump(-1, momentTimes()),
    back: () => jump(-1, actTimes()),
    play: () => change(toggled(playback)),
    on: () => jump(1, actTimes()),
    after: () => jump(1, momentTimes()),
    faster: () => change({ speed: nextSpeed(playback.speed, 1) }),
    slower: () => change({ speed: nextSpeed(playback.speed, -1) }),
  };
  const chart = bindChart((ms) => change({ ms }), goTo);
  const sides = /** @type {const} */ (['left', 'right']).map((name) =>
    bindSide(name, fetchGames, playWin, deal),
  );
  const play = makeButton('play');
  const others = /** @type {const} */ (['before', 'back', 'on', 'after']).map(makeButton);
  const buttons = others.toSpliced(2, 0, play); // in the middle
  const range = { id: 'replay-at', type: 'range', min: 0, step: 'any', 'aria-label': words.at };
  const slider = h('input', { ...range, oninput: () => change({ ms: Number(slider.value) }) });
  const time = h('span', { 'data-part': 'time' });
  const choosing = { id: 'replay-speed', 'aria-label': words.speed };
  const chooseSpeed = () => change({ speed: Number(speed.value) });
  const speed = h('select', { ...choosing, onchange: chooseSpeed });
  for (const value of SPEEDS)
    speed.append(h('option', { value, text: `${value === 0.5 ? '½' : value}×` }));
  const moment = h('p', { class: 'replay-said', id: 'moment' });
  const ofMoments = { class: 'line replay-scroll replay-moments', id: 'moments' };
  const momentList = h('ol', { ...ofMoments, 'aria-label': words.moments });
  const note = h('p', { class: 'text-small', id: 'review-note', hidden: true });
  const transport = h('div', { class: 'row replay-transport' }, ...buttons, time, speed);
  const controls = h('div', { class: 'stack', id: 'replay', hidden: true }, slider);
  controls.append(transport, moment, momentList);
  const boards = h('div', { class: 'row replay-pair', id: 'boards', hidden: true });
  boards.append(...sides.map(({ element: side }) => side));
  boards.append(note, h('p', { class: 'text-small replay-keys', text: words.keys }), chart.table);
  const opens = { id: 'replay-open', 'aria-controls': controls.id, 'data-size': 'small' };
  const toggle = h('button', { ...opens, onclick: () => (isOpen ? shut() : watch()) });
  const again = h('button', { text: strings.BUTTONS.again });
  const failed = h('p', { class: 'row', hidden: true, role: 'status' }, strings.NOT_LOADED, again);
  const title = h('h2', { id: 'boards-title', text: words.title });
  const looks = { class: 'pane replay', 'aria-labelledby': title.id, onkeydown: pressKey };
  const tools = h('div', { class: 'buttons' }, toggle, ...actions);
  const head = h('header', { class: 'row between' }, title, tools);
  const below = [...lines, failed, chart.element, controls];
  const main = h('div', { class: 'stack replay-course' }, head, ...below);
  const element = h('section', looks, main, boards);
  let isOpen = false;
  drawOpen();

  /** Make a button with a sign. @param {'before' | 'back' | 'play' | 'on' | 'after'} name */
  function makeButton(name) {
    const sign = svg('path', { d: SIGNS[name] });
    const drawing = svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, sign);
    const button = h('button', { id: `replay-${name}`, onclick: commands[name] }, drawing);
    set(button, { class: 'top-icon', title: words[name], 'aria-label': words[name] });
    return button;
  }

  const momentTimes = () => moments.map(({ ms }) => ms);
  const actTimes = () => sides.flatMap(({ times }) => times());

  /** Change the playback and show it; request a frame while it plays. @param {Partial<Playback>} values */
  function change(values) {
    playback = playbackWith(playback, values);
    draw();
    if (!playback.playing || frame) return; // a frame is requested already
    frameAt = performance.now();
    frame = requestAnimationFrame(drawFrame);
  }

  /** Advance the playback by the time since the last frame. */
  function drawFrame() {
    const passed = performance.now() - frameAt;
    frame = 0; // `change` then requests the next one
    if (playback.playing) change({ ms: playback.ms + passed * playback.speed });
  }

  /** Stop at the next or previous one of some times. @param {1 | -1} way @param {readonly number[]} times */
  function jump(way, times) {
    const { ms, length } = playback;
    const later = times.filter((each) => each > ms);
    const earlier = times.filter((each) => each < ms);
    const next = way > 0 ? Math.min(length, ...later) : Math.max(0, ...earlier);
    change({ ms: next, playing: false });
  }

  /** Perform the command of a key. @param {KeyboardEvent} event */
  function pressKey(event) {
    const target = event.target instanceof HTMLElement ? event.target : element;
    const name = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    // Menus and the table have their own keys, and the space bar presses a button that has the focus.
    const own = 'select, details, input:not([type=range])';
    const isOther = target.closest(name === 'play' ? `${own}, button` : own);
    if (!isOpen || !name || event.altKey || event.ctrlKey || event.metaKey || isOther) return;
    event.preventDefault();
    commands[name]();
  }

  /** Draw whether the replay is open: the course then takes the whole width, with the boards beside it. */
  function drawOpen() {
    set(element, { 'data-open': isOpen });
    for (const part of [controls, boards]) set(part, { hidden: !isOpen });
    const name = shownId?.duel ? strings.GHOST.watch : words.open;
    set(toggle, { text: isOpen ? words.shut : name, 'aria-expanded': String(isOpen) });
  }

  /** Open the replay, and bring it into view. */
  async function open() {
    const wasOpen = isOpen;
    isOpen = true;
    drawOpen();
    if (!wasOpen) await fetchGames();
    element.scrollIntoView({ block: 'start' });
  }

  /** Play the race from its start. */
  async function watch() {
    await open();
    change({ ms: 0, playing: true });
  }

  /** Close the replay. */
  function shut() {
    isOpen = false;
    change({ playing: false });
    drawOpen();
  }

  /** Stop at a time, and focus the slider so that keys can change it. @param {number} ms */
  async function goTo(ms) {
    await open();
    change({ ms, playing: false });
    slider.focus({ preventScroll: true });
  }

  /** Draw the time: chart, boards, slider, and the latest moment. */
  function draw() {
    const { ms, length, playing } = playback;
    chart.setTime(ms);
    for (const side of sides) side.showAt(ms);
    set(slider, { max: length, value: String(ms), 'aria-valuetext': chart.spoken() });
    set(time, { text: `${strings.clock(ms)} / ${strings.clock(length)}` });
    const label = playing ? words.pause : words.play;
    set(play, { title: label, 'aria-label': label });
    play.querySelector('path')?.setAttribute('d', SIGNS[playing ? 'pause' : 'play']);
    set(speed, { value: String(playback.speed) });
    const latest = moments.findLast((each) => each.ms <= ms);
    const text = latest ? strings.moment(latest, nameOf(latest.seat)) : '';
    writeName(moment, text, undefined, latest && coloursOf(null, round)(latest.seat));
    set(moment, { 'data-ghost': isGhostSeat(latest?.seat) });
    // The first one is no news, and while it plays they come faster than they can be read out.
    set(moment, { 'aria-live': playing ? 'off' : 'polite' });
  }

  /** Draw the list of the moments; a press stops at one. */
  function drawMoments() {
    keyed(momentList, moments, JSON.stringify, (each) => {
      const text = strings.moment(each, nameOf(each.seat));
      const goThere = () => change({ ms: each.ms, playing: false });
      const button = h('button', { 'data-size': 'small', onclick: goThere });
      set(button, { 'data-ghost': isGhostSeat(each.seat) });
      writeName(button, text, undefined, coloursOf(null, round)(each.seat));
      return h('li', {}, button);
    });
  }

  /** Return the name of a player. @param {number} seat */
  function nameOf(seat) {
    return round?.courses.find((course) => course.seat === seat)?.name ?? '';
  }

  /** Fetch the chosen games, and show them; a win may end after the race. */
  async function fetchGames() {
    const id = shownId;
    if (!id || !round || !isOpen) return;
    for (const side of sides) side.drawChoice(round, reviewed);
    await Promise.all(sides.map((side) => side.fetch(id))); // another round may be shown by then
    if (shownId === id) change({ length: Math.max(courses.lengthOf(round), ...actTimes()) });
  }

  /** Play a player's game and the last known win, from the moment at which they part. @param {GameReview} game */
  async function playWin({ seat, known_ms: ms }) {
    await open();
    sides[0]?.choose(String(seat));
    sides[1]?.choose(courses.winOf(seat));
    await fetchGames();
    change({ ms: ms ?? 0, playing: true });
  }

  /** Show the review of the round, as far as it is made. Nothing is said of games that nobody reviews, as on a server without reviews. @param {Pick<RoundReview, 'games' | 'missing' | 'state'>} review */
  function showReview({ games, missing, state }) {
    if (!round) return;
    reviewed = games;
    moments = courses.momentsOf(round, games);
    chart.mark(moments);
    drawMoments();
    for (const side of sides) side.drawChoice(round, games);
    const left = games.length > 0 ? missing.map(nameOf) : [];
    const lost = round.ranking.filter(({ won, has_acted }) => !won && has_acted !== false);
    const toGo = state === 'running' ? Math.max(1, lost.length - games.length) : 0;
    const text = strings.reviewNote(toGo, left);
    set(note, { text, hidden: text === '' });
    onReview(new Map(games.map((game) => [game.seat, game])), state === 'done');
  }

  /** Show a round, or that it cannot be fetched. @param {RoundId} id @param {number} me this player's seat, or -1 */
  async function show(id, me) {
    shownId = id;
    unfollow();
    again.onclick = () => show(id, me);
    const course = await courses.fetchRound(id).catch(() => null);
    if (shownId !== id) return;
    failed.hidden = course !== null;
    set(toggle, { disabled: !course });
    drawOpen();
    if (!course) return;
    round = course;
    chart.turn(null);
    chart.show(course, me);
    showReview({ games: [], missing: [], state: 'waiting' });
    // The boards show this player and the best other one, or alone the win that was known.
    const seats = course.ranking.map(({ seat }) => seat);
    seats.sort((a, b) => Number(b === me) - Number(a === me)); // the others stay best first
    const games = seats.map(String);
    if (course.reveal.proof) games.push(courses.KNOWN_WIN);
    for (const [i, side] of sides.entries()) side.choose(games[i]);
    const length = courses.lengthOf(course);
    change({ length, ms: length, playing: false });
    fetchGames();
    onCourse(course, me);
    unfollow = courses.followReview(id, showReview);
  }

  return {
    element,
    show,
    open,
    playWin,
    mark: chart.turn,
    unbind() {
      shownId = null;
      unfollow();
      cancelAnimationFrame(frame);
      for (const side of sides) side.unbind();
    },
  };
}
