import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../access.ts';
import { filterOf, filterShape } from '../alert-query.ts';
import { alertItem, alertItemSchema } from '../alert-view.ts';
import { visibleUntil } from '../free-delay.ts';
import { queryInteger } from '../query-values.ts';
import { invalidReply, protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { unknownNames } from '../unknown-names.ts';

const PAGES = 1_000_000_000;

/** Loose, so that the handler sees the names nobody knows. */
const querySchema = z.looseObject({
  page: queryInteger({ min: 1, max: PAGES }).default(1),
  page_size: queryInteger({ min: 1, max: 100 }).default(20),
  ...filterShape,
});

const pageSchema = z.object({
  alerts: z.array(alertItemSchema),
  total: z.number().int(),
  page: z.number().int(),
  page_size: z.number().int(),
  has_more: z.boolean(),
});

type SearchDeps = Pick<ServerDeps, 'alerts' | 'clock' | 'freeDelayMs'>;

export function registerSearchAlerts(app: FastifyInstance, deps: SearchDeps): void {
  app.withTypeProvider<ZodTypeProvider>().get('/alerts', {
    schema: {
      summary: 'Search the archive',
      querystring: querySchema,
      response: { 200: pageSchema, ...invalidReply, ...protectedReplies },
    },
    async handler(request, reply) {
      const { query } = request;
      const { policy } = callerOf(request);
      const unknown = unknownNames(query, querySchema.shape);
      if (unknown !== null) reply.header('x-unknown-parameters', unknown);
      const { page } = query;
      const pageSize = Math.min(query.page_size, policy.maxPageSize);
      const filter = filterOf(query, visibleUntil(policy, deps));
      const { alerts, total } = await deps.alerts.search(filter, { page, pageSize });
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
