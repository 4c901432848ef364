import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindBoard, drawBoard, markBoard } from '../../../web_client/src/board/board.js';
import { readTable } from '../../../web_client/src/contract/notation.js';
import { table } from '../examples.js';
import { openPage } from '../page.js';
import { acted, atRace, joined, pressAll, racers, refused, running } from '../scenes.js';

const RUN = 'KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS';
/** Eight on nine, and a jack on a queen; the first column has a run of two. */
const PILES = [
  ...['[2] TS 9S', '[1] JS', '8S', '', 'QS', '[3] 4H 3S', 'KS', '2S', '[1] 8H', '5S'],
  ...['[20]', RUN, '', '', '', '', '', '', ''],
];
const LEGAL = 't2x1-t0,t8x1-t0,t0x2-t1,t1x1-t4,t2x1-t3,deal,undo';
const OWN = { piles: PILES, legal: LEGAL, at: 3, score: 505, elapsed_ms: 60_000 };

/** Return the cards of a pile as the page shows them; '' lies face down. @param {any} page @param {string} pile */
function cards(page, pile) {
  const all = page.all(`#board [data-in="${pile}"]`);
  all.sort((a, b) => a.dataset.index - b.dataset.index);
  return all.map((each) => each.dataset.card ?? '');
}

const OPEN = '#board [data-pile][data-marks~=open]';
const marked = (page, mark) =>
  page.all(`#board [data-pile][data-marks~=${mark}]`).map((each) => each.dataset.pile);

/** Click a pile as assistive technology does. @param {any} page @param {string} pile @param {any} [shown] after it */
const pick = (page, pile, shown = {}) => page.click(`#board [data-pile="${pile}"]`, shown, 0);

const acts = (page) => page.sent('act').map(({ id, at, action }) => ({ id, at, action }));

/** Let the server answer the acts with these ids. @param {any} page @param {...number} ids */
const answer = (page, ...ids) =>
  page.receive(...ids.map((id) => acted(id, { at: 3 + id, legal: LEGAL })));

/** Lose the connection, and come back to a race at this table. @param {any} page @param {any} own @param {any} [change] */
async function comeBack(page, own, change) {
  await page.drop(4_001);
  await page.pass(2_000);
  const whole = { type: 'table', table: table(own) };
  await page.accept(joined(running(racers('Ada', 'Bob'), change)), whole);
}

test('a table is drawn with its labels and figures, and with its suits as the player prefers', async () => {
  const page = await atRace({ table: OWN });
  assert.deepEqual([cards(page, 't0'), cards(page, 't3')], [['', '', 'TS', '9S'], []]);
  assert.equal(cards(page, 'f0').at(-1), 'AS');
  const label = (pile) => page.find(`#board [data-pile="${pile}"]`).getAttribute('aria-label');
  assert.equal(label('t0'), 'Column 1: 2 face down; run 10 to 9 of spades, 2 of 4');
  assert.equal(label('t3'), 'Column 4: empty');
  page.shows({ '#score': '505', '#face-down': '44', '[data-card=AS][data-home="1"]': 1 });
  page.shows({ '#race-actions button': ['Undo', 'Redo', 'Deal'] });
  page.shows({ '#redo[data-faint]': 1, '#deal[data-faint]': 0 });
  const other = await atRace({ table: OWN, how: { stored: { removed: 'down' } } });
  other.shows({ '[data-home][data-back]': true });
});

