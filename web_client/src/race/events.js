// The events of the race and of this player's game, on the screen and in the status line. The list has all of them,
// newest first; spectators see it instead of boards that the room hides. The moment line shows only one event, large
// and in its player's colour. A rival's win sweeps over the page without catching the pointer.
//
// The lines of the list have different heights. A new event replaces all of them, since moving an old one would count
// as a layout shift. An animation lets the new list glide down from where the old one was.

import { sweep } from '../celebration/celebration.js';
import { GAMES } from '../contract/protocol.js';
import { isCalm } from '../page/looks.js';
import {
  hasEnded,
  hasWonRace,
  isEnd,
  isLead,
  lostTo,
  momentOf,
  winsForCertain,
} from '../state/race-events.js';
import {
  coloursOf,
  endsSooner,
  hintInForce,
  isForOne,
  isGhostSeat,
  isOpenRaceOn,
  leader,
  ownEndOf,
  ownRow,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, every, h, makeThrottle, set } from '../widgets/element.js';
import { seatMark } from '../widgets/names.js';
import { GLIDE, gap } from './standings.js';

/**
 * @import {RoomView, Standing} from '../contract/messages.d.ts'
 * @import {App, News, NewsOfGame} from '../page/app.d.ts'
 * @import {Change, Logged} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @import {Acted} from '../contract/notation.js'
 * @typedef {ReturnType<typeof makeEvents>} Events
 * @typedef {ReturnType<typeof makeRivals>} Rivals
 */

const DRAWING_MS = 400; // the list is drawn at most this often
const TICK_MS = 250; // how often the moment line is updated
const CLOSE_SUITS = 2; // a rival who needs at most this many more suits is close to winning
export const MINUTE_MS = 60_000;
const PAUSE_MS = 10_000; // the least time between two announcements about rivals

/**
 * Return the sentence about an event as two elements: the player's name and the words. They have to stay inline, since
 * a flexbox would drop the space between them.
 * @param {Logged} event @param {State} state
 */
function sentenceOf(event, { room, me }) {
  const { name, words } = strings.eventWords(event, me?.seat ?? -1, room?.settings.game ?? '');
  return [h('bdi', { text: name }), h('span', { text: words })];
}

/** @param {Logged} event */
const isFirstWin = ({ kind, standing }) => kind === 'finish' && standing?.place === 1;

/** Return the colour of an event's player; null if it has none. @param {Logged} event @param {State} state */
const colourOf = ({ standing }, { room }) => standing && coloursOf(room)(standing.seat);

/** Return whether an event is about a ghost, the replay of an earlier game. @param {Logged | undefined} event */
const isOfGhost = (event) => isGhostSeat(event?.standing?.seat);

/**
 * Return the note after an event, or '': the time of a win, how many suits this player still needs when a rival is
 * close to winning, or how far a new leader is ahead.
 * @param {Logged} event @param {State} state
 */
function noteOn(event, { standings, me, room }) {
  const { kind, standing } = event;
  const own = standings.find(({ seat }) => seat === me?.seat);
  if (kind === 'finish') return strings.clock(standing?.finished_ms ?? 0);
  const allSuits = GAMES[room?.settings.game ?? '']?.foundations ?? 0;
  const isClose = kind === 'suit' && allSuits - (standing?.suits ?? 0) <= CLOSE_SUITS;
  if (isClose && own?.state === 'RACING' && own.seat !== standing?.seat)
    return strings.suitsLeft(allSuits - own.suits);
  const [first] = standings;
  const isAhead = isLead(event) && first?.seat === standing?.seat;
  return first && isAhead ? strings.distance(gap(first, standings)) : '';
}

/**
 * Make a moment line, which shows one event, and keeps its space while it is empty. Each event is a new element, since
 * changing the width of an old one would count as a layout shift. Screen readers get the event from the status line.
 */
function makeMoment() {
  const element = h('div', { class: 'moment', 'data-part': 'moment', 'aria-hidden': 'true' });
  /** @type {Logged | undefined} */
  let shown;
  return {
    element,
    /** @param {Logged | undefined} event @param {boolean} isFresh if so, it stands out @param {State} state */
    draw(event, isFresh, state) {
      set(element, { 'data-fresh': isFresh });
      if (event === shown) return;
      shown = event;
      const colour = event ? colourOf(event, state) : null;
      set(element, { 'data-kind': event?.kind, 'data-colour': colour });
      set(element, { 'data-ghost': isOfGhost(event) });
      const note = event && noteOn(event, state);
      const text = h('span', { class: 'moment-text' });
      text.append(...(event ? sentenceOf(event, state) : []));
      const dot = h('span', { class: 'text-spoken', text: ' ·' });
      if (note) text.append(h('i', { class: 'text-dot' }, dot, ' '), h('small', { text: note }));
      const mark = colour !== null && seatMark(colour);
      element.replaceChildren(h('span', { class: 'line moment-pill' }, mark, text));
    },
  };
}

