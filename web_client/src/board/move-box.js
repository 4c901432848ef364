// A box for those who would rather type their moves.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';

/**
 * @param {(line: string) => boolean} enter whether it was understood
 * @param {() => void} leave back to the board
 */
export function bindMoveBox(enter, leave) {
  const words = strings.PLAY;
  const box = h('input', {
    id: 'typed',
    type: 'text',
    maxlength: 40,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  const label = h(
    'label',
    { for: 'typed' },
    h('strong', { text: words.box }),
    h('span', { text: words.boxHow }),
  );
  const go = h('button', { type: 'submit', text: words.boxGo });
  const element = h('form', { class: 'typed', id: 'typed-form', hidden: true }, label, box, go);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const understood = enter(box.value);
    if (understood) {
      box.value = '';
      box.removeAttribute('aria-invalid');
    } else {
      box.setAttribute('aria-invalid', 'true');
      box.select();
    }
  });
  box.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') leave();
  });
  return {
    element,
    box,
    /** @param {boolean} on */
    show(on) {
      element.hidden = !on;
    },
  };
}
