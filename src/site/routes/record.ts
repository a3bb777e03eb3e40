import { recordPage } from '../pages/record.ts';
import { type SitePart, sendPage } from '../site.ts';

/** What the alerts were worth. Made again with each record. */
export function registerRecordPage(part: SitePart): void {
  part.app.get('/record', { schema: { hide: true } }, (request, reply) => {
    const report = part.deps.record.read()?.report ?? null;
    const name = `/record ${report?.as_of ?? ''}`;
    return sendPage(part, { name, make: () => recordPage(report) }, request, reply);
  });
}
