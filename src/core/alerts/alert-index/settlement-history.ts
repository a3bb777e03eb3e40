import type { EpochMs } from '../../base/time/duration.ts';
import type { MarketSettlement } from '../settlement.ts';

/** A market with alerts or a settlement. */
export interface IndexedMarket {
  readonly id: string;
  /** Slug of its event, as its alerts have it; null where none has. */
  event: string | null;
  /** The numbers of its texts. */
  readonly listings: number[];
  /** Of its alerts, ascending. */
  readonly alertIds: number[];
  /** The oldest first; each replaced the one before it. */
  readonly settlements: MarketSettlement[];
}

/** Every settlement of every market, with the moment from which it was known. */
export class SettlementHistory {
  readonly #onSettled: (market: IndexedMarket, settlement: MarketSettlement) => void;
  readonly #markets = new Map<string, IndexedMarket>();
  /** All settlements, as the log has them: number n is at n − 1. */
  readonly all: MarketSettlement[] = [];
  /** The moments from which they were known, and their markets. */
  readonly #known: { readonly at: EpochMs; readonly market: IndexedMarket }[] = [];

  constructor(onSettled: (market: IndexedMarket, settlement: MarketSettlement) => void) {
    this.#onSettled = onSettled;
  }

  /** The entry of the last settlement. */
  get seq(): number {
    return this.all.at(-1)?.log.seq ?? 0;
  }

  market(id: string): IndexedMarket | null {
    return this.#markets.get(id) ?? null;
  }

  /** The market with this id, which is made where it is new. */
  marketNamed(id: string): IndexedMarket {
    const known = this.#markets.get(id);
    if (known !== undefined) return known;
    const market: IndexedMarket = { id, event: null, listings: [], alertIds: [], settlements: [] };
    this.#markets.set(id, market);
    return market;
  }

  *withAlerts(): Generator<IndexedMarket> {
    for (const market of this.#markets.values()) if (market.alertIds.length > 0) yield market;
  }

  /** The settled markets, the last one first; a market comes again with each settlement that was replaced. */
  *lastSettled(): Generator<IndexedMarket> {
    for (const { market } of this.#known.toReversed()) yield market;
  }

  /** The markets whose last settlement was not known at a moment. */
  settledAfter(asOf: EpochMs): ReadonlySet<IndexedMarket> {
    return new Set(this.#known.slice(this.countUntil(asOf)).map(({ market }) => market));
  }

  /** How many settlements were known at a moment. */
  countUntil(asOf: EpochMs): number {
    return this.#known.findLastIndex(({ at }) => at <= asOf) + 1;
  }

  /** How many settlements the log has up to an entry. */
  upTo(seq: number): number {
    return this.all.findLastIndex(({ log }) => log.seq <= seq) + 1;
  }

  /** Adds the next settlement. */
  add(settlement: MarketSettlement): void {
    const market = this.marketNamed(settlement.marketId);
    market.settlements.push(settlement);
    // On a moved tape several are from before the start; the order of the log stays.
    this.#known.push({ at: Math.max(settlement.at, this.#known.at(-1)?.at ?? 0), market });
    this.all.push(settlement);
    this.#onSettled(market, settlement);
  }
}

/** The settlement of a market that was known at a moment; null without one. */
export function settlementAsOf({ settlements }: IndexedMarket, moment: EpochMs): MarketSettlement | null {
  return settlements.findLast(({ at }) => at <= moment) ?? null;
}
