import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, SECOND_MS, startOfHour } from '../../../src/core/base/time/duration.ts';
import { MICROS } from '../../../src/core/detection/order.ts';
import { FollowerPriceReader, type FollowerPrices } from '../../../src/core/record/follower-prices.ts';
import { hourText } from '../../../src/core/record/observations/hour-text.ts';
import type {
  ObservedHour,
  ObservedMarket,
} from '../../../src/core/record/observations/observation-store.ts';
import { alertOf } from '../../support/alerts.ts';

const ASSETS = ['11', '22'] as const;
const OUTCOMES = ['Yes', 'No'] as const;

/** A taker order as a test names it: 100 USDC in the base outcome, unless it says otherwise. `price`: of its own outcome. */
export interface GivenOrder {
  readonly at: number;
  readonly price: number;
  readonly outcome?: 0 | 1;
  readonly usdc?: number;
  readonly wallet?: string;
}

/** `06:01:30` of 2027-01-02; `1 06:01:30` one day later. */
export function time(text: string): number {
  const [clock = '', days = '0'] = text.split(' ').reverse();
  return Date.parse(`2027-01-02T${clock}Z`) + Number(days) * DAY_MS;
}

/** A published alert on an order. `publishedAt`: source's time. */
export function alertOn(order: GivenOrder, publishedAt: number, given: Partial<Alert> = {}): Alert {
  const { at, price, outcome = 0, usdc = 100, wallet = '0xw' } = order;
  return alertOf({
    id: 1,
    key: `w:${wallet}:${ASSETS[outcome]}:BUY:${at / SECOND_MS}`,
    wallet,
    outcome: OUTCOMES[outcome],
    outcomeIndex: outcome,
    entryPrice: price,
    usdc,
    shares: usdc / price,
    tradedAt: at,
    detectedAt: publishedAt,
    ...given,
  });
}

interface GivenMarket extends Partial<ObservedMarket> {
  readonly orders: readonly GivenOrder[];
  readonly alerts?: readonly Alert[];
}

interface StoredMarket {
  readonly market: ObservedMarket;
  readonly hours: readonly ObservedHour[];
}

/** A market of Yes (the base) and No, observed by the minute for days around 2027-01-02. */
export function recordMarket({ orders, alerts = [], ...given }: GivenMarket): StoredMarket {
  const spans = [{ from: time('-3 00:00:00'), until: time('6 00:00:00') }];
  return {
    market: {
      marketId: '0xm1',
      baseAsset: ASSETS[0],
      baseOutcome: OUTCOMES[0],
      baseOutcomeIndex: 0,
      otherAsset: ASSETS[1],
      question: 'Will it?',
      slug: 'will-it',
      eventSlug: 'event',
      eventTitle: null,
      category: 'politics',
      alerts: alerts.map(({ key, tradedAt, detectedAt }) => ({ key, tradedAt, detectedAt })),
      spans,
      settledAt: null,
      isOpen: true,
      ...given,
    },
    hours: hoursOf(orders),
  };
}

/** A reader of one market, and how often it read it. */
export function observationsOf({
  market,
  hours,
}: {
  market: ObservedMarket | null;
  hours: readonly ObservedHour[];
}) {
  let reads = 0;
  const reader = new FollowerPriceReader({
    async market() {
      reads += 1;
      return market;
    },
    hours: async (_marketId, { from, until, limit }) =>
      hours
        .filter(({ hour }) => hour >= from && hour < until)
        .toSorted((a, b) => a.hour - b.hour)
        .slice(0, limit),
  });
  return { reader, reads: () => reads };
}

/** As of five days later unless it says otherwise. */
export function pricesOf(
  stored: Parameters<typeof observationsOf>[0],
  alert: Alert,
  asOf = time('5 00:00:00'),
): Promise<FollowerPrices> {
  return observationsOf(stored).reader.read(alert, asOf);
}

export function hoursOf(
  orders: readonly GivenOrder[],
  { from = 0, isByMinute = true } = {},
): readonly ObservedHour[] {
  const sorted = orders.toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(sorted, ({ at }) => startOfHour(at))].map(([hour, own]) => ({
    marketId: '0xm1',
    hour,
    text: hourText(own.map(rowOf), { hour, isByMinute, isMirrored: false, from }),
  }));
}

function rowOf({ at, price, outcome = 0, usdc = 100 }: GivenOrder) {
  return {
    at,
    isOther: outcome === 1,
    isMaker: false,
    usdc: Math.round(usdc * MICROS),
    shares: Math.round((usdc / price) * MICROS),
  };
}
