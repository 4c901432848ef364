// The header of the race: the clocks, the player's figures with the sign of the lead, and the tools, from
// preferences to leaving. Place and lead change at most once a second, so that players can read them; a
// change of the lead sounds with its sign. Screen readers get it from the status line.

import { onPreference, preference, preferNext, storedBest } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { bindHostControls } from '../room/host.js';
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
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {'large' | 'kept' | ''} FigureKind what decides a race is large; what is kept has its place on
 *   a low screen, too
 */

const TICK_MS = 200;
/** Less time than this is highlighted. */
const SOON_MS = 60_000;
/** The least time between two changes of the place. */
const PLACE_MS = 1_000;

/**
 * Make a figure with its label; one that explains itself says its title when it is pressed.
 * @param {string} id
 * @param {FigureKind} kind
 * @param {App['announce']} [explain]
 */
function makeFigure(id, kind, explain) {
  const value = h('b', { id });
  const label = h('span', { class: 'header-label' });
  const element = h(
    explain ? 'button' : 'span',
    {
      class: 'header-figure',
      'data-part': 'figure',
      'data-figure': id,
      'data-kind': kind,
      onclick: () => explain?.(element.title),
    },
    value,
    label,
  );
  return { element, value, label };
}

/**
 * Return the figures in their order, but for the place, which comes first: the value, whether the game or
 * the room has it, and an explanation.
 * @param {State} state
 * @returns {[id: string, kind: FigureKind, value: number | undefined, isShown: boolean, about?: string][]}
 */
function figuresOf(state) {
  const { room, play } = state;
  const { score, counts } = play?.shown ?? {};
  const { game = '', exceptions: level, hints, undo } = room?.settings ?? {};
  // A game has either columns with face-down cards, or foundations for single cards.
  const hasColumns = Boolean(GAMES[game]?.face_down);
  const { exceptions = 0, cheats = 0 } = counts ?? {};
  return [
    ['home', 'large', counts?.suits, hasColumns],
    ['cards-home', 'large', counts?.home, !hasColumns],
    ['score', '', score, true],
    ['exceptions', 'kept', exceptions, level !== 'off', strings.EXCEPTION_ABOUT],
    ['hints', 'kept', hintsTaken(state), hints === true],
    // A room without the setting never counts any.
    ['cheats', 'kept', cheats, cheats > 0, strings.cheatRule(undo)],
    ['moves', '', counts?.moves, true],
    ['face-down', '', counts?.face_down, hasColumns],
    ['in-stock', '', counts?.stock, !hasColumns],
  ];
}

/** Draw the figures of the own table. @param {Map<string, ReturnType<typeof makeFigure>>} figures @param {State} state */
function drawFigures(figures, state) {
  const suits = strings.ofSuits(GAMES[state.room?.settings.game ?? '']?.foundations ?? 0);
  for (const [id, , value, isShown, title] of figuresOf(state)) {
    const figure = figures.get(id);
    if (!figure) continue;
    const [many, one = many] = id === 'home' ? [suits] : (strings.FIGURES[id] ?? []);
    set(figure.element, { hidden: !isShown, title });
    set(figure.value, { text: value ?? '–' });
    set(figure.label, { text: value === 1 ? one : many, 'data-widest': many });
  }
}

/**
 * Return this player's place. The figure has its space from the start, before places are known.
 * @param {Pick<State, 'standings' | 'room' | 'me'>} state
 * @returns {{place: number | null | undefined, of: number}} `place` is null before it is known, and
 *   undefined for a player who has none; `of` counts the players who race for places
 */
export function placeInRace({ standings, room, me }) {
  const isMine = (/** @type {{seat: number}} */ { seat }) => seat === me?.seat;
  const ranked = standings.filter(({ place }) => place !== null);
  const racing = room?.seats.filter(({ state }) => state === 'RACING') ?? [];
  const own = ranked.find(isMine);
  return {
    place: own ? shownPlace(own) : racing.some(isMine) ? null : undefined,
    of: Math.max(ranked.length, racing.length),
  };
}

/** Bind the place and the sign of the lead. @param {App} app */
function bindPlace(app) {
  const { element, value, label } = makeFigure('place', 'large');
  const name = h('bdi', { class: 'text-cut' });
  const word = h('span');
  const lead = h('span', { class: 'header-lead', id: 'lead', 'aria-hidden': 'true' }, name, word);
  element.append(lead);
  /** The seat that was shown as the leader, or null. @type {State['lastLeader']} */
  let shown = null;

  const throttle = makeThrottle(PLACE_MS, () => {
    const state = app.state();
    const { place, of } = placeInRace(state);
    const me = state.me?.seat ?? -1;
    const leading = leader(state.standings);
    const isOwn = leading?.seat === me;
    const wins = winsForCertain(leading, state.room?.settings);
    set(element, { hidden: place === undefined || of < 2, 'data-leads': isOwn });
    set(value, { text: place ? strings.ordinal(place) : '–' });
    set(label, { text: strings.ofPlayers(of) });
    set(name, { text: isOwn ? '' : leading?.name });
    set(word, { text: leading && strings.leadWord(isOwn, wins) });
    const cue = leadCue(shown, state.lastLeader, me);
    shown = state.lastLeader;
    if (!cue) return;
    set(lead, { 'data-change': cue });
    restartAnimation(lead, 'data-changed');
    // A leader who has just won has a sound already, that of the win.
    if (!leading?.won) app.sound.play(cue);
  });

  return { element, update: throttle.request, unbind: throttle.stop };
}