test('picked cards show where they fit, the target may come first, and a move is made at once', async () => {
  const page = await atRace({ table: OWN });
  await pick(page, 't2', { '[data-pile=t2][aria-pressed=true]': 1 });
  assert.deepEqual(marked(page, 'open'), ['t0', 't3']);
  await pick(page, 't2', { [OPEN]: 0 }); // a second pick puts the cards back
  await pick(page, 't3'); // an empty column, as the target
  assert.deepEqual(marked(page, 'open'), ['t2']);
  await pick(page, 't3');
  for (const pile of ['t2', 't0']) await pick(page, pile);
  assert.deepEqual(acts(page), [{ id: 1, at: 3, action: 't2x1-t0' }]);
  assert.deepEqual(cards(page, 't0'), ['', '', 'TS', '9S', '8S']); // even before the answer
  assert.deepEqual(cards(page, 't2'), []);
  const piles = { t0: '[2] TS 9S 8S', t2: '' };
  await page.receive(acted(1, { at: 4, piles, score: 506, legal: 't0x3-t1' }));
  page.shows({ '#score': '506', said: /8♠/ });
  assert.deepEqual(cards(page, 't0'), ['', '', 'TS', '9S', '8S']);
  for (const pile of ['t0', 't1']) await pick(page, pile); // the whole run moves
  assert.deepEqual(acts(page), [{ id: 2, at: 4, action: 't0x3-t1' }]);
  assert.deepEqual(cards(page, 't0'), ['', '']); // only the server knows the uncovered card
});

test('a refused act goes back, shakes its cards and says why beside them, at once or on request', async () => {
  const why = '8♠ needs a 9; column 7 ends in K♠.';
  for (const [reasons, keys] of [
    ['on-request', 'modern'],
    ['on-request', 'classic'],
    ['at-once'],
  ]) {
    const page = await atRace({ table: OWN, how: { stored: { reasons, keys } } });
    for (const pile of ['t2', 't6']) await pick(page, pile);
    assert.deepEqual(acts(page), [{ id: 1, at: 3, action: 't2x1-t6' }]);
    assert.deepEqual(cards(page, 't6'), ['KS']); // not a listed move, so it is not shown before the answer
    const wrong = { cards: ['8S', 'KS'], piles: ['t2', 't6'] };
    await page.receive(refused('act', 'wrong_rank', { id: 1, at: 3 }, wrong));
    assert.deepEqual([cards(page, 't2'), page.animated.at(-1).dataset.card], [['8S'], '8S']);
    if (keys) {
      const key = keys === 'classic' ? 'F5' : '?'; // by the preferred keys
      page.shows({ said: `Not possible. Press ${key} to see why.` });
      await page.press(key);
    }
    page.shows({ said: why, '#refusal-bubble[data-of=t6]': why });
    await page.fire('#board', 'pointerdown', { button: 0 });
    await page.click('#deal'); // it is sent with the next id
    page.shows({ '#refusal-bubble': false });
    assert.deepEqual(acts(page), [{ id: 2, at: 3, action: 'deal' }]);
    await page.receive(refused('act', 'deal_empty_column', { id: 2 }, { piles: ['t3'] }));
    page.shows({ '#board [data-highlight][data-pile=t3]': true });
    assert.equal(/column 4 is empty/.test(page.said()), reasons === 'at-once');
  }
});

test('an act that comes while too many wait is refused, and its cards are shaken', async () => {
  const page = await atRace({ table: OWN });
  for (let n = 0; n < 17; n += 1) await page.press('z', {}, { ctrlKey: true }); // the first is sent, the others wait
  page.shows({ acts: ['undo'], said: '' });
  for (const pile of ['t2', 't0']) await pick(page, pile);
  page.shows({ acts: [], said: /^Slow down/, '#refusal-bubble[data-of=t0]': /^Slow down/ });
  assert.deepEqual([cards(page, 't2'), page.animated.at(-1).dataset.card], [['8S'], '8S']);
});

test('an act that the page has shown is taken back, to the table of the refusal', async () => {
  const page = await atRace({ table: OWN });
  for (const pile of ['t2', 't0', 't1', 't4']) await pick(page, pile);
  page.shows({ acts: ['t2x1-t0', 't1x1-t4'] }); // the second does not wait for the first
  const whole = table({ ...OWN, at: 9, last_id: 2, score: 480, legal: 'deal' });
  const stale = refused('act', 'stale', { id: 1, at: 9, table: whole });
  await page.hears(stale, { '#score': '480', said: /out of date/ });
  assert.deepEqual([cards(page, 't0'), cards(page, 't4')], [['', '', 'TS', '9S'], ['QS']]);
});

