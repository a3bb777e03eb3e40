import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LogMonths, type MonthSpan } from '../../core/alerts/log/log-months.ts';
import { entryLine } from '../../core/alerts/log/seal.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { refuse } from '../hooks/refuse.ts';
import { linkNext } from '../query/cursor.ts';
import { queryInteger, queryLimit } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, flag, listOf, parameter, text } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import {
  DIGEST_LINE_EXAMPLE,
  LOG_FILE_EXAMPLE,
  LOG_INDEX_EXAMPLE,
  LOG_PAGE_EXAMPLE,
} from '../views/examples.ts';
import { datedHeadSchema, datedHeadView, logEntrySchema, sequence } from '../views/log-view.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';
import { LogDownloads, type LogFile } from './log-downloads.ts';

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
        'Every alert, outcome, correction, change of the rules, blind window and statement of the operator, in the order of publication. ' +
        'Each entry contains the hash of the one before it. Free keys get entries {free_delay} late. `GET /log` lists the log as files, without a key.',
      querystring: logQuery,
      response: { 200: logPageSchema },
    },
    async handler(request, reply) {
      const { after, limit } = request.query;
      const head = await deps.logHeads.read(request.audience);
      const count = Math.min(limit, head.sequence - after);
      const { searches } = scheduleOf(request, deps);
      const entries = count <= 0 ? [] : await searches(() => deps.log.after(after, { limit: count }));
      const lines = entries.map(entryLine).join(',');
      const last = entries.at(-1)?.sequence ?? head.sequence;
      const hasMore = last < head.sequence;
      linkNext(request, reply, logQuery.shape, hasMore ? { after: last } : null);
      reply.type('application/json; charset=utf-8');
      // Entries are sent as canonical JSON: the text that verifiers hash, plus `hash`.
      return `{"entries":[${lines}],"head":${JSON.stringify(datedHeadView(head))},"has_more":${hasMore}}`;
    },
  });
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const security: readonly Record<string, string[]>[] = [];
const PUBLIC = 'Public: no key is needed. Entries appear after {free_delay}.';

const fileParams = z.object({
  month: z
    .string()
    .regex(MONTH, 'Input should be a month: YYYY-MM')
    .meta({ description: 'The month, UTC: `YYYY-MM`.', examples: ['2026-03'] }),
});

const fileQuery = z.object({
  through: parameter(
    queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    'The last sequence number of the file. While the month grows, request the file and its digest with the same number, so that both cover the same bytes.',
    5117,
  ),
});

const monthSchema = component('LogMonth', 'One file of the log.', {
  month: text('`YYYY-MM`, UTC. The file is `/log/{month}.jsonl`.'),
  first_sequence: sequence(1, 'Its first entry.'),
  last_sequence: sequence(1, 'Its last entry.'),
  complete: flag('Whether the month is complete, so the file no longer changes.'),
});

const indexSchema = component('LogIndex', 'The files of the log.', LOG_INDEX_EXAMPLE, {
  months: listOf(monthSchema, 'Every month with entries, oldest first.'),
  head: datedHeadSchema.describe('The newest public entry.'),
});

const textReply = (description: string, schema: { id: string; description: string; examples: string[] }) => ({
  description,
  content: { 'text/plain': { schema: z.string().meta(schema) } },
});

const fileReply = textReply('Entries in JSON Lines, ascending, each a `LogEntry` as canonical JSON.', {
  id: 'LogFile',
  description: 'One `LogEntry` per line, each ended by a line feed.',
  examples: [LOG_FILE_EXAMPLE],
});

const digestReply = textReply('One line in the format of `sha256sum`.', {
  id: 'LogFileDigest',
  description: 'The SHA-256 of the file, two spaces, and its name.',
  examples: [DIGEST_LINE_EXAMPLE],
});

