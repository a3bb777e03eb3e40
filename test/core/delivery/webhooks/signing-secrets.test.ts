import { expect, test } from 'vitest';
import { createSigningSecrets, type WebhookSecrets } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { START } from '../../../support/rows.ts';

const DAY_MS = 86_400_000;

const of =
  (key: string): WebhookSecrets =>
  async ({ id, secretVersion }) =>
    `${key} ${id} ${secretVersion}`;

test('the former secret and the former key sign beside the new ones until their end', async () => {
  let now = START;
  const until = START + DAY_MS;
  const sign = createSigningSecrets(of('new'), { now: () => now }, { secretOf: of('old'), until });
  const rotated = { id: 'wh', secretVersion: 2, rotatedAt: START + 1 };

  expect(await sign(rotated)).toEqual(['new wh 2', 'new wh 1', 'old wh 2', 'old wh 1']);
  now = START + DAY_MS;
  expect(await sign(rotated)).toEqual(['new wh 2', 'new wh 1']);
  now += 1;
  expect(await sign(rotated)).toEqual(['new wh 2']);
  expect(await createSigningSecrets(of('new'), { now: () => now })({ ...rotated, rotatedAt: null })).toEqual([
    'new wh 2',
  ]);
});