test('the board is played by keys', async () => {
  const page = await atRace({ table: OWN });
  assert.equal(page.focus(), 'board');
  for (const [keys, cursor, said] of [
    ['ArrowRight', /^t0$/], // the cursor appears on the first column
    ['ArrowDown', /^t0$/, '1 card from column 1: 9♠.'],
    ['ArrowUp Enter', /^t0$/, '10♠ 9♠ selected.'],
    ['ArrowRight', /^t1$/],
    ['ArrowLeft ArrowLeft', /^t9$/], // from the first to the last column
    ['PageUp', /^[^t]/],
    ['Home End PageDown', /^t/],
  ]) {
    await pressAll(page, keys);
    assert.match(String(marked(page, 'cursor')), cursor);
    if (said) assert.equal(page.said(), said);
  }
  await pressAll(page, 'Escape 1 2 3 4');
  page.shows({ acts: ['t0x2-t1', 't2x1-t3'] });
  await answer(page, 1, 2);
  await page.press('z', {}, { ctrlKey: true });
  await page.press('d', { acts: ['undo'] }); // the deal waits for its answer
  await answer(page, 3);
  page.shows({ acts: ['deal'] });
  await answer(page, 4);
  await page.pass(600);
  await page.press('d', {}, { repeat: true }); // the key is held down
  page.shows({ acts: [] });
});

test('keys tell the standings, find cards, mark what can move and ask for an exception', async () => {
  const page = await atRace({ table: OWN, room: { settings: { exceptions: 'hard' } } });
  for (const [keys, said, mark, count] of [
    ['t', /^you, 0; Bob, 0\.$/, 'movable', 0],
    ['m', /^Cards can move from \d columns\.$/, 'movable', 5],
    ['m', /^Marks are off\.$/, 'movable', 0],
    ['l 4 Shift H', /^4♥: column 6 under 1 card\.$/, 'found', 1],
    ['l 0 s', /^10♠: column 1 under 1 card and on a foundation\.$/, 'found', 2],
    ['l Escape', /^Cancelled\.$/, 'found', 2], // any other key cancels, and does nothing else
    ['r', /^No column ends in a complete suit\.$/, 'found', 2],
    ['x', /^Exception: /, 'found', 2],
    ['Escape', /^Exception cancelled\.$/, 'found', 0],
  ]) {
    await pressAll(page, keys);
    page.shows({ said, [`#board [data-in][data-marks~=${mark}]`]: count });
    page.shows({ [`#exception[aria-pressed=${keys === 'x'}]`]: true });
  }
  page.shows({ acts: [] });
});

test('letter keys do nothing once the player has switched them off', async () => {
  const page = await atRace({ table: OWN, how: { stored: { letterKeys: false } } });
  await page.press('d', { acts: [], '#undo[title="Undo (Ctrl+Z)"]': 1 });
});

test('a deal has to be requested twice, if the player wants that, and a double click deals once', async () => {
  const page = await atRace({ table: OWN, how: { stored: { confirmDeal: true } } });
  await page.click('#deal', { '#deal': 'Sure?', acts: [] });
  for (let n = 0; n < 3; n += 1) await page.click('#deal');
  page.shows({ '#deal': 'Deal', acts: ['deal'] });
  await answer(page, 1);
  page.shows({ acts: [] });
});

test('a deal right after a deal is ignored, and so is the next one, but not after another act', async () => {
  const page = await atRace({ table: OWN });
  for (const ms of [0, 300, 200, 460]) {
    await page.pass(ms);
    await page.click('#deal');
  }
  page.shows({ acts: ['deal'] });
  await answer(page, 1);
  page.shows({ acts: [] });
  await page.pass(500);
  for (const button of ['#deal', '#undo', '#deal']) await page.click(button);
  await answer(page, 2, 3, 4);
  page.shows({ acts: ['deal', 'undo', 'deal'] });
});

