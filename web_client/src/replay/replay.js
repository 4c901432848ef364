// The replay of a finished race. The chart and two games side by side show the same time, which a slider, buttons and
// keys change.

import { bindMiniature } from '../board/board.js';
import { parseAction } from '../contract/notation.js';
import { coloursOf, isGhostSeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, set, svg, writeSpoken } from '../widgets/element.js';
import { writeName } from '../widgets/names.js';
import { bindChart, markMoments, markTurn, setTime, showChart, spokenScores } from './chart.js';
import * as courses from './course.js';

/**
 * @import {GameReview, RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Chart} from './chart.js'
 * @import {Moment, RoundId, Tape} from './course.js'
 * @typedef {ReturnType<typeof bindSide>} Side
 * @typedef {ReturnType<typeof bindReplay>} Replay
 * @typedef {{ms: number, length: number, playing: boolean, speed: number}} Playback it is at the time `ms` of `length`
 *   ms; at a `speed` of 1 it runs as fast as the race did
 */

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];
/** Cards glide to the next table only if it is at most this many acts away. */
const MAX_ACTS_TO_GLIDE = 2;

/**
 * Return a playback with some values changed. Its time stays within its length, and it stops at the end.
 * @param {Playback} old @param {Partial<Playback>} values
 */
export function playbackWith(old, values) {
  const { ms: wantedMs, length, playing, speed } = { ...old, ...values };
  const ms = Math.min(length, Math.max(0, wantedMs));
  return { ms, length, playing: playing && ms < length, speed };
}

/** Return the changes that pause or resume a playback; from its end it starts over. @param {Playback} playback */
export const toggled = ({ playing, ms, length }) => ({
  playing: !playing,
  ms: !playing && ms >= length ? 0 : ms,
});

/** Return the next higher or lower speed. @param {number} speed @param {1 | -1} step */
export const nextSpeed = (speed, step) => SPEEDS[SPEEDS.indexOf(speed) + step] ?? speed;

/** The symbols of the buttons as paths, since not every font has them. */
const SIGNS = {
  before: 'M17 4v12l-9-6zM4 4h3v12H4z',
  back: 'M14 4v12L5 10z',
  play: 'M5 3l12 7-12 7z',
  pause: 'M5 3h4v14H5zM11 3h4v14h-4z',
  on: 'M6 4v12l9-6z',
  after: 'M3 4v12l9-6zM13 4h3v12h-3z',
};
const COMMANDS_OF_KEYS = /** @type {const} */ ({
  PageDown: 'before', // as on a slider, which it moves back
  ArrowLeft: 'back',
  ' ': 'play',
  ArrowRight: 'on',
  PageUp: 'after',
  '+': 'faster',
  '-': 'slower',
});

/** Describe a table's latest act; `aside` is only spoken. @param {Tape} tape @param {number} count of acts so far */
function describeAct({ replay, tables }, count) {
  const words = strings.REPLAY;
  // The replay of a very long game has only its first acts and the last one.
  const isCut = count === tables.length - 1 && replay.acts > replay.steps.length;
  if (isCut) return { text: words.cut, aside: '' };
  const step = replay.steps[count - 1];
  if (!step) return { text: words.dealt, aside: '' };
  const action = parseAction(step.action);
  if (!action) return { text: step.action, aside: '' }; // of a newer server
  const before = tables[count - 1]?.piles ?? [];
  const after = tables[count]?.piles ?? [];
  const aside = strings.actAside(action, before, after);
  return { text: strings.actDone(action, before, after), aside };
}

/**
 * Bind one of the two boards, with the menu of games and figures above it, and the latest act and the review below it.
 * @param {'left' | 'right'} name @param {() => void} onchange called when another game is chosen
 * @param {(game: GameReview) => void} showWin shows the last known win of a game
 * @param {Uses['deal']} deal as in `Uses`
 */
