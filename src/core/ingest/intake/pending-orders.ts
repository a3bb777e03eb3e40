import { hasWords } from '../../detection/order.ts';
import type { Knowledge } from '../../trades/source/source.ts';
import type { Trade } from '../../trades/trade.ts';
import type { IntakeRunDeps } from '../ingest-deps.ts';
import type { Batch } from './batch.ts';
import { type MarketDescription, MarketDescriptions } from './market-descriptions.ts';
import type { LiveOrder } from './order-assembler.ts';
import { type WalletQueue, WalletQueues } from './wallet-queues.ts';

interface Entry {
  readonly order: LiveOrder;
  readonly queue: WalletQueue;
  /** Null for an order whose sequence among the others of its outcome does not matter. */
  readonly outcome: string | null;
  readonly market: MarketDescription | null;
}

/**
 * Complete orders that wait for wallet facts or a market description. A wallet's orders keep their sequence. So do the buys
 * of one outcome that could lead to an alert, since a cluster is judged in sequence, unless the facts that block them are
 * unsettled or missing for 15 minutes, or the market that blocks them is not described for a minute.
 */
export class PendingOrders {
  readonly walletQueues: WalletQueues;
  readonly #knowledge: Knowledge;
  readonly descriptions: MarketDescriptions;
  #entries: Entry[] = [];
  /** Outcomes with a pending buy that blocks later ones. */
  #held = new Set<string>();
  #isChanged = false;

  constructor(deps: IntakeRunDeps) {
    this.walletQueues = new WalletQueues(deps);
    this.descriptions = new MarketDescriptions(deps);
    this.#knowledge = deps.knowledge;
  }

  /** A wallet or market that orders wait for has changed: `release` may find something. */
  changed(): void {
    this.#isChanged = true;
  }

  /** Adds the order if it must wait, for its own needs or after others; false when it may pass immediately. */
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

  /** Moves the orders that no longer need to wait into the batch, in the sequence of `admit`, until it is full. */
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

  /** Lets a wallet or market continue without what it waits for; false when everything awaited will come. */
  giveUpLargest(): boolean {
    return this.walletQueues.giveUpLargest() || this.descriptions.giveUpLargest();
  }

  /** Others wait for the order, unless what it waits for takes long. */
  #stay({ order, queue, outcome, market }: Entry): void {
    const isForgotten = market !== null && !market.isOver && market.isLate && !hasWords(order.asTrade);
    if (isForgotten) this.walletQueues.bypass(queue);
    else if (outcome !== null && queue.facts !== 'overdue') this.#held.add(outcome);
  }

  #isHeld({ isGivenUp }: WalletQueue, outcome: string | null): boolean {
    return outcome !== null && !isGivenUp && this.#held.has(outcome);
  }
}

/** An order without facts leads to no alert, so it waits for nothing else. */
function isReady({ order, queue, market }: Entry): boolean {
  if (queue.isGivenUp) return true;
  const isDescribed = market === null || market.isOver || (market.isLate && hasWords(order.asTrade));
  return isDescribed && queue.facts !== 'asked' && queue.facts !== 'overdue';
}

/** Null for an order whose sequence among the others of its outcome does not matter. */
function outcomeOf(trade: Trade, knowledge: Knowledge): string | null {
  return knowledge.mayAlert(trade) ? `${trade.marketId}:${trade.asset}` : null;
}

/**
 * What must be loaded before the order is judged; a row before it in the batch is known by then. `counts`: whether the
 * order could lead to an alert with what is known or requested.
 */
function wantsOf(
  order: Trade,
  batch: Batch,
  { knowledge, isUnknown }: { readonly knowledge: Knowledge; readonly isUnknown: boolean },
): { readonly facts: boolean; readonly market: boolean; readonly counts: boolean } {
  const { wallet, marketId } = order;
  const facts = !isUnknown && !batch.hasFacts(wallet) && knowledge.needsFacts(order, batch.boughtBy(wallet));
  const isUndescribed = !batch.describes(marketId) && !knowledge.knowsMarket(marketId);
  const counts = facts || batch.hasFacts(wallet) || knowledge.hasFacts(wallet);
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