const indexReply = {
  description: 'The files of the log.',
  content: {
    'application/json': { schema: indexSchema },
    'text/html': { schema: z.string().describe('A page for clients that accept HTML but not JSON.') },
  },
};

/** People get a page at this address. A cache that keeps one answer for both must ask again: the tags differ. */
const INDEX_CACHE = 'public, no-cache';

export function registerLogFiles(app: FastifyInstance, deps: ServerDeps): void {
  const months = new LogMonths(deps.log);
  app.get('/log', {
    schema: {
      operationId: 'getLogIndex',
      tags,
      summary: 'The files of the log',
      description: `${PUBLIC} The log is split by month.`,
      security,
      response: { 200: indexReply, ...notModifiedReply },
    },
    async handler(request, reply) {
      const head = await deps.logHeads.read(request.audience);
      const spans = await months.all(head);
      const answer = { months: spans.map(monthView), head: datedHeadView(head) };
      return jsonAnswer(JSON.stringify(answer), INDEX_CACHE, 'accept, origin').send(request, reply);
    },
  });
  registerMonths(app, months, deps);
}

/** With a pattern for the month, since the router's own (`.`) leaves names with a line break to the page of an entry. */
const MONTH_FILE = '/log/:month([^]*).jsonl';

interface MonthRoute {
  readonly Params: z.infer<typeof fileParams>;
  readonly Querystring: z.infer<typeof fileQuery>;
}
type Send = (
  request: FastifyRequest<MonthRoute>,
  reply: FastifyReply,
  file: LogFile,
) => Promise<FastifyReply>;

function registerMonths(app: FastifyInstance, months: LogMonths, deps: ServerDeps): void {
  const downloads = new LogDownloads(deps);
  const request = { tags, security, params: fileParams, querystring: fileQuery };
  const response = { 404: errorSchema, ...notModifiedReply };
  app.get<MonthRoute>(MONTH_FILE, {
    schema: {
      ...request,
      operationId: 'getLogFile',
      summary: 'A month of the log',
      description: `${PUBLIC} At most 8 downloads run at the same time, 2 per address; others wait up to 25 seconds for their turn. A download takes at most 10 minutes, and is ended if its client reads less than 1 MiB of the file (before compression) in 10 seconds. \`Repr-Digest\` (RFC 9530) carries the SHA-256 if it is known and the answer is not compressed.`,
      response: { 200: fileReply, ...response },
    },
    handler: monthHandler(months, deps, (...exchange) => downloads.sendFile(...exchange)),
  });
  app.get<MonthRoute>(`${MONTH_FILE}.sha256`, {
    schema: {
      ...request,
      operationId: 'getLogFileDigest',
      summary: 'The SHA-256 of a month of the log',
      description: `${PUBLIC} The SHA-256 of the bytes of \`/log/{month}.jsonl\` with the same \`through\`, before compression. Without \`through\` it covers the file as it is now.`,
      response: { 200: digestReply, ...response },
    },
    handler: monthHandler(months, deps, (...exchange) => downloads.sendDigest(...exchange)),
  });
}

function monthHandler(months: LogMonths, { logHeads }: ServerDeps, send: Send) {
  return async (request: FastifyRequest<MonthRoute>, reply: FastifyReply): Promise<FastifyReply> => {
    const { month } = request.params;
    const { through } = request.query;
    const { sequence: newest } = await logHeads.read(request.audience);
    const isPublic = through === undefined || through <= newest;
    const span = isPublic ? await months.span(month, { sequence: through ?? newest }) : null;
    if (span !== null)
      return send(request, reply, { ...span, isFixed: span.isComplete || through !== undefined });
    const upTo = through === undefined ? '' : ` up to ${through}, or that one is not public yet`;
    return refuse(reply, 'log_file_not_found', `The log has no public entries for ${month}${upTo}.`);
  };
}

function monthView({ month, first, last, isComplete }: MonthSpan) {
  return { month, first_sequence: first, last_sequence: last, complete: isComplete };
}
