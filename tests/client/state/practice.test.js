import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choosableGames,
  isOnlyPlayer,
  newGameMessages,
  playOnMessages,
  repeatableGames,
  repeatedGame,
  restartMessages,
  sameDeal,
} from '../../../web_client/src/state/practice.js';
import { bestOf, dealId, isBetter, resultOf } from '../../../web_client/src/state/practice-best.js';
import { isOnlyRacer, NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const SETTINGS = example('joined').room.settings;
const room = (change) => ({
  settings: SETTINGS,
  round: { number: null, game: 1 },
  match: null,
  ...change,
});

test('the same deal again is the seed, or the number, of the round', () => {
  const seed = '24'.repeat(16);
  const again = sameDeal({ ...SETTINGS, rounds: 6, public: true }, { seed });
  assert.deepEqual(
    [again.deal, again.seed, again.number, again.rounds, again.public],
    ['seed', seed, null, 1, false],
  );
  const numbered = sameDeal(SETTINGS, { seed: null, number: 24 });
  assert.deepEqual([numbered.deal, numbered.seed, numbered.number], ['numbered', null, 24]);
});

test('a practice room is for one, without a limit', () => {
  const seed = '24'.repeat(16);
  const again = sameDeal({ ...SETTINGS, after_win_s: 60 }, { seed });
  assert.deepEqual([again.max_players, again.time_limit_s, again.after_win_s], [1, null, null]);
});

test('practice is restarted with any deal', () => {
  const alone = room({ settings: { ...SETTINGS, max_players: 1 } });
  assert.deepEqual(restartMessages(alone), [{ type: 'abort' }, { type: 'start', again: true }]);
});

test('an open deal can be restarted, a secret one cannot', () => {
  assert.equal(restartMessages(room({})), null);
  const types = (messages) => messages.map((m) => m.type);
  const fixed = { ...SETTINGS, deal: 'numbered', number: 24 };
  assert.deepEqual(types(restartMessages(room({ settings: fixed }))), ['abort', 'start']);
  const drawn = room({
    settings: { ...SETTINGS, deal: 'numbered' },
    round: { number: 77, game: 3 },
  });
  const said = restartMessages(drawn);
  assert.deepEqual(types(said), ['abort', 'configure', 'start']);
  assert.equal(said[1].settings.number, 75, 'the third game of a card adds two');
});

test('a host who is the only racer stays that while others watch', () => {
  const seats = [
    { seat: 0, state: 'RACING' },
    { seat: 1, state: 'WATCHING' },
  ];
  const state = (change) => ({
    ...NOTHING,
    me: { seat: 0, role: 'player' },
    room: { host: 0, seats, ...change },
  });
  assert.ok(isOnlyRacer(state({})) && !isOnlyRacer(state({ host: 1 })));
  assert.ok(!isOnlyRacer(state({ seats: [...seats, { seat: 2, state: 'FORFEIT' }] })));
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
  assert.deepEqual(by({ deal: 'numbered', number: 24 }), [
    'abort',
    'configure deal=numbered number=25',
    'start',
  ]);
  assert.equal(by({ deal: 'numbered', number: 1e9 })[1], 'configure deal=numbered number=1');
  const seeded = newGameMessages(
    room({ settings: { ...SETTINGS, deal: 'seed', seed: '24'.repeat(16) } }),
  );
  assert.deepEqual(said(seeded), ['abort', 'configure', 'start']);
});

const between = (change) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    state: 'FINISHED',
    host: 0,
    settings: { ...SETTINGS, exceptions: 'hard', rounds: 6 },
    seats: [{ seat: 0, role: 'player', connection: 'on' }],
    match: null,
    next_game: 1,
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
});

test('spectators and players who are gone do not count as company', () => {
  const with_ = (seat) => isOnlyPlayer(between({ seats: [{ seat: 0, role: 'player' }, seat] }));
  assert.ok(isOnlyPlayer(between({})) && with_({ seat: 1, role: 'spectator', connection: 'on' }));
  assert.ok(with_({ seat: 1, role: 'player', connection: 'gone' }));
  assert.ok(!with_({ seat: 1, role: 'player', connection: 'grace' }));
});

test('the games that can be chosen are those that are not played', () => {
  assert.deepEqual(choosableGames(between({})), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(choosableGames(between({ match: { numbers: [3, 1] } })), [2, 4, 5, 6]);
  assert.deepEqual(
    choosableGames(between({ next_game: null })),
    [],
    'a race is on, or all are played',
  );
});

test('the rounds of a card of six that are played can be chosen again between two races', () => {
  const played = { match: { numbers: [3, 1] } };
  assert.deepEqual(repeatableGames(between(played)), [1, 3]);
  assert.equal(repeatedGame(between({ ...played, next_game: 3 })), 3);
  assert.equal(repeatedGame(between({ ...played, next_game: 2 })), undefined);
  assert.deepEqual(
    repeatableGames(between({ ...played, next_game: null })),
    [1, 3],
    'all are played',
  );
  assert.deepEqual(repeatableGames(between({ ...played, state: 'RUNNING' })), []);
  const { settings } = between({}).room;
  assert.deepEqual(
    repeatableGames(between({ ...played, settings: { ...settings, rounds: 5 } })),
    [],
  );
});

const SEED = '0f'.repeat(16);

test('a game that is not won has a score and no time', () => {
  assert.deepEqual(resultOf({ score: 312, won: false, finished_ms: 90_000 }), {
    score: 312,
    ms: null,
  });
  assert.deepEqual(resultOf({ score: 990, won: true, finished_ms: 90_000 }), {
    score: 990,
    ms: 90_000,
  });
});

test('score and time are best by themselves', () => {
  const old = { score: 990, ms: 90_000 };
  assert.deepEqual(bestOf(null, old), old);
  assert.deepEqual(bestOf(old, { score: 400, ms: 80_000 }), { score: 990, ms: 80_000 });
  assert.deepEqual(bestOf({ score: 10, ms: null }, { score: 9, ms: null }), {
    score: 10,
    ms: null,
  });
});

test('a first result is no new best, and an equal one neither', () => {
  const old = { score: 500, ms: null };
  assert.deepEqual([isBetter(null, old), isBetter(old, old)], [false, false]);
  assert.equal(isBetter(old, { score: 501, ms: null }), true);
  assert.equal(isBetter(old, { score: 100, ms: 60_000 }), true);
});

test('a deal has an id by its seed or its number, and none while it is secret', () => {
  assert.equal(dealId('spider-1', { seed: SEED, number: null }), `spider-1 ${SEED}`);
  assert.equal(dealId('spider-1', { seed: null, number: 24 }), 'spider-1 24');
  assert.equal(dealId('spider-1', { seed: null, number: null }), null);
});
