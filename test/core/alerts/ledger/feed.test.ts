import { describe, expect, test, vi } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { alertOf, settlementOf } from '../../../support/alerts.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

function feedOver(stored: Alert[]) {
  const after = vi.fn(async (id: number, limit: number) =>
    stored.filter((alert) => alert.id > id).slice(0, limit),
  );
  const retry = vi.fn(async () => {});
  const feed = new Feed({ alerts: { after }, logger: silentLogger, retry });
  const publish = (id: number) => {
    const alert = alertOf({ id });
    stored.push(alert);
    feed.announce(alert);
  };
  const listen = (afterId: number) => {
    const seen: number[] = [];
    const close = feed.subscribe(afterId, (alerts) => void seen.push(...alerts.map(({ id }) => id)));
    return { seen, close };
  };
  return { feed, after, retry, publish, listen };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('feed', () => {
  test('a subscriber gets every alert after the id it names, once and in order', async () => {
    const { publish, listen } = feedOver([1, 2, 3].map((id) => alertOf({ id })));
    const { seen } = listen(1);
    await settled();
    for (const id of [4, 5]) {
      publish(id);
      await settled();
    }
    expect(seen).toEqual([2, 3, 4, 5]);
  });

  test('a subscriber far behind is brought up page by page', async () => {
    const { listen } = feedOver(Array.from({ length: 1_201 }, (_, index) => alertOf({ id: index + 1 })));
    const { seen } = listen(0);
    await vi.waitFor(() => expect(seen).toHaveLength(1_201));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  test('a subscriber that is up to date gets the alert immediately, without a read of the store', async () => {
    const { after, publish, listen } = feedOver([]);
    const { seen } = listen(0);
    await settled();
    after.mockClear();
    publish(1);
    expect(seen).toEqual([1]);
    await settled();
    expect(after).not.toHaveBeenCalled();
  });

  test('a subscriber misses nothing where alerts of another process come before the one that is announced', async () => {
    const stored = [alertOf({ id: 1 })];
    const { publish, listen } = feedOver(stored);
    const { seen } = listen(1);
    await settled();
    stored.push(alertOf({ id: 2 }), alertOf({ id: 3 }));
    publish(4);
    await settled();
    expect(seen).toEqual([2, 3, 4]);
  });

  test('a slow subscriber misses nothing and delays no other', async () => {
    const { feed, publish, listen } = feedOver([]);
    const slow: number[] = [];
    const { seen: quick } = listen(0);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    feed.subscribe(0, async (alerts) => {
      await promise;
      slow.push(...alerts.map(({ id }) => id));
    });
    await settled();
    for (const id of [1, 2, 3]) {
      publish(id);
      await settled();
    }
    expect([slow, quick]).toEqual([[], [1, 2, 3]]);
    release();
    await vi.waitFor(() => expect(slow).toEqual([1, 2, 3]));
  });

  test('a handler that fails is given the same alerts again, after a wait each time', async () => {
    const { feed, retry, publish } = feedOver([]);
    const seen: number[] = [];
    let failures = 2;
    feed.subscribe(0, (alerts) => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      seen.push(...alerts.map(({ id }) => id));
    });
    publish(1);
    publish(2);
    await vi.waitFor(() => expect(seen).toEqual([1, 2]));
    expect(retry).toHaveBeenCalledTimes(2);
  });

  test('an outcome from both the ledger and the store is delivered once', () => {
    const { feed } = feedOver([]);
    const told: number[] = [];
    feed.onSettlement(({ log }) => told.push(log.seq));
    for (const seq of [1, 1, 2, 1, 2, 3]) feed.announceSettlement(settlementOf({ log: { seq, hash: '' } }));
    expect(told).toEqual([1, 2, 3]);
  });

  test('a closed subscription hears nothing more', async () => {
    const { publish, listen } = feedOver([]);
    const { seen, close } = listen(0);
    await settled();
    close();
    publish(1);
    await settled();
    expect(seen).toEqual([]);
  });
});
