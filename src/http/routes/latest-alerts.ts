import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LATEST_EXAMPLE } from '../documents/examples.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { queryInteger } from '../query/query-values.ts';
import { invalidReply, notModifiedReply, protectedReplies } from '../schemas/replies.ts';
import { validatorCompiler } from '../schemas/validation.ts';
import type { ServerDeps } from '../server-deps.ts';
import { latestAlertSchema } from '../views/alert-view.ts';
import { type ReadyAnswer, readyAnswer, sendReady } from '../views/ready-answer.ts';

const MAX_LIMIT = 50;

const querySchema = z.object({
  limit: queryInteger({ min: 1, max: MAX_LIMIT })
    .default(10)
    .meta({ description: 'How many alerts.', examples: [10] }),
});
type Query = z.infer<typeof querySchema>;

const latestSchema = z
  .array(latestAlertSchema)
  .meta({ description: 'Alerts, newest first.', examples: [LATEST_EXAMPLE] });

export function registerLatestAlerts(app: FastifyInstance, { latest }: Pick<ServerDeps, 'latest'>): void {
  app.get<{ Querystring: Query }>('/alerts/latest', {
    schema: {
      operationId: 'getLatestAlerts',
      tags: ['Alerts'],
      summary: 'The newest alerts',
      description: 'Newest first. Free keys see an alert 5 minutes after it was made.',
      querystring: querySchema,
      response: { 200: latestSchema, ...notModifiedReply, ...invalidReply, ...protectedReplies },
    },
    validatorCompiler: quickLimit,
    handler(request, reply) {
      const { isRealtime } = callerOf(request).policy;
      const answer = latest.json({ limit: request.query.limit, isRealtime });
      // Waits only when there is something to wait for. A returned reply would be waited for, too.
      if (answer instanceof Promise) return answer.then((late) => sendLate(request, reply, late));
      sendReady(request, reply, answer);
      return undefined;
    },
  });
}

function sendLate(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer): FastifyReply {
  sendReady(request, reply, answer);
  return reply;
}

/** The text of an answer, made ready to be sent many times. */
export function latestAnswer(json: string): ReadyAnswer {
  return readyAnswer(json, {
    contentType: 'application/json; charset=utf-8',
    // Asked for again each time, and 304 while nothing is new.
    cacheControl: 'private, no-cache',
    vary: 'authorization',
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
