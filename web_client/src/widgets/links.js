// Links for other people, with their buttons, and the warning if a link works on this computer only. The
// server names a better base than that of the page where it knows one: the public address, or the
// machine's own one in place of `localhost`.

import { spoken, strings } from '../strings/language.js';
import { h, write } from './element.js';

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
  const language = spoken === 'en' ? '' : `?lang=${spoken}`;
  return `${base || location.origin}${path}${language}`;
}

/** Make the warning beside a link; it is empty if other computers can use the link. */
export function linkWarning() {
  const isLocal = worksOnlyHere(linkFor('/'));
  return h('p', {
    class: 'text-warning',
    hidden: !isLocal,
    text: isLocal ? strings.ONLY_HERE : '',
  });
}

/** Copy the text of a field; pages of plain HTTP have no clipboard API. @param {HTMLInputElement} field */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    field.setSelectionRange(0, field.value.length); // on phones `select` selects nothing
    try {
      return document.execCommand('copy');
    } catch {
      return false;
    }
  }
}

/** Make the button that copies. @param {string} id @param {HTMLInputElement} link @param {(text: string) => void} announce */
export function copyButton(id, link, announce) {
  const button = h('button', { id, text: strings.COPY.copy });
  link.addEventListener('focus', () => link.select());
  button.addEventListener('click', async () => {
    if (await copy(link)) {
      button.focus({ preventScroll: true });
      write(button, strings.COPY.copied);
      setTimeout(() => write(button, strings.COPY.copy), SHOWN_MS);
    } else {
      announce(strings.COPY.selected); // the player can copy the selected link
    }
  });
  return button;
}

/**
 * Make the button that shares; null without a touch screen or if the browser cannot share.
 * @param {string} id
 * @param {HTMLInputElement} link
 * @returns {HTMLButtonElement | null}
 */
export function shareButton(id, link) {
  if (!navigator.share || !matchMedia('(pointer: coarse)').matches) return null;
  return h('button', {
    id,
    text: strings.COPY.share,
    onclick: () =>
      navigator
        .share({ title: document.title, text: strings.COPY.shareText, url: link.value })
        .catch(() => {}),
  });
}
