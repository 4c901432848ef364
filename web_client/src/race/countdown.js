// The countdown to a race, its start and its last seconds, by the server's clock.

import { RANKS, SUITS } from '../contract/protocol.js';
import {
  amHost,
  coloursOf,
  isOneOfSeveral,
  isOpenRaceOn,
  isTodaysRace,
  ownEndOf,
  plays,
  programSeats,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { every, h, keyed, restartAnimation, set } from '../widgets/element.js';
import { keyOfSeat, writeName } from '../widgets/names.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof makeView>} View
 */

const MAX_NAMES = 12; // show at most this many names
const HASH_DIGITS = 16; // show this many digits of the deal's hash
const TICK_MS = 50;
const LAST_TICK_MS = 100;
const START_MS = 900; // how long the start is shown over the table
const LAST_S = 10; // count down the last seconds of a race from here

/** Make a hidden card of every face before the race, since browsers are slow to draw a face for the first time. */
function warmUpFaces() {
  const faces = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const cards = faces.map((face) => h('div', { class: 'card', 'data-card': face }));
  const looks = { class: 'countdown-warm-up', 'data-small': true, 'aria-hidden': 'true' };
  return h('div', looks, ...cards);
}

/** @param {() => void} onclick stops the countdown */
function makeView(onclick) {
  const digit = h('p', { class: 'countdown-digit', id: 'digit', role: 'timer' });
  const players = h('ul', { class: 'row centre', id: 'racers' });
  const others = h('p');
  const game = h('p', { class: 'text-small' });
  const win = h('p', { class: 'text-small', id: 'known-win' });
  const hash = h('p', { 'data-part': 'hash' });
  const summary = h('summary', { text: strings.FAIR_DEAL });
  const proves = strings.PROVES.map((text) => h('p', { text }));
  const proof = h('details', { class: 'text-small', id: 'sealed' }, summary, hash, ...proves);
  const abort = h('button', { id: 'abort', 'data-kind': 'quiet', text: strings.STOP, onclick });
  const who = h('div', { class: 'countdown-who' }, players, others);
  const chat = h('div', { class: 'line', id: 'chat-ticker' });
  const about = h('div', { class: 'stack countdown-about' }, game, win, proof, abort, chat);
  const element = h('div', { class: 'page countdown' }, who, digit, about);
  return { element, digit, players, others, game, win, proof, hash, abort };
}

/** Draw the racers, the game and the deal's hash. @param {View} view @param {State} state @param {RoomView} room */
function draw(view, state, room) {
  const { round, settings } = room;
  const racers = room.seats.filter((seat) => seat.state === 'READY' || seat.state === 'RACING');
  const more = racers.length - MAX_NAMES;
  const programs = programSeats(room);
  const colours = coloursOf(room);
  const makeItem = () => h('li', { class: 'text-cut' });
  keyed(view.players, racers.slice(0, MAX_NAMES), keyOfSeat, makeItem, (item, { seat, name }) =>
    writeName(item, name, programs.get(seat), colours(seat)),
  );
  set(view.others, { text: more > 0 ? `+${more}` : '' });
  set(view.game, { text: strings.gameAndDeal(settings.game, round?.number) });
  set(view.win, { text: strings.winLine(round?.winnable, round?.degree) });
  const hash = round?.commitment; // only a secret deal has one
  view.proof.hidden = !hash;
  set(view.hash, { text: hash ? strings.dealHash(hash.slice(0, HASH_DIGITS)) : '' });
  view.abort.hidden = !amHost(state) || isTodaysRace(room); // today's race cannot be aborted
}

/** @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindCountdown(root, app) {
  const view = makeView(() => app.send({ type: 'abort' }));
  root.replaceChildren(view.element, warmUpFaces());
  let shownSeconds = -1; // nothing is shown yet; 0 shows the start

  /** Show the seconds left when they change. */
  function tick() {
    const t0 = app.state().room?.round?.t0;
    if (t0 === undefined) return;
    const secondsLeft = Math.max(0, Math.ceil((t0 - app.now()) / 1_000));
    if (secondsLeft === shownSeconds) return;
    shownSeconds = secondsLeft;
    set(view.digit, { text: secondsLeft > 0 ? String(secondsLeft) : strings.NEWS.go });
    restartAnimation(view.digit, 'data-beat');
  }
  return {
    top: null,
    update(state) {
      if (!state.room) return;
      draw(view, state, state.room);
      tick();
    },
    unbind: every(TICK_MS, tick),
  };
}

/** Show the start of the race over the table. @param {HTMLElement} felt */
export function showStart(felt) {
  const looks = { id: 'start-beat', class: 'race-start countdown-digit', 'aria-hidden': 'true' };
  const word = h('p', { ...looks, 'data-beat': true, text: strings.NEWS.go });
  felt.append(word);
  setTimeout(() => word.remove(), START_MS);
}

/** Return how many of the last seconds are left; 0 at other times. @param {number} endMs @param {number} nowMs */
export function lastSeconds(endMs, nowMs) {
  const left = Math.ceil((endMs - nowMs) / 1_000);
  return left > 0 && left <= LAST_S ? left : 0;
}

/** Bind the countdown to the end: a figure grows over the table, and the edge of the page glows. @param {App} app */
export function bindLastSeconds(app) {
  const figure = h('span', { class: 'race-last-figure countdown-digit' });
  const edge = h('span', { class: 'race-last-edge' });
  const looks = { class: 'race-last', id: 'last-seconds', 'aria-hidden': 'true', hidden: true };
  const element = h('div', looks, edge, figure);
  let shownSeconds = 0; // 0: nothing is shown

  /** Show the seconds left when they change, with a sound. */
  function tick() {
    const { room } = app.state();
    const left = room?.state === 'RUNNING' ? lastSeconds(ownEndOf(app.state()), app.now()) : 0;
    if (left === shownSeconds) return;
    shownSeconds = left;
    element.hidden = left === 0;
    if (left === 0 || !room) return;
    const isOwn = isOpenRaceOn(room) && plays(app.state()); // only this player's game ends
    const words = isOwn ? strings.ownEndsIn(left) : strings.endsIn(left, isOneOfSeveral(room));
    if (left === LAST_S) app.readOut(words); // only once
    set(figure, { text: left });
    set(element, { '--passed': 1 - left / LAST_S });
    app.sound.play('last');
    restartAnimation(element, 'data-beat');
  }
  return { element, unbind: every(LAST_TICK_MS, tick) };
}
