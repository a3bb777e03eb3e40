import { z } from 'zod';
import { clientOf } from '../../http/hooks/client-address.ts';
import { refuse, sendUnavailable } from '../../http/hooks/refuse.ts';
import { standingHeaders } from '../../http/hooks/security-headers.ts';
import { LIVE_PAGES_PER_ADDRESS } from '../live-pages.ts';
import type { SitePart } from '../site.ts';

const RETRY_SECONDS = 60;
const TOPICS_MAX = 3;
const REFUSAL = `Too many open pages from this address: at most ${LIVE_PAGES_PER_ADDRESS}.`;

const querySchema = z.object({
  topics: z
    .string()
    .max(500)
    .transform((text) => text.split(' ').filter((topic) => topic !== ''))
    .pipe(z.array(z.string().max(150)).min(1).max(TOPICS_MAX)),
});

export function registerLive({ app, site }: SitePart): void {
  // The answer to a HEAD request would never end.
  const options = { exposeHeadRoute: false, schema: { hide: true, querystring: querySchema } };
  app.get('/live', options, (request, reply) => {
    const { topics } = request.query;
    const headers = standingHeaders(request.raw);
    const refusal = site.live.attach(reply.raw, { address: clientOf(request.ip), topics, headers });
    if (refusal === null) return void reply.hijack();
    if (refusal === 'total') return void sendUnavailable(reply, RETRY_SECONDS);
    reply.header('retry-after', RETRY_SECONDS);
    return void refuse(reply, 'rate_limited', REFUSAL);
  });
}
