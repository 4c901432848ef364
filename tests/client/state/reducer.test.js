import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../../web_client/src/contract/notation.js';
import * as reducer from '../../../web_client/src/state/reducer.js';
import * as states from '../../../web_client/src/state/state.js';
import { example, TO_CLIENT } from '../examples.js';

const { reduce, wantsCards, wantsStandings, withChanges } = reducer;
const { changesOnlyOthers, coloursOf, NOTHING, programSeats, screenOf, takenColours } = states;

function freeze(value) {
  for (const part of Object.values(value ?? {})) if (typeof part === 'object') freeze(part);
  return Object.freeze(value);
}

const seated = () => reduce(NOTHING, example('joined', 'first player'));
const racing = () => [example('room', 'race is on'), example('table')].reduce(reduce, seated());

for (const { about, message } of TO_CLIENT)
  test(`no state is changed in place, from any state: ${about}`, () => {
    for (const state of [NOTHING, seated(), racing()]) {
      freeze(state);
      const next = reduce(state, freeze(readMessage(structuredClone(message))));
      assert.equal(typeof screenOf(next), 'string');
    }
  });

test('the hash shown before the race stays', () => {
  const counting = reduce(seated(), example('room', 'countdown'));
  const other = example('room', 'race is on');
  const seal = counting.promisedDeal?.commitment;
  other.room.round.commitment = 'f'.repeat(64);
  assert.equal(reduce(counting, other).promisedDeal?.commitment, seal);
});

test('a new round keeps nothing of the old one but the next id', () => {
  const state = reduce({ ...racing(), nextId: 40 }, example('round_over'));
  const { room } = example('room', 'countdown');
  // A failover may take back the start of a round, which then starts again with other cards.
  for (const begin of [{ n: 2 }, { t0: room.round.t0 + 9_000, commitment: 'f'.repeat(64) }]) {
    const round = { ...room.round, ...begin };
    const fresh = reduce(state, { type: 'room', room: { ...room, v: 90, round } });
    assert.deepEqual([fresh.play, fresh.over, fresh.standings], [null, null, []]);
    assert.equal(fresh.promisedDeal.commitment, round.commitment);
    assert.equal(reduce(fresh, example('table')).play.nextId, 40);
  }
});

test('a watched board does not replace the player’s table, which can be watched after the race', () => {
  const before = racing();
  const over = { ...before, room: { ...before.room, state: 'FINISHED' } };
  for (const [state, seat] of [
    [before, 7],
    [over, before.me.seat],
  ]) {
    const table = { ...example('table').table, seat };
    const next = reduce(state, { type: 'table', table });
    assert.deepEqual([next.play, next.boards[seat]], [state.play, table]);
  }
});

test('score cards missing in a message stay until another round is over', () => {
  const { room: between } = example('room', 'between the rounds');
  const bare = (played) => ({ type: 'room', room: { ...between, match: null, played } });
  const asked = reduce(seated(), bare(2));
  const known = [example('match'), bare(2)].reduce(reduce, asked);
  assert.deepEqual([wantsCards(asked), wantsCards(known)], [true, false]);
  assert.deepEqual([known.room?.match?.n.length, reduce(known, bare(3)).room?.match], [2, null]);
  assert.equal(wantsCards(reduce(known, bare(0))), false);
});

test('a start is on its way until the room or a refusal answers it', () => {
  const lobby = reduce(seated(), { ...example('room', 'race is on'), room: { ...seated().room } });
  const own = lobby.room?.seats.find(({ seat }) => seat === lobby.me?.seat);
  const is = (state) => ({ ...example('changes'), v: 90, gone: [], seats: [{ ...own, state }] });
  const busy = (command) => ({ type: 'refused', command, code: 'busy', details: {} });
  for (const [command, message, after] of [
    ['ready', is('SEATED'), 'ready'],
    ['ready', is('READY'), null],
    ['ready', { type: '@connection', connection: 'waiting' }, null],
    ['ready', busy('ready'), null],
    ['ready', busy('act'), 'ready'],
    ['start', is('READY'), 'start'],
    ['start', example('room', 'countdown'), null],
  ]) {
    const started = reduce(lobby, { type: '@starting', command });
    assert.deepEqual([started.starting, reduce(started, message).starting], [command, after]);
  }
});

