// One dialog for all questions that are answered by yes or no.

import { h } from './element.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} yes
 * @property {string} [no] omitted where there is only one answer
 * @property {boolean} [grave] whether a yes cannot be undone
 * @property {Node} [option] a further choice
 * @property {Promise<unknown>} [until] what answers the question by yes without the player
 */

/** Answers the latest question; a second answer is ignored. @type {(yes: boolean) => void} */
let answer = () => {};

/**
 * Ask a question in a dialog. A new question replaces an open one, whose answer is then no.
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, option, until, grave = false }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('ask'));
  if (dialog.open) dialog.close('no');
  // The close event comes a frame later: by then the next question may be open.
  answer(dialog.returnValue === 'yes');
  dialog.onclose = () => {
    if (!dialog.open) answer(dialog.returnValue === 'yes');
  };
  return new Promise((resolve) => {
    answer = resolve;
    until?.then(() => answer === resolve && dialog.open && dialog.close('yes'));
    const agree = h('button', {
      id: 'ask-yes',
      'data-kind': grave ? 'grave' : 'primary',
      text: yes,
      onclick: () => dialog.close('yes'),
    });
    const refuse = no && h('button', { id: 'ask-no', text: no, onclick: () => dialog.close('no') });
    dialog.replaceChildren(
      h('h2', { id: 'ask-title', text: title }),
      h('p', { text }),
      option ?? '',
      h('div', { class: 'buttons' }, refuse, agree),
    );
    dialog.returnValue = '';
    dialog.showModal();
  });
}
