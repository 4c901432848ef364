// A button that copies the link beside it.

import { strings } from '../core/language.js';
import { h, write } from './element.js';

const SHOWN_MS = 2_000;

/**
 * Make the button.
 *
 * @param {string} id
 * @param {HTMLInputElement} link
 * @param {(text: string) => void} announce
 */
export function copyButton(id, link, announce) {
  const button = h('button', { id, type: 'button', text: strings.COPY.copy });
  link.addEventListener('focus', () => link.select());
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(link.value);
      write(button, strings.COPY.copied);
      setTimeout(() => write(button, strings.COPY.copy), SHOWN_MS);
    } catch {
      // On plain HTTP there is no clipboard: the selected text can be copied by hand.
      link.focus();
      link.select();
      announce(strings.COPY.selected);
    }
  });
  return button;
}
