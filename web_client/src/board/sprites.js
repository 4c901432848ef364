// The assignment of the cards on the screen to the cards of the next table. Cards have no identity (a
// deck has several alike, and most lie face down), so it goes by place: a card that stays in its pile
// keeps its element, and cards that one pile has lost are those that another has gained.

/**
 * @import {PileView} from '../contract/notation.js'
 */

/** Return the faces of a pile, bottom to top; '' lies face down. @param {PileView} pile @returns {string[]} */
export const faces = (pile) => [...Array(pile.down).fill(''), ...pile.up];

/** Return whether both may be the same card, since one of them may lie face down. @param {string} a @param {string} b */
const mayBeSame = (a, b) => a === b || a === '' || b === '';

/**
 * Return the cards of the next table, and those that are not needed any more.
 * @template {{face: string}} S
 * @param {ReadonlyMap<string, readonly S[]>} held by pile, bottom to top
 * @param {readonly PileView[]} piles
 * @param {() => S} make
 * @returns {{held: Map<string, S[]>, spare: S[]}} faces are as they were
 */
export function rematch(held, piles, make) {
  /** @type {S[]} */
  const pool = [];
  /** @type {Map<string, S[]>} */
  const next = new Map();
  /** The places of cards that did not stay in theirs. @type {{row: S[], index: number, face: string}[]} */
  const wanted = [];
  for (const pile of piles) {
    const nextFaces = faces(pile);
    const sprites = held.get(pile.id) ?? [];
    let kept = 0;
    while (
      kept < Math.min(sprites.length, nextFaces.length) &&
      mayBeSame(sprites[kept]?.face ?? '', nextFaces[kept] ?? '')
    )
      kept += 1;
    const row = sprites.slice(0, kept);
    next.set(pile.id, row);
    pool.push(...sprites.slice(kept));
    for (let index = kept; index < nextFaces.length; index += 1)
      wanted.push({ row, index, face: nextFaces[index] ?? '' });
  }
  for (const [id, row] of held) if (!next.has(id)) pool.push(...row);

  const unmatched = wanted.filter(({ row, index, face }) => {
    const found = face ? pool.findIndex((each) => each.face === face) : -1;
    const sprite = found >= 0 ? pool.splice(found, 1)[0] : undefined;
    if (sprite) row[index] = sprite;
    return !sprite;
  });
  for (const { row, index } of unmatched) {
    const back = pool.findLastIndex((each) => each.face === '');
    const sprite = back >= 0 ? pool.splice(back, 1)[0] : pool.pop();
    row[index] = sprite ?? make();
  }
  return { held: next, spare: pool };
}
