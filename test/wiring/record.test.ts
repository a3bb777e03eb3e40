import { describe, expect, onTestFinished, test } from 'vitest';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { makeRecords, recordTermsOf, wireRecord, wireRecordView } from '../../src/wiring/record.ts';
import { alertOf } from '../support/alerts.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { DATABASES } from '../support/databases.ts';
import { takeLease } from '../support/lease.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { storeAlerts } from '../support/stored.ts';

const TRADED = Date.UTC(2026, 10, 3);
const NOW = TRADED + 200 * HOUR_MS;
const STILL = new AbortController().signal;

/** A process over a database with one alert, whose source has come to `time`. */
async function openProcess(source: string, sourceName: string, time: number) {
  const { database, url, drop } = await (DATABASES[0] as (typeof DATABASES)[0]).open();
  onTestFinished(drop);
  const { ingest } = database;
  const lease = await takeLease(database, 'one');
  await storeAlerts(database, alertOf({ id: 1, tradedAt: TRADED, detectedAt: TRADED + 1 }));
  const checkpoint = { offset: 0, identity: 'one', mapping: null, time };
  await ingest.writeSnapshot(lease, { source: sourceName, checkpoint, sets: null });
  const config = configOf({ DATABASE_URL: url, MARKET_SOURCE: source });
  const context = { config, clock: createFakeClock(NOW), database };
  return context as typeof context & AppContext;
}

describe('the record of a process', () => {
  test('is made of its source as of the free delay, stored, and answered a few seconds later by every process', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    const terms = await recordTermsOf(context.config);
    const view = wireRecordView(context, terms);
    expect((await view.read()).report).toMatchObject({ alerts: 0, rules: terms.rules });
    const report = await wireRecord(context, terms)(STILL);
    const asOf = new Date(NOW - context.config.freeDelayMs).toISOString();
    expect(report).toMatchObject({ alerts: 1, as_of: asOf, rules: terms.rules });
    expect(await context.database.records.get()).toEqual({ at: NOW, report });
    await context.clock.advance(5_000);
    expect((await view.read()).report).toEqual(report);
  });

  test('is read once for all that ask within 5 seconds', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    const view = wireRecordView(context, await recordTermsOf(context.config));
    const [one, other] = await Promise.all([view.read(), view.read()]);
    expect(one).toBe(other);
  });

  test('has no alert that the public does not see yet', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    await storeAlerts(context.database, alertOf({ id: 2, createdAt: NOW - 299_999 }));
    const publish = wireRecord(context, await recordTermsOf(context.config));
    expect((await publish(STILL))?.alerts).toBe(1);
    await context.clock.advance(1);
    expect((await publish(STILL))?.alerts).toBe(2);
  });

  test('is not made, and the stored one stays, while its own source has no progress', async () => {
    const others = [
      ['replay:data/tapes/a.jsonl', 'polymarket', NOW],
      ['polymarket', 'polymarket', 0],
    ] as const;
    for (const [source, sourceName, time] of others) {
      const context = await openProcess(source, sourceName, time);
      const publish = wireRecord(context, await recordTermsOf(context.config));
      expect(await publish(STILL)).toBeNull();
      expect(await context.database.records.get()).toBeNull();
    }
  });

  /** Begins to make records that fail. */
  function startMaking(source: string) {
    const clock = createFakeClock(NOW);
    const context = { clock, logger: createRecordingLogger(), config: configOf({ MARKET_SOURCE: source }) };
    const stop = new AbortController();
    const runs: number[] = [];
    const publish = async () => {
      runs.push(clock.now() - NOW);
      throw new Error('away');
    };
    return { clock, runs, stop, running: makeRecords(publish, context, stop.signal) };
  }

  test('of a replay is made every 10 seconds until the process ends', async () => {
    const { clock, runs, stop, running } = startMaking('replay:a.jsonl');
    await clock.asleep();
    await clock.advance(20_000);
    stop.abort();
    await running;
    expect(runs).toEqual([0, 10_000, 20_000]);
  });

  test('of a live market is made by the job alone', async () => {
    const { runs, running } = startMaking('polymarket');
    await running;
    expect(runs).toEqual([]);
  });
});
