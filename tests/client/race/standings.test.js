import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { placeInRace } from '../../../web_client/src/race/header.js';
import { gap, steps, stripSeats, waysHome } from '../../../web_client/src/race/standings.js';
import { leader } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const [some] = example('standings').standings;
const plain = { ...some, state: 'RACING', won: false, finished_ms: null, late_ms: null };
/** Return standings, best first. @param {string} rows like `A 30, B 20` @param {...any} more what else is so */
const board = (rows, ...more) =>
  rows.split(', ').map((row, i) => {
    const [name = '', score] = row.split(' ');
    const seat = name.charCodeAt(0);
    return { ...plain, seat, name, score: Number(score), place: i + 1, ...more[i] };
  });
const [A, B, C] = ['A', 'B', 'C'].map((name) => name.charCodeAt(0));

test('the gap is to the leader, and of the leader to the next, where points decide', () => {
  const standings = board('A 90, B 40, C 10', null, null, { state: 'FORFEIT' });
  assert.equal(standings.map((standing) => gap(standing, standings)).join(), '+50,−50,');
  const tied = board('A 90, B 90', null, { place: 1 });
  assert.deepEqual([gap(tied[1], tied), gap(tied[0], tied.slice(0, 1))], ['', '']);
  const home = board('A 900, B 40', { won: true, state: 'FINISHED' });
  assert.equal(gap(home[1], home), '', 'a winner is ahead by time, not by points');
  const gaps = (rows) => rows.map((each) => gap(each, rows));
  const windows = board('A 460, B 499, C 430');
  assert.deepEqual(gaps(windows), ['', '', '−30'], 'cards turned up go before points');
  const left = board('A 40, B 90', null, { state: 'FORFEIT' });
  assert.deepEqual(gaps(left), ['', ''], 'players who left are below, whatever their score');
  const chased = board('A 40, B 10', null, { state: 'CHASING', place: null, late_ms: 9 });
  assert.deepEqual(gaps(chased), ['', ''], 'nobody is behind');
});

test('the row of a phone has the neighbours, and nobody leads from a shared first place', () => {
  const ten = Array.from({ length: 10 }, (_, seat) => ({ seat }));
  const shown = (me, of = ten) => [...stripSeats(of, me)].join('');
  const rows = [5, 0, 1, 9, -1].map((me) => shown(me));
  assert.deepEqual(rows, ['0456', '0123', '0123', '0789', '0123']);
  assert.deepEqual([shown(1, ten.slice(0, 2)), shown(-1, [])], ['01', '']);
  assert.equal(leader(board('A 5'))?.name, 'A');
  assert.equal(leader(board('A 5, B 5', null, { place: 1 })), undefined);
});

test('the way home is counted in suits, or in cards where single cards go home', () => {
  const standing = { suits: 3, home: 39, face_down: 11 };
  const spider = waysHome(standing, GAMES['spider-4']);
  assert.deepEqual(spider, { home: 3 / 8, notches: 8, turned: 0.75 });
  const little = waysHome({ ...standing, home: 13 }, GAMES['little-spider']);
  assert.deepEqual(little, { home: 13 / 52, notches: 1, turned: null });
  assert.equal(waysHome(standing, undefined).turned, null);
});

test('a step up is shown to all, a step down to the player who made it', () => {
  const at = (...places) =>
    places.map((place, seat) => ({ seat, place, score: 90 - 10 * (place ?? 0) }));
  const words = (found) =>
    found.map(({ seat, place, isUp }) => `${seat} ${isUp ? 'up' : 'down'} to ${place}`);
  assert.deepEqual(words(steps(at(1, 2, 3), at(2, 1, 3), 0)), ['0 down to 2', '1 up to 1']);
  assert.deepEqual(words(steps(at(1, 2, 3), at(2, 1, 3), 2)), ['1 up to 1']);
  const rows = (...scores) =>
    scores.map((score, seat) => {
      const place = 1 + scores.filter((other) => other > score).length;
      return { seat, score, place };
    });
  assert.deepEqual(steps(rows(90, 40, 10, 10), rows(90, 5, 10, 10), 0), []);
  const [step, ...others] = steps(rows(90, 40, 10, 10), rows(90, 5, 20, 10), 0);
  assert.deepEqual([step, others], [{ seat: 2, place: 2, isUp: true }, []]);
  const row = { seat: 0, place: 1 };
  assert.deepEqual([steps([], [row], 0), steps([{ ...row, place: null }], [row], 0)], [[], []]);
  assert.deepEqual(steps([row], [{ ...row, place: null }], 0), []);
});

test('nobody has a place, or leads, before the first act', () => {
  const rows = board('A 500, B 499', { has_acted: false });
  assert.equal(leader(rows), undefined, 'a score that starts high leads nothing');
  const [idle, acted] = [A, B].map((seat) =>
    placeInRace({ standings: rows, room: null, me: { seat } }),
  );
  assert.deepEqual(idle, { place: null, of: 2, leads: false });
  assert.deepEqual(acted, { place: 2, of: 2, leads: false });
});

test('players who race have a place from the start, and others have none', () => {
  const seats = [A, B, C].map((seat) => ({ seat, state: seat === C ? 'WATCHING' : 'RACING' }));
  const placed = (seat, standings) => placeInRace({ standings, room: { seats }, me: { seat } });
  assert.deepEqual(placed(A, []), { place: null, of: 2, leads: false });
  assert.deepEqual(placed(C, []), { place: undefined, of: 2, leads: false });
  const rows = board('A 90, B 40');
  assert.deepEqual(placed(A, rows), { place: 1, of: 2, leads: true });
  assert.deepEqual(placed(B, rows), { place: 2, of: 2, leads: false });
  const ended = rows.map((each) => ({ ...each, state: 'FORFEIT' }));
  const room = { seats: seats.map((seat) => ({ ...seat, state: 'FORFEIT' })) };
  const after = placeInRace({ standings: ended, room, me: { seat: B } });
  assert.deepEqual(after, { place: 2, of: 2, leads: false });
  assert.equal(placed(A, board('A 0')).leads, false, 'nobody leads before a point');
});
