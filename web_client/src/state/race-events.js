// The events of a race, and its winner. Law: only `raceEvents` finds events, once per message. Sounds and the status
// line use the events of a `Change`; the screen reads the log, where each event has the time of its message. A message
// makes at most one sound, for its most important event. Pure.

import { isOpenRaceOn, isPlaying, ownRow, plays } from './state.js';

/**
 * @import {Settings, Standing} from '../contract/messages.d.ts'
 * @import {Message} from './reducer.js'
 * @import {State} from './state.js'
 * @typedef {'ahead' | 'behind' | 'lead'} LeadCue this player takes the lead, loses it, or a rival takes it from another
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'last' | 'photo' | 'react'
 *   | LeadCue | 'over' | 'won'} Cue
 * @typedef {NonNullable<ReturnType<typeof photoFinish>>} PhotoFinish `second` finished `ms` after `first`
 * @typedef {keyof typeof CUES} RaceEventKind
 * @typedef {object} RaceEvent
 * @property {RaceEventKind} kind
 * @property {Standing | null} standing the row of the player it is about (of the second one in a photo finish), after
 *   the event; null for the start and the last minute
 * @property {number | null} [from] the seat that has lost the lead
 * @property {PhotoFinish} [photo]
 * @typedef {RaceEvent & {at: number, isQuiet?: boolean}} Logged an event and its time, in ms since the start; a quiet
 *   event is listed, but neither announced nor made to stand out
 * @typedef {{race: string, events: readonly Logged[]}} Log the events of a race, newest first
 * @typedef {object} Change a change of the state by a message
 * @property {State} before
 * @property {State} after
 * @property {Message} message
 * @property {readonly RaceEvent[]} events as `raceEvents` returns them
 */

/** The kinds of events with their sounds, the most important first. `leadCue` chooses the sound of a lead. */
const CUES = /** @type {const} */ ({
  begin: 'go', // this player's game starts
  photo: 'photo', // a photo finish
  finish: 'other', // a player has won their game
  stop: 'other', // a player has ended their game without a win
  out: null, // a player has given up, or is out of time
  lead: null, // a player has taken the lead from another
  'first-lead': null,
  'last-minute': null, // `race/events.js` finds it by the clock
  suit: 'suit', // a suit is home
});

export const MAX_EVENTS = 24; // keep at most this many events
/** A new lead within this time replaces the one before. If it puts the old leader back in front, it isn't announced. */
const LEAD_MS = 3_000;
const MOMENT_MS = 6_000; // how long an event stands out
const PRIORITY_MS = 2_500; // how long a less important event cannot replace it

/** The events of a race that has just started. @type {readonly Logged[]} */
export const AT_START = [{ kind: 'begin', at: 0, standing: null }];

const PHOTO_FINISH_MS = 2_000; // in a photo finish the second player comes home within this time

/** Return whether an event is the end of a player's game. @param {RaceEvent} event */
export const isEnd = ({ kind }) => ['photo', 'finish', 'stop', 'out'].includes(kind);

/** Return whether an event is a new lead. @param {RaceEvent} event */
export const isLead = ({ kind }) => kind === 'lead' || kind === 'first-lead';

/** Return the rank of an event: 0 is the most important. @param {RaceEvent} event */
const rank = ({ kind }) => Object.keys(CUES).indexOf(kind);

/**
 * Return the events between two states, the most important first. A race that was not seen before has no events. A new
 * row is no event either, except in an open race, where players get a row when their game ends.
 * @param {State} before @param {State} after @returns {RaceEvent[]}
 */
export function raceEvents(before, after) {
  const { room, standings } = after;
  if (!room || before.room?.code !== room.code) return [];
  const events = /** @type {RaceEvent[]} */ ([]);
  if (!plays(before) && plays(after)) events.push({ kind: 'begin', standing: null });
  const isSameRace = before.room.state === 'RUNNING' && before.room.round?.n === room.round?.n;
  if (!isSameRace || before.standings === standings) return events;
  const known = new Map(before.standings.map((standing) => [standing.seat, standing]));
  // Without standings before, the race is seen for the first time, and its photo finish isn't news.
  const mayBeNews = known.size > 0 && !photoFinish(before.standings, room.settings);
  const photo = mayBeNews ? photoFinish(standings, room.settings) : null;
  if (photo) events.push({ kind: 'photo', standing: photo.second, photo });
  const isNewRowAnEnd = known.size > 0 && isOpenRaceOn(room);
  for (const standing of standings) {
    const old = known.get(standing.seat);
    if (old === standing) continue;
    const isEndNew = old ? !hasEnded(old) : isNewRowAnEnd;
    // The second player in a photo finish gets no other event. The end of a game replaces the event of its last suit.
    if (isEndNew && hasEnded(standing)) {
      if (standing !== photo?.second) events.push({ kind: endKindOf(standing), standing });
    } else if (old && standing.suits > old.suits) events.push({ kind: 'suit', standing });
  }
  const leading = standings.find(({ seat }) => seat === after.lastLeader);
  const { lastLeader: from } = before;
  // If the leader is home, the finish is the news. A lone player leads nobody.
  if (leading && leading.seat !== from && known.size > 1 && !hasEnded(leading))
    events.push({ kind: from === null ? 'first-lead' : 'lead', standing: leading, from });
  return events.sort((a, b) => rank(a) - rank(b));
}

