import type { Alert } from '../../core/alerts/alert.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { threadKeys } from '../../core/alerts/ledger/thread.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { withdrawalOf } from '../../core/alerts/statements/statement-store.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { type FreeFollower, freeFollower } from '../../core/record/follower-result.ts';
import type { ServerDeps } from '../../http/server-deps.ts';
import { type MarketLine, marketPriceLine } from '../alert-prices.ts';
import { alertPage } from '../pages/alert.ts';
import { pageRoute } from '../site.ts';

const DIGITS = /^\d{1,15}$/;
const THREAD_MAX = 20;

export const registerAlert = pageRoute({
  url: '/alerts/:id',
  path: ({ id = '' }) => (DIGITS.test(id) && Number(id) > 0 ? alertPath(Number(id)) : null),
  async make({ deps, site }, { params }) {
    const id = Number(params['id']);
    const until = visibleUntil(DELAYED, deps);
    const alert = await deps.alerts.byId(id);
    if (alert === null || alert.createdAt > until) return null;
    const thread = await visibleThread(deps.alerts, alert, until);
    const [hidden, withdrawal, observed, priceNow, position] = await Promise.all([
      site.statements.hiddenWallets(),
      withdrawalOf(site.statements, id),
      marketPriceLine(site.prices, alert, { until, shown: around(thread) }),
      site.prices.lastOf(alert, until),
      deps.exits.ofAlert(alert, until),
    ]);
    const { publicUrl, freeDelayMs } = deps;
    const follower = observed && followerOf(alert, observed, { until, freeDelayMs });
    return alertPage(alert, {
      ...{ thread, withdrawal, observed, priceNow, position, follower, publicUrl },
      hidden: new Set(hidden),
    });
  },
});

const SHOWN_BEFORE_MS = DAY_MS;
const SHOWN_AFTER_MS = 60 * DAY_MS;

/** Most markets are settled in this time: the page of the market has the rest. */
function around(thread: readonly Alert[]) {
  const times = thread.map(({ tradedAt }) => tradedAt);
  return { from: Math.min(...times) - SHOWN_BEFORE_MS, until: Math.max(...times) + SHOWN_AFTER_MS };
}

/** The newest alerts of the thread that are visible, oldest first, the given one among them. */
async function visibleThread(
  alerts: Pick<ServerDeps['alerts'], 'byId' | 'threads'>,
  alert: Alert,
  until: EpochMs,
): Promise<readonly Alert[]> {
  const entries = await alerts.threads(threadKeys(alert));
  const found = [alert];
  for (const { id } of entries.toReversed()) {
    if (found.length === THREAD_MAX) break;
    const other = id === alert.id ? null : await alerts.byId(id);
    if (other !== null && other.createdAt <= until) found.push(other);
  }
  return found.sort((a, b) => a.id - b.id);
}

function followerOf(
  alert: Alert,
  { market, hours, times, storedUntil }: MarketLine,
  { until, freeDelayMs }: { readonly until: EpochMs; readonly freeDelayMs: number },
): FreeFollower | null {
  if (storedUntil === null || storedUntil === 0 || alert.side === 'SELL') return null;
  const asOf = Math.min(storedUntil, times.toSource(until));
  return freeFollower(alert, { market, hours }, { asOf, freeDelayMs });
}
