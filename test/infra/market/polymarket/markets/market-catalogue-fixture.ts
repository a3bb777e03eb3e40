import type { DropReason, LiveRow } from '../../../../../src/core/trades/source/source.ts';
import { MarketCatalogue } from '../../../../../src/infra/market/polymarket/markets/market-catalogue.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { FakeMarket } from '../../../../support/polymarket/fake-market.ts';
import { idEnding } from '../../../../support/polymarket/gamma-market.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

const NOW = Date.UTC(2026, 10, 1);
export const MINUTE = 60_000;
export const [A1, A2, A3, A4] = [idEnding('a1'), idEnding('a2'), idEnding('a3'), idEnding('a4')];
export const idsOf = (rows: readonly LiveRow[]) =>
  rows.map(({ row }) => (row.kind === 'market' ? row.market.id : null));

export async function open() {
  const server = new FakeMarket();
  const clock = createFakeClock(NOW);
  const logger = createRecordingLogger();
  const dropped: DropReason[] = [];
  const enqueued: LiveRow[] = [];
  const undescribed: number[] = [];
  const catalogue = new MarketCatalogue({
    client: server.client,

    clock,
    logger,
    onMarket: () => {},
    metrics: { marketsUndescribed: (count) => void undescribed.push(count) },
    onDrop: (reason) => dropped.push(reason),
  });
  const { signal } = new AbortController();
  return {
    server,
    clock,
    logger,
    dropped,
    enqueued,
    undescribed,
    catalogue,
    describe: (ids: string[]) => catalogue.describe(ids, signal),
  };
}
