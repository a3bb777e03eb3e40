import type { Alert } from '../../core/alerts/alert.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { withdrawalOf } from '../../core/alerts/statements/statement-store.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { type FreeFollower, freeFollower } from '../../core/record/follower-result.ts';
import { readCourse } from '../alert-course.ts';
import type { MarketLine } from '../alert-prices.ts';
import { alertPage } from '../pages/alert.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute } from '../site.ts';

const DIGITS = /^\d{1,15}$/;

export const registerAlert = pageRoute({
  url: '/alerts/:id',
  path: ({ id = '' }) => (DIGITS.test(id) && Number(id) > 0 ? alertPath(Number(id)) : null),
  async make(part, { params }) {
    const { deps, site } = part;
    const id = Number(params['id']);
    const until = visibleUntil(DELAYED, deps);
    const alert = await deps.alerts.byId(id);
    if (alert === null || alert.createdAt > until) return null;
    const [bots, hidden, withdrawal, priceNow, course] = await Promise.all([
      runningBots(part),
      site.statements.hiddenWallets(),
      withdrawalOf(site.statements, id),
      site.prices.lastOf(alert, until),
      readCourse(alert, { deps, site }, until),
    ]);
    const { thread, observed, position, chart } = course;
    const { publicUrl, freeDelayMs } = deps;
    const follower = observed && followerOf(alert, observed, { until, freeDelayMs });
    return alertPage(alert, {
      ...{ thread, withdrawal, chart, priceNow, position, follower },
      ways: { bots, publicUrl },
      hidden: new Set(hidden),
    });
  },
});

function followerOf(
  alert: Alert,
  { market, hours, times, storedUntil }: MarketLine,
  { until, freeDelayMs }: { readonly until: EpochMs; readonly freeDelayMs: number },
): FreeFollower | null {
  if (storedUntil === null || storedUntil === 0 || alert.side === 'SELL') return null;
  const asOf = Math.min(storedUntil, times.toSource(until));
  return freeFollower(alert, { market, hours }, { asOf, freeDelayMs });
}
