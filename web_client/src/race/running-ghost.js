// The ghost in the standings of a room for one: the game that is raced again, the computer player you chose
// for today's race, or in practice your best game. It comes with the load after a race; the race does not wait
// for it.

import { keptOf, preference } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { keepFetching } from '../page/loads.js';
import { parseCards } from '../state/entries.js';
import { nextLog } from '../state/race-events.js';
import { isForOne, leader, NOTHING } from '../state/state.js';
import { every } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Ghost} from '../results/duel.js'
 * @import {Log} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {typeof import('../after-load.js')} AfterRace
 */

/** How often a ghost moves. */
const STEP_MS = 500;
/** Computer players may still play the deal of a day when a person begins. */
const AGAIN_MS = 30_000;

/** Let a ghost run in the standings. @param {App} app @param {{update: (state: State) => void}} standings */
export function bindRunningGhost(app, standings) {
  let state = NOTHING;
  /** The round that was looked for a ghost. */
  let looked = '';
  /** @type {{code: AfterRace, ghost: Ghost} | null} */
  let found = null;
  /** The state with the ghost in it, and the events of both. @type {{state: State, log: Log | null}} */
  let shown = { state: NOTHING, log: null };
  let stop = () => {};

  /** Look for the ghost of a round, once. @param {State} next */
  function look({ room }) {
    const round = room?.round;
    const name = `${room?.code} ${round?.n}`;
    if (!room || !round || name === looked || room.state !== 'RUNNING') return;
    looked = name;
    found = null;
    shown = { state: NOTHING, log: null };
    stop();
    if (!isForOne(room)) return;
    const pace = round.key && preference('pace');
    const cards = round.cards ?? '';
    const { isGame, isContinued } = parseCards(cards);
    if (isContinued) return; // it has no start in common with another game
    const best = cards ? null : keptOf('best-course', room.settings.game);
    if (pace ? pace === 'nobody' : !isGame && !best) return;
    app.after.use('ghost', (/** @type {AfterRace} */ code) => {
      if (looked !== name) return; // another round is on
      const take = (/** @type {Ghost | null | undefined} */ ghost) => {
        if (looked !== name) return 0;
        if (!ghost) return pace ? AGAIN_MS : 0;
        found = { code, ghost };
        shown.log = { race: name, events: app.log() };
        draw();
        return 0;
      };
      const fetchIt = () => (pace ? code.fetchComputer(cards, pace) : code.fetchGhost(cards));
      if (best) take(code.ownBest(best));
      else ({ stop } = keepFetching(fetchIt, take));
    });
  }

  /** Draw the standings, with the ghost if there is one. */
  function draw() {
    const { room } = state;
    if (!found || !room?.round) {
      standings.update(state);
      return;
    }
    const ms = app.now() - room.round.t0;
    const row = found.code.ghostRow(found.ghost, ms, GAMES[room.settings.game]);
    const { state: before, log } = shown;
    const next = found.code.withGhost(state, row);
    const lastLeader = leader(next.standings)?.seat ?? before.lastLeader;
    shown = { state: { ...next, lastLeader }, log };
    if (log) shown.log = nextLog(log, before, shown.state, app.now());
    standings.update(shown.state);
    if (shown.log !== log) app.redraw();
  }

  const stopTicking = every(STEP_MS, () => {
    if (found && state.room?.state === 'RUNNING') draw();
  });
  return {
    /** Whether a ghost runs. */
    isOn: () => found !== null,
    /** The page as the events see it: with the ghost. @type {App} */
    app: {
      ...app,
      state: () => (found ? shown.state : app.state()),
      log: () => shown.log?.events ?? app.log(),
    },
    /** @param {State} next */
    update(next) {
      state = next;
      look(next);
      draw();
    },
    unbind() {
      stopTicking();
      looked = '';
      stop();
    },
  };
}