function bindSide(name, onchange, showWin, deal) {
  const words = strings.REPLAY;
  const link = { 'data-kind': 'link' };
  const line = (/** @type {string} */ part, /** @type {(Node | string)[]} */ ...nodes) =>
    h('p', { class: 'text-note replay-said', 'data-part': part }, ...nodes);
  const reviewText = h('span');
  const see = h('button', { ...link, text: strings.RESULTS.see });
  const race = h('a', { class: 'buttons-link', ...link, 'data-part': 'race', text: words.race });
  const playOn = h('button', { ...link, 'data-part': 'play-on', text: words.playOn });
  const looks = { class: 'miniature-enlarge', 'data-action': 'enlarge', 'aria-pressed': 'false' };
  const side = {
    element: h('div', { class: 'stack replay-side' }),
    select: h('select', { id: `board-${name}`, 'aria-label': words[name], onchange }),
    /** The mark of the chosen player. It is beside the menu, since an option can only have text. */
    mark: h('span'),
    board: bindMiniature(),
    enlarge: h('button', looks),
    figures: line('figures'),
    act: line('act'),
    review: line('review', reviewText, ' ', see),
    reviewText,
    see,
    /** Offers to race against the game, or to play on from the shown act. */
    offers: line('again', race, ' ', playOn),
    race,
    reviewOfChosen: /** @type {GameReview | undefined} */ (undefined),
    cardsOfChosen: '',
    tape: /** @type {Tape | null} */ (null),
    /** How many acts led to the table on the board; -1 if it shows another game. */
    shownActs: -1,
  };
  const { element, select, mark, board, enlarge, figures, act, review, offers } = side;
  see.addEventListener('click', () => side.reviewOfChosen && showWin(side.reviewOfChosen));
  playOn.addEventListener('click', () => deal(side.cardsOfChosen, Math.max(0, side.shownActs)));
  enlarge.addEventListener('click', () => {
    const isLarge = element.toggleAttribute('data-large');
    set(enlarge, { 'aria-pressed': String(isLarge) });
  });
  const view = h('div', { class: 'replay-view' }, board.element, enlarge);
  element.append(h('div', { class: 'line' }, mark, select), figures, view, act, review, offers);
  return side;
}

/** Return a menu's options: games and known wins. @param {RoundCourse} round @param {readonly GameReview[]} reviewed */
function gamesToChoose({ ranking, programs, reveal }, reviewed) {
  const games = ranking.map(({ seat, name }) => ({
    value: String(seat),
    text: programs.includes(seat) ? strings.programNamed(name) : name,
  }));
  if (reveal.proof) games.push({ value: courses.KNOWN_WIN, text: strings.REPLAY.knownWin });
  const wins = reviewed
    .filter(({ known_ms: ms }) => ms !== null)
    .map((game) => ({ value: courses.winOf(game.seat), text: strings.winOption(game) }));
  return [...games, ...wins];
}

/**
 * Draw the menu of games, and the chosen game's mark and review.
 * @param {Side} side @param {RoundCourse} round @param {readonly GameReview[]} reviewed
 */
function drawChoice(side, round, reviewed) {
  const { select, mark, review, reviewText, see } = side;
  const makeOption = () => h('option');
  keyed(select, gamesToChoose(round, reviewed), ({ value }) => value, makeOption, set);
  const player = round.ranking.find(({ seat }) => String(seat) === select.value);
  const game = reviewed.find(({ seat }) => seat === player?.seat);
  side.reviewOfChosen = game;
  writeName(mark, '', undefined, player && coloursOf(null, round)(player.seat));
  set(mark, { 'data-ghost': isGhostSeat(player?.seat) });
  // Won or unplayed games get no review; for the others, reserve its line until it comes.
  set(review, { hidden: !player || player.won || player.has_acted === false });
  set(reviewText, { text: game && `${game.name}: ${strings.reviewOf(game)}.` });
  see.hidden = !game || game.known_ms === null; // it shows the last known win
}

/** Choose a game for a side; without one, hide the side. @param {Side} side @param {string} [game] a menu's value */
function chooseGame({ element, select }, game) {
  element.hidden = game === undefined;
  if (game !== undefined) select.value = game;
}