test('cards in hand stay there until their column changes', async () => {
  const page = await atRace({ table: OWN });
  const change = (n, text) => {
    const piles = PILES.with(n, text);
    return page.receive({ type: 'table', table: table({ ...OWN, piles }) });
  };
  await pick(page, 't2');
  await change(8, '[1] 7H');
  assert.deepEqual(marked(page, 'open'), ['t0', 't3']);
  await change(2, '[1] 4S');
  page.shows({ [OPEN]: 0 });
});

test('cards that fit nowhere are not moved, and a space is named only where there is one', async () => {
  for (const [legal, why] of [
    ['t4x1-t3', 'These cards only fit on an empty column.'],
    ['', 'These cards don’t fit anywhere.'],
  ]) {
    const page = await atRace({ table: { ...OWN, legal } });
    for (let n = 0; n < 5; n += 1) await page.press('ArrowRight');
    await page.press('Enter', {}, { shiftKey: true });
    page.shows({ said: why, acts: [] });
  }
});

test('a typed line that is not understood stays in the box, with the reason', async () => {
  const page = await atRace({ table: OWN });
  await page.press('/');
  await page.submit('#typed', '1 12', { said: /no column 12/, focus: 'typed' });
  page.shows({ '#typed[aria-invalid=true]': '1 12' });
});

test('a complete suit is removed by its button, and a game can be finished', async () => {
  const piles = PILES.with(3, RUN).with(11, '');
  const page = await atRace({ table: { ...OWN, piles, legal: 'remove t3,deal' } });
  await page.click('#remove', { acts: ['remove t3'] });
  const removed = { at: 4, piles: { t3: '', f0: RUN }, counts: { suits: 1 }, legal: 'finish' };
  await page.receive(acted(1, { ...removed, stuck: null }));
  page.shows({ '#home': '1', '#home + span': 'of 8 suits', '#deal': false, '#finish': true });
  await page.click('#finish', { acts: ['finish'] });
  await page.receive(acted(2, { at: 5, outcome: 'won', score: 990, legal: '' }));
  await page.pass(3_000, { '#game-over-title': 'You finished!' });
  await pick(page, 't2', { [OPEN]: 0 });
});

const HINTED = { type: 'hinted', at: 3, action: 't5x5-t3', hints: 1, reason: 'joins_suit' };
/** The sixth column has a folded run at its end. */
const FOLDED = PILES.with(5, `[5] ${Array(12).fill('KH 2D').join(' ')} ${RUN}`);
const HINTS = { table: { ...OWN, piles: FOLDED }, room: { settings: { hints: true } } };
const FOLD = '#board [data-fold=run][data-of=t5]';
const HINTED_PILES = '#board [data-pile][data-marks~=hinted]';
const HINT = { type: 'hint' };

/** Press the key for a hint after a pause, and compare what is sent. @param {any} page @param {...any} messages */
async function asks(page, ...messages) {
  await page.pass(600);
  await page.press('h', { sent: messages });
}

test('a hint is asked for once, unfolds its column, and is shown until the player hides it or acts', async () => {
  const page = await atRace(HINTS);
  page.shows({ [FOLD]: 1 });
  await asks(page, HINT);
  await asks(page); // it is not answered
  await page.hears(HINTED, { '#hints': '1', said: /5♠/, [FOLD]: 0 });
  assert.deepEqual(marked(page, 'hinted'), ['t3']);
  await page.press('Escape', { [HINTED_PILES]: 0 });
  await page.press('h', { sent: [], said: /^Hint 1: /, [HINTED_PILES]: 1 });
  await page.click('#undo', { [HINTED_PILES]: 0 });
  page.shows({ acts: ['undo'] });
  await asks(page); // the act is not answered
  await answer(page, 1);
  page.shows({ sent: [HINT] });
  await page.receive(refused('hint', 'no_hint'));
  await asks(page);
  page.shows({ said: 'No better move known.' });
});

