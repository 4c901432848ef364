// The room whose rules are open. They stay open while a change of the language shows the screen anew. The
// results have a button that opens them on the way to the room.

let openIn = '';

/** Keep the rules of one room open, and of no other one. @param {string} code of the room; '' for none */
export function keepRulesOpen(code) {
  openIn = code;
}

/** Return whether the rules of a room are open. @param {string | undefined} code */
export const hasOpenRules = (code) => openIn !== '' && openIn === code;
