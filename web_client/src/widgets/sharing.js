// Links and the buttons that share them, invitations, and saved files. Links need an address that
// works for others, which the server may know better than the page: for example the machine's own, not `localhost`.

import { amHost, isPractice } from '../state/state.js';
import { spoken, strings } from '../strings/language.js';
import { iconButton } from './controls.js';
import { makeDialog } from './dialogs.js';
import { endLater, h, set } from './element.js';

/** @import {RoomView} from '../contract/messages.d.ts' @import {State} from '../state/state.js' */

const COPIED_SHOWN_MS = 2_000;

/** Return whether a link works only on this computer. @param {string} link */
export function worksOnlyHere(link) {
  const { hostname } = new URL(link);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

/** Return a link to a page of this server, for sharing. Its preview is in the page's language. @param {string} path */
export function linkFor(path) {
  const base = document.querySelector('meta[name="share-base"]')?.getAttribute('content');
  const language = spoken === 'en' ? '' : `?lang=${spoken}`; // by default a preview is in English
  return `${base || location.origin}${path}${language}`;
}

/** Copy a field's text; return whether that worked. Plain HTTP has no clipboard API. @param {HTMLInputElement} field */
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

/** Make the button that copies a field's text. @param {string} id @param {HTMLInputElement} link @param {(text: string) => void} announce called if that fails */
export function copyButton(id, link, announce) {
  const button = h('button', { id, text: strings.COPY.copy });
  link.addEventListener('focus', () => link.select());
  button.addEventListener('click', async () => {
    if (!(await copy(link))) return announce(strings.COPY.selected); // the player can copy it
    button.focus({ preventScroll: true }); // `copy` may have moved the focus to the field
    set(button, { text: strings.COPY.copied });
    endLater(button, 'copied', COPIED_SHOWN_MS, () => set(button, { text: strings.COPY.copy }));
  });
  return button;
}

/** Open the system's share dialog; return false if that fails, not if the player closes it. @param {ShareData} data */
export async function share(data) {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/**
 * Make the field with a link, and the buttons that copy and share it.
 * @param {string} name prefix of the buttons' ids
 * @param {{id: string, label: string, url: string, text: () => string}} what `text` returns the text to share with it
 * @param {(text: string) => void} announce
 */
export function linkRow(name, { id, label, url, text }, announce) {
  const link = h('input', { id, readonly: true, 'aria-label': label, value: url });
  const sharing = shareButton(`${name}-hand-on`, () => ({ text: text(), url }), announce);
  const copying = copyButton(`${name}-copy`, link, announce);
  return h('div', { class: 'row field-row' }, link, copying, sharing);
}

/**
 * Make the button that shares a link through the system's dialog on a touch screen, and elsewhere copies it.
 * @param {{[name: string]: any}} looks of the button @param {() => {path: string, text: string}} content called when pressed
 * @param {(text: string) => void} announce reports that the link has been copied
 */
export function sendButton({ text: label, ...looks }, content, announce) {
  async function onclick() {
    const { path, text } = content();
    const url = linkFor(path);
    if (canShare() && (await share({ title: document.title, text, url }))) return;
    const link = h('input', { class: 'text-spoken', value: url }); // `copy` needs a field
    button.after(link);
    announce((await copy(link)) ? strings.COPY.linkCopied : url);
    link.remove();
    button.focus({ preventScroll: true });
  }
  const words = h('span', { text: label });
  const button = iconButton('share', { ...looks, class: 'line', onclick }, words);
  return button;
}

/** Return whether to use the system's share dialog: on touch screens, if the browser has one. */
const canShare = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/**
 * Make the button that shares a text and a link; null without a touch screen, or if the browser cannot share.
 * @param {string} id @param {() => {text: string, url: string}} content called when pressed
 * @param {(text: string) => void} announce called if sharing fails
 */
export function shareButton(id, content, announce) {
  if (!canShare()) return null;
  const { share: text, notShared } = strings.COPY;
  const onclick = async () => {
    if (!(await share({ title: document.title, ...content() }))) announce(notShared);
  };
  return h('button', { id, text, onclick });
}

const SAVED_MS = 60_000; // the address of a file that is being saved must exist for this long

/** Let the browser save a file. @param {File} file */
export function saveFile(file) {
  const href = URL.createObjectURL(file);
  h('a', { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}

/**
 * Make the parts of an invitation: the link, the code and the QR code, and buttons.
 * @param {Parameters<typeof bindInvitation>[0]} addComputer see `bindInvitation`
 */
function makeInvitation(addComputer) {
  const words = strings.ROOM;
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  // The dialog has its own line for news: screen readers don't reach the status line behind it.
  const note = h('p', { class: 'text-small', id: 'invite-note', role: 'status' });
  const say = (/** @type {string} */ text) => set(note, { text });
  const copying = copyButton('copy', link, say);
  const challenge = () => ({ text: strings.COPY.shareText, url: link.value });
  const sharing = shareButton('share', challenge, say);
  const code = h('p', { class: 'text-code invitation-code', id: 'room-code' });
  const picture = h('img', { class: 'invitation-qr', id: 'qr', alt: words.qr });
  const onclick = (/** @type {Event} */ event) => addComputer?.()(event); // the handler is made later
  const more = h('button', { text: words.addComputer, 'aria-haspopup': 'dialog', onclick });
  const closing = { id: 'invite-close', onclick: () => dialog.close() };
  const close = h('button', closing, strings.BUTTONS.close);
  const buttons = h('div', { class: 'buttons' }, more, sharing, close);
  const title = h('h2', { id: 'invitation-title', text: words.invite });
  const scan = h('p', { class: 'text-small', text: words.scan });
  const looks = { class: 'stack invitation', id: 'invitation', 'aria-labelledby': title.id };
  const about = h('div', { class: 'stack invitation-about' }, title, code, scan);
  const element = h('section', looks, h('div', { class: 'row centre' }, picture, about));
  const row = h('div', { class: 'field-framed invitation-link' }, link, copying);
  const isLocal = worksOnlyHere(linkFor('/'));
  const warning = { class: 'field-problem', id: 'link-warning', text: strings.ONLY_HERE };
  element.append(row, isLocal ? h('p', warning) : '', note, buttons);
  const dialog = makeDialog(title, {}, element);
  return { element, dialog, link, note, copying, sharing, code, picture, more, buttons };
}

/**
 * Bind the invitation, which opens in a dialog, or fills a panel while the player is alone.
 * @param {() => (event: {currentTarget: EventTarget | null}) => void} [addComputer] returns the handler that opens the
 *   menu of computer players, which is made later; only rooms have one
 */
export function bindInvitation(addComputer) {
  const { element, dialog, link, note, copying, sharing, code, picture, more, buttons } =
    makeInvitation(addComputer);

  /** Show a room's link. @param {RoomView} room */
  function showLink(room) {
    set(link, { value: linkFor(`/r/${room.code}`) });
    set(picture, { src: `/qr/${room.code}.svg` });
    set(code, { text: strings.grouped(room.code) });
  }

  return {
    dialog,
    showLink,
    copyLink: () => copy(link),
    /** Open the dialog. If a panel already shows the invitation, share or copy the link instead. */
    invite() {
      set(note, { text: '' });
      if (element.parentElement !== dialog) return (sharing ?? copying).click();
      dialog.showModal();
      copying.focus();
    },
    /** Update the invitation, and move it to the panel or, without one, to its dialog. @param {State} state @param {RoomView} room @param {HTMLElement | null} panel */
    update(state, room, panel) {
      showLink(room);
      more.hidden = !amHost(state) || isPractice(room);
      buttons.hidden = panel !== null;
      const place = (!isPractice(room) && panel) || dialog; // practice invites nobody
      if (element.parentElement === place) return;
      dialog.close();
      set(element, { class: panel ? 'pane invitation' : 'stack invitation' });
      place.append(element);
    },
  };
}
