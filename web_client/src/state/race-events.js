// What happens in a race, found between two states, and who is first home. The list of events, the status
// line, the sounds and the sweep of a win all take their events from here. A message has one sound at most,
// of the most important change in it; the lead sounds where it is shown, at most once a second. Pure.

import { GAMES } from '../contract/protocol.js';
import { isPlaying, ownRow, plays } from './state.js';

/**
 * @import {Settings, Standing} from '../contract/messages.d.ts'
 * @import {Message} from './reducer.js'
 * @import {State} from './state.js'
 * @typedef {'ahead' | 'behind' | 'lead'} LeadCue this player takes the lead, loses it, or it goes from one
 *   rival to another
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'last' | 'photo' | 'react'
 *   | LeadCue | 'over' | 'won'} Cue
 * @typedef {NonNullable<ReturnType<typeof photoFinish>>} PhotoFinish the second player is home within two
 *   seconds of the first, `ms` after it
 * @typedef {keyof typeof CUES} RaceEventKind
 * @typedef {object} RaceEvent
 * @property {RaceEventKind} kind
 * @property {Standing | null} standing of the player after it, the second one in a photo finish; null at
 *   the beginning
 * @property {number} [cards] turned up or played
 * @property {PhotoFinish} [photo]
 * @typedef {RaceEvent & {at: number}} Logged an event and its time, in ms since the start
 * @typedef {{race: string, events: readonly Logged[]}} Log the events of a race, newest first
 */

/** The sounds of events, the most important first. An own event has the sound of the act that caused it. */
const CUES = /** @type {const} */ ({
  begin: 'go', // of this player's game
  photo: 'photo', // a photo finish
  finish: 'other', // a game is won
  stop: 'other', // a game was ended before that
  out: null, // a game was given up, or is out of time
  lead: null, // a new leader
  'first-lead': null,
  suit: 'suit', // a suit is home
  'face-up': null, // the last card is turned up
  cards: null, // turned up, or played where all begin face up
});

/** The most events that are kept. */
export const MAX_EVENTS = 24;
/** Cards of a player within this time are one event. */
const CARDS_MS = 15_000;
/** A new lead within this time replaces the one before. */
const LEAD_MS = 5_000;

/** The events of a race that has just begun. @type {readonly Logged[]} */
export const AT_START = [{ kind: 'begin', at: 0, standing: null }];

/** The time within which the second player makes it a photo finish. */
const CLOSE_MS = 2_000;

/** Return whether an event is the end of a player's game. @param {RaceEvent} event */
export const isEnd = ({ kind }) => ['photo', 'finish', 'stop', 'out'].includes(kind);

/**
 * Return the events between two states, the most important first: none in a race that was not seen
 * before, and none of a player who is new.
 * @param {State} before
 * @param {State} after
 * @returns {RaceEvent[]}
 */
export function raceEvents(before, after) {
  const { room, standings } = after;
  if (!room || before.room?.code !== room.code) return [];
  /** @type {RaceEvent[]} */
  const events = [];
  if (!plays(before) && plays(after)) events.push({ kind: 'begin', standing: null });
  const isSameRace = before.room.state === 'RUNNING' && before.room.round?.n === room.round?.n;
  if (!isSameRace || before.standings === standings) return events;
  const known = new Map(before.standings.map((standing) => [standing.seat, standing]));
  // Without standings before, the race is seen for the first time, and its photo finish is no news.
  const isNoPhotoYet = known.size > 0 && !photoFinish(before.standings, room.settings);
  const photo = isNoPhotoYet ? photoFinish(standings, room.settings) : null;
  if (photo) events.push({ kind: 'photo', standing: photo.second, photo });
  const isOpen = !GAMES[room.settings.game]?.face_down;
  for (const standing of standings) {
    const old = known.get(standing.seat);
    if (!old || old === standing) continue;
    const found = eventsOf(old, standing, isOpen);
    // The photo finish says that its second player is home.
    const isSecond = standing === photo?.second;
    events.push(...found.filter(({ kind }) => !isSecond || kind !== 'finish'));
  }
  const leading = standings.find(({ seat }) => seat === after.lastLeader);
  // Of a leader who is home, the finish is the news. Nobody leads who races alone.
  if (leading && leading.seat !== before.lastLeader && known.size > 1 && !hasEnded(leading))
    events.push({ kind: before.lastLeader === null ? 'first-lead' : 'lead', standing: leading });
  const rank = (/** @type {RaceEvent} */ { kind }) => Object.keys(CUES).indexOf(kind);
  return events.sort((a, b) => rank(a) - rank(b));
}

