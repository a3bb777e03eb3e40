import { type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import { categoryOf } from '../trades/classification/category-of.ts';
import type { Category, Market, Trade } from '../trades/trade.ts';
import { isIgnoredMarket } from './ignored-market.ts';
import { type LruLinks, LruMap, unlinked } from './lru-map.ts';
import { MICROS } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { plainPart, type StatePart } from './state-chunks.ts';

const DAY_HOURS = 24;

/** What the prices of a market depend on. */
export type MarketFacts = Pick<KnownMarket, 'endsAt' | 'isSettled'>;

/** Facts about a market that the rules use. Plain data except for the links. */
export interface KnownMarket extends LruLinks<KnownMarket> {
  readonly id: string;
  title: string;
  slug: string;
  category: Category;
  tags: readonly string[];
  /** In the order of the payouts; empty until the market's own row came. */
  outcomes: readonly string[];
  tokenIds: readonly string[];
  endsAt: EpochMs | null;
  /** Whether, under the rules, no trade of it leads to an alert. */
  isIgnored: boolean;
  /** USDC of the last 24 hours as the market stated it. */
  statedVolume: number | null;
  /** Millionths of a USDC by hour of the day, and the hour of each; empty until the first booking. */
  volumes: number[];
  volumeHours: number[];
  /** Of the event that it belongs to; null while unknown. */
  eventSlug: string | null;
  /** Whether its payouts are known. */
  isSettled: boolean;
}

/** Remembers the markets that trade, at most `rules.memory.markets`; those longest without a trade are evicted first. */
export class MarketMemory {
  readonly #mostMarkets: number;
  readonly #ignored: Parameters<typeof isIgnoredMarket>[1];
  readonly #markets = new LruMap<KnownMarket>({ keyOf: ({ id }) => id });
  readonly state: StatePart = plainPart(this.#markets);

  constructor({ memory, ignore }: DetectionRules) {
    this.#mostMarkets = memory.markets;
    this.#ignored = { ignorePriceMarkets: ignore.priceMarkets, ignoreSports: ignore.sports };
  }

  get size(): number {
    return this.#markets.size;
  }

  get evicted(): number {
    return this.#markets.evicted[0] ?? 0;
  }

  /** The market of a trade, described by its first trade with a title, and the first that names its event, until its own row comes. */
  touch(trade: Trade): KnownMarket {
    const known = this.#markets.get(trade.marketId);
    if (known !== undefined) this.#markets.touch(known);
    const { title, slug } = trade;
    const eventSlug = known?.eventSlug ?? trade.eventSlug;
    if (known !== undefined && (known.title !== '' || title === ''))
      return Object.assign(known, { eventSlug });
    const category = categoryOf({ title, slug, tags: [], category: null });
    const isIgnored = isIgnoredMarket({ slug, title, tags: [] }, this.#ignored);
    const words = { title, slug, category, isIgnored, eventSlug } satisfies Partial<KnownMarket>;
    // In place: booked orders of this second refer to the same market.
    return Object.assign(known ?? this.#add(trade.marketId), words);
  }

  learn({ id, question: title, slug, outcomes, tokenIds, endsAt, volume24h, ...row }: Market): void {
    const known = this.#markets.get(id) ?? this.#add(id);
    // What a row does not state stays as an earlier row stated it.
    const stated = row.tags ?? [];
    const tags = stated.length > 0 ? stated : known.tags;
    this.#markets.touch(known);
    Object.assign(known, {
      title,
      slug: slug || known.slug,
      category: stated.length === 0 && tags.length > 0 ? known.category : row.category,
      tags,
      outcomes,
      tokenIds: tokenIds.length > 0 ? tokenIds : known.tokenIds,
      endsAt: endsAt ?? known.endsAt,
      statedVolume: volume24h ?? known.statedVolume,
      isIgnored: isIgnoredMarket({ slug, title, tags }, this.#ignored),
      eventSlug: row.eventSlug ?? known.eventSlug,
      isSettled: known.isSettled || row.payouts !== null,
    } satisfies Partial<KnownMarket>);
  }

  /** Whether trades of the trade's market lead to no alert, as far as is known. */
  isIgnored({ marketId, slug, title }: Trade): boolean {
    const known = this.#markets.get(marketId);
    return known?.isIgnored ?? isIgnoredMarket({ slug, title, tags: [] }, this.#ignored);
  }

  /** Whether the market's own row came. */
  isDescribed(marketId: string): boolean {
    return (this.#markets.get(marketId)?.outcomes.length ?? 0) > 0;
  }

  factsOf(marketId: string): MarketFacts {
    return this.#markets.get(marketId) ?? unknownMarket(marketId);
  }

  #add(id: string): KnownMarket {
    if (this.#markets.size >= this.#mostMarkets) this.#markets.evict();
    const market = unknownMarket(id);
    this.#markets.add(market);
    return market;
  }
}

function unknownMarket(id: string): KnownMarket {
  return {
    id,
    title: '',
    slug: '',
    category: 'other',
    tags: [],
    outcomes: [],
    tokenIds: [],
    endsAt: null,
    isIgnored: false,
    statedVolume: null,
    volumes: [],
    volumeHours: [],
    eventSlug: null,
    isSettled: false,
    ...unlinked<KnownMarket>(),
  };
}

/** Adds an order, in millionths of a USDC, to its hour. An order older than the hour of its slot is ignored. */
export function bookVolume(market: KnownMarket, usdc: number, at: EpochMs): void {
  if (market.volumes.length === 0) {
    market.volumes = new Array<number>(DAY_HOURS).fill(0);
    market.volumeHours = new Array<number>(DAY_HOURS).fill(0);
  }
  const hour = Math.floor(at / HOUR_MS);
  const slot = hour % DAY_HOURS;
  const held = market.volumeHours[slot] as number;
  if (held > hour) return;
  market.volumes[slot] = held === hour ? (market.volumes[slot] as number) + usdc : usdc;
  market.volumeHours[slot] = hour;
}

/** Subtracts a removed fill, in millionths of a USDC, from its hour, if that is still remembered. */
export function unbookVolume(market: KnownMarket, usdc: number, at: EpochMs): void {
  const hour = Math.floor(at / HOUR_MS);
  const slot = hour % DAY_HOURS;
  if (market.volumeHours[slot] === hour) market.volumes[slot] = (market.volumes[slot] as number) - usdc;
}

/**
 * USDC of the 24 hours up to the hour of `at`: the larger of the stated and the seen volume. With an incomplete source only
 * the stated volume is known.
 */
export function volume24h(market: KnownMarket, at: EpochMs, isComplete: boolean): number | null {
  if (!isComplete) return market.statedVolume;
  const hour = Math.floor(at / HOUR_MS);
  let seen = 0;
  for (const [slot, held] of market.volumeHours.entries())
    if (held <= hour && held > hour - DAY_HOURS) seen += market.volumes[slot] as number;
  return Math.max(seen / MICROS, market.statedVolume ?? 0);
}
