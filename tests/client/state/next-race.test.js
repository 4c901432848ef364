import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_WAIT_S } from '../../../web_client/src/contract/protocol.js';
import { tallyOf } from '../../../web_client/src/room/tally.js';
import { hasArrived, nextMessage } from '../../../web_client/src/state/computer-race.js';
import { mayStart, nextRace } from '../../../web_client/src/state/next-race.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const ENDED = 1_000_000;
/** The page's clock may be early by a second. */
const LATE = ENDED + HOST_WAIT_S * 1_000 + 1_000;

/** Return a seat from words like `Bob READY gone`. @param {string} words @param {number} seat */
function seatOf(words, seat) {
  const [name, state, connection = 'on', role = 'player'] = words.split(' ');
  return { seat, name, state, connection, role, wins: 0 };
}

/** A finished room, seen from its first seat, which is the host. @param {string[]} seats */
const room = (...seats) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    ...{ state: 'FINISHED', host: 0, round: { n: 1, ended: ENDED }, match: null },
    seats: seats.map(seatOf),
  },
});

const line = (state) => strings.nextRaceLine(nextRace(state));

test('the line above the buttons tells who wants a rematch, and who is awaited', () => {
  for (const [seats, words] of [
    [['Ada FINISHED', 'Bob FINISHED', 'Cy FORFEIT'], ''],
    [['Ada FINISHED', 'Bob READY', 'Cy FORFEIT'], 'Bob wants a rematch.'],
    [['Ada FINISHED', 'Bob READY', 'Cy READY'], 'Bob and Cy want a rematch.'],
    [['Ada READY', 'Bob READY', 'Cy FORFEIT'], 'Waiting for Cy…'],
    [['Ada READY', 'Bob FINISHED gone'], 'Waiting for Bob…'],
    [['Ada READY', 'Don WATCHING on spectator'], ''],
  ])
    assert.equal(line(room(...seats)), words);
  // Nobody asks computer players, or waits for them.
  const state = room('Ada READY', 'Pip FINISHED', 'Bob FINISHED');
  const [ada, pip] = state.room.seats;
  pip.level = 'beginner';
  assert.equal(line(state), 'Waiting for Bob…');
  pip.state = 'READY';
  assert.equal(line(state), 'Waiting for Bob…');
  ada.state = 'FINISHED';
  assert.deepEqual([line(state), mayStart(state, LATE)], ['', false]);
  assert.equal(nextRace(state).hasOthers, true);
});

test('the host begins without the others once they have had time to answer', () => {
  const state = room('Ada READY', 'Bob FINISHED', 'Cy READY');
  assert.deepEqual([mayStart(state, LATE - 1), mayStart(state, LATE)], [false, true]);
  assert.equal(mayStart({ ...state, me: { seat: 1, role: 'player' } }, LATE), false);
  assert.equal(mayStart(room('Ada FINISHED', 'Bob FINISHED'), LATE), false);
  assert.equal(mayStart(room('Ada READY', 'Bob FINISHED gone'), ENDED), true);
  assert.equal(mayStart(room('Ada READY'), LATE), false);
  assert.equal(strings.startWithout(nextRace(state).missing), 'Start without Bob');
});

test('the tally lists the players by their wins, and of many only the winners', () => {
  const [ada, bob, don] = ['Ada FINISHED', 'Bob FINISHED', 'Don WATCHING on spectator'].map(seatOf);
  assert.deepEqual(tallyOf([ada, bob, don]), []);
  const ben = { ...bob, wins: 2 };
  assert.deepEqual([tallyOf([ada, ben, don]), tallyOf([ben])], [[ben, ada], []]);
  const all = Array.from({ length: 9 }, (_, seat) => seatOf('Ada SEATED', seat));
  const [first, ...rest] = all;
  const best = { ...rest.pop(), wins: 1 };
  assert.deepEqual(tallyOf([first, ...rest, best]), [best]);
  assert.equal(tallyOf([...rest.slice(0, 5), best]).length, 6);
});

const RIVAL = { level: 'club', attempt: 'first-press-of-club' };

const ADA = { seat: 0, name: 'Ada', role: 'player', state: 'SEATED', connection: 'on' };
const BOT = { ...ADA, seat: 1, name: 'Bot Juno', state: 'READY', kind: 'program', level: 'club' };

/** Return the message about a room, seen from its first seat. @param {string} type @param {any[]} seats @param {string} [state] */
function message(type, seats, state = 'LOBBY') {
  const { room: of } = example('joined');
  return { ...example('joined'), type, seat: 0, room: { ...of, seats, host: 0, state } };
}

const after = (...messages) => messages.reduce(reduce, NOTHING);

const joined = message('joined', [ADA]);
const withBot = message('room', [ADA, BOT]);

test('in a new room a computer player is added, and then the race is started', () => {
  assert.deepEqual(nextMessage(RIVAL, after(joined)), {
    type: 'add_bot',
    level: 'club',
    attempt: 'first-press-of-club',
  });
  assert.deepEqual(nextMessage(RIVAL, after(joined, withBot)), { type: 'ready', ready: true });
  const ready = message('room', [{ ...ADA, state: 'READY' }, BOT]);
  assert.equal(nextMessage(RIVAL, after(joined, withBot, ready)), null);
});

test('after a lost connection the race goes on from where it was, until it has started', () => {
  const again = message('joined', [ADA, BOT]);
  assert.equal(nextMessage(RIVAL, after(joined, again))?.type, 'ready');
  assert.equal(nextMessage(RIVAL, after(joined, joined))?.type, 'add_bot');
  const counting = message('room', [ADA, BOT], 'COUNTDOWN');
  assert.equal(hasArrived(after(joined), joined), false);
  assert.equal(hasArrived(after(joined, withBot), withBot), false);
  assert.equal(hasArrived(after(joined, counting), counting), true);
  assert.equal(nextMessage(RIVAL, after(joined, counting)), null);
});

test('a refusal leaves the player in the room, with its reason', () => {
  const details = { cards: [], piles: [], fields: [], reason: null };
  const refused = { type: 'refused', id: null, command: 'add_bot', code: 'no_bots', details };
  const state = after(joined, refused);
  assert.deepEqual([hasArrived(state, refused), state.room?.state], [true, 'LOBBY']);
  assert.equal(state.notice?.code, 'no_bots');
});
