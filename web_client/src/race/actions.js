// What a player does in a race by buttons and keys, but for the keys that move the cursor. On a desktop
// the buttons stand beside the clock, on a phone at the lower edge.

import { prefer, preference } from '../browser/storage.js';
import { nextTable, setPageState } from '../page/appearance.js';
import { after } from '../page/loads.js';

import { CLASSIC_COMMANDS, keyFor } from '../play/commands.js';
import { cancel as cancelDrag } from '../play/drag.js';

import * as acts from '../play/player.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from '../play/aids.js'
 * @import {Hints, Refusals} from '../play/answers.js'
 * @import {Command} from '../play/commands.js'
 * @import {Drag} from '../play/drag.js'
 * @import {Keyboard} from '../play/keyboard.js'
 * @import {Player} from '../play/player.js'
 * @import {bindGameOver} from './game-over.js'
 * @typedef {'exception' | 'hint' | 'undo' | 'redo' | 'remove' | 'deal' | 'finish'} Act what has a button
 * @typedef {object} Commanded the parts of a race that commands act on
 * @property {App} app
 * @property {Player} player
 * @property {Aids} aids
 * @property {Hints} hints
 * @property {Refusals} refusals
 * @property {ReturnType<typeof bindGameOver>} gameOver
 * @property {Drag} drag
 * @property {Keyboard} keyboard
 */

/** The acts that have a key too. */
const COMMANDS = /** @type {const} */ (['exception', 'hint', 'remove', 'undo', 'redo', 'deal']);

/** What the buttons do. @type {Readonly<Record<Act, (race: Commanded) => void>>} */
const ACTS = {
  exception: ({ player }) => acts.toggleException(player),
  hint: ({ hints }) => hints.request(),
  undo: ({ player }) => acts.attempt(player, { type: 'undo' }),
  redo: ({ player }) => acts.attempt(player, { type: 'redo' }),
  remove: removeAtCursor,
  deal: ({ player }) => acts.deal(player),
  finish: ({ player }) => acts.finish(player),
};

/**
 * What the commands of keys do that do not concern the cursor; `key` is what the key writes.
 * @type {Readonly<Partial<Record<Command, (race: Commanded, key: string) => void>>>}
 */
const ACTIONS = {
  ...ACTS,
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

/** Remove the complete suit under the cursor, or else any. @param {Commanded} race */
function removeAtCursor({ player, keyboard }) {
  const pile = keyboard.cursor?.pile;
  const legal = acts.tableOf(player)?.legal ?? [];
  const isUnderCursor = legal.some((each) => each.type === 'remove' && each.from === pile);
  acts.removeSuit(player, isUnderCursor ? pile : undefined);
}

/**
 * Return the action of a command. With the keys of 1987, some come with the load after a race.
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
  const { app, player, keyboard } = race;
  return () =>
    after.use('classic key', ({ classicActions }) =>
      classicActions({ app, player, cursor: () => keyboard.cursor })[classic](),
    );
}

/** Cancel everything that the player has begun. @param {Commanded} race */
function cancel({ drag, aids, hints, gameOver, player }) {
  cancelDrag(drag);
  aids.clear();
  hints.clear();
  gameOver.cancel();
  acts.cancelAll(player);
}

/** Open the help. @param {Commanded} race */
export const openHelp = ({ app, player, aids, refusals }) =>
  after.use('help', (code) =>
    code.openHelp({ app, player, aids, lastReason: refusals.lastReason() }),
  );

/**
 * Bind the buttons.
 * @param {Player} player
 * @param {() => Commanded} race
 * @param {() => void} focusBoard after a pointer has pressed a button
 */
export function bindActions(player, race, focusBoard) {
  const words = strings.RACE;
  /** Make a button. @param {Act} name @param {Record<string, string>} [looks] */
  function button(name, looks) {
    const made = h('button', { id: name, 'data-act': name, title: words[name], ...looks });
    // Arrows replace these words where the room is short.
    if (name === 'undo' || name === 'redo')
      made.append(h('span', { class: 'race-act-word', text: words[name] }));
    // There is no room for another word, so this button has an icon.
    else if (name !== 'hint') made.append(words[name]);
    made.addEventListener('click', ({ detail }) => {
      ACTS[name](race());
      const hasPointer = detail > 0;
      if (hasPointer) focusBoard();
    });
    return made;
  }
  const buttons = {
    exception: button('exception'),
    hint: button('hint', { class: 'icon', 'aria-label': words.hint }),
    undo: button('undo', { class: 'icon race-act' }),
    redo: button('redo', { class: 'icon race-act' }),
    remove: button('remove'),
    deal: button('deal', { 'data-kind': 'primary' }),
    finish: button('finish', { 'data-kind': 'primary' }),
  };
  const { exception, hint, undo, redo, remove, deal, finish } = buttons;
  // Of the buttons in one place, one is shown at a time.
  const redoOrRemove = h('span', { class: 'actions-turns', 'data-turns': 'redo' }, redo, remove);
  const element = h(
    'nav',
    { class: 'actions', id: 'race-actions', 'aria-label': words.acts },
    ...[exception, hint, undo, redoOrRemove],
    h('span', { class: 'actions-turns', 'data-turns': 'deal' }, deal, finish),
  );

  /** Draw the buttons by the acts that are legal, and that the game and the room allow. */
  function draw() {
    const { room, play } = player.app.state();
    const table = acts.tableOf(player);
    const legal = new Set(table?.legal.map(({ type }) => type));
    const hasUndo = room?.settings.undo !== 'off';
    const hasColumns = play?.shown.piles.some(({ fan }) => fan === 'down') ?? false;
    const hasRemove = hasColumns && !room?.settings.auto_remove;
    set(exception, {
      hidden: acts.levelOf(player) !== 'hard',
      'aria-pressed': String(player.exception),
    });
    set(hint, { hidden: room?.settings.hints !== true });
    set(undo, { hidden: !hasUndo });
    const canRemove = legal.has('remove');
    set(redo, { hidden: !hasUndo || canRemove, 'data-absent': !hasUndo });
    set(remove, { hidden: !canRemove, 'data-absent': !hasRemove });
    set(redoOrRemove, { hidden: !hasUndo && !hasRemove });
    // A game that can be finished has nothing to deal.
    set(finish, { hidden: !legal.has('finish') });
    const dealt = player.awaited === 'deal' ? words.dealSure : words.deal;
    set(deal, { hidden: legal.has('finish'), text: dealt });
    for (const each of [exception, hint, undo, redo, deal]) set(each, { disabled: table === null });
    // An illegal act looks faint, but can be tried: the server gives the reason.
    for (const each of /** @type {const} */ (['undo', 'redo', 'deal']))
      set(buttons[each], { 'data-faint': !legal.has(each) });
    for (const each of COMMANDS) {
      const key = keyFor(each, preference('keys'), preference('letterKeys'));
      set(buttons[each], { title: key ? `${words[each]} (${key})` : words[each] });
    }
    const shown = [exception, hint, remove].filter((each) => !each.hidden).map(({ id }) => id);
    setPageState('acts', [...shown, ...(hasRemove ? ['removes'] : [])].join(' '));
  }

  return {
    element,
    update() {
      const { activeElement } = document;
      draw();
      // A focused button that is hidden or disabled would lose the focus.
      const isOfNav = activeElement instanceof HTMLButtonElement && element.contains(activeElement);
      if (isOfNav && (activeElement.hidden || activeElement.disabled)) focusBoard();
    },
  };
}
