import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type { StoredAlerts } from '../alert-store.ts';
import { entryOf } from '../figures/win-rates.ts';
import { resolutionOf } from '../settlement.ts';
import { type AlertFacets, Columns, type Kind } from './facets.ts';
import {
  type HistorySource,
  type IndexedMarket,
  SettlementHistory,
  settlementAsOf,
} from './settlement-history.ts';

/** Alerts in one read: some milliseconds. */
const PAGE = 500;

/** What the index is filled from. */
export interface IndexSource extends HistorySource {
  readonly alerts: HistorySource['alerts'] & Pick<StoredAlerts, 'facets'>;
}

/** The texts of a market under one question and slug, which many alerts share. */
export interface Listing {
  readonly market: IndexedMarket;
  /** In lower case. */
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
}

/**
 * The facets of all alerts and the settlements of all markets, in the memory of each process that reads. `refresh` brings it up to
 * what the database has; everything else is synchronous.
 */
export class AlertIndex {
  readonly columns = new Columns();
  readonly listings: Listing[] = [];
  readonly kinds: Kind[] = [];
  readonly settlements: SettlementHistory;
  /** All wallets with alerts of their own, with the ids of these, ascending. */
  readonly wallets = new Map<string, readonly number[]>();
  /** All members of clusters, with the ids of these, ascending. */
  readonly members = new Map<string, readonly number[]>();
  readonly #source: IndexSource;
  readonly #listingNumbers = new Map<string, number>();
  readonly #kindNumbers = new Map<string, number>();
  #scratch = new Uint32Array(0);
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(source: IndexSource) {
    this.#source = source;
    this.settlements = new SettlementHistory(source, (id, won) => {
      // One that is written meanwhile comes with its result.
      if (id <= this.columns.length) this.columns.setWon(id, won);
    });
  }

  /** Reads what was written since. Calls share a read that begins after them; all of them get what the stores throw. */
  refresh(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = null;
      const reading = this.#read();
      // Whoever asked for it hears of a failure, and the next call reads again.
      this.#reading = reading.catch(() => {});
      return reading;
    });
    return this.#next;
  }

  /** Room for so many ids, which the next call gives again: an array for each walk would keep the garbage collector busy. */
  scratch(length: number): Uint32Array {
    if (this.#scratch.length < length) this.#scratch = new Uint32Array(Math.ceil(1.2 * length));
    return this.#scratch;
  }

  marketOf(id: number): IndexedMarket {
    return (this.listings[this.columns.listings[id - 1] as number] as Listing).market;
  }

  /** The alert as it was known at a moment: its result, and whether it was withdrawn. */
  asOf(alert: Alert, moment: EpochMs): Alert {
    const { withdrawn } = alert;
    const isWithdrawn = withdrawn !== null && withdrawn.at <= moment;
    const resolution = this.#resolutionAsOf(alert, moment);
    if (resolution === alert.resolution && isWithdrawn === (withdrawn !== null)) return alert;
    return { ...alert, resolution, withdrawn: isWithdrawn ? withdrawn : null };
  }

  #resolutionAsOf(alert: Alert, moment: EpochMs): Alert['resolution'] {
    const market = this.settlements.market(alert.marketId);
    const current = market?.current ?? null;
    if (market === null || current === null) return alert.resolution;
    if (current.at <= moment) return alert.resolution ?? resolutionOf(alert, current);
    const settlement = settlementAsOf(market, moment);
    return settlement === null ? null : resolutionOf(alert, settlement);
  }

  async #read(): Promise<void> {
    const seqBefore = await this.settlements.end();
    const [first, settled] = await Promise.all([this.#page(), this.settlements.page()]);
    for (let page = first; ; page = await this.#page()) {
      for (const facets of page) this.#add(facets);
      if (page.length < PAGE) break;
      await this.#source.pause();
    }
    await this.settlements.read(seqBefore, settled);
  }

  #page(): Promise<readonly AlertFacets[]> {
    return this.#source.alerts.facets(this.columns.length, PAGE);
  }

  #add(facets: AlertFacets): void {
    const { id, wallet, members } = facets;
    const listing = this.#listingOf(facets);
    this.columns.add(facets, entryOf(facets), { listing, kind: this.#kindOf(facets) });
    this.marketOf(id).alertIds.push(id);
    addTo(this.wallets, wallet, id);
    for (const member of new Set(members)) addTo(this.members, member, id);
  }

  #listingOf({ marketId, eventTitle, eventSlug }: AlertFacets): number {
    const number = numberOf(this.#listingNumbers, JSON.stringify([marketId, eventTitle, eventSlug]));
    if (number === this.listings.length)
      this.listings.push({
        market: this.settlements.marketNamed(marketId),
        marketId: marketId.toLowerCase(),
        title: eventTitle.toLowerCase(),
        slug: eventSlug.toLowerCase(),
      });
    return number;
  }

  #kindOf({ category, side, type }: AlertFacets): number {
    const number = numberOf(this.#kindNumbers, `${category} ${side} ${type}`);
    if (number === this.kinds.length) this.kinds.push({ category, side, type });
    return number;
  }
}

/** Numbers from 0, in the order of the first use. */
function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

function addTo(lists: Map<string, readonly number[]>, name: string, id: number): void {
  // An array that is pushed to has room for 17 ids, and most wallets have few alerts.
  lists.set(name, lists.get(name)?.concat(id) ?? [id]);
}
