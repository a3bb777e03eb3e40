import { developersPage } from '../pages/developers.ts';
import { serviceReportOf } from '../service-report.ts';
import { type SitePart, sendPage } from '../site.ts';

/** How to get a key, and the first call. */
export function registerDevelopers(part: SitePart): void {
  const { app, deps, site } = part;
  const make = async () => {
    const { publicUrl, freeDelayMs, clock } = deps;
    const { bots } = serviceReportOf(await site.heartbeats(), clock.now());
    return developersPage({ publicUrl, freeDelayMs, bots, contact: site.contact });
  };
  app.get('/developers', { schema: { hide: true } }, (request, reply) =>
    sendPage(part, { name: '/developers', make }, request, reply),
  );
}
