// Dialogs: questions, dialogs that scroll below their header, and menus beside the button that opens them.

import { h, listen, set } from './element.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} yes
 * @property {string} [no] omitted if there is only one answer
 * @property {boolean} [grave] whether a yes cannot be undone
 * @property {Node} [option] a further choice
 * @property {Promise<unknown>} [until] when it resolves, the answer is yes without the player
 */

/**
 * Make a dialog, which is labelled by its heading.
 * @param {HTMLElement} heading one of its descendants @param {Parameters<typeof h>[1]} props as for `h`
 * @param {...(Node | string | null | undefined | false)} children
 */
export const makeDialog = (heading, props, ...children) =>
  h('dialog', { ...props, 'aria-labelledby': heading.id }, ...children);

/** Show a dialog over the page, and remove it once it is closed. @param {HTMLDialogElement} dialog */
export function showDialog(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  // The event fires a frame after the dialog has closed. By then it may be open again.
  dialog.addEventListener('close', () => dialog.open || dialog.remove(), { once: true });
}

/**
 * Ask a question in a dialog. It replaces an open question, whose answer is then no.
 * @param {Question} question @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, option, until, grave = false }) {
  const former = document.getElementById('ask');
  if (former instanceof HTMLDialogElement) {
    if (former.open) former.close('no');
    former.remove(); // at once; its close event would do so a frame later
  }
  const heading = h('h2', { id: 'ask-title', text: title });
  const kind = { id: 'ask-yes', 'data-kind': grave ? 'grave' : 'primary' };
  const agree = h('button', { ...kind, text: yes, onclick: () => dialog.close('yes') });
  const refuse = no && h('button', { id: 'ask-no', text: no, onclick: () => dialog.close('no') });
  const buttons = h('div', { class: 'buttons' }, refuse, agree);
  const dialog = makeDialog(heading, { id: 'ask' }, heading, h('p', { text }), option, buttons);
  until?.then(() => dialog.close('yes')); // an answer without the player
  showDialog(dialog);
  return new Promise((resolve) => {
    // The Escape key closes the dialog without a value, which means no.
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
  });
}

/**
 * Open a dialog that scrolls below its header.
 * @param {string} name prefix of its ids @param {string} title
 * @param {string} done the label of the button that closes it @param {...(Node | null)} sections
 */
export function openDialog(name, title, done, ...sections) {
  const close = { id: `${name}-close`, 'data-kind': 'primary', onclick: () => dialog.close() };
  const heading = h('h2', { id: `${name}-title`, text: title });
  const dialog = makeDialog(
    heading,
    { id: `${name}-dialog`, class: 'dialog-tall', closedby: 'any' }, // `any`: also by a press beside it
    h('header', { class: 'line between' }, heading, h('button', { ...close, text: done })),
    h('div', { class: 'stack dialog-sections' }, ...sections),
  );
  showDialog(dialog);
  return dialog;
}

/** @typedef {ReturnType<typeof makeMenu>} Menu */

const EDGE_PX = 8; // the gap between a menu and its button, and its least distance from the window's edge

/**
 * Make a menu: a small dialog beside the button that opens it, and on a phone a sheet at the bottom.
 * @param {string} id @param {string} title @param {...Node} children
 */
export function makeMenu(id, title, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  const body = h('div', { class: 'stack menu-body' }, heading, ...children);
  const dialog = makeDialog(heading, { class: 'menu', id }, body);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close(); // the press was beside it, since its body covers all of it
  });
  /** Place the menu below its button, or above it where there is no room. @param {Element} button */
  function place(button) {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = dialog;
    const isBelow = bottom + EDGE_PX + height <= innerHeight - EDGE_PX;
    const y = isBelow ? bottom + EDGE_PX : top - EDGE_PX - height;
    const x = Math.min((left + right - width) / 2, innerWidth - width - EDGE_PX);
    set(dialog, { '--x': `${Math.max(EDGE_PX, x)}px`, '--y': `${Math.max(EDGE_PX, y)}px` });
  }

  return {
    dialog,
    /** Open the menu at the button that was pressed. @param {{currentTarget: EventTarget | null}} event */
    open({ currentTarget }) {
      const button = /** @type {Element} */ (currentTarget);
      dialog.showModal();
      place(button);
      const unbind = listen(window, 'resize', () => place(button));
      dialog.addEventListener('close', unbind, { once: true });
    },
  };
}
