import type { Alert } from '../core/alerts/alert.ts';
import { DELAYED, visibleUntil } from '../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../core/alerts/hidden-wallets.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { PricePoint } from '../core/trades/price-point.ts';
import { type AlertCourse, readCourse } from './alert-course.ts';
import { walletBets, withPrices } from './alert-prices.ts';
import type { ListedAlert } from './parts/alert-row.ts';
import type { HiddenWallets } from './parts/labels.ts';
import type { SitePart } from './site.ts';

/** All that the page of an alert shows, and its JSON has, as it is known at the free delay. */
export interface AlertReport extends AlertCourse {
  readonly alert: Alert;
  /** Nothing later is known. */
  readonly until: EpochMs;
  readonly hidden: HiddenWallets;
  /** The last known price of its outcome, or what that paid. */
  readonly priceNow: number | null;
  /** What a follower could pay; null where that is not known. */
  readonly followerPrice: PricePoint | null;
  /** Other bets of its wallet, losses first; null for a cluster, and for a hidden wallet. */
  readonly others: readonly ListedAlert[] | null;
}

const OTHERS_MAX = 3;

/** Null for an alert that is not visible. */
export async function readAlertReport(
  id: number,
  { deps, site }: Pick<SitePart, 'deps' | 'site'>,
): Promise<AlertReport | null> {
  const until = visibleUntil(DELAYED, deps);
  const alert = await deps.alerts.visible(id, until);
  if (alert === null) return null;
  const hidden = await hiddenAddresses(site.hiddenWallets);
  const isAlone = alert.type !== 'cluster' && !hidden.has(alert.wallet);
  const [priceNow, followerPrice, course, others] = await Promise.all([
    site.prices.lastOf(alert, until),
    site.prices.followerPrice(alert, until),
    readCourse(alert, { deps, site }, until),
    isAlone ? readOthers(alert, { deps, site }, until) : null,
  ]);
  return { alert, until, hidden, priceNow, followerPrice, others, ...course };
}

async function readOthers(
  { threadId, wallet }: Alert,
  { deps, site }: Pick<SitePart, 'deps' | 'site'>,
  until: EpochMs,
): Promise<readonly ListedAlert[]> {
  const report = await deps.alerts.walletReport(wallet, { until, limit: 1 });
  if (report === null) return [];
  const bets = await walletBets(report, deps.exits, until);
  const others = bets.filter(({ alert }) => alert.threadId !== threadId).slice(0, OTHERS_MAX);
  return withPrices(others, site.prices, until);
}