/** Fetch the game that a side's menu has chosen. @param {Side} side @param {RoundId} id of the round */
async function fetchGame(side, id) {
  const { element, select, offers, race, enlarge, act } = side;
  const game = select.value;
  if (element.hidden) return; // there is no second game to show
  element.dataset.seat = game;
  side.cardsOfChosen = courses.nameOfCards(id, game);
  offers.hidden = !/^\d+$/.test(game); // nobody can race against a win that nobody played
  set(race, { href: `/g/${side.cardsOfChosen}` });
  set(enlarge, { 'aria-label': strings.enlarge(select.selectedOptions[0]?.text ?? '') });
  const tape = await courses.fetchTape(id, game).catch(() => null);
  if (select.value !== game) return; // another game has been chosen since
  if (tape !== side.tape) side.shownActs = -1;
  side.tape = tape;
  if (!tape) set(act, { text: strings.NOT_LOADED });
}

/** Show a side's board, figures and latest act at a time. @param {Side} side @param {number} ms */
function showTable(side, ms) {
  const { tape, board, figures, act, shownActs } = side;
  if (!tape) return;
  const acts = courses.indexAt(tape.times, ms);
  const table = tape.tables[acts];
  if (acts === shownActs || !table) return;
  board.update(table, Math.abs(acts - shownActs) <= MAX_ACTS_TO_GLIDE);
  side.shownActs = acts;
  set(figures, { text: strings.figures(table) });
  const { text, aside } = describeAct(tape, acts);
  writeSpoken(act, text, aside);
}

/**
 * How a page uses the replay in it.
 * @typedef {object} Uses
 * @property {(round: RoundCourse, me: number) => void} onCourse called once the round has been fetched
 * @property {(reviewed: ReadonlyMap<number, GameReview>, isDone: boolean) => void} [onReview] called whenever
 *   more games have been reviewed, with all of them by seat
 * @property {(cards: string, acts: number) => void} deal starts a game with these cards, after this many acts
 * @property {readonly HTMLElement[]} [actions] in the head, beside the button that opens the replay
 * @property {readonly HTMLElement[]} [lines] above the chart
 */

/** Bind a replay: the chart, and the boards and controls, which a button opens. @param {Uses} uses */
export function bindReplay(uses) {
  // `before` and `after` jump to the previous and the next moment, `back` and `on` to the previous and the next act.
  const commands = {
    before: () => jump(replay, -1, momentTimes(replay)),
    back: () => jump(replay, -1, actTimes(replay)),
    play: () => change(replay, toggled(replay.playback)),
    on: () => jump(replay, 1, actTimes(replay)),
    after: () => jump(replay, 1, momentTimes(replay)),
    faster: () => change(replay, { speed: nextSpeed(replay.playback.speed, 1) }),
    slower: () => change(replay, { speed: nextSpeed(replay.playback.speed, -1) }),
  };
  const sides = /** @type {const} */ (['left', 'right']).map((name) =>
    bindSide(
      name,
      () => fetchGames(replay),
      (game) => playWin(replay, game),
      uses.deal,
    ),
  );
  const chart = bindChart(
    (ms) => change(replay, { ms }),
    (ms) => goTo(replay, ms),
  );
  const replay = {
    ...{ uses, commands, chart, sides },
    ...makeParts(commands, uses, chart, sides),
    /** @type {Playback} */
    playback: { ms: 1, length: 1, playing: false, speed: 8 },
    requestedFrame: 0, // the id of the requested animation frame, or 0
    latestFrameMs: 0, // when that was requested
    isOpen: false,
    id: /** @type {RoundId | null} */ (null),
    round: /** @type {RoundCourse | null} */ (null),
    moments: /** @type {readonly Moment[]} */ ([]),
    reviewed: /** @type {readonly GameReview[]} */ ([]),
    unfollowReview() {},
  };
  const { element, toggle, slider, speed } = replay;
  toggle.addEventListener('click', () => (replay.isOpen ? close(replay) : watch(replay)));
  slider.addEventListener('input', () => change(replay, { ms: Number(slider.value) }));
  speed.addEventListener('change', () => change(replay, { speed: Number(speed.value) }));
  element.addEventListener('keydown', (event) => pressKey(replay, event));
  drawOpenness(replay);
  return replay;
}

