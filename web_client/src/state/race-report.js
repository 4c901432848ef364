// The report of a race: what has happened, from its standings, newest first. Pure.

import { raceNews } from './race-news.js';
import { leader } from './state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {RaceNews} from './race-news.js'
 * @typedef {object} RaceEvent
 * @property {RaceNews['kind'] | 'start' | 'lead' | 'cards' | 'face-up'} kind the start, a new leader, some
 *   cards turned up or played, all cards face up, or news
 * @property {number} at the time, in ms since the start
 * @property {Standing | null} standing of the player at that time; null at the start
 * @property {number} cards turned up or played
 * @typedef {object} Report
 * @property {readonly RaceEvent[]} events newest first
 * @property {number} leader the seat that led last, or -1
 */

/** The most events that are kept. */
export const MAX_EVENTS = 24;
/** Cards of a player within this time are one event. */
const CARDS_MS = 15_000;
/** A new lead within this time replaces the one before. */
const LEAD_MS = 5_000;

/** The report of a race that has just begun. @type {Report} */
export const AT_START = {
  events: [{ kind: 'start', at: 0, standing: null, cards: 0 }],
  leader: -1,
};

/**
 * Return the report after new standings. The first standings add only the games that have ended, whose
 * times are known.
 * @param {Report} report
 * @param {readonly Standing[]} before
 * @param {readonly Standing[]} after
 * @param {number} now ms since the start
 * @param {boolean} isOpen whether all cards of the game begin face up
 * @returns {Report}
 */
export function reported(report, before, after, now, isOpen) {
  const at = Math.max(0, now);
  const oldStandings = new Map(before.map((standing) => [standing.seat, standing]));
  let { events } = report;
  if (before.length === 0) for (const event of endsIn(after)) events = withEvent(events, event);
  for (const standing of after) {
    const old = oldStandings.get(standing.seat);
    for (const event of old && old !== standing ? cardsIn(old, standing, at, isOpen) : [])
      events = withEvent(events, event);
  }
  for (const { kind, standing } of raceNews(before, after, -1).reverse()) {
    const endedAt = kind === 'suit' ? null : endOf(standing);
    events = withEvent(events, { kind, at: endedAt ?? at, standing, cards: 0 });
  }
  const leading = leader(after);
  const isNew = leading !== undefined && leading.seat !== report.leader && leading.score > 0;
  // A leader is news only in a race that was seen before, and against others.
  if (isNew && before.length > 0 && after.length > 1)
    events = withEvent(events, { kind: 'lead', at, standing: leading, cards: 0 });
  return events === report.events && !isNew
    ? report
    : { events: events.slice(0, MAX_EVENTS), leader: isNew ? leading.seat : report.leader };
}

/** Return when a game ended, as the result says, in ms since the start; null if that is not known. @param {Standing} standing */
const endOf = ({ finished_ms, late_ms }) =>
  finished_ms === null ? null : finished_ms + (late_ms ?? 0);

/** Return the ends of games whose time is known, oldest first. @param {readonly Standing[]} standings @returns {RaceEvent[]} */
const endsIn = (standings) =>
  standings
    .filter(({ finished_ms }) => finished_ms !== null)
    .map((standing) => ({
      kind: /** @type {RaceEvent['kind']} */ (standing.won ? 'finish' : 'end'),
      at: endOf(standing) ?? 0,
      standing,
      cards: 0,
    }))
    .toSorted((a, b) => a.at - b.at);

/**
 * Return the events of a player's cards.
 * @param {Standing} old
 * @param {Standing} standing
 * @param {number} at
 * @param {boolean} isOpen
 * @returns {RaceEvent[]}
 */
function cardsIn(old, standing, at, isOpen) {
  const cards = isOpen ? standing.home - old.home : old.face_down - standing.face_down;
  if (cards <= 0) return [];
  const isLast = !isOpen && standing.face_down === 0;
  return [{ kind: isLast ? 'face-up' : 'cards', at, standing, cards }];
}

/**
 * Return the events with another one. Cards of one player are added up, and a new lead replaces one that
 * lasted only a moment.
 * @param {readonly RaceEvent[]} events
 * @param {RaceEvent} event
 * @returns {readonly RaceEvent[]}
 */
function withEvent(events, event) {
  const { kind, at, standing, cards } = event;
  const isSame = (/** @type {RaceEvent} */ each) => each.standing?.seat === standing?.seat;
  if (kind === 'cards') {
    const known = events.find(isSame);
    if (known?.kind === 'cards' && at - known.at < CARDS_MS)
      return events.map((each) =>
        each === known ? { ...each, standing, cards: each.cards + cards } : each,
      );
  }
  const isBrief = kind === 'lead' && events[0]?.kind === kind && at - events[0].at < LEAD_MS;
  return [event, ...(isBrief ? events.slice(1) : events)];
}
