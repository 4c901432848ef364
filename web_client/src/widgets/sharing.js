// Links for other people, with their buttons, and saved files. The server may know a better base for links than the
// page: its public address, or the machine's own address in place of `localhost`.

import { spoken, strings } from '../strings/language.js';
import { iconButton } from './controls.js';
import { endLater, h, set } from './element.js';

/** A button says for this time that the link is copied. */
const SHOWN_MS = 2_000;

/** Return whether a link works only on this computer. @param {string} link */
export function worksOnlyHere(link) {
  const { hostname } = new URL(link);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

/** Return a link for other people to a page of this server; its preview speaks the language of the page. @param {string} path */
export function linkFor(path) {
  const base = document.querySelector('meta[name="share-base"]')?.getAttribute('content');
  const language = spoken === 'en' ? '' : `?lang=${spoken}`; // by default a preview is in English
  return `${base || location.origin}${path}${language}`;
}

/** Make the warning beside a link, unless other computers can use the link. */
export const linkWarning = () =>
  worksOnlyHere(linkFor('/')) &&
  h('p', { class: 'field-problem', id: 'link-warning', text: strings.ONLY_HERE });

/** Copy the text of a field; return whether it worked. Pages of plain HTTP have no clipboard API. @param {HTMLInputElement} field */
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

/** Open the system's dialog for sharing; return false if it fails, but true if the player closes it. @param {ShareData} data */
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
 * @param {string} name prefix of the ids
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

/** Make the button that shares a link by the system's dialog on a touch screen, or else copies it. @param {{[name: string]: any}} looks @param {() => {path: string, text: string}} what @param {(text: string) => void} announce */
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

/** Make the button that shares a text and a link; null without a touch screen, or if the browser cannot share. @param {string} id @param {() => {text: string, url: string}} what @param {(text: string) => void} announce */
export function shareButton(id, what, announce) {
  if (!canShare()) return null;
  const { share: text, notShared } = strings.COPY;
  const button = h('button', { id, text });
  button.addEventListener('click', async () => {
    if (!(await share({ title: document.title, ...what() }))) announce(notShared);
  });
  return button;
}

/** A saved file needs its address for this time. */
const SAVED_MS = 60_000;

/** Save a file. @param {File} file */
export function saveFile(file) {
  const href = URL.createObjectURL(file);
  h('a', { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}
