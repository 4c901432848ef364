// Pages in the middle of something: in a room, in a race, after a race.

import { room, seat, standing, table } from './examples.js';
import { NOW, openPage } from './page.js';

export const CODE = '7K3QZ0A';

/** A room in the list of public rooms. */
export const LISTED = { code: CODE, state: 'LOBBY', game: 'spider-1', host: 'Bob', players: 2 };
const OPEN = { full: false, locked: false, approve: false, chasers: false, watchable: true };
/** The server's description of a room before a player joins it. */
export const INVITATION = { ...LISTED, ...OPEN, running_ms: null, programs: true, colour: 'red' };

const JOINED = { type: 'joined', seat: 0, role: 'player', token: null, now: NOW };
/** Return the answer to a seat that is taken again. @param {any} of the room @param {any} [change] */
export const joined = (of, change) => ({ ...JOINED, room: of, ...change });

export const roomMessage = (seats, change) => ({ type: 'room', room: room(seats, change) });

/** Open the page of a room where this browser has a seat. @param {any} of the room @param {any} [how] */
export async function atRoom(of, { me = {}, stored, ...how } = {}) {
  const seats = { [of.code]: { seat: me.seat ?? 0, token: 'secret' } };
  const page = await openPage(`/r/${of.code}`, {
    stored: { seats, moved: true, ...stored },
    ...how,
  });
  await page.accept(joined(of, me));
  page.sent();
  return page;
}

const STARTED = { n: 1, game: 1, t0: NOW, t_end: NOW + 900_000, ended: null };
const SECRET = { number: null, commitment: null, programs: [], winnable: true };
/** Return a round that started when the page was opened. @param {any} [change] */
export const round = (change) => ({ ...STARTED, ...SECRET, ...change });

/** Return seats that race, by names. @param {string[]} names */
export const racers = (...names) =>
  names.map((name, n) => seat(n, name, { state: 'RACING', colour: ['blue', 'red', 'green'][n] }));

export const running = (seats, change = {}) =>
  room(seats, { state: 'RUNNING', round: round(), next_game: null, ...change });

/** Return a running race with changed seats, as a message. @param {any[]} seats @param {any} [change] */
export const race = (seats, change) => ({ type: 'room', room: running(seats, change) });

/** Return standings of these players, best first: places are counted. @param {number} number @param {...[number, string, any?]} rows */
export function standingsOf(number, ...rows) {
  const row = ([n, name, change], i) => standing(n, name, { place: i + 1, ...change });
  return { type: 'standings', number, now: NOW, standings: rows.map(row) };
}

/** Open a page in a race, with the player's table. @param {{names?: string[], table?: any, room?: any, how?: any}} [of] */
export async function atRace({ names = ['Ada', 'Bob'], table: own = {}, room: change, how } = {}) {
  const page = await atRoom(running(racers(...names), change), how);
  const rows = names.map((name, n) => [n, name, { place: 1, has_acted: false }]);
  await page.receive({ type: 'table', table: table(own) }, standingsOf(1, ...rows));
  page.sent();
  return page;
}

const ACTED = { type: 'acted', piles: {}, score: 0, counts: {}, legal: '', elapsed_ms: 1_000 };
/** Return the answer to an act. @param {number} id @param {any} [change] */
export const acted = (id, change) => ({ ...ACTED, id, at: id, ...change });

const REFUSED = { type: 'refused', id: null, at: null, table: null };
const NO_DETAILS = { cards: [], piles: [], fields: [], reason: null };
/** Return a refusal. @param {string} command @param {string} code @param {any} [change] @param {any} [about] its details */
export function refused(command, code, change, about) {
  const details = { ...NO_DETAILS, ...about };
  return { ...REFUSED, command, code, details, ...change };
}

const SEED = { deal: 'seed', number: null, seed: '00'.repeat(16), salt: null, commitment: null };
const REVEAL = { ...SEED, deck: ['AS', 'KS'], proof: null };
const OVER = { type: 'round_over', n: 1, tie_breaks: [], colours: [], reveal: REVEAL };
/** Return the end of a race. @param {any[]} ranking @param {number[]} winners @param {any} [change] */
export const roundOver = (ranking, winners, change) => ({
  ...OVER,
  ranking,
  winners,
  links: { round: '', text: '' },
  ...change,
});

const WON = { place: 1, score: 990, suits: 8, moves: 120, won: true, state: 'FINISHED' };
/** Return the row of a winner. @param {number} n @param {string} name @param {any} [change] */
export const won = (n, name, change) =>
  standing(n, name, { ...WON, finished_ms: 61_250, ...change });

/** Press keys in their order, and compare the page afterwards. @param {any} page @param {string} keys @param {any} [shown] */
export async function pressAll(page, keys, shown = {}) {
  for (const key of keys.split(' ')) await page.press(key);
  page.shows(shown);
}
