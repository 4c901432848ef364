// The buttons of a link: one copies it, one opens the system's own dialog for sharing.

import { strings } from '../strings/language.js';
import { h, write } from './element.js';

const SHOWN_MS = 2_000;

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
