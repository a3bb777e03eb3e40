import { expect, onTestFinished, test, vi } from 'vitest';
import type { Lease, WorkerLease } from '../../../../src/core/base/lease/lease.ts';
import { DAY_MS } from '../../../../src/core/base/time/duration.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';

const TTL_MS = 1000;
const neverGone = () => false;

function claimOf(owner: string, now = 0) {
  return { owner, now, ttlMs: TTL_MS, isGone: neverGone };
}

async function leaseOf(store: WorkerLease, owner: string, now = 0): Promise<Lease> {
  const lease = await store.acquire(claimOf(owner, now));
  if (lease === null) throw new Error(`${owner} did not get the lease`);
  return lease;
}

onEachDatabase('the lease', (fixture) => {
  test('is given to one owner until it expires, and to the next with a larger epoch', async () => {
    const { lease: store } = fixture.database;
    const first = await leaseOf(store, 'a');

    expect(await store.acquire(claimOf('b', TTL_MS - 1))).toBeNull();
    const second = await leaseOf(store, 'b', TTL_MS);

    expect(second.epoch).toBeGreaterThan(first.epoch);
  });

  test('renewed, also late, it stays with its owner', async () => {
    const { lease: store } = fixture.database;
    const lease = await leaseOf(store, 'a');

    expect(await store.renew(lease, { owner: 'a', now: 900, ttlMs: TTL_MS })).toBe(true);

    expect(await store.acquire(claimOf('b', 1899))).toBeNull();
    expect(await store.renew(lease, { owner: 'a', now: 5000, ttlMs: TTL_MS })).toBe(true);
    expect(await store.acquire(claimOf('b', 5000 + TTL_MS))).not.toBeNull();
  });

  test('dated far ahead it is free once no renewal was seen for its length, whatever the clock shows', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { lease: store } = fixture.database;
    const other = (await fixture.another()).lease;
    const held = await leaseOf(other, 'a', 40 * DAY_MS);
    const claim = () => store.acquire(claimOf('b', 0));

    expect(await claim()).toBeNull();
    vi.advanceTimersByTime(TTL_MS - 1);
    await other.renew(held, { owner: 'a', now: 40 * DAY_MS + 1, ttlMs: TTL_MS });
    expect(await claim()).toBeNull();
    vi.advanceTimersByTime(TTL_MS - 1);
    expect(await claim()).toBeNull();
    vi.advanceTimersByTime(1);

    expect((await claim())?.epoch).toBeGreaterThan(held.epoch);
  });

  test('lost to another it is not renewed, nor taken from its new holder', async () => {
    const { lease: store } = fixture.database;
    const lost = await leaseOf(store, 'a');
    await leaseOf(store, 'b', TTL_MS);

    expect(await store.renew(lost, { owner: 'a', now: TTL_MS, ttlMs: TTL_MS })).toBe(false);
    await store.release(lost);

    expect(await store.acquire(claimOf('c', TTL_MS + 1))).toBeNull();
  });

  test('from an owner that is gone, or to one that starts again, it passes immediately', async () => {
    const { lease: store } = fixture.database;
    const first = await leaseOf(store, 'a');

    const second = await store.acquire({ ...claimOf('b', 1), isGone: (owner) => owner === 'a' });
    const third = await leaseOf(store, 'b', 2);

    expect([second?.epoch, third.epoch]).toEqual([first.epoch + 1, first.epoch + 2]);
  });

  test('released it is free, is no longer renewed, and the epoch continues', async () => {
    const { lease: store } = fixture.database;
    const first = await leaseOf(store, 'a');

    await store.release(first);

    expect(await store.renew(first, { owner: 'a', now: 1, ttlMs: TTL_MS })).toBe(false);
    expect((await leaseOf(store, 'b', 1)).epoch).toBeGreaterThan(first.epoch);
  });

  test('of owners racing for it exactly one wins, at the first time and whenever it is free again', async () => {
    const stores = [fixture.database.lease, (await fixture.another()).lease];

    for (let round = 0; round < 10; round += 1) {
      const claims = ['a', 'b', 'c', 'd'].map((owner, index) =>
        stores[index % 2]?.acquire(claimOf(`${owner}${round}`, round * TTL_MS)),
      );
      const won = (await Promise.all(claims)).filter((lease) => lease !== null);
      expect(won).toEqual([{ epoch: round + 1 }]);
    }
  });
});
