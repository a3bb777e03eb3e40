import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../access.ts';
import { latestAlertSchema } from '../alert-view.ts';
import { queryInteger } from '../query-values.ts';
import { invalidReply, protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { validatorCompiler } from '../validation.ts';

const MAX_LIMIT = 50;

const querySchema = z.object({ limit: queryInteger({ min: 1, max: MAX_LIMIT }).default(10) });
type Query = z.infer<typeof querySchema>;

export function registerLatestAlerts(app: FastifyInstance, { latest }: Pick<ServerDeps, 'latest'>): void {
  app.get<{ Querystring: Query }>('/alerts/latest', {
    schema: {
      summary: 'The newest alerts',
      querystring: querySchema,
      response: { 200: z.array(latestAlertSchema), ...invalidReply, ...protectedReplies },
    },
    validatorCompiler: quickLimit,
    handler(request, reply) {
      const { isRealtime } = callerOf(request).policy;
      reply.header('content-type', 'application/json; charset=utf-8');
      const bytes = latest.json({ limit: request.query.limit, isRealtime });
      // Waits only when there is something to wait for. A returned reply would be waited for, too.
      if (bytes instanceof Promise) return bytes;
      void reply.send(bytes);
      return undefined;
    },
  });
}

const ANSWERS = new Map(
  Array.from({ length: MAX_LIMIT }, (_, index) => [String(index + 1), { value: { limit: index + 1 } }]),
);
const NO_LIMIT = { value: { limit: 10 } };

/** The schema's answer for the queries everybody sends, without running the schema; it judges all the others. */
function quickLimit() {
  const judge = validatorCompiler({
    schema: querySchema,
    method: 'GET',
    url: '/alerts/latest',
    httpPart: 'querystring',
  });
  return (query: Record<string, unknown>) => {
    const { limit } = query;
    if (limit === undefined) return NO_LIMIT;
    return (typeof limit === 'string' ? ANSWERS.get(limit) : undefined) ?? judge(query);
  };
}
