import { betOf } from '../core/alerts/bet.ts';
import { describeTrade, resultWords } from '../core/alerts/describe-alert.ts';
import { alertPath } from '../core/alerts/site-paths.ts';
import { marketAddress } from '../core/trades/other-sites.ts';
import { alertView } from '../http/views/alert-view.ts';
import { iso, isoOrNull } from '../http/views/date-time.ts';
import { exitView, threadExitsView } from '../http/views/exit-view.ts';
import { positionView } from '../http/views/wallet-view.ts';
import type { AlertReport } from './alert-report.ts';
import type { HiddenWallets } from './parts/labels.ts';
import type { ListedPosition } from './parts/position-row.ts';

/** The data of an alert's page: what `GET /alerts/{id}` has at the free delay, without hidden wallets, and what the page adds. */
export function alertReportJson(report: AlertReport, publicUrl: string): string {
  const { alert, priceNow, chart, thread, newest, exit, others, observed } = report;
  const { id } = alert;
  return JSON.stringify({
    url: publicUrl + alertPath(id),
    market_url: marketAddress(alert),
    trade: describeTrade(alert),
    result: resultWords(newest, exit),
    alert: alertOf(report),
    price_now: priceNow,
    ends_at: isoOrNull(observed?.endsAt ?? null),
    settled_at: isoOrNull(alert.resolution && (observed?.settledAt ?? null)),
    prices: (chart?.line ?? []).map(({ at, price }) => ({ at: iso(at), price })),
    thread: thread.map(({ id }) => id),
    withdrawn: alert.withdrawn && { at: iso(alert.withdrawn.at), reason: alert.withdrawn.reason },
    other_positions: others?.map(otherOf) ?? null,
  });
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

function otherOf({ priceNow, exit, ...position }: ListedPosition) {
  return { ...positionView(position), price_now: priceNow, exit: exit && exitView(exit) };
}