test('a hint whose answer is lost is asked for again, after a pause', async () => {
  const page = await atRace(HINTS);
  await asks(page, HINT);
  await page.receive(refused('hint', 'try_again'));
  page.sent();
  await page.press('h', { sent: [] });
  await page.pass(600, { sent: [HINT] });
  await comeBack(page, OWN, HINTS.room);
  page.sent();
  await page.press('h', { sent: [HINT] });
});

test('when the player pauses, the page asks once per position whether the game can still be won', async () => {
  const own = { ...OWN, legal: 't2x1-t0,undo' };
  const page = await atRace({ ...HINTS, table: own });
  const waits = async (ms, count) => {
    await page.pass(ms);
    assert.equal(page.sent('assess').length, count);
  };
  await waits(1_400, 0);
  await waits(200, 1);
  await page.press('h');
  await page.receive(refused('hint', 'no_hint'));
  await page.click('#undo');
  await page.receive(acted(1, { at: 4, legal: own.legal }));
  await waits(1_200, 0); // too short for a pause
  await page.press('h');
  await page.receive(refused('hint', 'no_hint'));
  await waits(0, 1); // without a hint the page asks at once
  await comeBack(page, { ...own, at: 4 });
  await waits(2_000, 1); // the answer is lost with its connection
});

test('Little Spider shows its own figures', async () => {
  const game = 'little-spider';
  const piles = [...Array(8).fill('AS'), '', '', '', '', '[44]'];
  const own = { game, piles, counts: { ...table().counts, stock: 44 } };
  const page = await atRace({ table: own, room: { settings: { game, score: 'cards' } } });
  page.shows({ '#in-stock': '44', '#cards-home': '0', '#face-down': false });
});

const LONG = `[5] KH 8D 3C 8D 3C 8D 3C 8D 3C ${RUN}`; // long enough to fold
const BEFORE = PILES.slice(0, 10).with(2, LONG);
const AFTER = BEFORE.with(0, '[1] 2H').with(1, '[1] JS TS 9S');
const view = (piles) => readTable(table({ piles: [...piles, '[20]', RUN] }));
const NO_MARKS = { hand: null, cursor: null, hint: null, found: '', complete: new Set() };
const MARKS = { ...NO_MARKS, fitting: new Set(['t1']), movable: new Map() };

test('an equal table writes nothing, and a move only its cards and its two piles', async () => {
  const page = await openPage('/', { stored: { keys: 'classic' } });
  const root = page.document.createElement('div');
  page.document.body.append(root);
  const board = bindBoard(root);
  const observer = new page.window.MutationObserver(() => {});
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  observer.observe(root, all);
  /** Return the changes that a drawing makes to the document. */
  const written = (piles, again = false) => {
    drawBoard(board, view(piles), { glide: true, all: again });
    markBoard(board, MARKS);
    return observer.takeRecords();
  };
  assert.ok(written(BEFORE).length > 100);
  assert.equal(root.querySelectorAll('[data-fold=run], [data-count-of]').length, 6);
  for (const again of [false, true]) assert.deepEqual(written(BEFORE, again), []);
  const records = written(AFTER);
  const places = records.map(({ target: { dataset } }) =>
    dataset.in ? `${dataset.in} ${dataset.index}` : (dataset.pile ?? dataset.countOf),
  );
  // `t1 1` was the last card of its pile, and loses its mark.
  assert.deepEqual([...new Set(places)], ['t0', 't1', 't0 1', 't1 2', 't1 3', 't1 1']);
  assert.ok(records.length < 20, `${records.length}`);
  board.unbind();
});
