import { expect, test } from 'vitest';
import { createWebhookService } from '../../../src/core/webhooks/webhook-service.ts';
import { secureRandom } from '../../../src/infra/key-crypto.ts';
import { openKeyDesk } from '../../support/key-desk.ts';

test('a webhook whose secret cannot be derived is not stored: nobody would know how its deliveries are signed', async () => {
  const { database, clock } = await openKeyDesk();
  const { webhooks } = database;
  const secretOf = () => Promise.reject(new Error('away'));
  const service = createWebhookService({ webhooks, secretOf, random: secureRandom, clock });
  const request = { url: 'https://example.com', categories: null, minScore: null };

  await expect(service.register('key_a', request)).rejects.toThrow('away');

  expect(await service.list('key_a')).toEqual([]);
  await database.close();
});
