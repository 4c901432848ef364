// What holds for all style sheets; web_client/README.md says it in words.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';

const CLIENT = new URL('../../../web_client/', import.meta.url);

/** Return the files of a folder and of those in it. @param {string} folder @param {string} type */
const filesOf = (folder, type) =>
  readdirSync(new URL(folder, CLIENT), { recursive: true })
    .map((path) => `${folder}${path}`)
    .filter((path) => path.endsWith(type))
    .map((path) => ({ path, code: readFileSync(new URL(path, CLIENT), 'utf8') }));

const withoutComments = (/** @type {string} */ code) =>
  code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** All sheets but the drawings of cards. */
const all = filesOf('css/', '.css')
  .filter(({ path }) => !path.startsWith('css/cards'))
  .map((sheet) => ({ ...sheet, name: basename(sheet.path, '.css') }));
const bundles = all.filter(({ code }) => code.includes('@import'));
const sheets = all
  .filter((sheet) => !bundles.includes(sheet))
  .map((sheet) => ({ ...sheet, selectors: selectorsOf(sheet.code) }));

/** Return the selectors of a sheet, without those of frames. @param {string} code */
function selectorsOf(code) {
  const rules = withoutComments(code)
    .replace(/"[^"]*"/g, '""')
    .replace(/@keyframes [^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '')
    .replace(/@(?:media|supports)[^{]*\{/g, '');
  return [...rules.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
    .map((selector) => selector.replace(/\s+/g, ' ').trim());
}

/** Return the classes that a selector names. @param {string} selector */
const classesIn = (selector) =>
  [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);

/** Return the sheet whose name a class begins with; of several the one with the longest name. @param {string} name */
const sheetOf = (name) =>
  sheets
    .map((sheet) => sheet.name)
    .filter((prefix) => `${name}-`.startsWith(`${prefix}-`))
    .toSorted((a, b) => a.length - b.length)
    .at(-1);

/** The states of the page, which stand on its root and its body. */
const PAGE_STATE =
  /^(:root|body)?(:is|:not)?\(?\[data-(screen|chat|connection|acts|for-one|watching|motion|backs|keys|too-old)/;

const modules = filesOf('src/', '.js').map((module) => ({
  ...module,
  code: withoutComments(module.code),
}));
const pages = [readFileSync(new URL('index.html', CLIENT), 'utf8')];

/** The classes that modules and the page give to elements. */
const given = new Set(
  [
    ...modules.flatMap(({ code }) =>
      [...code.matchAll(/\bclass: ([^,\n]*)/g)].flatMap(([, value = '']) =>
        [...value.matchAll(/'([^']*)'/g)].map(([, names = '']) => names),
      ),
    ),
    ...pages.flatMap((page) =>
      [...page.matchAll(/class="([^"]*)"/g)].map(([, names = '']) => names),
    ),
  ].flatMap((names) => names.split(' ')),
);

/** The breakpoints, as web_client/README.md lists them. */
const BREAKPOINTS = [
  '(max-width: 359px)',
  '(max-width: 480px)',
  '(max-width: 699px)',
  '(min-width: 700px)',
  '(max-height: 480px) and (min-width: 560px)',
  '(max-width: 699px), (max-height: 480px) and (min-width: 560px)',
  '(max-width: 999px) and (min-height: 481px), (max-width: 559px)',
];

test('the sheets use the breakpoints, and no other width without a reason', () => {
  for (const { path, code } of sheets)
    for (const [, comment = '', query = ''] of code.matchAll(
      /(?:\/\*((?:(?!\*\/)[\s\S])*)\*\/\n)?@media ([^{]*) \{/g,
    )) {
      if (!/width|height/.test(query) || BREAKPOINTS.includes(query)) continue;
      assert.match(comment, /^ Fit: /, `${path}: ${query}`);
    }
});

test('each class begins with the name of a sheet, and only that sheet styles it by itself', () => {
  assert.equal(new Set(sheets.map(({ name }) => name)).size, sheets.length, 'names of sheets');
  for (const { path, name, selectors } of sheets)
    for (const selector of selectors) {
      const owners = classesIn(selector).map(sheetOf);
      assert.ok(!owners.includes(undefined), `${path}: ${selector}`);
      const isOfElements = classesIn(selector.replace(/:not\([^)]*\)/g, '')).length === 0;
      const isOwn = isOfElements || owners.includes(name) || PAGE_STATE.test(selector);
      assert.ok(isOwn, `${path}: ${selector}`);
    }
});

test('each class of a sheet is given to an element, and each given class is in a sheet', () => {
  const styled = new Set(sheets.flatMap(({ selectors }) => selectors.flatMap(classesIn)));
  assert.deepEqual(
    [...styled].filter((name) => !given.has(name)),
    [],
  );
  assert.deepEqual(
    [...given].filter((name) => !styled.has(name)),
    [],
  );
  assert.ok(styled.size > 200);
});

test('classes are written out where an element is made, and never change: states are attributes', () => {
  for (const { path, code } of modules) {
    assert.doesNotMatch(code, /classList|className|setAttribute\('class'/, path);
    for (const [, value = ''] of code.matchAll(/\bclass: ([^,\n]*)/g))
      assert.match(value, /^(\w+ \? '[^']*' : )?'[^']*'( \}.*)?$/, path);
  }
});

test('no selector names an id', () => {
  for (const { path, selectors } of sheets)
    for (const selector of selectors) assert.doesNotMatch(selector, /#/, path);
});

test('a bundle is the list of the sheets in the folder of its name', () => {
  const listed = bundles.flatMap(({ path, name, code }) => {
    const imports = [...code.matchAll(/^@import "\.\/([^"]+)";$/gm)].map(([, each = '']) => each);
    assert.equal(withoutComments(code).trim().split('\n').length, imports.length, path);
    for (const each of imports) assert.match(each, new RegExp(`^${name}/[^/]+$`), path);
    return imports;
  });
  const inFolders = sheets
    .map(({ path }) => path.slice('css/'.length))
    .filter((path) => path.includes('/'));
  assert.deepEqual(listed.toSorted(), inFolders.toSorted());
});

/** Signs on cards, whose size depends on the cards, and effects that fill the page. */
const OF_THEIR_OWN_SIZE = [
  'board/face-down',
  'board/fold',
  'room/countdown',
  'race/start-beat',
  'race/last-seconds',
];

test('text has one of five sizes, or that of the text around it', () => {
  const scale =
    /^(min\()?var\(--size-[1-5]\)(, [\d.]+vw\))?$|^[\d.]+em$|^inherit$|^calc\(var\(--card/;
  const used = new Set();
  for (const { path, code } of sheets) {
    if (OF_THEIR_OWN_SIZE.some((name) => path === `css/${name}.css`)) continue;
    for (const [, size = ''] of withoutComments(code).matchAll(/font-size: ([^;]+);/g)) {
      assert.match(size, scale, path);
      used.add(/--size-\d/.exec(size)?.[0]);
    }
    for (const [, font = ''] of withoutComments(code).matchAll(/\bfont: ([^;]+);/g))
      assert.match(font, /var\(--size-|16px|inherit/, path);
  }
  used.delete(undefined);
  assert.ok(used.size >= 4);
});

test('a figure that changes while it is seen keeps its width', () => {
  const changing = [
    'race/header',
    'race/standings',
    'race/track',
    'race/report',
    'race/board-grid',
    'results/ranking',
    'room/tally',
  ];
  for (const name of changing) {
    const sheet = sheets.find(({ path }) => path === `css/${name}.css`);
    assert.match(sheet?.code ?? '', /font-variant-numeric: tabular-nums/, name);
  }
});
