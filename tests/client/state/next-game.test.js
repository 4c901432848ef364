import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_WAIT_S } from '../../../web_client/src/contract/protocol.js';
import { tallyOf } from '../../../web_client/src/room/match.js';
import * as nextGame from '../../../web_client/src/state/next-game.js';
import { isOnlyRacer, NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const { bestOf, choosableGames, dealId, isBetter, isOnlyPlayer, mayStart, newGameMessages } =
  nextGame;
const { nextRace, playOnMessages, repeatableGames, repeatedGame, restartMessages } = nextGame;
const { resultOf, sameDeal } = nextGame;
const SETTINGS = example('joined').room.settings;
const SEED = '24'.repeat(16);

/** Return messages in short: their types, and the changes of `configure`. @param {readonly any[] | null} messages */
const said = (messages) =>
  messages?.map(({ type, settings }) => {
    const other = Object.keys(settings ?? {}).filter((name) => settings[name] !== SETTINGS[name]);
    return [type, ...other.map((name) => `${name}=${settings[name]}`)].join(' ');
  });

test('the same deal again is the seed, or the number, of the round, for one and without a limit', () => {
  const again = sameDeal({ ...SETTINGS, rounds: 6, public: true, after_win_s: 60 }, { seed: SEED });
  const { deal, seed, number, rounds } = again;
  assert.deepEqual([deal, seed, number, rounds, again.public], ['seed', SEED, null, 1, false]);
  assert.deepEqual([again.max_players, again.time_limit_s, again.after_win_s], [1, null, null]);
  const numbered = sameDeal(SETTINGS, { seed: null, number: 24 });
  assert.deepEqual([numbered.deal, numbered.seed, numbered.number], ['numbered', null, 24]);
});

test('practice and open deals are restarted, and a new game is a new deal', () => {
  const room = (deal) => ({ settings: { ...SETTINGS, ...deal }, round: { number: 77, game: 3 } });
  const plain = ['abort', 'start'];
  const numbered = (n) => ['abort', `configure deal=numbered number=${n}`, 'start'];
  for (const [deal, again, fresh] of [
    [{}, undefined, plain],
    [{ deal: 'numbered', number: null }, numbered(75), plain], // the third game of a card adds two
    [{ deal: 'numbered', number: 24 }, plain, numbered(25)],
    [{ deal: 'numbered', number: 1e9 }, plain, numbered(1)],
    [{ deal: 'seed', seed: SEED }, plain, ['abort', 'configure', 'start']],
  ]) {
    assert.deepEqual(said(restartMessages(room(deal))), again);
    assert.deepEqual(said(newGameMessages(room(deal))), fresh);
  }
});

test('a host who is the only racer stays that while others watch', () => {
  const seats = ['RACING', 'WATCHING'].map((state, seat) => ({ seat, state }));
  const me = { seat: 0, role: 'player' };
  const of = (change) => isOnlyRacer({ ...NOTHING, me, room: { host: 0, seats, ...change } });
  const left = [...seats, { seat: 2, state: 'FORFEIT' }];
  assert.deepEqual([of({}), of({ host: 1 }), of({ seats: left })], [true, false, false]);
});

const OWN = { seat: 0, role: 'player', connection: 'on' };
const between = (change) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    ...{ state: 'FINISHED', host: 0, match: null, next_game: 1, seats: [OWN] },
    settings: { ...SETTINGS, exceptions: 'hard', rounds: 6 },
    ...change,
  },
});

