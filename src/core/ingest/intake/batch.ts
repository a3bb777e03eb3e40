import { secondOf } from '../../detection/order.ts';
import { SECOND_MS } from '../../duration.ts';
import type { LiveRow } from '../../source/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import type { Removals } from './removals.ts';

/** A live row that is a trade. */
export type LiveTrade = LiveRow & {
  readonly row: { readonly kind: 'trade'; readonly at: EpochMs; readonly trade: Trade };
};

/** Whether a live row is a trade. */
export function isTrade(row: LiveRow): row is LiveTrade {
  return row.row.kind === 'trade';
}

/** Rows of one batch, which its last order may exceed: few enough that what comes in between waits for milliseconds. */
const MOST_ROWS = 500;

/** The rows handed over together, and what the detector will know once they are judged. */
export interface Batch {
  readonly rows: readonly LiveRow[];
  readonly isFull: boolean;
  /** A fill brings its removal along, if that waits for it. */
  add(row: LiveRow): void;
  /** Ends it with a close row when it has trades: their orders are whole. */
  close(): void;
  /** USDC of the wallet's buys in it. */
  alsoBought(wallet: string): number;
  informs(wallet: string): boolean;
  describes(marketId: string): boolean;
}

/** An empty batch. */
export function createBatch(removals: Pick<Removals, 'take'>): Batch {
  const rows: LiveRow[] = [];
  const bought = new Map<string, number>();
  const notified = new Set<string>();
  let latest: EpochMs | null = null;
  return {
    rows,
    get isFull() {
      return rows.length >= MOST_ROWS;
    },
    add(live) {
      rows.push(live);
      const { row } = live;
      if (row.kind === 'wallet') notified.add(`wallet ${row.facts.wallet}`);
      if (row.kind === 'market') notified.add(`market ${row.market.id}`);
      if (row.kind !== 'trade') return;
      const removed = removals.take(row.trade);
      if (removed !== undefined) rows.push(removed);
      latest = Math.max(latest ?? row.at, row.at);
      if (row.trade.side !== 'BUY') return;
      const { wallet, shares, price } = row.trade;
      bought.set(wallet, (bought.get(wallet) ?? 0) + shares * price);
    },
    close() {
      if (latest === null) return;
      const at = secondOf(latest);
      rows.push({ row: { kind: 'close', at }, line: `{"close":${at / SECOND_MS}}` });
    },
    alsoBought: (wallet) => bought.get(wallet) ?? 0,
    informs: (wallet) => notified.has(`wallet ${wallet}`),
    describes: (marketId) => notified.has(`market ${marketId}`),
  };
}
