// The ghost in the standings of a room for one: the game that is raced again, the computer player you chose for today's
// race, or in practice your best game. It comes with the load after a race; the race does not wait for it.

import { keptOf, preference } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { keepFetching } from '../page/loads.js';
import { parseCards } from '../state/entries.js';
import { nextLog, raceEvents } from '../state/race-events.js';
import { isForOne, leader, NOTHING } from '../state/state.js';
import { every } from '../widgets/element.js';

/**
 * @import {App, AppWith} from '../page/app.d.ts'
 * @import {Ghost} from '../results/duel.js'
 * @import {Log} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {typeof import('../after-load.js')} AfterRace
 * @typedef {AppWith<AfterRace>} RaceApp
 * @typedef {{update: (state: State) => void}} Standings
 * @typedef {ReturnType<typeof makeRun>} Run
 * @typedef {{state: State, own: State, log: Log | null, ms: number}} Shown the state with the ghost and without it, the
 *   events of both, and the time since the start
 */

const STEP_MS = 500; // how often a ghost moves
/** When to ask again: computer players may still be playing the deal of the day when a person starts. */
const AGAIN_MS = 30_000;

/** Nothing was shown yet. @type {Shown} */
const NOTHING_SHOWN = { state: NOTHING, own: NOTHING, log: null, ms: Infinity };

/** Make the record of a ghost that runs, or of the search for one. @param {RaceApp} app @param {Standings} standings */
const makeRun = (app, standings) => ({
  app,
  standings,
  own: NOTHING, // the latest state of this player, without the ghost
  roundId: '', // `CODE n` of the round whose ghost was looked up, or ''
  found: /** @type {{code: AfterRace, ghost: Ghost} | null} */ (null),
  shown: NOTHING_SHOWN,
  stopFetching: () => {},
});

/** Look up the ghost of a round, once. It runs when it arrives. @param {Run} run @param {State['room']} room */
function lookUpGhost(run, room) {
  const round = room?.round;
  const roundId = `${room?.code} ${round?.n}`;
  if (!room || !round || roundId === run.roundId || room.state !== 'RUNNING') return;
  run.stopFetching();
  Object.assign(run, { roundId, found: null, shown: NOTHING_SHOWN });
  const { cards = '', key } = round;
  const { isGame, isContinued } = parseCards(cards);
  // A continued game starts where no other game does.
  if (!isForOne(room) || isContinued) return;
  const pace = key && preference('pace'); // of the computer player in today's race
  const best = cards ? null : keptOf('best-course', room.settings.game); // in practice
  // Today's race needs a chosen computer player; another race a game to race again, or a best game.
  if (pace ? pace === 'nobody' : !isGame && !best) return;
  run.app.after.use('ghost', (code) => {
    if (run.roundId !== roundId) return; // another round is on
    const fetchIt = () => (pace ? code.fetchComputer(cards, pace) : code.fetchGhost(cards));
    const take = (/** @type {Ghost | null | undefined} */ ghost) => {
      if (ghost && run.roundId === roundId) letRun(run, code, ghost);
      return !ghost && pace && run.roundId === roundId ? AGAIN_MS : 0; // until the next request; 0: none
    };
    if (best) take(code.ownBest(best));
    else run.stopFetching = keepFetching(fetchIt, take).stop;
  });
}

/** Let a ghost run beside this player. @param {Run} run @param {AfterRace} code @param {Ghost} ghost */
function letRun(run, code, ghost) {
  run.found = { code, ghost };
  run.shown = { ...NOTHING_SHOWN, log: { race: run.roundId, events: run.app.log() } };
  draw(run);
}

/** Move the ghost to a time, and log the events until then. @param {Run} run @param {State} own without the ghost @param {number} ms since the start */
function moveTo(run, own, ms) {
  const { room } = own;
  if (!run.found || !room?.round) return;
  const { code, ghost } = run.found;
  const { state: before, log } = run.shown;
  const both = code.withGhost(own, code.ghostRow(ghost, ms, GAMES[room.settings.game]));
  const state = { ...both, lastLeader: leader(both.standings)?.seat ?? before.lastLeader };
  const change = { before, after: state, events: raceEvents(before, state) };
  run.shown = { state, own, log: log && nextLog(log, change, room.round.t0 + ms), ms };
}

/**
 * Draw the standings, with the ghost if there is one. A hidden tab seldom draws, so the ghost first makes each move
 * since the last drawing at its own time.
 * @param {Run} run
 */
function draw(run) {
  const { app, standings, own, found, shown: before } = run;
  if (!found || !own.room?.round) return standings.update(own);
  const { course, standing } = found.ghost;
  const ms = app.now() - own.room.round.t0;
  for (const each of [...course.ms, standing.finished_ms ?? 0])
    if (each > before.ms && each < ms) moveTo(run, before.own, each);
  moveTo(run, own, ms);
  standings.update(run.shown.state);
  if (run.shown.log !== before.log) app.redraw();
}

/** Let a ghost run in the standings, which get each state with it. @param {RaceApp} app @param {Standings} standings */
export function bindRunningGhost(app, standings) {
  const run = makeRun(app, standings);
  const stopMoving = every(STEP_MS, () => {
    if (run.found && run.own.room?.state === 'RUNNING') draw(run);
  });
  return {
    isOn: () => run.found !== null,
    /** The page as the events see it: with the ghost. @type {App} */
    app: {
      ...app,
      state: () => (run.found ? run.shown.state : app.state()),
      log: () => run.shown.log?.events ?? app.log(),
    },
    /** @param {State} state */
    update(state) {
      run.own = state;
      lookUpGhost(run, state.room);
      draw(run);
    },
    unbind() {
      stopMoving();
      run.roundId = ''; // an answer that comes later is dropped
      run.stopFetching();
    },
  };
}
