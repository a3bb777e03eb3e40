import { betOf } from '../core/alerts/bet.ts';
import { describeTrade, resultWords } from '../core/alerts/describe-alert.ts';
import { alertPath } from '../core/alerts/site-paths.ts';
import { iso, isoOrNull } from '../core/base/text/date-time.ts';
import { marketAddress } from '../core/trades/other-sites.ts';
import type { PricePoint } from '../core/trades/price-point.ts';
import { alertView } from '../http/views/alert-view.ts';
import { threadExitsView } from '../http/views/exit-view.ts';
import type { AlertReport } from './alert-report.ts';
import type { HiddenWallets } from './parts/labels.ts';

/** The data of an alert's page: what `GET /alerts/{id}` has at the free delay, without hidden wallets, and what the page adds. */
export function alertReportJson(report: AlertReport, publicUrl: string): string {
  const { alert, priceNow, followerPrice, chart, thread, newest, exit, others, watched } = report;
  const { id } = alert;
  return JSON.stringify({
    url: publicUrl + alertPath(id),
    market_url: marketAddress(alert),
    trade: describeTrade(alert),
    result: resultWords(newest, exit),
    alert: alertOf(report),
    follower_price: followerPrice && pointOf(followerPrice),
    price_now: priceNow,
    ends_at: isoOrNull(watched?.endsAt ?? null),
    settled_at: isoOrNull(alert.resolution && (watched?.settledAt ?? null)),
    prices: (chart?.line ?? []).map(pointOf),
    thread: thread.map(({ id }) => id),
    withdrawn: alert.withdrawn && { at: iso(alert.withdrawn.at), reason: alert.withdrawn.reason },
    other_bets: others?.map((other) => other.alert.id) ?? null,
  });
}

function pointOf({ at, price }: PricePoint) {
  return { at: iso(at), price };
}

function alertOf({ alert, newest, exit, position, hidden }: AlertReport) {
  const { wallet_address, details, ...view } = alertView(alert, betOf(newest, exit));
  const { state, exits } = threadExitsView(position);
  const { wallets } = details;
  return {
    ...view,
    wallet_address: named(wallet_address, hidden),
    details: {
      ...details,
      ...(wallets !== undefined && { wallets: wallets.filter((wallet) => !hidden.has(wallet)) }),
      exits: { state, exits: exits.map((exit) => ({ ...exit, wallet: named(exit.wallet, hidden) })) },
    },
  };
}

function named(wallet: string, hidden: HiddenWallets): string | null {
  return hidden.has(wallet) ? null : wallet;
}
