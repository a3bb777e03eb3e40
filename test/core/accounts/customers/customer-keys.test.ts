import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../src/core/base/time/duration.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { openCustomerFixture, visitorOf } from '../../../support/customer-fixture.ts';
import { START } from '../../../support/rows.ts';

onEachDatabase('keys of customers', (fixture) => {
  test('Pro is a trial of 30 days, and a second one is a free key with the reason (one trial per person)', async () => {
    const { service, give, clock } = openCustomerFixture(fixture.database);
    const { id } = await service.visit(visitorOf());

    const first = await give({ customerId: id, tier: 'pro', request: 'a' });
    await clock.advance(1);
    const second = await give({ customerId: id, tier: 'pro', request: 'b' });

    const endsAt = START + 30 * DAY_MS;
    expect([first.trialUsed, first.key]).toMatchObject([
      false,
      { tier: 'pro', trialEndsAt: endsAt, customerId: id },
    ]);
    expect([second.trialUsed, second.key]).toMatchObject([true, { tier: 'free', trialEndsAt: null }]);
    expect((await service.byId(id))?.trial).toEqual({ request: 'a', startedAt: START, endsAt });
    expect((await service.keysOf(id)).map(({ name }) => name)).toEqual(['Key 1', 'Key 2']);
  });

  test('a key whose message may not have arrived is revoked at the next tap, and its trial continues (design)', async () => {
    const { service, clock } = openCustomerFixture(fixture.database);
    const { id } = await service.visit(visitorOf());
    const lost = await service.keys.issue({ customerId: id, tier: 'pro', request: 'a' });
    await clock.advance(DAY_MS);

    const given = await service.keys.issue({ customerId: id, tier: 'pro', request: 'b' });

    expect(given).toMatchObject({
      ok: true,
      trialUsed: false,
      key: { tier: 'pro', trialEndsAt: START + 30 * DAY_MS },
    });
    expect((await service.keysOf(id)).map((key) => key.id)).toEqual([given.ok && given.key.id]);
    expect(lost.ok && (await fixture.database.keys.byId(lost.key.id))?.revokedAt).toBe(START + DAY_MS);
  });

  test('a key in use is not lost, although the arrival of its message was never stored (issue, no key lost)', async () => {
    const { service, give, clock } = openCustomerFixture(fixture.database);
    const { id } = await service.visit(visitorOf());
    const used = await service.keys.issue({ customerId: id, tier: 'pro', request: 'a' });
    if (!used.ok) throw new Error(used.reason);
    await fixture.database.keys.markFirstUsed(used.key.id, START);
    await clock.advance(1);

    const again = await service.keys.issue({ customerId: id, tier: 'pro', request: 'a' });
    const other = await give({ customerId: id, tier: 'pro', request: 'b' });

    expect(again).toMatchObject({ ok: false, reason: 'already_shown' });
    expect(other.trialUsed).toBe(true);
    expect((await service.keysOf(id)).map((key) => key.id)).toEqual([used.key.id, other.key.id]);
  });
});

async function openWithTrial() {
  const database = await openDatabase('sqlite::memory:');
  const fixture = openCustomerFixture(database);
  const { id } = await fixture.service.visit(visitorOf());
  return { ...fixture, database, id, ...(await fixture.give({ customerId: id, tier: 'pro', request: 'a' })) };
}

test('a ban ends every key and refuses the next, until it is taken back', async () => {
  const { service, database, id, key } = await openWithTrial();
  const asked = { customerId: id, tier: 'free', request: 'b' } as const;

  expect([await service.ban(id), await service.ban('cus_nobody')]).toEqual([true, false]);

  expect((await database.keys.byId(key.id))?.revokedAt).toBe(START);
  expect(await service.keys.issue(asked)).toEqual({ ok: false, reason: 'banned' });
  expect(await service.keys.rotate({ ...asked, keyId: key.id, keepOld: true })).toMatchObject({
    reason: 'banned',
  });
  expect(await service.unban(id)).toBe(true);
  expect(await service.keys.issue(asked)).toMatchObject({ ok: true });
});

