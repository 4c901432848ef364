import { readFileSync } from 'node:fs';
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

/** Return the first golden message of a type. @param {string} type @param {string} [about] */
export function example(type, about = '') {
  const found = TO_CLIENT.find((each) => each.message.type === type && each.about.includes(about));
  if (!found) throw new Error(`no example of ${type} about ${about}`);
  const message = structuredClone(found.message);
  if (message.room) message.room.settings = { ...DEFAULTS, ...message.room.settings };
  return message;
}
