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

const querySchema = z.object({ category: filterShape.category, min_signal: filterShape.min_signal });
type Query = z.infer<typeof querySchema>;

const ATOM_ANSWER = z.string().meta({
  id: 'AtomFeed',
  description: 'The newest alerts as an Atom feed (RFC 4287).',
  examples: [ATOM_EXAMPLE],
});

// The types are those that generated clients know: they read `text/*` as text, and nothing of `application/atom+xml`.
const FORMATS = [
  {
    path: '/feed.json',
    operation: { operationId: 'getJsonFeed', summary: 'The newest alerts as JSON Feed' },
    contentType: 'application/feed+json',
    schema: feedSchema,
    write: jsonFeed,
  },
  {
    path: '/feed.xml',
    operation: { operationId: 'getAtomFeed', summary: 'The newest alerts as Atom feed' },
    contentType: 'text/xml',
    schema: ATOM_ANSWER,
    write: atomFeed,
  },
];

export function registerFeeds(app: FastifyInstance, deps: ServerDeps): void {
  const { publicUrl, site } = deps;
  // Without a site nothing reports changes: a feed is made again when it is a minute old.
  const pages = site?.pages ?? new PageCache(deps.clock);
  for (const { path, operation, contentType, schema, write } of FORMATS) {
    const about = {
      contentType: `${contentType}; charset=utf-8`,
      cacheControl: 'public, max-age=60',
      vary: 'origin',
    };
    app.get<{ readonly Querystring: Query }>(path, {
      schema: {
        ...operation,
        description:
          'Public: no key is needed. The newest 50 alerts in words, 5 minutes late. An item keeps its id; it changes only when its position is sold on the market.',
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
          const until = visibleUntil(request.audience, deps);
          const filter = filterOf(request.query, until);
          const { alerts } = await searches(() => deps.alerts.search(filter, { page: 1, pageSize: ITEMS }));
          const exits = await deps.exits.ofList(alerts, until);
          const text = write({ alerts, exits }, address);
          return { answer: new ReadyAnswer(text, about), bytes: text.length, topics: [TOPICS.alerts] };
        };
        const feed = await pages.get(address.path, () => schedulePage(request, deps, make));
        return feed?.send(request, reply);
      },
    });
  }
}

function queryText({ category, min_signal }: Query): string {
  const query = new URLSearchParams();
  if (category !== undefined) query.set('category', category);
  if (min_signal !== undefined) query.set('min_signal', String(min_signal));
  return query.size === 0 ? '' : `?${query}`;
}
