// The deck of a seed, computed in the browser, so that players need not trust the server.
//
// The scheme is that of the server's `games/deals.py`, byte by byte: blocks of SHA-256 over
// `spider-race/deal/1/FAMILY/SEED/c`, eight words of 32 bits each, a Fisher-Yates shuffle from
// the end with rejection, and the suits relabelled after it.

import { GAMES } from '../contract/games.js';
import { RANKS, SUITS } from '../contract/protocol.js';
import { sha256 } from './sha256.js';

/** The number of values of a random word. */
const RANGE = 2 ** 32;

/** The suits that S, H, D and C become, by the number of suits of a game. @type {Record<string, string>} */
const SUIT_LABELS = { 1: 'SSSS', 2: 'SHHS', 4: SUITS };

/** Yield the random words of 32 bits. @param {string} prefix */
function* words(prefix) {
  for (let block = 0; ; block += 1) {
    const hash = sha256(new TextEncoder().encode(`${prefix}/${block}`));
    const view = new DataView(hash.buffer);
    for (let at = 0; at < hash.length; at += 4) yield view.getUint32(at);
  }
}

/**
 * Return all cards in the order of dealing.
 * @param {string} game
 * @param {string} seed 16 bytes in hex
 * @returns {string[]}
 */
export function deckOf(game, seed) {
  const { family, decks, suits } = GAMES[game];
  const oneDeck = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const deck = Array.from({ length: decks }, () => oneDeck).flat();
  const random = words(`spider-race/deal/1/${family}/${seed.toLowerCase()}`);
  for (let i = deck.length - 1; i > 0; i -= 1) {
    // Words from the limit on are rejected: they would make some cards more likely.
    const limit = RANGE - (RANGE % (i + 1));
    let word = RANGE;
    while (word >= limit) word = random.next().value ?? 0;
    const j = word % (i + 1);
    [deck[i], deck[j]] = [deck[j] ?? '', deck[i] ?? ''];
  }
  const labels = SUIT_LABELS[suits];
  return deck.map((card) => card.charAt(0) + labels.charAt(SUITS.indexOf(card.charAt(1))));
}
