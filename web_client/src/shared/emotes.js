// Emotes that were just received, for listeners that show them beside their senders.

/** @typedef {(seat: number, text: string) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();

/** Call the listeners with an emote. @param {number} seat @param {string} text */
export function publishEmote(seat, text) {
  for (const listener of listeners) listener(seat, text);
}

/** Call a listener with each emote. @param {Listener} listener @returns {() => void} the unbinder */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
