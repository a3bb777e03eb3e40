import { aboutPage } from '../pages/about.ts';
import { type SitePart, sendPage } from '../site.ts';

/** What an alert means, and the way to the operator. */
export function registerAbout(part: SitePart): void {
  const { app, deps, site } = part;
  const make = () => aboutPage({ freeDelayMs: deps.freeDelayMs, contact: site.contact });
  app.get('/about', { schema: { hide: true } }, (request, reply) =>
    sendPage(part, { name: '/about', make }, request, reply),
  );
}
