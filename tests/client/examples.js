import { readdirSync, readFileSync } from 'node:fs';
import { readMessage } from '../../web_client/src/contract/notation.js';
import { GAMES, SETTINGS } from '../../web_client/src/contract/protocol.js';

const ROOT = new URL('../../', import.meta.url);

/** Return a file of the page. @param {string} path below web_client/ */
export const read = (path) => readFileSync(new URL(`web_client/${path}`, ROOT), 'utf8');

/** Return the files of a type in a folder of the page, by their paths in it. @param {string} folder @param {string} type */
export const filesIn = (folder, type) =>
  readdirSync(new URL(`web_client/${folder}`, ROOT), { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith(type));

/** @param {string} path below protocol/ */
export const json = (path) => JSON.parse(readFileSync(new URL(`protocol/${path}`, ROOT), 'utf8'));

export const TO_CLIENT = json('examples/to_client.json');

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { usual }]) => [name, usual]),
);

/** Return the first golden message of a type, read as the page reads it. @param {string} type @param {string} [about] */
export function example(type, about = '') {
  const found = TO_CLIENT.find((each) => each.message.type === type && each.about.includes(about));
  if (!found) throw new Error(`no example of ${type} about ${about}`);
  return readMessage(structuredClone(found.message));
}

/** The entries of the catalogue that differ by family. @type {Record<string, object>} */
const OF_FAMILY = {
  others: { scores: ['woods', 'cards', 'moves'], layouts: ['left4'] },
  spider: { scores: ['woods', 'dos', 'cards', 'moves'], layouts: ['left4', 'spread'] },
  'little-spider': { scores: ['cards'], all_removed: null },
};

/** Return the catalogue's entry of a game; `tests/views/test_catalogue.py` checks its figures. @param {string} id */
export function game(id) {
  const { family, cards, covered_columns: covered, face_down, foundations, piles } = GAMES[id];
  const columns = piles.filter(({ role }) => role === 'tableau').length;
  const stock = cards - face_down - columns;
  const figures = { id, family, cards, columns, face_down, stock, dealt: cards - stock };
  const all_removed = 10 * face_down + 15 * covered + 50 * foundations;
  const options = Object.keys(SETTINGS).filter((name) => SETTINGS[name].games?.includes(id));
  return { ...figures, all_removed, ...OF_FAMILY.others, ...OF_FAMILY[family], options };
}

/** Return the seat of a person who is not ready. @param {number} n @param {string} name @param {any} [change] */
export function seat(n, name, change) {
  const [, seated] = example('joined').room.seats;
  return { ...seated, seat: n, name, ...change };
}

/** Return a room as the server sends it; its `v` grows from call to call. @param {any[]} seats @param {any} [change] */
export function room(seats, { settings = {}, ...change } = {}) {
  versions += 1;
  const whole = { ...DEFAULTS, score: 'woods', layout: 'left4', ...settings };
  return { ...example('joined').room, v: versions, settings: whole, seats, ...change };
}
let versions = 0;

/** Return the row of a player at the start of a race. @param {number} n the seat @param {string} name @param {any} [change] */
export function standing(n, name, change) {
  const [racing] = example('standings').standings;
  const none = { place: n + 1, score: 0, moves: 0, face_down: 44, gained_ms: 0 };
  return { ...racing, ...none, seat: n, name, ...change };
}

/** Return a table of Spider in one suit. @param {any} [change] */
export const table = (change) => ({ ...structuredClone(SPIDER.message.table), ...change });
const SPIDER = TO_CLIENT.find(({ message }) => message.type === 'table');

/** Return the messages that give a racer their table. @param {any} change of the table @param {any} [settings] @param {string} [state] of the seat */
export function atTable(change, settings = {}, state = 'RACING') {
  const joined = example('joined');
  const { seat: own, room: of } = joined;
  Object.assign(of, { state: 'RUNNING', settings: { ...of.settings, ...settings } });
  of.seats = [{ ...of.seats[0], seat: own, state }];
  return [joined, { type: 'table', table: { ...example('table').table, seat: own, ...change } }];
}

/** Return the course of a player's game. @param {number} n the seat @param {number[][]} points ms, score, suits */
export const course = (n, ...points) => ({
  seat: n,
  name: ['Ada', 'Bob'][n],
  ms: points.map(([ms = 0]) => ms),
  score: points.map(([, score = 0]) => score),
  suits: points.map(([, , suits = 0]) => suits),
});

/** Return an entry of this browser's history. @param {string} id @param {number} at @param {any} [change] */
export const entry = (id, at, change) => ({
  ...{ id, at, kind: 'race', game: 'spider-1', place: 2, of: 3, won: true, ms: 151_234 },
  ...{ score: 620, moves: 110, link: `/r/${id}`, rivals: ['Nina', 'Jörg'], day: null },
  gaveUp: false,
  ...change,
});
