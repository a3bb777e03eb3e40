import { describe, expect, onTestFinished, test } from 'vitest';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { makeRecords, recordTermsOf, wireRecord, wireRecordView } from '../../src/wiring/record.ts';
import { FIRST_HOUR, HOUR_MS, marketOf } from '../infra/database/observed.ts';
import { alertOf, settlementOf } from '../support/alerts.ts';
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
  test('is made of its source, stored, and in the memory of its process from then on', async () => {
    const context = await openProcess('polymarket', 'polymarket', NOW);
    const terms = await recordTermsOf(context.config);
    const view = wireRecordView(context, terms);
    await view.look();
    const before = view.read();
    expect(before).not.toBeNull();
    const { publish, close } = wireRecord(context, terms, view);
    onTestFinished(close);
    const made = await publish(STILL);
    expect(made).toMatchObject({ alerts: 1, events: 1, measured: 1 });
    const stored = await context.database.records.get('record');
    expect(stored).toEqual({ name: 'record', at: NOW, text: made?.text });
    expect(JSON.parse(stored?.text ?? '')).toMatchObject({
      as_of: new Date(NOW).toISOString(),
      rules: terms.rules,
    });
    expect(view.read()).not.toBe(before);
    expect(await context.metrics.render()).toMatch(/^tipoff_record_duration_seconds 0/m);
  });

  test('of a tape is not made from the progress of another source', async () => {
    const context = await openProcess('replay:data/tapes/a.jsonl', 'polymarket', NOW);
    const { publish } = wireRecord(context, await recordTermsOf(context.config), null);
    expect(await publish(STILL)).toBeNull();
    expect(await context.database.records.at('record')).toBeNull();
  });

  test('is made again two minutes after the start, unless the process ends before', async () => {
    const [clock, logger] = [createFakeClock(NOW), createRecordingLogger()];
    const runs: string[] = [];
    const jobs = {
      run: async (name: string) => {
        runs.push(name);
        throw new Error('away');
      },
    };
    const stop = new AbortController();
    const config = configOf({ MARKET_SOURCE: 'polymarket' });
    const context = { clock, logger, config } as unknown as AppContext;
    const both = [STILL, stop.signal].map((signal) => makeRecords(jobs, context, signal));
    stop.abort();
    await clock.advance(119_999);
    expect(runs).toEqual([]);
    await clock.advance(1);
    await Promise.all(both);
    expect(runs).toEqual(['record']);
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
  });

  test('of a replay is made when something is stored, again with each settlement and each alert that becomes public, and else not', async () => {
    const { database, clock, ...context } = await openProcess('replay:a.jsonl', 'replay:a.jsonl', NOW);
    let runs = 0;
    const jobs = {
      run: async () => {
        runs += 1;
        return null;
      },
    };
    const stop = new AbortController();
    const running = makeRecords(jobs, { ...context, database, clock }, stop.signal);
    await clock.asleep();
    const next = async () => {
      await clock.advance(10_000);
      await clock.asleep();
      return runs;
    };
    expect([runs, await next()]).toEqual([1, 1]);
    await database.settlements.put(settlementOf({ seq: 1 }));
    expect([await next(), await next()]).toEqual([2, 2]);
    await database.alerts.append(alertOf({ id: 2, createdAt: clock.now() - 290_000 }));
    expect([await next(), await next()]).toEqual([3, 3]);
    stop.abort();
    await running;
  });
});
