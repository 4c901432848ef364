import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { placesOf } from '../../../web_client/src/play/aids.js';
import * as commands from '../../../web_client/src/play/commands.js';
import { askableTable, assessedInForce, hintMarks } from '../../../web_client/src/play/hints.js';
import { fittingPiles, grab, makePlayer, pick } from '../../../web_client/src/play/player.js';
import { newsOfGame } from '../../../web_client/src/race/events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { hintInForce, hintsTaken, NOTHING } from '../../../web_client/src/state/state.js';
import after from '../../../web_client/src/strings/en/after.js';
import english from '../../../web_client/src/strings/en/race.js';
import { atTable, example } from '../examples.js';

const { commandOf, commandsOf, keyFor, keyName, keyOf, parseTyped } = commands;
const PRESETS = ['modern', 'classic'];
/** Return the event of a key in words, such as `Ctrl+z` or `я@KeyZ`. @param {string} text */
function event(text) {
  const [, held = '', key, code = ''] = /^((?:\w+\+|⌘\+)*)(.+?)(?:@(\w+))?$/.exec(text);
  const isHeld = (name) => held.includes(name);
  const [shiftKey, ctrlKey, metaKey, altKey] = ['Shift', 'Ctrl', '⌘', 'Alt'].map(isHeld);
  return { key: key === 'Space' ? ' ' : key, code, shiftKey, ctrlKey, metaKey, altKey };
}

/** Return the commands of keys, with `-` for none. @param {string} keys @param {string} preset @param {boolean} [letters] */
const commandsAt = (keys, preset, letters = true) =>
  String(keys.split(' ').map((key) => commandOf(event(key), preset, letters) ?? '-'));

test('every key has one command, which has a description', () => {
  for (const preset of PRESETS) {
    const names = commandsOf(preset).flatMap(({ keys }) => keys);
    assert.equal(new Set(names).size, names.length);
  }
  const used = new Set(PRESETS.flatMap(commandsOf).map(({ command }) => command));
  assert.deepEqual([...used].toSorted(), Object.keys(after.KEYS).toSorted());
});

