// Names of other people. A name that is written from right to left must not change the order of the
// text around it, so it is isolated by control characters: sentences and labels can contain no
// elements. Pure.

/** Characters that are written from right to left, and such an escape in JSON. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]|\\u0[5-8]|\\ufb|\\ufe/;

const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];

/** Return a name, isolated if need be; the server removes these characters from messages. @param {string} name */
export const isolated = (name) =>
  RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;

/** Return the value of a JSON text from the server, in which names are isolated. @param {string} text */
export function parse(text) {
  if (!RIGHT_TO_LEFT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) =>
    (key === 'name' || key === 'host') && typeof value === 'string' ? isolated(value) : value,
  );
}

/** Draw an id of 128 random bits. @returns {string} */
export const drawId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) =>
    n.toString(36).padStart(7, '0'),
  ).join('');