test('an enterprise key is provisioned with or without a customer, with integer limits from 1 or none', async () => {
  const { service, id } = await openWithTrial();
  const limits = { requestsPerMinute: 1_000, maxSockets: null };

  const given = await service.keys.provision({ customerId: id, name: ' Fund ', limits });

  expect(given).toMatchObject({
    ok: true,
    key: { tier: 'enterprise', name: 'Fund', customerId: id, limits },
  });
  expect(await service.keysOf(id)).toHaveLength(2);
  expect(await service.keys.provision({ customerId: null, name: 'x', limits: null })).toMatchObject({
    ok: true,
  });
  expect(await service.keys.provision({ customerId: 'cus_x', name: 'x', limits: null })).toMatchObject({
    reason: 'unknown_customer',
  });
  expect(await service.keys.provision({ customerId: id, name: ' ', limits: null })).toMatchObject({
    reason: 'bad_name',
  });
  for (const most of [0, 1.5, -1, Number.NaN]) {
    const bad = { requestsPerMinute: null, maxSockets: most };
    expect(await service.keys.provision({ customerId: id, name: 'x', limits: bad })).toMatchObject({
      reason: 'bad_limits',
    });
  }
});

test('customers are found by every handle, key and beginning of a key; secrets are never compared', async () => {
  const { service, id, key, secret } = await openWithTrial();
  await service.visit(visitorOf('8'));
  const texts = [
    id,
    key.id,
    'telegram:7',
    '@person7',
    'PERSON7',
    secret,
    secret.slice(0, 18),
    ` ${secret.slice(0, 25)} `,
  ];

  for (const text of texts) expect((await service.find(text)).map((one) => one.id)).toEqual([id]);
  for (const text of ['', '@', 'cus_x', 'key_x', 'telegram:9', secret.slice(0, 17), 'nobody', `${secret}x`]) {
    expect(await service.find(text)).toEqual([]);
  }
});

test('the owner of a secret is found by the whole secret and by a former one that still works, and by no other text', async () => {
  const { service, clock, id, key, secret } = await openWithTrial();
  expect(await service.ownerOfSecret(secret)).toMatchObject({ key: { id: key.id }, customer: { id } });
  const rotated = await service.keys.rotate({ customerId: id, keyId: key.id, keepOld: true, request: 'r' });
  expect((await service.ownerOfSecret(secret))?.key.id).toBe(key.id);
  expect(rotated.ok && (await service.ownerOfSecret(rotated.secret))?.key.id).toBe(key.id);
  await clock.advance(DAY_MS);
  expect(await service.ownerOfSecret(secret)).toBeNull();
  expect(await service.ownerOfSecret(`${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`)).toBeNull();
  expect(await service.ownerOfSecret('sk_live_')).toBeNull();
});

test('pages leave out unreachable customers, and a short page is the last one', async () => {
  const { service, id } = await openWithTrial();
  const ids = [id];
  for (const user of ['1', '2', '3']) ids.push((await service.visit(visitorOf(user))).id);
  await service.markUnreachable('telegram', '2');
  const [, , silent] = ids;
  const reached = ids.filter((one) => one !== silent).toSorted();

  const first = await service.page({ limit: 2 });
  const rest = await service.page({ limit: 2, after: first[1]?.id ?? '' });

  expect([...first, ...rest].map((one) => one.id)).toEqual(reached);
  await service.visit(visitorOf('2'));
  expect(await service.page({ limit: 9 })).toHaveLength(4);
  const ending = { from: START, until: START + 30 * DAY_MS, limit: 5 };
  expect((await service.trialsEnding(ending)).map((one) => one.id)).toEqual([id]);
  expect(await service.count(START)).toEqual({ total: 4, new: 4 });
});

test('names and revocations are for the owner’s own keys', async () => {
  const { service, id, key } = await openWithTrial();
  const { id: other } = await service.visit(visitorOf('8'));

  expect(await service.keys.rename(id, key.id, ' Desk ')).toMatchObject({ ok: true, key: { name: 'Desk' } });
  expect(await service.keys.rename(id, key.id, 'a\u0007')).toEqual({ ok: false, reason: 'bad_name' });
  expect(await service.keys.rename(other, key.id, 'Mine')).toEqual({ ok: false, reason: 'unknown_key' });
  expect(await service.keys.revoke(other, key.id)).toEqual({ ok: false, reason: 'unknown_key' });
  expect(await service.keys.revoke(id, key.id)).toMatchObject({ ok: true, key: { revokedAt: START } });
  expect(await service.keys.revoke(id, key.id)).toEqual({ ok: false, reason: 'unknown_key' });
});
