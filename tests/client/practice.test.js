import assert from 'node:assert/strict';
import { test } from 'node:test';
import { practising, restart, sameDeal } from '../../web_client/src/practice.js';
import { NOTHING } from '../../web_client/src/reducer.js';
import { example } from './examples.js';

const SETTINGS = example('joined').room.settings;
/** @param {any} change @returns {any} */
const room = (change) => ({ settings: SETTINGS, round: { number: null }, match: null, ...change });

test('the same deal again is the seed, or the number, of the round', () => {
  const seed = '24'.repeat(16);
  const again = sameDeal({ ...SETTINGS, rounds: 6, public: true }, /** @type {any} */ ({ seed }));
  assert.deepEqual(
    [again.deal, again.seed, again.number, again.rounds, again.public],
    ['seed', seed, null, 1, false],
  );
  const numbered = sameDeal(SETTINGS, /** @type {any} */ ({ seed: null, number: 24 }));
  assert.deepEqual([numbered.deal, numbered.seed, numbered.number], ['numbered', null, 24]);
});

test('an open deal is restarted; a secret one is known to nobody', () => {
  assert.equal(restart(room({})), null);
  const types = (/** @type {any} */ messages) => messages.map((/** @type {any} */ m) => m.type);
  const fixed = { ...SETTINGS, deal: 'numbered', number: 24 };
  assert.deepEqual(types(restart(room({ settings: fixed }))), ['abort', 'start']);
  const drawn = room({
    settings: { ...SETTINGS, deal: 'numbered' },
    round: { number: 77 },
    match: { n: [1, 2] },
  });
  const said = /** @type {any} */ (restart(drawn));
  assert.deepEqual(types(said), ['abort', 'configure', 'start']);
  assert.equal(said[1].settings.number, 75, 'the third round of a match adds two');
});

test('who races alone as the host is practising, whoever watches', () => {
  const seats = [
    { seat: 0, state: 'RACING' },
    { seat: 1, state: 'WATCHING' },
  ];
  /** @param {any} change @returns {any} */
  const state = (change) => ({
    ...NOTHING,
    me: { seat: 0, role: 'player' },
    room: { host: 0, seats, ...change },
  });
  assert.ok(practising(state({})));
  assert.ok(!practising(state({ host: 1 })));
  assert.ok(!practising(state({ seats: [...seats, { seat: 2, state: 'FORFEIT' }] })));
});
