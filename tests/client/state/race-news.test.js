import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { queueNews, withPhotoFinish } from '../../../web_client/src/race/banner.js';
import { makeRaceNews } from '../../../web_client/src/race/rival-news.js';
import { photoFinish } from '../../../web_client/src/state/first-home.js';
import { raceNews } from '../../../web_client/src/state/race-news.js';
import { AT_START, MAX_EVENTS, reported } from '../../../web_client/src/state/race-report.js';
import { reduce, wantsStandings } from '../../../web_client/src/state/reducer.js';
import { follows, MISSING, withChanges } from '../../../web_client/src/state/standings-changes.js';
import { isOfOthers, NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { catalogue } from '../english.js';
import { example } from '../examples.js';

const ME = 0;

const row = (seat, more) => ({
  ...{ seat, name: 'ABC'[seat], state: 'RACING', place: null, suits: 0, won: false },
  ...{ late_ms: null, finished_ms: null, ...more },
});
const WON = { state: 'FINISHED', won: true, place: 1, suits: 8, finished_ms: 501_900 };

const told = (before, after) =>
  raceNews(before, after, ME).map((news) => news.standing.name + strings.raceNews(news, 8));

test('a finish is told with its place and time, before the suits of others', () => {
  const before = [row(0), row(1), row(2)];
  assert.deepEqual(told(before, [row(1, WON), row(2, { suits: 3 }), row(0)]), [
    'B finished 1st · 8:21!',
    'C: 3 of 8 suits',
  ]);
});

test('chasers have no place, and other ends are told too', () => {
  const before = [row(1, { state: 'CHASING' }), row(2)];
  const chased = row(1, { ...WON, place: null, late_ms: 9 });
  assert.deepEqual(told(before, [chased, row(2, { state: 'FORFEIT' })]), [
    'B finished · 8:21!',
    'C gave up',
  ]);
  const stuck = row(2, { state: 'FINISHED', finished_ms: 61_000 });
  assert.deepEqual(told(before, [before[0], stuck]), ['C stopped · 1:01']);
});

test('own news are none, and of many suits only the latest is shown', () => {
  assert.deepEqual([told([row(0)], [row(0, WON)]), told([], [row(1, WON)])], [[], []]);
  assert.deepEqual(told([row(1, WON)], [row(1, WON)]), []);
  const suit = (seat, suits) => ({ kind: 'suit', standing: row(seat, { suits }) });
  const finish = { kind: 'finish', standing: row(1, WON) };
  assert.deepEqual(queueNews([suit(1, 3)], [suit(2, 1), suit(1, 4)]), [suit(1, 4)]);
  assert.deepEqual(queueNews([suit(1, 7)], [finish]), [finish]);
  assert.deepEqual(queueNews([finish], [suit(2, 2)]), [finish, suit(2, 2)]);
  const [first, second] = [row(1, WON), row(2, { ...WON, place: 2, finished_ms: 502_100 })];
  const photo = { ...{ kind: 'photo', standing: first }, photo: { first, second, ms: 200 } };
  assert.deepEqual(queueNews([suit(2, 7)], [photo]), [photo], 'both of a photo finish are home');
});

const homeRow = (seat, place, ms) => ({
  ...{ seat, place, name: 'Ada Bob Cleo'.split(' ')[seat], won: ms !== null, finished_ms: ms },
  ...{ state: ms === null ? 'RACING' : 'FINISHED', suits: 8, cheats: 0, late_ms: null },
});
const FIRST_HOME = { ranking: 'first_home', cheats: 'shown' };

test('two who come home within two seconds make a photo finish, for each in other words', async () => {
  const rows = [homeRow(0, 1, 60_000), homeRow(1, 2, 60_840), homeRow(2, 3, null)];
  const photo = photoFinish(rows, FIRST_HOME);
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

const racer = (seat, changes) => ({
  ...{ seat, name: `P${seat}`, state: 'RACING', place: 1, score: 0, suits: 0, home: 0 },
  ...{ face_down: 44, won: false, finished_ms: null, ...changes },
});
const two = (own, bob) => [racer(0, own), racer(1, bob)];
const START = two();

/** Return a report as words, newest first. @param {any} report */
const words = ({ events }) =>
  events.map(({ kind, at, standing, cards }) =>
    [kind, standing?.seat, cards || '', `at ${at}`]
      .filter((each) => each !== undefined && each !== '')
      .join(' '),
  );

/** Return the report of standings that follow each other, one each second. @param {any[][]} standings @param {number} [step] */
function reportOf(standings, step = 1_000) {
  let report = reported(AT_START, [], START, 0, false);
  let before = START;
  standings.forEach((after, i) => {
    report = reported(report, before, after, (i + 1) * step, false);
    before = after;
  });
  return report;
}

test('a report begins with the start, and cards of a while are one event, in its place', () => {
  assert.deepEqual(words(reported(AT_START, [], START, 5_000, false)), ['start at 0']);
  const report = reportOf([
    two({ face_down: 42 }),
    two({ face_down: 42 }, { face_down: 43 }),
    two({ face_down: 41 }, { face_down: 43 }),
  ]);
  assert.deepEqual(words(report), ['cards 1 1 at 2000', 'cards 0 3 at 1000', 'start at 0']);
  const later = reported(report, START, two({ face_down: 43 }), 60_000, false);
  assert.equal(words(later)[0], 'cards 0 1 at 60000');
});

test('a suit stands between the cards before and after it', () => {
  const suit = { suits: 1, home: 13, face_down: 43 };
  const report = reportOf([two({ face_down: 43 }), two(suit), two({ ...suit, face_down: 40 })]);
  const latest = ['cards 0 3 at 3000', 'suit 0 at 2000', 'cards 0 1 at 1000'];
  assert.deepEqual(words(report).slice(0, 3), latest);
});

test('cards that are turned down again by taking back are no event', () => {
  const report = reported(AT_START, two({ face_down: 40 }), START, 1_000, false);
  assert.equal(report, AT_START);
});

test('the last card that turns up has an event of its own', () => {
  const report = reportOf([two({ face_down: 1 }), two({ face_down: 0 })]);
  assert.equal(words(report)[0], 'face-up 0 1 at 2000');
});

test('where all cards begin face up, those that are played count', () => {
  const up = { face_down: 0 };
  const [before, after] = [two(up, up), two({ ...up, home: 4 }, up)];
  assert.equal(words(reported(AT_START, before, after, 9, true))[0], 'cards 0 4 at 9');
});

test('a new leader is an event, and replaces one that led for a moment only', () => {
  const [first, second] = [{ score: 5 }, { place: 2 }];
  const [own, bobs] = [two(first, second), two(second, first)];
  const taken = reportOf([own, own, bobs], 6_000);
  assert.deepEqual(words(taken), ['lead 1 at 18000', 'lead 0 at 6000', 'start at 0']);
  const brief = reportOf([own, bobs, own]);
  assert.deepEqual(words(brief), ['lead 0 at 3000', 'start at 0']);
  const shared = reported(taken, bobs, START, 30_000, false);
  const again = reported(shared, START, bobs, 31_000, false);
  assert.equal(words(again)[0], 'lead 1 at 18000', 'the same leader');
});

test('nobody takes the lead of a race without points or without others', () => {
  const alone = [racer(0, { score: 5 })];
  assert.deepEqual(words(reported(AT_START, [racer(0)], alone, 9, false)), ['start at 0']);
  const zero = two({}, { place: 2 });
  assert.deepEqual(words(reported(AT_START, START, zero, 9, false)), ['start at 0']);
});

test('the ends of games are events with the times that the result has', () => {
  const won = racer(0, { won: true, state: 'FINISHED', finished_ms: 70_000 });
  const gone = racer(1, { state: 'FORFEIT', place: 2, finished_ms: 50_000 });
  const ends = ['finish 0 at 70000', 'end 1 at 50000'];
  const all = words(reported(AT_START, [], [won, gone], 90_000, false));
  assert.deepEqual(all, [...ends, 'start at 0']);
  const late = racer(1, { state: 'FORFEIT', place: null, late_ms: 5_000, finished_ms: 50_000 });
  assert.equal(words(reported(AT_START, START, [won, late], 90_000, false))[1], 'end 1 at 55000');
  const seen = reported(AT_START, START, [won, gone], 90_000, false);
  assert.deepEqual(words(seen).slice(0, 2), ends);
});

test('a report keeps the latest events only', () => {
  let before = START;
  let report = AT_START;
  for (let i = 1; i <= MAX_EVENTS * 2; i += 1) {
    const after = two({ suits: i });
    report = reported(report, before, after, i, false);
    before = after;
  }
  assert.equal(report.events.length, MAX_EVENTS);
  assert.equal(report.events[0]?.at, MAX_EVENTS * 2);
});

const whole = () => reduce(NOTHING, example('standings'));
const ahead = () => example('standings_changes', 'goes ahead');
const placed = (rows) => rows.map(({ seat, place }) => `${seat} ${place}`).join(', ');
const move = () => example('standings_changes', 'one more move');

test('changes are put into the known rows, in the new order', () => {
  const before = whole();
  const { standings, standingsNumber } = reduce(before, ahead());
  const rows = standings.map(({ seat, place, score }) => `${seat} ${place} ${score}`);
  assert.deepEqual([standingsNumber, rows], [8, ['1 1 61', '0 2 52']]);
});

test('rows without changes stay the same, and the order without a new one', () => {
  const before = reduce(whole(), ahead());
  const after = reduce(before, move());
  assert.equal(after.standings[0], before.standings[0]);
  assert.deepEqual(after.standings[1], { ...before.standings[1], moves: 5 });
});

test('a new row has all its fields', () => {
  const { standings } = whole();
  const chaser = { ...standings[0], seat: 5, name: 'Cy', place: null, late_ms: 9 };
  const changes = { ...move(), order: [[0, 1], [5]], changed: [chaser] };
  assert.deepEqual(withChanges(standings, changes), [...standings, chaser]);
  assert.deepEqual(withChanges([], move()), []);
});

test('players who share a place are together, and one for whom a computer plays has none', () => {
  const { standings } = whole();
  const after = (order, changed) =>
    placed(withChanges(standings, { ...move(), order, changed: [changed] }));
  assert.equal(after([[1], [0]], { seat: 0, stand_in: 'club' }), '1 1, 0 null');
  const third = { ...standings[0], seat: 5, name: 'Cy' };
  assert.equal(after([[1], [5, 0]], third), '1 1, 5 2, 0 2');
});

test('a gap is noticed once, and ends with the whole; known changes are ignored', () => {
  const gap = reduce(whole(), move());
  assert.ok(wantsStandings(gap));
  assert.deepEqual(gap.standings, whole().standings);
  assert.equal(reduce(gap, { ...move(), number: 10 }), gap, 'changes are ignored meanwhile');
  assert.ok(!wantsStandings(reduce(gap, example('standings'))));
  const state = reduce(whole(), ahead());
  assert.equal(reduce(state, ahead()), state);
});

test('changes before any standings are a gap, also on a new connection', () => {
  assert.ok(wantsStandings(reduce(NOTHING, move())));
  const back = reduce(whole(), example('joined', 'came back'));
  assert.ok(wantsStandings(reduce(back, ahead())));
  assert.equal(follows(MISSING, move()), 'old');
});

test('changes are news of others as the whole is, and a finish in them is announced', () => {
  const watching = { ...whole(), me: { seat: 9, role: 'spectator' } };
  assert.ok(isOfOthers(watching, move()));
  const joined = reduce(NOTHING, example('joined', 'came back'));
  const before = reduce(joined, example('standings'));
  const won = { ...move(), number: 8, changed: [{ seat: 0, state: 'FINISHED', won: true }] };
  const after = reduce(before, won);
  const announce = makeAnnouncer(makeRaceNews(() => 0));
  assert.match(String(announce(before, after, won)), /Ada/);
});
