import { z } from 'zod';
import { LOG_KINDS } from '../../core/alerts/log/log-entry.ts';
import { entryLine } from '../../core/alerts/log/seal.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { linkNext } from '../query/cursor.ts';
import { queryInteger, wordList } from '../query/query-values.ts';
import { component, flag, listOf, parameter } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { ENTRY_EXAMPLE, EVENT_PAGE_EXAMPLE } from '../views/examples.ts';
import { datedHeadSchema, datedHeadView, eventSchema } from '../views/log-view.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';

const querySchema = z.object({
  after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .default(0)
    .meta({
      description: 'The last `seq` you have; 0 for the beginning.',
      examples: [ENTRY_EXAMPLE.seq - 1],
    }),
  kind: parameter(
    wordList(LOG_KINDS).meta({ type: 'string' }).optional(),
    `Only events of these kinds, with commas between them: ${LOG_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`,
    'settlement,correction',
  ),
  limit: queryInteger({ min: 0, max: 500 })
    .default(100)
    .meta({ description: 'Maximum number of events. With 0 the answer is the head alone.', examples: [100] }),
});

const pageSchema = component('EventPage', 'A page of the log.', EVENT_PAGE_EXAMPLE, {
  events: listOf(eventSchema, 'Those after `after`, ascending.'),
  head: datedHeadSchema.describe('The newest event that this caller may see, of any kind.'),
  has_more: flag('Whether there are more after this page. `Link` leads to them.'),
});

export function registerEvents(app: Api, deps: ServerDeps): void {
  app.get('/events', {
    schema: {
      operationId: 'listEvents',
      tags: ['Log'],
      summary: 'Read the log',
      description:
        'Public: no key is needed. Every alert, exit, settlement, correction, withdrawal, gap and change of the rules, in the order of publication. ' +
        'Keep the last `seq` and ask for what is after it: none is missed and none is repeated. Each event contains the hash of the one before it; ' +
        'keep a `head`: a later log without it was changed. Without a key, and for a free key, events and head are {free_delay} late. A wrong key is ignored.',
      security: [{}, { bearerAuth: [] }],
      querystring: querySchema,
      response: { 200: pageSchema, ...notModifiedReply },
    },
    async handler(request, reply) {
      const { after, kind: kinds = [], limit } = request.query;
      const head = await deps.logHeads.read(request.audience);
      const found =
        after >= head.seq
          ? []
          : await inTurn(request, deps, () =>
              deps.log.after(after, limit + 1, kinds.length > 0 ? kinds : null),
            );
      const known = found.filter(({ seq }) => seq <= head.seq);
      const events = known.slice(0, limit);
      const hasMore = known.length > limit;
      const last = events.at(-1);
      linkNext(request, reply, querySchema.shape, hasMore && last !== undefined ? { after: last.seq } : null);
      // Events are sent as canonical JSON: the text that verifiers hash, plus `hash`.
      const json = `{"events":[${events.map(entryLine).join(',')}],"head":${JSON.stringify(datedHeadView(head))},"has_more":${hasMore}}`;
      const cacheControl = request.caller === null ? 'public, max-age=2' : 'private, no-cache';
      return jsonAnswer(json, cacheControl, 'origin, authorization').send(request, reply);
    },
  });
}
