// The assessment of a position: whether it can still be won. The page asks the server for it when nothing can be
// dealt and the player pauses, or when there is no hint, and only once about a table.

import { isLegal } from '../game/table.js';
import { isIdle, plays } from '../state/state.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof bindAssessment>} Assessment
 */

/** The page asks after this pause of the player. */
const PAUSE_MS = 1_500;

/** Return the server's assessment of this table, if it has come. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return the table if the page may ask about it, else null. @param {State} state */
export function openQuestion(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return null;
  const { base } = play;
  // A server of an earlier release has no such setting, and does not know the question.
  const isAskable = room?.settings.autoplay !== undefined && !base.outcome && !base.stuck;
  // Where cards can be dealt the game can always change, so nothing is searched.
  const isOpen = assessed?.at !== base.at && !isLegal(base, { type: 'deal' });
  return isAskable && isOpen ? base : null;
}

/** Bind the questions of a race. @param {App} app */
export function bindAssessment(app) {
  const assessment = {
    app,
    pause: 0,
    /** The page waits for a pause on this table, or has waited. @type {TableView | null} */
    waiting: null,
    /** The page has asked about this table. After a lost connection it is a new object. @type {TableView | null} */
    asked: null,
    unbind: () => clearTimeout(assessment.pause),
  };
  return assessment;
}

/** Ask at once, unless this table was asked about before. @param {Assessment} assessment */
export function assess(assessment) {
  clearTimeout(assessment.pause);
  const table = openQuestion(assessment.app.state());
  if (!table || table === assessment.asked) return;
  assessment.asked = table;
  assessment.app.send({ type: 'assess' });
}

/** Ask after a pause, which starts again with each table. @param {Assessment} assessment @param {State} state */
export function assessAfterPause(assessment, state) {
  const table = openQuestion(state);
  if (table === assessment.waiting) return;
  assessment.waiting = table;
  clearTimeout(assessment.pause);
  if (table) assessment.pause = setTimeout(assess, PAUSE_MS, assessment);
}
