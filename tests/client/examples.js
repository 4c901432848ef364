import { readFileSync } from 'node:fs';
import { readMessage } from '../../web_client/src/contract/notation.js';
import { GAMES, SETTINGS } from '../../web_client/src/contract/protocol.js';

const FOLDER = new URL('../../protocol/', import.meta.url);

/** @param {string} path below protocol/ */
export const json = (path) => JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8'));

export const TO_CLIENT = json('examples/to_client.json');

/** The settings that an example leaves out have their defaults. */
const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { usual }]) => [name, usual]),
);

/** Return the first golden message of a type, read as the page reads it. @param {string} type @param {string} [about] */
export function example(type, about = '') {
  const found = TO_CLIENT.find((each) => each.message.type === type && each.about.includes(about));
  if (!found) throw new Error(`no example of ${type} about ${about}`);
  const message = structuredClone(found.message);
  if (message.room) message.room.settings = { ...DEFAULTS, ...message.room.settings };
  return readMessage(message);
}

/** What the catalogue says about families beyond what the others have. @type {Record<string, object>} */
const OF_FAMILY = {
  spider: { scores: ['woods', 'dos', 'cards', 'moves'], layouts: ['left4', 'spread'] },
  'little-spider': { scores: ['cards'], all_removed: null },
};

/** Return what the catalogue says about a game; `tests/views/test_catalogue.py` has its figures. @param {string} id */
export function game(id) {
  const { family, cards, covered_columns: covered, face_down, foundations, piles } = GAMES[id];
  const columns = piles.filter(({ role }) => role === 'tableau').length;
  const stock = cards - face_down - columns;
  return {
    ...{ id, family, cards, columns, face_down, stock, dealt: cards - stock },
    ...{ all_removed: 10 * face_down + 15 * covered + 50 * foundations },
    ...{ scores: ['woods', 'cards', 'moves'], layouts: ['left4'], ...OF_FAMILY[family] },
    options: Object.keys(SETTINGS).filter((name) => SETTINGS[name].games?.includes(id)),
  };
}

export const seat = (n, name, change = {}) => ({
  ...{ seat: n, name, role: 'player', state: 'SEATED', connection: 'on', wins: 0, kind: 'person' },
  ...change,
});

/** Return a room as the server sends it; its `v` grows from call to call. @param {any[]} seats @param {any} [change] */
export function room(seats, { settings = {}, ...change } = {}) {
  versions += 1;
  const whole = { ...DEFAULTS, score: 'woods', layout: 'left4', ...settings };
  const rest = { round: null, played: 0, match: null, next_game: 1, waiting: [] };
  const base = { code: '7K3QZ0A', v: versions, state: 'LOBBY', settings: whole, host: 0, seats };
  return { ...base, ...rest, ...change };
}
let versions = 0;

export const standing = (n, name, change = {}) => ({
  ...{ seat: n, name, state: 'RACING', place: n + 1, score: 0, moves: 0, suits: 0, home: 0 },
  ...{ face_down: 44, cheats: 0, exceptions: 0, hints: 0, restored: 0, won: false, late_ms: null },
  ...{ finished_ms: null, gained_ms: 0, has_acted: true, ...change },
});

/** Return a table of Spider in one suit. @param {any} [change] */
export const table = (change = {}) => ({
  ...structuredClone(TO_CLIENT.find(({ message }) => message.type === 'table')?.message.table),
  ...change,
});

/** Return the messages that bring a racer to a table of the server. @param {any} change of the table @param {any} [settings] @param {string} [state] of the seat */
export function atTable(change, settings = {}, state = 'RACING') {
  const joined = example('joined');
  const { seat: own, room: of } = joined;
  Object.assign(of, { state: 'RUNNING', settings: { ...of.settings, ...settings } });
  of.seats = [{ ...of.seats[0], seat: own, state }];
  return [joined, { type: 'table', table: { ...example('table').table, seat: own, ...change } }];
}

/** Return the course of a player's game. @param {number} n the seat @param {number[][]} points ms, score, suits */
export const course = (n, ...points) => ({
  ...{ seat: n, name: ['Ada', 'Bob'][n], ms: points.map(([ms = 0]) => ms) },
  score: points.map(([, score = 0]) => score),
  suits: points.map(([, , suits = 0]) => suits),
});
