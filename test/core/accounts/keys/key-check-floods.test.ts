import { describe, expect, test, vi } from 'vitest';
import { forgedKey, openKeyFixture } from '../../../support/key-fixture.ts';

const INVALID = { ok: false, reason: 'invalid' };
const connection = {};

describe('key check', () => {
  test('10,000 unknown keys run argon2 zero times, one after the other and concurrently', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    await issue();
    for (let count = 0; count < 5_000; count += 1) await check(forgedKey(), `192.0.2.${count % 100}`);
    await Promise.all(Array.from({ length: 5_000 }, () => check(forgedKey(), '192.0.2.200')));
    expect(hasher.verifications).toBe(0);
  });

  test('the reads that a flood of unknown keys begins are bounded, and a right key is let in meanwhile', async () => {
    const { issue, checkOver, database } = await openKeyFixture();
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
    const keyCheck = checkOver(keys);
    const flood = Array.from({ length: 2_000 }, () => keyCheck.check(forgedKey(), '192.0.2.9'));
    expect(await keyCheck.check(secret, '192.0.2.1')).toMatchObject({ ok: true });
    expect(reads.most).toBeLessThanOrEqual(5);
    reads.held.resolve();
    const answers = await Promise.all(flood);
    expect(answers.filter((answer) => !answer.ok && answer.reason === 'invalid')).toHaveLength(60);
    expect(answers.every((answer) => !answer.ok)).toBe(true);
    const turnedAway = answers.filter((answer) => 'why' in answer && answer.why === 'busy');
    expect(turnedAway).toHaveLength(2_000 - 1_024);
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

  test.each([
    [500, 1, 2],
    [200, 40, 42],
  ])(
    'wrong keys from %i addresses for %i lookup parts let a new key with another one wait for at most %i verifications',
    async (addresses, parts, most) => {
      const { issue, check, hasher } = await openKeyFixture();
      const known = await Promise.all(Array.from({ length: parts }, () => issue()));
      const fresh = await issue();
      const verify = vi.spyOn(hasher, 'verify');
      hasher.hold();
      const flood = Array.from({ length: addresses }, (_, index) =>
        check(forgedKey(known[index % parts]?.secret), `198.51.${index >> 8}.${index & 255}`),
      );
      await new Promise((resolve) => setImmediate(resolve));
      const right = check(fresh.secret, '192.0.2.1');
      await new Promise((resolve) => setImmediate(resolve));
      hasher.release();

      expect(await right).toMatchObject({ ok: true });
      const refused = (await Promise.all(flood)).every(({ ok }) => !ok);
      const order = verify.mock.calls.map(([, secret]) => secret);
      expect([refused, order.indexOf(fresh.secret) <= most]).toEqual([true, true]);
    },
  );

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
    expect(keyCheck.recall(known.secret, connection)).toMatchObject({ ok: true });
    expect(await check(fresh.secret)).toMatchObject({ ok: true });
    expect(await check(forgedKey(), '192.0.2.2')).toEqual(INVALID);
    await clock.advance(50_000);
    expect(await check(forgedKey())).toEqual(INVALID);
  });
});