/** Return whether the moment line shows only the last minute, since no rival or ghost plays at the same time. @param {State} state */
const showsOnlyLastMinute = ({ room, standings }) =>
  (isForOne(room) && standings.length < 2) || isOpenRaceOn(room);

/** Let the first win of the race sweep over the page. @param {readonly Logged[]} events @param {State} state */
function sweepWin(events, state) {
  const win = events.find(isFirstWin);
  const { room, me } = state;
  if (!win?.standing || isOfGhost(win)) return;
  const { seat, name, finished_ms: ms } = win.standing;
  const isOwn = seat === me?.seat;
  if (isOpenRaceOn(room) && !isOwn) return; // the others play at other times
  const colour = coloursOf(room)(seat);
  if (!isOwn) sweep(name, strings.homeFirst(winsForCertain(win.standing, room?.settings)), colour);
  // With reduced motion, the celebration shows an ornament instead.
  else if (!isCalm())
    sweep('', hasWonRace(state) ? strings.youWin(ms ?? 0) : strings.RACE.home, colour);
}

/** Make the state of the list and of the moment lines. @param {App} app */
const makeEvents = (app) => ({
  app,
  list: h('ol', { class: 'events-list', id: 'events', 'aria-label': strings.EVENTS }),
  /** Both show the same event: `high` is in the header, and `low`, for phones, below the standings. */
  moments: { high: makeMoment(), low: makeMoment() },
  drawn: /** @type {readonly Logged[]} */ ([]), // the events that the list shows
  /** The last-minute event, if this player was here when it started. @type {Logged | null} */
  lastMinute: null,
  timeLeft: { end: 0, ms: 0 }, // the end of this player's game and the time left, at the last tick
});

/** Return all events, newest first: the log, and the start of the last minute. @param {Events} events */
function allEvents({ app, lastMinute }) {
  const log = app.log();
  return lastMinute ? [lastMinute, ...log].toSorted((a, b) => b.at - a.at) : log;
}

/** @param {Logged} event @param {State} state */
function makeLine(event, state) {
  const colour = colourOf(event, state);
  const text = h('span', { class: 'grow' }, ...sentenceOf(event, state));
  const time = h('span', { class: 'text-note events-time', text: strings.clock(event.at) });
  const mark = colour !== null && seatMark(colour);
  const looks = { 'data-colour': colour, 'data-ghost': isOfGhost(event) };
  return h('li', { 'data-kind': event.kind, ...looks }, time, ' ', mark, text);
}

/** Draw the whole list again, and let it glide down by the height of its new lines. @param {Events} events */
function drawList(events) {
  const { app, list, drawn } = events;
  const log = allEvents(events);
  const newCount = drawn[0] ? log.indexOf(drawn[0]) : 0; // -1 if the latest event shown was replaced
  const lines = log.map((event) => makeLine(event, app.state()));
  list.replaceChildren(...lines);
  events.drawn = log;
  if (newCount <= 0 || isCalm()) return;
  const height = lines.slice(0, newCount).reduce((sum, line) => sum + line.offsetHeight, 0);
  if (height === 0) return; // the list is not shown
  const from = `translateY(${-height}px)`; // where the older events were
  list.animate([{ transform: from }, { transform: 'none' }], GLIDE);
}

/** Draw the latest event large: in the header or, on phones, below the standings. @param {Events} events @param {State} state @param {number} ms since the start */
function drawMoments(events, state, ms) {
  const { lastMinute, moments } = events;
  const onlyLastMinute = lastMinute ? [lastMinute] : [];
  const all = showsOnlyLastMinute(state) ? onlyLastMinute : allEvents(events);
  // If this player has lost, leave the win out: the header and the panel that asks whether to stop show it.
  const shown = lostTo(state) ? all.filter((each) => !isFirstWin(each)) : all;
  const { event, isFresh } = momentOf(shown, ms);
  const isSwept = all[0] !== undefined && isFirstWin(all[0]); // `sweepWin` shows it over the page
  for (const moment of [moments.high, moments.low]) moment.draw(event, isFresh && !isSwept, state);
}

