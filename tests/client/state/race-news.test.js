import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueNews, withPhotoFinish } from '../../../web_client/src/race/banner.js';
import { photoFinish } from '../../../web_client/src/state/first-home.js';
import { raceNews } from '../../../web_client/src/state/race-news.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { catalogue } from '../english.js';

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

test('own news are none, and of many suits only the latest is shown', () => {
  assert.deepEqual([told([row(0)], [row(0, won)]), told([], [row(1, won)])], [[], []]);
  assert.deepEqual(told([row(1, won)], [row(1, won)]), []);
  const suit = (seat, suits) => ({ kind: 'suit', standing: row(seat, { suits }) });
  const finish = { kind: 'finish', standing: row(1, won) };
  assert.deepEqual(queueNews([suit(1, 3)], [suit(2, 1), suit(1, 4)]), [suit(1, 4)]);
  assert.deepEqual(queueNews([suit(1, 7)], [finish]), [finish]);
  assert.deepEqual(queueNews([finish], [suit(2, 2)]), [finish, suit(2, 2)]);
  const [first, second] = [row(1, won), row(2, { ...won, place: 2, finished_ms: 502_100 })];
  const photo = { ...{ kind: 'photo', standing: first }, photo: { first, second, ms: 200 } };
  assert.deepEqual(queueNews([suit(2, 7)], [photo]), [photo], 'both of a photo finish are home');
});

const homeRow = (seat, place, ms) => ({
  ...{ seat, place, name: 'Ada Bob Cleo'.split(' ')[seat], won: ms !== null, finished_ms: ms },
  ...{ state: ms === null ? 'RACING' : 'FINISHED', suits: 8, cheats: 0, late_ms: null },
});
const FIRST_HOME = { ranking: 'first_home', cheats: 'shown' };

test('two who come home within two seconds make a photo finish, for each in other words', async () => {
  const photo = photoFinish(
    [homeRow(0, 1, 60_000), homeRow(1, 2, 60_840), homeRow(2, 3, null)],
    FIRST_HOME,
  );
  assert.ok(photo);
  assert.equal(strings.photoBy(photo, 0), '0.84 s before Bob');
  assert.equal(strings.photoBy(photo, 1), '0.84 s behind Ada');
  assert.equal(strings.photoBy(photo, 2), 'Ada, 0.84 s before Bob');
  assert.equal(strings.photoBy({ ...photo, ms: 1_999 }, 0), '1.99 s before Bob');
  assert.equal(strings.photoBy({ ...photo, ms: 7 }, 0), '7 ms before Bob');
  const german = await catalogue('de');
  assert.equal(german.photoBy(photo, 1), '0,84 s hinter Ada');
});

test('no photo finish: two seconds and more, one still racing, a tie, a ranking by score, undos that count', () => {
  const none = (rows, settings = FIRST_HOME) => assert.equal(photoFinish(rows, settings), null);
  none([homeRow(0, 1, 60_000), homeRow(1, 2, 62_000)]);
  none([homeRow(0, 1, 60_000), homeRow(1, 2, null)]);
  none([homeRow(0, 1, 60_000)]);
  none([homeRow(0, 1, 60_000), homeRow(1, 2, 60_100)], { ranking: 'best_score' });
  none([homeRow(0, 1, 60_000), homeRow(1, 1, 60_000)]);
  none([homeRow(0, 1, 60_000), homeRow(1, 2, 59_000)]);
});

test('the news of a photo finish replaces that of the second finish, and comes once', () => {
  const state = (...standings) => ({ room: { settings: FIRST_HOME }, standings });
  const before = state(homeRow(0, 1, 60_000), homeRow(1, 2, null));
  const after = state(homeRow(0, 1, 60_000), homeRow(1, 2, 60_100));
  const kinds = (from, to) =>
    withPhotoFinish(from, to, raceNews(from, to.standings, 0)).map(({ kind }) => kind);
  assert.deepEqual(kinds(before.standings, after), ['photo']);
  assert.deepEqual(kinds(after.standings, after), []);
  assert.deepEqual(kinds([], after), [], 'a page that was just opened');
  assert.deepEqual(kinds([homeRow(0, 1, null)], before), []);
});
