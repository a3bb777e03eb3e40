import { describe, expect, test, vi } from 'vitest';
import type { ApiKey } from '../../../../src/core/accounts/keys/api-key.ts';
import { forgedKey, openKeyFixture } from '../../../support/key-fixture.ts';
import { asTheService, createRecordingLogger } from '../../../support/recording-logger.ts';

const DAY = 86_400_000;
const INVALID = { ok: false, reason: 'invalid' };

describe('key check', () => {
  test('a key verified before is let in without a promise, and argon2 ran once', async () => {
    const { issue, check, keyCheck, hasher } = await openKeyFixture();
    const { id, secret } = await issue();
    expect(await check(secret)).toMatchObject({ ok: true, key: { id }, tier: 'pro' });
    expect(keyCheck.recall(secret)).toMatchObject({ ok: true, key: { id } });
    expect(hasher.verifications).toBe(1);
  });

  test('unknown, malformed, wrong and revoked keys get one answer (missing or wrong key)', async () => {
    const { issue, check, service } = await openKeyFixture();
    const { id, secret } = await issue();
    await service.revoke(id);
    const wrong = [forgedKey(), 'pc_abc', `${secret}x`, secret.slice(0, -1), '', forgedKey(secret), secret];
    for (const key of wrong) expect(await check(key)).toEqual(INVALID);
    expect(await check(undefined)).toEqual({ ok: false, reason: 'missing' });
  });

  test('a key works immediately when it is issued after the same key was refused', async () => {
    const { issue, check, database } = await openKeyFixture();
    const { id, secret } = await issue();
    const row = await database.keys.byId(id);
    const other = await openKeyFixture();
    expect(await other.check(secret)).toEqual(INVALID);
    if (row !== null) await other.database.keys.insert(row);
    expect(await other.check(secret)).toMatchObject({ ok: true });
    expect(await check(secret)).toMatchObject({ ok: true });
  });

  test('a revocation is seen within 5 s, a change of tier too, and neither runs argon2 again', async () => {
    const { issue, check, keyCheck, service, clock, hasher } = await openKeyFixture();
    const [revoked, raised] = [await issue(), await issue({ tier: 'free' })];
    await Promise.all([check(revoked.secret), check(raised.secret)]);
    await service.revoke(revoked.id);
    await service.setTier(raised.id, 'enterprise');
    await clock.advance(5_000);
    expect(keyCheck.recall(revoked.secret)).toBeNull();
    for (let time = 0; time < 2; time += 1) expect(await check(revoked.secret)).toEqual(INVALID);
    expect(await check(raised.secret)).toMatchObject({ ok: true, tier: 'enterprise' });
    expect(hasher.verifications).toBe(2);
  });

  test('a revocation during the wait for argon2 is seen', async () => {
    const { issue, check, service, clock, hasher } = await openKeyFixture();
    const { id, secret } = await issue();
    hasher.hold();
    const answer = check(secret);
    await new Promise((resolve) => setImmediate(resolve));
    await service.revoke(id);
    await clock.advance(5_000);
    hasher.release();
    expect(await answer).toEqual(INVALID);
  });

  test('a fault of argon2 is thrown, and the next call runs it again', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const { secret } = await issue();
    vi.spyOn(hasher, 'verify').mockRejectedValueOnce(new Error('out of memory'));
    await expect(check(secret)).rejects.toThrow('out of memory');
    expect(await check(secret)).toMatchObject({ ok: true });
  });

  test('a trial is pro until the instant it ends, whether or not the row is read again (contract, States)', async () => {
    const { issue, keyCheck, check, clock } = await openKeyFixture();
    const { secret } = await issue({ days: 1 });
    await clock.advance(DAY - 1_000);
    await check(secret);
    await clock.advance(999);
    expect(keyCheck.recall(secret)).toMatchObject({ ok: true, tier: 'pro' });
    await clock.advance(1);
    expect(keyCheck.recall(secret)).toMatchObject({ ok: true, tier: 'free' });
  });

  test('what was not verified is not recalled: neither a wrong key nor an unknown one', async () => {
    const { issue, check, keyCheck } = await openKeyFixture();
    const { secret } = await issue();
    await check(secret);
    for (const wrong of [forgedKey(secret), forgedKey(), 'x']) {
      expect(await check(wrong)).toEqual(INVALID);
      expect(keyCheck.recall(wrong)).toBeNull();
    }
    expect(keyCheck.recall(secret)).not.toBeNull();
  });

  test('a former secret is recalled to the millisecond at which it ends', async () => {
    const { issue, checkOver, clock, database, hasher } = await openKeyFixture();
    const { id, secret } = await issue();
    const row = (await database.keys.byId(id)) as ApiKey;
    const former = forgedKey();
    const lookup = former.slice(8, 18);
    const previous = { lookup, hash: await hasher.hash(former), endsAt: clock.now() + 2_000 };
    const keyCheck = checkOver({ byLookup: async () => ({ ...row, previous }) });
    const admissions = await Promise.all([former, secret].map((text) => keyCheck.check(text, 'a')));
    expect(admissions).toMatchObject([
      { ok: true, lookup },
      { ok: true, lookup: row.lookup },
    ]);
    await clock.advance(1_999);
    expect(keyCheck.recall(former)?.key.id).toBe(id);
    await clock.advance(1);
    expect([keyCheck.recall(former), keyCheck.recall(secret)?.key.id]).toEqual([null, id]);
    expect(await keyCheck.check(former, 'a')).toEqual(INVALID);
  });
});

