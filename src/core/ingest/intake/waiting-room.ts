import { hasWords } from '../../detection/order.ts';
import type { Knowledge } from '../../ports/source.ts';
import type { Trade } from '../../trade.ts';
import type { Batch } from './batch.ts';
import { type Description, Descriptions } from './descriptions.ts';
import type { LiveOrder } from './live-order.ts';
import type { MarketDesk } from './market-desk.ts';
import type { WalletLine } from './wallet-line.ts';
import { WalletLines, type WalletLinesDeps } from './wallet-lines.ts';

/** Dependencies of `WaitingRoom`. `onReady`: something may be released. */
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

/**
 * Where whole orders wait for what they need. A wallet's orders keep their sequence; so do the buys of one outcome that could
 * lead to an alert (a cluster is judged in its sequence), unless the facts in the way are unsettled or fail to come for 15 minutes,
 * or the market in the way is not described for a minute.
 */
export class WaitingRoom {
  /** The wallets of the orders that wait. */
  readonly lines: WalletLines;
  readonly #knowledge: Knowledge;
  /** Markets whose descriptions are waited for by orders without words of their own. */
  readonly descriptions: Descriptions;
  #entries: Entry[] = [];
  /** Outcomes in which a buy waits that others wait behind. */
  #held = new Set<string>();
  #isChanged = false;

  constructor(deps: WaitingRoomDeps) {
    const change = () => {
      this.#isChanged = true;
      deps.onReady();
    };
    this.#knowledge = deps.knowledge;
    this.lines = new WalletLines(deps, change);
    this.descriptions = new Descriptions({ ...deps, desk: deps.markets, onChange: change });
  }

  /** The order waits if it has to, for itself or behind others; false when it may go on at once. */
  admit(order: LiveOrder, batch: Batch): boolean {
    const { asTrade: trade, fills } = order;
    const { wallet } = trade;
    const known = this.lines.get(wallet);
    const wants = wantsOf(trade, batch, {
      knowledge: this.#knowledge,
      isUnknown: this.lines.isUnknown(wallet),
    });
    const outcome = known !== undefined || wants.counts ? outcomeOf(trade, this.#knowledge) : null;
    const isBehind = known !== undefined || (outcome !== null && this.#held.has(outcome));
    const market = wants.market ? this.descriptions.wait(order) : null;
    if (!isBehind && !wants.facts && market === null) return false;
    const line = known ?? this.lines.open(wallet, trade.at);
    this.lines.add(line, { at: trade.at, trades: fills.length });
    if (wants.facts) this.lines.ask(line);
    const entry = { order, line, outcome, market };
    this.#entries.push(entry);
    this.#stay(entry);
    return true;
  }

  /** Moves what has waited enough into the batch, as it was admitted, as many orders as it takes. */
  release(batch: Batch): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const waitingLines = new Set<WalletLine>();
    this.#held = new Set();
    this.#entries = this.#entries.filter((entry) => {
      const { line, outcome, order } = entry;
      const isNext = isReady(entry) && !waitingLines.has(line) && !this.#isHeld(line, outcome);
      if (isNext && !batch.isFull) {
        moveInto(batch, entry, this.#knowledge);
        this.lines.remove(line, order.fills.length);
        return false;
      }
      this.#isChanged ||= isNext;
      waitingLines.add(line);
      this.#stay(entry);
      return true;
    });
  }

  /** To be called when no more trades can wait; false when all that is waited for is to come. */
  giveUpLargest(): boolean {
    return this.lines.giveUpLargest() || this.descriptions.giveUpLargest();
  }

  /** Others wait behind it, unless what it waits for is long in coming. */
  #stay({ order, line, outcome, market }: Entry): void {
    const isForgotten = market !== null && !market.isOver && market.isLate && !hasWords(order.asTrade);
    if (isForgotten) this.lines.letOthersPass(line);
    else if (outcome !== null && line.facts !== 'doubtful') this.#held.add(outcome);
  }

  #isHeld({ isGivenUp }: WalletLine, outcome: string | null): boolean {
    return outcome !== null && !isGivenUp && this.#held.has(outcome);
  }
}

/** Without facts an order is not alerted: then nothing else is waited for. */
function isReady({ order, line, market }: Entry): boolean {
  if (line.isGivenUp) return true;
  const isDescribed = market === null || market.isOver || (market.isLate && hasWords(order.asTrade));
  return isDescribed && line.facts !== 'asked' && line.facts !== 'doubtful';
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

function moveInto(batch: Batch, { order, line, market }: Entry, knowledge: Knowledge): void {
  if (line.row !== null) batch.add(line.row);
  line.row = null;
  const { marketId } = order.asTrade;
  const row = market?.row ?? null;
  if (row !== null && !batch.describes(marketId) && !knowledge.knowsMarket(marketId)) batch.add(row);
  for (const fill of order.fills) batch.add(fill);
}
