import { expect, onTestFinished, test } from 'vitest';
import type { Keys } from '../../../src/core/accounts/keys/api-key.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../../src/core/base/database-errors.ts';
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
  'alerts.search',
  'alerts.summaries',
  'alerts.hotMarkets',
  'alerts.preview',
  'alerts.walletReport',
  'alerts.marketOfSlug',
  'alerts.marketsNamed',
  'alerts.walletsNamed',
  'questions.prune',
  'jobRuns.prune',
  'followers.counts',
  'keys.list',
  'operatorReads.callsOn',
  'operatorReads.keysByTier',
  'operatorReads.webhookTotals',
  'usage.prune',
];

onEachDatabase('the time limit', (fixture) => {
  test('ends a call that does not answer after 4 s, or 60 s where its work grows with the data', async () => {
    const clock = createFakeClock(START);
    const never = () => new Promise<never>(() => {});
    const hanging = { ...fixture.database, keys: { byId: never, list: never } as unknown as Keys };
    const { keys } = withTimeLimits(hanging, clock);
    const ends: string[] = [];
    const [short, long] = [keys.byId('a'), keys.list()].map((call) =>
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
    expect(ends).toEqual([expect.stringContaining(`keys.byId: ${reason}`)]);
    await clock.advance(60_000 - DATABASE_TIMEOUT_MS);
    expect(String(await long)).toContain('keys.list: no answer from the database within 60000 ms');
    expect(clock.sleepers).toBe(0);
  });

  test('holds for every call of what `openDatabase` gives', async () => {
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

    for (const { name, method } of callsOf(opened)) {
      limits.length = 0;
      // Without arguments most of them fail, but not before their time is limited.
      await Promise.allSettled([method()]);
      expect(limits, name).toEqual([LONG.includes(name) ? 60_000 : DATABASE_TIMEOUT_MS]);
    }
  });
});