/** Make the controls: slider, buttons, speed, and the list of moments. @param {Record<string, () => void>} commands */
function makeControls(commands) {
  const words = strings.REPLAY;
  const makeButton = (/** @type {'before' | 'back' | 'play' | 'on' | 'after'} */ name) => {
    const sign = svg('path', { d: SIGNS[name] });
    const drawing = svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, sign);
    const looks = { class: 'top-icon', title: words[name], 'aria-label': words[name] };
    return h('button', { ...looks, id: `replay-${name}`, onclick: commands[name] }, drawing);
  };
  const range = { id: 'replay-at', type: 'range', min: 0, step: 'any', 'aria-label': words.at };
  const slider = h('input', range);
  const play = makeButton('play');
  const time = h('span', { 'data-part': 'time' });
  const options = SPEEDS.map((value) =>
    h('option', { value, text: `${value === 0.5 ? '½' : value}×` }),
  );
  const speed = h('select', { id: 'replay-speed', 'aria-label': words.speed }, ...options);
  const moment = h('p', { class: 'replay-said', id: 'moment' });
  const looks = { class: 'line replay-scroll replay-moments', id: 'moments' };
  const momentList = h('ol', { ...looks, 'aria-label': words.moments });
  const others = /** @type {const} */ (['before', 'back', 'on', 'after']).map(makeButton);
  const buttons = others.toSpliced(2, 0, play); // in the middle
  const transport = h('div', { class: 'row replay-transport' }, ...buttons, time, speed);
  const all = [slider, transport, moment, momentList];
  const controls = h('div', { class: 'stack', id: 'replay' }, ...all);
  return { controls, slider, play, time, speed, moment, momentList };
}

/**
 * Make the elements of a replay, and lay them out.
 * @param {Record<string, () => void>} commands @param {Uses} uses @param {Chart} chart @param {readonly Side[]} sides
 */
function makeParts(commands, { actions = [], lines = [] }, chart, sides) {
  const words = strings.REPLAY;
  const parts = makeControls(commands);
  const title = h('h2', { id: 'boards-title', text: words.title });
  const opens = { id: 'replay-open', 'aria-controls': parts.controls.id, 'data-size': 'small' };
  const toggle = h('button', opens);
  const retry = h('button', { text: strings.BUTTONS.again });
  const looks = { class: 'row', hidden: true, role: 'status' };
  const failed = h('p', looks, strings.NOT_LOADED, retry);
  const reviewNote = h('p', { class: 'text-small', id: 'review-note', hidden: true });
  const keys = h('p', { class: 'text-small replay-keys', text: words.keys });
  const shown = [...sides.map((side) => side.element), reviewNote, keys, chart.fold];
  const boards = h('div', { class: 'row replay-pair', id: 'boards' }, ...shown);
  const tools = h('div', { class: 'buttons' }, toggle, ...actions);
  const head = h('header', { class: 'row between' }, title, tools);
  const below = [...lines, failed, chart.element, parts.controls];
  const course = h('div', { class: 'stack replay-course' }, head, ...below);
  const named = { class: 'pane replay', 'aria-labelledby': title.id };
  const element = h('section', named, course, boards);
  return { ...parts, element, toggle, retry, failed, boards, reviewNote };
}

/** @param {Replay} replay */
const momentTimes = ({ moments }) => moments.map(({ ms }) => ms);

/** Return the times of all acts in the shown games. @param {Replay} replay */
const actTimes = ({ sides }) => sides.flatMap(({ tape }) => tape?.times ?? []);

/** Return the name of the player at a seat. @param {Replay} replay @param {number} seat */
const nameOf = ({ round }, seat) =>
  round?.courses.find((course) => course.seat === seat)?.name ?? '';

/** Change and show a playback; request a frame to play on. @param {Replay} replay @param {Partial<Playback>} values */
function change(replay, values) {
  replay.playback = playbackWith(replay.playback, values);
  draw(replay);
  if (!replay.playback.playing || replay.requestedFrame) return; // one frame at a time
  replay.latestFrameMs = performance.now();
  replay.requestedFrame = requestAnimationFrame(() => drawFrame(replay));
}

/** Advance the playback by the time since the last frame. @param {Replay} replay */
function drawFrame(replay) {
  const { playback, latestFrameMs } = replay;
  const passed = performance.now() - latestFrameMs;
  replay.requestedFrame = 0; // so that `change` requests the next one
  if (playback.playing) change(replay, { ms: playback.ms + passed * playback.speed });
}

