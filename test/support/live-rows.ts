import type { EpochMs } from '../../src/core/base/time/duration.ts';
import type { Knowledge, LiveFeed, LiveRow } from '../../src/core/trades/source/source.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { tradeLine } from '../../src/infra/market/polymarket/trades/trade-line.ts';
import { parseLine } from '../../src/infra/market/tapes/row-schema.ts';
import { upstreamTrade } from './polymarket/upstream-rows.ts';
import { START } from './rows.ts';

/** As the wiring reads the journal again. */
export function parseLive(line: string, acceptedAt: EpochMs): Row | null {
  const row = parseLine(line, acceptedAt);
  return row.kind === 'bad' ? null : row;
}

/** A trade of the market's Data API as the feed hands it over; each number gives a fill of its own. */
export function liveRow(n: number, given: Record<string, unknown> = {}): LiveRow {
  const raw = upstreamTrade({
    proxyWallet: `0x${String(n % 7).padStart(40, '0')}`,
    size: 1_000 + n,
    timestamp: START / 1_000 + n,
    transactionHash: `0x${n.toString(16).padStart(64, '0')}`,
    ...given,
  });
  const row = tradeLine(raw, START + 86_400_000);
  if ('kind' in row) throw new Error(`no trade: ${row.reason} ${row.detail}`);
  return row;
}

export function liveFeedOf(batches: readonly (readonly LiveRow[])[]): LiveFeed {
  return {
    name: 'polymarket',
    async *batches() {
      yield* batches;
    },
    status: () => ({ state: 'playing', progress: null, historyProgress: null }),
  };
}

export const nothingKnown: Knowledge = {
  time: 0,
  hasSeen: () => false,
  mayAlert: () => false,
  needsFacts: () => false,
  hasFacts: () => false,
  knowsMarket: () => false,
};
