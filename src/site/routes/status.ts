import type { Alert } from '../../core/alerts/alert.ts';
import type { ScheduleRead } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { type PublicationDelays, STATUS_DAYS, type StatusModel, statusPage } from '../pages/status.ts';
import { serviceReportOf } from '../service-report.ts';
import { type SitePart, sendPage } from '../site.ts';

/** The newest alerts of which the delay is shown. */
const ALERTS = 200;
const WINDOWS_MAX = 10_000;

/** Whether the service sees the market. */
export function registerStatus(part: SitePart): void {
  part.app.get('/status', { schema: { hide: true } }, (request, reply) =>
    sendPage(
      part,
      { name: '/status', make: async ({ searches }) => statusPage(await readStatus(part, searches)) },
      request,
      reply,
    ),
  );
}

async function readStatus({ deps, site }: SitePart, searches: ScheduleRead): Promise<StatusModel> {
  const { feedHealth, clock, alerts } = deps;
  const now = clock.now();
  const until = visibleUntil(DELAYED, deps);
  const [view, span, newest, heartbeats] = await Promise.all([
    feedHealth.view(),
    feedHealth.summarise({ since: now - STATUS_DAYS * DAY_MS, until: now, limit: WINDOWS_MAX }),
    searches(() => alerts.search({ until }, { page: 1, pageSize: ALERTS })),
    site.heartbeats(),
  ]);
  // A tape has its own pace: what it would measure is that pace.
  const isMeasured = site.source !== 'tape' && view.since !== null;
  const delays = isMeasured ? publicationDelays(newest.alerts) : null;
  const { sources } = serviceReportOf(heartbeats, now);
  return { source: site.source, view, span, delays, sources, now };
}

/** Null without an alert that was published live. */
export function publicationDelays(
  alerts: readonly Pick<Alert, 'isHistory' | 'publishedAt' | 'tradedAt'>[],
): PublicationDelays | null {
  const delays = alerts
    .filter(({ isHistory }) => !isHistory)
    .map(({ publishedAt, tradedAt }) => Math.max(0, publishedAt - tradedAt))
    .sort((a, b) => a - b);
  if (delays.length === 0) return null;
  // The nearest rank: an observed delay, so that two alerts do not make a third.
  const at = (share: number): number => delays[Math.ceil(share * delays.length) - 1] as number;
  return { alerts: delays.length, p50: at(0.5), p95: at(0.95) };
}
