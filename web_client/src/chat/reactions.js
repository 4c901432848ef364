// Reactions: the emotes of the chat as signs, which one tap in the race sends. Where they have no room
// beside the button of the chat, a button of their own opens them.

import { strings } from '../strings/language.js';
import { h, listen } from '../widgets/element.js';
import { reactionSign, SIGNS } from './reaction-signs.js';

/** @import {Emote} from './reaction-signs.js' */

/** Make the reactions. @param {(emote: Emote) => void} react sends one */
export function makeReactions(react) {
  const open = h('button', { class: 'chat-react', id: 'react', 'aria-controls': 'reactions' });
  open.append(reactionSign('wow') ?? '');
  const signs = h('div', { class: 'chat-signs', id: 'reactions', role: 'group' });
  const buttons = /** @type {Emote[]} */ (Object.keys(SIGNS)).map((emote) => {
    const button = h('button', { 'data-reaction': emote, onclick: press });
    button.append(reactionSign(emote) ?? '');
    return button;
  });
  signs.append(...buttons);
  open.addEventListener('click', () => {
    show(!signs.hasAttribute('data-open'));
    if (signs.hasAttribute('data-open')) buttons[0]?.focus();
  });
  listen(signs, 'keydown', (event) => {
    if (event.key !== 'Escape' || !signs.hasAttribute('data-open')) return;
    event.stopPropagation();
    show(false);
    open.focus();
  });
  listen(document, 'pointerdown', ({ target }) => {
    if (!signs.contains(target) && !open.contains(target)) show(false);
  });
  show(false);

  /** Open or close the reactions, where they have a button. @param {boolean} isOpen */
  function show(isOpen) {
    signs.toggleAttribute('data-open', isOpen);
    open.setAttribute('aria-expanded', String(isOpen));
  }

  /** Send a reaction; after a pointer's press the keys go to the board again. @param {PointerEvent} event */
  function press({ currentTarget, detail }) {
    const { reaction } = /** @type {HTMLElement} */ (currentTarget).dataset;
    react(/** @type {Emote} */ (reaction));
    const wasOpen = signs.hasAttribute('data-open');
    show(false);
    if (detail > 0) document.getElementById('board')?.focus({ preventScroll: true });
    else if (wasOpen) open.focus();
  }

  return {
    open,
    signs,
    /** Write all sentences in the language of the page. */
    setWords() {
      const words = strings.CHAT;
      open.title = words.emotes;
      open.setAttribute('aria-label', words.emotes);
      signs.setAttribute('aria-label', words.emotes);
      for (const button of buttons) {
        const text = words.emoteWords[/** @type {Emote} */ (button.dataset.reaction)];
        button.title = text;
        button.setAttribute('aria-label', text);
      }
    },
  };
}
