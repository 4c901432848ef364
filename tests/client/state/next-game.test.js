import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_WAIT_S } from '../../../web_client/src/contract/protocol.js';
import { tallyOf } from '../../../web_client/src/room/tally.js';
import * as nextGame from '../../../web_client/src/state/next-game.js';
import { isOnlyRacer, NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const { bestOf, choosableGames, dealId, isBetter, isOnlyPlayer, mayStart, newGameMessages } =
  nextGame;
const { nextRace, playOnMessages, repeatableGames, repeatedGame, restartMessages } = nextGame;
const { resultOf, sameDeal } = nextGame;
const SETTINGS = example('joined').room.settings;
const room = (change) => ({
  ...{ settings: SETTINGS, round: { number: null, game: 1 }, match: null, ...change },
});

const SEED = '24'.repeat(16);

test('the same deal again is the seed, or the number, of the round, for one and without a limit', () => {
  const again = sameDeal({ ...SETTINGS, rounds: 6, public: true, after_win_s: 60 }, { seed: SEED });
  const { deal, seed, number, rounds } = again;
  assert.deepEqual([deal, seed, number, rounds, again.public], ['seed', SEED, null, 1, false]);
  assert.deepEqual([again.max_players, again.time_limit_s, again.after_win_s], [1, null, null]);
  const numbered = sameDeal(SETTINGS, { seed: null, number: 24 });
  assert.deepEqual([numbered.deal, numbered.seed, numbered.number], ['numbered', null, 24]);
});

test('practice is restarted with any deal, an open deal too, a secret one not', () => {
  const alone = room({ settings: { ...SETTINGS, max_players: 1 } });
  assert.deepEqual(restartMessages(alone), [{ type: 'abort' }, { type: 'start', again: true }]);
  assert.equal(restartMessages(room({})), null);
  const types = (messages) => messages.map((m) => m.type);
  const fixed = { ...SETTINGS, deal: 'numbered', number: 24 };
  assert.deepEqual(types(restartMessages(room({ settings: fixed }))), ['abort', 'start']);
  const numbered = { ...SETTINGS, deal: 'numbered' };
  const drawn = room({ settings: numbered, round: { number: 77, game: 3 } });
  const said = restartMessages(drawn);
  assert.deepEqual(types(said), ['abort', 'configure', 'start']);
  assert.equal(said[1].settings.number, 75, 'the third game of a card adds two');
});

test('a host who is the only racer stays that while others watch', () => {
  const seats = ['RACING', 'WATCHING'].map((state, seat) => ({ seat, state }));
  const me = { seat: 0, role: 'player' };
  const of = (change) => ({ ...NOTHING, me, room: { host: 0, seats, ...change } });
  assert.ok(isOnlyRacer(of({})) && !isOnlyRacer(of({ host: 1 })));
  assert.ok(!isOnlyRacer(of({ seats: [...seats, { seat: 2, state: 'FORFEIT' }] })));
});

/** Return messages in short: their types, and the changes of `configure`. @param {readonly any[]} messages */
const said = (messages) =>
  messages.map(({ type, settings }) => {
    const other = Object.keys(settings ?? {}).filter((name) => settings[name] !== SETTINGS[name]);
    return [type, ...other.map((name) => `${name}=${settings[name]}`)].join(' ');
  });

test('a new game is a new deal: fresh, the next number, and no known seed', () => {
  const by = (deal) => said(newGameMessages(room({ settings: { ...SETTINGS, ...deal } })));
  assert.deepEqual(by({}), ['abort', 'start']);
  assert.deepEqual(by({ deal: 'numbered', number: null }), ['abort', 'start'], 'one is drawn');
  const next = ['abort', 'configure deal=numbered number=25', 'start'];
  assert.deepEqual(by({ deal: 'numbered', number: 24 }), next);
  assert.equal(by({ deal: 'numbered', number: 1e9 })[1], 'configure deal=numbered number=1');
  const seeded = newGameMessages(room({ settings: { ...SETTINGS, deal: 'seed', seed: SEED } }));
  assert.deepEqual(said(seeded), ['abort', 'configure', 'start']);
});

const between = (change) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    ...{ state: 'FINISHED', host: 0, match: null, next_game: 1 },
    settings: { ...SETTINGS, exceptions: 'hard', rounds: 6 },
    seats: [{ seat: 0, role: 'player', connection: 'on' }],
    ...change,
  },
});

