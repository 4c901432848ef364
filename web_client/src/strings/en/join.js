// The page behind a room's link, and the pages for rooms and addresses that are not there.

import { clock, count, gameName } from './start.js';

/**
 * @import {Invitation} from '../../contract/messages.d.ts'
 */

export const JOIN = {
  invited: 'You’re invited',
  join: 'Join the race',
  ask: 'Ask to join',
  locked: 'The host has locked this room. Nobody new can join.',
  crowded: 'This room is full.',
  full: 'All places are taken. You can watch.',
  late: 'This race has started.',
  chase: 'This race has started. You can play the same deal on your own clock until it ends.',
  joinLate: 'Join (you play from the next race)',
  chaseNow: 'Play this deal, unranked',
  noPrograms: 'Programs can’t join.',
};

/** Return who invites; the name is kept apart from the text around it. @param {string} host */
export const invites = (host) => (host ? `\u2068${host}\u2069 invites you` : JOIN.invited);

/** Return that the host decides on newcomers. @param {string} host */
export const decides = (host) =>
  `${host ? `\u2068${host}\u2069` : 'The host'} decides who joins. You may have to wait a moment.`;

/** @param {Invitation} room */
export const roomFacts = ({ game, players }) => `${gameName(game)} · ${count(players, 'player')}`;

/** Return what goes on in a room. @param {Invitation} room @param {number} ms since the start of the race */
export function roomState({ state, running_ms }, ms) {
  if (running_ms !== null) return `Race running ${clock(ms)}`;
  const words = { LOBBY: 'Waiting for players', COUNTDOWN: 'Starting now' }[String(state)];
  return words ?? 'Between races';
}

export const MISSING = {
  room: 'This room is closed',
  roomText: 'Rooms close some time after everyone has left. Ask your friends for a new link.',
  page: 'There is nothing here',
  pageText: 'The address may be mistyped. A link to a room ends in its code.',
  front: 'To the front page',
};
