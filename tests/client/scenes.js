// Pages in the middle of things: in a room, in a race, after one.

import { room, seat, standing, table } from './examples.js';
import { NOW, openPage } from './page.js';

export const CODE = '7K3QZ0A';
export const LIMIT_MS = 900_000;

/** What the server says about a room to those who come. */
export const INVITATION = {
  ...{ code: CODE, state: 'LOBBY', game: 'spider-1', host: 'Bob', players: 2, full: false },
  ...{ locked: false, approve: false, chasers: false, watchable: true, running_ms: null },
  ...{ programs: true, colour: 'red' },
};

/** Return the answer to a seat that is taken again. @param {any} of the room @param {any} [change] */
export const joined = (of, change = {}) => ({
  ...{ type: 'joined', seat: 0, role: 'player', token: null, room: of, now: NOW },
  ...change,
});

export const roomMessage = (seats, change) => ({ type: 'room', room: room(seats, change) });

/** Open the page of a room in which this browser has a seat. @param {any} of the room @param {any} [how] */
export async function atRoom(of, { me = {}, ...how } = {}) {
  const { stored, ...rest } = how;
  const seats = { [of.code]: { seat: me.seat ?? 0, token: 'secret' } };
  const page = await openPage(`/r/${of.code}`, {
    stored: { seats, moved: true, ...stored },
    ...rest,
  });
  await page.accept(joined(of, me));
  page.sent();
  return page;
}

/** Return a round that began when the page was opened. @param {any} [change] */
export const round = (change = {}) => ({
  ...{ n: 1, game: 1, t0: NOW, t_end: NOW + LIMIT_MS, ended: null, commitment: null },
  ...{ number: null, programs: [], winnable: true, ...change },
});

/** Return seats that race, by names. @param {string[]} names */
export const racers = (...names) =>
  names.map((name, n) => seat(n, name, { state: 'RACING', colour: ['blue', 'red', 'green'][n] }));

export const running = (seats, change = {}) =>
  room(seats, { state: 'RUNNING', round: round(), next_game: null, ...change });

export const standingsOf = (standings, number = 1) => ({
  ...{ type: 'standings', number, now: NOW, standings },
});

/** Open a page in a race, at the own table. @param {{names?: string[], table?: any, room?: any, how?: any}} [of] */
export async function atRace({ names = ['Ada', 'Bob'], table: own = {}, room: change, how } = {}) {
  const page = await atRoom(running(racers(...names), change), how);
  const standings = names.map((name, n) => standing(n, name, { place: 1, has_acted: false }));
  await page.receive({ type: 'table', table: table(own) }, standingsOf(standings));
  page.sent();
  return page;
}

export const acted = (id, change) => ({
  ...{ type: 'acted', id, at: id, piles: {}, score: 0, counts: {}, legal: '', elapsed_ms: 1_000 },
  ...change,
});

export const refused = (command, code, change = {}) => ({
  ...{ type: 'refused', command, code, id: null, at: null, table: null },
  details: { cards: [], piles: [], fields: [], reason: null },
  ...change,
});

/** Return the end of a race. @param {any[]} ranking @param {number[]} winners @param {any} [change] */
export const roundOver = (ranking, winners, change = {}) => ({
  ...{ type: 'round_over', n: 1, ranking, winners, tie_breaks: [], colours: [] },
  reveal: {
    ...{ deal: 'seed', number: null, seed: '00'.repeat(16), salt: null, commitment: null },
    ...{ deck: ['AS', 'KS'], proof: null },
  },
  links: { round: '', text: '' },
  ...change,
});

/** Return a running race with changed seats, as a message. @param {any[]} seats @param {any} [change] */
export const race = (seats, change) => ({ type: 'room', room: running(seats, change) });

/** Return the row of a player who has won. @param {number} n @param {string} name @param {any} [change] */
export const won = (n, name, change = {}) =>
  standing(n, name, {
    ...{ place: 1, score: 990, suits: 8, moves: 120, won: true },
    ...{ state: 'FINISHED', finished_ms: 61_250, ...change },
  });

/** Press keys in their order. @param {any} page @param {string} keys */
export async function pressAll(page, keys) {
  for (const key of keys.split(' ')) await page.press(key);
}