test('playing on at a level starts at once for a player alone, else from the room', () => {
  const others = [{ seat: 1, role: 'player', connection: 'on' }];
  const types = (state, level) => playOnMessages(state, level).map(({ type }) => type);
  assert.deepEqual(types(between({})), ['next_round', 'start']);
  assert.deepEqual(types(between({}), 'hard'), ['next_round', 'start']);
  assert.deepEqual(types(between({}), 'easy'), ['next_round', 'configure', 'start']);
  assert.deepEqual(types(between({ seats: others }), 'easy'), ['next_round', 'configure']);
  assert.deepEqual(types(between({ state: 'LOBBY' }), 'easy'), ['configure']);
  assert.deepEqual(types(between({ state: 'LOBBY' }), 'hard'), []);
  const [, configure] = playOnMessages(between({}), 'easy');
  assert.deepEqual([configure.settings.exceptions, configure.settings.rounds], ['easy', 6]);
  const with_ = (seat) => isOnlyPlayer(between({ seats: [{ seat: 0, role: 'player' }, seat] }));
  assert.ok(isOnlyPlayer(between({})) && with_({ seat: 1, role: 'spectator', connection: 'on' }));
  assert.ok(with_({ seat: 1, role: 'player', connection: 'gone' }));
  assert.ok(!with_({ seat: 1, role: 'player', connection: 'grace' }));
});

test('games of a card of six are chosen once, and between two races again', () => {
  const played = { match: { numbers: [3, 1] } };
  assert.deepEqual(choosableGames(between({})), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(choosableGames(between(played)), [2, 4, 5, 6]);
  assert.deepEqual(choosableGames(between({ next_game: null })), [], 'a race, or all are played');
  const { settings } = between({}).room;
  for (const [change, games] of [
    [{}, [1, 3]],
    [{ next_game: null }, [1, 3]], // all are played
    [{ state: 'RUNNING' }, []],
    [{ settings: { ...settings, rounds: 5 } }, []],
  ])
    assert.deepEqual(repeatableGames(between({ ...played, ...change })), games);
  const repeated = [3, 2].map((next_game) => repeatedGame(between({ ...played, next_game })));
  assert.deepEqual(repeated, [3, undefined]);
});

test('score and time are best by themselves, and a game that is not won has no time', () => {
  const result = (won) => resultOf({ score: 312, won, finished_ms: 90_000 });
  assert.deepEqual([result(false).ms, result(true).ms, result(true).score], [null, 90_000, 312]);
  const old = { score: 990, ms: 90_000 };
  assert.deepEqual(bestOf(null, old), old);
  assert.deepEqual(bestOf(old, { score: 400, ms: 80_000 }), { score: 990, ms: 80_000 });
  assert.equal(bestOf({ score: 10, ms: null }, { score: 9, ms: null }).ms, null);
  // A first result is no new best, and an equal one neither.
  const best = { score: 500, ms: null };
  for (const [before, now, isNew] of [
    [null, best, false],
    [best, best, false],
    [best, { score: 501, ms: null }, true],
    [best, { score: 100, ms: 60_000 }, true],
  ])
    assert.equal(isBetter(before, now), isNew);
});

test('a deal has an id by its seed or its number, and none while it is secret', () => {
  const id = (seed, number) => dealId('spider-1', { seed, number });
  const ids = [id(SEED, null), id(null, 24), id(null, null)];
  assert.deepEqual(ids, [`spider-1 ${SEED}`, 'spider-1 24', null]);
});

const ENDED = 1_000_000;
/** The page's clock may be early by a second. */
const LATE = ENDED + HOST_WAIT_S * 1_000 + 1_000;

/** Return a seat from words like `Bob READY gone`. @param {string} words @param {number} seat */
function seatOf(words, seat) {
  const [name, state, connection = 'on', role = 'player'] = words.split(' ');
  return { seat, name, state, connection, role, wins: 0 };
}

/** A finished room, seen from its first seat, which is the host. @param {string[]} seats */
const finished = (...seats) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    ...{ state: 'FINISHED', host: 0, round: { n: 1, ended: ENDED }, match: null },
    seats: seats.map(seatOf),
  },
});

const line = (state) => strings.nextRaceLine(nextRace(state));

test('the line above the buttons names the players who want a rematch and those still missing', () => {
  for (const [seats, words] of [
    [['Ada FINISHED', 'Bob FINISHED', 'Cy FORFEIT'], ''],
    [['Ada FINISHED', 'Bob READY', 'Cy FORFEIT'], 'Bob wants a rematch.'],
    [['Ada FINISHED', 'Bob READY', 'Cy READY'], 'Bob and Cy want a rematch.'],
    [['Ada READY', 'Bob READY', 'Cy FORFEIT'], 'Waiting for Cy…'],
    [['Ada READY', 'Bob FINISHED gone'], 'Waiting for Bob…'],
    [['Ada READY', 'Don WATCHING on spectator'], ''],
  ])
    assert.equal(line(finished(...seats)), words);
  // Nobody asks computer players, or waits for them.
  const state = finished('Ada READY', 'Pip FINISHED', 'Bob FINISHED');
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
  const state = finished('Ada READY', 'Bob FINISHED', 'Cy READY');
  assert.deepEqual([mayStart(state, LATE - 1), mayStart(state, LATE)], [false, true]);
  assert.equal(mayStart({ ...state, me: { seat: 1, role: 'player' } }, LATE), false);
  assert.equal(mayStart(finished('Ada FINISHED', 'Bob FINISHED'), LATE), false);
  assert.equal(mayStart(finished('Ada READY', 'Bob FINISHED gone'), ENDED), true);
  assert.equal(mayStart(finished('Ada READY'), LATE), false);
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
