// Any two games of a race side by side at one time, its moments, and the keys that change the time.

import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h, keyed } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';
import { KNOWN_WIN, winOf } from './finished-rounds.js';
import { changeSpeed, seek as seekIn, togglePlaying, withLength } from './playback.js';
import { lengthOf, moments, nextTime } from './scores-over-time.js';
import { bindSide } from './side.js';
import { makeTransport, updateTransport } from './transport.js';
import { bindWins } from './wins.js';

/**
 * @import {GameReview, RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Moment} from './scores-over-time.js'
 * @import {RoundId} from './finished-rounds.js'
 * @import {Change, Playback} from './playback.js'
 * @import {Side} from './side.js'
 * @import {Transport} from './transport.js'
 * @typedef {object} Replay
 * @property {Change} change changes the page's time
 * @property {(ms: number) => void} seek
 * @property {HTMLElement} element
 * @property {string} large the side whose board has the whole width, or ''
 * @property {Side[]} sides
 * @property {Transport} transport
 * @property {HTMLElement} list of moments
 * @property {ReturnType<typeof bindWins>} wins
 * @property {RoundId | null} roundId
 * @property {RoundCourse | null} round
 * @property {Moment[]} moments
 * @property {Playback} playback
 */

const SIDES = /** @type {const} */ (['left', 'right']);

/** Bind an empty replay. @param {Change} change @param {(ms: number) => void} seek */
export function bindReplay(change, seek) {
  const words = strings.REPLAY;
  const sides = SIDES.map((side) =>
    bindSide(
      side,
      () => fetchBoth(replay),
      () => enlarge(replay, side),
    ),
  );
  const transport = makeTransport(change, seek, {
    act: (direction) => jump(replay, actTimes(replay), direction),
    moment: (direction) => jump(replay, momentTimes(replay), direction),
  });
  const list = h('ol', { class: 'replay-moments', id: 'moments', 'aria-label': words.moments });
  const wins = bindWins((game) => playWin(replay, game));
  /** @type {Replay} */
  const replay = {
    ...{ change, seek, sides, transport, list, wins },
    large: '',
    roundId: null,
    round: null,
    moments: [],
    playback: { ms: 0, length: 1, playing: false, speed: 1 },
    element: h(
      'section',
      { class: 'panel replay', id: 'boards', 'aria-labelledby': 'boards-title' },
      h('h2', { id: 'boards-title', text: words.title }),
      h('div', { class: 'replay-pair' }, ...sides.map((side) => side.element)),
      transport.element,
      h('p', { class: 'text-small replay-keys', text: words.keys }),
      wins.element,
      list,
    ),
  };
  replay.element.addEventListener('keydown', (event) => pressKey(replay, event));
  return {
    element: replay.element,
    show: (/** @type {RoundCourse} */ round, /** @type {number} */ me) => show(replay, round, me),
    setReview: (/** @type {RoundReview} */ review) => setReview(replay, review),
    playWin: (/** @type {GameReview} */ game) => playWin(replay, game),
    update: (/** @type {Playback} */ playback) => update(replay, playback),
    unbind() {
      for (const side of replay.sides) side.unbind();
    },
  };
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

/** Fetch the chosen games, and show them; a win may end after the race. @param {Replay} replay */
async function fetchBoth(replay) {
  const { roundId, round, sides } = replay;
  if (!roundId || !round) return;
  await Promise.all(sides.map((side) => side.fetch(roundId)));
  if (replay.roundId !== roundId) return;
  const ends = sides.map((side) => side.tape()?.times.at(-1) ?? 0);
  replay.change((playback) => withLength(playback, Math.max(lengthOf(round), ...ends)));
}

/** Play a player's game and the last known win, from the moment at which they part. @param {Replay} replay @param {GameReview} game */
async function playWin(replay, { seat, known_ms: ms }) {
  const [left, right] = replay.sides;
  left?.choose(String(seat));
  right?.choose(winOf(seat));
  await fetchBoth(replay);
  replay.change((playback) => ({ ...seekIn(playback, ms ?? 0), playing: true }));
}

/** Show the review of the round, as far as it is made. @param {Replay} replay @param {RoundReview} review */
function setReview(replay, review) {
  const { round, wins, sides } = replay;
  if (!round) return;
  const known = review.games.filter(({ known_ms: ms }) => ms !== null);
  for (const side of sides) side.setWins(known);
  const missing = review.missing.map((seat) => nameOf(round, seat));
  wins.show(review, missing, coloursOf(null, round));
  showMoments(replay, moments(round, review.games));
}

/** Return the name of a player. @param {RoundCourse} round @param {number} seat */
const nameOf = (round, seat) => round.courses.find((course) => course.seat === seat)?.name ?? '';

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

/**
 * Show a round: this player and the best other one.
 * @param {Replay} replay
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 */
function show(replay, round, me) {
  replay.roundId = { code: round.room, n: round.n };
  replay.round = round;
  replay.wins.show(null, [], coloursOf(null, round));
  const order = round.ranking.map(({ seat }) => seat);
  const thisPlayer = order.includes(me) ? [me] : [];
  const others = order.filter((seat) => seat !== me);
  const known = round.reveal.proof ? [KNOWN_WIN] : [];
  const chosen = [...thisPlayer, ...others].map(String).concat(known).slice(0, 2);
  replay.sides.forEach((side, i) => {
    side.setGames(round, chosen[i]);
  });
  showMoments(replay, moments(round));
  fetchBoth(replay);
}

/** Show the moments of the round. @param {Replay} replay @param {Moment[]} found */
function showMoments(replay, found) {
  const { round, list, seek, playback } = replay;
  const colours = coloursOf(null, round);
  replay.moments = found;
  keyed(
    list,
    found,
    ({ ms, kind, seat, n }) => `${ms} ${kind} ${seat} ${n}`,
    ({ ms }) => h('li', {}, h('button', { onclick: () => seek(ms) })),
    (item, moment) => {
      const [label] = item.children;
      const text = round ? strings.moment(moment, nameOf(round, moment.seat)) : '';
      if (label) writeName(label, text, undefined, colours(moment.seat));
      item.dataset.kind = moment.kind;
    },
  );
  markMoment(replay, playback);
}

/** Mark the latest moment. @param {Replay} replay @param {Playback} playback */
function markMoment({ moments: all, list }, { ms }) {
  const last = all.findLastIndex((moment) => moment.ms <= ms);
  Array.from(list.children).forEach((item, i) => {
    if (i === last) item.setAttribute('aria-current', 'true');
    else item.removeAttribute('aria-current');
  });
}

/** Show the moment of a playback. @param {Replay} replay @param {Playback} playback */
function update(replay, playback) {
  replay.playback = playback;
  const { sides, transport } = replay;
  for (const side of sides) side.update(playback);
  updateTransport(transport, playback);
  markMoment(replay, playback);
}
