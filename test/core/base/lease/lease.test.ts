import { expect, test } from 'vitest';
import { untilAborted } from '../../../../src/core/base/async/repeat.ts';
import {
  holdLease,
  LEASE_TTL_MS,
  type LeaseStore,
  lostInTime,
} from '../../../../src/core/base/lease/lease.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const LATE_MS = 7_000;

function hold(renew: LeaseStore['renew']) {
  const clock = createFakeClock(START);
  const released: number[] = [];
  const store: LeaseStore = {
    acquire: async () => ({ epoch: 1 }),
    renew,
    release: async ({ epoch }) => void released.push(epoch),
  };
  const deps = {
    store: lostInTime(store, clock),
    clock,
    leaseTime: async () => clock.now(),
    logger: silentLogger,
    owner: 'a',
    isGone: () => false,
  };
  const stop = new AbortController();
  const outcome = holdLease(deps, stop.signal, (_, signal) => untilAborted(signal));
  return { clock, stop, outcome, released };
}

test.each<[string, LeaseStore['renew']]>([
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

test('the work ends in the same millisecond in which another may begin, where the store answers with a fault', async () => {
  const { clock, outcome } = hold(() => Promise.reject(new Error('away')));

  await clock.asleep();
  await clock.advance(LEASE_TTL_MS);

  expect(await outcome).toBe('lost');
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
