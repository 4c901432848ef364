// What the pages of a room before and after a race share: steady drawing, tables, dialogs, menus, and the links
// for other people.

import { spoken, strings } from '../strings/language.js';
import { endLater, h, listen, set } from './element.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @typedef {ReturnType<typeof makeMenu>} Menu
 */

/**
 * Make a button with a picture before its words, or instead of them.
 * @param {string} icon its name in the sheet
 * @param {Parameters<typeof h>[1] & {label?: string}} props as for `h`; `label` is what the picture says
 * @param {...(Node | string)} children
 */
export function iconButton(icon, { class: more, label, ...props }, ...children) {
  const looks = { class: more ? `icon ${more}` : 'icon', '--icon': `var(--icon-${icon})` };
  const said = label === undefined ? {} : { title: label, 'aria-label': label };
  return h('button', { ...looks, ...said, ...props }, ...children);
}

/** Make a check box with a label. @param {string} id @param {string} text @param {() => void} [onchange] */
export function checkBox(id, text, onchange) {
  const field = h('input', { id, type: 'checkbox', onchange });
  return { field, label: h('label', { class: 'field-check line' }, field, h('span', { text })) };
}

/** Make the way out at the head of the lobby and of the results; a short one is an arrow on phones. @param {() => void} onclick @param {boolean} [isShort] */
export function leaveButton(onclick, isShort) {
  const { leave } = strings.BUTTONS;
  const name = { class: 'line room-leave', id: 'leave', 'aria-label': leave };
  const looks = { ...name, 'data-short': isShort, 'data-kind': 'quiet' };
  return iconButton('back', { ...looks, onclick }, h('span', { text: leave }));
}

/** Write items with dots between them. No line starts or ends with a dot: each is the background of a space. @param {Element} element @param {string} text */
export function writeItems(element, text) {
  if (element.textContent === text) return;
  const nodes = text.split(/(\s·) /).map((each, i) => {
    if (i % 2 === 0) return h('span', { text: each });
    return h('i', { class: 'text-dot' }, h('span', { class: 'text-spoken', text: each }), ' ');
  });
  element.replaceChildren(...nodes);
}

/** Return the name of a kept table, or of the table of its host. @param {Pick<RoomView, 'kept' | 'seats' | 'host'>} room */
export const nameOfTable = ({ kept, seats, host }) =>
  kept?.name || strings.tableOf(seats.find(({ seat }) => seat === host)?.name);

/** Make the head of a table. @param {readonly string[]} headings */
export const tableHead = (headings) =>
  h('thead', {}, h('tr', {}, ...headings.map((text) => h('th', { scope: 'col', text }))));

/** Make a row of a table, which begins with its heading. @param {readonly (string | number | null | undefined)[]} texts */
export const tableRow = ([heading, ...others]) =>
  h('tr', {}, h('th', { scope: 'row', text: heading }), ...others.map((text) => h('td', { text })));

/** The time until a saved file no longer needs its address. */
const SAVED_MS = 60_000;