/** Bind the list of events, and the moment lines with the latest one. @param {App} app */
export function bindEvents(app) {
  const events = makeEvents(app);
  const listing = makeThrottle(DRAWING_MS, () => drawList(events));

  /** Announce the last minute when it starts, and draw the moment lines. */
  function tick() {
    const state = app.state();
    const { room } = state;
    if (room?.state !== 'RUNNING' || !room.round) return;
    const { t0 } = room.round;
    const before = events.timeLeft;
    const end = ownEndOf(state);
    const ms = end - app.now();
    events.timeLeft = { end, ms };
    // A new end of the race has its own announcement.
    if (end === before.end && ms <= MINUTE_MS && before.ms > MINUTE_MS) {
      events.lastMinute = { kind: 'last-minute', at: end - MINUTE_MS - t0, standing: null };
      app.readOut(strings.lastStretch(60, ''));
      listing.request();
    }
    drawMoments(events, state, app.now() - t0);
  }

  return {
    element: h('div', { class: 'events' }, events.list),
    high: events.moments.high.element, // the line in the header
    low: events.moments.low.element, // the line below the standings, on phones
    update: tick,
    /** Show new events: a win at once, and the others when the list is drawn next. @param {readonly Logged[]} news */
    showEvents(news) {
      sweepWin(news, app.state());
      listing.request();
    },
    unbind: callAll(every(TICK_MS, tick), listing.stop),
  };
}

/**
 * Return the player whose win has just shortened the race, if there is one. A seat becomes FINISHED when its player
 * wins, but also when they stop, which shortens nothing. The standings show that.
 * @param {RoomView} old the room before @param {RoomView} room @param {readonly Standing[]} standings
 */
function shorteningWinner(old, room, standings) {
  if (room.settings.after_win_s === null) return undefined; // here a win does not shorten the race
  const stopped = standings.filter(({ won, finished_ms }) => !won && Number.isFinite(finished_ms));
  const raced = old.seats.filter(({ state }) => state === 'RACING').map(({ seat }) => seat);
  return room.seats
    .filter(({ seat, state }) => state === 'FINISHED' && raced.includes(seat))
    .find(({ seat }) => !stopped.some((each) => each.seat === seat));
}

/** Make the state of the announcements about rivals. @param {() => number} nowMs returns the local time */
const makeRivals = (nowMs) => ({
  nowMs,
  announcedAt: -PAUSE_MS, // the first announcement need not wait
  /** The seats of games that are over but not yet announced as over. @type {Set<number>} */
  unannounced: new Set(),
  /** The seats of games announced as over, or over when this page first saw the race. @type {Set<number> | null} */
  announced: null,
  /** The seat that lost the lead, until the new leader is announced. @type {number | null} */
  oldLeader: null,
});

/** Collect what to announce: games that have ended, and a new leader. @param {Rivals} rivals @param {Change} change */
function collect(rivals, { before, after, events }) {
  const seen = before.standings.length > 0 ? before.standings : after.standings;
  // Games that were over when this page first saw the race are not news.
  if (seen.length > 0) rivals.announced ??= new Set(seen.filter(hasEnded).map(({ seat }) => seat));
  for (const event of events) {
    const seat = event.standing?.seat ?? -1;
    if (event.kind === 'lead') rivals.oldLeader ??= event.from ?? null; // the first of several
    const isOfRival = isEnd(event) && seat !== after.me?.seat;
    if (isOfRival && !rivals.announced?.has(seat)) rivals.unannounced.add(seat);
  }
}

/** Remember that a game was announced as over. @param {Rivals} rivals @param {number} seat */
function markAnnounced({ unannounced, announced }, seat) {
  unannounced.delete(seat);
  announced?.add(seat);
}

/** Return the news about rivals; '' without any, or if it must wait. @param {Rivals} rivals @param {State} state */
function newsOfRivals(rivals, { standings, me, room }) {
  const { unannounced, oldLeader, announcedAt, nowMs } = rivals;
  const others = standings.filter(({ seat }) => seat !== me?.seat);
  // A game that ran out of time isn't news, since the result of the race follows.
  const ended = others.filter(({ seat, state }) => unannounced.has(seat) && state !== 'TIMED_OUT');
  const isUrgent = ended.length > 0 && (others.every(hasEnded) || ended.some(({ won }) => won));
  if (!isUrgent && nowMs() - announcedAt < PAUSE_MS) return '';
  const sentences = ended.map((each) => strings.ended(each, winsForCertain(each, room?.settings)));
  for (const { seat } of ended) markAnnounced(rivals, seat);
  const leading = leader(standings);
  // If the new leader has finished, the finish is the news.
  if (leading && oldLeader !== null && leading.seat !== oldLeader && !hasEnded(leading))
    sentences.push(leading.seat === me?.seat ? strings.TAKE_LEAD : strings.leads(leading.name));
  if (leading) rivals.oldLeader = null; // during a tie a change of the lead stays to be announced
  if (sentences.length > 0) rivals.announcedAt = nowMs();
  return sentences.join(' ');
}

