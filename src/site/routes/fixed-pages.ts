import { DELAYED } from '../../core/alerts/free-delay.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { aboutPage } from '../pages/about.ts';
import { logPage } from '../pages/log.ts';
import { recordPage } from '../pages/record.ts';
import { STATUS_DAYS, statusPage } from '../pages/status.ts';
import { pageRoute } from '../site.ts';

const WINDOWS_MAX = 10_000;

export const registerRecord = pageRoute({
  url: '/record',
  async read({ deps }) {
    const { report } = await deps.record.read();
    return () => recordPage(report);
  },
});

export const registerStatus = pageRoute({
  url: '/status',
  async read({ deps: { coverage, clock }, site: { source } }) {
    const now = clock.now();
    const [view, span] = await Promise.all([
      coverage.view(),
      coverage.summarise({ since: now - STATUS_DAYS * DAY_MS, until: now, limit: WINDOWS_MAX }),
    ]);
    return () => statusPage({ source, view, span, now });
  },
});

export const registerLog = pageRoute({
  url: '/log',
  async read({ deps: { logHeads, publicUrl } }) {
    const head = await logHeads.read(DELAYED);
    return () => logPage({ head, publicUrl });
  },
});

export const registerAbout = pageRoute({
  url: '/about',
  read:
    ({ deps: { freeDelayMs }, site: { contact } }) =>
    () =>
      aboutPage({ freeDelayMs, contact }),
});
