// Checks of the style sheets beyond stylelint: the names that modules set, the classes that sheets share, and the
// contrast of colours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate, parse, walk } from '../../../web_client/node_modules/css-tree/lib/index.js';
import { CHOICES } from '../../../web_client/src/browser/storage.js';
import { SEAT_COLOURS } from '../../../web_client/src/contract/protocol.js';
import { filesIn, read as readWhole } from '../examples.js';

/** Return a file of the page without comments. @param {string} path */
const read = (path) => readWhole(path).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const textOf = (folder, type) =>
  filesIn(folder, type)
    .map((path) => read(`${folder}/${path}`))
    .join('\n');
const nameOf = (matches) => matches.map(([, name]) => name);
const found = (text, shape) => new Set(nameOf([...text.matchAll(shape)]));

const sheets = textOf('css', '.css');
const modules = textOf('src', '.js');

test('custom properties are declared, and classes are given and styled', () => {
  const declared = found(sheets, /(--[\w-]+):/g).union(found(modules, /'(--[\w-]+)'/g));
  const used = found(sheets, /var\((--[\w-]+)\)/g);
  assert.deepEqual([...used.difference(declared)], []);
  const lists = [...found(modules, /\bclass: ([^,\n]*)/g)].join().matchAll(/'([^']*)'/g);
  const pages = read('index.html') + textOf('src', '.html');
  const ofPages = pages.matchAll(/class="([^"]*)"/g);
  const given = new Set(nameOf([...lists, ...ofPages]).flatMap((names) => names.split(' ')));
  const styled = found(sheets.replace(/"[^"\n]*"|@import.*$/gm, ''), /\.([a-z][\w-]*)/g);
  assert.deepEqual([[...styled.difference(given)], [...given.difference(styled)]], [[], []]);
});

/** The sheets by name, without the faces of cards, as trees. */
const trees = filesIn('css', '.css')
  .filter((path) => !path.startsWith('cards'))
  .map((path) => [path, parse(read(`css/${path}`), { parseCustomProperty: true })]);

/** Return the findings in the nodes of a kind, once for each sheet: `header in race.css`. */
function collect(kind, find) {
  const uses = new Set();
  for (const [path, tree] of trees)
    walk(tree, {
      visit: kind,
      enter(node) {
        for (const each of find(node)) uses.add(`${each} in ${path}`);
      },
    });
  return [...uses];
}

/** Check how many old violations of a rule are left; lower the number, never raise it. @param {number} most @param {any[]} uses */
const atMost = (most, uses) => assert.ok(uses.length <= most, `${uses.length}: ${uses.join('\n')}`);

/** The sheets that the loads of the page ask for. */
const BUNDLES = ['start.css', 'race.css', 'after.css'];

test('each sheet is in one bundle, in the layers of the first sheet', () => {
  const imports = [...sheets.matchAll(/@import "\.\/(.+?)"(?: layer\((\w+)\))?;/g)];
  const parts = trees.map(([path]) => path).filter((path) => !BUNDLES.includes(path));
  const imported = nameOf(imports).filter((name) => name !== 'cards.css');
  assert.deepEqual(imported.toSorted(), parts.toSorted());
  const [, layers = ''] = /@layer ([\w, ]+);/.exec(read('css/start.css')) ?? [];
  for (const [line, , layer] of imports) assert.ok(!layer || layers.includes(layer), line);
  // Sheets that screens refine are in a lower layer, which they name themselves.
  const layered = Object.entries({ board: 'board', cards: 'widgets' });
  for (const [name, layer] of layered)
    assert.match(read(`css/${name}.css`), RegExp(`layer[ (]${layer}`), name);
});

/** Widgets and the board, which screens place and refine. */
const SHARED =
  /^(between|board|buttons|card|centre|choice|coin|dialog|bar|field|grow|icon|language|line|mark|miniature|notches|page|pane|pill|row|stack|status|top|text|wordmark)(-|$)/;

/** Phones, with upright tablets in the race, lying phones, and queries that are no layout. Everything else is for the desk. */
const QUERIES = [
  '(pointer:coarse)',
  '(width<720px)',
  '(width<720px) and (height>480px)', // with the next: phones held upright
  '(width<560px)',
  '(width<1000px) and (orientation:portrait)',
  '(width>=720px)',
  '(width<1040px)',
  '(width>=1040px)',
  '(height<=480px) and (width>=560px)',
  '(width<560px) and (height<=400px)', // a zoom of 400 %
  '(hover:hover)',
  '(forced-colors:active)',
  '(prefers-color-scheme:dark)',
];

test('browsers that darken pages leave this one alone: card faces would be black', () => {
  const schemes = [...sheets.matchAll(/(?<!-)color-scheme: ([^;]+);/g)];
  assert.deepEqual(nameOf(schemes), ['only dark']);
});

test('a sheet names no class of another feature', () => {
  const uses = collect('ClassSelector', ({ name }) => (SHARED.test(name) ? [] : [name]));
  const features = Object.values(Object.groupBy(uses, (use) => use.split(' in ')[0]));
  const shared = features.filter(({ length }) => length > 1);
  atMost(8, shared);
});

test('there are three layouts', () => {
  const all = ({ name, prelude }) => (name === 'media' ? generate(prelude).split(',') : []);
  const others = collect('Atrule', all).filter((use) => !QUERIES.includes(use.split(' in ')[0]));
  atMost(5, others);
});

/** Named colours that a sheet might use. */
const NAMED =
  /^(white|black|red|green|blue|navy|yellow|orange|gold|silver|gr[ae]y|purple|pink|brown)$/i;

