// The head of a room's pages: the button that leaves, and at a kept table the tabs of its two views and the menu
// button. The code of the menu is loaded later. Two helpers are for the bar at the foot: they keep its buttons below
// the pointer while they are pressed, and give its height to style sheets.

import { amHost, isPractice } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';

/** @import {App} from '../page/app.d.ts' @import {State} from '../state/state.js' */

/** Return whether this player may make the room a kept table, which stays for weeks. @param {State} state */
const mayKeep = (state) =>
  amHost(state) && state.room !== null && !state.room.kept && !isPractice(state.room);

/** Bind the button that makes a room a kept table. @param {App} app */
export function bindKeeping(app) {
  const text = strings.TABLE.keep;
  const onclick = () => app.send({ type: 'keep', name: '', kept: true });
  const element = h('button', { id: 'keep', 'data-size': 'small', text, onclick });
  return {
    element,
    update: (/** @type {State} */ state) => set(element, { hidden: !mayKeep(state) }),
  };
}

/** @param {() => void} onclick @param {boolean} [isShort] whether phones show just an arrow */
export function leaveButton(onclick, isShort) {
  const { leave } = strings.BUTTONS;
  const looks = { class: 'line room-leave', 'data-short': isShort, 'data-kind': 'quiet' };
  const named = { id: 'leave', 'aria-label': leave };
  return iconButton('back', { ...looks, ...named, onclick }, h('span', { text: leave }));
}

let shownCode = ''; // the last code for another device: once shown, no screen shows it again

/** Bind a kept table's tabs and menu button. @param {App} app @param {'room' | 'table'} view the tab that is open */
export function bindTableHead(app, view) {
  const words = strings.TABLE;
  /** @param {'room' | 'table'} name @param {string} text */
  const makeTab = (name, text) => {
    const looks = { class: 'text-cut', id: `view-${name}`, text };
    const onclick = () => name !== view && app.showTable(name === 'table');
    return h('button', { ...looks, 'aria-current': name === view && 'page', onclick });
  };
  const [room, table] = [makeTab('room', ''), makeTab('table', words.VIEWS.standings)];
  const views = h('nav', { class: 'line table-views', 'aria-label': words.views }, room, table);
  const looks = { class: 'top-icon', id: 'table-menu', 'data-kind': 'quiet', text: '⋯' };
  const opens = { title: words.menu, 'aria-label': words.menu, 'aria-haspopup': 'dialog' };
  const menu = h('button', { ...looks, ...opens, onclick: app.openTableMenu });
  return {
    views,
    menu,
    /** Show the tabs and the menu if the room has them. Open a dialog for any new code that moves the seat elsewhere. @param {State} state */
    update(state) {
      const isKept = Boolean(state.room?.kept);
      views.hidden = !isKept;
      // Before a race, the host can keep the room from the menu; the results have their own button for that.
      menu.hidden = !isKept && (state.room?.state !== 'LOBBY' || !mayKeep(state));
      set(room, { text: words.VIEWS[state.room?.state === 'FINISHED' ? 'result' : 'table'] });
      if (!state.carried || state.carried.code === shownCode) return;
      shownCode = state.carried.code;
      app.showCarry();
    },
    /** Close the dialogs, since a race starts or the seat has moved to another device. */
    unbind() {
      const opened = document.querySelectorAll('#table-actions, #members-dialog, #carry-dialog');
      for (const each of /** @type {NodeListOf<HTMLDialogElement>} */ (opened)) each.close();
    },
  };
}

/**
 * How long a press still counts after each event. A menu that opens can swallow the end of a press, so its start only
 * counts for some time. The click of a finger can come late, so the end counts a little longer.
 */
const PRESS_MS = { pointerdown: 1_000, pointerup: 50, pointercancel: 50 };

/**
 * Return a function that calls `draw`, but waits until the element is no longer pressed. Otherwise drawing could move
 * the pressed button away from the pointer, and the click would miss it.
 * @param {HTMLElement} element @param {() => void} draw @returns {() => void}
 */
export function makeSteadyDraw(element, draw) {
  let timer = 0; // runs until the press is over
  let isWaiting = false; // whether to draw after the press
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
 * Give style sheets the height of the bar at the foot, so that they can keep the status line and the chat above it.
 * @param {HTMLElement} bar @returns {() => void} the unbinder
 */
export function shareHeight(bar) {
  const { style } = document.documentElement;
  const share = () => style.setProperty('--next-bar', `${bar.offsetHeight}px`);
  const watcher = new ResizeObserver(share);
  watcher.observe(bar);
  return () => {
    watcher.disconnect();
    style.removeProperty('--next-bar');
  };
}
