import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../../src/core/base/database-errors.ts';
import { LONG_CALL_MS } from '../../../src/core/base/documents/documents.ts';
import { openFeatures } from '../../../src/core/database.ts';
import { openDatabase, withTimeLimits } from '../../../src/infra/database/database.ts';
import { isOutage } from '../../../src/infra/database/outage.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { callsOf } from './all-calls.ts';
import { onEachDatabase } from './each-database.ts';

/** Work that grows with the data; each with its reason in database.ts. */
const LONG = [
  'alerts.resolveMarket',
  'alerts.visible',
  'alerts.search',
  'alerts.hotMarkets',
  'alerts.stats',
  'alerts.preview',
  'alerts.matching',
  'alerts.walletReport',
  'alerts.marketReport',
  'alerts.settledMarkets',
  'alerts.settlementsOf',
  'alerts.marketOfSlug',
  'alerts.marketsOfEvent',
  'alerts.marketsNamed',
  'alerts.walletsNamed',
];

onEachDatabase('the time limit', (fixture) => {
  test('ends a call that does not answer after 4 s, or 60 s where its work grows with the data', async () => {
    const clock = createFakeClock(START);
    const never = () => new Promise<never>(() => {});
    const hanging = { ...fixture.database, alerts: { byId: never, search: never } as unknown as AlertStore };
    const { alerts } = withTimeLimits(hanging, clock);
    const ends: string[] = [];
    const [short, long] = [alerts.byId(1), alerts.search({}, { page: 1, pageSize: 1 })].map((call) =>
      call.catch((error: unknown) => {
        ends.push(String(error));
        return error;
      }),
    );

    await clock.advance(DATABASE_TIMEOUT_MS - 1);
    expect(ends).toEqual([]);
    await clock.advance(1);
    const error = await short;
    expect(error).toBeInstanceOf(DatabaseTimeout);
    expect(isOutage(error)).toBe(true);
    const reason = 'no answer from the database within 4000 ms; a write may still be executed';
    expect(ends).toEqual([expect.stringContaining(`alerts.byId: ${reason}`)]);
    await clock.advance(60_000 - DATABASE_TIMEOUT_MS);
    expect(String(await long)).toContain('alerts.search: no answer from the database within 60000 ms');
    expect(clock.sleepers).toBe(0);
  });

  /** An open database, and the limits of the calls that are made of it. */
  async function openNoted() {
    const limits: number[] = [];
    const clock = createFakeClock(START);
    const noted = {
      now: clock.now,
      sleep(ms: number, signal?: AbortSignal) {
        limits.push(ms);
        return clock.sleep(ms, signal);
      },
    };
    const opened = await openDatabase(fixture.url, { clock: noted, logger: silentLogger });
    onTestFinished(opened.close);
    limits.length = 0;
    return { opened, limits };
  }

  test('holds for every call of the stores that `openDatabase` gives', async () => {
    const { opened, limits } = await openNoted();

    for (const { name, method } of callsOf(opened)) {
      if ((name.split('.')[0] as string) in openFeatures(opened.documents)) continue;
      limits.length = 0;
      // Without arguments most of them fail, but not before their time is limited.
      await Promise.allSettled([method()]);
      expect(limits, name).toEqual([LONG.includes(name) ? 60_000 : DATABASE_TIMEOUT_MS]);
    }
  });

  test('holds for every call of documents, which may have a longer one', async () => {
    const { opened, limits } = await openNoted();
    const documents = opened.documents({ kind: 'notes', schema: z.strictObject({ id: z.string() }) });
    const calls = [
      () => documents.get('a', { timeoutMs: LONG_CALL_MS }),
      () => documents.delete({ id: 'a' }, { timeoutMs: LONG_CALL_MS }),
      () => documents.get('a'),
      () => documents.find(),
      () => documents.count(),
      () => documents.insert([{ id: 'a' }]),
      () => documents.insertMissing([{ id: 'a' }]),
      () => documents.put([{ id: 'a' }]),
      () => documents.update({ id: 'a' }, { set: { id: 'a' } }),
      () => documents.updateEach([]),
    ];

    for (const call of calls) await call();

    const [short, long] = [DATABASE_TIMEOUT_MS, LONG_CALL_MS];
    expect(limits).toEqual([long, long, ...calls.slice(2).map(() => short)]);
  });
});
