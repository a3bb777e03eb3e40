import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { argon2Hasher } from '../../../../src/infra/secrets/argon2-hasher.ts';
import { forgedKey, openKeyFixture } from '../../../support/key-fixture.ts';

const INVALID = { ok: false, reason: 'invalid' };
const BUSY = { ok: false, reason: 'busy', retryAfterSeconds: 1 };

/** The addresses of `count` callers. */
function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `198.51.${index >> 8}.${index & 255}`);
}

describe('one guesser', () => {
  test('of unknown keys runs argon2 never, and has four reads at a time; a right key is let in meanwhile, one verified before even from there', async () => {
    const { issue, checkOver, clock, database, hasher } = await openKeyFixture();
    const [known, fresh] = [await issue(), await issue()];
    const right = [known, fresh].map(({ secret }) => secret.slice(8, 18));
    const reads = { now: 0, most: 0, held: Promise.withResolvers<void>() };
    const keyCheck = checkOver({
      async byLookup(lookup: string) {
        reads.now += 1;
        reads.most = Math.max(reads.most, reads.now);
        if (!right.includes(lookup)) await reads.held.promise;
        reads.now -= 1;
        return database.keys.byLookup(lookup);
      },
    });
    await keyCheck.check(known.secret, '192.0.2.9');
    await clock.advance(4_000);

    const flood = Array.from({ length: 2_000 }, () => keyCheck.check(forgedKey(), '192.0.2.9'));
    expect(await keyCheck.check(known.secret, '192.0.2.9')).toMatchObject({ ok: true });
    expect(await keyCheck.check(fresh.secret, '192.0.2.1')).toMatchObject({ ok: true });
    expect(reads.most).toBeLessThanOrEqual(5);
    reads.held.resolve();

    const answers = await Promise.all(flood);
    const countOf = (wanted: string) => answers.filter((one) => !one.ok && one.reason === wanted).length;
    expect([countOf('invalid'), countOf('failures'), countOf('busy')]).toEqual([
      60,
      1_024 - 60,
      2_000 - 1_024,
    ]);
    expect(hasher.verifications).toBe(2);
  });

  test('of one lookup part has two slots of its queue: the right key with that part, never verified before, waits for two runs of argon2', async () => {
    const { issue, check, hasher } = await openKeyFixture();
    const { secret } = await issue();
    const verify = vi.spyOn(hasher, 'verify');
    hasher.hold();
    const flood = Array.from({ length: 200 }, () => check(forgedKey(secret), '192.0.2.9'));
    await setImmediate();
    const right = check(secret, '192.0.2.1');
    await setImmediate();
    hasher.release();

    expect(await right).toMatchObject({ ok: true });
    expect(verify.mock.calls.map(([, tried]) => tried === secret)).toEqual([false, false, true]);
    const answers = await Promise.all(flood);
    expect(answers.filter(({ ok }) => ok)).toEqual([]);
    expect(answers).toContainEqual(BUSY);
  });

  test('is limited after 60 failures in a minute, with the seconds to wait; right keys from there are not', async () => {
    const { issue, check, keyCheck, clock } = await openKeyFixture();
    const [known, fresh] = [await issue(), await issue()];
    await check(known.secret);
    for (let count = 0; count < 60; count += 1) expect(await check(forgedKey(known.secret))).toEqual(INVALID);
    await clock.advance(10_000);
    for (const wrong of [forgedKey(known.secret), forgedKey(), 'x', undefined])
      expect(await check(wrong)).toEqual({ ok: false, reason: 'failures', retryAfterSeconds: 50 });
    expect(await check(known.secret)).toMatchObject({ ok: true });
    expect(keyCheck.recall(known.secret)).toMatchObject({ ok: true });
    expect(await check(fresh.secret)).toMatchObject({ ok: true });
    expect(await check(forgedKey(), '192.0.2.2')).toEqual(INVALID);
    await clock.advance(50_000);
    expect(await check(forgedKey())).toEqual(INVALID);
  });

  test('with the /64s of one IPv6 /48 has eight times the failures of an address', async () => {
    const { check } = await openKeyFixture();
    const reasons: unknown[] = [];
    for (let count = 0; count < 482; count += 1)
      reasons.push(await check('x', `2001:db8:0:${(count % 16).toString(16)}`));
    expect(reasons.filter((one) => JSON.stringify(one) === JSON.stringify(INVALID))).toHaveLength(480);
  });
});

describe('many guessers', () => {
  test.each([
    ['500 addresses for one lookup part', 500, 1, 2],
    ['200 addresses for 40 lookup parts', 200, 40, 42],
  ])(
    '%s let a new key with another part wait for few runs of argon2, of which two run at a time and one a part',
    async (_, count, parts, most) => {
      const { issue, check, hasher } = await openKeyFixture();
      const known = await Promise.all(Array.from({ length: parts }, () => issue()));
      const fresh = await issue();
      const verify = vi.spyOn(hasher, 'verify');
      hasher.hold();
      const flood = addresses(count).map((address, index) =>
        check(forgedKey(known[index % parts]?.secret), address),
      );
      await setImmediate();
      expect(hasher.mostAtOnce).toBe(Math.min(2, parts));
      const right = check(fresh.secret, '192.0.2.1');
      await setImmediate();
      hasher.release();

      expect(await right).toMatchObject({ ok: true });
      const isRefused = (await Promise.all(flood)).every(({ ok }) => !ok);
      const order = verify.mock.calls.map(([, secret]) => secret);
      expect([isRefused, order.indexOf(fresh.secret) <= most, hasher.mostAtOnce]).toEqual([true, true, 2]);
    },
  );

  test('400 of them leave a new key its first call within a second, with the argon2 of production', async () => {
    let isMeasured = false;
    const { issue, check } = await openKeyFixture({
      hash: argon2Hasher.hash,
      verify: async (...given) => !isMeasured && argon2Hasher.verify(...given),
    });
    const [known, ...fresh] = [await issue(), await issue(), await issue(), await issue()];
    const flood = addresses(400).map((address) => check(forgedKey(known.secret), address));
    const tookMs: number[] = [];
    for (const { secret } of fresh) {
      const startedAt = performance.now();
      expect(await check(secret, '192.0.2.1')).toMatchObject({ ok: true });
      tookMs.push(performance.now() - startedAt);
    }
    isMeasured = true;

    // The fastest: another process may use the processor.
    expect(Math.min(...tookMs)).toBeLessThan(1_000);
    expect((await Promise.all(flood)).some(({ ok }) => ok)).toBe(false);
  });
});

test('many first requests with the same key share one run of argon2', async () => {
  const { issue, check, hasher } = await openKeyFixture();
  const { secret } = await issue();
  hasher.hold();
  const answers = Array.from({ length: 500 }, () => check(secret));
  await setImmediate();
  hasher.release();
  expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
  expect(hasher.verifications).toBe(1);
});
