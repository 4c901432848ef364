import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { withPhotoFinish } from '../../../web_client/src/race/banner.js';
import { photoFinish, winsForCertain } from '../../../web_client/src/state/first-home.js';
import { raceNews } from '../../../web_client/src/state/race-news.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { catalogue } from '../english.js';

const row = (seat, place, ms) => ({
  ...{ seat, place, name: 'Ada Bob Cleo'.split(' ')[seat], won: ms !== null, finished_ms: ms },
  ...{ state: ms === null ? 'RACING' : 'FINISHED', suits: 8, cheats: 0, late_ms: null },
});
const FIRST_HOME = { ranking: 'first_home', cheats: 'shown' };

test('two who come home within two seconds make a photo finish, for each in other words', async () => {
  const photo = photoFinish([row(0, 1, 60_000), row(1, 2, 60_840), row(2, 3, null)], FIRST_HOME);
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
  none([row(0, 1, 60_000), row(1, 2, 62_000)]);
  none([row(0, 1, 60_000), row(1, 2, null)]);
  none([row(0, 1, 60_000)]);
  none([row(0, 1, 60_000), row(1, 2, 60_100)], { ranking: 'best_score' });
  none([row(0, 1, 60_000), row(1, 1, 60_000)]);
  none([row(0, 1, 60_000), row(1, 2, 59_000)]);
});

test('the news of a photo finish replaces that of the second finish, and comes once', () => {
  const state = (...standings) => ({ room: { settings: FIRST_HOME }, standings });
  const before = state(row(0, 1, 60_000), row(1, 2, null));
  const after = state(row(0, 1, 60_000), row(1, 2, 60_100));
  const kinds = (from, to) =>
    withPhotoFinish(from, to, raceNews(from, to.standings, 0)).map(({ kind }) => kind);
  assert.deepEqual(kinds(before.standings, after), ['photo']);
  assert.deepEqual(kinds(after.standings, after), []);
  assert.deepEqual(kinds([], after), [], 'a page that was just opened');
  assert.deepEqual(kinds([row(0, 1, null)], before), []);
});

test('the first at home wins for certain unless something else can come first', () => {
  const first = row(0, 1, 60_000);
  assert.ok(winsForCertain(first, FIRST_HOME));
  assert.ok(!winsForCertain(row(0, 2, 60_000), FIRST_HOME));
  assert.ok(!winsForCertain(row(0, 1, null), FIRST_HOME));
  assert.ok(!winsForCertain(first, { ...FIRST_HOME, ranking: 'best_score' }));
  const cheated = { ...first, cheats: 1 };
  assert.ok(winsForCertain(cheated, FIRST_HOME));
  assert.ok(!winsForCertain(cheated, { ...FIRST_HOME, cheats: 'out' }));
  assert.ok(!winsForCertain(undefined, FIRST_HOME));
});
