// The header of the race: the clocks, this player's figures (such as the score), the sign for the leader, and buttons.
// Place and leader change at most once a second, so that players can read them. The middle shows the latest event for
// a moment, and otherwise the leader.

import { bestOf, onPreference, preference, preferNext } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { isCalm } from '../page/looks.js';
import { leaveButton } from '../room/frame.js';
import { bindHostControls } from '../room/host.js';
import { isLead, leadCue, winsForCertain } from '../state/race-events.js';
import {
  hintsTaken,
  isForOne,
  isOnlyRacer,
  isOpenRace,
  isOpenRaceOn,
  isTodaysRace,
  lateBy,
  leader,
  mayChase,
  mayTakeBackForfeit,
  ownEndOf,
  plays,
  shownPlace,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, every, h, makeThrottle, set } from '../widgets/element.js';
import { MINUTE_MS } from './events.js';
import { giveUp, restart } from './game-over.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {LeadCue, Logged} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof makeFigure>} Figure
 */

const TICK_MS = 200;
const PLACE_MS = 1_000; // change the place and the leader at most this often
const RISE = { duration: 500, easing: 'cubic-bezier(0.2, 1.6, 0.4, 1)' };

/**
 * Make a figure: a number with its label.
 * @param {string} id @param {boolean} [isLarge]
 * @param {App['announce']} [explain] if given, the figure is a button that announces its title
 */
function makeFigure(id, isLarge = false, explain) {
  const value = h('b', { id });
  const label = h('span', { class: 'text-note' });
  const looks = { class: 'header-figure', 'data-part': 'figure', 'data-kind': isLarge && 'large' };
  const onclick = () => explain?.(element.title);
  const element = h(explain ? 'button' : 'span', { ...looks, onclick });
  element.append(value, ' ', label);
  return { element, value, label };
}

/** Return all figures, the most important first. The game and the rules decide which are shown. @param {State} state */
function figuresOf(state) {
  const { room, play } = state;
  const { score, counts } = play?.shown ?? {};
  const { game = '', exceptions: exceptionLevel, hints, undo } = room?.settings ?? {};
  // A game has either columns with face-down cards, or foundations for single cards.
  const hasColumns = Boolean(GAMES[game]?.face_down);
  const { exceptions = 0, cheats = 0 } = counts ?? {};
  const about = strings.EXCEPTION_ABOUT;
  const today = { value: strings.LANDING.today, label: strings.oneTry(game) };
  const label = strings.ofSuits(GAMES[game]?.foundations ?? 0);
  return [
    { id: 'day', isLarge: true, ...today, isShown: isTodaysRace(room) },
    { id: 'home', isLarge: true, value: counts?.suits, label, isShown: hasColumns },
    { id: 'cards-home', isLarge: true, value: counts?.home, isShown: !hasColumns },
    { id: 'exceptions', value: exceptions, isShown: exceptionLevel !== 'off', about },
    { id: 'hints', value: hintsTaken(state), isShown: hints === true },
    // Only some rooms count undos as cheats.
    { id: 'cheats', value: cheats, isShown: cheats > 0, about: strings.cheatRule(undo) },
    { id: 'score', value: score, isShown: true },
    { id: 'moves', value: counts?.moves, isShown: true },
    { id: 'face-down', value: counts?.face_down, isShown: hasColumns },
    { id: 'in-stock', value: counts?.stock, isShown: !hasColumns },
  ];
}

/** @param {Map<string, Figure>} figures by id @param {State} state */
function drawFigures(figures, state) {
  for (const { id, value, label, isShown, about } of figuresOf(state)) {
    const figure = figures.get(id);
    if (!figure) continue;
    const [plural, singular = plural] = label ? [label] : (strings.FIGURES[id] ?? []);
    set(figure.element, { hidden: !isShown, title: about });
    set(figure.value, { text: value ?? '–' });
    set(figure.label, { text: value === 1 ? singular : plural });
  }
}

/**
 * @param {Pick<State, 'standings' | 'room' | 'me'>} state
 * @returns {{hasPlace: boolean, place: number | null, racers: number}} `hasPlace`: whether the player races for a
 *   place. `place`: null until it is known. `racers`: how many players race for places
 */
export function placeInRace({ standings, room, me }) {
  const isMine = (/** @type {{seat: number}} */ { seat }) => seat === me?.seat;
  const ranked = standings.filter(({ place }) => place !== null);
  const racing = room?.seats.filter(({ state }) => state === 'RACING') ?? [];
  const own = ranked.find(isMine);
  return {
    // In an open race nobody has a place before the end of their own game.
    hasPlace: own !== undefined || (racing.some(isMine) && !isOpenRaceOn(room)),
    place: own ? shownPlace(own) : null,
    racers: Math.max(ranked.length, racing.length), // at first nobody is ranked, and at the end nobody races
  };
}

