// A server for tests of fast play: a Spider of short suits (five ranks, two deals) that keeps the
// promises of the protocol. Acts are answered in order, exactly once each; a repeated id is applied
// once; after a failure the whole table is sent.

const RANKS = '5432A';
const KEPT = 8;

/** @typedef {(below: number) => number} Chance a whole number from 0 to below `below` */

const follows = (a, b) => RANKS.indexOf(b.charAt(0)) === RANKS.indexOf(a.charAt(0)) + 1;

/** Return the length of the run in suit at the end. @param {readonly string[]} up */
function runOf(up) {
  let n = Math.min(1, up.length);
  for (; n < up.length; n += 1) {
    const [upper = '', lower = ''] = [up.at(-n - 1), up.at(-n)];
    if (!follows(upper, lower) || upper.charAt(1) !== lower.charAt(1)) break;
  }
  return n;
}

/**
 * A position that was stored is never changed: acts are played on a copy.
 *
 * @typedef {{columns: {down: string[], up: string[]}[], stock: string[], home: string[][]}} Position
 */

/** @param {Chance} chance @param {number} fives columns, by five */
function dealt(chance, fives) {
  const suits = [...'SHSH'.repeat(fives)];
  const deck = suits.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  for (let i = deck.length - 1; i > 0; i -= 1) {
    const j = chance(i + 1);
    [deck[i], deck[j]] = [deck[j] ?? '', deck[i] ?? ''];
  }
  const columns = Array.from({ length: 5 * fives }, () => ({
    down: deck.splice(0, 1),
    up: deck.splice(0, 1),
  }));
  return { columns, stock: deck, home: suits.map(() => []) };
}

function moves({ columns }) {
  const found = [];
  for (const [from, { up }] of columns.entries())
    for (let count = 1; count <= runOf(up); count += 1)
      for (const [to, target] of columns.entries()) {
        const onto = target.up.at(-1);
        if (from !== to && (!onto || follows(onto, up.at(-count) ?? '')))
          found.push({ type: 'move', from: `t${from}`, count, to: `t${to}`, exception: false });
      }
  return found;
}

function play({ columns, stock, home }, action) {
  const column = (id) => columns[Number(id.slice(1))] ?? { down: [], up: [] };
  if (action.type === 'move')
    column(action.to).up.push(...column(action.from).up.splice(-action.count));
  else if (action.type === 'remove')
    home.find((pile) => pile.length === 0)?.push(...column(action.from).up.splice(-RANKS.length));
  else for (const each of columns) each.up.push(stock.shift() ?? '');
  for (const { down, up } of columns) if (up.length === 0) up.push(...down.splice(-1));
}

/**
 * @param {Chance} chance for the deal
 * @param {any} blank a golden table, for what has no part in this
 * @param {number} fives how many columns there are, by five
 */
export function makeServer(chance, blank, fives) {
  let position = dealt(chance, fives);
  const past = [];
  let future = [];
  /** @type {any[]} the actions, as they were applied */
  const log = [];
  let lastId = 0;
  const replies = [];
  const saved = [];
  let trouble = false;

  const piles = () => [
    ...position.columns.map(({ down, up }, i) => ({ id: `t${i}`, down: down.length, up: [...up] })),
    { id: 'stock', down: position.stock.length, up: [] },
    ...position.home.map((up, i) => ({ id: `f${i}`, down: 0, up: [...up] })),
  ];
  function legal() {
    const { columns, stock } = position;
    const suits = columns.flatMap(({ up }, i) =>
      runOf(up) === RANKS.length ? [{ type: 'remove', from: `t${i}` }] : [],
    );
    const deal = stock.length > 0 && columns.every(({ up }) => up.length > 0);
    const one = (is, type) => (is ? [{ type }] : []);
    return [
      ...moves(position),
      ...suits,
      ...one(deal, 'deal'),
      ...one(past.length > 0, 'undo'),
      ...one(future.length > 0, 'redo'),
    ];
  }
  const figures = () => ({
    at: log.length,
    score: position.home.flat().length,
    counts: { ...blank.counts, suits: position.home.filter((pile) => pile.length > 0).length },
    legal: legal(),
    outcome: null,
    stuck: null,
    elapsed_ms: log.length,
  });
  const shape = new Map(blank.piles.map((pile) => [pile.id, pile]));
  const table = () => ({
    ...blank,
    ...figures(),
    last_id: lastId,
    piles: piles().map((pile) => ({ ...shape.get(pile.id), ...pile })),
  });
  const acted = (id, changed) => ({ type: 'acted', id, ...figures(), piles: changed });
  const refused = (act, code, whole = false) => ({
    type: 'refused',
    command: 'act',
    code,
    details: { cards: [], piles: [], fields: [], reason: null },
    id: act.id,
    at: log.length,
    table: whole ? table() : null,
  });
  const isLegal = (action) =>
    legal().some((each) =>
      Object.entries(each).every(([key, value]) => (action[key] ?? false) === value),
    );

  function apply({ id, action }) {
    saved[log.length] = { position, past: [...past], future: [...future], lastId };
    const before = piles().map((pile) => JSON.stringify(pile));
    if (action.type === 'undo') {
      future.push(position);
      position = past.pop() ?? position;
    } else if (action.type === 'redo') {
      past.push(position);
      position = future.pop() ?? position;
    } else {
      past.push(position);
      future = [];
      position = structuredClone(position);
      play(position, action);
    }
    log.push(action);
    lastId = id;
    const reply = acted(
      id,
      piles().filter((pile, i) => JSON.stringify(pile) !== before[i]),
    );
    replies.push({ id, reply });
    if (replies.length > KEPT) replies.shift();
    return reply;
  }

  /** Return the answer to an id that was used before. @param {any} act */
  function again(act) {
    const kept = replies.find((each) => each.id === act.id);
    if (kept) return kept.reply;
    const stands = JSON.stringify(log[act.at]) === JSON.stringify(act.action);
    return stands ? acted(act.id, piles()) : refused(act, 'stale', true);
  }

  function judge(act) {
    if (act.id <= lastId) return again(act);
    if (act.at !== log.length) return refused(act, 'stale', true);
    return isLegal(act.action) ? apply(act) : refused(act, 'wrong_rank');
  }

  return {
    log,
    table,
    lastId: () => lastId,
    troubled: () => trouble,
    /** Answer an act. @param {any} act */
    receive: (act) => structuredClone(trouble ? refused(act, 'try_again') : judge(act)),
    /**
     * Lose the store. Its last act may be stored or not.
     *
     * @param {any} act @param {boolean} stored
     */
    fail(act, stored) {
      if (stored) judge(act);
      trouble = true;
      return refused(act, 'try_again');
    },
    /** Fail over to a copy of the store that lacks the latest acknowledged acts. @param {number} acts */
    forget(acts) {
      const then = saved[Math.max(0, log.length - acts)];
      if (!then) return;
      log.length = Math.max(0, log.length - acts);
      ({ position, lastId } = then);
      future = [...then.future];
      past.splice(0, past.length, ...then.past);
      replies.length = 0;
      trouble = true;
    },
    /** Return the table of the store that is back. */
    recover() {
      trouble = false;
      return { type: 'table', table: table() };
    },
    /** Begin a new connection, whose server has read everything again. */
    resume() {
      trouble = false;
      replies.length = 0;
    },
  };
}