test('playing on at a level starts at once for a player alone, else from the room', () => {
  const seats = [OWN, { ...OWN, seat: 1 }];
  const easy = 'configure exceptions=easy rounds=6';
  for (const [change, level, messages] of [
    [{}, undefined, ['next_round', 'start']],
    [{}, 'hard', ['next_round', 'start']],
    [{}, 'easy', ['next_round', easy, 'start']],
    [{ seats }, 'easy', ['next_round', easy]],
    [{ state: 'LOBBY' }, 'easy', [easy]],
    [{ state: 'LOBBY' }, 'hard', []],
  ])
    assert.deepEqual(said(playOnMessages(between(change), level)), messages);
  const with_ = (other) => isOnlyPlayer(between({ seats: [OWN, { ...seats[1], ...other }] }));
  const alone = [{ role: 'spectator' }, { connection: 'gone' }, { connection: 'grace' }].map(with_);
  assert.deepEqual(alone, [true, true, false]);
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
  assert.deepEqual(
    [result(false), result(true)],
    [
      { score: 312, ms: null },
      { score: 312, ms: 90_000 },
    ],
  );
  const best = { score: 500, ms: null };
  // A first result is no new best, and an equal one neither.
  for (const [before, now, after, isNew] of [
    [null, best, best, false],
    [best, best, best, false],
    [best, { score: 501, ms: null }, { score: 501, ms: null }, true],
    [best, { score: 100, ms: 60_000 }, { score: 500, ms: 60_000 }, true],
    [{ score: 990, ms: 90_000 }, { score: 400, ms: 80_000 }, { score: 990, ms: 80_000 }, true],
  ])
    assert.deepEqual([bestOf(before, now), isBetter(before, now)], [after, isNew]);
});

test('a deal has an id by its seed or its number, and none while it is secret', () => {
  const id = (seed, number) => dealId('spider-1', { seed, number });
  const ids = [id(SEED, null), id(null, 24), id(null, null)];
  assert.deepEqual(ids, [`spider-1 ${SEED}`, 'spider-1 24', null]);
});

const ENDED = 1_000_000;
/** The page's clock may be early by a second. */
const LATE = ENDED + HOST_WAIT_S * 1_000 + 1_000;

/** Return a seat from words like `Bob READY gone`; Pip is a computer player. @param {string} words @param {number} seat */
function seatOf(words, seat) {
  const [name, state, connection = 'on', role = 'player'] = words.split(' ');
  const level = name === 'Pip' ? 'beginner' : null;
  return { seat, name, state, connection, role, level, wins: 0 };
}

test('the host begins without players who have had time to answer, and a line names those', () => {
  for (const [players, line, start] of [
    ['Ada FINISHED, Bob FINISHED, Cy FORFEIT', '', 'never'],
    ['Ada FINISHED, Bob READY, Cy FORFEIT', 'Bob wants a rematch.', 'late'],
    ['Ada FINISHED, Bob READY, Cy READY', 'Bob and Cy want a rematch.', 'at once'],
    ['Ada READY, Bob READY, Cy FORFEIT', 'Waiting for Cy…', 'late'],
    ['Ada READY, Bob FINISHED gone', 'Waiting for Bob…', 'at once'],
    ['Ada READY, Don WATCHING on spectator', '', 'never'],
    // Nobody asks computer players, or waits for them.
    ['Ada READY, Pip FINISHED, Bob FINISHED', 'Waiting for Bob…', 'late'],
    ['Ada READY, Pip READY, Bob FINISHED', 'Waiting for Bob…', 'late'],
    ['Ada FINISHED, Pip READY, Bob FINISHED', '', 'never'],
  ]) {
    const room = {
      ...{ state: 'FINISHED', host: 0, round: { n: 1, ended: ENDED }, match: null },
      seats: players.split(', ').map(seatOf),
    };
    const state = { ...NOTHING, me: { seat: 0, role: 'player' }, room };
    assert.equal(strings.nextRaceLine(nextRace(state)), line, players);
    const starts = [ENDED, LATE - 1, LATE].map((now) => mayStart(state, now));
    const isAtOnce = start === 'at once';
    assert.deepEqual(starts, [isAtOnce, isAtOnce, start !== 'never'], players);
    assert.equal(mayStart({ ...state, me: { seat: 1, role: 'player' } }, LATE), false);
    assert.equal(nextRace(state).hasOthers, !players.includes('Don'));
  }
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