/** Draw this player's place, and who leads. @param {Figure} figure @param {HTMLElement} lead @param {State} state */
function drawPlace({ element, value, label }, lead, state) {
  const { hasPlace, place, racers } = placeInRace(state);
  const leading = leader(state.standings);
  const isOwn = leading?.seat === state.me?.seat;
  const wins = winsForCertain(leading, state.room?.settings);
  const hidden = !hasPlace || racers < 2 || isOpenRaceOn(state.room);
  set(element, { hidden, 'data-leads': isOwn });
  // Losers have already seen the win sweep over the page, and see it in the panel with the question.
  set(lead, { hidden, 'data-told': wins && !isOwn && plays(state) });
  set(value, { text: place ? strings.ordinal(place) : '–' });
  set(label, { text: strings.ofPlayers(racers) });
  const name = isOwn ? '' : (leading?.name ?? '');
  const word = leading ? strings.leadWord(isOwn, wins) : '';
  // Make new elements, since moving the old word beside another name would count as a layout shift.
  if (lead.textContent !== name + word)
    lead.replaceChildren(h('bdi', { class: 'text-cut', text: name }), h('span', { text: word }));
}

/** Let the sign for the leader rise, or fall if this player lost it. @param {HTMLElement} lead @param {LeadCue} cue */
function animateLead(lead, cue) {
  set(lead, { 'data-change': cue });
  const from = { translate: cue === 'behind' ? '0 -0.9em' : '0 0.9em' };
  if (!isCalm()) lead.animate([from, { translate: '0 0' }], RISE);
}

/** Bind the place and the sign for the leader. @param {App} app */
function bindPlace(app) {
  const figure = makeFigure('place', true);
  const lead = h('span', { class: 'line header-lead', id: 'lead', 'aria-hidden': 'true' });
  let cue = /** @type {LeadCue | null} */ (null); // how the lead has changed since it was last drawn
  const throttle = makeThrottle(PLACE_MS, () => {
    drawPlace(figure, lead, app.state());
    if (cue) animateLead(lead, cue);
    cue = null;
  });

  return {
    ...{ element: figure.element, lead, update: throttle.request, unbind: throttle.stop },
    /** Note how the lead has changed. @param {readonly Logged[]} events newest first */
    showEvents(events) {
      const { from = null, standing } = events.find((each) => isLead(each) && !each.isQuiet) ?? {};
      cue = leadCue(from, standing?.seat ?? null, app.state().me?.seat ?? -1) ?? cue;
    },
  };
}

/**
 * Return what the clocks show; null without a round.
 * @param {State} state @param {number} nowMs the server's time
 * @returns {{passedMs: number | null, leftMs: number, partLeft: number} | null} `passedMs`: the time since the
 *   start of this player's game, or of the race for spectators. Null in an open race for those who are not playing.
 *   `leftMs`: Infinity without a time limit. `partLeft`: `leftMs` as a share of the whole time
 */
export function clockOf(state, nowMs) {
  const round = state.room?.round;
  if (!round) return null;
  const isRacing = plays(state);
  const now = Math.min(nowMs, round.ended ?? Infinity); // the clocks stop with the race
  const start = round.t0 + (isRacing ? lateBy(state) : 0);
  const end = ownEndOf(state);
  const leftMs = Math.max(0, end - now);
  const hasClock = !isOpenRace(state.room) || (isRacing && state.play !== null);
  return { passedMs: hasClock ? now - start : null, leftMs, partLeft: leftMs / (end - start) };
}

