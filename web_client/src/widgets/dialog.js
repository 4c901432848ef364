// A dialog that scrolls below its own header.

import { h } from './element.js';

/**
 * Open a dialog that scrolls below its header. A closed one is removed from the page.
 * @param {string} name prefix of its ids
 * @param {string} title
 * @param {string} done the words of the button that closes it
 * @param {...(Node | null)} sections
 */
export function openDialog(name, title, done, ...sections) {
  const close = () => dialog.close();
  const dialog = h(
    'dialog',
    {
      id: `${name}-dialog`,
      class: 'dialog-tall',
      'aria-labelledby': `${name}-title`,
      closedby: 'any', // also by a press beside it
    },
    h(
      'header',
      {},
      h('h2', { id: `${name}-title`, text: title }),
      h('button', { id: `${name}-close`, 'data-kind': 'primary', text: done, onclick: close }),
    ),
    h('div', { class: 'dialog-sections' }, ...sections),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
