import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../../web_client/src/contract/notation.js';
import { reduce, wantsCards } from '../../../web_client/src/state/reducer.js';
import { coloursOf, takenColours } from '../../../web_client/src/state/seat-colours.js';
import {
  hasComputer,
  NOTHING,
  programSeats,
  screenOf,
} from '../../../web_client/src/state/state.js';
import { example, TO_CLIENT } from '../examples.js';

const after = (...messages) => messages.reduce(reduce, NOTHING);

function freeze(value) {
  for (const part of Object.values(value ?? {})) if (typeof part === 'object') freeze(part);
  return Object.freeze(value);
}

const seated = () => after(example('joined', 'first player'));
const racing = () => [example('room', 'race is on'), example('table')].reduce(reduce, seated());

for (const { about, message } of TO_CLIENT)
  test(`no state is changed in place, from any state: ${about}`, () => {
    for (const state of [NOTHING, seated(), racing()]) {
      freeze(state);
      const next = reduce(state, freeze(readMessage(structuredClone(message))));
      assert.ok(next);
      assert.equal(typeof screenOf(next), 'string');
    }
  });

test('an older room does not come back', () => {
  const state = racing();
  const old = { ...example('room', 'countdown') };
  assert.ok(old.room.v < (state.room?.v ?? 0));
  assert.equal(reduce(state, old), state);
});

test('acts are sent only for the table of this connection', () => {
  const state = racing();
  assert.equal(state.synced, true);
  const lost = reduce(state, { type: '@connection', connection: 'waiting', code: 4004 });
  assert.equal(lost.synced, false);
  const back = reduce(lost, example('joined', 'came back'));
  assert.equal(back.synced, false);
  assert.equal(back.play, state.play, 'the table stays in view meanwhile');
  const fresh = example('table');
  fresh.table.seat = back.me?.seat;
  assert.equal(reduce(back, fresh).synced, true);
});

test('a legal act is shown at once and confirmed by its reply', () => {
  const state = reduce(racing(), {
    type: '@act',
    action: { type: 'move', from: 't8', count: 1, to: 't0' },
  });
  const pile = (s, id) => s.play.shown.piles.find((p) => p.id === id);
  assert.deepEqual(pile(state, 't0').up, ['9S', '8S']);
  assert.deepEqual(pile(state, 't8'), { ...pile(state, 't8'), down: 4, up: [] });
  const done = reduce(state, example('acted'));
  assert.deepEqual(pile(done, 't8').up, ['4S']);
  assert.equal(done.play?.base.score, 12);
  assert.equal(done.play?.inFlight.length, 0);
});

test('a refusal is noticed with the refused act', () => {
  const action = { type: 'move', from: 't2', count: 1, to: 't3' };
  const tried = reduce({ ...racing(), nextId: 2 }, { type: '@act', action });
  const id = tried.play?.inFlight[0]?.id;
  const state = reduce(tried, { ...example('refused', 'illegal'), id });
  assert.deepEqual(state.notice?.attempt, action);
  assert.equal(state.notice?.code, 'wrong_rank');
  assert.equal(state.play?.inFlight.length, 0);
});

test('the hash that counts is the one shown before the race', () => {
  const counting = reduce(seated(), example('room', 'countdown'));
  const other = example('room', 'race is on');
  const seal = counting.promise?.commitment;
  other.room.round.commitment = 'f'.repeat(64);
  assert.equal(reduce(counting, other).promise?.commitment, seal);
});

test('a new round keeps only the next id of the old one', () => {
  const state = reduce({ ...racing(), nextId: 40 }, example('round_over'));
  const room = example('room', 'countdown').room;
  const next = { type: 'room', room: { ...room, v: 90, round: { ...room.round, n: 2 } } };
  const fresh = reduce(state, next);
  assert.deepEqual([fresh.play, fresh.over], [null, null]);
  assert.deepEqual(fresh.standings, []);
  assert.equal(reduce(fresh, example('table')).play?.nextId, 40);
});

test('types of a newer server are ignored', () => {
  const state = racing();
  assert.equal(reduce(state, { type: 'said', text: 'hello' }), state);
});

test('a watched board does not replace the own table', () => {
  const state = racing();
  const other = example('table');
  other.table.seat = 7;
  const next = reduce(state, other);
  assert.equal(next.play, state.play);
  assert.equal(next.boards[7], other.table);
});

test('the own board can be watched when the round is over', () => {
  const over = { ...racing(), room: { ...racing().room, state: 'FINISHED' } };
  const own = example('table');
  own.table.seat = over.me?.seat;
  const next = reduce(over, own);
  assert.equal(next.play, over.play);
  assert.equal(next.boards[own.table.seat], own.table);
});

