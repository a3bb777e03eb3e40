import { hasWords } from '../../detection/order.ts';
import type { Knowledge } from '../../source/source.ts';
import type { Trade } from '../../trade.ts';
import type { Batch } from './batch.ts';
import type { LiveOrder } from './live-order.ts';
import { type MarketDescription, MarketDescriptions } from './market-descriptions.ts';
import type { MarketLoader } from './market-loader.ts';
import type { WalletQueue } from './wallet-queue.ts';
import { WalletQueues, type WalletQueuesDeps } from './wallet-queues.ts';

/** Dependencies of `PendingOrders`. `onReady`: something may be released. */
export interface PendingOrdersDeps extends WalletQueuesDeps {
  readonly markets: MarketLoader;
  onReady(): void;
}

interface Entry {
  readonly order: LiveOrder;
  readonly queue: WalletQueue;
  /** Null for an order whose place among the others of its outcome does not matter. */
  readonly outcome: string | null;
  readonly market: MarketDescription | null;
}

/**
 * Where whole orders wait for what they need. A wallet's orders keep their sequence; so do the buys of one outcome that could
 * lead to an alert (a cluster is judged in its sequence), unless the facts in the way are unsettled or fail to come for 15 minutes,
 * or the market in the way is not described for a minute.
 */
export class PendingOrders {
  /** The wallets of the orders that wait. */
  readonly walletQueues: WalletQueues;
  readonly #knowledge: Knowledge;
  /** Markets whose descriptions are waited for by orders without words of their own. */
  readonly descriptions: MarketDescriptions;
  #entries: Entry[] = [];
  /** Outcomes in which a buy waits that others wait behind. */
  #held = new Set<string>();
  #isChanged = false;

  constructor(deps: PendingOrdersDeps) {
    const change = () => {
      this.#isChanged = true;
      deps.onReady();
    };
    this.#knowledge = deps.knowledge;
    this.walletQueues = new WalletQueues(deps, change);
    this.descriptions = new MarketDescriptions({ ...deps, loader: deps.markets, onChange: change });
  }

  /** The order waits if it has to, for itself or behind others; false when it may go on at once. */
  admit(order: LiveOrder, batch: Batch): boolean {
    const { asTrade: trade, fills } = order;
    const { wallet } = trade;
    const known = this.walletQueues.get(wallet);
    const wants = wantsOf(trade, batch, {
      knowledge: this.#knowledge,
      isUnknown: this.walletQueues.isUnknown(wallet),
    });
    const outcome = known !== undefined || wants.counts ? outcomeOf(trade, this.#knowledge) : null;
    const isBehind = known !== undefined || (outcome !== null && this.#held.has(outcome));
    const market = wants.market ? this.descriptions.wait(order) : null;
    if (!isBehind && !wants.facts && market === null) return false;
    const queue = known ?? this.walletQueues.open(wallet, trade.at);
    this.walletQueues.add(queue, { at: trade.at, trades: fills.length });
    if (wants.facts) this.walletQueues.ask(queue);
    const entry = { order, queue, outcome, market };
    this.#entries.push(entry);
    this.#stay(entry);
    return true;
  }

  /** Moves what has waited enough into the batch, as it was admitted, as many orders as it takes. */
  release(batch: Batch): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const waitingQueues = new Set<WalletQueue>();
    this.#held = new Set();
    this.#entries = this.#entries.filter((entry) => {
      const { queue, outcome, order } = entry;
      const isNext = isReady(entry) && !waitingQueues.has(queue) && !this.#isHeld(queue, outcome);
      if (isNext && !batch.isFull) {
        moveInto(batch, entry, this.#knowledge);
        this.walletQueues.remove(queue, order.fills.length);
        return false;
      }
      this.#isChanged ||= isNext;
      waitingQueues.add(queue);
      this.#stay(entry);
      return true;
    });
  }

  /** To be called when no more trades can wait; false when all that is waited for is to come. */
  giveUpLargest(): boolean {
    return this.walletQueues.giveUpLargest() || this.descriptions.giveUpLargest();
  }

  /** Others wait behind it, unless what it waits for is long in coming. */
  #stay({ order, queue, outcome, market }: Entry): void {
    const isForgotten = market !== null && !market.isOver && market.isLate && !hasWords(order.asTrade);
    if (isForgotten) this.walletQueues.bypass(queue);
    else if (outcome !== null && queue.facts !== 'overdue') this.#held.add(outcome);
  }

  #isHeld({ isGivenUp }: WalletQueue, outcome: string | null): boolean {
    return outcome !== null && !isGivenUp && this.#held.has(outcome);
  }
}

/** Without facts an order is not alerted: then nothing else is waited for. */
function isReady({ order, queue, market }: Entry): boolean {
  if (queue.isGivenUp) return true;
  const isDescribed = market === null || market.isOver || (market.isLate && hasWords(order.asTrade));
  return isDescribed && queue.facts !== 'asked' && queue.facts !== 'overdue';
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
  { knowledge, isUnknown }: { readonly knowledge: Knowledge; readonly isUnknown: boolean },
): { readonly facts: boolean; readonly market: boolean; readonly counts: boolean } {
  const { wallet, marketId } = order;
  const facts = !isUnknown && !batch.informs(wallet) && knowledge.needsFacts(order, batch.alsoBought(wallet));
  const isUndescribed = !batch.describes(marketId) && !knowledge.knowsMarket(marketId);
  const counts = facts || batch.informs(wallet) || knowledge.hasFacts(wallet);
  return { facts, market: isUndescribed && counts && (facts || knowledge.mayAlert(order)), counts };
}

function moveInto(batch: Batch, { order, queue, market }: Entry, knowledge: Knowledge): void {
  if (queue.row !== null) batch.add(queue.row);
  queue.row = null;
  const { marketId } = order.asTrade;
  const row = market?.row ?? null;
  if (row !== null && !batch.describes(marketId) && !knowledge.knowsMarket(marketId)) batch.add(row);
  for (const fill of order.fills) batch.add(fill);
}
