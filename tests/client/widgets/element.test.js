// Writing to the page: only the differences, with few moves.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Window } from '../../../web_client/node_modules/happy-dom/lib/index.js';
import { h, keyed, set } from '../../../web_client/src/widgets/element.js';

const window = new Window();
const { document } = window;
after(() => window.happyDOM.abort());

/** Use the document of this file: tests of pages have another one. */
const useDocument = () => Object.assign(globalThis, { document });

/** Return the changes that an act makes below an element. @param {any} element @param {() => void} act */
function changes(element, act) {
  const observer = new window.MutationObserver(() => {});
  const all = { attributes: true, childList: true, characterData: true, subtree: true };
  observer.observe(element, all);
  act();
  const added = ({ addedNodes }) => Array.from(addedNodes, (node) => node.textContent).join();
  return observer.takeRecords().map((record) => record.attributeName ?? added(record));
}

test('an element is written only where it differs', () => {
  useDocument();
  const row = h('p');
  const values = { text: 'Ada', hidden: true, 'data-own': true, 'aria-label': null, '--way': 0.5 };
  set(row, values);
  assert.equal(row.outerHTML, '<p hidden="" data-own="" style="--way: 0.5;">Ada</p>');
  const written = (others) => changes(row, () => set(row, others)).join();
  assert.equal(written(values), '');
  assert.equal(written({ ...values, hidden: false, 'data-own': false }), 'hidden,data-own');
  assert.equal(row.outerHTML, '<p style="--way: 0.5;">Ada</p>');
});

/** Draw a list of letters; return those that were inserted or moved. @param {any} list @param {string} letters */
function drawn(list, letters) {
  const update = (button, letter) => set(button, { text: letter });
  const draw = () => keyed(list, [...letters], String, () => h('button'), update);
  const put = changes(list, draw).filter((text) => text !== 'data-key');
  assert.equal(list.textContent, letters);
  return put.toSorted().join('');
}

test('a list is reordered with few moves, and the focused element stays', () => {
  useDocument();
  for (const [focused, later, moved] of [
    ['', 'abcde', ''],
    ['', 'eabcd', 'e'],
    ['', 'bcdea', 'a'],
    ['', 'abde', ''], // one goes
    ['', 'abxcde', 'x'], // one is new
    ['', 'edcba', 'acde'],
    ['e', 'eabcd', 'abcd'],
    ['e', 'dcbea', 'abc'],
    ['a', 'bcdea', 'bcde'],
  ]) {
    const list = document.body.appendChild(document.createElement('div'));
    drawn(list, 'abcde');
    const button = [...list.children].find((each) => each.textContent === focused);
    button?.focus();
    assert.equal(drawn(list, later), moved, later);
    if (focused) assert.equal(document.activeElement, button);
  }
});
