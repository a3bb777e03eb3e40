import { onTestFinished } from 'vitest';
import type { Alert } from '../../../../../src/core/alerts/alert.ts';
import type { LiveRow } from '../../../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../../../src/infra/database/database.ts';
import { MarketCatalogue } from '../../../../../src/infra/market/polymarket/markets/market-catalogue.ts';
import { ResolutionWatch } from '../../../../../src/infra/market/polymarket/resolutions/resolution-watch.ts';
import { alertOf } from '../../../../support/alerts.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { ledgerOver } from '../../../../support/ledger.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { FakeMarket } from '../../../../support/polymarket/fake-market.ts';
import { idEnding } from '../../../../support/polymarket/gamma-market.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { storeAlerts } from '../../../../support/stored.ts';

export const NOW = Date.UTC(2026, 10, 1);
export const MINUTE = 60_000;
export const [A1, A2, A3] = [idEnding('a1'), idEnding('a2'), idEnding('a3')];
export const YES = [1_000_000, 0];
export const NO = [0, 1_000_000];
export const v2 = (status: string, payouts: unknown, condition_id = A1) => ({
  condition_id,
  status,
  payouts,
});

/** The watch over a database and a ledger that books what it offers, as the service does. */
export async function open({ isBooking = true } = {}) {
  const server = new FakeMarket();
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  const clock = createFakeClock(NOW);
  const logger = createRecordingLogger();
  const ledger = ledgerOver(database);
  await ledger.open(1);
  const enqueued: LiveRow[] = [];
  const offer = async (rows: readonly LiveRow[]) => {
    enqueued.push(...rows);
    for (const { row } of rows)
      if (isBooking && row.kind === 'market') await ledger.resolve(row.market, clock.now());
  };
  const shared = { client: server.client, clock, logger, enqueue: offer };
  const catalogue = new MarketCatalogue({
    ...shared,
    metrics: noMetrics,
    onMarket: () => {},
    onDrop: () => {},
  });
  const unsettled: number[] = [];
  const metrics = { marketsUnsettled: (count: number) => void unsettled.push(count) };
  const watch = new ResolutionWatch({
    ...shared,
    ...database,
    metrics,
    catalogue,
    random: () => 0.5,
  });
  const stop = new AbortController();
  return {
    ...{ server, database, clock, logger, ledger, enqueued, unsettled, watch, stop },
    /** Enters an alert as another process would, after which the ledger goes on. */
    async alert(given: Partial<Alert> = {}) {
      await storeAlerts(database, alertOf({ id: 1, marketId: A1, entryPrice: 0.4, shares: 1_000, ...given }));
      await ledger.open(1);
    },
    outcomes: async () => (await database.alerts.after(0, 100)).map(({ resolution }) => resolution),
    asked: () => server.requests.filter(({ pathname }) => pathname === '/v2/resolutions'),
    prices: () => enqueued.map(({ row }) => (row.kind === 'market' ? row.market.payouts : row.kind)),
    /** Starts it, and returns once the first round is over. */
    async run() {
      const run = watch.run(stop.signal);
      onTestFinished(async () => {
        stop.abort();
        await run;
      });
      await clock.asleep(2);
    },
    /** Jumps ahead, to the one round that is then due. */
    async jump(ms: number) {
      await clock.advance(ms);
      await clock.asleep(2);
    },
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= MINUTE) {
        await clock.advance(Math.min(left, MINUTE));
        await clock.asleep(2);
      }
    },
  };
}
