// The head of a room's pages: the way out, and at a kept table the two views and the menu button; the menu itself
// comes with the load after a race. Also the bar at their foot: its buttons stay below the pointer while they are
// pressed, and style sheets know its height.

import { amHost, isPractice } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';

/** @import {App} from '../page/app.d.ts' @import {State} from '../state/state.js' */

/** Return whether this player may keep the room, if it is not kept already. @param {State} state */
const mayKeep = (state) =>
  amHost(state) && state.room !== null && !state.room.kept && !isPractice(state.room);

/** Bind the button that keeps a room as a table. @param {App} app @param {() => void} [pressed] called at a press */
export function bindKeeping(app, pressed) {
  const text = strings.TABLE.keep;
  function onclick() {
    pressed?.();
    app.send({ type: 'keep', name: '', kept: true });
  }
  const element = h('button', { id: 'keep', 'data-size': 'small', text, onclick });
  return {
    element,
    update: (/** @type {State} */ state) => set(element, { hidden: !mayKeep(state) }),
  };
}

/** Make the button that leaves. @param {() => void} onclick @param {boolean} [isShort] whether it is only an arrow on phones */
export function leaveButton(onclick, isShort) {
  const { leave } = strings.BUTTONS;
  const looks = { class: 'line room-leave', 'data-short': isShort, 'data-kind': 'quiet' };
  const named = { id: 'leave', 'aria-label': leave };
  return iconButton('back', { ...looks, ...named, onclick }, h('span', { text: leave }));
}

let shownCode = ''; // the latest code of a seat: another screen does not show it again

/** Bind a kept table's head: the tabs of its two views, and its menu button. @param {App} app @param {'room' | 'table'} view that is shown */
export function bindTableHead(app, view) {
  const words = strings.TABLE;
  /** @param {'room' | 'table'} name @param {string} text */
  const makeView = (name, text) => {
    const looks = { class: 'text-cut', id: `view-${name}`, text };
    const onclick = () => name !== view && app.showTable(name === 'table');
    return h('button', { ...looks, 'aria-current': name === view && 'page', onclick });
  };
  const [room, table] = [makeView('room', ''), makeView('table', words.VIEWS.standings)];
  const views = h('nav', { class: 'line table-views', 'aria-label': words.views }, room, table);
  const looks = { class: 'top-icon', id: 'table-menu', 'data-kind': 'quiet', text: '⋯' };
  const opens = { title: words.menu, 'aria-label': words.menu, 'aria-haspopup': 'dialog' };
  const menu = h('button', { ...looks, ...opens, onclick: app.openTableMenu });
  return {
    views,
    menu,
    /** Show a kept table's tabs and menu, and the dialog with a new code for another device. @param {State} state */
    update(state) {
      const isKept = Boolean(state.room?.kept);
      views.hidden = !isKept;
      menu.hidden = !isKept && (state.room?.state !== 'LOBBY' || !mayKeep(state)); // the results have a button
      set(room, { text: words.VIEWS[state.room?.state === 'FINISHED' ? 'result' : 'table'] });
      if (!state.carried || state.carried.code === shownCode) return;
      shownCode = state.carried.code;
      app.showCarry();
    },
    /** Close the dialogs: a race starts, or the seat has moved to another device. */
    unbind() {
      const opened = document.querySelectorAll('#table-actions, #members-dialog, #carry-dialog');
      for (const each of /** @type {NodeListOf<HTMLDialogElement>} */ (opened)) each.close();
    },
  };
}

/**
 * When a press counts as ended: a menu that opens can swallow its end, and the event of a finger's click can come a
 * little after the finger has left.
 */
const PRESS_MS = { pointerdown: 1_000, pointerup: 50, pointercancel: 50 };

/**
 * Make a function that draws at once, or after the press while an element is pressed. A drawing could move the
 * pressed button away from the pointer, and the click would miss it.
 * @param {HTMLElement} element @param {() => void} draw @returns {() => void}
 */
export function makeSteadyDraw(element, draw) {
  let timer = 0; // runs until the press has ended
  let isWaiting = false;
  function release() {
    timer = 0;
    if (isWaiting) draw();
    isWaiting = false;
  }
  for (const [type, ms] of Object.entries(PRESS_MS))
    element.addEventListener(type, () => {
      clearTimeout(timer);
      timer = setTimeout(release, ms);
    });
  return () => {
    if (timer) isWaiting = true;
    else draw();
  };
}

/**
 * Tell style sheets the height of the bar at the foot, which depends on its words. The status line and the chat stand
 * above it.
 * @param {HTMLElement} bar
 * @returns {() => void} the unbinder
 */
export function shareHeight(bar) {
  const { style } = document.documentElement;
  const watcher = new ResizeObserver(() =>
    style.setProperty('--next-bar', `${bar.offsetHeight}px`),
  );
  watcher.observe(bar);
  return () => {
    watcher.disconnect();
    style.removeProperty('--next-bar');
  };
}
