import type { Knowledge } from '../../ports/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import type { Batch } from './batch.ts';
import { createDescriptions, type Description } from './descriptions.ts';
import type { LiveOrder } from './live-order.ts';
import type { MarketDesk } from './market-desk.ts';
import { createWalletLines, type WalletLine, type WalletLinesDeps } from './wallet-lines.ts';

/**
 * Where whole orders wait for what they need. A wallet's orders keep their sequence; so do the buys of one outcome that could
 * lead to an alert (a cluster is judged in its sequence), unless the facts in the way are unsettled or fail to come for 15 minutes.
 */
export interface WaitingRoom {
  /** The order waits if it has to, for itself or behind others; false when it may go on at once. */
  admit(order: LiveOrder, batch: Batch): boolean;
  /** Moves what has waited enough into the batch, as it was admitted, as many orders as it takes. */
  release(batch: Batch): void;
  /** No order later than this is to be handed over now. */
  horizon(): EpochMs;
  /** To be asked when no more trades can wait; false when all facts that are waited for are to come. */
  giveUpLargest(): boolean;
  /** Fills of the orders that wait. */
  readonly trades: number;
  readonly wallets: number;
  /** Wallets whose trades were released without facts. */
  readonly givenUp: number;
}

/** What the waiting room stands on. `onReady`: something may be released. */
export interface WaitingRoomDeps extends WalletLinesDeps {
  readonly markets: MarketDesk;
  onReady(): void;
}

interface Entry {
  readonly order: LiveOrder;
  readonly line: WalletLine;
  /** Null for an order whose place among the others of its outcome does not matter. */
  readonly outcome: string | null;
  readonly market: Description | null;
}

/** An empty waiting room. */
export function createWaitingRoom(deps: WaitingRoomDeps): WaitingRoom {
  const { knowledge, onReady } = deps;
  let entries: Entry[] = [];
  /** Outcomes in which a buy waits that others wait behind. */
  let held = new Set<string>();
  let isChanged = false;
  const change = () => {
    isChanged = true;
    onReady();
  };
  const lines = createWalletLines(deps, change);
  const descriptions = createDescriptions(deps.markets, change);

  const hold = ({ facts }: WalletLine, outcome: string | null) =>
    outcome !== null && facts !== 'doubtful' && held.add(outcome);

  return {
    admit(order, batch) {
      const { asTrade: trade, fills } = order;
      const known = lines.get(trade.wallet);
      const wants = wantsOf(trade, batch, knowledge);
      const outcome = known !== undefined || wants.counts ? outcomeOf(trade, knowledge) : null;
      const isBehind = known !== undefined || (outcome !== null && held.has(outcome));
      if (!isBehind && !wants.facts && !wants.market) return false;
      const line = known ?? lines.open(trade.wallet, trade.at);
      lines.add(line, { at: trade.at, trades: fills.length });
      if (wants.facts) lines.ask(line);
      const market = wants.market ? descriptions.of(trade.marketId) : null;
      entries.push({ order, line, outcome, market });
      hold(line, outcome);
      return true;
    },
    release(batch) {
      if (!isChanged) return;
      isChanged = false;
      const waitingLines = new Set<WalletLine>();
      held = new Set();
      entries = entries.filter((entry) => {
        const { line, outcome } = entry;
        const isNext = isReady(entry) && !waitingLines.has(line) && (outcome === null || !held.has(outcome));
        if (isNext && !batch.isFull) {
          moveInto(batch, entry, knowledge);
          lines.remove(line, entry.order.fills.length);
          return false;
        }
        isChanged ||= isNext;
        waitingLines.add(line);
        hold(line, outcome);
        return true;
      });
    },
    horizon: lines.horizon,
    giveUpLargest: lines.giveUpLargest,
    get trades() {
      return lines.trades;
    },
    get wallets() {
      return lines.size;
    },
    get givenUp() {
      return lines.givenUp;
    },
  };
}

function isReady({ line, market }: Entry): boolean {
  return line.facts !== 'asked' && line.facts !== 'doubtful' && market?.isOver !== false;
}

/** Null for an order whose place among the others of its outcome does not matter. */
function outcomeOf(trade: Trade, knowledge: Knowledge): string | null {
  return knowledge.mayAlert(trade) ? `${trade.marketId}:${trade.asset}` : null;
}

/**
 * What the order needs to be judged well: a row that stands before it in the batch is known by then. `counts`: whether it
 * could be told with what is known or asked for.
 */
function wantsOf(
  order: Trade,
  batch: Batch,
  knowledge: Knowledge,
): { readonly facts: boolean; readonly market: boolean; readonly counts: boolean } {
  const { wallet, marketId } = order;
  const facts = !batch.informs(wallet) && knowledge.needsFacts(order, batch.alsoBought(wallet));
  const isUnknown = !batch.describes(marketId) && !knowledge.knowsMarket(marketId);
  const counts = facts || batch.informs(wallet) || knowledge.hasFacts(wallet);
  return { facts, market: isUnknown && counts && (facts || knowledge.mayAlert(order)), counts };
}

function moveInto(batch: Batch, { order, line, market }: Entry, knowledge: Knowledge): void {
  if (line.row !== null) batch.add(line.row);
  line.row = null;
  const { marketId } = order.asTrade;
  const row = market?.row ?? null;
  if (row !== null && !batch.describes(marketId) && !knowledge.knowsMarket(marketId)) batch.add(row);
  for (const fill of order.fills) batch.add(fill);
}
