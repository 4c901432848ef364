// Emotes that were just received, for listeners that show them beside their senders.

/** @typedef {(seat: number, emote: string, text: string) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();

/** Call the listeners with an emote. @param {number} seat @param {string} emote @param {string} text its words */
export function publishEmote(seat, emote, text) {
  for (const listener of listeners) listener(seat, emote, text);
}

/** Call a listener with each emote. @param {Listener} listener @returns {() => void} the unbinder */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
