// What is written to the page: only what differs, with the fewest moves.

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
  return observer
    .takeRecords()
    .map(({ type, attributeName, addedNodes }) =>
      type === 'childList' ? [...addedNodes].map((node) => node.textContent).join() : attributeName,
    );
}

test('an element is written only where it differs', () => {
  useDocument();
  const row = h('p');
  const values = { text: 'Ada', hidden: true, 'data-own': true, 'aria-label': null, '--way': 0.5 };
  set(row, values);
  assert.equal(row.outerHTML, '<p hidden="" data-own="" style="--way: 0.5;">Ada</p>');
  assert.deepEqual(
    changes(row, () => set(row, values)),
    [],
  );
  const others = { ...values, hidden: false, 'data-own': false };
  assert.deepEqual(
    changes(row, () => set(row, others)),
    ['hidden', 'data-own'],
  );
  assert.equal(row.outerHTML, '<p style="--way: 0.5;">Ada</p>');
});

/** Draw a list of letters; return which were put into it. @param {any} list @param {string} letters */
const drawn = (list, letters) =>
  changes(list, () =>
    keyed(
      list,
      [...letters],
      (letter) => letter,
      () => h('button'),
      (button, letter) => set(button, { text: letter }),
    ),
  )
    .filter((text) => text !== 'data-key' && text !== '')
    .join('');

const CASES = [
  ['abcde', '', 'the same'],
  ['eabcd', 'e', 'the last comes first'],
  ['bcdea', 'a', 'the first comes last'],
  ['abde', '', 'one goes'],
  ['abxcde', 'x', 'one is new'],
  ['edcba', 'bcde', 'all are turned'],
];
for (const [later, moved, name] of CASES)
  test(`a list is put into another order by the fewest moves: ${name}`, () => {
    useDocument();
    const list = document.body.appendChild(document.createElement('div'));
    drawn(list, 'abcde');
    assert.deepEqual([...drawn(list, later)].toSorted().join(''), moved);
    assert.equal(list.textContent, later);
  });

test('what has the focus is never moved', () => {
  useDocument();
  const list = document.body.appendChild(document.createElement('div'));
  drawn(list, 'abcde');
  for (const [focused, letters] of [
    ['e', 'eabcd'],
    ['e', 'dcbea'],
    ['a', 'bcdea'],
  ]) {
    const button = [...list.children].find((each) => each.textContent === focused);
    button.focus();
    const moved = drawn(list, letters);
    assert.equal(list.textContent, letters);
    assert.ok(!moved.includes(focused), moved);
    assert.equal(document.activeElement, button);
  }
});
