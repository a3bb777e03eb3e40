import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { entryLine } from '../../core/log/seal.ts';
import { LOG_PAGE_EXAMPLE } from '../documents/examples.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { queryInteger } from '../query/query-values.ts';
import { invalidReply, notModifiedReply, protectedReplies, publicReplies } from '../schemas/replies.ts';
import type { ServerDeps } from '../server-deps.ts';
import { datedHeadSchema, datedHeadView, logEntrySchema } from '../views/log-view.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

const MAX_LIMIT = 500;
const JSON_TYPE = 'application/json; charset=utf-8';

const querySchema = z.object({
  after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(0)
    .meta({ description: 'The last sequence number you have; 0 is the beginning.', examples: [5116] }),
  limit: queryInteger({ min: 1, max: MAX_LIMIT })
    .default(100)
    .meta({ description: 'How many entries at most.', examples: [100] }),
});

const pageSchema = z
  .object({
    entries: z.array(logEntrySchema).describe('The entries after `after`, ascending.'),
    head: datedHeadSchema.describe('The newest entry that this caller may see.'),
  })
  .meta({ id: 'LogPage', description: 'A part of the log.', examples: [LOG_PAGE_EXAMPLE] });

/** Public: with a real-time key the newest head, for everyone else that of the free delay. */
export function registerLogHead(app: FastifyInstance, { logHeads }: Pick<ServerDeps, 'logHeads'>): void {
  app.get('/log/head', {
    schema: {
      operationId: 'getLogHead',
      tags: ['Log'],
      summary: 'The head of the log',
      description:
        'Public: no key is needed. Keep the answer: a later log that lacks this entry with this hash was changed. Without a key, ' +
        'and for a free one, the head is the one of 5 minutes ago; a Pro or Enterprise key gets the newest. A wrong key is ignored.',
      security: [{}, { bearerAuth: [] }],
      response: { 200: datedHeadSchema, ...notModifiedReply, ...publicReplies },
    },
    async handler(request, reply) {
      const { caller } = request;
      const head = await logHeads.read({ isRealtime: caller?.policy.isRealtime === true });
      const cacheControl = caller === null ? 'public, max-age=2' : 'private, no-cache';
      const options = { contentType: JSON_TYPE, cacheControl, vary: 'origin, authorization' };
      return new ReadyAnswer(JSON.stringify(datedHeadView(head)), options).send(request, reply);
    },
  });
}

type LogDeps = Pick<ServerDeps, 'log' | 'logHeads' | 'archive'>;

export function registerLog(app: FastifyInstance, deps: LogDeps): void {
  app.get<{ Querystring: z.infer<typeof querySchema> }>('/log', {
    onSend: compressAnswer,
    schema: {
      operationId: 'getLog',
      tags: ['Log'],
      summary: 'Read the log',
      description:
        'Every alert, outcome and correction, change of the rules, blind window and statement of the operator, in the order in which they were published. ' +
        'Each entry names the hash of the one before it. Free keys read it up to 5 minutes ago. `GET /log` lists the log as files, without a key.',
      querystring: querySchema,
      response: { 200: pageSchema, ...invalidReply, ...protectedReplies },
    },
    async handler(request, reply) {
      const { after, limit } = request.query;
      const head = await deps.logHeads.read(callerOf(request).policy);
      const count = Math.min(limit, head.sequence - after);
      const entries =
        count <= 0 ? [] : await scheduleOf(request, deps)(() => deps.log.after(after, { limit: count }));
      reply.type(JSON_TYPE);
      // Entries are sent as the text that verifiers hash, but for their own `hash`.
      return `{"entries":[${entries.map(entryLine).join(',')}],"head":${JSON.stringify(datedHeadView(head))}}`;
    },
  });
}
