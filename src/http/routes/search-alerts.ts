import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ALERT_TYPES } from '../../core/alert.ts';
import { CATEGORIES } from '../../core/category.ts';
import type { AlertFilter } from '../../core/ports/alert-store.ts';
import { callerOf } from '../access.ts';
import { alertItem, alertItemSchema } from '../alert-view.ts';
import { visibleUntil } from '../free-delay.ts';
import { queryMoment } from '../query-moment.ts';
import { queryBoolean, queryInteger, queryNumber } from '../query-values.ts';
import { invalidReply, protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { unknownNames } from '../unknown-names.ts';

const PAGES = 1_000_000_000;
const SEARCH_LENGTH = 200;

/** Loose, so that the handler sees the names nobody knows. */
const querySchema = z.looseObject({
  page: queryInteger({ min: 1, max: PAGES }).default(1),
  page_size: queryInteger({ min: 1, max: 100 }).default(20),
  category: z.enum(CATEGORIES).optional(),
  side: z.enum(['BUY', 'SELL']).optional(),
  min_usdc: queryNumber().optional(),
  min_signal: queryInteger({ min: 0, max: 100 }).optional(),
  search: z.string().max(SEARCH_LENGTH).optional(),
  alert_type: z.enum(ALERT_TYPES).optional(),
  since: queryMoment('since').optional(),
  until: queryMoment('until').optional(),
  resolved: queryBoolean().optional(),
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

function filterOf(query: z.infer<typeof querySchema>, visible: number): AlertFilter {
  const until = Math.min(query.until ?? Number.POSITIVE_INFINITY, visible);
  const search = query.search?.trim();
  return {
    ...(query.category !== undefined && { category: query.category }),
    ...(query.side !== undefined && { side: query.side }),
    ...(query.alert_type !== undefined && { type: query.alert_type }),
    ...(query.min_usdc !== undefined && { minUsdc: query.min_usdc }),
    ...(query.min_signal !== undefined && { minScore: query.min_signal }),
    ...(query.resolved !== undefined && { isResolved: query.resolved }),
    ...(search !== undefined && search !== '' && { search }),
    ...(query.since !== undefined && { since: query.since }),
    ...(Number.isFinite(until) && { until }),
  };
}
