import type { Alert } from '../core/alerts/alert.ts';
import { betOf } from '../core/alerts/bet.ts';
import type { PriceChart } from '../core/alerts/charts/price-chart.ts';
import type { Exit } from '../core/alerts/exits/exit.ts';
import type { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { WalletReport } from '../core/alerts/wallet-report.ts';
import { rounded } from '../core/base/rounded.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { AlertMarket, MarketPrices } from '../core/record/prices/market-prices.ts';
import { LINE_POINTS_MAX } from '../core/record/prices/price-line.ts';
import { onScaleOf, outcomeSideOf } from '../core/record/prices/watched-market.ts';
import type { PricePoint } from '../core/trades/price-point.ts';
import type { ListedAlert } from './parts/alert-row.ts';
import { outcomeName } from './parts/labels.ts';

export interface MarketLine extends AlertMarket {
  /** The last moment that is shown. */
  readonly until: EpochMs;
  /** When the payouts became known, where they are public; null where that was not seen. */
  readonly settledAt: EpochMs | null;
  readonly endsAt: EpochMs | null;
  /** The prices of the outcome that an alert bought, ascending by time. */
  lineOf(alert: Alert): readonly PricePoint[];
}

interface LineRequest {
  readonly until: EpochMs;
  /** The first moment that is shown. Default: all. */
  readonly from?: EpochMs;
  /** Of the line, at most. Default: `LINE_POINTS_MAX`. */
  readonly points?: number;
}

/** What is known of an alert's market at a moment, in the alert's time; null if it is not watched. */
export async function marketPriceLine(
  prices: MarketPrices,
  alert: Alert,
  { until, from = 0, points = LINE_POINTS_MAX }: LineRequest,
): Promise<MarketLine | null> {
  const found = await prices.marketOf(alert);
  if (found === null) return null;
  const { market, times } = found;
  const { settledAt, endsAt } = market;
  const shown = { from: times.toSource(from), until: times.toSource(until), points };
  const line = await prices.lineOf(market, shown);
  return {
    ...found,
    until,
    settledAt: settledAt === null ? null : times.toPublished(settledAt),
    endsAt: endsAt === null ? null : times.toPublished(endsAt),
    lineOf(bought) {
      const outcome = outcomeSideOf(bought, market);
      return line.map(({ at, price }) => ({ at: times.toPublished(at), price: onScaleOf(outcome, price) }));
    },
  };
}

interface ChartRequest {
  readonly mainId?: number;
  readonly exits: readonly Exit[];
  /** What a share of the outcome paid; null while that is not known. */
  readonly payout: number | null;
}

/** The chart of the outcome that the first of these alerts bought, with all of them and the exits from their market. */
export function chartOf(
  watched: MarketLine,
  alerts: readonly [Alert, ...Alert[]],
  { mainId, exits, payout }: ChartRequest,
): PriceChart {
  const [{ outcome }] = alerts;
  const onScale = (price: number, bought: string) => (bought === outcome ? price : rounded(1 - price, 6));
  const line = watched.lineOf(alerts[0]);
  const { settledAt, until } = watched;
  return {
    outcome: outcomeName(outcome),
    line,
    alerts: alerts.map((alert) => ({
      at: alert.tradedAt,
      price: onScale(alert.entryPrice, alert.outcome),
      alert: { ...alert, outcome: outcomeName(alert.outcome) },
      isMain: alert.id === mainId,
    })),
    exits: exits.flatMap((exit) => {
      const at = exit.tradedAt;
      // A hedge has no price of its own.
      const price =
        exit.salePrice === null
          ? line.findLast((point) => point.at <= at)?.price
          : onScale(exit.salePrice, exit.outcome);
      return price === undefined ? [] : [{ at, price, exit }];
    }),
    settlement: payout === null ? null : { at: settledAt ?? until, price: payout },
  };
}

interface ListSources {
  readonly prices: MarketPrices;
  readonly exits: Pick<ExitReader, 'ofList'>;
}

export async function listedAlerts(
  alerts: readonly Alert[],
  { prices, exits }: ListSources,
  until: EpochMs,
): Promise<readonly ListedAlert[]> {
  return withPrices(await withExits(alerts, exits, until), prices, until);
}

type AlertWithExit = Omit<ListedAlert, 'priceNow'>;

async function withExits(
  alerts: readonly Alert[],
  exits: ListSources['exits'],
  until: EpochMs,
): Promise<readonly AlertWithExit[]> {
  const found = await exits.ofList(alerts, until);
  return alerts.map((alert) => ({ alert, exit: found.get(alert.id) ?? null }));
}

export async function withPrices(
  alerts: readonly AlertWithExit[],
  prices: MarketPrices,
  until: EpochMs,
): Promise<readonly ListedAlert[]> {
  const listed = alerts.map(async ({ alert, exit }) => ({
    alert,
    priceNow: await prices.lastOf(alert, until),
    exit,
  }));
  return Promise.all(listed);
}

/** The newest bets of a wallet alone, without those of clusters: losses first, then what is open, then gains. */
export async function walletBets(
  { positions }: Pick<WalletReport, 'positions'>,
  exits: ListSources['exits'],
  until: EpochMs,
): Promise<readonly AlertWithExit[]> {
  const alerts = positions.newest.flatMap(({ own }) => own ?? []);
  const bets = await withExits(alerts, exits, until);
  // Of its sales and of what was held at the settlement.
  const gainOf = ({ alert, exit }: AlertWithExit) =>
    (exit?.profitUsdc ?? 0) + (betOf(alert, exit).resultUsdc ?? 0);
  return bets.toSorted((a, b) => gainOf(a) - gainOf(b));
}
