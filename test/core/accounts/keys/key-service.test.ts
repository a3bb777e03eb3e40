import { describe, expect, test } from 'vitest';
import { effectiveTier } from '../../../../src/core/accounts/keys/api-key.ts';
import { openKeyFixture } from '../../../support/key-fixture.ts';
import { START } from '../../../support/rows.ts';

const DAY = 86_400_000;

describe('key service', () => {
  test('a key is sk_live_ and 43 random characters; only its hash and its first 10 are kept (contract, Authentication 4 and 5)', async () => {
    const { service, database, hasher } = await openKeyFixture();
    const issued = await service.issue({ tier: 'free', name: '  My bot ' });
    if (!issued.ok) throw new Error(issued.reason);
    expect(issued.secret).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
    expect(issued.key).toMatchObject({ name: 'My bot', tier: 'free', createdAt: START, revokedAt: null });
    expect(issued.key.id).toMatch(/^key_[A-Za-z0-9_-]{16}$/);
    const stored = await database.keys.byLookup(issued.secret.slice(8, 18));
    expect(stored).toEqual(issued.key);
    expect(stored?.hash).toBe(await hasher.hash(issued.secret));
    const { hash: _, lookup: __, ...rest } = issued.key;
    expect(JSON.stringify(rest)).not.toContain(issued.secret.slice(8, 18));
  });

  test('a pro key is free from 30 days after issue, or the days it was given; others never end (contract, States)', async () => {
    const { service } = await openKeyFixture();
    const endOf = async (tier: 'free' | 'pro' | 'enterprise', days?: number) => {
      const issued = await service.issue({ tier, name: 'x', ...(days === undefined ? {} : { days }) });
      return issued.ok ? issued.key.trialEndsAt : issued.reason;
    };
    expect(await endOf('pro')).toBe(START + 30 * DAY);
    expect(await endOf('pro', 3)).toBe(START + 3 * DAY);
    expect(await endOf('free')).toBeNull();
    expect(await endOf('enterprise')).toBeNull();
  });

  test.each([
    [{ tier: 'free', name: ' ' }, 'bad_name'],
    [{ tier: 'free', name: 'x'.repeat(101) }, 'bad_name'],
    [{ tier: 'free', name: 'red\u001b[31m' }, 'bad_name'],
    [{ tier: 'free', name: '\u202e' }, 'bad_name'],
    [{ tier: 'free', name: `sk_live_${'x'.repeat(43)}` }, 'bad_name'],
    [{ tier: 'pro', name: 'x', days: 0 }, 'bad_days'],
    [{ tier: 'pro', name: 'x', days: 1.5 }, 'bad_days'],
    [{ tier: 'pro', name: 'x', days: Number.NaN }, 'bad_days'],
    [{ tier: 'pro', name: 'x', days: 3_651 }, 'bad_days'],
    [{ tier: 'free', name: 'x', days: 3 }, 'days_without_trial'],
  ] as const)('refuses %j as %s and stores nothing', async (request, reason) => {
    const { service, database } = await openKeyFixture();
    expect(await service.issue(request)).toEqual({ ok: false, reason });
    expect(await database.keys.list()).toEqual([]);
  });

  test('revoking twice keeps the first moment; an unknown key is a refusal', async () => {
    const { service, clock, issue } = await openKeyFixture();
    const { id } = await issue();
    await service.revoke(id);
    await clock.advance(1_000);
    expect(await service.revoke(id)).toMatchObject({ ok: true, key: { revokedAt: START } });
    expect(await service.revoke('key_nobody')).toEqual({ ok: false, reason: 'unknown_key' });
  });

  test('set to pro begins a trial now, to another tier has no end; a revoked key stays as it is', async () => {
    const { service, clock, issue } = await openKeyFixture();
    const { id } = await issue({ tier: 'free' });
    await clock.advance(DAY);
    const pro = await service.setTier(id, 'pro');
    expect(pro).toMatchObject({ ok: true, key: { tier: 'pro', trialEndsAt: START + 31 * DAY } });
    expect(pro.ok && effectiveTier(pro.key, START + 31 * DAY)).toBe('free');
    expect(await service.setTier(id, 'enterprise')).toMatchObject({ key: { trialEndsAt: null } });
    expect(await service.setTier('key_nobody', 'pro')).toEqual({ ok: false, reason: 'unknown_key' });
    await service.revoke(id);
    expect(await service.setTier(id, 'pro')).toEqual({ ok: false, reason: 'revoked_key' });
    expect(await service.list()).toMatchObject([{ id, tier: 'enterprise' }]);
  });
});
