import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../../../src/core/base/time/duration.ts';
import { WebhookService } from '../../../../src/core/delivery/webhooks/webhook-service.ts';
import { secureRandom } from '../../../../src/infra/secrets/key-crypto.ts';
import { openKeyFixture } from '../../../support/key-fixture.ts';

const REQUEST = { url: 'https://example.com', categories: null, minScore: null };

async function openService() {
  const { database, clock } = await openKeyFixture();
  onTestFinished(() => database.close());
  const secrets = { isAway: false };
  const secretOf = async ({ secretVersion }: { secretVersion: number }) => {
    if (secrets.isAway) throw new Error('away');
    return `secret ${secretVersion}`;
  };
  const service = new WebhookService({ ...database, secretOf, random: secureRandom, clock });
  return { service, secrets, clock };
}

test('a webhook whose secret cannot be derived is not stored: its deliveries could not be verified', async () => {
  const { service, secrets } = await openService();
  secrets.isAway = true;

  await expect(service.register('key_a', REQUEST)).rejects.toThrow('away');

  expect(await service.store.listByKey('key_a')).toEqual([]);
});

test('a rotation whose secrets cannot be derived raises no version: a second try would end the one the owner has', async () => {
  const { service, secrets, clock } = await openService();
  const registered = await service.register('key_a', REQUEST);
  const id = registered.ok ? registered.webhook.id : '';
  secrets.isAway = true;

  await expect(service.rotate('key_a', id)).rejects.toThrow('away');
  expect(await service.get('key_a', id)).toMatchObject({ secretVersion: 1, rotatedAt: null });

  secrets.isAway = false;
  const rotated = { secret: 'secret 2', previousUntil: clock.now() + DAY_MS };
  expect(await service.rotate('key_a', id)).toEqual(rotated);
});
