// What holds for all style sheets: three widths, and one meaning for each class.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../../../web_client/css/', import.meta.url);
const sheets = readdirSync(FOLDER)
  .filter((name) => !name.startsWith('cards'))
  .map((name) => ({ name, code: readFileSync(new URL(name, FOLDER), 'utf8') }));

/** The breakpoints, as base.css lists them. */
const BREAKPOINTS = [
  '(max-width: 359px)',
  '(max-width: 480px)',
  '(max-width: 699px)',
  '(min-width: 700px)',
  '(max-height: 480px) and (min-width: 560px)',
  '(max-width: 699px), (max-height: 480px) and (min-width: 560px)',
  '(max-width: 999px) and (min-height: 481px), (max-width: 559px)',
];

test('the sheets use the breakpoints of base.css, and no other width without a reason', () => {
  for (const { name, code } of sheets)
    for (const [, comment = '', query = ''] of code.matchAll(
      /(?:\/\*((?:(?!\*\/)[\s\S])*)\*\/\n)?@media ([^{]*) \{/g,
    )) {
      if (!/width|height/.test(query) || BREAKPOINTS.includes(query)) continue;
      assert.match(comment, /^ Fit: /, `${name}: ${query}`);
    }
});

test('a class is defined in one sheet', () => {
  /** @type {Map<string, string>} */
  const where = new Map();
  for (const { name, code } of sheets)
    for (const [, found = ''] of code.matchAll(/^\.([\w-]+)(?:,| \{)$/gm)) {
      assert.equal(where.get(found) ?? name, name, `.${found}`);
      where.set(found, name);
    }
  assert.ok(where.size > 100);
});
