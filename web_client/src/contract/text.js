// Other people's names, texts, times and ids, in any language. A right-to-left name would change the order of the text
// around it, so it is enclosed in isolating characters. These also work in plain text, which cannot contain elements.

/** Characters of right-to-left scripts, and the start of their escapes in JSON. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]|\\u0[5-8]|\\ufb|\\ufe/;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Return a name, isolated if it is right-to-left. (The server removes the isolating characters from names it gets.) @param {string} name */
export const isolated = (name) =>
  RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;

/** Parse the server's JSON, and isolate right-to-left names in it. @param {string} text */
export function parse(text) {
  if (!RIGHT_TO_LEFT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) =>
    (key === 'name' || key === 'host') && typeof value === 'string' ? isolated(value) : value,
  );
}

/** Capitalize the first letter of a text; not for names. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Format a time in a race, for any language: `3:07`, `1:02:03`. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h ? 2 : 1, '0')}:${String(s).padStart(2, '0')}`;
  return h ? `${h}:${tail}` : tail;
}

/** Return an id of 128 random bits. @returns {string} */
export const drawId = () =>
  Array.from(
    crypto.getRandomValues(new Uint32Array(4)),
    (n) => n.toString(36).padStart(7, '0'), // 7 digits hold 32 bits
  ).join('');
