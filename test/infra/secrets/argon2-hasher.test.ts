import { expect, test } from 'vitest';
import { argon2Hasher, createArgon2Hasher } from '../../../src/infra/secrets/argon2-hasher.ts';

/** Made by the package argon2 0.45.1, with the reference implementation. */
const BY_OTHERS =
  '$argon2id$v=19$m=19456,p=1,t=2$EY5VT0MpnepUdgZi9eEaRQ$UDoT7o+h0ODSKkNYySAlSdO/dK8MnggQwVJbp+As0VM';

test('a hash of another implementation is verified, whatever the order of its parameters', async () => {
  const reordered = BY_OTHERS.replace('p=1,t=2', 't=2,p=1');
  for (const hash of [BY_OTHERS, reordered]) {
    expect(await argon2Hasher.verify(hash, 'sk_live_ä')).toBe(true);
    expect(await argon2Hasher.verify(hash, 'sk_live_a')).toBe(false);
  }
  expect(await argon2Hasher.verify(BY_OTHERS.replace('t=2', 't=3'), 'sk_live_ä')).toBe(false);
});

test('each hash has a salt of its own, and is verified by the cost that it names', async () => {
  const cheap = createArgon2Hasher({ memory: 64, passes: 2, parallelism: 1 });
  const [one, other] = [await cheap.hash('key'), await cheap.hash('key')];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await argon2Hasher.verify(one, 'key')).toBe(true);
});

test.each([
  '',
  'key',
  '$argon2i$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
  '$argon2id$v=19$m=64$c2FsdHNhbHQ$aGFzaA',
])('%j is no such hash, and is a fault', async (hash) => {
  await expect(argon2Hasher.verify(hash, 'key')).rejects.toThrow();
});