/**
 * Return the events of a player's game between two standings: its end or a suit, and its cards.
 * @param {Standing} old
 * @param {Standing} standing
 * @param {boolean} isOpen whether no card of the game lies face down
 */
function eventsOf(old, standing, isOpen) {
  /** @type {RaceEvent[]} */
  const events = [];
  if (hasEnded(standing) && !hasEnded(old)) events.push({ kind: endKindOf(standing), standing });
  else if (standing.suits > old.suits) events.push({ kind: 'suit', standing }); // an end is the greater news
  const cards = isOpen ? standing.home - old.home : old.face_down - standing.face_down;
  const isLast = !isOpen && standing.face_down === 0;
  if (cards > 0) events.push({ kind: isLast ? 'face-up' : 'cards', standing, cards });
  return events;
}

/** Return the event that is the end of a game: won, given up or out of time, or else stopped. @param {Standing} standing @returns {RaceEventKind} */
function endKindOf({ won, state }) {
  if (won) return 'finish';
  return state === 'FORFEIT' || state === 'TIMED_OUT' ? 'out' : 'stop';
}

/**
 * Return the ends of games whose times are known, the earliest first: the events of a race that is seen
 * for the first time.
 * @param {readonly Standing[]} standings
 * @returns {(RaceEvent & {standing: Standing})[]}
 */
export const earlierEnds = (standings) =>
  standings
    .filter(({ finished_ms }) => finished_ms !== null)
    .map((standing) => ({ kind: endKindOf(standing), standing }))
    .sort((a, b) => Number(endedAt(a.standing)) - Number(endedAt(b.standing)));

/**
 * Return the log after a message, whose events have its time: a hidden tab draws nothing meanwhile.
 * @param {Log} log
 * @param {State} before
 * @param {State} after
 * @param {number} now the server's time
 * @returns {Log}
 */
export function nextLog(log, before, after, now) {
  const { room, standings, me } = after;
  if (room?.state !== 'RUNNING' || !room.round) return log;
  const race = `${room.code} ${room.round.n}`;
  const isSameRace = log.race === race;
  const known = isSameRace ? log.events : AT_START;
  if (isSameRace && before.standings === standings) return log;
  // Of a race that is seen for the first time, the ends that no log has yet.
  const isFirstSeen = before.standings.length === 0 || before.room?.code !== room.code;
  const isKnown = (/** @type {number} */ seat) =>
    known.some((each) => isEnd(each) && each.standing?.seat === seat);
  // The player has seen the start, and turned the cards. The most important event is logged last, on top.
  const events = isFirstSeen
    ? earlierEnds(standings).filter(({ standing }) => !isKnown(standing.seat))
    : raceEvents(before, after)
        .filter(
          ({ kind, standing }) => standing && (kind !== 'cards' || standing.seat !== me?.seat),
        )
        .toReversed();
  return { race, events: logged(known, events, now - room.round.t0) };
}

/**
 * Return a list of events with more of them.
 * @param {readonly Logged[]} log
 * @param {readonly RaceEvent[]} events the oldest first
 * @param {number} now in ms since the start
 * @returns {readonly Logged[]}
 */
export function logged(log, events, now) {
  const all = events.reduce((some, event) => {
    const ended = event.standing && isEnd(event) ? endedAt(event.standing) : null;
    return withEvent(some, { ...event, at: ended ?? Math.max(0, now) });
  }, log);
  return all.slice(0, MAX_EVENTS); // the newest first
}

/**
 * Return the log with another event. Cards are added to the latest event of their player, if that has
 * cards too, and a new lead replaces one that lasted only a moment.
 * @param {readonly Logged[]} log
 * @param {Logged} event
 * @returns {readonly Logged[]}
 */
function withEvent(log, event) {
  const { kind, at, standing, cards = 0 } = event;
  if (kind === 'cards') {
    const latest = log.find((each) => each.standing?.seat === standing?.seat);
    if (latest?.kind === kind && at - latest.at < CARDS_MS)
      return log.map((each) =>
        each === latest ? { ...each, standing, cards: (each.cards ?? 0) + cards } : each,
      );
  }
  const [newest, ...older] = log;
  const isBrief = kind === 'lead' && newest?.kind.endsWith('lead') && at - newest.at < LEAD_MS;
  return isBrief ? [event, ...older] : [event, ...log]; // a `first-lead` can be brief too
}

