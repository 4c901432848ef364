// The header of the race: the clocks, the player's figures with the sign of the lead, and the tools, from
// preferences to leaving. Place and lead change at most once a second, so that players can read them; a
// change of the lead sounds with its sign. Screen readers get it from the status line.

import { onPreference, preference, preferNext, storedBest } from '../browser/storage.js';
import { GAMES } from '../contract/games.js';
import { nextCards } from '../page/appearance.js';
import { bindHostControls } from '../room/host-controls.js';
import { dealId } from '../state/next-game.js';
import { leadCue, winsForCertain } from '../state/race-events.js';
import {
  hintsTaken,
  isForOne,
  isOnlyRacer,
  lateBy,
  leader,
  mayChase,
  mayTakeBack,
  plays,
  shownPlace,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, makeThrottle, restartAnimation, set } from '../widgets/element.js';
import { giveUp, restart } from './game-over.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {Record<string, {element: HTMLElement, value: HTMLElement, label: HTMLElement}>} Figures by id
 */

const TICK_MS = 200;
/** Less time than this is highlighted. */
const SOON_MS = 60_000;
/** The least time between two changes of the place. */
const PLACE_MS = 1_000;

/** What decides a race is large; on a low screen the kept figures come first. */
const LARGE = ['place', 'home', 'cards-home'];
const KEPT = ['exceptions', 'hints', 'cheats'];

/**
 * Make a figure with its label; one that explains itself does so when it is pressed.
 * @param {string} id
 * @param {() => void} [explain]
 */
function makeFigure(id, explain) {
  const value = h('b', { id, 'data-figure': id });
  const label = h('span', { class: 'header-label' });
  const props = {
    class: 'header-figure',
    'data-figure-of': id,
    'data-large': LARGE.includes(id),
    'data-kept': KEPT.includes(id),
    'data-part': 'figure',
  };
  const element = explain
    ? h('button', { ...props, onclick: explain }, value, label)
    : h('span', props, value, label);
  return { element, value, label };
}

/**
 * Return the figures in their order, but for the place: the value, and whether the game or the room has it.
 * @param {State} state
 * @returns {[id: string, value: number | undefined, isShown: boolean][]}
 */
function figuresOf(state) {
  const { room, play } = state;
  const { score, counts } = play?.shown ?? {};
  // A game has either columns with face-down cards, or foundations for single cards.
  const hasColumns = Boolean(GAMES[room?.settings.game ?? '']?.face_down);
  const { exceptions = 0, cheats = 0 } = counts ?? {};
  return [
    ['score', score, true],
    ['moves', counts?.moves, true],
    ['exceptions', exceptions, room?.settings.exceptions !== 'off'],
    ['hints', hintsTaken(state), room?.settings.hints === true],
    ['face-down', counts?.face_down, hasColumns],
    ['home', counts?.suits, hasColumns],
    ['cards-home', counts?.home, !hasColumns],
    ['in-stock', counts?.stock, !hasColumns],
    ['cheats', cheats, cheats > 0], // a room without the setting never counts any
  ];
}

/** Draw the figures of a table. @param {Figures} figures @param {State} state */
function drawFigures(figures, state) {
  const { game = '', undo } = state.room?.settings ?? {};
  for (const [id, value, isShown] of figuresOf(state)) {
    const figure = figures[id];
    if (!figure) continue;
    const ofGame = [strings.ofSuits(GAMES[game]?.foundations ?? 0)];
    const [many, one = many] = id === 'home' ? ofGame : (strings.FIGURES[id] ?? []);
    set(figure.element, { hidden: !isShown });
    set(figure.value, { text: value ?? '–' });
    set(figure.label, { text: value === 1 ? one : many, 'data-widest': many });
  }
  if (figures.cheats) set(figures.cheats.element, { title: strings.cheatRule(undo) });
}

/**
 * Return this player's place. The figure has its space from the start, before places are known.
 * @param {Pick<State, 'standings' | 'room' | 'me'>} state
 * @returns {{place: number | null | undefined, of: number, leads: boolean}} `place` is null before it
 *   is known, and undefined for a player who has none; `of` counts the players who race for places
 */
