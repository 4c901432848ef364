// The buttons of the race: on a desktop beside the clock, on a phone at the lower edge.

import { preference } from '../browser/storage.js';
import { setPageState } from '../page/page-state.js';
import { keyFor } from '../play/key-bindings.js';
import * as acts from '../play/player.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';

/**
 * @import {Player} from '../play/player.js'
 * @typedef {{undo: boolean, hints: boolean, remove: boolean}} Allowed the acts that the game and the
 *   room allow
 */

/** Make the place of buttons of which one is shown at a time. @param {string} name @param {...HTMLElement} buttons */
const sharedPlace = (name, ...buttons) =>
  h('span', { class: 'actions-turns', 'data-turns': name }, ...buttons);

/**
 * Bind the buttons.
 * @param {Player} player
 * @param {() => void} requestHint
 * @param {() => void} focusBoard after a pointer has pressed a button
 */
export function bindActions(player, requestHint, focusBoard) {
  const buttons = makeButtons(player, requestHint, focusBoard);
  const element = h(
    'nav',
    { class: 'actions', id: 'race-actions', 'aria-label': strings.RACE.acts },
    buttons.exception,
    buttons.hint,
    buttons.undo,
    buttons.turns,
    sharedPlace('deal', buttons.deal, buttons.finish),
  );
  return {
    element,
    /** @param {Allowed} allowed by the room */
    update(allowed) {
      const { activeElement } = document;
      draw(player, buttons, allowed);
      // A focused button that is hidden or disabled would lose the focus.
      const isOfNav = activeElement instanceof HTMLButtonElement && element.contains(activeElement);
      if (isOfNav && (activeElement.hidden || activeElement.disabled)) focusBoard();
    },
  };
}

/** Make the buttons. @param {Player} player @param {() => void} requestHint @param {() => void} focusBoard */
function makeButtons(player, requestHint, focusBoard) {
  const words = strings.RACE;
  /** Make a button. @param {string} id @param {string} text @param {() => void} act @param {{class: string}} [looks] */
  function button(id, text, act, looks) {
    const made = h('button', { ...looks, id, 'data-act': id, title: text, text });
    made.addEventListener('click', (event) => {
      act();
      const hasPointer = event.detail > 0;
      if (hasPointer) focusBoard();
    });
    return made;
  }
  const buttons = {
    exception: button('exception', words.exception, () => acts.toggleException(player)),
    hint: button('hint', words.hint, requestHint, { class: 'icon' }),
    remove: button('remove', words.remove, () => acts.removeSuit(player)),
    undo: button('undo', words.undo, () => acts.undo(player), { class: 'icon race-act' }),
    redo: button('redo', words.redo, () => acts.redo(player), {
      class: 'icon race-act',
    }),
    finish: button('finish', words.finish, () => acts.finish(player)),
    deal: button('deal', words.deal, () => acts.deal(player)),
  };
  // There is no room for another word, so this button has an icon.
  write(buttons.hint, '');
  buttons.hint.setAttribute('aria-label', words.hint);
  // Arrows replace these words where the room is short.
  for (const each of [buttons.undo, buttons.redo])
    each.replaceChildren(h('span', { class: 'race-act-word', text: each.textContent }));
  buttons.deal.dataset.kind = buttons.finish.dataset.kind = 'primary';
  return { ...buttons, turns: sharedPlace('redo', buttons.redo, buttons.remove) };
}

/** Let the titles of buttons name their keys in the set in use. @param {Record<'exception' | 'hint' | 'remove' | 'undo' | 'redo' | 'deal', HTMLElement>} buttons */
function nameKeys(buttons) {
  const words = strings.RACE;
  for (const command of /** @type {(keyof typeof buttons)[]} */ (Object.keys(buttons))) {
    const key = keyFor(command, preference('keys'), preference('letterKeys'));
    const title = key ? `${words[command]} (${key})` : words[command];
    if (buttons[command].title !== title) buttons[command].title = title;
  }
}

/**
 * Draw the buttons by the acts that are legal and allowed.
 * @param {Player} player
 * @param {ReturnType<typeof makeButtons>} buttons
 * @param {Allowed} allowed
 */
function draw(player, { exception, hint, remove, undo, redo, turns, finish, deal }, allowed) {
  const table = acts.tableOf(player);
  const isLegal = (/** @type {string} */ type) =>
    table?.legal.some((action) => action.type === type) ?? false;
  undo.hidden = redo.hidden = !allowed.undo;
  redo.toggleAttribute('data-absent', !allowed.undo);
  remove.toggleAttribute('data-absent', !allowed.remove);
  turns.hidden = !allowed.undo && !allowed.remove;
  hint.hidden = !allowed.hints;
  hint.disabled = table === null;
  exception.hidden = acts.levelOf(player) !== 'hard';
  exception.disabled = table === null;
  exception.setAttribute('aria-pressed', String(player.exception));
  nameKeys({ exception, hint, remove, undo, redo, deal });
  // An illegal act looks faint, but can be tried: the server gives the reason.
  for (const each of [undo, redo, deal]) {
    each.toggleAttribute('data-faint', !isLegal(each.id));
    each.disabled = table === null;
  }
  write(deal, player.awaited === 'deal' ? strings.RACE.dealSure : strings.RACE.deal);
  remove.hidden = !isLegal('remove');
  remove.toggleAttribute('data-glow', isLegal('remove'));
  // A game that can be finished has nothing to deal: one button replaces the other.
  finish.hidden = !isLegal('finish');
  deal.hidden = isLegal('finish');
  const shown = [exception, hint, remove].filter((each) => !each.hidden).map((each) => each.id);
  setPageState('acts', [...shown, ...(allowed.remove ? ['removes'] : [])].join(' '));
}