/** Return the kind of event for the end of a game. @param {Standing} standing @returns {RaceEventKind} */
function endKindOf({ won, state }) {
  if (won) return 'finish';
  return state === 'FORFEIT' || state === 'TIMED_OUT' ? 'out' : 'stop';
}

/**
 * Return an event for each game whose end time is known, earliest first. These fill the log of a newly seen race.
 * @param {readonly Standing[]} standings @returns {(RaceEvent & {standing: Standing})[]}
 */
export const earlierEnds = (standings) =>
  standings
    .filter(({ finished_ms }) => finished_ms !== null)
    .map((standing) => ({ kind: endKindOf(standing), standing }))
    .sort((a, b) => Number(endedAt(a.standing)) - Number(endedAt(b.standing)));

/**
 * Return the log after a message. Events get the time of the message, not of the redraw, which is late in a hidden tab.
 * @param {Log} log @param {Omit<Change, 'message'>} change
 * @param {number} nowMs the server's time
 * @returns {Log}
 */
export function nextLog(log, { before, after, events }, nowMs) {
  const { room, standings } = after;
  if (room?.state !== 'RUNNING' || !room.round) return log;
  const race = `${room.code} ${room.round.n}`;
  const isSameRace = log.race === race;
  const known = isSameRace ? log.events : AT_START;
  // A race seen for the first time has no earlier rows to compare with: list the games that have already ended.
  const isFirstSeen = before.standings.length === 0 || before.room?.code !== room.code;
  const isKnown = (/** @type {number} */ seat) =>
    known.some((each) => isEnd(each) && each.standing?.seat === seat);
  // Leave out the start, which has no standing: it is in `AT_START`. The most important event is added last, on top.
  const added = isFirstSeen
    ? earlierEnds(standings).filter(({ standing }) => !isKnown(standing.seat))
    : events.filter(({ standing }) => standing).toReversed();
  if (isSameRace && added.length === 0) return log;
  return { race, events: withEvents(known, added, nowMs - room.round.t0) };
}

/**
 * Return a log with more events, but without the oldest beyond the limit.
 * @param {readonly Logged[]} log newest first
 * @param {readonly RaceEvent[]} events oldest first
 * @param {number} ms their time since the start, except that the end of a game has a time of its own
 * @returns {readonly Logged[]} newest first
 */
export function withEvents(log, events, ms) {
  const all = events.reduce((some, event) => {
    const ended = event.standing && isEnd(event) ? endedAt(event.standing) : null;
    return withEvent(some, { ...event, at: ended ?? Math.max(0, ms) });
  }, log);
  return all.slice(0, MAX_EVENTS);
}

/**
 * Add an event to a log. A new lead replaces one that lasted only a moment. If the previous leader takes the lead
 * back, the event is quiet, because that lead is old news.
 * @param {readonly Logged[]} log @param {Logged} event @returns {readonly Logged[]}
 */
function withEvent(log, event) {
  const known = isLead(event) ? log.find(isLead) : undefined;
  if (!known || event.at - known.at >= LEAD_MS) return [event, ...log];
  const isQuiet = known.from === event.standing?.seat;
  return [{ ...event, isQuiet }, ...log.filter((each) => each !== known)];
}

/**
 * Return the event for the moment line, and whether it stands out: the most important one of the last seconds, or the
 * latest if there was none.
 * @param {readonly Logged[]} log newest first
 * @param {number} ms since the start
 */
export function momentOf(log, ms) {
  const loud = log.filter(({ kind, isQuiet }) => kind !== 'begin' && !isQuiet);
  const recent = loud.filter(({ at }) => ms - at < PRIORITY_MS);
  const event = recent.toSorted((a, b) => rank(a) - rank(b))[0] ?? log[0];
  const isFresh = event !== undefined && loud.includes(event) && ms - event.at < MOMENT_MS;
  return { event, isFresh };
}

/** Return when a game ended, in ms since the start; null if that is not known. @param {Standing} standing */
export const endedAt = ({ finished_ms, late_ms }) =>
  finished_ms === null ? null : finished_ms + (late_ms ?? 0);

