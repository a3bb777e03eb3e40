import { z } from 'zod';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { refuse } from '../hooks/refuse.ts';
import { nextLink } from '../query/cursor.ts';
import { nextReport, reportQuery, reportQuerySchema } from '../query/report-query.ts';
import { errorSchema } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { marketSchema, marketView } from '../views/market-view.ts';

const ID_LENGTH = 100;

const paramsSchema = z.object({
  market_id: z
    .string()
    .min(1)
    .max(ID_LENGTH)
    .meta({
      description: 'Market identifier, as in alerts. Case does not matter.',
      examples: ['0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1'],
    }),
});

export function registerMarket(app: Api, deps: ServerDeps): void {
  app.get('/markets/:market_id', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getMarket',
      tags: ['Markets'],
      summary: 'One market',
      description:
        'What the published alerts say of a market: alerts by outcome and by thread, the price at each, the wallets, its end and its outcome. A free key sees alerts and outcomes 5 minutes late.',
      params: paramsSchema,
      querystring: reportQuerySchema,
      response: { 200: marketSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const id = request.params.market_id.toLowerCase();
      const query = reportQuery(request.query, callerOf(request).policy, deps);
      const schedule = scheduleOf(request, deps).searches;
      const report = await schedule(() => deps.alerts.marketReport(id, query));
      if (report === null) {
        return refuse(reply, 'market_not_found', `Market ${id} was not found: it has no alert.`);
      }
      const observed = await deps.observations.market(id);
      const next = nextReport(report);
      if (next !== null) reply.header('link', nextLink(request, reportQuerySchema.shape, next));
      return marketView(report, { ...request.query, observed });
    },
  });
}