export function placeInRace({ standings, room, me }) {
  const isMine = (/** @type {{seat: number}} */ { seat }) => seat === me?.seat;
  const ranked = standings.filter(({ place }) => place !== null);
  const racing = room?.seats.filter(({ state }) => state === 'RACING') ?? [];
  const own = ranked.find(isMine);
  return {
    place: own ? shownPlace(own) : racing.some(isMine) ? null : undefined,
    of: Math.max(ranked.length, racing.length),
    leads: own !== undefined && shownPlace(own) === 1 && own.score > 0,
  };
}

/** Bind the place and the sign of the lead. @param {App} app */
function bindPlace(app) {
  const { element, value, label } = makeFigure('place');
  const name = h('bdi', { class: 'text-cut' });
  const word = h('span');
  const lead = h('span', { class: 'header-lead', id: 'lead', 'aria-hidden': 'true' }, name, word);
  element.append(lead);
  /** The seat that was shown as the leader, or null. @type {State['lastLeader']} */
  let shown = null;

  const throttle = makeThrottle(PLACE_MS, () => {
    const state = app.state();
    const { place, of, leads } = placeInRace(state);
    set(element, { hidden: place === undefined || of < 2, 'data-leads': leads });
    set(value, { text: place ? strings.ordinal(place) : '–' });
    set(label, { text: strings.ofPlayers(of) });
    const leading = leader(state.standings);
    const me = state.me?.seat ?? -1;
    const isOwn = leading?.seat === me;
    const wins = winsForCertain(leading, state.room?.settings);
    set(name, { text: !leading || isOwn ? '' : leading.name });
    set(word, { text: leading ? strings.leadWord(isOwn, wins) : '' });
    const cue = leadCue(shown, state.lastLeader, me);
    shown = state.lastLeader;
    if (!cue) return;
    set(lead, { 'data-change': cue });
    restartAnimation(lead, 'data-changed');
    // A leader who has just won has a sound already, that of the win.
    if (!leading?.won) app.sound.play(cue);
  });

  return {
    element,
    update: throttle.request,
    unbind: throttle.stop,
  };
}

/**
 * Make a button with a picture or a sign.
 * @param {string} id
 * @param {string} label
 * @param {() => void} onclick
 * @param {{text?: string, spoken?: string}} [options] `text` is a sign instead of a picture
 */
const tool = (id, label, onclick, { text, spoken = label } = {}) =>
  h('button', {
    id,
    class: text ? 'header-tool' : 'header-tool icon',
    'data-tool': id,
    title: label,
    'aria-label': spoken,
    text,
    onclick,
  });

/** Make the button that gives up; on a narrow page a flag replaces its word. @param {App} app */
function forfeitButton(app) {
  const text = strings.HEADER.forfeit;
  return h(
    'button',
    {
      id: 'forfeit',
      class: 'icon race-act header-forfeit',
      'data-kind': 'quiet',
      title: text,
      onclick: () => giveUp(app),
    },
    h('span', { class: 'race-act-word', text }),
  );
}

/** Make the button for latecomers; a narrow page has no room for its second word. @param {App} app */
function chaseButton(app) {
  const words = strings.HEADER;
  return h(
    'button',
    {
      id: 'chase',
      'data-kind': 'primary',
      title: words.chaseLabel,
      onclick: () => app.send({ type: 'chase' }),
    },
    words.chase,
    h('span', { class: 'header-chase-more', text: words.chaseMore }),
  );
}

/** Make the button of the host's controls. @param {App} app */
function makeHostControls(app) {
  const { button, ...controls } = bindHostControls(app);
  return { element: h('span', { class: 'header-host' }, button), ...controls };
}

