import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fromHex, keepsCommitment, sha256, toHex } from '../../../web_client/src/game/sha256.js';

const text = (words) => toHex(sha256(new TextEncoder().encode(words)));

test('the vectors of FIPS 180-4', () => {
  assert.equal(text(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(text('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(
    text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
});

test('the hash agrees with Node’s for every length up to three blocks', () => {
  for (let length = 0; length < 192; length += 1) {
    const bytes = randomBytes(length);
    assert.equal(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('a commitment is kept only by its own seed and salt', () => {
  const [seed, salt] = ['00'.repeat(16), '11'.repeat(16)];
  const promise = createHash('sha256')
    .update(fromHex(seed + salt))
    .digest('hex');
  assert.equal(keepsCommitment(seed, salt, promise), true);
  assert.equal(keepsCommitment(salt, seed, promise), false);
});
