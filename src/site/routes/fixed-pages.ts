import { aboutPage } from '../pages/about.ts';
import { developersPage } from '../pages/developers.ts';
import { recordPage } from '../pages/record.ts';
import { serviceReportOf } from '../service-report.ts';
import { type SitePart, sendPage } from '../site.ts';

/** What the alerts were worth. Made again with each record. */
export function registerRecordPage(part: SitePart): void {
  part.app.get('/record', { schema: { hide: true } }, (request, reply) => {
    const report = part.deps.record.read()?.report ?? null;
    const name = `/record ${report?.as_of ?? ''}`;
    return sendPage(part, { name, make: () => recordPage(report) }, request, reply);
  });
}

/** What an alert means, and the way to the operator. */
export function registerAbout(part: SitePart): void {
  const { app, deps, site } = part;
  const make = () => aboutPage({ freeDelayMs: deps.freeDelayMs, contact: site.contact });
  app.get('/about', { schema: { hide: true } }, (request, reply) =>
    sendPage(part, { name: '/about', make }, request, reply),
  );
}

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
