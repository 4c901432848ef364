import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_WAIT_S } from '../../../web_client/src/contract/protocol.js';
import { tallyOf } from '../../../web_client/src/room/match.js';
import * as next from '../../../web_client/src/state/next-game.js';
import { isOnlyRacer, NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const SETTINGS = example('joined').room.settings;
const SEED = '24'.repeat(16);
const me = { seat: 0, role: 'player' };

/** Return messages in short form: their types, and the changes of `configure`. @param {readonly any[] | null} messages */
const said = (messages) =>
  messages?.map(({ type, settings }) => {
    const other = Object.keys(settings ?? {}).filter((name) => settings[name] !== SETTINGS[name]);
    return [type, ...other.map((name) => `${name}=${settings[name]}`)].join(' ');
  });

test('the same deal comes again by its seed or number, for one player and without a limit', () => {
  const settings = { ...SETTINGS, rounds: 6, public: true, after_win_s: 60 };
  const alone = { max_players: 1, time_limit_s: null, after_win_s: null, public: false, rounds: 1 };
  const bySeed = { deal: 'seed', seed: SEED, number: null };
  for (const deal of [bySeed, { deal: 'numbered', seed: null, number: 24 }]) {
    const again = next.sameDeal(settings, deal);
    assert.deepEqual(again, { ...again, ...alone, ...deal });
  }
});

test('practice and open deals can be restarted, and a new game has a new deal', () => {
  const plain = ['abort', 'start'];
  const numbered = (n) => ['abort', `configure deal=numbered number=${n}`, 'start'];
  for (const [deal, again, fresh] of [
    [{}, undefined, plain],
    [{ deal: 'numbered', number: null }, numbered(75), plain], // the third game of a card adds two
    [{ deal: 'numbered', number: 24 }, plain, numbered(25)],
    [{ deal: 'numbered', number: 1e9 }, plain, numbered(1)],
    [{ deal: 'seed', seed: SEED }, plain, ['abort', 'configure', 'start']],
  ]) {
    const room = { settings: { ...SETTINGS, ...deal }, round: { number: 77, game: 3 } };
    assert.deepEqual(said(next.restartMessages(room)), again);
    assert.deepEqual(said(next.newGameMessages(room)), fresh);
  }
});

/** Return seats from words like `Ada READY, Bob READY gone`; Pip is a computer player. @param {string} words */
const seatsOf = (words) =>
  words.split(', ').map((each, seat) => {
    const [name, state, connection = 'on', role = 'player'] = each.split(' ');
    const level = name === 'Pip' ? 'beginner' : null;
    return { seat, name, state, connection, role, level, wins: 0 };
  });

test('a host who races alone still does while others watch', () => {
  const isOnly = (words, host) =>
    isOnlyRacer({ ...NOTHING, me, room: { host, seats: seatsOf(words) } });
  assert.ok(isOnly('Ada RACING, Bob WATCHING', 0) && !isOnly('Ada RACING, Bob WATCHING', 1));
  assert.ok(!isOnly('Ada RACING, Bob WATCHING, Cy FORFEIT', 0));
});

/** Return the state between two races. @param {any} [change] of the room @param {string} [words] */
function between(change = {}, words = 'Ada FINISHED') {
  const settings = { ...SETTINGS, exceptions: 'hard', rounds: 6 };
  const room = { ...example('joined').room, state: 'FINISHED', seats: seatsOf(words), settings };
  return { ...NOTHING, me, room: { ...room, ...change } };
}

test('playing on at a level starts at once for a lone player, and otherwise leads to the lobby', () => {
  const easy = 'configure exceptions=easy rounds=6';
  const [LOBBY, two] = [{ state: 'LOBBY' }, 'Ada FINISHED, Bob FINISHED'];
  for (const [state, level, messages] of [
    [between(), undefined, ['next_round', 'start']],
    [between(), 'hard', ['next_round', 'start']],
    [between(), 'easy', ['next_round', easy, 'start']],
    [between({}, two), 'easy', ['next_round', easy]],
    [between({}, `${two} on spectator`), 'easy', ['next_round', easy, 'start']],
    [between({}, `${two} gone`), 'easy', ['next_round', easy, 'start']],
    [between({}, `${two} grace`), 'easy', ['next_round', easy]],
    [between(LOBBY), 'easy', [easy]],
    [between(LOBBY), 'hard', []],
  ])
    assert.deepEqual(said(next.playOnMessages(state, level)), messages);
});

test('rounds of a card of six can be chosen once, and again between two races', () => {
  const played = { match: { numbers: [3, 1] } };
  assert.deepEqual(next.choosableGames(between()), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(next.choosableGames(between(played)), [2, 4, 5, 6]);
  assert.deepEqual(next.choosableGames(between({ next_game: null })), [], 'a race, or the end');
  for (const [change, games] of [
    [{}, [1, 3]],
    [{ next_game: null }, [1, 3]], // all are played
    [{ state: 'RUNNING' }, []],
    [{ settings: { ...SETTINGS, rounds: 5 } }, []],
  ])
    assert.deepEqual(next.repeatableGames(between({ ...played, ...change })), games);
  const repeated = [3, 2].map((game) => next.repeatedGame(between({ ...played, next_game: game })));
  assert.deepEqual(repeated, [3, undefined]);
});

test('the best game is the fastest win, or else the highest score', () => {
  const result = (won) => next.resultOf({ score: 312, won, finished_ms: 90_000 });
  assert.deepEqual([result(false).ms, result(true)], [null, { score: 312, ms: 90_000 }]);
  const best = { score: 500, ms: null };
  for (const [now, before, isBetter] of [
    [best, best, false],
    [{ score: 501, ms: null }, best, true],
    [{ score: 100, ms: 60_000 }, best, true], // a win
    [{ score: 400, ms: 80_000 }, { score: 990, ms: 90_000 }, true],
    [{ score: 990, ms: 90_000 }, { score: 400, ms: 80_000 }, false],
    [{ score: 990, ms: null }, { score: 400, ms: 80_000 }, false],
  ])
    assert.equal(next.isBetter(before, now), isBetter);
});

const ENDED = 1_000_000;
/** The page's clock may be early by a second. */
const LATE = ENDED + HOST_WAIT_S * 1_000 + 1_000;

test('the host may start without players who have had time to answer, and a line names them', () => {
  for (const [players, line, start] of [
    ['Ada FINISHED, Bob FINISHED, Cy FORFEIT', '', 'never'],
    ['Ada FINISHED, Bob READY, Cy FORFEIT', 'Bob wants a rematch.', 'late'],
    ['Ada FINISHED, Bob READY, Cy READY', 'Bob and Cy want a rematch.', 'at once'],
    ['Ada READY, Bob READY, Cy FORFEIT', 'Waiting for Cy…', 'late'],
    ['Ada READY, Bob FINISHED gone', 'Waiting for Bob…', 'at once'],
    ['Ada READY, Don WATCHING on spectator', '', 'never'],
    // Nobody has to ask computer players or wait for them.
    ['Ada READY, Pip FINISHED, Bob FINISHED', 'Waiting for Bob…', 'late'],
    ['Ada READY, Pip READY, Bob FINISHED', 'Waiting for Bob…', 'late'],
    ['Ada FINISHED, Pip READY, Bob FINISHED', '', 'never'],
  ]) {
    const state = between({ round: { n: 1, ended: ENDED } }, players);
    assert.equal(strings.nextRaceLine(next.nextRace(state)), line, players);
    const starts = [ENDED, LATE - 1, LATE].map((now) => next.mayStart(state, now));
    const isAtOnce = start === 'at once';
    assert.deepEqual(starts, [isAtOnce, isAtOnce, start !== 'never'], players);
    assert.equal(next.mayStart({ ...state, me: { seat: 1, role: 'player' } }, LATE), false);
    assert.equal(next.nextRace(state).hasOthers, !players.includes('Don'));
  }
});

test('the tally lists players by their wins, and only the winners if there are many', () => {
  const [ada, bob, don] = seatsOf('Ada FINISHED, Bob FINISHED, Don WATCHING on spectator');
  assert.deepEqual(tallyOf([ada, bob, don]), []);
  const ben = { ...bob, wins: 2 };
  assert.deepEqual([tallyOf([ada, ben, don]), tallyOf([ben])], [[ben, ada], []]);
  const many = Array(8).fill(ada);
  assert.deepEqual(tallyOf([...many, ben]), [ben]);
  assert.equal(tallyOf([...many.slice(3), ben]).length, 6);
});
