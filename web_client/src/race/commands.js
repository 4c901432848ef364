// What the commands of the keys do in a race, but for those that move the cursor.

import { prefer, preference } from '../browser/storage.js';
import { after } from '../late.js';
import { nextTable } from '../page/appearance.js';
import { cancel as cancelDrag } from '../play/drag.js';
import { CLASSIC_COMMANDS } from '../play/key-bindings.js';
import { queueUntil } from '../play/key-queue.js';
import {
  cancelAll,
  deal,
  redo,
  removeSuit,
  tableOf,
  toggleException,
  undo,
} from '../play/player.js';
import { strings } from '../strings/language.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from '../play/aids.js'
 * @import {Drag} from '../play/drag.js'
 * @import {makeHints} from '../play/hints.js'
 * @import {ClassicCommand, Command} from '../play/key-bindings.js'
 * @import {KeyQueue} from '../play/key-queue.js'
 * @import {Keyboard} from '../play/keyboard.js'
 * @import {Player} from '../play/player.js'
 * @import {makeRefusals} from '../play/refusals.js'
 * @import {bindGameOver} from './game-over.js'
 * @typedef {object} Commanded the parts of a race that commands act on
 * @property {App} app
 * @property {Player} player
 * @property {Aids} aids
 * @property {ReturnType<typeof makeHints>} hints
 * @property {ReturnType<typeof makeRefusals>} refusals
 * @property {ReturnType<typeof bindGameOver>} gameOver
 * @property {Drag} drag
 * @property {Keyboard} keyboard
 * @property {KeyQueue} queue the keys that wait for what is being loaded
 * @property {Promise<Record<ClassicCommand, () => void>> | null} classicActions replace some of `ACTIONS`
 *   if the player uses the keys of 1987
 */

/**
 * What the commands do that do not concern the cursor; `key` is what the key writes.
 * @type {Readonly<Partial<Record<Command, (race: Commanded, key: string) => void>>>}
 */
const ACTIONS = {
  deal: ({ player }) => deal(player),
  undo: ({ player }) => undo(player),
  redo: ({ player }) => redo(player),
  remove: removeAtCursor,
  exception: ({ player }) => toggleException(player),
  hint: ({ hints }) => hints.request(),
  cancel,
  mark: ({ aids }) => aids.toggleMarks(),
  unfold: ({ aids, keyboard }) => aids.unfold(keyboard.cursor?.pile ?? null),
  standings: ({ app }) => app.announce(strings.standingsSpoken(app.state())),
  score: ({ app }) => app.announce(strings.scoreSpoken(app.state().play?.shown)),
  colours: nextTable,
  type: () => prefer('moveBox', !preference('moveBox')),
  help: (race, key) =>
    key === '?' && race.refusals.hasUnshown() ? race.refusals.announceReason() : openHelp(race),
  why: ({ refusals }) => refusals.announceReason(),
};

/** Return whether a complete suit can be removed from a pile. @param {Commanded} race @param {string | undefined} pile */
function canRemoveFrom({ player }, pile) {
  const legal = tableOf(player)?.legal ?? [];
  return legal.some((each) => each.type === 'remove' && each.from === pile);
}

/** Remove the complete suit under the cursor, or else any. @param {Commanded} race */
function removeAtCursor(race) {
  const pile = race.keyboard.cursor?.pile;
  removeSuit(race.player, canRemoveFrom(race, pile) ? pile : undefined);
}

/**
 * Return the action of a command. With the keys of 1987, some actions are loaded first.
 * @param {Commanded} race
 * @param {Command} command
 * @returns {((key: string) => void) | undefined}
 */
export function actionOf(race, command) {
  const classic =
    preference('keys') === 'classic' && CLASSIC_COMMANDS.find((each) => each === command);
  if (!classic) {
    const act = ACTIONS[command];
    return act && ((key) => act(race, key));
  }
  return () =>
    queueUntil(
      race.queue,
      loadClassicActions(race).then((actions) => actions[classic]),
    );
}

/** Load the actions of the keys of 1987. @param {Commanded} race */
function loadClassicActions(race) {
  const { app, player, keyboard } = race;
  race.classicActions ??= new Promise((resolve) => {
    after.use('classic actions', ({ classicActions }) =>
      resolve(classicActions({ app, player, cursor: () => keyboard.cursor })),
    );
  });
  return race.classicActions;
}

/** Load the actions of the keys of 1987 ahead, if the player uses these keys. @param {Commanded} race */
export function prefetchClassicActions(race) {
  if (preference('keys') === 'classic') loadClassicActions(race);
}

/** Cancel everything that the player has begun. @param {Commanded} race */
function cancel({ drag, aids, hints, gameOver, player }) {
  cancelDrag(drag);
  aids.clear();
  hints.clear();
  gameOver.cancel();
  cancelAll(player);
}

/** Open the help. @param {Commanded} race */
export const openHelp = ({ app, player, aids, refusals }) =>
  after.use('help', (code) =>
    code.openHelp({ app, player, aids, lastReason: refusals.lastReason() }),
  );
