import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { aboutPage } from '../pages/about.ts';
import { developersPage } from '../pages/developers.ts';
import { recordPage } from '../pages/record.ts';
import { publicationDelays, STATUS_DAYS, statusPage } from '../pages/status.ts';
import { runningBots, serviceReportOf } from '../service-report.ts';
import { pageRoute } from '../site.ts';

const ALERTS = 200;
const WINDOWS_MAX = 10_000;

export const registerRecord = pageRoute({
  url: '/record',
  name: (path, _query, { deps }) => `${path} ${deps.record.read()?.report.as_of ?? ''}`,
  read: ({ deps }) => {
    const report = deps.record.read()?.report ?? null;
    return () => recordPage(report);
  },
});

export const registerStatus = pageRoute({
  url: '/status',
  async read({ deps, site }, _asked, { searches }) {
    const { coverage, clock, alerts } = deps;
    const now = clock.now();
    const until = visibleUntil(DELAYED, deps);
    const [view, span, newest, heartbeats] = await Promise.all([
      coverage.view(),
      coverage.summarise({ since: now - STATUS_DAYS * DAY_MS, until: now, limit: WINDOWS_MAX }),
      searches(() => alerts.search({ until }, { page: 1, pageSize: ALERTS })),
      site.heartbeats(),
    ]);
    // A tape has its own pace: what it would measure is that pace.
    const isMeasured = site.source !== 'tape' && view.since !== null;
    const delays = isMeasured ? publicationDelays(newest.alerts) : null;
    const { sources } = serviceReportOf(heartbeats, now);
    return () => statusPage({ source: site.source, view, span, delays, sources, now });
  },
});

export const registerDevelopers = pageRoute({
  url: '/developers',
  async read(part) {
    const { publicUrl, freeDelayMs } = part.deps;
    const bots = await runningBots(part);
    return () => developersPage({ publicUrl, freeDelayMs, bots, contact: part.site.contact });
  },
});

export const registerAbout = pageRoute({
  url: '/about',
  read:
    ({ deps: { freeDelayMs }, site: { contact } }) =>
    () =>
      aboutPage({ freeDelayMs, contact }),
});
