import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { startApi } from '../support/api-server.ts';

test('GET /me adds the public id, the end of the trial and the calls of today', async () => {
  const { get, issue, clock } = await startApi();
  const { id, secret } = await issue({ tier: 'pro', days: 30 });
  await get('/me', secret);
  clock.set(DAY_MS);
  await get('/stats', secret);
  const { body } = await get('/me', secret);
  const { key_id, trial_ends_at, requests_today } = body;

  expect(requests_today).toBe(2);
  expect(key_id).toBe(id);
  expect(trial_ends_at).toBe(new Date(clock.now() + 29 * DAY_MS).toISOString());
  // Neither the secret nor the part of it under which the key is found.
  expect(JSON.stringify(body)).not.toContain(secret.slice(8, 18));
});

test('a key without a running trial has no end of it', async () => {
  const { get, issue, clock } = await startApi();
  const [enterprise, pro] = [await issue({ tier: 'enterprise' }), await issue({ tier: 'pro', days: 1 })];
  const endOf = async (secret: string) => (await get('/me', secret)).body.trial_ends_at as unknown;
  expect(await endOf(enterprise.secret)).toBeNull();
  expect(await endOf(pro.secret)).toEqual(expect.any(String));
  clock.set(DAY_MS);
  expect((await get('/me', pro.secret)).body).toMatchObject({
    tier: 'free',
    trial_ends_at: null,
  });
});