describe('key check while the database is away', () => {
  async function fixtureWithBreakableStore() {
    const fixture = await openKeyFixture();
    const { database } = fixture;
    const store = { mode: 'up' as 'up' | 'throws' | 'hangs' };
    const keys = {
      async byLookup(lookup: string) {
        if (store.mode === 'throws') throw new Error('connection lost');
        if (store.mode === 'hangs') return new Promise<never>(() => {});
        return database.keys.byLookup(lookup);
      },
    };
    const warnings: string[] = [];
    const logger = createRecordingLogger();
    const warn = (_: object, message: string) => void warnings.push(message);
    const keyCheck = fixture.checkOver(keys, asTheService({ ...logger, warn }));
    return { ...fixture, keyCheck, store, warnings };
  }

  test('rows read within 4 s are still served, then the answer is unavailable, and back it is served again', async () => {
    const { issue, keyCheck, store, clock, hasher, warnings } = await fixtureWithBreakableStore();
    const { secret } = await issue();
    await keyCheck.check(secret, 'a');
    store.mode = 'throws';
    await clock.advance(3_999);
    expect(keyCheck.recall(secret)).toMatchObject({ ok: true });
    await clock.advance(1);
    const away = { ok: false, reason: 'unavailable', retryAfterSeconds: 2 };
    for (let count = 0; count < 3; count += 1) expect(await keyCheck.check(secret, 'a')).toEqual(away);
    expect(warnings).toEqual(['key store unavailable; keys cannot be looked up']);
    store.mode = 'up';
    expect(await keyCheck.check(secret, 'a')).toMatchObject({ ok: true });
    expect(hasher.verifications).toBe(1);
  });

  test('a database that does not answer counts as away after 3 s, and leaves no timer', async () => {
    const { issue, keyCheck, store, clock } = await fixtureWithBreakableStore();
    const { secret } = await issue();
    store.mode = 'hangs';
    const answer = keyCheck.check(secret, 'a');
    await clock.asleep();
    await clock.advance(3_000);
    expect(await answer).toMatchObject({ ok: false, reason: 'unavailable' });
    store.mode = 'up';
    expect(await keyCheck.check(secret, 'a')).toMatchObject({ ok: true });
    expect(clock.sleepers).toBe(0);
  });

  test('a database that is lost during argon2 is away, too: the right key is not called wrong', async () => {
    const { issue, keyCheck, store, clock, hasher } = await fixtureWithBreakableStore();
    const { secret } = await issue();
    hasher.hold();
    const answer = keyCheck.check(secret, 'a');
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(4_000);
    store.mode = 'throws';
    hasher.release();
    expect(await answer).toMatchObject({ ok: false, reason: 'unavailable' });
  });

  test('no failure is counted against an address while keys cannot be looked up', async () => {
    const { issue, keyCheck, store } = await fixtureWithBreakableStore();
    await issue();
    store.mode = 'throws';
    for (let count = 0; count < 100; count += 1) {
      expect(await keyCheck.check(forgedKey(), 'a')).toMatchObject({ reason: 'unavailable' });
    }
    store.mode = 'up';
    expect(await keyCheck.check(forgedKey(), 'a')).toEqual(INVALID);
  });
});
