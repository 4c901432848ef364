// The ends that a player chooses: giving up, ending the race for all, and beginning the same deal again.

import { restartMessages } from '../state/next-game.js';
import { amHost, isOneOfSeveral, isOnlyRacer, isPractice } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/ask.js';
import { canWatchLater } from './watching.js';

/** @import {App} from '../page/app.d.ts' */

/** The shortest time that a host can leave to the race. */
const LEAST_GRACE_S = 5;

/** End the race of a player who races alone: the host ends it for all, others can only give up. @param {App} app */
export function endRace(app) {
  if (amHost(app.state())) app.send({ type: 'end', grace_s: LEAST_GRACE_S });
  else giveUp(app);
}

/** Give up, after a question; for a moment the player can take it back. @param {App} app */
export async function giveUp(app) {
  const state = app.state();
  const inCompany =
    state.room && isOneOfSeveral(state.room)
      ? strings.ASK_IN_RACE.forfeitRound
      : strings.ASK_IN_RACE.forfeit;
  const forfeit = isOnlyRacer(state) ? strings.ASK_IN_RACE.forfeitAlone : inCompany;
  const text = canWatchLater(state) ? `${forfeit.text} ${strings.WATCH_OTHERS}` : forfeit.text;
  if (await ask({ ...forfeit, text, grave: true })) app.send({ type: 'forfeit', held: true });
}

/**
 * Deal the same cards again: in practice at once, else after a question. A secret deal that others may
 * join can only be given up.
 * @param {App} app
 */
export async function restart(app) {
  const before = app.state().room;
  const canRestart = before && restartMessages(before) !== null;
  const question = canRestart ? strings.ASK_IN_RACE.restart : strings.ASK_IN_RACE.restartSecret;
  const isAtOnce = before !== null && isPractice(before);
  if (!isAtOnce && !(await ask({ ...question, grave: !canRestart }))) return;
  const { room } = app.state();
  if (room?.state !== 'RUNNING') return;
  const messages = restartMessages(room);
  for (const message of messages ?? []) app.send(message);
  if (!messages) app.send({ type: 'forfeit', held: true });
}
