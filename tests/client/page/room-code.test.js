import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn, roundIn } from '../../../web_client/src/page/room-code.js';

test('a pasted link leads to its room, with a language or without', () => {
  for (const link of ['https://race.example/r/K0YB8JM', 'https://race.example/r/K0YB8JM?lang=de'])
    assert.equal(codeIn(link), 'K0YB8JM');
});

test('a pasted link leads to its round, with a language or without', () => {
  for (const end of ['', ' ', '?lang=de', '#chart'])
    assert.deepEqual(roundIn(`https://race.example/r/K0YB8JM/3${end}`), { code: 'K0YB8JM', n: 3 });
  assert.equal(roundIn('https://race.example/r/K0YB8JM?n=/3'), null);
});
