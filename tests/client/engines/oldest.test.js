/**
 * What the oldest browsers that play lack of what a sheet or a module uses, by the data of
 * @mdn/browser-compat-data. A `@supports` block is exempt, since it names its needs.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesIn, read } from '../examples.js';

const require = createRequire(new URL('../../../web_client/package.json', import.meta.url));
const { parse: parseScript } = require('acorn');
const cssTree = require('css-tree');
const { css, api } = require('@mdn/browser-compat-data');

/** The oldest versions that play; the README names them too. */
const OLDEST = { safari: 16.4, safari_ios: 16.4, firefox: 115, chrome: 111 };
/** The edition of the language whose syntax all of them know. */
const SYNTAX = 2022;

const holds = (statement, version, prefix) =>
  !statement.flags &&
  !statement.alternative_name &&
  (statement.prefix ?? '') === prefix &&
  Number.parseFloat(String(statement.version_added || 'NaN').replace('≤', '')) <= version &&
  !(Number.parseFloat(statement.version_removed ?? 'NaN') <= version);

/**
 * Return the oldest browsers that lack a feature; a feature without data is lacked by none.
 * @param {any} feature
 * @param {readonly string[]} prefixes that it has in the sheet
 * @param {boolean} wholly whether a part of the feature is not enough
 */
function lackedBy(feature, prefixes = [''], wholly = false) {
  const support = feature?.__compat?.support;
  const versions = support ? Object.entries(OLDEST) : [];
  const has = ([browser, version]) =>
    [support[browser] ?? []].flat().some((each) => {
      const isPart = wholly && each.partial_implementation;
      return !isPart && prefixes.some((prefix) => holds(each, version, prefix));
    });
  return versions.filter((each) => !has(each)).map(([browser]) => browser);
}

/** Colours, lengths and functions, by the name that stands in a sheet. @type {Map<string, any>} */
const VALUES = new Map();
for (const group of Object.values(css.types))
  for (const [name, feature] of [...Object.entries(group ?? {}), ...Object.entries(css.types)])
    if (name !== '__compat') VALUES.set(name, feature);

/** Return the features that a part of the value of a property uses, by how they stand in the sheet. @param {any} part @param {string} property */
function inValue(part, property) {
  const of = css.properties[property];
  if (part.type === 'Identifier') return { [`${property}: ${part.name}`]: of?.[part.name] };
  if (part.type === 'Dimension') return { [part.unit]: css.types.length[part.unit] };
  if (part.type !== 'Function') return {};
  const from = part.children?.first?.name === 'from' && css.types.color[part.name];
  return {
    [`${part.name}()`]: of?.[part.name] ?? VALUES.get(part.name),
    [`${part.name}(from …)`]: from?.relative_syntax,
  };
}

/** Return the features that a node of a sheet uses, by how they stand in the sheet. @param {any} node */
function inNode({ type, name, property }) {
  if (type === 'Atrule') return { [`@${name}`]: css['at-rules'][name] };
  if (type === 'Feature') return { [`(${name})`]: css['at-rules'].media[name] };
  if (/^Pseudo(Class|Element)Selector$/.test(type)) return { [`:${name}`]: css.selectors[name] };
  return type === 'Declaration' ? { [property]: css.properties[property] } : {};
}

/** Return what the oldest browsers lack of a style sheet. @param {string} text */
function lackedOfSheet(text) {
  const found = new Set();
  const add = (features, prefixes) => {
    for (const [what, feature] of Object.entries(features)) {
      const lacking = lackedBy(feature, prefixes, true);
      if (lacking.length > 0) found.add(`${what} (${lacking.join(', ')})`);
    }
  };
  cssTree.walk(cssTree.parse(text, { parseCustomProperty: true }), function enter(node) {
    if (node.type === 'Atrule' && node.name === 'supports') return this.skip;
    if (node.type === 'Rule' && this.rule) add({ '&': css.selectors.nesting });
    const isDeclared = node.type === 'Declaration';
    const prefixes = isDeclared ? prefixesOf(node.property, this.block) : undefined;
    add(inNode(node), prefixes);
    if (isDeclared) cssTree.walk(node.value, (part) => add(inValue(part, node.property), prefixes));
  });
  return [...found].sort();
}

