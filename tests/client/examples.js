import { readFileSync } from 'node:fs';
import { readMessage } from '../../web_client/src/core/notation.js';
import { SETTINGS } from '../../web_client/src/core/settings.js';

const FOLDER = new URL('../../protocol/', import.meta.url);

/** @param {string} path below protocol/ */
export const json = (path) => JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8'));

/** @type {{about: string, message: any}[]} */
export const TO_CLIENT = json('examples/to_client.json');

/** The settings that an example leaves out have their defaults. */
const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { usual }]) => [name, usual]),
);

/** Return the first golden message of a type, read as the page reads it. @param {string} type @param {string} [about] @returns {any} */
export function example(type, about = '') {
  const found = TO_CLIENT.find((each) => each.message.type === type && each.about.includes(about));
  if (!found) throw new Error(`no example of ${type} about ${about}`);
  const message = structuredClone(found.message);
  if (message.room) message.room.settings = { ...DEFAULTS, ...message.room.settings };
  return readMessage(message);
}

const SPIDER = {
  ...{ family: 'spider', cards: 104, columns: 10, dealt: 54, face_down: 44, stock: 50 },
  ...{ all_removed: 990, scores: ['woods', 'dos', 'cards', 'moves'], layouts: ['left4', 'spread'] },
  options: ['auto_remove', 'exceptions', 'relaxed_deal'],
};
const SPIDERETTE = {
  ...{ family: 'spiderette', cards: 52, columns: 7, dealt: 28, face_down: 21, stock: 24 },
  ...{ all_removed: 500, scores: ['woods', 'cards', 'moves'], layouts: ['left4'] },
  options: SPIDER.options,
};
const LITTLE_SPIDER = {
  ...{ family: 'little-spider', cards: 52, columns: 8, dealt: 8, face_down: 0, stock: 44 },
  ...{ all_removed: null, scores: ['cards'], layouts: ['left4'], options: [] },
};

/** Return what the catalogue says about a game; `tests/views/test_catalogue.py` has its figures. @param {string} id @returns {any} */
export function game(id) {
  if (id === 'little-spider') return { id, ...LITTLE_SPIDER };
  return { id, ...(id.startsWith('spiderette') ? SPIDERETTE : SPIDER) };
}
