import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_LENGTH } from '../../../web_client/src/contract/protocol.js';
import {
  fetchInvitation,
  invitationTo,
  storeInvitation,
} from '../../../web_client/src/page/invitations.js';

const [HERE, GONE, ELSE] = ['1', '2', '3'].map((digit) => digit.repeat(CODE_LENGTH));

/** Answer requests with a status. @param {number} status @param {unknown} [body] */
const answering = (status, body) => {
  globalThis.fetch = async () => new Response(JSON.stringify(body ?? null), { status });
};

test('only the head of a room’s page is stored, not that of a finished round', () => {
  storeInvitation(`/r/${HERE}`, '{"host":"Ada"}');
  storeInvitation(`/r/${GONE}`, 'null');
  storeInvitation(`/r/${ELSE}/1`, 'null');
  storeInvitation('/', 'null');
  assert.equal(invitationTo(HERE)?.host, 'Ada');
  assert.equal(invitationTo(GONE), null);
  assert.equal(invitationTo(ELSE), undefined);
});

test('a room is known, gone, or not known', async () => {
  answering(200, { host: 'Bob' });
  assert.equal((await fetchInvitation(ELSE))?.host, 'Bob');
  answering(404);
  assert.equal(await fetchInvitation(ELSE), null);
  answering(429);
  assert.equal(await fetchInvitation(ELSE), undefined);
  assert.equal(invitationTo(ELSE), undefined);
  globalThis.fetch = async () => Promise.reject(new Error('offline'));
  assert.equal(await fetchInvitation(ELSE), undefined);
});
