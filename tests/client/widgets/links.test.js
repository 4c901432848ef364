import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkBase, worksOnlyHere } from '../../../web_client/src/widgets/links.js';

test('the base that the server names comes before that of the page', () => {
  assert.equal(
    linkBase('http://localhost:8000', 'http://192.168.1.5:8000'),
    'http://192.168.1.5:8000',
  );
  for (const none of [null, undefined, ''])
    assert.equal(linkBase('http://localhost:8000', none), 'http://localhost:8000');
});

test('a link to a loopback address works on one computer only', () => {
  for (const host of [
    'localhost:8000',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]:8000',
    'x.localhost',
    '0.0.0.0:9',
  ])
    assert.equal(worksOnlyHere(`http://${host}/r/7K3QZ0A`), true, host);
  for (const host of [
    '192.168.1.5:8000',
    'localhost.example',
    '[2001:db8::1]',
    '1127.0.0.1.example',
  ])
    assert.equal(worksOnlyHere(`http://${host}/r/7K3QZ0A`), false, host);
});
