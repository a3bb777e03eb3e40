import { HOUR_MS } from '../../duration.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Knowledge, LiveRow } from '../../ports/source.ts';
import type { EpochMs } from '../../trade.ts';
import type { Batch, LiveTrade } from './batch.ts';
import type { FactsDesk } from './facts-desk.ts';
import { createFifo, type Fifo } from './fifo.ts';
import type { MarketDesk } from './market-desk.ts';

/** How late a trade may grow by waiting, in the source's time; what is older than 24 hours is not judged any more. */
const LONGEST_WAIT_MS = 20 * HOUR_MS;

/** Where trades wait until their wallets' facts came, each wallet's in its own line. */
export interface WaitingRoom {
  /** The trade joins its wallet's line; false when the wallet has none. */
  join(trade: LiveTrade): boolean;
  /** Opens a line for the trade's wallet and asks for what it needs. */
  open(trade: LiveTrade): void;
  /** Moves rows of lines whose waiting is over into the batch, as many as it takes. */
  release(batch: Batch): void;
  readonly trades: number;
  readonly wallets: number;
  /** Wallets whose trades were released without facts. */
  readonly givenUp: number;
}

/** What the waiting room stands on. `onReady`: a line can be released. */
export interface WaitingRoomDeps {
  readonly desk: FactsDesk;
  readonly markets: MarketDesk;
  readonly knowledge: Knowledge;
  readonly logger: Logger;
  onReady(): void;
}

interface Line {
  readonly wallet: string;
  readonly trades: Fifo<LiveTrade>;
  readonly markets: Map<string, Promise<LiveRow | null>>;
  oldestAt: EpochMs;
  /** What goes before the trades, once it came. */
  ahead: LiveRow[];
}

/** An empty waiting room. */
export function createWaitingRoom({
  desk,
  markets,
  knowledge,
  logger,
  onReady,
}: WaitingRoomDeps): WaitingRoom {
  const lines = new Map<string, Line>();
  const ready: Line[] = [];
  let trades = 0;
  let givenUp = 0;

  function add(line: Line, trade: LiveTrade): void {
    const { at, marketId } = trade.row.trade;
    line.trades.push(trade);
    line.oldestAt = Math.min(line.oldestAt, at);
    trades += 1;
    if (!knowledge.knowsMarket(marketId) && !line.markets.has(marketId))
      line.markets.set(marketId, markets.ask(marketId));
  }

  async function settle(line: Line, before: EpochMs): Promise<void> {
    const { wallet } = line;
    const isTooLate = () => knowledge.time - line.oldestAt >= LONGEST_WAIT_MS;
    const facts = await desk.ask({ wallet, before, isTooLate });
    // Those that trades ask for from here on are not waited for, or a busy wallet would wait for ever.
    const described = await Promise.all(line.markets.values());
    if (facts === null && isTooLate()) {
      givenUp += 1;
      logger.warn({ wallet, trades: line.trades.size }, 'no facts of a wallet in 20 hours; judged without');
    }
    line.ahead = [facts, ...described].filter((row) => row !== null);
    ready.push(line);
    onReady();
  }

  return {
    join(trade) {
      const line = lines.get(trade.row.trade.wallet);
      if (line !== undefined) add(line, trade);
      return line !== undefined;
    },
    open(trade) {
      const { wallet, at } = trade.row.trade;
      const line: Line = { wallet, trades: createFifo(), markets: new Map(), oldestAt: at, ahead: [] };
      lines.set(wallet, line);
      add(line, trade);
      void settle(line, at);
    },
    release(batch) {
      for (let line = ready[0]; line !== undefined && !batch.isFull; line = ready[0]) {
        const before = line.trades.size;
        const isEmpty = moveInto(batch, line, knowledge);
        trades -= before - line.trades.size;
        if (!isEmpty) return;
        ready.shift();
        lines.delete(line.wallet);
      }
    },
    get trades() {
      return trades;
    },
    get wallets() {
      return lines.size;
    },
    get givenUp() {
      return givenUp;
    },
  };
}

/** True when the line is empty then. */
function moveInto(batch: Batch, line: Line, knowledge: Knowledge): boolean {
  for (const live of line.ahead.splice(0)) {
    const { row } = live;
    const isKnown =
      row.kind === 'market' && (batch.describes(row.market.id) || knowledge.knowsMarket(row.market.id));
    if (!isKnown) batch.add(live);
  }
  while (line.trades.size > 0 && !batch.isFull) batch.add(line.trades.shift() as LiveTrade);
  return line.trades.size === 0;
}