/** Bind the header of the race. @param {App} app @param {() => void} openHelp */
export function bindHeader(app, openHelp) {
  const words = strings.HEADER;
  const time = h('span', {
    class: 'header-time',
    id: 'clock',
    role: 'timer',
    'aria-label': words.time,
    'aria-live': 'off',
  });
  const timeLeft = h('span', { class: 'header-left', id: 'time-left' });
  const best = h('span', { class: 'header-left', id: 'best' });
  const place = bindPlace(app);
  /** @type {Record<string, () => void>} */
  const explained = {
    exceptions: () => app.announce(strings.EXCEPTION_ABOUT),
    cheats: () => app.announce(strings.cheatRule(app.state().room?.settings.undo)),
  };
  const ids = figuresOf(app.state()).map(([id]) => id);
  const figures = Object.fromEntries(ids.map((id) => [id, makeFigure(id, explained[id])]));
  const row = h(
    'div',
    { class: 'header-figures', id: 'figures' },
    place.element,
    ...Object.values(figures).map(({ element }) => element),
  );
  if (figures.exceptions) set(figures.exceptions.element, { title: strings.EXCEPTION_ABOUT });
  const mute = tool('mute', words.mute, () => preferNext('muted'));
  const spoken = words.restartLabel;
  const again = tool('restart', words.restart, () => restart(app), { text: '↻', spoken });
  const chase = chaseButton(app);
  const forfeit = forfeitButton(app);
  const leave = h('button', {
    id: 'leave',
    'data-kind': 'quiet',
    text: words.leave,
    onclick: app.leave,
  });
  const host = makeHostControls(app);
  const showMuted = () => set(mute, { 'aria-pressed': String(preference('muted')) });
  const unbindMuted = onPreference(showMuted);
  showMuted();
  const tick = () => drawClocks(time, timeLeft, app);
  const timer = setInterval(tick, TICK_MS);

  return {
    element: h(
      'header',
      { class: 'header', id: 'race-top' },
      h('div', { class: 'header-clocks' }, time, timeLeft, best),
      row,
      h(
        'div',
        { class: 'header-tools' },
        tool('colours', words.colours, nextCards, { text: '♦' }),
        mute,
        tool('looks', strings.PREFERENCES_TITLE, app.openPreferences),
        tool('help', words.help, openHelp, { text: '?' }),
        ...[again, host.element, chase, forfeit, leave],
      ),
    ),
    /** @param {State} state */
    update(state) {
      drawFigures(figures, state);
      place.update();
      drawBest(best, state);
      host.update(state);
      const mayGiveUp = plays(state) && !mayTakeBack(state);
      set(forfeit, { hidden: !mayGiveUp });
      set(leave, { hidden: mayGiveUp });
      set(again, { hidden: !mayGiveUp || !isOnlyRacer(state) });
      set(chase, { hidden: !mayChase(state) });
      tick();
    },
    unbind() {
      host.unbind();
      place.unbind();
      unbindMuted();
      clearInterval(timer);
    },
  };
}

/** Show the best result in this deal or game so far, in practice. @param {HTMLElement} element @param {State} state */
function drawBest(element, { room }) {
  if (!room || !isForOne(room)) {
    element.hidden = true;
    return;
  }
  const { round, settings } = room;
  if (element.dataset.n === String(round?.n)) return;
  element.dataset.n = String(round?.n);
  const deal = dealId(settings.game, settings);
  const best = (deal && storedBest('deal', deal)) || storedBest('game', settings.game);
  set(element, { hidden: !best, text: best ? strings.ownBest(best) : '' });
}

/** Draw the time that has passed, on this player's own clock while the player plays, and the time that is left. @param {HTMLElement} time @param {HTMLElement} timeLeft @param {App} app */
function drawClocks(time, timeLeft, app) {
  const state = app.state();
  const round = state.room?.round;
  if (!round) return;
  const now = Math.min(app.now(), round.ended ?? Number.POSITIVE_INFINITY);
  set(time, { text: strings.clock(now - round.t0 - (plays(state) ? lateBy(state) : 0)) });
  const left = round.t_end === null ? null : round.t_end - now;
  set(timeLeft, {
    text: left === null ? '' : strings.timeLeft(left),
    'data-soon': left !== null && left < SOON_MS,
  });
  if (round.t_end !== null) reserve(timeLeft, strings.timeLeft(round.t_end - round.t0));
}

/** Keep the room of a longer text, since the figures beside it must not move. @param {HTMLElement} element @param {string} text */
function reserve({ dataset }, text) {
  if (text.length > (dataset.widest?.length ?? 0)) dataset.widest = text;
}
