import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT_START, MAX_EVENTS, reported } from '../../../web_client/src/state/race-report.js';

const row = (seat, changes) => ({
  ...{ seat, name: `P${seat}`, state: 'RACING', place: 1, score: 0, suits: 0, home: 0 },
  ...{ face_down: 44, won: false, finished_ms: null, ...changes },
});
const START = [row(0), row(1)];

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
    [row(0, { face_down: 42 }), row(1)],
    [row(0, { face_down: 42 }), row(1, { face_down: 43 })],
    [row(0, { face_down: 41 }), row(1, { face_down: 43 })],
  ]);
  assert.deepEqual(words(report), ['cards 1 1 at 2000', 'cards 0 3 at 1000', 'start at 0']);
  const later = reported(report, START, [row(0, { face_down: 43 }), row(1)], 60_000, false);
  assert.equal(words(later)[0], 'cards 0 1 at 60000');
});

test('a suit stands between the cards before and after it', () => {
  const suit = { suits: 1, home: 13, face_down: 43 };
  const report = reportOf([
    [row(0, { face_down: 43 }), row(1)],
    [row(0, suit), row(1)],
    [row(0, { ...suit, face_down: 40 }), row(1)],
  ]);
  const latest = ['cards 0 3 at 3000', 'suit 0 at 2000', 'cards 0 1 at 1000'];
  assert.deepEqual(words(report).slice(0, 3), latest);
});

test('cards that are turned down again by taking back are no event', () => {
  const up = [row(0, { face_down: 40 }), row(1)];
  const report = reported(AT_START, up, START, 1_000, false);
  assert.equal(report, AT_START);
});

test('the last card that turns up has an event of its own', () => {
  const report = reportOf([
    [row(0, { face_down: 1 }), row(1)],
    [row(0, { face_down: 0 }), row(1)],
  ]);
  assert.equal(words(report)[0], 'face-up 0 1 at 2000');
});

test('where all cards begin face up, those that are played count', () => {
  const before = [row(0, { face_down: 0 }), row(1, { face_down: 0 })];
  const after = [row(0, { face_down: 0, home: 4 }), before[1]];
  assert.equal(words(reported(AT_START, before, after, 9, true))[0], 'cards 0 4 at 9');
});

test('a new leader is an event, and replaces one that led for a moment only', () => {
  const ahead = (seat) =>
    START.map((each) => row(each.seat, each.seat === seat ? { score: 5 } : { place: 2 }));
  const taken = reportOf([ahead(0), ahead(0), ahead(1)], 6_000);
  assert.deepEqual(words(taken), ['lead 1 at 18000', 'lead 0 at 6000', 'start at 0']);
  const brief = reportOf([ahead(0), ahead(1), ahead(0)]);
  assert.deepEqual(words(brief), ['lead 0 at 3000', 'start at 0']);
  const shared = reported(taken, ahead(1), START, 30_000, false);
  const again = reported(shared, START, ahead(1), 31_000, false);
  assert.equal(words(again)[0], 'lead 1 at 18000', 'the same leader');
});

test('nobody takes the lead of a race without points or without others', () => {
  const alone = [row(0, { score: 5 })];
  assert.deepEqual(words(reported(AT_START, [row(0)], alone, 9, false)), ['start at 0']);
  const zero = [row(0), row(1, { place: 2 })];
  assert.deepEqual(words(reported(AT_START, START, zero, 9, false)), ['start at 0']);
});

test('the ends of games are events with the times that the result has', () => {
  const won = row(0, { won: true, state: 'FINISHED', finished_ms: 70_000 });
  const gone = row(1, { state: 'FORFEIT', place: 2, finished_ms: 50_000 });
  const ends = ['finish 0 at 70000', 'end 1 at 50000'];
  const all = words(reported(AT_START, [], [won, gone], 90_000, false));
  assert.deepEqual(all, [...ends, 'start at 0']);
  const late = row(1, { state: 'FORFEIT', place: null, late_ms: 5_000, finished_ms: 50_000 });
  assert.equal(words(reported(AT_START, START, [won, late], 90_000, false))[1], 'end 1 at 55000');
  const seen = reported(AT_START, START, [won, gone], 90_000, false);
  assert.deepEqual(words(seen).slice(0, 2), ends);
});

test('a report keeps the latest events only', () => {
  let before = START;
  let report = AT_START;
  for (let i = 1; i <= MAX_EVENTS * 2; i += 1) {
    const after = [row(0, { suits: i }), row(1)];
    report = reported(report, before, after, i, false);
    before = after;
  }
  assert.equal(report.events.length, MAX_EVENTS);
  assert.equal(report.events[0]?.at, MAX_EVENTS * 2);
});
