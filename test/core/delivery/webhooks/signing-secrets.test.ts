import { expect, test } from 'vitest';
import { createSigningSecrets } from '../../../../src/core/delivery/webhooks/signing-secrets.ts';
import { createFakeClock } from '../../../support/clock.ts';

const DAY_MS = 86_400_000;

test('issue: “Secrets can be rotated with both valid for 24 h”, the newest first, and not a millisecond longer', async () => {
  const clock = createFakeClock(1_000);
  const secretsOf = createSigningSecrets(async ({ id, secretVersion }) => `${id}.${secretVersion}`, clock);
  expect(await secretsOf({ id: 'wh_a', secretVersion: 1, rotatedAt: null })).toEqual(['wh_a.1']);
  const rotated = { id: 'wh_a', secretVersion: 3, rotatedAt: 1_000 };
  expect(await secretsOf(rotated)).toEqual(['wh_a.3', 'wh_a.2']);
  await clock.advance(DAY_MS - 1);
  expect(await secretsOf(rotated)).toEqual(['wh_a.3', 'wh_a.2']);
  await clock.advance(1);
  expect(await secretsOf(rotated)).toEqual(['wh_a.3']);
});
