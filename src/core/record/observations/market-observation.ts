import { type EpochMs, HOUR_MS, startOfHour } from '../../base/time/duration.ts';
import { LATE_LIMIT_MS } from '../../detection/freshness.ts';
import type { MarketFacts } from '../../detection/market-memory.ts';
import { hasWords, type Order } from '../../detection/order.ts';
import type { Market } from '../../trades/trade.ts';
import type { MinuteSpan, ObservedMarket } from './observation-store.ts';
import type { RememberedMarket } from './remembered-markets.ts';

/** How long before and after an alert a market is observed by the minute. */
const BEFORE_MS = 24 * HOUR_MS;
const AFTER_MS = 48 * HOUR_MS;

/** When an alert was traded and found. Times of the source, but for `detectedAt` on live sources. */
export interface AlertTimes {
  readonly tradedAt: EpochMs;
  /** The source's time when its order was closed. */
  readonly closedAt: EpochMs;
  /** The same on a tape; on a live source, when it was accepted and published. */
  readonly detectedAt: EpochMs;
}

/** An observed market, and which of its hours must be written. */
export class MarketObservation {
  /** Starts of hours in which something changed since they were composed. */
  readonly dirty = new Set<EpochMs>();
  #market: ObservedMarket;

  constructor(market: ObservedMarket) {
    this.#market = market;
  }

  get market(): ObservedMarket {
    return this.#market;
  }

  /**
   * Adds an alert and its span. Returns false for a known alert, whose hours are only marked as changed. `hours`: those with
   * remembered orders, ascending.
   */
  addAlert(key: string, { tradedAt, closedAt, detectedAt }: AlertTimes, hours: readonly EpochMs[]): boolean {
    const known = this.#market;
    const isNew = known.alerts.every((alert) => alert.key !== key);
    const span = spanOf(tradedAt, Math.max(tradedAt, closedAt));
    if (isNew) {
      const alerts = [...known.alerts, { key, tradedAt, detectedAt }];
      const spans = merged([...known.spans, span]);
      this.#market = { ...known, alerts, spans, isOpen: true };
    }
    // A span does not change the hours before it.
    for (const hour of hours.slice(hours.findLastIndex((each) => each < span.from) + 1))
      if (isWithin(span, hour) || viewOf(this.#market, hour) !== viewOf(known, hour)) this.touch(hour);
    return isNew;
  }

  touch(hour: EpochMs): void {
    if (viewOf(this.#market, hour) !== null) this.dirty.add(hour);
  }

  isByMinute(hour: EpochMs): boolean {
    return viewOf(this.#market, hour) === 'minutes';
  }

  /** Learns missing facts from an order of an observed hour. Returns true if it did. */
  learnOrder({ fill, at }: Order): boolean {
    const { otherAsset, baseAsset, baseOutcome, eventSlug } = this.#market;
    const isUnderstood = otherAsset !== null && baseOutcome !== '';
    if (isUnderstood && (eventSlug ?? fill.eventSlug) === eventSlug) return false;
    if (viewOf(this.#market, startOfHour(at)) === null) return false;
    const isBase = fill.asset === baseAsset;
    const learnt = {
      ...(otherAsset === null && !isBase ? { otherAsset: fill.asset } : {}),
      ...(baseOutcome === '' && isBase && hasWords(fill)
        ? { baseOutcome: fill.outcome, baseOutcomeIndex: fill.outcomeIndex }
        : {}),
      ...(eventSlug === null && fill.eventSlug !== null ? { eventSlug: fill.eventSlug } : {}),
    };
    return this.#learn(learnt);
  }

  /** Learns missing facts from remembered orders and the alert. Returns true if it did. */
  learnMemory({ baseAsset, otherAsset }: RememberedMarket, facts: MarketFacts): boolean {
    const known = this.#market;
    const other = baseAsset === known.baseAsset ? otherAsset : baseAsset;
    return this.#learn({
      otherAsset: known.otherAsset ?? other,
      eventSlug: known.eventSlug ?? facts.eventSlug,
      ...statedOf(facts, known),
    });
  }

  /** Learns from the market's own row its names, end, tags and fee, and when its payouts became known. True when something changed. */
  learnMarket(market: Market, at: EpochMs): boolean {
    const { question, slug, category, tags, eventSlug, eventTitle, payouts } = market;
    const known = this.#market;
    return this.#learn({
      question,
      slug,
      // A row without tags adds nothing to the row that the alert was based on.
      category: tags === null || tags.length === 0 ? known.category : category,
      eventSlug: eventSlug ?? known.eventSlug,
      eventTitle: eventTitle ?? known.eventTitle,
      ...statedOf(market, known),
      ...(payouts !== null && known.settledAt === null ? { settledAt: at } : {}),
    });
  }

  /** Whether it is settled, its last span has passed, and no late order can change it. */
  isOver(time: EpochMs): boolean {
    const { settledAt, spans } = this.#market;
    if (settledAt === null) return false;
    return time - LATE_LIMIT_MS >= Math.max(settledAt, spans.at(-1)?.until ?? 0);
  }

  #learn(learnt: Partial<ObservedMarket>): boolean {
    const known = this.#market;
    const hasChanged = Object.entries(learnt).some(
      ([name, value]) => known[name as keyof ObservedMarket] !== value,
    );
    if (hasChanged) this.#market = { ...known, ...learnt };
    return hasChanged;
  }
}

/** What a market currently states: its end and tags, where it states them. */
export function statedOf(
  { endsAt, tags }: Pick<Market, 'endsAt' | 'tags'>,
  { tags: known }: Pick<ObservedMarket, 'tags'> = {},
): Pick<ObservedMarket, 'endsAt' | 'tags'> {
  const sorted = [...new Set(tags)].toSorted();
  const isNew = sorted.length > 0 && JSON.stringify(sorted) !== JSON.stringify(known);
  return {
    ...(endsAt !== null && { endsAt }),
    ...(isNew && { tags: sorted }),
  };
}

/** Whole hours from 24 h before the trade to 48 h after it was found. */
function spanOf(tradedAt: EpochMs, foundAt: EpochMs): MinuteSpan {
  return {
    from: startOfHour(tradedAt - BEFORE_MS),
    until: Math.ceil((foundAt + AFTER_MS) / HOUR_MS) * HOUR_MS,
  };
}

function isWithin({ from, until }: MinuteSpan, hour: EpochMs): boolean {
  return hour >= from && hour < until;
}

/** Ascending; those that overlap or touch are one. */
function merged(spans: readonly MinuteSpan[]): readonly MinuteSpan[] {
  const result: MinuteSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || span.from > last.until) result.push(span);
    else result[result.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
  }
  return result;
}

/** How the hour is observed: by the minute in a span, else as a whole from the first span until it is settled; null: not at all. */
function viewOf({ spans, settledAt }: ObservedMarket, hour: EpochMs): 'minutes' | 'whole' | null {
  if (spans.some((span) => isWithin(span, hour))) return 'minutes';
  const isBefore = hour < (spans[0]?.from ?? Number.POSITIVE_INFINITY);
  return isBefore || (settledAt !== null && hour > settledAt) ? null : 'whole';
}