/** Bind the clocks: the time that has passed, the time that is left, and in practice the best result so far. @param {App} app */
function bindClocks(app) {
  const time = h('span', {
    class: 'header-time',
    id: 'clock',
    role: 'timer',
    'aria-label': strings.HEADER.time,
    'aria-live': 'off',
  });
  const timeLeft = h('span', { class: 'header-left', id: 'time-left' });
  const best = h('span', { class: 'header-left', id: 'best' });
  let widest = '';

  /** Draw the times; the one that has passed is that of the own clock while this player plays. */
  function tick() {
    const state = app.state();
    const round = state.room?.round;
    if (!round) return;
    const now = Math.min(app.now(), round.ended ?? Infinity);
    set(time, { text: strings.clock(now - round.t0 - (plays(state) ? lateBy(state) : 0)) });
    const left = round.t_end === null ? null : round.t_end - now;
    // The room of the longest text is kept, since the figures beside it must not move.
    const whole = round.t_end === null ? '' : strings.timeLeft(round.t_end - round.t0);
    if (whole.length > widest.length) widest = whole;
    set(timeLeft, {
      text: left === null ? '' : strings.timeLeft(left),
      'data-soon': left !== null && left < SOON_MS,
      'data-widest': widest,
    });
  }
  const timer = setInterval(tick, TICK_MS);

  return {
    element: h('div', { class: 'header-clocks' }, time, timeLeft, best),
    /** @param {State} state */
    update({ room }) {
      const known = room && isForOne(room) ? bestOf(room) : null;
      set(best, { hidden: !known, text: known && strings.ownBest(known) });
      tick();
    },
    unbind: () => clearInterval(timer),
  };
}

/** Return the best result in the deal of a room, or else in its game. @param {RoomView} room */
function bestOf({ settings }) {
  const deal = dealId(settings.game, settings);
  return (deal && storedBest('deal', deal)) || storedBest('game', settings.game);
}

/** Make a button with a picture, or with a sign instead. @param {string} id @param {string} label @param {() => void} onclick @param {string} [sign] */
const tool = (id, label, onclick, sign) =>
  h('button', {
    id,
    class: sign ? 'header-tool' : 'header-tool icon',
    'data-tool': id,
    title: label,
    'aria-label': label,
    text: sign,
    onclick,
  });

/** Bind the header of the race. @param {App} app @param {() => void} openHelp */
export function bindHeader(app, openHelp) {
  const words = strings.HEADER;
  const host = bindHostControls(app);
  const [clocks, place] = [bindClocks(app), bindPlace(app)];
  const figures = new Map(
    figuresOf(app.state()).map(([id, kind, , , about]) => [
      id,
      makeFigure(id, kind, about ? app.announce : undefined),
    ]),
  );
  const row = [place, ...figures.values()].map(({ element }) => element);
  const bound = [host, clocks, place];
  const mute = tool('mute', words.mute, () => preferNext('muted'));
  const again = tool('restart', words.restart, () => restart(app), '↻');
  const chase = h('button', {
    id: 'chase',
    'data-kind': 'primary',
    text: words.chase,
    title: words.chaseLabel,
    onclick: () => app.send({ type: 'chase' }),
  });
  // On a narrow page a flag replaces its word.
  const forfeit = h(
    'button',
    {
      id: 'forfeit',
      class: 'icon race-act header-forfeit',
      'data-kind': 'quiet',
      title: words.forfeit,
      onclick: () => giveUp(app),
    },
    h('span', { class: 'race-act-word', text: words.forfeit }),
  );
  const leave = h('button', {
    id: 'leave',
    'data-kind': 'quiet',
    text: strings.BUTTONS.leave,
    onclick: app.leave,
  });
  const showMuted = () => set(mute, { 'aria-pressed': String(preference('muted')) });
  const unbindMuted = onPreference(showMuted);
  showMuted();

  return {
    element: h(
      'header',
      { class: 'header', id: 'race-top' },
      clocks.element,
      h('div', { class: 'header-figures', id: 'figures' }, ...row),
      h(
        'div',
        { class: 'header-tools' },
        mute,
        tool('looks', strings.PREFERENCES_TITLE, app.openPreferences),
        tool('help', words.help, openHelp, '?'),
        ...[again, host.button, chase, forfeit, leave],
      ),
    ),
    /** @param {State} state */
    update(state) {
      drawFigures(figures, state);
      for (const part of bound) part.update(state);
      const mayGiveUp = plays(state) && !mayTakeBack(state);
      set(forfeit, { hidden: !mayGiveUp });
      set(leave, { hidden: mayGiveUp });
      set(again, { hidden: !mayGiveUp || !isOnlyRacer(state) });
      set(chase, { hidden: !mayChase(state) });
    },
    unbind() {
      unbindMuted();
      for (const part of bound) part.unbind();
    },
  };
}