test('keys act as in the manual of 1987 or as usual, and by their place where they write no Latin letter', () => {
  const manual = 'pick,help,remove,unfold,why,level,restart,restartSure,deal,dealSure';
  const layouts = 'я@KeyZ в@KeyD р@KeyH ζ@KeyZ δ@KeyD ז@KeyZ ג@KeyD'; // Russian, Greek, Hebrew
  for (const [preset, keys, does, letters = true] of [
    ['classic', 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10', manual],
    ['classic', '1 2 3 4 5 6 7 8 9 0', manual],
    ['classic', '4@Numpad4 6@Numpad6 8@Numpad8 2@Numpad2 5@Numpad5', 'left,right,more,fewer,-'],
    ['classic', 's c x q Escape h', 'score,colours,exception,quit,cancel,-'], // it gave no hints
    ['modern', '7 7@Numpad7 0', 'column,column,column'],
    ['modern', 'z Shift+Z Enter Shift+Enter Shift+D Shift+?', 'undo,redo,pick,auto,deal,help'],
    ['modern', 'h F5', 'hint,-'], // the browser keeps its own
    ['modern', `${layouts} Shift+Я@KeyZ`, 'undo,deal,hint,undo,deal,undo,deal,redo'],
    ['classic', 'Ctrl+я@KeyZ /@KeyQ', 'undo,type'],
    ['modern', 'я@KeyZ ArrowLeft Enter Space Escape', '-,left,pick,deal,cancel', false],
    ['classic', 'F9', 'deal', false],
  ])
    assert.equal(commandsAt(keys, preset, letters), does);
  // Arabic and Korean layouts too.
  for (const each of `${layouts} ئ@KeyZ ي@KeyD لا@KeyB ㅇ@KeyD ;@KeyQ`.split(' ')) {
    assert.equal(keyOf(event(each)), each.at(-1)?.toLowerCase());
    assert.equal(keyName(event(each)), each.at(-1));
  }
  // For a Latin letter, or a sign with a command, the place of its key does not matter.
  for (const each of ['y@KeyZ', 'ğ@KeyE']) assert.equal(keyOf(event(each)), each[0]);
});

test('Ctrl or ⌘ with Z and Y undo and redo in both presets, even with letters off', () => {
  const undo = 'Ctrl+z@KeyZ ⌘+z@KeyZ Ctrl+y@KeyY ⌘+Shift+Z@KeyZ Ctrl+Shift+Z@KeyZ';
  const other = 'Ctrl+d@KeyD Ctrl+r@KeyR Ctrl+c@KeyC Ctrl+q@KeyQ Ctrl+Alt+z@KeyZ'; // AltGr writes
  for (const preset of PRESETS)
    for (const letters of [true, false]) {
      assert.equal(commandsAt(undo, preset, letters), 'undo,undo,redo,redo,redo');
      assert.equal(commandsAt(other, preset, letters), '-,-,-,-,-');
    }
});

test('keys that write a character can be switched off, and the named keys of commands act', () => {
  const named = ['deal', 'hint', 'redo', 'exception'];
  for (const [preset, letters, keys] of [
    ['modern', true, 'D,H,Shift+Z,X'],
    ['modern', false, 'Space,,Ctrl+Y,'],
    ['classic', true, 'F9,,Shift+Z,X'],
  ])
    assert.equal(String(named.map((command) => keyFor(command, preset, letters))), keys);
  for (const preset of PRESETS)
    for (const key of commandsOf(preset).flatMap(({ keys }) => keys))
      if (key.length === 1 && !'←→↑↓'.includes(key))
        assert.equal(commandsAt(key, preset, false), '-');
});

const SPIDER = example('table').table;
const LITTLE = example('table', 'Little Spider').table;
const says = (line, table = SPIDER) => {
  const meant = parseTyped(line, table);
  if (meant.do === 'command') return meant.command;
  if (meant.do !== 'move') return Object.values(meant).join(' ');
  return `${meant.from}x${meant.count}-${meant.to}${meant.exception ? '!' : ''}`;
};

test('players type moves and other acts by columns, letters, words, or a line of a round’s file', () => {
  for (const line of ['3 5', ' 3  5 ', '3-5', '3 > 5', '3,5']) assert.equal(says(line), 't2x0-t4');
  for (const line of ['3x2 5', '3X2 5', '3 x 2 5', '3x2-5']) assert.equal(says(line), 't2x2-t4');
  for (const both of [
    '10 1: t9x0-t0, x 3x2 5: t2x2-t4!, 3x2 5!: t2x2-t4!, 3 f1: t2x0-f0',
    't3x2-t5: t3x2-t5,  T3x12-t5! : t3x12-t5!, remove t3: remove t3',
    'r: remove, r 3: remove t2, find 10h: locate TH, l q s: locate QS',
    // A line that is not understood has a reason; `u2` is a pile of another game.
    'u2x1-f3: wrong column u2, remove u0: wrong words remove u0,  : wrong words ',
    '12 3: wrong column 12, 3 0: wrong column 0, r 99: wrong column 99',
    'Help me: wrong words Help me, find 11s: wrong words find 11s',
  ].flatMap((row) => row.split(', '))) {
    const [line, meant] = both.split(': ');
    assert.equal(says(line), meant);
  }
  const little = ['u1 f2', 'l3 u2', 'u2x1-f3'].map((line) => says(line, LITTLE));
  assert.deepEqual(little, ['u0x0-f1', 'l2x0-u1', 'u2x1-f3']);
  const words = ['d', 'Deal', 'u', 'z', 'y', 'x', 't', 'm', 'f', 'h', '?'];
  const acts = 'deal deal undo undo redo exception standings mark finish help why';
  assert.equal(words.map((word) => says(word)).join(' '), acts);
});

test('for cards that fit nowhere, the piles that fit on theirs are marked, unless the cards are dragged', () => {
  const state = atTable({}).reduce(reduce, NOTHING);
  const player = makePlayer({ state: () => state, announce() {} }, { showInput() {} });
  pick(player, 't8', 1);
  assert.deepEqual([...fittingPiles(player)], ['t0']);
  pick(player, 't8', 1);
  pick(player, 't2', 1);
  assert.deepEqual([...fittingPiles(player)], ['t5']);
  grab(player, { pile: 't2', count: 1 });
  assert.deepEqual([...fittingPiles(player)], []);
});

// Hints, and the assessment of a game.

const MOVE = { type: 'move', from: 't0', count: 1, to: 't1', exception: false };
const DEAL = { type: 'deal' };

/** Return a game at its fifth act. @param {any} [change] of the table @param {any} [settings] */
const racing = (change, settings) =>
  atTable({ at: 5, legal: [MOVE], stuck: null, ...change }, settings).reduce(reduce, NOTHING);

const HINT = { ...example('hinted'), at: 5, hints: 1 };
const WON = { ...example('assessed'), at: 5 };

test('a hint and an assessment hold until the next act', () => {
  for (const [name, message, inForce] of [
    ['hinted', HINT, hintInForce],
    ['assessed', WON, assessedInForce],
  ]) {
    const told = reduce(racing(), message);
    assert.equal(inForce(told), message);
    const lobby = { ...told.room, v: told.room.v + 1, state: 'LOBBY' };
    assert.equal(reduce(told, { type: 'room', room: lobby })[name], null);
    const acting = reduce(told, { type: '@act', action: MOVE });
    const late = reduce(racing(), { ...message, at: 4 });
    for (const state of [acting, late, racing(), NOTHING]) assert.equal(inForce(state), null);
  }
});

test('the count of hints is the larger one of hint and leaderboard', () => {
  const hinted = reduce(racing(), { ...HINT, hints: 2 });
  assert.deepEqual([hintsTaken(racing()), hintsTaken(hinted)], [0, 2]);
  const [line] = example('standings').standings;
  const standings = [{ ...line, seat: hinted.me?.seat, hints: 3 }];
  assert.equal(hintsTaken(reduce(hinted, { ...example('standings'), standings })), 3);
});

test('a hint marks cards and a place, and says what its move changes', () => {
  const up = { t8: ['TH', '8S', '7S'], t3: ['4D', 'TS', '9S'] };
  const piles = SPIDER.piles.map((pile) => ({ ...pile, up: up[pile.id] ?? [] }));
  const move = { type: 'move', from: 't8', count: 2, to: 't3', exception: false };
  const removal = { type: 'remove', from: 't1' };
  for (const [action, from, count, to, sentence] of [
    [move, 't8', 2, 't3', 'move 8♠ 7♠ from column 9 to column 4.'],
    [DEAL, '', 0, 'stock', 'deal.'],
    [removal, 't1', 13, '', 'remove the complete suit from column 2.'],
    [{ type: 'finish' }, '', 0, '', 'finish, you’ve won.'],
  ]) {
    assert.deepEqual(hintMarks(action, SPIDER), { from, count, to });
    assert.equal(english.hinted({ action, hints: 2 }, piles), `Hint 2: ${sentence}`);
  }
  const start = english.hinted({ action: move, hints: 2 }, piles);
  for (const [reason, why] of [
    ['turns_card', ' Turns a card.'],
    ['joins_suit', ' Joins 10–7 in spades.'],
    ['empties_column', ' Empties column 9.'],
    ['frees_card', ' Frees 10♥.'],
    ['fills_column', ' Fills column 4.'],
    ['completes_suit', ' Completes spades.'],
    ['uncovers_next', ' Digs toward the next card that goes home.'],
    ['of_a_newer_server', ''],
    [null, ''],
  ])
    assert.equal(english.hinted({ action: move, hints: 2, reason }, piles), start + why);
  const dealt = english.hinted({ action: DEAL, hints: 2, reason: 'deals' }, piles);
  assert.equal(dealt, 'Hint 2: deal. No better move known.');
});

test('the status line describes a hint only for the present table', () => {
  const announce = makeAnnouncer(newsOfGame);
  const before = racing();
  const said = (message) =>
    announce({ before, after: reduce(before, message), message, events: [] });
  assert.match(said(HINT), /^Hint 1: move .* column 4\. Turns a card\.$/);
  assert.equal(said({ ...HINT, at: 4 }), 'Hint 1 was for your board before the last move.');
  const none = { ...example('refused', 'no hint'), code: 'no_hint' };
  assert.equal(said(none), 'No better move known.');
});

test('the page asks for an assessment only in a running game where nothing can be dealt', () => {
  assert.notEqual(askableTable(racing()), null);
  for (const state of [
    racing({ legal: [MOVE, DEAL] }),
    racing({ stuck: 'stock_empty' }),
    racing({ outcome: 'won' }),
    { ...racing(), synced: false },
    NOTHING,
    racing({}, { autoplay: undefined }), // an older server
    reduce(racing(), { type: '@act', action: MOVE }),
    reduce(racing(), WON),
  ])
    assert.equal(askableTable(state), null);
});

test('a card is found wherever it lies face up, with the number of cards on it', () => {
  const up = { t0: ['9S', '8S', '7S'], t1: ['9S'], f0: ['TS', '9S'] };
  const piles = SPIDER.piles.map((pile) => ({ ...pile, up: up[pile.id] ?? [] }));
  const words = '9♠: column 1 under 2 cards, column 2 at its end and on a foundation.';
  assert.equal(english.located('9S', placesOf({ piles }, '9S')), words);
  assert.equal(english.located('KD', placesOf({ piles }, 'KD')), 'K♦ isn’t face up.');
});
