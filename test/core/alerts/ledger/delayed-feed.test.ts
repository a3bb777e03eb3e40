import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DelayedFeed, Feed } from '../../../../src/core/alerts/ledger/feed.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { DATABASES } from '../../../support/databases.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { until } from '../../../support/until.ts';

const SECOND = 1_000;
const DELAY = 300 * SECOND;

for (const { name, available, open } of DATABASES) {
  describe.skipIf(!available)(`the feed at the free delay (${name})`, () => {
    async function start() {
      const { database, drop } = await open();
      onTestFinished(drop);
      const clock = createFakeClock(START);
      const { alerts } = database;
      const seen: number[] = [];
      const feed = new Feed({ alerts, logger: silentLogger, retry: () => clock.sleep(SECOND) });
      const openDelayed = async () => {
        const onAlert = ({ id }: { id: number }) => void seen.push(id);
        const delayed = new DelayedFeed({ alerts, feed, clock, delayMs: DELAY, onAlert });
        await delayed.open();
        onTestFinished(() => delayed.close());
        return delayed;
      };
      const write = async (id: number, createdAt: number, isAnnounced = true) => {
        const alert = alertOf({ id, createdAt });
        await alerts.append(alert);
        if (isAnnounced) feed.announce(alert);
      };
      return { clock, seen, openDelayed, write };
    }

    test('has an alert after 300 s, not after 299 s', async () => {
      const { clock, seen, openDelayed, write } = await start();
      const delayed = await openDelayed();
      await write(1, START);
      await clock.asleep();
      await clock.advance(DELAY - SECOND);
      expect([seen, delayed.newestId]).toEqual([[], 0]);
      await clock.advance(SECOND);
      expect([seen, delayed.newestId]).toEqual([[1], 1]);
    });

    test('has alerts in their order, each once', async () => {
      const { clock, seen, openDelayed, write } = await start();
      const delayed = await openDelayed();
      for (const id of [1, 2, 3]) await write(id, START + (id - 1) * SECOND);
      await clock.asleep();
      await clock.advance(DELAY);
      await until(() => clock.sleepers === 1);
      expect(delayed.newestId).toBe(1);
      for (const id of [2, 3]) {
        await clock.advance(SECOND);
        await until(() => delayed.newestId === id);
      }
      expect(seen).toEqual([1, 2, 3]);
    });

    test('begins after a restart where it was: what was visible then is no news', async () => {
      const { clock, seen, openDelayed, write } = await start();
      await write(1, START - DELAY, false);
      await write(2, START - DELAY + SECOND, false);
      const delayed = await openDelayed();
      expect(delayed.newestId).toBe(1);
      await clock.asleep();
      await clock.advance(SECOND);
      expect(seen).toEqual([2]);
    });

    test('passes an alert when the wall clock is set past its delay, and waits again for the next one', async () => {
      const { clock, seen, openDelayed, write } = await start();
      await openDelayed();
      await write(1, START);
      await write(2, START + 7_200 * SECOND);
      await clock.asleep();
      clock.set(DELAY);
      await clock.advance(250);
      await until(() => seen.length === 1);
      clock.set(-DELAY);
      await clock.advance(DELAY);
      expect(seen).toEqual([1]);
    });

    test('passes an import of history, which comes in pages, without a gap', async () => {
      const { seen, openDelayed, write } = await start();
      const delayed = await openDelayed();
      const count = 40;
      for (let id = 1; id <= count; id += 1) await write(id, START - DELAY, id === count);
      await until(() => delayed.newestId === count);
      expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    });

    test('has no more after it was closed', async () => {
      const { clock, seen, openDelayed, write } = await start();
      const delayed = await openDelayed();
      await write(1, START);
      await clock.asleep();
      delayed.close();
      await nextTurn();
      expect([seen, clock.sleepers]).toEqual([[], 0]);
    });
  });
}
