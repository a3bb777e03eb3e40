import { expect, test } from 'vitest';
import { untilAborted } from '../../../../src/core/base/async/repeat.ts';
import { type HeldLease, holdLease, LEASE_TTL_MS } from '../../../../src/core/base/lease/hold-lease.ts';
import { type Lease, LeaseLost, type WorkerLease } from '../../../../src/core/base/lease/lease.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const LATE_MS = 7_000;

function hold(
  renew: WorkerLease['renew'],
  acquire: WorkerLease['acquire'] = async () => ({ epoch: 1 }),
  leaseTime = async () => START,
) {
  const clock = createFakeClock(START);
  const released: number[] = [];
  const store = {
    acquire,
    renew,
    release: async ({ epoch }: Lease) => void released.push(epoch),
  };
  const deps = {
    store,
    clock,
    leaseTime,
    logger: silentLogger,
    owner: 'a',
    isGone: () => false,
  };
  const stop = new AbortController();
  const held = Promise.withResolvers<HeldLease>();
  const outcome = holdLease(deps, stop.signal, (given, signal) => {
    held.resolve(given);
    return untilAborted(signal);
  });
  return { clock, stop, outcome, released, store, held: held.promise };
}

test.each<[string, WorkerLease['renew']]>([
  ['fails', () => Promise.reject(new Error('away'))],
  ['does not answer', () => new Promise(() => {})],
  ['says that another has it', async () => false],
])('the work ends when the store %s, by the time that another may begin', async (_, renew) => {
  const { clock, outcome, released } = hold(renew);

  await clock.asleep();
  await clock.advance(LEASE_TTL_MS + LATE_MS);

  expect(await outcome).toBe('lost');
  expect(released).toEqual([]);
});

test('the work continues while the lease is renewed, though not each time, and releases it at its end', async () => {
  let renewals = 0;
  const { clock, stop, outcome, released } = hold(async () => {
    renewals += 1;
    if (renewals % 2 === 1) throw new Error('away');
    return true;
  });

  await clock.asleep();
  await clock.advance(10 * LEASE_TTL_MS);
  stop.abort();

  expect(await outcome).toBe('done');
  expect(released).toEqual([1]);
});

test('a store that does not answer delays the end by a second at most', async () => {
  const { clock, stop, outcome, store, held } = hold(async () => true);
  store.release = () => new Promise(() => {});
  await held;
  stop.abort();
  const ended = expect(outcome).rejects.toThrow();
  await clock.asleep();
  await clock.advance(1_000);
  await ended;
});

test('the next epoch is the one that is renewed and released, also when a renewal of the former is refused meanwhile', async () => {
  const renewed: number[] = [];
  let epoch = 0;
  const former = Promise.withResolvers<boolean>();
  const renew: WorkerLease['renew'] = async (lease) => {
    renewed.push(lease.epoch);
    return lease.epoch === 1 ? former.promise : true;
  };
  const { clock, stop, outcome, released, held } = hold(renew, async () => {
    epoch += 1;
    return { epoch };
  });

  await clock.asleep();
  await clock.advance(LEASE_TTL_MS / 3);
  expect(await (await held).next()).toEqual({ epoch: 2 });
  former.resolve(false);
  await clock.advance(LEASE_TTL_MS);
  stop.abort();

  expect(await outcome).toBe('done');
  expect([renewed[0], renewed.at(-1), released]).toEqual([1, 2, [2]]);
});

test('the next epoch of a lease that another process has ends the work', async () => {
  const answers = [{ epoch: 1 }, null];
  const { outcome, held } = hold(
    async () => true,
    async () => answers.shift() ?? null,
  );

  await expect((await held).next()).rejects.toThrow(LeaseLost);
  expect(await outcome).toBe('lost');
});

test('the work ends where the time of the leases cannot be read any more', async () => {
  let reads = 0;
  const leaseTime = async () => {
    reads += 1;
    if (reads > 1) throw new Error('away');
    return START;
  };
  const { clock, outcome } = hold(async () => true, undefined, leaseTime);

  await clock.asleep();
  await clock.advance(LEASE_TTL_MS + LATE_MS);

  expect(await outcome).toBe('lost');
});
