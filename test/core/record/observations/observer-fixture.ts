import type { Candidate } from '../../../../src/core/detection/candidate.ts';
import type { ObservedMarket } from '../../../../src/core/record/observations/observation-store.ts';
import type { Observer } from '../../../../src/core/record/observations/observer.ts';
import type { Market } from '../../../../src/core/trades/trade.ts';
import { marketRow } from '../../../support/rows.ts';
import { type fillOf, orderOf } from './observation-fixture.ts';

export const UNKNOWN = {
  eventSlug: null,
  eventTitle: null,
  endsAt: null,
  tags: [],
  isSettled: false,
};

type Given = Parameters<typeof fillOf>[0];

export function orders(observer: Observer, ...given: Given[]): void {
  for (const each of given) observer.order(orderOf({ role: 'taker', ...each }));
}

export function alertAt(
  observer: Observer,
  tradedAt: number,
  { key = `w:${tradedAt}`, closedAt = tradedAt, marketId = '0xm1' } = {},
): void {
  const candidate = { key, marketId, eventTitle: 'Will it?', eventSlug: 'will-it', category: 'politics' };
  observer.alert(candidate as Candidate, { tradedAt, closedAt, detectedAt: closedAt }, UNKNOWN);
}

export const taken = (observer: Observer) => observer.takeHours(1_000).toSorted((a, b) => a.hour - b.hour);
export const market = (observer: Observer): ObservedMarket | undefined => observer.takeMarkets(10)[0];
export const settled = (given: Partial<Market> = {}) =>
  (marketRow({ payouts: [1, 0], ...given }) as { readonly market: Market }).market;
