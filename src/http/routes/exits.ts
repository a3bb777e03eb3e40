import { z } from 'zod';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { refuse } from '../hooks/refuse.ts';
import { afterNumber, linkNext, numberParams } from '../query/cursor.ts';
import { queryLimit } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, flag, int64, listOf, parameter } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { EXIT_EXAMPLE, EXITS_EXAMPLE } from '../views/examples.ts';
import { exitSchema, exitView } from '../views/exit-view.ts';

const tags = ['Exits'];

const querySchema = z.object({
  after: afterNumber(EXIT_EXAMPLE.number),
  limit: queryLimit('Maximum number of exits.', { max: 500, usual: 100 }),
  wallet: parameter(z.string(), 'Only those by orders of this wallet.', EXIT_EXAMPLE.wallet),
  market_id: parameter(z.string(), 'Only those of this market.', EXIT_EXAMPLE.market_id),
});

const pageSchema = component('Exits', 'A page of the exits.', EXITS_EXAMPLE, {
  exits: listOf(exitSchema, 'Those after `after`, ascending.'),
  last: int64('The largest number that this caller may see, of any wallet and market; 0 if there is none.'),
  has_more: flag('Whether there are more after this page. `Link` leads to them.'),
});

const paramsSchema = numberParams('exit', EXIT_EXAMPLE.number);

export function registerExits(app: Api, deps: ServerDeps): void {
  registerExitList(app, deps);
  registerExit(app, deps);
}

function registerExitList(app: Api, deps: ServerDeps): void {
  const { exits } = deps;
  app.get('/exits', {
    onSend: compressAnswer,
    schema: {
      operationId: 'listExits',
      tags,
      summary: 'What was sold before the end',
      description:
        'Positions of alerts that were sold before the market was settled, numbered 1, 2, 3 … without a gap, oldest first. ' +
        'Keep the last `number` and ask for those after it: none is missed and none is repeated. An exit never changes. Free keys get them {free_delay} late.',
      querystring: querySchema,
      response: { 200: pageSchema },
    },
    async handler(request, reply) {
      const { after, limit, wallet, market_id: marketId } = request.query;
      const until = visibleUntil(request.audience, deps);
      const filter = {
        until,
        ...(wallet !== undefined && { wallet: wallet.toLowerCase() }),
        ...(marketId !== undefined && { marketId }),
      };
      return inTurn(request, deps, async () => {
        // Before the exits: a later one may have come meanwhile.
        const last = await exits.last(until);
        const found = await exits.after(after, limit + 1, filter);
        const page = found.slice(0, limit);
        const has_more = found.length > limit;
        linkNext(
          request,
          reply,
          querySchema.shape,
          has_more ? { after: page.at(-1)?.number ?? after } : null,
        );
        return { exits: page.map(exitView), last, has_more };
      });
    },
  });
}

function registerExit(app: Api, deps: ServerDeps): void {
  app.get('/exits/:number', {
    schema: {
      operationId: 'getExit',
      tags,
      summary: 'One exit',
      description: 'One exit by its number.',
      params: paramsSchema,
      response: { 200: exitSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { number } = request.params;
      const exit = await deps.exits.one(number, visibleUntil(request.audience, deps));
      if (exit === null) return refuse(reply, 'exit_not_found', `Exit ${number} was not found.`);
      return exitView(exit);
    },
  });
}