/** Return the colours in a declaration. A mask has none: its black only marks the part to show. */
function coloursIn({ property, value }) {
  const colours = [];
  if (!/mask/.test(property))
    walk(value, (node) => {
      const isColour =
        (node.type === 'Hash' && node.value !== '0000') ||
        (node.type === 'Function' &&
          /^(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?$/.test(node.name)) ||
        (node.type === 'Identifier' && NAMED.test(node.name));
      if (isColour) colours.push(generate(node));
    });
  return colours;
}

test('colours are in the palette; marks and cards have their own', () => {
  const uses = collect('Declaration', coloursIn);
  const others = uses.filter((each) => !/ in (start\/colours|mark)\.css$/.test(each));
  atMost(0, others);
});

test('lengths are in the scale or in rem; only hairlines have pixels', () => {
  const isLong = ({ unit, value }) => unit === 'px' && Number(value) > 3 && value !== '999';
  const uses = collect('Declaration', ({ value }) => {
    const lengths = [];
    walk(
      value,
      (node) => node.type === 'Dimension' && isLong(node) && lengths.push(generate(node)),
    );
    return lengths;
  });
  atMost(0, uses);
});

test('layers have names, except among the cards on the board', () => {
  const uses = collect('Declaration', ({ property, value }) => {
    const layer = property === 'z-index' ? generate(value) : 'auto';
    return /^(auto|0|var\(--layer-\w+\))$/.test(layer) ? [] : [layer];
  });
  atMost(
    3,
    uses.filter((each) => !each.endsWith(' in board.css')),
  );
});

test('with less motion nothing arrives or beats: however short, an animation shows its first frame', () => {
  const animations = [...sheets.matchAll(/animation: [^;]*-(?:arrive|beat|move|rise)\b[^;]*;/g)];
  assert.ok(animations.length > 5);
  for (const [animation] of animations) assert.match(animation, /: var\(--moves, /);
});

test('a state is set on the element that shows it; the page has only its screen', () => {
  const onPage = collect('Selector', (node) => {
    const [, states = ''] = /(?:body|:root|html)((?:[[:][^ >+~]*)+)/.exec(generate(node)) ?? [];
    return [...states.matchAll(/\[data-([\w-]+)/g)].map(([, name]) => name);
  });
  const looks = /^(table|cards|backs|indices|light|motion|keys) /;
  const others = onPage.filter((each) => !looks.test(each));
  const [screens, states] = [/^screen /, /^(?!screen )/].map((kind) =>
    others.filter((each) => kind.test(each)),
  );
  atMost(5, states);
  atMost(5, screens);
});

const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Return the luminance of a colour. @param {number[]} colour */
const luminance = (colour) =>
  colour
    .map((value) => (value <= 10.31 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * ([0.2126, 0.7152, 0.0722][i] ?? 0), 0);

function contrast(one, other) {
  const [low = 0, high = 0] = [one, other].map(luminance).toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Mix two colours. @param {number[]} a @param {number[]} b @param {number} share of `a` */
const mix = (a, b, share) => a.map((value, i) => value * share + (b[i] ?? 0) * (1 - share));

const palette = read('css/start/colours.css');

/** Return the colour of a name in the palette. @param {string} name */
const named = (name) => channels(RegExp(`--${name}: (#\\w{6})`).exec(palette)?.[1] ?? '');

test('players, cards and words stand out on all sixteen tables, lit and dimmed', () => {
  const look = /data-table="(\w+)"\] \{\s+--cloth: (#\w{6});\s+--shade: (#\w{6})/g;
  const looks = [...palette.matchAll(look)];
  assert.deepEqual(nameOf(looks), CHOICES.table);
  assert.equal(looks.length, 16);
  const mark = /data-colour="(\w+)"\] \{\s+--mark: (#\w{6});\s+--mark-bright: (#\w{6})/g;
  const marks = [...read('css/mark.css').matchAll(mark)];
  assert.deepEqual(nameOf(marks), SEAT_COLOURS);
  const [white, black, paper] = ['#ffffff', '#000000', '#ecece6'].map(channels);
  for (const [, name, cloth = '', shade = ''] of looks)
    for (const light of [1, 0.8]) {
      const [felt, deep] = [cloth, shade].map((each) => mix(channels(each), black, light));
      const soft = mix(white, felt, 0.86);
      const lit = mix(felt, white, 0.94); // the middle of a table
      const pane = mix(felt, black, 0.6);
      const check = (colour, ground, least) =>
        assert.ok(contrast(colour, ground) >= least, `${colour} on ${ground}, ${name}`);
      for (const ground of [felt, deep, lit, pane]) {
        for (const words of [white, soft]) check(words, ground, 4.5);
        check(paper, ground, 3);
      }
      check(named('gold'), felt, 3);
      check(named('gold-text'), felt, 4.5);
      check(mix(white, felt, 0.64), felt, 3); // the outline of controls
      for (const words of ['good', 'warn', 'gold-text']) check(named(words), pane, 4.5);
      for (const [, , , bright = ''] of marks) check(channels(bright), pane, 3);
    }
  for (const [, colour, deep = ''] of marks)
    assert.ok(contrast(channels(deep), white) >= 3, colour);
  for (const sheet of ['cards', 'cards-spades', 'cards-four', 'cards-strong'])
    for (const ink of found(read(`css/${sheet}.css`), /0 0 100 140' fill='%23([0-9a-f]{6})'/g))
      assert.ok(contrast(channels(`#${ink}`), paper) >= 4.5, `${ink} in ${sheet}`);
});