test('programs come from the room and its round; those with a level are computer players', () => {
  const { room } = example('joined');
  const [ada, grace] = room.seats;
  for (const [level, programs, found] of [
    [undefined, [], { 1: null }],
    [undefined, [7], { 7: null, 1: null }],
    ['club', [1], { 1: 'club' }],
  ]) {
    const seats = [ada, { ...grace, kind: 'program', level }];
    const all = programSeats({ ...room, seats, round: { programs } });
    assert.deepEqual(Object.fromEntries(all), found);
  }
  assert.equal(programSeats(null).size, 0);
});

/** Return a room of seats with these colours. @param {(string | undefined)[]} colours */
function coloured(...colours) {
  const seats = colours.map((colour, seat) => ({ seat, colour, role: 'player' }));
  return { ...example('joined').room, seats };
}

test('the server gives colours to seats, also to those of players who have left', () => {
  const over = example('round_over', 'secret');
  for (const [colourOf, colours] of [
    [coloursOf(coloured('gold', 'blue')), ['gold', 'blue']],
    [coloursOf(null, over), ['blue', 'gold']],
    [coloursOf(coloured('pink'), over), ['pink', 'gold']],
    // A server of release 1.0 sends no colours: they follow from the numbers of the seats.
    [coloursOf(coloured(undefined, undefined)), ['blue', 'red']],
  ])
    assert.deepEqual([0, 1].map(colourOf), colours);
  assert.equal(coloursOf(coloured(undefined))(8), 'blue');
  const mixed = coloured('blue', 'gold', 'teal');
  mixed.seats[2].role = 'spectator';
  assert.deepEqual([...takenColours(mixed, 0)], ['gold']);
});

const WHOLE = reduce(NOTHING, example('standings'));
const AHEAD = example('standings_changes', 'goes ahead');
const MOVE = example('standings_changes', 'one more move');

test('tied players share a place; latecomers and players with a stand-in have none', () => {
  const [first] = WHOLE.standings;
  const cy = { ...first, seat: 5, name: 'Cy' };
  for (const [order, change, places] of [
    [[[1], [0]], { seat: 0, stand_in: 'club' }, '1 1, 0 null'],
    [[[1], [5, 0]], cy, '1 1, 5 2, 0 2'],
    [[[0, 1], [5]], { ...cy, late_ms: 9 }, '0 1, 1 1, 5 null'],
  ]) {
    const rows = withChanges(WHOLE.standings, { ...MOVE, order, changed: [change] });
    assert.equal(rows.map(({ seat, place }) => `${seat} ${place}`).join(', '), places);
  }
});

test('a gap is noticed once, and ends with all rows; known changes are ignored', () => {
  const gap = reduce(WHOLE, MOVE);
  assert.ok(wantsStandings(gap));
  assert.equal(gap.standings, WHOLE.standings);
  assert.equal(reduce(gap, { ...MOVE, number: 10 }), gap, 'changes are ignored meanwhile');
  assert.ok(!wantsStandings(reduce(gap, example('standings'))));
  const state = reduce(WHOLE, AHEAD);
  assert.equal(reduce(state, AHEAD), state);
  const [first, second] = reduce(state, MOVE).standings;
  assert.equal(first, state.standings[0], 'rows without changes stay the same');
  assert.deepEqual(second, { ...state.standings[1], moves: 5 });
  assert.deepEqual(withChanges([], MOVE), []);
  assert.ok(wantsStandings(reduce(NOTHING, MOVE)), 'before any standings');
  const back = reduce(WHOLE, example('joined', 'came back'));
  assert.ok(wantsStandings(reduce(back, AHEAD)), 'on a new connection');
  const watching = { ...WHOLE, me: { seat: 9, role: 'spectator' } };
  assert.ok(changesOnlyOthers(watching, MOVE), 'they are news of others, as the whole is');
});