/**
 * Return whether a player's game has ended and its result is known. The state and the figures of a seat can come in
 * separate messages, in either order. So a `RACING` game has ended if it has a time. A `FINISHED` game counts as ended
 * only once its time is known, since the win comes with the time.
 * @param {Standing} standing
 */
export function hasEnded({ state, won, finished_ms }) {
  if (won) return true;
  if (isPlaying({ state })) return Number.isFinite(finished_ms);
  return state !== 'FINISHED' || finished_ms !== null;
}

/**
 * Return the photo finish, or null. Only rooms where the first player home wins have one.
 * @param {readonly Standing[]} standings best first
 * @param {Pick<Settings, 'ranking'> | undefined} settings
 */
export function photoFinish(standings, settings) {
  if (settings?.ranking !== 'first_home') return null;
  const [first, second] = standings.filter(({ place }) => place !== null);
  if (!first?.won || !second?.won) return null;
  const ms = (second.finished_ms ?? 0) - (first.finished_ms ?? 0);
  // Equal times share a place. The second may even be faster: counted undos can cost the first place.
  return ms > 0 && ms < PHOTO_FINISH_MS ? { first, second, ms } : null;
}

/**
 * Return whether a player who is home is sure of winning although others still race. Nobody can overtake them if the
 * first player home wins, with two exceptions: games with counted undos may rank last, and in an open race players
 * start their clocks at different times.
 * @param {Standing | undefined} standing
 * @param {Pick<Settings, 'ranking' | 'cheats' | 'window_s'> | undefined} settings
 */
export function winsForCertain(standing, settings) {
  if (!standing?.won || standing.place !== 1 || settings?.window_s) return false;
  const ranksLast = settings?.cheats === 'out' && standing.cheats > 0;
  return settings?.ranking === 'first_home' && !ranksLast;
}

/** Return the player who is sure to have won while this one still races, or undefined. @param {State} state */
export const lostTo = (state) =>
  state.room?.state === 'RUNNING' && ownRow(state)?.state === 'RACING'
    ? state.standings.find((each) => winsForCertain(each, state.room?.settings))
    : undefined;

/** Return the best place that is still open: the one after all players who are home. @param {State} state */
export const openPlace = ({ standings }) =>
  standings.filter(({ won, place }) => won && place !== null).length + 1;

/** Return whether this player is sure of winning a race with others. @param {State} state */
export const hasWonRace = (state) =>
  state.standings.length > 1 && winsForCertain(ownRow(state), state.room?.settings);

/**
 * Return the sound for a change of the lead; null if the lead has not changed, or nobody led before.
 * @param {number | null} before the seat that led before
 * @param {number | null} after the seat that leads now
 * @param {number} me this player's seat, or -1
 * @returns {LeadCue | null}
 */
export function leadCue(before, after, me) {
  if (before === null || after === null || before === after) return null;
  if (after === me) return 'ahead';
  return before === me ? 'behind' : 'lead';
}

/**
 * Return the sound for a message, or null. The end of a race sounds once, although new connections receive it again.
 * @param {Change} change
 * @param {readonly Logged[]} log the log after the change; there the return of the previous leader is quiet
 * @returns {Cue | null}
 */
export function cueOf({ before, after, message, events }, log) {
  if (message.type === 'acted') return cueOfAct(before, message);
  const me = after.me?.seat ?? -1;
  if (message.type === 'round_over' && after.over && after.over.n !== before.over?.n)
    return after.over.winners.includes(me) ? 'won' : 'over';
  for (const { kind, standing, from = null } of events) {
    if (isOpenRaceOn(after.room) && ['finish', 'stop'].includes(kind)) continue; // others play when they like
    const isNewLead = kind === 'lead' && !log.find(isLead)?.isQuiet;
    const cue = isNewLead ? leadCue(from, standing?.seat ?? null, me) : CUES[kind];
    // This player's own events already had a sound with the act, except for these two.
    if (cue && (standing?.seat !== me || kind === 'photo' || isNewLead)) return cue;
  }
  return null;
}

/** Return the sound to play when this player's act is answered. @param {State} before @param {Extract<Message, {type: 'acted'}>} message @returns {Cue} */
function cueOfAct({ play }, { id, outcome, counts }) {
  const old = play?.base.counts ?? { suits: 0, face_down: 0 };
  const { suits, face_down } = { ...old, ...counts }; // the message has only the changed counts
  const act = play?.inFlight.find((each) => each.id === id)?.action.type;
  if (outcome === 'won') return 'won';
  if (suits > old.suits) return 'home';
  if (act === 'deal') return 'deal';
  return face_down < old.face_down ? 'turn' : 'put';
}
