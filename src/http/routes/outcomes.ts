import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SETTLEMENT_LIMITS } from '../../core/alerts/settlements/settlement-reader.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { refuse } from '../hooks/refuse.ts';
import { afterNumber, linkNext, numberParams } from '../query/cursor.ts';
import { queryInteger, queryLimit } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, flag, int64, listOf, parameter } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { OUTCOME_EXAMPLE, OUTCOMES_EXAMPLE } from '../views/examples.ts';
import { outcomeSchema, outcomeView } from '../views/outcome-view.ts';

const { pageSize, alerts, alertsOfOne } = SETTLEMENT_LIMITS;
const MAX = Number.MAX_SAFE_INTEGER;
const tags = ['Outcomes'];

const querySchema = z.object({
  after: afterNumber(OUTCOME_EXAMPLE.number),
  limit: queryLimit('Maximum number of outcomes.', { max: pageSize, usual: 100 }),
});

const pageSchema = component('Outcomes', 'A page of the outcomes.', OUTCOMES_EXAMPLE, {
  outcomes: listOf(
    outcomeSchema,
    'Those after `after`, ascending. A page with many alerts may hold fewer than `limit`.',
  ),
  last: int64('The largest number that this caller may see; 0 if there is none.'),
  has_more: flag('Whether there are more after this page. `Link` leads to them.'),
});

const paramsSchema = numberParams('outcome', OUTCOME_EXAMPLE.number);

const alertsSchema = z.object({
  after: parameter(queryInteger({ min: 0, max: MAX }), 'Only alerts with a larger id.', 4821),
  limit: queryLimit('Maximum number of alerts.', { max: alertsOfOne, usual: alerts }),
});

export function registerOutcomes(app: Api, deps: ServerDeps): void {
  const { settlements } = deps;
  app.get('/outcomes', {
    onSend: compressAnswer,
    schema: {
      operationId: 'listOutcomes',
      tags,
      summary: 'The outcomes of markets',
      description:
        'What markets paid, with the result of each of their alerts: outcomes and corrections, numbered 1, 2, 3 … without a gap, oldest first. ' +
        'Keep the last `number` and ask for those after it: none is missed and none is repeated. The numbers never change. Free keys get them {free_delay} late.',
      querystring: querySchema,
      response: { 200: pageSchema },
    },
    handler(request, reply) {
      const { after, limit } = request.query;
      return readUpTo(deps, request, async (last) => {
        const found = after < last ? await settlements.range(after + 1, Math.min(last, after + limit)) : [];
        const end = found.at(-1)?.settlement.number ?? after;
        linkNext(request, reply, querySchema.shape, end < last ? { after: end } : null);
        return { outcomes: found.map(outcomeView), last, has_more: end < last };
      });
    },
  });
  app.get('/outcomes/:number', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getOutcome',
      tags,
      summary: 'One outcome',
      description:
        'One outcome by its number. While `more_alerts` is true, ask again with `after`, the last `id` of its `alerts`, or follow `Link`.',
      params: paramsSchema,
      querystring: alertsSchema,
      response: { 200: outcomeSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { number } = request.params;
      const { after: afterAlert = 0, limit } = request.query;
      const settled = await readUpTo(deps, request, async (last) =>
        number <= last ? settlements.one(number, { afterAlert, limit }) : null,
      );
      if (settled === null) return refuse(reply, 'outcome_not_found', `Outcome ${number} was not found.`);
      const last = settled.hasMore ? settled.alerts.at(-1) : undefined;
      const next = last === undefined ? null : { after: last.id };
      linkNext(request, reply, alertsSchema.shape, next);
      return outcomeView(settled);
    },
  });
}

async function readUpTo<Read>(
  deps: ServerDeps,
  request: FastifyRequest,
  read: (last: number) => Promise<Read>,
): Promise<Read> {
  const { sequence } = deps.settlements;
  const head = await deps.logHeads.read(request.audience);
  return inTurn(request, deps, async () => {
    await sequence.refresh();
    return read(sequence.upTo(head.seq));
  });
}
