import { expect, test } from 'vitest';
import { createSigningSecrets, type WebhookSecrets } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { START } from '../../../support/rows.ts';

const DAY_MS = 86_400_000;

const of =
  (key: string): WebhookSecrets =>
  async ({ id, secretVersion }) =>
    `${key} ${id} ${secretVersion}`;

test('the former secret signs beside the new one until its end, and a former key while it is given', async () => {
  let now = START;
  const clock = { now: () => now };
  const [sign, signBoth] = [null, of('old')].map((former) => createSigningSecrets(of('new'), clock, former));
  const rotated = { id: 'wh', secretVersion: 2, rotatedAt: START };

  expect(await signBoth?.(rotated)).toEqual(['new wh 2', 'new wh 1', 'old wh 2', 'old wh 1']);
  now += DAY_MS - 1;
  expect(await sign?.(rotated)).toEqual(['new wh 2', 'new wh 1']);
  now += 1;
  expect(await sign?.(rotated)).toEqual(['new wh 2']);
  expect(await sign?.({ ...rotated, rotatedAt: null })).toEqual(['new wh 2']);
});
