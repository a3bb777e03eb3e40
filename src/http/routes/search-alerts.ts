import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { expandShape, filterOf, filterShape, pageShape } from '../query/alert-query.ts';
import { cursorFilter, cursorShape, hasCursor, nextLink } from '../query/cursor.ts';
import { applyPreset, presetNotFound, presetShape } from '../query/preset-filters.ts';
import { errorSchema } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { alertItemSchema, listView } from '../views/alert-view.ts';
import { PAGE_EXAMPLE } from '../views/examples.ts';

const querySchema = z.object({
  ...pageShape,
  ...cursorShape,
  ...filterShape,
  ...expandShape,
  ...presetShape,
});
type Query = z.infer<typeof querySchema>;

/** Not in the schema: those of a preset have precedence. */
const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_SIZE = 20;

const pageSchema = z
  .object({
    alerts: z
      .array(alertItemSchema)
      .describe('The alerts of the page, newest first; with `since_id`, oldest first.'),
    total: z.number().int().describe('Count of matches. With a cursor, of those beyond it.'),
    page: z.number().int().describe('Page number; with a cursor, among the matches beyond it.'),
    page_size: z.number().int().describe('Page size used.'),
    has_more: z
      .boolean()
      .describe(
        'Whether there is a next page: older alerts, or newer ones with `since_id`. `Link` leads to it.',
      ),
  })
  .meta({ id: 'AlertPage', description: 'One page of the archive.', examples: [PAGE_EXAMPLE] });

export function registerSearchAlerts(app: Api, deps: ServerDeps): void {
  app.get('/alerts', {
    onSend: compressAnswer,
    schema: {
      operationId: 'searchAlerts',
      tags: ['Alerts'],
      summary: 'Search the archive',
      description:
        'Search and paginate the archive, newest first. Page numbers shift while alerts are published: `before_id` reads backwards and `since_id` forwards without a repeat or a gap. ' +
        'Both take all filters. `expand=details` returns the full alerts.',
      querystring: querySchema,
      response: { 200: pageSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { key, policy } = callerOf(request);
      const query = await applyPreset(request.query, { keyId: key.id, presets: deps.presets, reply });
      if (query === null) return reply.code(404).send(presetNotFound(request.query.preset));
      // The page of a preset would make a client skip what the cursor leaves.
      const { page = DEFAULT_PAGE } = hasCursor(query) ? request.query : query;
      const pageSize = Math.min(query.page_size ?? DEFAULT_PAGE_SIZE, policy.maxPageSize);
      const filter = { ...filterOf(query, visibleUntil(request.audience, deps)), ...cursorFilter(query) };
      const asked = { page, pageSize, isOldestFirst: query.since_id !== undefined };
      const { alerts, total } = await scheduleOf(request, deps).searches(() =>
        deps.alerts.search(filter, asked),
      );
      const has_more = page * pageSize < total;
      if (has_more) reply.header('link', nextLink(request, querySchema.shape, nextOf(query, page, alerts)));
      return { alerts: listView(alerts, query), total, page, page_size: pageSize, has_more };
    },
  });
}

/** The values of the query for the page after this one. */
function nextOf(
  query: Query,
  page: number,
  alerts: readonly Pick<Alert, 'id'>[],
): Record<string, number | null> {
  const last = alerts.at(-1)?.id ?? 0;
  if (query.since_id !== undefined) return { since_id: last, page: null };
  return query.before_id === undefined ? { page: page + 1 } : { before_id: last, page: null };
}
