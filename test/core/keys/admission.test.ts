import { describe, expect, test } from 'vitest';
import { createKeyCheck, type KeyAdmission } from '../../../src/core/keys/key-check.ts';
import { keyDigest } from '../../../src/infra/key-crypto.ts';
import { openKeyFixture } from '../../support/key-fixture.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { silentLogger } from '../../support/silent-logger.ts';

async function admitted(days = 30) {
  const fixture = await openKeyFixture();
  const checks: string[] = [];
  const keyCheck = createKeyCheck({
    ...fixture,
    keys: fixture.database.keys,
    digest: keyDigest,
    metrics: { ...noMetrics, keyVerified: (result) => void checks.push(result) },
    logger: silentLogger,
  });
  const { secret } = await fixture.issue({ days });
  const admission = async (): Promise<KeyAdmission> => {
    const result = await keyCheck.check(secret, '192.0.2.1');
    if (!result.ok) throw new Error(result.reason);
    return result;
  };
  return { ...fixture, keyCheck, checks, admission };
}

describe('an admission', () => {
  test('holds for 4 s from the moment the row was read, not from the last check', async () => {
    const { admission, keyCheck, clock } = await admitted();
    const first = await admission();
    await clock.advance(3_000);
    const second = await admission();
    expect([first.validUntil, second.validUntil - first.validUntil]).toEqual([clock.now() + 1_000, 0]);
    await clock.advance(999);
    expect([keyCheck.holds(first), keyCheck.holds(second)]).toEqual([true, true]);
    await clock.advance(1);
    expect([keyCheck.holds(first), keyCheck.holds(second)]).toEqual([false, false]);
  });

  test('ends with the trial, when that comes first', async () => {
    const { admission, keyCheck, clock } = await admitted(1);
    await clock.advance(86_400_000 - 500);
    const pro = await admission();
    expect([pro.tier, keyCheck.holds(pro)]).toEqual(['pro', true]);
    await clock.advance(500);
    expect(keyCheck.holds(pro)).toBe(false);
    const free = await admission();
    expect([free.tier, keyCheck.holds(free)]).toEqual(['free', true]);
  });

  test('does not hold before the moment it was given', async () => {
    const { admission, keyCheck, clock } = await admitted();
    const given = await admission();
    await clock.advance(-1);
    expect(keyCheck.holds(given)).toBe(false);
  });

  test('counts as a check when it holds, and only then', async () => {
    const { admission, keyCheck, clock, checks } = await admitted();
    const given = await admission();
    keyCheck.holds(given);
    await clock.advance(4_000);
    keyCheck.holds(given);
    expect(checks).toEqual(['verified', 'cached']);
  });
});
