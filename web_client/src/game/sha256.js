// SHA-256 (FIPS 180-4), for pages on plain HTTP, where browsers have no crypto.subtle.

const WORDS = 64;

/** Return the first 32 bits of the fractional part. @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;

const { K, H } = (() => {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < WORDS; n += 1)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return {
    K: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    H: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
  };
})();

/** Rotate 32 bits to the right. @param {number} x @param {number} n */
const rotate = (x, n) => (x >>> n) | (x << (32 - n));
/** Return a word of an array; the index is always in its range. @param {Uint32Array} words @param {number} i */
const at = (words, i) => words[i] ?? 0;

/** Return the hash of a message. @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const hash = Uint32Array.from(H);
  const w = new Uint32Array(WORDS);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < WORDS; i += 1) {
      const x = at(w, i - 15);
      const y = at(w, i - 2);
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let i = 0; i < WORDS; i += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => {
      hash[i] = at(hash, i) + x;
    });
  }
  const out = new Uint8Array(32);
  hash.forEach((word, i) => {
    new DataView(out.buffer).setUint32(i * 4, word);
  });
  return out;
}

/** Return the bytes of a hexadecimal text. @param {string} hex */
export function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Return bytes as a hexadecimal text. @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Return whether a revealed seed and salt are those of the commitment before the race.
 * @param {string} seed hex
 * @param {string} salt hex
 * @param {string} commitment hex of SHA-256(seed || salt)
 */
export function keepsCommitment(seed, salt, commitment) {
  return toHex(sha256(fromHex(seed + salt))) === commitment.toLowerCase();
}
