// Actions, piles and tables are texts in messages and objects on the page. Only this module converts them, as
// `server/games/NOTATION.md` specifies. Pure.

import { ACTION_PATTERN, GAMES } from './protocol.js';

/**
 * @import * as wire from './messages.d.ts'
 * @import {PileSpec} from './protocol.js'
 *
 * @typedef {{type: 'move', from: string, count: number, to: string, exception: boolean}} Move
 *   the last `count` cards go on another pile. An `exception` moves a mixed-suit run; players may have to ask for it
 * @typedef {{type: 'remove', from: string}} Removal
 * @typedef {{type: 'deal' | 'undo' | 'redo' | 'finish'}} PlainAction
 * @typedef {Move | Removal | PlainAction} Action
 * @typedef {Omit<Move, 'exception'> & {exception?: boolean} | Removal | PlainAction} Attempt
 *   an action that may be illegal
 *
 * @typedef {object} PileView
 * @property {string} id
 * @property {number} down the number of face-down cards
 * @property {readonly string[]} up the face-up cards, bottom to top
 * @typedef {PileView & PileSpec & {unlisted?: boolean}} TablePile
 *   `unlisted`: a move from or to the pile is unanswered, so it is not known yet which of its cards may move
 *
 * @typedef {ReturnType<typeof readTable>} TableView
 * @typedef {ReturnType<typeof readMessage>} ServerMessage
 * @typedef {Extract<ServerMessage, {type: 'acted'}>} Acted with the piles and counts that changed
 * @typedef {Extract<ServerMessage, {type: 'refused'}>} Refused
 * @typedef {Extract<ServerMessage, {type: 'hinted'}>} Hinted
 * @typedef {Extract<ServerMessage, {type: 'assessed'}>} Assessed
 * @typedef {ReturnType<typeof readReplay>} Replay
 * @typedef {Replay['steps'][number]} Step
 * @typedef {Exclude<wire.ClientMessage, wire.Act> | Omit<wire.Act, 'action'> & {action: Attempt}} ClientMessage
 */

/**
 * Parse an action, such as `t9x2-t3`: two cards from pile `t9` to `t3`. Returns null for any other text.
 * @param {string} text @returns {Action | null}
 */
export function parseAction(text) {
  if (!ACTION_PATTERN.test(text)) return null;
  const [word = '', pile] = text.split(' ');
  if (pile) return { type: 'remove', from: pile };
  const move = /^(?<from>\w+)x(?<count>\d+)-(?<to>\w+)(?<mark>!?)$/.exec(word);
  const { from, count, to, mark } = move?.groups ?? {};
  if (from && to) return { type: 'move', from, count: Number(count), to, exception: mark === '!' };
  return /** @type {PlainAction} */ ({ type: word });
}

/** Return an action as text. @param {Attempt} action */
export function formatAction(action) {
  switch (action.type) {
    case 'move':
      return `${action.from}x${action.count}-${action.to}${action.exception ? '!' : ''}`;
    case 'remove':
      return `remove ${action.from}`;
    default:
      return action.type;
  }
}

/** Parse a list of legal actions, skipping those that only a newer server knows. @param {string} text */
export const parseLegal = (text) => text.split(',').flatMap((part) => parseAction(part) ?? []);

/** Parse a pile: in `[2] KS QS` two cards lie face down. @param {string} id @param {string} text @returns {PileView} */
export function parsePile(id, text) {
  const words = text ? text.split(' ') : [];
  const down = /^\[(\d+)\]$/.exec(words[0] ?? '')?.[1];
  return { id, down: Number(down ?? 0), up: down ? words.slice(1) : words };
}

/** Parse piles by name. @param {{[name: string]: string}} texts */
const parsePiles = (texts) => Object.entries(texts).map(([id, text]) => parsePile(id, text));

/** Return a table with parsed piles and actions. @param {wire.TableSnapshot} table */
export const readTable = (table) => ({
  ...table,
  /** @type {TablePile[]} */
  piles: GAMES[table.game].piles.map((spec, i) => ({
    ...parsePile(spec.id, table.piles[i] ?? ''),
    ...spec,
  })),
  legal: parseLegal(table.legal),
});

/** Return a server message with its tables, piles and actions parsed. @param {wire.ServerMessage} message */
export function readMessage(message) {
  switch (message.type) {
    case 'table':
      return { ...message, table: readTable(message.table) };
    case 'acted':
      return { ...message, piles: parsePiles(message.piles), legal: parseLegal(message.legal) };
    case 'refused':
      return { ...message, table: message.table && readTable(message.table) };
    case 'assessed':
      return { ...message, line: parseLegal(message.line) };
    case 'hinted':
      return { ...message, action: /** @type {Action} */ (parseAction(message.action)) };
    default:
      return message;
  }
}

/** Return a message as the server reads it: with the action as text. @param {ClientMessage} message @returns {wire.ClientMessage} */
export const writeMessage = (message) =>
  message.type === 'act' ? { ...message, action: formatAction(message.action) } : message;

/** Return a replay with its table and piles parsed. @param {wire.Replay} replay */
export const readReplay = (replay) => ({
  ...replay,
  start: readTable(replay.start),
  steps: replay.steps.map((step) => ({ ...step, piles: parsePiles(step.piles) })),
});
