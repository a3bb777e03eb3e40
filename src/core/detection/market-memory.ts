import type { Category } from '../category.ts';
import { categoryOf } from '../classification/category-of.ts';
import { HOUR_MS } from '../duration.ts';
import type { EpochMs, Market, Trade } from '../trade.ts';
import { isIgnoredMarket } from './ignored-market.ts';
import { type LruLinks, LruMap, unlinked } from './lru-map.ts';
import { MICROS } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { LruPart, type StatePart } from './state-chunks.ts';

const DAY_HOURS = 24;

/** What is known of a market beside what the rules ask. */
export interface MarketFacts {
  /** Of the event that it belongs to; null while unknown. */
  readonly eventSlug: string | null;
  readonly eventTitle: string | null;
  /** Its payouts are known. */
  readonly isSettled: boolean;
}

const NO_FACTS: MarketFacts = { eventSlug: null, eventTitle: null, isSettled: false };

/** What the rules ask of a market. Plain data but for the links. */
export interface KnownMarket extends MarketFacts, LruLinks<KnownMarket> {
  readonly id: string;
  title: string;
  slug: string;
  category: Category;
  /** Empty until a row named some. */
  tags: readonly string[];
  /** In the order of the payouts; empty until the market's own row came. */
  outcomes: readonly string[];
  tokenIds: readonly string[];
  endsAt: EpochMs | null;
  /** Under the rules no trade of it alerts. */
  isIgnored: boolean;
  /** USDC of the last 24 hours as the market stated it. */
  statedVolume: number | null;
  /** Millionths of a USDC by hour of the day, each with the hour it stands for; empty until some was booked. */
  volumes: number[];
  volumeHours: number[];
}

/** Remembers the markets that trade; the ones longest quiet are forgotten first. */
export interface MarketMemory {
  /** The market of a trade, described by its first trade with a title until its own row comes. */
  touch(trade: Trade): KnownMarket;
  learn(market: Market): void;
  /** Whether trades of the trade's market start no alert, as far as is known. */
  isIgnored(trade: Trade): boolean;
  /** Whether the market's own row came. */
  isDescribed(marketId: string): boolean;
  factsOf(marketId: string): MarketFacts;
  readonly size: number;
  readonly evicted: number;
  readonly state: StatePart;
}

/** An empty memory, of at most `rules.memory.markets` markets. */
export function createMarketMemory(rules: DetectionRules): MarketMemory {
  const markets = new LruMap<KnownMarket>({ keyOf: ({ id }) => id });
  const options = { ignorePriceMarkets: rules.ignore.priceMarkets, ignoreSports: rules.ignore.sports };

  function add(market: KnownMarket): KnownMarket {
    if (markets.size >= rules.memory.markets) markets.evict();
    markets.add(market);
    return market;
  }

  return {
    touch(trade) {
      const known = markets.get(trade.marketId);
      if (known !== undefined) markets.touch(known);
      const { title, slug } = trade;
      if (known !== undefined && (known.title !== '' || title === '')) return known;
      const eventSlug = known?.eventSlug ?? trade.eventSlug;
      const category = categoryOf({ title, slug, tags: [], category: null });
      const isIgnored = isIgnoredMarket({ slug, title, tags: [] }, options);
      // In place: orders of this second that are booked already hold the same market.
      return Object.assign(known ?? add(unknownMarket(trade.marketId)), {
        title,
        slug,
        category,
        isIgnored,
        eventSlug,
      } satisfies Partial<KnownMarket>);
    },
    learn({ id, question: title, slug, outcomes, tokenIds, endsAt, volume24h, ...row }) {
      const known = markets.get(id) ?? add(unknownMarket(id));
      // Gamma leaves tags out unless it is asked for them; what an earlier row said by them holds.
      const tags = row.tags ?? known.tags;
      const category = row.tags === null && tags.length > 0 ? known.category : row.category;
      const isIgnored = isIgnoredMarket({ slug, title, tags }, options);
      const statedVolume = volume24h ?? known.statedVolume;
      markets.touch(known);
      Object.assign(known, {
        title,
        slug,
        category,
        tags,
        outcomes,
        tokenIds,
        endsAt: endsAt ?? known.endsAt,
        statedVolume,
        isIgnored,
        ...factsBy(row, known),
      } satisfies Partial<KnownMarket>);
    },
    isIgnored({ marketId, slug, title }) {
      const known = markets.get(marketId);
      return known?.isIgnored ?? isIgnoredMarket({ slug, title, tags: [] }, options);
    },
    isDescribed: (marketId) => (markets.get(marketId)?.outcomes.length ?? 0) > 0,
    factsOf: (marketId) => markets.get(marketId) ?? NO_FACTS,
    get size() {
      return markets.size;
    },
    get evicted() {
      return markets.evicted[0] ?? 0;
    },
    state: new LruPart<KnownMarket, PlainMarket>(markets, CODEC),
  };
}

/** A row may leave out what one before it said. */
function factsBy(
  { eventSlug, eventTitle, payouts }: Pick<Market, 'eventSlug' | 'eventTitle' | 'payouts'>,
  known: MarketFacts,
): MarketFacts {
  return {
    eventSlug: eventSlug ?? known.eventSlug,
    eventTitle: eventTitle ?? known.eventTitle,
    isSettled: known.isSettled || payouts !== null,
  };
}

type PlainMarket = Omit<KnownMarket, keyof LruLinks<KnownMarket>>;

const CODEC = {
  keyOf: ({ id }: PlainMarket) => id,
  toPlain: ({ older: _, newer: __, touchedIn: ___, rank: ____, ...market }: KnownMarket): PlainMarket =>
    market,
  // Snapshots of older builds lack the facts.
  fromPlain: ({ eventSlug, eventTitle, isSettled, ...market }: PlainMarket): KnownMarket => ({
    ...market,
    eventSlug: eventSlug ?? NO_FACTS.eventSlug,
    eventTitle: eventTitle ?? NO_FACTS.eventTitle,
    isSettled: isSettled ?? NO_FACTS.isSettled,
    ...unlinked<KnownMarket>(),
  }),
};

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
    ...NO_FACTS,
    ...unlinked<KnownMarket>(),
  };
}

/** Adds an order, in millionths of a USDC, to its hour. One older than the hour its slot stands for is left out. */
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

/** Takes a removed fill, in millionths of a USDC, out of its hour, if that is still held. */
export function unbookVolume(market: KnownMarket, usdc: number, at: EpochMs): void {
  const hour = Math.floor(at / HOUR_MS);
  const slot = hour % DAY_HOURS;
  if (market.volumeHours[slot] === hour) market.volumes[slot] = (market.volumes[slot] as number) - usdc;
}

/**
 * USDC of the 24 hours up to the hour of `at`: the larger of what the market stated and what was seen. Where not
 * every trade is seen, only what the market stated is known.
 */
export function volume24h(market: KnownMarket, at: EpochMs, isComplete: boolean): number | null {
  if (!isComplete) return market.statedVolume;
  const hour = Math.floor(at / HOUR_MS);
  let seen = 0;
  for (const [slot, held] of market.volumeHours.entries())
    if (held <= hour && held > hour - DAY_HOURS) seen += market.volumes[slot] as number;
  return Math.max(seen / MICROS, market.statedVolume ?? 0);
}
