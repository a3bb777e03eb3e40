import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../src/core/base/time/duration.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { openCustomerFixture, visitorOf } from '../../../support/customer-fixture.ts';
import { START } from '../../../support/rows.ts';

onEachDatabase('keys of customers', (fixture) => {
  test('a person who writes is a customer, the same one each time', async () => {
    const { service } = openCustomerFixture(fixture.database);

    const first = await service.visit(visitorOf());
    const again = await service.visit(visitorOf('7', { name: 'Renamed' }));

    expect(first.id).toMatch(/^cus_[A-Za-z0-9_-]{16}$/);
    expect(again).toStrictEqual({
      ...first,
      handles: [{ ...visitorOf('7', { name: 'Renamed' }), isReachable: true }],
    });
  });

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