test('changes of a large room are merged into the known room', () => {
  const before = seated();
  const [first] = before.room?.seats ?? [];
  const seats = [
    { ...first, state: 'SEATED' },
    { ...first, seat: 9, name: 'Kim' },
  ];
  const state = reduce(before, { ...example('changes'), v: 9, host: 1, seats, gone: [2] });
  const all = state.room?.seats.map(({ seat, name, state: is }) => `${seat} ${name} ${is}`);
  assert.deepEqual(all, ['0 Ada SEATED', '1 Grace SEATED', '9 Kim READY']);
  assert.deepEqual([state.room?.v, state.room?.host], [9, 1]);
  assert.deepEqual(state.room?.settings, before.room?.settings);
});

test('score cards that are not sent along are kept until another round is over', () => {
  const bare = (played) => {
    const message = example('room', 'between the rounds');
    return { ...message, room: { ...message.room, match: null, played } };
  };
  const asked = [bare(2)].reduce(reduce, seated());
  assert.equal(wantsCards(asked), true);
  const known = [example('match'), bare(2)].reduce(reduce, asked);
  assert.equal(wantsCards(known), false);
  assert.equal(known.room?.match?.n.length, 2);
  assert.equal(reduce(known, bare(3)).room?.match, null);
  assert.equal(wantsCards(reduce(known, bare(0))), false);
});

test('a start is on its way until the room or a refusal answers it', () => {
  const lobby = reduce(seated(), { ...example('room', 'race is on'), room: { ...seated().room } });
  const own = lobby.room?.seats.find(({ seat }) => seat === lobby.me?.seat);
  const changed = (state) => ({
    type: 'changes',
    v: 90,
    host: 0,
    gone: [],
    seats: [{ ...own, state }],
  });
  const ready = reduce(lobby, { type: '@starting', command: 'ready' });
  assert.equal(ready.starting, 'ready');
  const sees = (from, message) => reduce(from, message).starting;
  assert.equal(sees(ready, changed('SEATED')), 'ready');
  assert.equal(sees(ready, changed('READY')), null);
  assert.equal(sees(ready, { type: '@connection', connection: 'waiting' }), null);
  assert.equal(sees(ready, { type: 'refused', command: 'ready', code: 'busy', details: {} }), null);
  assert.equal(
    sees(ready, { type: 'refused', command: 'act', code: 'busy', details: {} }),
    'ready',
  );
  const start = reduce(lobby, { type: '@starting', command: 'start' });
  assert.equal(sees(start, changed('READY')), 'start');
  assert.equal(sees(start, example('room', 'countdown')), null);
});

test('each room state has its screen', () => {
  assert.equal(screenOf(NOTHING), 'landing');
  const inRoom = reduce(NOTHING, example('joined', 'first player'));
  assert.equal(screenOf(inRoom), 'room');
  assert.equal(screenOf(reduce(inRoom, example('room', 'countdown'))), 'countdown');
  assert.equal(screenOf(reduce(inRoom, example('room', 'race is on'))), 'race');
});

test('programs are those in the room, and players of its round who have left', () => {
  const { room } = example('joined');
  const [ada, grace] = room.seats;
  const seats = [ada, { ...grace, kind: 'program' }];
  assert.deepEqual([...programSeats({ ...room, seats })], [[1, null]]);
  const round = { programs: [1, 7] };
  assert.deepEqual([...programSeats({ ...room, seats, round }).keys()].sort(), [1, 7]);
  assert.equal(programSeats(null).size, 0);
});

test('a computer player is a program with a level', () => {
  const { room } = example('joined');
  const [ada, grace] = room.seats;
  assert.equal(hasComputer(room), false);
  const seats = [ada, { ...grace, kind: 'program', level: 'club' }];
  const programs = programSeats({ ...room, seats, round: { programs: [1] } });
  assert.deepEqual([...programs], [[1, 'club']]);
  assert.equal(hasComputer({ ...room, seats }), true);
});

/** A room of seats with these colours; a colour in brackets is a spectator's. @param {(string | undefined)[]} colours */
const room = (...colours) => ({
  ...example('joined').room,
  seats: colours.map((colour, seat) => ({
    seat,
    colour: colour?.replace(/[()]/g, ''),
    role: colour?.startsWith('(') ? 'spectator' : 'player',
  })),
});

test('the server says which colour a seat has', () => {
  const colours = coloursOf(room('gold', 'blue'));
  assert.deepEqual([0, 1].map(colours), ['gold', 'blue']);
});

test('players who have left keep their colours in the results', () => {
  const over = example('round_over', 'secret');
  assert.deepEqual([0, 1].map(coloursOf(null, over)), ['blue', 'gold']);
  assert.deepEqual([0, 1].map(coloursOf(room('pink'), over)), ['pink', 'gold']);
});

test('a server of release 1.0 sends no colours: the numbers of the seats give them', () => {
  const colours = coloursOf(room(undefined, undefined));
  assert.deepEqual([0, 1, 8].map(colours), ['blue', 'red', 'blue']);
});

test('colours of other players are taken, but not those of spectators', () => {
  assert.deepEqual([...takenColours(room('blue', 'gold', '(teal)'), 0)], ['gold']);
});
