import { expect, test } from 'vitest';
import { WebhookService } from '../../../../src/core/delivery/webhooks/webhook-service.ts';
import { secureRandom } from '../../../../src/infra/secrets/key-crypto.ts';
import { openKeyFixture } from '../../../support/key-fixture.ts';
import { createMemoryDeliveries } from '../../../support/memory-deliveries.ts';

test('a webhook whose secret cannot be derived is not stored: its deliveries could not be verified', async () => {
  const { database, clock } = await openKeyFixture();
  const { webhooks } = database;
  const secretOf = () => Promise.reject(new Error('away'));
  const deliveries = createMemoryDeliveries();
  const service = new WebhookService({ webhooks, deliveries, secretOf, random: secureRandom, clock });
  const request = { url: 'https://example.com', categories: null, minScore: null };

  await expect(service.register('key_a', request)).rejects.toThrow('away');

  expect(await service.store.listByKey('key_a')).toEqual([]);
  await database.close();
});

test('a rotation whose secrets cannot be derived raises no version: a second try would end the one the owner has', async () => {
  const { database, clock } = await openKeyFixture();
  const { webhooks } = database;
  let isAway = false;
  const secretOf = async ({ secretVersion }: { secretVersion: number }) => {
    if (isAway) throw new Error('away');
    return `secret ${secretVersion}`;
  };
  const deliveries = createMemoryDeliveries();
  const service = new WebhookService({ webhooks, deliveries, secretOf, random: secureRandom, clock });
  const request = { url: 'https://example.com', categories: null, minScore: null };
  const { webhook: { id } = { id: '' } } = (await service.register('key_a', request)) ?? {};

  isAway = true;
  await expect(service.rotate('key_a', id)).rejects.toThrow('away');
  expect(await service.get('key_a', id)).toMatchObject({ secretVersion: 1, rotatedAt: null });

  isAway = false;
  expect(await service.rotate('key_a', id)).toEqual({
    secret: 'secret 2',
    previousUntil: clock.now() + 86_400_000,
  });
  await database.close();
});
