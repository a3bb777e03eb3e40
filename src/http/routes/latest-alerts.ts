import { z } from 'zod';
import { queryInteger } from '../query/query-values.ts';
import { notModifiedReply } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { latestAlertSchema } from '../views/alert-view.ts';
import { LATEST_EXAMPLE } from '../views/examples.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

const querySchema = z.object({
  limit: queryInteger({ min: 1, max: 50 })
    .default(10)
    .meta({ description: 'Maximum number of alerts.', examples: [10] }),
});

const latestSchema = z
  .array(latestAlertSchema)
  .meta({ description: 'Alerts, newest first.', examples: [LATEST_EXAMPLE] });

const CACHING = {
  contentType: 'application/json; charset=utf-8',
  // Clients revalidate each time, and get 304 while there is no new alert.
  cacheControl: 'private, no-cache',
  vary: 'authorization',
};

export function latestAnswer(json: string): ReadyAnswer {
  return new ReadyAnswer(json, CACHING);
}

export function registerLatestAlerts(app: Api, { latest }: ServerDeps): void {
  app.get('/alerts/latest', {
    schema: {
      operationId: 'getLatestAlerts',
      tags: ['Alerts'],
      summary: 'The newest alerts',
      description: 'Newest first. Free keys see alerts 5 minutes late.',
      querystring: querySchema,
      response: { 200: latestSchema, ...notModifiedReply },
    },
    // With an await here, and a returned reply, each request took 20 % more processor time.
    handler(request, reply) {
      const { isRealtime } = request.audience;
      const answer = latest.read({ limit: request.query.limit, isRealtime });
      if (answer instanceof Promise) return answer.then((read) => read.send(request, reply));
      return answer.send(request, reply);
    },
  });
}
