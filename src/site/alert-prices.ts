import type { Alert } from '../core/alerts/alert.ts';
import type { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import { rounded } from '../core/base/rounded.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { AlertMarket, MarketPrices } from '../core/record/observations/market-prices.ts';
import { type ObservedHour, outcomeSideOf } from '../core/record/observations/observation-store.ts';
import { type PricePoint, priceLine } from '../core/record/observations/price-line.ts';
import type { ListedAlert } from './parts/alert-row.ts';

export interface MarketLine extends AlertMarket {
  readonly hours: readonly ObservedHour[];
  readonly line: readonly (readonly PricePoint[])[];
  /** When the payouts became known; null while they are not. */
  readonly settledAt: EpochMs | null;
  readonly endsAt: EpochMs | null;
  /** Moment and price of an alert on this scale: those of the other outcome count with 1 minus their price. */
  pointOf(alert: Alert): PricePoint;
}

interface LineRequest {
  readonly until: EpochMs;
  readonly shown?: { readonly from: EpochMs; readonly until: EpochMs };
}

/** What was observed of an alert's market until a moment, in the alert's time; null if it is not observed. */
export async function marketPriceLine(
  prices: MarketPrices,
  alert: Alert,
  { until, shown = { from: 0, until } }: LineRequest,
): Promise<MarketLine | null> {
  const found = await prices.marketOf(alert);
  if (found === null) return null;
  const { market, times } = found;
  const sourceUntil = times.toSource(until);
  const range = {
    from: times.toSource(shown.from),
    until: Math.min(sourceUntil, times.toSource(shown.until)),
  };
  const hours = await prices.hoursOf(market, range);
  const outcome = outcomeSideOf(alert, market);
  const { settledAt, endsAt } = market;
  const isSettled = settledAt !== null && settledAt <= sourceUntil;
  return {
    ...found,
    hours,
    line: priceLine(hours, { outcome, ...range }).map((stretch) =>
      stretch.map(({ at, price }) => ({ at: times.toPublished(at), price })),
    ),
    settledAt: isSettled ? times.toPublished(settledAt) : null,
    endsAt: endsAt === undefined ? null : times.toPublished(endsAt),
    pointOf: (other) => ({
      at: other.tradedAt,
      price: outcomeSideOf(other, market) === outcome ? other.entryPrice : rounded(1 - other.entryPrice, 6),
    }),
  };
}

export async function listedAlerts(
  alerts: readonly Alert[],
  { prices, exits }: { readonly prices: MarketPrices; readonly exits: Pick<ExitReader, 'ofList'> },
  until: EpochMs,
): Promise<readonly ListedAlert[]> {
  const found = await exits.ofList(alerts, until);
  const listed = alerts.map(async (alert) => ({
    alert,
    priceNow: await prices.lastOf(alert, until),
    exit: found.get(alert.id) ?? null,
  }));
  return Promise.all(listed);
}