/** Return the prefixes of a property in a block. @param {string} property @param {any} block */
function prefixesOf(property, block) {
  const names = block.children.toArray().map((each) => each.property);
  return ['', '-webkit-', '-moz-'].filter((prefix) => names.includes(prefix + property));
}

/** Whether an interface, or the elements that mix it in, has no such member. @param {string} owner @param {string} member */
function isLacked(owner, member) {
  const features = api[owner === 'ARIAMixin' ? 'Element' : owner];
  return lackedBy(features?.[member] ?? features?.[`${member}_static`]).length > 0;
}

/**
 * Return the library of the DOM without what the oldest browsers lack: a type check with it refuses
 * all uses of that.
 * @param {string} library the text of lib.dom.d.ts
 * @param {ReadonlySet<string>} optional `Interface` or `Interface.member`, which the page tries
 */
function oldestDom(library, optional) {
  let owner = '';
  const kept = library.split('\n').map((line) => {
    const start = /^(?:interface|declare var) (\w+)/.exec(line)?.[1];
    if (start || line.startsWith('}')) owner = start ?? '';
    const global = /^declare (?:var|function) (\w+)/.exec(line)?.[1];
    if (global && !optional.has(global) && lackedBy(api[global]).length > 0)
      return line.replace(global, `lacking_${global}`);
    const member = owner && /^ {4}(?:readonly |get |set )?(\w+)[?(<:]/.exec(line)?.[1];
    return member && !optional.has(`${owner}.${member}`) && isLacked(owner, member) ? '' : line;
  });
  return kept.join('\n');
}

const client = fileURLToPath(new URL('../../../web_client/', import.meta.url));

/** What a sheet may use although some lack it: nothing depends on it. */
const ORNAMENT = [
  /^accent-color/, // a checkbox in the browser's own colour
  /^cursor: /, // no pointer on a phone
  /^font-family: ui-/, // another font of the list
  /^forced-color-adjust/, // colours by the system, where it forces them
  /^hyphens/, // lines that end earlier
  /^overscroll-behavior/, // the page behind a list may scroll at the list's end
  /^paint-order/, // a thinner outline
  /^scrollbar-color/, // a bar in other colours
  /^text-wrap/, // lines of unequal length
];

/** What the page tries, and does without where it is missing. */
const TRIED = new Set([
  'Navigation.currentEntry', // the step back is one step
  'Navigation.entries',
  'Navigation.traverseTo',
  'NavigationHistoryEntry.index',
  'NavigationHistoryEntry.key',
  'NavigationHistoryEntry.url',
  'Navigator.canShare', // the picture is saved instead
  'Navigator.share', // the link is copied instead
  'Navigator.userActivation',
  'Navigator.vibrate',
  'Navigator.wakeLock',
  'PerformanceResourceTiming.responseStatus',
  'UserActivation.hasBeenActive',
  'WakeLock.request',
  'WakeLockSentinel.release',
  'WakeLockSentinel.released',
]);

for (const name of filesIn('css', '.css'))
  test(`the oldest browsers that play know all of ${name}`, () => {
    const lacked = lackedOfSheet(read(`css/${name}`));
    const needed = lacked.filter((each) => !ORNAMENT.some((shape) => shape.test(each)));
    assert.deepEqual(needed, []);
  });

test('the oldest browsers that play know all syntax, and ES5 is enough for the script of older ones', () => {
  const parse = (text, ecmaVersion, sourceType) => () =>
    parseScript(text, { ecmaVersion, sourceType });
  for (const name of filesIn('src', '.js'))
    assert.doesNotThrow(parse(read(`src/${name}`), SYNTAX, 'module'), name);
  assert.doesNotThrow(parse(read('src/old-browser.js'), 5, 'script'));
  assert.throws(parse('const a = 1', 5, 'script'));
});

test('the oldest browsers that play have all members of the DOM that modules use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oldest-'));
  try {
    const [platform = ''] = readdirSync(join(client, 'node_modules/@typescript'));
    const library = read(join('node_modules/@typescript', platform, 'lib/lib.dom.d.ts'));
    writeFileSync(join(folder, 'dom.d.ts'), oldestDom(library, TRIED));
    const config = { files: ['dom.d.ts'], include: [join(client, 'src')] };
    const compilerOptions = { lib: ['es2023'] };
    const whole = { extends: join(client, 'tsconfig.json'), compilerOptions, ...config };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(whole));
    execFileSync(join(client, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout ?? String(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
