import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { entryLine } from '../../core/alerts/log/seal.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { queryInteger } from '../query/query-values.ts';
import { notModifiedReply } from '../schemas/replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { LOG_PAGE_EXAMPLE } from '../views/examples.ts';
import { datedHeadSchema, datedHeadView, logEntrySchema } from '../views/log-view.ts';
import { jsonAnswer } from '../views/ready-answer.ts';

const MAX_LIMIT = 500;

const querySchema = z.object({
  after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(0)
    .meta({ description: 'The last sequence number you have; 0 for the beginning.', examples: [5116] }),
  limit: queryInteger({ min: 1, max: MAX_LIMIT })
    .default(100)
    .meta({ description: 'Maximum number of entries.', examples: [100] }),
});

const pageSchema = z
  .object({
    entries: z.array(logEntrySchema).describe('The entries after `after`, ascending.'),
    head: datedHeadSchema.describe('The newest entry that this caller may see.'),
  })
  .meta({ id: 'LogPage', description: 'A part of the log.', examples: [LOG_PAGE_EXAMPLE] });

/** Public: the newest head for a real-time key, otherwise the head at the free delay. */
export function registerLogHead(app: FastifyInstance, { logHeads }: ServerDeps): void {
  app.get('/log/head', {
    schema: {
      operationId: 'getLogHead',
      tags: ['Log'],
      summary: 'The head of the log',
      description:
        'Public: no key is needed. Keep the answer: a later log without this entry and hash was changed. Without a key, ' +
        'and for a free key, the head is 5 minutes old; a pro or enterprise key gets the newest. A wrong key is ignored.',
      security: [{}, { bearerAuth: [] }],
      response: { 200: datedHeadSchema, ...notModifiedReply },
    },
    async handler(request, reply) {
      const { caller } = request;
      const head = await logHeads.read(request.audience);
      const cacheControl = caller === null ? 'public, max-age=2' : 'private, no-cache';
      const json = JSON.stringify(datedHeadView(head));
      return jsonAnswer(json, cacheControl, 'origin, authorization').send(request, reply);
    },
  });
}

export function registerLog(app: FastifyInstance, deps: ServerDeps): void {
  app.get<{ Querystring: z.infer<typeof querySchema> }>('/log', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getLog',
      tags: ['Log'],
      summary: 'Read the log',
      description:
        'Every alert, outcome, correction, change of the rules, blind window and statement of the operator, in the order of publication. ' +
        'Each entry contains the hash of the one before it. Free keys get entries 5 minutes late. `GET /log` lists the log as files, without a key.',
      querystring: querySchema,
      response: { 200: pageSchema },
    },
    async handler(request, reply) {
      const { after, limit } = request.query;
      const head = await deps.logHeads.read(request.audience);
      const count = Math.min(limit, head.sequence - after);
      const entries =
        count <= 0
          ? []
          : await scheduleOf(request, deps).searches(() => deps.log.after(after, { limit: count }));
      reply.type('application/json; charset=utf-8');
      // Entries are sent as canonical JSON: the text that verifiers hash, plus `hash`.
      return `{"entries":[${entries.map(entryLine).join(',')}],"head":${JSON.stringify(datedHeadView(head))}}`;
    },
  });
}