/**
 * Stop at the next or the previous one of these times.
 * @param {Replay} replay @param {1 | -1} direction @param {readonly number[]} times in any order
 */
function jump(replay, direction, times) {
  const { ms, length } = replay.playback;
  const later = times.filter((each) => each > ms);
  const earlier = times.filter((each) => each < ms);
  const next = direction > 0 ? Math.min(length, ...later) : Math.max(0, ...earlier);
  change(replay, { ms: next, playing: false });
}

/** Handle a pressed key, if it has a command. @param {Replay} replay @param {KeyboardEvent} event */
function pressKey({ element, isOpen, commands }, event) {
  const target = event.target instanceof HTMLElement ? event.target : element;
  const name = COMMANDS_OF_KEYS[/** @type {keyof typeof COMMANDS_OF_KEYS} */ (event.key)];
  // Menus and the folded table use these keys themselves, and the space bar presses a focused button.
  const keyUsers = 'select, details, input:not([type=range])';
  const isUsed = target.closest(name === 'play' ? `${keyUsers}, button` : keyUsers);
  if (!isOpen || !name || event.altKey || event.ctrlKey || event.metaKey || isUsed) return;
  event.preventDefault();
  commands[name]();
}

/** Show the replay as open (as wide as the page, with boards and controls) or as closed. @param {Replay} replay */
function drawOpenness({ element, controls, boards, toggle, isOpen, id }) {
  const words = strings.REPLAY;
  set(element, { 'data-open': isOpen });
  for (const part of [controls, boards]) set(part, { hidden: !isOpen });
  const toOpen = id?.duel ? strings.GHOST.watch : words.open;
  set(toggle, { text: isOpen ? words.shut : toOpen, 'aria-expanded': String(isOpen) });
}

/** Open the replay, and bring it into view. @param {Replay} replay */
export async function openReplay(replay) {
  const wasOpen = replay.isOpen;
  replay.isOpen = true;
  drawOpenness(replay);
  if (!wasOpen) await fetchGames(replay);
  replay.element.scrollIntoView({ block: 'start' });
}

/** Open the replay, and play the race from its start. @param {Replay} replay */
async function watch(replay) {
  await openReplay(replay);
  change(replay, { ms: 0, playing: true });
}

/** @param {Replay} replay */
function close(replay) {
  replay.isOpen = false;
  change(replay, { playing: false });
  drawOpenness(replay);
}

/** Open the replay at a time, and focus the slider for the arrow keys. @param {Replay} replay @param {number} ms */
async function goTo(replay, ms) {
  await openReplay(replay);
  change(replay, { ms, playing: false });
  replay.slider.focus({ preventScroll: true });
}

/** Draw what depends on the playback: chart, boards, controls, and the latest moment. @param {Replay} replay */
function draw(replay) {
  const words = strings.REPLAY;
  const { playback, chart, sides, slider, time, play, speed, moment, moments, round } = replay;
  const { ms, length, playing } = playback;
  setTime(chart, ms);
  for (const side of sides) showTable(side, ms);
  set(slider, { max: length, value: String(ms), 'aria-valuetext': spokenScores(chart) });
  set(time, { text: `${strings.clock(ms)} / ${strings.clock(length)}` });
  const label = playing ? words.pause : words.play;
  set(play, { title: label, 'aria-label': label });
  play.querySelector('path')?.setAttribute('d', SIGNS[playing ? 'pause' : 'play']);
  set(speed, { value: String(playback.speed) });
  const latest = moments.findLast((each) => each.ms <= ms);
  const text = latest ? strings.moment(latest, nameOf(replay, latest.seat)) : '';
  writeName(moment, text, undefined, latest && coloursOf(null, round)(latest.seat));
  set(moment, { 'data-ghost': isGhostSeat(latest?.seat) });
  // While the replay plays, moments come faster than they can be read out.
  set(moment, { 'aria-live': playing ? 'off' : 'polite' });
}

