// One dialog for all questions with a yes and a no.

import { h } from './element.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} yes
 * @property {string} [no] omitted where there is only one answer
 * @property {boolean} [grave] whether a yes cannot be undone
 * @property {Node} [more] a further choice
 */

/** Answers the latest question; a second answer is ignored. @type {(yes: boolean) => void} */
let answer = () => {};

/**
 * Ask a question, over everything else. A new question replaces an open one, which counts as a no.
 *
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, more, grave = false }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('ask'));
  if (dialog.open) dialog.close('no');
  // The event of a close comes with the next frame: then it may be about the question before.
  answer(dialog.returnValue === 'yes');
  dialog.onclose = () => {
    if (!dialog.open) answer(dialog.returnValue === 'yes');
  };
  return new Promise((resolve) => {
    answer = resolve;
    const agree = h('button', {
      id: 'ask-yes',
      type: 'button',
      class: grave ? 'grave' : 'primary',
      text: yes,
      onclick: () => dialog.close('yes'),
    });
    const refuse =
      no &&
      h('button', { id: 'ask-no', type: 'button', text: no, onclick: () => dialog.close('no') });
    dialog.replaceChildren(
      h('h2', { id: 'ask-title', text: title }),
      h('p', { text }),
      more ?? '',
      h('div', { class: 'buttons' }, refuse, agree),
    );
    dialog.returnValue = '';
    dialog.showModal();
  });
}
