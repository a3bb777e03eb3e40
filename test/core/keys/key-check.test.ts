import { describe, expect, test } from 'vitest';
import { KeyCheck } from '../../../src/core/keys/key-check.ts';
import { keyDigest } from '../../../src/infra/key-crypto.ts';
import { forgedKey, openKeyFixture } from '../../support/key-fixture.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { silentLogger } from '../../support/silent-logger.ts';

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

  test('10,000 unknown keys run argon2 zero times, one after the other and concurrently', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    await issue();
    for (let count = 0; count < 5_000; count += 1) await check(forgedKey(), `192.0.2.${count % 100}`);
    await Promise.all(Array.from({ length: 5_000 }, () => check(forgedKey(), '192.0.2.200')));
    expect(hasher.verifications).toBe(0);
  });

  test('the reads that a flood of unknown keys begins are bounded, and a right key is let in meanwhile', async () => {
    const { issue, clock, hasher, database } = await openKeyFixture();
    const { secret } = await issue();
    const reads = { now: 0, most: 0, held: Promise.withResolvers<void>() };
    const keys = {
      async byLookup(lookup: string) {
        reads.now += 1;
        reads.most = Math.max(reads.most, reads.now);
        if (lookup !== secret.slice(8, 18)) await reads.held.promise;
        reads.now -= 1;
        return database.keys.byLookup(lookup);
      },
    };
    const keyCheck = new KeyCheck({
      keys,
      hasher,
      clock,
      digest: keyDigest,
      metrics: noMetrics,
      logger: silentLogger,
    });
    const flood = Array.from({ length: 1_000 }, () => keyCheck.check(forgedKey(), '192.0.2.9'));
    expect(await keyCheck.check(secret, '192.0.2.1')).toMatchObject({ ok: true });
    expect(reads.most).toBeLessThanOrEqual(66);
    reads.held.resolve();
    const answers = await Promise.all(flood);
    expect(answers.filter((answer) => !answer.ok && answer.reason === 'invalid')).toHaveLength(60);
    expect(answers.every((answer) => !answer.ok)).toBe(true);
    // 60 go ahead, 4 pass the gate and 64 wait at it; no other call waits.
    const turnedAway = answers.filter(
      (answer) => 'retryAfterSeconds' in answer && answer.retryAfterSeconds === 1,
    );
    expect(turnedAway).toHaveLength(1_000 - 60 - 4 - 64);
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

  test('many first requests with the same key share one verification', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const { secret } = await issue();
    hasher.hold();
    const answers = Array.from({ length: 500 }, () => check(secret));
    await new Promise((resolve) => setImmediate(resolve));
    hasher.release();
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(hasher.verifications).toBe(1);
  });

  test('argon2 runs once at a time for a lookup part and twice overall; one address uses two slots of the queue, and no right key is refused', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const keys = await Promise.all([issue(), issue(), issue()]);
    const secret = keys[0].secret;
    hasher.hold();
    const forged = Array.from({ length: 40 }, () => check(forgedKey(secret)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasher.mostAtOnce).toBe(1);
    const right = keys.map((key) => check(key.secret, '192.0.2.2'));
    await new Promise((resolve) => setImmediate(resolve));
    hasher.release();
    const answers = await Promise.all(forged);
    expect(hasher.mostAtOnce).toBe(2);
    expect(answers).toContainEqual({ ok: false, reason: 'limited', why: 'busy', retryAfterSeconds: 1 });
    expect(answers.filter((answer) => !answer.ok && answer.reason === 'invalid')).toHaveLength(2);
    expect((await Promise.all(right)).every(({ ok }) => ok)).toBe(true);
  });

  test('a flood of wrong keys for its lookup part does not keep out the right key that was never verified', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const { secret } = await issue();
    for (let count = 0; count < 60; count += 1) await check(forgedKey(secret), '192.0.2.9');
    hasher.hold();
    const flood = Array.from({ length: 200 }, () => check(forgedKey(secret), '192.0.2.9'));
    await new Promise((resolve) => setImmediate(resolve));
    const right = check(secret, '192.0.2.1');
    await new Promise((resolve) => setImmediate(resolve));
    hasher.release();
    expect(await right).toMatchObject({ ok: true });
    expect((await Promise.all(flood)).every((answer) => !answer.ok && answer.reason === 'limited')).toBe(
      true,
    );
    expect(hasher.verifications).toBeLessThanOrEqual(60 + 10);
  });

  test('a wrong key that was refused once costs no argon2 again', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const forged = forgedKey((await issue()).secret);
    for (let count = 0; count < 5; count += 1) expect(await check(forged)).toEqual(INVALID);
    expect(hasher.verifications).toBe(1);
  });

  test('after 60 failures in a minute further failures are limited with the seconds to wait; right keys are not', async () => {
    const { issue, check, keyCheck, clock, hasher } = await openKeyFixture();
    const [known, fresh] = [await issue(), await issue()];
    await check(known.secret);
    for (let count = 0; count < 60; count += 1) expect(await check(forgedKey(known.secret))).toEqual(INVALID);
    expect(hasher.verifications).toBe(61);
    await clock.advance(10_000);
    for (const wrong of [forgedKey(known.secret), forgedKey(), 'x', undefined]) {
      expect(await check(wrong)).toEqual({
        ok: false,
        reason: 'limited',
        why: 'failures',
        retryAfterSeconds: 50,
      });
    }
    expect(await check(known.secret)).toMatchObject({ ok: true });
    expect(keyCheck.recall(known.secret)).toMatchObject({ ok: true });
    expect(await check(fresh.secret)).toMatchObject({ ok: true });
    expect(await check(forgedKey(), '192.0.2.2')).toEqual(INVALID);
    await clock.advance(50_000);
    expect(await check(forgedKey())).toEqual(INVALID);
  });

  test('a revocation is seen within 5 s, a change of tier too, and neither runs argon2 again', async () => {
    const { issue, check, service, clock, hasher } = await openKeyFixture();
    const [revoked, raised] = [await issue(), await issue({ tier: 'free' })];
    await Promise.all([check(revoked.secret), check(raised.secret)]);
    await service.revoke(revoked.id);
    await service.setTier(raised.id, 'enterprise');
    await clock.advance(5_000);
    // The second time the revoked row is a fresh one, and the key's proof still holds.
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

  test('a new hash in the row ends the old secret', async () => {
    const { issue, clock, hasher, database } = await openKeyFixture();
    const { secret } = await issue();
    const rotated = forgedKey(secret);
    const state = { hash: await hasher.hash(secret) };
    const keys = {
      async byLookup(lookup: string) {
        const row = await database.keys.byLookup(lookup);
        return row === null ? null : { ...row, hash: state.hash };
      },
    };
    const keyCheck = new KeyCheck({
      keys,
      hasher,
      clock,
      digest: keyDigest,
      metrics: noMetrics,
      logger: silentLogger,
    });
    expect(await keyCheck.check(secret, 'a')).toMatchObject({ ok: true });
    state.hash = await hasher.hash(rotated);
    await clock.advance(4_000);
    expect(await keyCheck.check(rotated, 'a')).toMatchObject({ ok: true });
    expect(await keyCheck.check(secret, 'a')).toEqual(INVALID);
  });
});

describe('key check while the database is away', () => {
  async function fixtureWithBreakableStore() {
    const fixture = await openKeyFixture();
    const { database, clock, hasher } = fixture;
    const store = { mode: 'up' as 'up' | 'throws' | 'hangs' };
    const keys = {
      async byLookup(lookup: string) {
        if (store.mode === 'throws') throw new Error('connection lost');
        if (store.mode === 'hangs') return new Promise<never>(() => {});
        return database.keys.byLookup(lookup);
      },
    };
    const warnings: string[] = [];
    const logger = { warn: (_: object, message: string) => void warnings.push(message) };
    const keyCheck = new KeyCheck({ keys, hasher, clock, digest: keyDigest, metrics: noMetrics, logger });
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
