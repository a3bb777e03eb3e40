import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/core/database.ts';
import { RecordMaker } from '../../../src/core/record/record-maker.ts';
import { sqliteFile } from '../../../src/infra/database/database.ts';
import { RecordThread } from '../../../src/infra/record/record-thread.ts';
import { alertOf, settlementOf } from '../../support/alerts.ts';
import { takeLease } from '../../support/lease.ts';
import { REQUEST } from '../../support/records.ts';
import { onEachDatabase } from '../database/each-database.ts';
import { FIRST_HOUR, HOUR_MS, hourOf, marketOf } from '../database/observed.ts';

const LATER = FIRST_HOUR + 200 * HOUR_MS;
const REQUESTED = { ...REQUEST, asOf: LATER, publishedUntil: LATER };
const STILL = new AbortController().signal;

async function seed({ lease: leases, observations, alerts, settlements }: Database): Promise<void> {
  const lease = await takeLease({ lease: leases }, 'one');
  const settledAt = FIRST_HOUR + 72 * HOUR_MS;
  const markets = [marketOf({ marketId: 'a' }), marketOf({ marketId: 'b', isOpen: false, settledAt })];
  await observations.write(lease, { markets, hours: [] });
  const text = '{"orders":[]}';
  await observations.write(lease, {
    markets: [],
    hours: markets.map(({ marketId }) => hourOf(marketId, 1, text)),
  });
  for (const [index, { marketId }] of markets.entries())
    await alerts.append(alertOf({ id: index + 1, marketId, tradedAt: FIRST_HOUR, detectedAt: FIRST_HOUR }));
  await settlements.put(settlementOf({ marketId: 'b' }));
}

function openThread(url: string): RecordThread {
  const thread = new RecordThread({ url, file: sqliteFile(url) });
  onTestFinished(() => thread.close());
  return thread;
}

onEachDatabase('a record made in a thread', (fixture) => {
  test('is that of the main thread, and what is final is measured once', async () => {
    await seed(fixture.database);
    const thread = openThread(fixture.url);
    const [first, second] = [await thread.make(REQUESTED, STILL), await thread.make(REQUESTED, STILL)];
    expect(first).toEqual(await new RecordMaker().make(fixture.database, REQUESTED));
    expect([first.alerts, first.measured]).toEqual([2, 2]);
    expect(second).toEqual({ ...first, measured: 1 });
  });
});

test('a run that is aborted ends the thread, and one that fails says why; the next run starts another', async () => {
  const thread = openThread('sqlite:/nowhere/tipoff.db');
  const stop = new AbortController();
  const aborted = thread.make(REQUESTED, stop.signal);
  stop.abort();
  await expect(aborted).rejects.toThrow(/aborted/);
  await expect(thread.make(REQUESTED, STILL)).rejects.toThrow(/unable to open database file/);
});
