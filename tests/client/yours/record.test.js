import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  csvOf,
  figuresOf,
  jsonOf,
  rivalsOf,
  separatorOf,
} from '../../../web_client/src/yours/record.js';
import { entry } from '../examples.js';

/** Return the entry of a race: `2/5` is second place among five players, `2:05` the time of a win. */
function race(text, change) {
  const [game, places = '', time] = text.split(' ');
  const [place, of] = places.split('/').map(Number);
  const [minutes, seconds] = time ? time.split(':').map(Number) : [];
  const ms = time ? (minutes * 60 + seconds) * 1_000 : null;
  const own = { game, place: place || null, of, won: time !== undefined, ms, score: 100, moves: 9 };
  return entry('A/1', 0, { ...own, rivals: [], ...change });
}

test('the figures of the most played game come first, with the latest places', () => {
  const entries = [
    race('spider-4 1/1 9:00', { kind: 'practice' }),
    race('spider-1 1/2 2:00'),
    race('spider-1 3/4', { score: -20 }),
    race('spider-1 /4', { score: 700 }),
    race('spider-1 2/3 3:00'),
  ];
  const [one, four] = figuresOf(entries);
  const times = { bestMs: 120_000, averageMs: 150_000 };
  const { form, ...figuresOfOne } = one;
  const record = { races: 4, wins: 2, ranked: 3, firsts: 1 };
  assert.deepEqual(figuresOfOne, { game: 'spider-1', ...record, ...times });
  const places = (all) => String(all.map(({ place, of }) => `${place}/${of}`));
  assert.equal(places(form), '2/3,3/4,1/2');
  assert.deepEqual([four.game, four.firsts, four.form], ['spider-4', 0, []]); // a player alone is never first
  const lost = figuresOf([race('spider-2 2/2', { score: -5 })])[0];
  assert.deepEqual([lost.bestMs, lost.averageMs], [null, null]);
  const many = Array.from({ length: 30 }, (_, i) => race(`spider-1 ${i + 1}/40`));
  assert.match(places(figuresOf(many)[0].form), /^20\/40,19.*,1\/40$/); // newest last
  assert.deepEqual(figuresOf([]), []);
});

test('rivals are counted by name, ahead of this player or behind', () => {
  const entries = [
    race('spider-1 2/3', { rivals: ['Nina', 'Jörg'] }),
    race('spider-1 1/2', { rivals: ['Nina'] }),
    race('spider-1 /2', { rivals: ['__proto__', 'Nina'] }),
  ];
  assert.deepEqual(rivalsOf(entries), [
    { name: 'Nina', races: 3, ahead: 1, behind: 1 },
    { name: 'Jörg', races: 1, ahead: 1, behind: 0 },
    { name: '__proto__', races: 1, ahead: 0, behind: 0 },
  ]);
});

test('CSV has a cell for each value, and none that a spreadsheet would run', () => {
  const head = '\ufeffid,end,kind,game,place,of,won,ms,score,moves,link,rivals,day,gaveUp\r\n';
  const start = '"A/1","1970-01-01 00:00:00","race","spider-1",1,2,true,1000,-20,9,';
  const write = (name, separator = ',') => {
    const game = race('spider-1 1/2 0:01', { score: -20, rivals: [name] });
    return csvOf([game], 'https://race.example', separator);
  };
  for (const [name, cell] of [
    ['Jörg', 'Jörg'],
    ['say "hi", Bob\r\nZ', 'say ""hi"", Bob\r\nZ'],
    ['=HYPERLINK("x")', `'=HYPERLINK(""x"")`],
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1'].map((bad) => [bad, `'${bad}`]),
    ['\u2068=דנה\u2069', "'=דנה"],
  ])
    assert.equal(write(name), `${head}${start}"https://race.example/r/A/1","${cell}",,false\r\n`);
  // In Germany a comma is the decimal sign, and a semicolon separates cells.
  assert.deepEqual(['en-GB', 'de'].map(separatorOf), [',', ';']);
  const cells = write('Jörg; =cmd', ';')
    .split('\r\n')[1]
    .split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  assert.deepEqual([cells.length, cells[6], cells[11]], [14, 'true', '"Jörg; =cmd"']);
});

test('JSON has all entries, with whole links and plain names', () => {
  const entries = [race('spider-1 1/2 0:01', { rivals: ['\u2068דנה\u2069'] }), race('spider-1 /2')];
  const [first, second] = JSON.parse(jsonOf(entries, 'https://race.example'));
  const more = { link: 'https://race.example/r/A/1', end: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual(first, { ...entries[0], ...more, rivals: ['דנה'] });
  assert.deepEqual(second, { ...entries[1], ...more });
});
