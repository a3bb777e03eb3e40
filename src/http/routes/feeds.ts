import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { schedulePage } from '../hooks/archive-schedule.ts';
import { filterOf, filterShape } from '../query/alert-query.ts';
import type { ServerDeps } from '../server-deps.ts';
import { atomFeed, feedSchema, jsonFeed } from '../views/feed-view.ts';
import { PageCache, TOPICS } from '../views/page-cache.ts';
import { notModifiedReply, ReadyAnswer } from '../views/ready-answer.ts';
import { ATOM_EXAMPLE } from '../views/report-examples.ts';

const ITEMS = 50;
const CACHE = 'public, max-age=60';

const querySchema = z.object({ category: filterShape.category, min_signal: filterShape.min_signal });

interface FeedRoute {
  readonly Querystring: z.infer<typeof querySchema>;
}

const ATOM_ANSWER = z.string().meta({
  id: 'AtomFeed',
  description: 'The newest alerts as an Atom feed (RFC 4287).',
  examples: [ATOM_EXAMPLE],
});

interface FeedFormat {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** For generated clients, which read `text/*` as text and know nothing of `application/atom+xml`. */
  readonly contentType: string;
  readonly schema: z.ZodType;
  readonly write: typeof jsonFeed;
}

const FORMATS: readonly FeedFormat[] = [
  {
    path: '/feed.json',
    operationId: 'getJsonFeed',
    summary: 'The newest alerts as JSON Feed',
    contentType: 'application/feed+json',
    schema: feedSchema,
    write: jsonFeed,
  },
  {
    path: '/feed.xml',
    operationId: 'getAtomFeed',
    summary: 'The newest alerts as Atom feed',
    contentType: 'text/xml',
    schema: ATOM_ANSWER,
    write: atomFeed,
  },
];

/** Feeds for readers: public, at the free delay. */
export function registerFeeds(app: FastifyInstance, deps: ServerDeps): void {
  // Without a site nothing reports changes: a feed is made again when it is a minute old.
  const pages = deps.site?.pages ?? new PageCache(deps.clock);
  for (const format of FORMATS) registerFeed({ app, deps, pages }, format);
}

interface FeedPart {
  readonly app: FastifyInstance;
  readonly deps: ServerDeps;
  readonly pages: PageCache;
}

function registerFeed(
  { app, deps, pages }: FeedPart,
  { path, contentType, schema, write, ...operation }: FeedFormat,
): void {
  const { publicUrl, site } = deps;
  const about = { contentType: `${contentType}; charset=utf-8`, cacheControl: CACHE, vary: 'origin' };
  app.get<FeedRoute>(path, {
    schema: {
      ...operation,
      description:
        'Public: no key is needed. The newest 50 alerts in words, 5 minutes late. An item does not change, and keeps its id.',
      tags: ['Feeds'],
      security: [],
      querystring: querySchema,
      response: {
        200: { description: 'The feed.', content: { [contentType]: { schema } } },
        ...notModifiedReply,
      },
    },
    async handler(request, reply): Promise<void> {
      const address = { publicUrl, path: path + queryText(request.query), hasSite: site !== null };
      const make = async ({ searches }: CallerSchedule) => {
        const filter = filterOf(request.query, visibleUntil(request.audience, deps));
        const { alerts } = await searches(() => deps.alerts.search(filter, { page: 1, pageSize: ITEMS }));
        const text = write(alerts, address);
        return { answer: new ReadyAnswer(text, about), bytes: text.length, topics: [TOPICS.alerts] };
      };
      const feed = await pages.get(address.path, () => schedulePage(request, deps, make));
      return feed?.send(request, reply);
    },
  });
}

/** The known values of the query in one order, so that equal feeds have one address. */
function queryText({ category, min_signal }: FeedRoute['Querystring']): string {
  const query = new URLSearchParams();
  if (category !== undefined) query.set('category', category);
  if (min_signal !== undefined) query.set('min_signal', String(min_signal));
  return query.size === 0 ? '' : `?${query}`;
}
