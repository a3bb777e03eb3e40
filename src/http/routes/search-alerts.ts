import { z } from 'zod';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { filterOf, filterShape, pageShape } from '../query/alert-query.ts';
import { visibleUntil } from '../query/free-delay.ts';
import { applyPreset, presetNotFound, presetShape } from '../query/preset-filters.ts';
import { errorSchema } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { alertItem, alertItemSchema } from '../views/alert-view.ts';
import { PAGE_EXAMPLE } from '../views/examples.ts';

const querySchema = z.object({ ...pageShape, ...filterShape, ...presetShape });

/** Not in the schema: those of a preset have precedence. */
const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_SIZE = 20;

const pageSchema = z
  .object({
    alerts: z.array(alertItemSchema).describe('The alerts of the page, newest first.'),
    total: z.number().int().describe('Count of matches.'),
    page: z.number().int().describe('Page number.'),
    page_size: z.number().int().describe('Page size used.'),
    has_more: z.boolean().describe('Whether there is a next page.'),
  })
  .meta({ id: 'AlertPage', description: 'One page of the archive.', examples: [PAGE_EXAMPLE] });

export function registerSearchAlerts(app: Api, deps: ServerDeps): void {
  app.get('/alerts', {
    onSend: compressAnswer,
    schema: {
      operationId: 'searchAlerts',
      tags: ['Alerts'],
      summary: 'Search the archive',
      description: 'Search and paginate the archive, newest first.',
      querystring: querySchema,
      response: { 200: pageSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { key, policy } = callerOf(request);
      const query = await applyPreset(request.query, { keyId: key.id, presets: deps.presets, reply });
      if (query === null) return reply.code(404).send(presetNotFound(request.query.preset));
      const { page = DEFAULT_PAGE } = query;
      const pageSize = Math.min(query.page_size ?? DEFAULT_PAGE_SIZE, policy.maxPageSize);
      const filter = filterOf(query, visibleUntil(policy, deps));
      const schedule = scheduleOf(request, deps).searches;
      const { alerts, total } = await schedule(() => deps.alerts.search(filter, { page, pageSize }));
      return {
        alerts: alerts.map(alertItem),
        total,
        page,
        page_size: pageSize,
        has_more: page * pageSize < total,
      };
    },
  });
}
