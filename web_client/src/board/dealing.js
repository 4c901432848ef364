// The animation of a deal.

import { dealOut } from './motion.js';

/** @import {Board} from './board.js' */

/** Let the cards of the columns fly from the stock to where they are drawn. @param {Board} board */
export function dealBoard({ table, sprites, layout, still }) {
  const columns = table?.piles.filter(({ role }) => role === 'tableau') ?? [];
  const rows = Math.max(0, ...columns.map(({ down, up }) => down + up.length));
  const order = Array.from({ length: rows }, (_, row) =>
    columns.flatMap(({ id }) => sprites.get(id)?.[row] ?? []),
  ).flat();
  const stock = table?.piles.find(({ role }) => role === 'stock');
  const from = stock && layout.slots.get(stock.id);
  if (from && !still) dealOut(order, from);
}
