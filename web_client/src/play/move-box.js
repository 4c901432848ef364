// A box for players who prefer to type their moves.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/**
 * Bind the box, in which a player types a move.
 * @param {(line: string) => boolean} enter returns whether the line was understood
 * @param {() => void} close
 */
export function bindMoveBox(enter, close) {
  const words = strings.PLAY;
  const input = h('input', {
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
  const submit = h('button', { type: 'submit', text: words.boxGo });
  const element = h('form', { class: 'move-box', hidden: true }, label, input, submit);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    if (enter(input.value)) {
      input.value = '';
      input.removeAttribute('aria-invalid');
    } else {
      input.setAttribute('aria-invalid', 'true');
      input.select();
    }
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  return {
    element,
    input,
    /** @param {boolean} on */
    show(on) {
      element.hidden = !on;
    },
  };
}
