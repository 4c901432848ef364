// Inputs of one line whose length is counted in graphemes, characters as readers count them. The
// attribute `maxlength` counts code units: an astronaut takes five, a syllable of Burmese as many.

import { h } from './element.js';

/** Browsers without a segmenter leave the cut to the server. */
const segmenter = Intl.Segmenter ? new Intl.Segmenter() : null;

/** Return the first graphemes of a text. @param {string} text @param {number} length */
export function firstGraphemes(text, length) {
  if (!segmenter || text.length <= length) return text;
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === length) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/**
 * Make an input of at most `length` graphemes.
 * @param {number} length
 * @param {Parameters<typeof h>[1]} props as for `h`
 */
export function lineInput(length, props) {
  const input = h('input', props);
  input.addEventListener('beforeinput', (event) => {
    const { data } = event;
    if (event.isComposing || !data || firstGraphemes(data, 1) !== data) return;
    const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
    const typed = input.value.slice(0, start) + data + input.value.slice(end);
    // As with `maxlength`: a letter that is typed into a full line pushes no other one out.
    if (firstGraphemes(typed, length) !== typed) event.preventDefault();
  });
  const cut = () => {
    const kept = firstGraphemes(input.value, length);
    if (kept !== input.value) input.value = kept;
  };
  // While a letter is being composed, the text is the keyboard's.
  input.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) cut();
  });
  input.addEventListener('compositionend', cut);
  return input;
}