/** Draw the list of moments; pressing one stops the replay there. @param {Replay} replay */
function drawMoments(replay) {
  const { momentList, moments, round } = replay;
  keyed(momentList, moments, JSON.stringify, (moment) => {
    const { ms, seat } = moment;
    const onclick = () => change(replay, { ms, playing: false });
    const button = h('button', { 'data-size': 'small', onclick });
    set(button, { 'data-ghost': isGhostSeat(seat) });
    const text = strings.moment(moment, nameOf(replay, seat));
    writeName(button, text, undefined, coloursOf(null, round)(seat));
    return h('li', {}, button);
  });
}

/** Fetch the chosen games of both sides and show them. @param {Replay} replay */
async function fetchGames(replay) {
  const { id, round, isOpen, sides, reviewed } = replay;
  if (!id || !round || !isOpen) return;
  for (const side of sides) drawChoice(side, round, reviewed);
  await Promise.all(sides.map((side) => fetchGame(side, id)));
  if (replay.id !== id) return; // another round is shown by now
  // The shown games may include a known win of the deal, which can take longer than the race did.
  change(replay, { length: Math.max(courses.lengthOf(round), ...actTimes(replay)) });
}

/** Play a game beside its last known win, from where they part. @param {Replay} replay @param {GameReview} game */
export async function playWin(replay, { seat, known_ms: ms }) {
  await openReplay(replay);
  const [left, right] = replay.sides;
  if (left) chooseGame(left, String(seat));
  if (right) chooseGame(right, courses.winOf(seat));
  await fetchGames(replay);
  change(replay, { ms: ms ?? 0, playing: true });
}

/**
 * Show the reviews that have arrived; say how many are still to come, and which players will get none.
 * @param {Replay} replay @param {Pick<RoundReview, 'games' | 'missing' | 'state'>} review
 */
function showReview(replay, { games, missing, state }) {
  const { round, chart, sides, reviewNote, uses } = replay;
  if (!round) return;
  replay.reviewed = games;
  replay.moments = courses.momentsOf(round, games);
  markMoments(chart, replay.moments);
  drawMoments(replay);
  for (const side of sides) drawChoice(side, round, games);
  // A server that makes no reviews reports all games as missing: then say nothing.
  const unreviewed = games.length > 0 ? missing.map((seat) => nameOf(replay, seat)) : [];
  // Only lost games with an act are reviewed.
  const toReview = round.ranking.filter(({ won, has_acted }) => !won && has_acted !== false);
  // Until the server is done, at least one review is still to come.
  const toGo = state === 'running' ? Math.max(1, toReview.length - games.length) : 0;
  const text = strings.reviewNote(toGo, unreviewed);
  set(reviewNote, { text, hidden: text === '' });
  uses.onReview?.(new Map(games.map((game) => [game.seat, game])), state === 'done');
}

/** Fetch a round and show it, or offer a retry. @param {Replay} replay @param {RoundId} id @param {number} me */
export async function showRound(replay, id, me) {
  const { chart, sides, retry, failed, toggle, uses } = replay;
  replay.id = id;
  replay.unfollowReview();
  retry.onclick = () => showRound(replay, id, me);
  const round = await courses.fetchRound(id).catch(() => null);
  if (replay.id !== id) return;
  failed.hidden = round !== null;
  set(toggle, { disabled: !round });
  drawOpenness(replay);
  if (!round) return;
  replay.round = round;
  markTurn(chart, null);
  showChart(chart, round, me);
  showReview(replay, { games: [], missing: [], state: 'waiting' });
  // Show this player beside the best other one; beside a lone player, show the known win.
  const seats = round.ranking.map(({ seat }) => seat);
  seats.sort((a, b) => Number(b === me) - Number(a === me)); // the others stay best first
  const games = [...seats.map(String), ...(round.reveal.proof ? [courses.KNOWN_WIN] : [])];
  for (const [i, side] of sides.entries()) chooseGame(side, games[i]);
  const length = courses.lengthOf(round);
  change(replay, { length, ms: length, playing: false });
  fetchGames(replay);
  uses.onCourse(round, me);
  replay.unfollowReview = courses.followReview(id, (review) => showReview(replay, review));
}

/** Stop the playback and all requests. @param {Replay} replay */
export function unbindReplay(replay) {
  replay.id = null;
  replay.unfollowReview();
  cancelAnimationFrame(replay.requestedFrame);
  for (const { board } of replay.sides) board.unbind();
}
