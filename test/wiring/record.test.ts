import { describe, expect, onTestFinished, test } from 'vitest';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { makeRecords, recordTermsOf, wireRecord, wireRecordView } from '../../src/wiring/record.ts';
import { FIRST_HOUR, HOUR_MS, marketOf } from '../infra/database/observed.ts';
import { alertOf } from '../support/alerts.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { DATABASES } from '../support/databases.ts';
import { takeLease } from '../support/lease.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

const NOW = FIRST_HOUR + 200 * HOUR_MS;
const STILL = new AbortController().signal;

/** A process over a database with one observed market, whose source has come to `time`. */
async function openProcess(source: string, sourceName: string, time: number) {
  const { database, url, drop } = await (DATABASES[0] as (typeof DATABASES)[0]).open();
  onTestFinished(drop);
  const { ingest, observations, alerts } = database;
  const lease = await takeLease(database, 'one');
  await observations.write(lease, { markets: [marketOf({ marketId: '0xm1' })], hours: [] });
  await alerts.append(alertOf({ id: 1, tradedAt: FIRST_HOUR, detectedAt: FIRST_HOUR + 1 }));
  const checkpoint = { offset: 0, identity: 'one', mapping: null, time };
  await ingest.writeSnapshot(lease, { source: sourceName, checkpoint, sets: null });
  const config = configOf({ DATABASE_URL: url, MARKET_SOURCE: source });
  const [logger, metrics] = [createRecordingLogger(), new MetricsExport()];
  const context = { config, clock: createFakeClock(NOW), logger, metrics, database };
  return context as typeof context & AppContext;
}

describe('the record of a process', () => {
  test('is made of its source, stored, and answered a few seconds later by every process', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    const terms = await recordTermsOf(context.config);
    const view = wireRecordView(context, terms);
    expect((await view.read()).report).toMatchObject({ alerts: 0, rules: terms.rules });
    const report = await wireRecord(context, terms)(STILL);
    expect(report).toMatchObject({ alerts: 1, as_of: new Date(NOW).toISOString(), rules: terms.rules });
    expect(await context.database.records.get()).toEqual({ at: NOW, report });
    await context.clock.advance(5_000);
    expect((await view.read()).report).toEqual(report);
    expect(await context.metrics.render()).toMatch(/^tipoff_record_duration_seconds 0/m);
  });

  test('is read once for all that ask within 5 seconds', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    const view = wireRecordView(context, await recordTermsOf(context.config));
    const [one, other] = await Promise.all([view.read(), view.read()]);
    expect(one).toBe(other);
  });

  test('of a tape is not made from the progress of another source', async () => {
    const context = await openProcess('replay:data/tapes/a.jsonl', 'polymarket', NOW);
    const publish = wireRecord(context, await recordTermsOf(context.config));
    expect(await publish(STILL)).toBeNull();
    expect(await context.database.records.get()).toBeNull();
  });

  const runsOf = (source: string) => {
    const [clock, logger] = [createFakeClock(NOW), createRecordingLogger()];
    const context = { clock, logger, config: configOf({ MARKET_SOURCE: source }) };
    const runs: number[] = [];
    const publish = async () => {
      runs.push(clock.now() - NOW);
      throw new Error('away');
    };
    return { clock, logger, runs, make: (signal: AbortSignal) => makeRecords(publish, context, signal) };
  };

  test('is made again two minutes after the start, unless the process ends before', async () => {
    const { clock, logger, runs, make } = runsOf('polymarket');
    const stop = new AbortController();
    const both = [STILL, stop.signal].map(make);
    stop.abort();
    await clock.advance(120_000);
    await Promise.all(both);
    expect(runs).toEqual([120_000]);
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
  });

  test('of a replay is made every 10 seconds until the process ends', async () => {
    const { clock, runs, make } = runsOf('replay:a.jsonl');
    const stop = new AbortController();
    const running = make(stop.signal);
    await clock.asleep();
    await clock.advance(20_000);
    stop.abort();
    await running;
    expect(runs).toEqual([0, 10_000, 20_000]);
  });
});
