// The proof of a deal. The browser checks it, so that players need not trust the server: both the hash shown before the
// race and the deck must follow from the seed. Pure.
//
// The scheme matches the server's in `games/deals.py` byte for byte. The SHA-256 hashes of
// `spider-race/deal/1/FAMILY/SEED/c`, for c = 0, 1 and so on, give eight random words of 32 bits each. These drive a
// Fisher-Yates shuffle from the end, which rejects words that would favour some cards; then the suits are relabelled.
// SHA-256 (FIPS 180-4) is here because browsers have no `crypto.subtle` on plain HTTP, as in a race over a LAN.

import { GAMES, RANKS, SUITS } from '../contract/protocol.js';
import { suit } from '../game/cards.js';
import { strings } from '../strings/language.js';

/** @import {Reveal} from '../contract/messages.d.ts' */

const VALUES_OF_WORD = 2 ** 32;
/** The rounds of a block of SHA-256. */
const ROUNDS = 64;
const BLOCK_BYTES = 64;

/** The suits that S, H, D and C become in a game with this many suits. @type {Record<string, string>} */
const SUIT_LABELS = { 1: 'SSSS', 2: 'SHHS', 4: SUITS };

/** Return the first 32 bits of a number's fractional part. @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * VALUES_OF_WORD) >>> 0;

/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < ROUNDS; n += 1)
  if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const K = primes.map((prime) => fraction(Math.cbrt(prime))); // the constants of the rounds
const H = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))); // the initial hash

/** Rotate the 32 bits of a number to the right. @param {number} x @param {number} n by how many bits */
const rotate = (x, n) => (x >>> n) | (x << (32 - n));

/** Return a block's schedule: a 32-bit word for each round. @param {DataView} view @param {number} start its offset */
function schedule(view, start) {
  const words = Array.from({ length: 16 }, (_, i) => view.getUint32(start + i * 4));
  while (words.length < ROUNDS) {
    const x = words.at(-15) ?? 0;
    const y = words.at(-2) ?? 0;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words.push(((words.at(-16) ?? 0) + s0 + (words.at(-7) ?? 0) + s1) | 0);
  }
  return words;
}

/** Return the hash of a message, as eight words of 32 bits. @param {Uint8Array} message */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80; // the bit that ends the message
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n); // the length in bits
  const hash = Uint32Array.from(H);
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    let state = [...hash];
    for (const [i, word] of schedule(view, start).entries()) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + word) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      state = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
    }
    for (const [i, word] of state.entries()) hash[i] = (hash[i] ?? 0) + word; // modulo 2 ** 32
  }
  return hash;
}

/** Return the bytes of a hexadecimal text. @param {string} hex */
export const fromHex = (hex) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Return words of 32 bits as a hexadecimal text. @param {Uint32Array} words */
export const toHex = (words) =>
  Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');

/**
 * Return whether a revealed seed and salt match the commitment from before the race.
 * @param {string} seed hex @param {string} salt hex @param {string} commitment hex of SHA-256(seed || salt)
 */
export const keepsCommitment = (seed, salt, commitment) =>
  toHex(sha256(fromHex(seed + salt))) === commitment.toLowerCase();

/** Yield the words of the hashes of `PREFIX/0`, `PREFIX/1` and so on, without end. @param {string} prefix */
function* randomWords(prefix) {
  for (let i = 0; ; i += 1) yield* sha256(new TextEncoder().encode(`${prefix}/${i}`));
}

/** Return cards in dealing order. @param {string} game such as `spider-1` @param {string} seed 16 bytes in hex */
export function deckOf(game, seed) {
  const { family, decks, suits } = GAMES[game];
  const oneDeck = [...SUITS].flatMap((each) => [...RANKS].map((rank) => rank + each));
  const deck = Array.from({ length: decks }, () => oneDeck).flat();
  const random = randomWords(`spider-race/deal/1/${family}/${seed.toLowerCase()}`);
  for (let i = deck.length - 1; i > 0; i -= 1) {
    // Reject words at or above the limit, which would make some cards more likely.
    const limit = VALUES_OF_WORD - (VALUES_OF_WORD % (i + 1));
    let word = VALUES_OF_WORD;
    while (word >= limit) word = random.next().value ?? 0;
    const j = word % (i + 1);
    [deck[i], deck[j]] = [deck[j] ?? '', deck[i] ?? ''];
  }
  // In a game of one or two suits, the cards of the other suits become cards of these.
  return deck.map((card) => card.charAt(0) + SUIT_LABELS[suits].charAt(SUITS.indexOf(suit(card))));
}

/**
 * Check a revealed deal; return whether it is `good`, with a title and a text.
 * @param {string} game its id in the catalogue
 * @param {string | null | undefined} promised the hash that was shown before the race @param {Reveal} reveal
 */
export function checkDeal(game, promised, { deal, number, seed, salt, commitment, deck }) {
  const words = strings.PROOF;
  const bad = (/** @type {string} */ text) => ({ good: false, title: words.bad, text });
  const title = number === null ? words.open : `${words.open} ${number}`;
  const known = { good: true, title, text: words.known }; // nothing was secret
  if (deal === 'numbered') return known;
  const hash = promised ?? commitment; // latecomers were shown no promise
  const keepsHash = Boolean(seed && salt && hash && keepsCommitment(seed, salt, hash));
  // The deal of a given seed is open from the start, so no hash was promised.
  if (deal !== 'seed' && !keepsHash) return bad(words.otherSeal);
  if (!seed || deckOf(game, seed).join() !== deck.join()) return bad(words.otherDeck);
  return deal === 'seed' ? known : { good: true, title: words.good, text: words.sealed };
}