/** Return the news that the race was shortened. @param {Rivals} rivals @param {RoomView} old @param {State} state */
function newsOfLastStretch(rivals, old, { room, standings, me }) {
  const winner = room && shorteningWinner(old, room, standings);
  if (!winner) return '';
  const isKnown = winner.seat === me?.seat || rivals.announced?.has(winner.seat); // needs no name
  markAnnounced(rivals, winner.seat);
  return strings.lastStretch(room.settings.after_win_s ?? 0, isKnown ? '' : winner.name);
}

/**
 * Make the function that returns the news of a race for the status line. There is a pause after news about rivals, so
 * that a screen reader has time to read it out; after the pause, only the current leader counts. A win is announced at
 * once, and so is the end of the last rival's game. A game that ran out of time isn't announced, since the result of
 * the race follows.
 * @param {() => number} nowMs returns the local time
 * @returns {NewsOfGame}
 */
export function makeRaceNews(nowMs) {
  const rivals = makeRivals(nowMs);
  return (change) => {
    const { before, after, message } = change;
    if (after.room?.state !== 'RUNNING') return '';
    collect(rivals, change);
    if (message.type === 'room' && before.room && endsSooner(before.room, after.room))
      return newsOfLastStretch(rivals, before.room, after);
    return newsOfGame(change) || newsOfRivals(rivals, after);
  };
}

/** Return the news of this player's game: the effect of an act, a hint, or the end of the game. @type {NewsOfGame} */
export function newsOfGame({ before, after, message, events }) {
  if (message.type === 'acted') return actNews(before, after, message);
  if (message.type !== 'hinted') return endNews(after, events);
  const piles = hintInForce(after) && after.play?.base.piles;
  // A hint for a table that has changed since is not shown, but still counts.
  return piles ? strings.hinted(message, piles) : strings.hintLate(message.hints);
}

/**
 * Describe the effect of this player's act; '' if it was taken back, or ended the game, which `endNews` announces.
 * @param {State} before @param {State} after @param {Acted} message the server's answer to the act @returns {News}
 */
function actNews(before, after, message) {
  const row = ownRow(after);
  // The standings came first, so `endNews` has announced the end and the place.
  if (message.outcome && row && hasEnded(row)) return '';
  const act = before.play?.inFlight.find((each) => each.id === message.id);
  if (!act || !before.play || !after.play) return ''; // taken back while it was in flight
  const { piles, counts } = before.play.base;
  const { action } = act;
  const news = strings.actDone(action, piles, after.play.base.piles);
  const aside = strings.actAside(action, piles, after.play.base.piles);
  if (aside) return { text: news, aside };
  const { exceptions, cheats } = { ...counts, ...message.counts }; // the message has those that changed
  if (action.type === 'undo' && cheats > counts.cheats)
    return `${news} ${strings.cheatMade(cheats)}`;
  if (action.type === 'move' && exceptions > counts.exceptions)
    return `${news} ${strings.exceptionMade(exceptions)}`;
  return news;
}

/**
 * Return the news that this player's game has just ended, in the words of the panel over the table. Returns '' if it
 * has not ended, the player gave up (which is announced elsewhere), or nobody else is racing.
 * @param {State} after @param {Change['events']} events
 */
function endNews(after, events) {
  const row = ownRow(after);
  const hasJustEnded = events.some((each) => isEnd(each) && each.standing === row);
  if (!row || !hasJustEnded || row.state === 'FORFEIT') return '';
  // The state of a game that has just ended can still be `RACING`.
  const racing = after.standings.filter((each) => each.state === 'RACING' && !hasEnded(each));
  if (racing.length === 0) return ''; // the result follows
  if (hasWonRace(after))
    return `${strings.youWin(row.finished_ms ?? 0)} ${strings.soFar(null, racing.length)}`; // `youWin` names the place
  const place = strings.soFar(row.place, racing.length);
  return row.won ? `${strings.RACE.home} ${place}` : place;
}
