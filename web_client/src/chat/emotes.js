// Emotes that have just been sent: whoever shows their sender can let them pop up there.

/** @typedef {(seat: number, text: string) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();

/** Tell of an emote that has just come. @param {number} seat @param {string} text */
export function popEmote(seat, text) {
  for (const listener of listeners) listener(seat, text);
}

/** Listen to emotes. @param {Listener} listener @returns {() => void} the unbinder */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