/** Save a file. @param {File} file */
export function saveFile(file) {
  const href = URL.createObjectURL(file);
  h('a', { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}

/**
 * The time after which a press counts as ended: a menu that opens can swallow its end, and the event of a
 * finger's click can come a little after the finger has left.
 */
const PRESS_MS = { pointerdown: 1_000, pointerup: 50, pointercancel: 50 };

/**
 * Make a function that draws at once or, while an element is pressed, after the press: the drawing could
 * move the pressed button from below the pointer, and the click would miss it.
 * @param {HTMLElement} element
 * @param {() => void} draw
 * @returns {() => void}
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
 * Let sheets know the height of the bar at the foot, which depends on its words. The status line and the
 * chat stand above it.
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

/**
 * Open a dialog that scrolls below its header. A closed one is removed from the page.
 * @param {string} name prefix of its ids
 * @param {string} title
 * @param {string} done the words of the button that closes it
 * @param {...(Node | null)} sections
 */
export function openDialog(name, title, done, ...sections) {
  const close = { id: `${name}-close`, 'data-kind': 'primary', onclick: () => dialog.close() };
  const heading = h('h2', { id: `${name}-title`, text: title });
  const dialog = h(
    'dialog',
    { id: `${name}-dialog`, class: 'dialog-tall', 'aria-labelledby': heading.id },
    h('header', { class: 'line between' }, heading, h('button', { ...close, text: done })),
    h('div', { class: 'stack dialog-sections' }, ...sections),
  );
  set(dialog, { closedby: 'any' }); // also by a press beside it
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The least space between a menu and the edge of the window, in px. */
const EDGE_PX = 8;

/**
 * Make a menu: a small dialog beside the button that opens it, and on a phone a sheet at the foot.
 * @param {string} id
 * @param {string} title
 * @param {...Node} children
 */
export function makeMenu(id, title, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  const body = h('div', { class: 'stack menu-body' }, heading, ...children);
  const dialog = h('dialog', { class: 'menu', id, 'aria-labelledby': heading.id }, body);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close(); // a press beside it: its body covers it whole
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

/** Make the line about fairness, which unfolds to its explanation. */
export function fairLine() {
  const { title, about } = strings.FAIR;
  const lines = about.map((text) => h('p', { text }));
  return h('details', { class: 'help-fair text-small' }, h('summary', { text: title }), ...lines);
}

// Links for other people, with their buttons, and the warning if a link works on this computer only. The
// server names a better base than that of the page where it knows one: the public address, or the
// machine's own one in place of `localhost`.

/** The time for which a button says that the link is copied. */
const SHOWN_MS = 2_000;

/** Return whether a link works only on the computer that it was made on. @param {string} link */
export function worksOnlyHere(link) {
  const { hostname } = new URL(link);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

/** Return a link for other people to a page of this server; its preview speaks the language of the page. @param {string} path */
export function linkFor(path) {
  const base = document.querySelector('meta[name="share-base"]')?.getAttribute('content');
  const language = spoken === 'en' ? '' : `?lang=${spoken}`; // without one a preview is in English
  return `${base || location.origin}${path}${language}`;
}

/** Make the warning beside a link, unless other computers can use the link. */
export const linkWarning = () =>
  worksOnlyHere(linkFor('/')) &&
  h('p', { class: 'field-problem', id: 'link-warning', text: strings.ONLY_HERE });

/** Copy the text of a field, and return whether that went well; pages of plain HTTP have no clipboard API. @param {HTMLInputElement} field */
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    field.setSelectionRange(0, field.value.length); // on phones `select` selects nothing
    return document.execCommand('copy');
  }
}

/** Make the button that copies. @param {string} id @param {HTMLInputElement} link @param {(text: string) => void} announce */
export function copyButton(id, link, announce) {
  const button = h('button', { id, text: strings.COPY.copy });
  link.addEventListener('focus', () => link.select());
  button.addEventListener('click', async () => {
    if (await copy(link)) {
      button.focus({ preventScroll: true }); // `copy` can have moved the focus to the field
      set(button, { text: strings.COPY.copied });
      endLater(button, 'copied', SHOWN_MS, () => set(button, { text: strings.COPY.copy }));
    } else {
      announce(strings.COPY.selected); // the player can copy the selected link
    }
  });
  return button;
}

/** Open the system's dialog for sharing; return false if that fails, and not if the player closes it. @param {ShareData} data */
export async function share(data) {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/**
 * Make the field with a link, the button that copies it, and the one that shares it.
 * @param {string} name prefix of their ids
 * @param {{id: string, label: string, url: string, text: () => string}} what `text` goes with it
 * @param {(text: string) => void} announce
 */
export function linkRow(name, { id, label, url, text }, announce) {
  const link = h('input', { id, readonly: true, 'aria-label': label, value: url });
  const hand = shareButton(`${name}-hand-on`, () => ({ text: text(), url }), announce);
  return h(
    'div',
    { class: 'row field-row' },
    link,
    copyButton(`${name}-copy`, link, announce),
    hand,
  );
}

/** Make the button that hands a link on: by the system's dialog on a touch screen, else by the clipboard. @param {{[name: string]: any}} looks @param {() => {path: string, text: string}} what @param {(text: string) => void} announce */
export function sendButton({ text: label, ...looks }, what, announce) {
  async function onclick() {
    const { path, text } = what();
    const url = linkFor(path);
    if (canShare() && (await share({ title: document.title, text, url }))) return;
    const link = h('input', { class: 'text-spoken', value: url });
    button.after(link);
    announce((await copy(link)) ? strings.COPY.linkCopied : url);
    link.remove();
    button.focus({ preventScroll: true });
  }
  const words = h('span', { text: label });
  const button = iconButton('share', { ...looks, class: 'line', onclick }, words);
  return button;
}

/** Return whether to use the system's dialog for sharing. */
const canShare = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/** Make the button that shares a text and a link; null without a touch screen, or if the browser can't. @param {string} id @param {() => {text: string, url: string}} what @param {(text: string) => void} announce */
export function shareButton(id, what, announce) {
  if (!canShare()) return null;
  const { share: text, notShared } = strings.COPY;
  const button = h('button', { id, text });
  button.addEventListener('click', async () => {
    if (!(await share({ title: document.title, ...what() }))) announce(notShared);
  });
  return button;
}
