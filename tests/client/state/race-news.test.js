import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { queueNews } from '../../../web_client/src/race/banner.js';
import { raceNews } from '../../../web_client/src/state/race-news.js';
import { strings } from '../../../web_client/src/strings/language.js';

const ME = 0;

const row = (seat, more) => ({
  ...{ seat, name: 'ABC'[seat], state: 'RACING', place: null, suits: 0, won: false },
  ...{ late_ms: null, finished_ms: null, ...more },
});
const won = { state: 'FINISHED', won: true, place: 1, suits: 8, finished_ms: 501_900 };

const told = (before, after) =>
  raceNews(before, after, ME).map((news) => news.standing.name + strings.raceNews(news, 8));

test('a finish is told with its place and time, before the suits of others', () => {
  const before = [row(0), row(1), row(2)];
  assert.deepEqual(told(before, [row(1, won), row(2, { suits: 3 }), row(0)]), [
    'B finished 1st · 8:21!',
    'C: 3 of 8 suits',
  ]);
});

test('chasers have no place, and other ends are told too', () => {
  const before = [row(1, { state: 'CHASING' }), row(2)];
  const chased = row(1, { ...won, place: null, late_ms: 9 });
  assert.deepEqual(told(before, [chased, row(2, { state: 'FORFEIT' })]), [
    'B finished · 8:21!',
    'C gave up',
  ]);
  const stuck = row(2, { state: 'FINISHED', finished_ms: 61_000 });
  assert.deepEqual(told(before, [before[0], stuck]), ['C stopped · 1:01']);
});

test('own news are none, nor is what was so when the page was opened', () => {
  assert.deepEqual(told([row(0)], [row(0, won)]), []);
  assert.deepEqual(told([], [row(1, won)]), []);
  assert.deepEqual(told([row(1, won)], [row(1, won)]), []);
});

test('of many suits only the latest is shown, and none of a player whose game is over', () => {
  const suit = (seat, suits) => ({ kind: 'suit', standing: row(seat, { suits }) });
  const finish = { kind: 'finish', standing: row(1, won) };
  assert.deepEqual(queueNews([suit(1, 3)], [suit(2, 1), suit(1, 4)]), [suit(1, 4)]);
  assert.deepEqual(queueNews([suit(1, 7)], [finish]), [finish]);
  assert.deepEqual(queueNews([finish], [suit(2, 2)]), [finish, suit(2, 2)]);
  const [first, second] = [row(1, won), row(2, { ...won, place: 2, finished_ms: 502_100 })];
  const photo = { ...{ kind: 'photo', standing: first }, photo: { first, second, ms: 200 } };
  assert.deepEqual(queueNews([suit(2, 7)], [photo]), [photo], 'both of a photo finish are home');
});