/** Return when a game ended, as its result says, in ms since the start; null if that is not known. @param {Standing} standing */
export const endedAt = ({ finished_ms, late_ms }) =>
  finished_ms === null ? null : finished_ms + (late_ms ?? 0);

/**
 * Return whether the game of a standing has ended, and how it ended is known. The stats and the
 * state of a seat can come one after the other, in any order: the stats end a game that is still
 * `RACING`, and a game that is `FINISHED` has its time together with its win.
 * @param {Standing} standing
 */
export function hasEnded({ state, won, finished_ms }) {
  if (won) return true;
  if (isPlaying({ state })) return Number.isFinite(finished_ms);
  return state !== 'FINISHED' || finished_ms !== null;
}

/**
 * Return the photo finish of standings, if there was one. Only a ranking by the first at home has it.
 * @param {readonly Standing[]} standings best first
 * @param {Pick<Settings, 'ranking'> | undefined} settings
 */
export function photoFinish(standings, settings) {
  if (settings?.ranking !== 'first_home') return null;
  const [first, second] = standings.filter(({ place }) => place !== null);
  if (!first?.won || !second?.won) return null;
  const ms = (second.finished_ms ?? 0) - (first.finished_ms ?? 0);
  // Equal times share a place. The second may even be faster, if counted undos have cost the place.
  return ms > 0 && ms < CLOSE_MS ? { first, second, ms } : null;
}

/**
 * Return whether a player who is home has won the race for certain while others still race. Where the
 * first at home wins, nobody can overtake, except where games with counted undos rank last, and in a
 * window, whose clocks begin one after the other.
 * @param {Standing | undefined} standing
 * @param {Pick<Settings, 'ranking' | 'cheats' | 'window_s'> | undefined} settings
 */
export function winsForCertain(standing, settings) {
  if (!standing?.won || standing.place !== 1 || settings?.window_s) return false;
  return settings?.ranking === 'first_home' && (settings.cheats !== 'out' || standing.cheats === 0);
}

/** Return who has won the race for certain while this player, no latecomer, still races; undefined if nobody has. @param {State} state */
export const lostTo = (state) =>
  state.room?.state === 'RUNNING' && ownRow(state)?.state === 'RACING'
    ? state.standings.find((each) => winsForCertain(each, state.room?.settings))
    : undefined;

/** Return the place for which this player still races: the one after all who are home. @param {State} state */
export const openPlace = ({ standings }) =>
  standings.filter(({ won, place }) => won && place !== null).length + 1;

/** Return whether this player has won the race for certain against others, whatever they still do. @param {State} state */
export const hasWonRace = (state) =>
  state.standings.length > 1 && winsForCertain(ownRow(state), state.room?.settings);

/**
 * Return the sound of a change of the lead; null if there is none, or if nobody led before.
 * @param {number | null} before the seat that led last
 * @param {number | null} after
 * @param {number} me this player's seat, or -1
 * @returns {LeadCue | null}
 */
export function leadCue(before, after, me) {
  if (before === null || after === null || before === after) return null;
  if (after === me) return 'ahead';
  return before === me ? 'behind' : 'lead';
}

/** Return the sound of a message, if it has one. The end of a race is heard once, though each new connection receives it. @param {State} before @param {State} after @param {Message} message @returns {Cue | null} */
export function cueOf(before, after, message) {
  if (message.type === 'acted') return cueOfAct(before, message);
  const me = after.me?.seat ?? -1;
  if (message.type === 'round_over' && after.over && after.over.n !== before.over?.n)
    return after.over.winners.includes(me) ? 'won' : 'over';
  for (const { kind, standing } of raceEvents(before, after)) {
    const cue = CUES[kind];
    if (cue && (standing?.seat !== me || kind === 'photo')) return cue; // see `CUES` for own events
  }
  return null;
}

/** Return the sound of an act of this player that is answered. @param {State} before @param {Extract<Message, {type: 'acted'}>} message @returns {Cue} */
function cueOfAct({ play }, { id, outcome, counts }) {
  const old = play?.base.counts ?? { suits: 0, face_down: 0 };
  const { suits, face_down } = { ...old, ...counts }; // counts that are not sent have not changed
  const act = play?.inFlight.find((each) => each.id === id)?.action.type;
  if (outcome === 'won') return 'won';
  if (suits > old.suits) return 'home';
  if (act === 'deal') return 'deal';
  return face_down < old.face_down ? 'turn' : 'put';
}
