import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { entryLine } from '../../core/alerts/log/seal.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { linkNext } from '../query/cursor.ts';
import { queryInteger, queryLimit } from '../query/query-values.ts';
import { component, flag, listOf } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { LOG_PAGE_EXAMPLE } from '../views/examples.ts';
import { datedHeadSchema, datedHeadView, logEntrySchema } from '../views/log-view.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';

const tags = ['Log'];

const logQuery = z.object({
  after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(0)
    .meta({ description: 'The last sequence number you have; 0 for the beginning.', examples: [5116] }),
  limit: queryLimit('Maximum number of entries.', { max: 500, usual: 100 }),
});

const logPageSchema = component('LogPage', 'A page of the log.', LOG_PAGE_EXAMPLE, {
  entries: listOf(logEntrySchema, 'The entries after `after`, ascending.'),
  head: datedHeadSchema.describe('The newest entry that this caller may see.'),
  has_more: flag('Whether there are more after this page. `Link` leads to them.'),
});

export function registerLogHead(app: Api, { logHeads }: ServerDeps): void {
  app.get('/log/head', {
    schema: {
      operationId: 'getLogHead',
      tags,
      summary: 'The head of the log',
      description:
        'Public: no key is needed. Keep the answer: a later log without this entry and hash was changed. Without a key, ' +
        'and for a free key, the head is {free_delay} old; a pro or enterprise key gets the newest. A wrong key is ignored.',
      security: [{}, { bearerAuth: [] }],
      response: { 200: datedHeadSchema, ...notModifiedReply },
    },
    async handler(request, reply) {
      const head = await logHeads.read(request.audience);
      const cacheControl = request.caller === null ? 'public, max-age=2' : 'private, no-cache';
      const json = JSON.stringify(datedHeadView(head));
      return jsonAnswer(json, cacheControl, 'origin, authorization').send(request, reply);
    },
  });
}

export function registerLog(app: FastifyInstance, deps: ServerDeps): void {
  app.get<{ Querystring: z.infer<typeof logQuery> }>('/log', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getLog',
      tags,
      summary: 'Read the log',
      description:
        'Every alert, outcome, exit, correction, change of the rules and blind window, in the order of publication. ' +
        'Each entry contains the hash of the one before it. Free keys get entries {free_delay} late.',
      querystring: logQuery,
      response: { 200: logPageSchema },
    },
    async handler(request, reply) {
      const { after, limit } = request.query;
      const head = await deps.logHeads.read(request.audience);
      const count = Math.min(limit, head.seq - after);
      const entries = count <= 0 ? [] : await inTurn(request, deps, () => deps.log.after(after, count));
      const lines = entries.map(entryLine).join(',');
      const last = entries.at(-1)?.seq ?? head.seq;
      const hasMore = last < head.seq;
      linkNext(request, reply, logQuery.shape, hasMore ? { after: last } : null);
      reply.type('application/json; charset=utf-8');
      // Entries are sent as canonical JSON: the text that verifiers hash, plus `hash`.
      return `{"entries":[${lines}],"head":${JSON.stringify(datedHeadView(head))},"has_more":${hasMore}}`;
    },
  });
}
