// Lets the load generator of `../shared/peers` play on this server.
//
// The generator loads this file by its path. The four bots of a room join one after the other;
// `ready` makes all bots ready and waits for their tables.

import { pathToFileURL } from 'node:url';
import { formatAction, parseLegal } from '../web_client/src/contract/notation.js';
import { SUBPROTOCOL } from '../web_client/src/contract/protocol.js';
import { reduce, wantsStandings } from '../web_client/src/state/reducer.js';
import { NOTHING } from '../web_client/src/state/state.js';

const SETTINGS = {
  game: 'spider-4',
  deal: 'numbered',
  undo: 'any',
  auto_remove: true,
  score: 'moves',
  time_limit_s: null,
};
const FULL_SCORE = 500;
const SUIT_POINTS = 100;
const SEATS = 4;

/** Return the number of a column. @param {string} pile e.g. `t9` */
const column = (pile) => Number(pile.slice(1));

/**
 * Return the choices of a bot: moves as [from, to, count], and whether it may deal.
 *
 * @param {string} text a legal list, e.g. `t9x1-t4,deal,undo`
 */
export function choices(text) {
  const legal = [];
  let deal = 0;
  for (const each of parseLegal(text))
    if (each.type === 'move') legal.push([column(each.from), column(each.to), each.count]);
    else if (each.type === 'deal') deal = 1;
  return { legal, deal };
}

/** Return the action of a bot's command, as text. @param {any} command */
export function action({ t, src, dst, count }) {
  if (t === 'move') return formatAction({ type: 'move', from: `t${src}`, count, to: `t${dst}` });
  return t === 'deal' ? 'deal' : 'undo'; // a race has no restart
}

/**
 * Return a row of the leaderboard for the generator: entries of the log, score, suits, face-down
 * cards.
 *
 * RULES, `moves`: the score is 500, minus 1 for each entry, plus 100 for each suit, never below 0.
 * At 0 we only know the number of moves.
 *
 * @param {any} standing
 */
export function row({ score, suits, moves, face_down }) {
  const entries = score > 0 ? FULL_SCORE + SUIT_POINTS * suits - score : moves;
  return [entries, score, suits, face_down];
}

/** Passes the server's messages to a bot in the generator's format; keeps its leaderboard. */
export class Receiver {
  /** @param {any} bot @param {(message: object) => void} say sends a message to the server */
  constructor(bot, say) {
    this.bot = bot;
    this.say = say;
    this.state = NOTHING;
  }

  /** @param {any} message */
  receive(message) {
    const { bot } = this;
    switch (message.type) {
      case 'acted':
        bot.onAck(reply(message, message.id));
        break;
      case 'table':
        bot.onState(reply(message.table, 0));
        break;
      case 'standings':
      case 'standings_changes':
        this.show(reduce(this.state, message));
        break;
      case 'refused':
        bot.onAck({ id: message.id, ok: 0, err: message.code });
        break;
      case 'error':
        bot.onClose(`error ${message.code} at ${message.where}`);
        break;
    }
  }

  /** Show the leaderboard, or request all of it if changes are missing. @param {typeof NOTHING} state */
  show(state) {
    if (state === this.state) return;
    this.state = state;
    if (wantsStandings(state)) return this.say({ type: 'watch' });
    const rows = Array(SEATS).fill(null);
    for (const standing of state.standings) rows[standing.seat] = row(standing);
    this.bot.onBoard(rows);
  }
}

/** @param {any} table a `table` or an `acted` @param {number} id */
const reply = ({ at, score, legal }, id) => ({ id, ok: 1, n: at, score, ...choices(legal) });

export default {
  name: 'spider-race',
  kind: 'race',

  /** Load the generator's client. @param {any} ctx */
  async prepare(ctx) {
    const generator = pathToFileURL(process.argv[1] ?? '');
    ctx.shared.Client = (await import(new URL('lib/wsclient.js', generator).href)).WsClient;
  },

  /** @param {any} _ctx @param {any[]} bots */
  async ready(_ctx, bots) {
    const tables = bots.map((bot) => bot.conn.table);
    for (const bot of bots) bot.conn.say({ type: 'ready' });
    await Promise.all(tables);
  },

  /** @param {any} ctx @param {any} bot */
  connect(ctx, bot) {
    return new Promise((resolve, reject) => {
      const say = (/** @type {object} */ message) => client.text(JSON.stringify(message));
      const receiver = new Receiver(bot, say);
      let seated = () => {};
      const table = new Promise((done) => {
        seated = () => done(undefined);
      });
      const handle = {
        table,
        say,
        send: (/** @type {any} */ command) =>
          say({ type: 'act', id: command.id, at: bot.n, action: action(command) }),
        close: () => client.close(),
        bytesIn: () => client.bytesIn,
      };
      const client = new ctx.shared.Client({
        host: ctx.host,
        port: ctx.port,
        path: '/ws',
        headers: `Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n`,
        onOpen: () => {
          const name = `P${bot.room}-${bot.seat}`;
          const number = bot.room + 1;
          if (bot.seat === 0) say({ type: 'create', name, settings: { ...SETTINGS, number } });
          else say({ type: 'join', room: ctx.shared[bot.room], name });
        },
        onText: (/** @type {string} */ text) => {
          const message = JSON.parse(text);
          receiver.receive(message);
          if (message.type === 'table') seated();
          if (message.type === 'joined') {
            ctx.shared[bot.room] = message.room.code;
            resolve(handle);
          }
        },
        onBinary: () => bot.onClose('unexpected binary'),
        onClose: (/** @type {string} */ why) => {
          bot.onClose(why);
          reject(new Error(why));
        },
      });
    });
  },
};