/** Bind the clocks: the time passed, the time left, and in practice the best result so far. @param {App} app */
function bindClocks(app) {
  const time = h('span', { class: 'header-time', id: 'clock', role: 'timer', 'aria-live': 'off' });
  set(time, { 'aria-label': strings.HEADER.time });
  const timeLeft = h('span', { class: 'text-note', id: 'time-left' });
  const best = h('span', { class: 'text-note', id: 'best', hidden: true });
  const element = h('div', { class: 'header-clocks' }, time, timeLeft, best);
  const bar = h('div', { class: 'race-time', 'aria-hidden': 'true' });
  let bestRound = ''; // the round whose best result is shown, or ''

  function drawTimes() {
    const clock = clockOf(app.state(), app.now());
    if (!clock) return;
    const { passedMs, leftMs, partLeft } = clock;
    const isSoon = leftMs < MINUTE_MS;
    const isEndless = leftMs === Infinity;
    set(time, { text: passedMs === null ? '' : strings.clock(passedMs) });
    element.hidden = passedMs === null;
    set(timeLeft, { text: isEndless ? '' : strings.timeLeft(leftMs), 'data-soon': isSoon });
    set(element, { 'data-soon': isSoon });
    set(bar, { hidden: isEndless, 'data-soon': isSoon, '--left': partLeft.toFixed(3) });
  }

  /** In practice without a time limit, show the best result so far; look it up once a round. @param {RoomView} room */
  function drawBest(room) {
    const { game, time_limit_s: limit } = room.settings;
    const showsBest = isForOne(room) && !limit;
    const roundId = showsBest ? `${room.code} ${room.round?.n}` : '';
    if (roundId === bestRound) return;
    bestRound = roundId;
    const result = showsBest ? bestOf(game) : null;
    set(best, { hidden: !result, text: result && strings.ownBest(result) });
    set(timeLeft, { hidden: result !== null }); // the two share the place below the clock
  }

  return {
    element,
    bar,
    /** @param {State} state */
    update({ room }) {
      if (room) drawBest(room);
      drawTimes();
    },
    unbind: every(TICK_MS, drawTimes),
  };
}

/** @param {string} id @param {string} label @param {() => void} onclick @param {string} [sign] in place of an icon */
function makeTool(id, label, onclick, sign) {
  const looks = { class: sign ? 'header-tool' : 'header-tool icon', 'data-kind': 'quiet' };
  const named = { id, 'data-tool': id, title: label, 'aria-label': label };
  return h('button', { ...looks, ...named, text: sign, onclick });
}

/** @param {App} app @param {() => void} openHelp @param {HTMLElement} host the button that opens the host's dialog */
function makeTools(app, openHelp, host) {
  const words = strings.HEADER;
  const mute = makeTool('mute', words.mute, () => preferNext('muted'));
  const drawMute = () => set(mute, { 'aria-pressed': String(preference('muted')) });
  drawMute();
  const looks = makeTool('looks', strings.PREFERENCES_TITLE, app.openPreferences);
  const help = makeTool('help', words.help, openHelp, '?');
  const dealAgain = makeTool('restart', words.restart, () => restart(app), '↻');
  const chasing = { id: 'chase', 'data-kind': 'primary', 'data-size': 'small', text: words.chase };
  const onclick = () => app.send({ type: 'chase' }); // latecomers may play the same deal
  const chase = h('button', { ...chasing, title: words.chaseLabel, onclick });
  const forfeit = makeTool('forfeit', words.forfeit, () => giveUp(app));
  const element = h('div', { class: 'header-tools' }, mute, looks, help, dealAgain, host);
  element.append(chase, forfeit);
  return { element, dealAgain, chase, forfeit, unbind: onPreference(drawMute) };
}

/** @param {App} app @param {() => void} openHelp @param {HTMLElement} moment shows the latest event, in the middle */
export function bindHeader(app, openHelp, moment) {
  const host = bindHostControls(app);
  const clocks = bindClocks(app);
  const place = bindPlace(app);
  const tools = makeTools(app, openHelp, host.button);
  const updated = [host, clocks, place];
  /** The figures by id; every state has the same ones. @type {Map<string, Figure>} */
  const figures = new Map();
  for (const { id, isLarge, about } of figuresOf(app.state()))
    figures.set(id, makeFigure(id, isLarge, about ? app.announce : undefined));
  const leave = leaveButton(app.leave);
  const row = h('div', { class: 'header-figures', id: 'figures' }, place.element);
  for (const figure of figures.values()) row.append(figure.element);
  const middle = h('div', { class: 'header-middle' }, moment, place.lead);
  const element = h('header', { class: 'line header', id: 'race-top' }, leave);
  element.append(clocks.element, row, middle, tools.element);

  return {
    element,
    bar: clocks.bar, // the line below the header, which shortens with the time left
    showEvents: place.showEvents,
    /** Draw the figures, and show only the buttons that apply: giving up, or else leaving. @param {State} state */
    update(state) {
      drawFigures(figures, state);
      for (const part of updated) part.update(state);
      const mayGiveUp = plays(state) && !mayTakeBackForfeit(state);
      set(tools.forfeit, { hidden: !mayGiveUp });
      set(leave, { hidden: mayGiveUp });
      const mayDealAgain = mayGiveUp && isOnlyRacer(state) && !isTodaysRace(state.room);
      set(tools.dealAgain, { hidden: !mayDealAgain });
      set(tools.chase, { hidden: !mayChase(state) || isOpenRace(state.room) }); // an open race has a larger button
    },
    unbind: callAll(...updated.map((part) => part.unbind), tools.unbind),
  };
}
