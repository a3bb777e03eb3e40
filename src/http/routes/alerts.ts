import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AlertFilter, PageQuery } from '../../core/alerts/alert-store.ts';
import { type Audience, visibleUntil } from '../../core/alerts/free-delay.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { compressAnswer } from '../hooks/compression.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { RefusedError } from '../hooks/refuse.ts';
import { expandShape, filterOf, filterShape, pageShape } from '../query/alert-query.ts';
import { cursorFilter, cursorShape, hasCursor, linkPages } from '../query/cursor.ts';
import { applyPreset, presetShape, refusePreset } from '../query/preset-filters.ts';
import { integerText, queryLimit } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, flag, integer, listOf } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import {
  alertItem,
  alertItemSchema,
  alertSchema,
  alertView,
  latestAlertSchema,
  listView,
} from '../views/alert-view.ts';
import { LATEST_EXAMPLE, PAGE_EXAMPLE } from '../views/examples.ts';
import { threadExitsView } from '../views/exit-view.ts';
import { notModifiedReply, ReadyAnswer } from '../views/ready-answer.ts';

/** Kept as text: integers beyond the safe range are valid too. */
const paramsSchema = z.object({
  id: integerText().meta({ type: 'integer', description: 'Identifier of the alert.', examples: [4821] }),
});

const FIRST_ID = 1;

export function registerAlertById(app: Api, deps: ServerDeps): void {
  app.get('/alerts/:id', {
    schema: {
      operationId: 'getAlert',
      tags: ['Alerts'],
      summary: 'One alert',
      description:
        'The full alert; `details.exits` says what became of its position. For a free key, an alert younger than {free_delay} is a 404.',
      params: paramsSchema,
      response: { 200: alertSchema, 404: errorSchema },
    },
    handler: (request) => readAlert(request.params.id, request.audience, deps),
  });
}

export async function readAlert(text: string, audience: Audience, deps: ServerDeps) {
  const id = Number(text);
  const until = visibleUntil(audience, deps);
  const alert = Number.isSafeInteger(id) && id > 0 ? await deps.alerts.visible(id, until) : null;
  if (alert === null) {
    throw new RefusedError('alert_not_found', `Alert ${text} was not found.`);
  }
  const [bets, position] = await Promise.all([
    deps.exits.bets([alert], until),
    deps.exits.ofAlert(alert, until),
  ]);
  const { details, ...view } = alertView(alert, bets.get(id));
  const exits = threadExitsView(position);
  return { ...view, details: { ...details, exits } };
}

/** `oldest`: the id of the last alert of the list, whose next page is one of the archive. */
export function latestAnswer(json: string, oldest: number | null): ReadyAnswer {
  const hasMore = oldest !== null && oldest > FIRST_ID;
  return new ReadyAnswer(json, {
    headers: hasMore ? { link: `</api/v1/alerts?before_id=${oldest}&expand=details>; rel="next"` } : {},
    contentType: 'application/json; charset=utf-8',
    // Clients revalidate each time, and get 304 while there is no new alert.
    cacheControl: 'private, no-cache',
    vary: 'authorization',
  });
}

export function registerLatestAlerts(app: Api, { latest }: ServerDeps): void {
  app.get('/alerts/latest', {
    schema: {
      operationId: 'getLatestAlerts',
      tags: ['Alerts'],
      summary: 'The newest alerts',
      description:
        'Newest first. Free keys see alerts {free_delay} late. For older ones, follow `Link`, which leads to `GET /alerts`.',
      querystring: z.object({ limit: queryLimit('Maximum number of alerts.', { max: 50, usual: 10 }) }),
      response: {
        200: z
          .array(latestAlertSchema)
          .meta({ description: 'Alerts, newest first.', examples: [LATEST_EXAMPLE] }),
        ...notModifiedReply,
      },
    },
    // With an await here, and a returned reply, each request took 20% more processor time.
    handler(request, reply) {
      const { isRealtime } = request.audience;
      const answer = latest.read({ limit: request.query.limit, isRealtime });
      if (answer instanceof Promise) return answer.then((read) => read.send(request, reply));
      return answer.send(request, reply);
    },
  });
}

const searchSchema = z.object({
  ...pageShape,
  ...cursorShape,
  ...filterShape,
  ...expandShape,
  ...presetShape,
});

/** Not in the schema: those of a preset have precedence. */
const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_SIZE = 20;

export const alertPageSchema = component('AlertPage', 'One page of the archive.', PAGE_EXAMPLE, {
  alerts: listOf(alertItemSchema, 'The alerts of the page, newest first; with `since_id`, oldest first.'),
  total: integer('Number of matches; with a cursor, only of those beyond it.'),
  page: integer('Page number; with a cursor, among the matches beyond it.'),
  page_size: integer('Page size used.'),
  has_more: flag(
    'Whether there is a next page: older alerts, or newer ones with `since_id`. `Link` leads to it.',
  ),
});

export function registerSearchAlerts(app: Api, deps: ServerDeps): void {
  app.get('/alerts', {
    onSend: compressAnswer,
    schema: {
      operationId: 'searchAlerts',
      tags: ['Alerts'],
      summary: 'Search the archive',
      description:
        'Search and paginate the archive, newest first. Page numbers shift while alerts are published: `before_id` reads backwards and `since_id` forwards without a repeat or a gap. ' +
        'Both take all filters. `expand=details` returns the full alerts.',
      querystring: searchSchema,
      response: { 200: alertPageSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { policy } = callerOf(request);
      const query = await applyPreset(request.query, deps.presets, reply);
      if (query === null) return refusePreset(reply, request.query.preset);
      // The page of a preset would make a client skip what the cursor leaves.
      const { page = DEFAULT_PAGE } = hasCursor(query) ? request.query : query;
      const pageSize = Math.min(query.page_size ?? DEFAULT_PAGE_SIZE, policy.maxPageSize);
      const filter = { ...filterOf(query, visibleUntil(request.audience, deps)), ...cursorFilter(query) };
      const asked = { page, pageSize, isOldestFirst: query.since_id !== undefined };
      const { alerts, total } = await readAlerts(filter, { ...asked, expand: query.expand }, request, deps);
      const has_more = page * pageSize < total;
      linkPages(request, reply, searchSchema.shape, {
        ...(has_more && { next: nextOf(query, page, alerts.at(-1)?.id ?? 0) }),
        ...(page > 1 && !hasCursor(query) && { prev: { page: page - 1 }, first: { page: 1 } }),
      });
      return { alerts, total, page, page_size: pageSize, has_more };
    },
  });
}

export function readAlerts(
  filter: AlertFilter,
  { expand, ...asked }: PageQuery & { readonly expand?: 'details' | undefined },
  request: FastifyRequest,
  deps: ServerDeps,
) {
  return inTurn(request, deps, () =>
    expand === 'details'
      ? detailed(deps, filter, asked, visibleUntil(request.audience, deps))
      : short(deps, filter, asked),
  );
}

type Find = Parameters<ServerDeps['alerts']['search']>;

async function detailed(deps: ServerDeps, filter: Find[0], asked: Find[1], until: EpochMs) {
  const page = await deps.alerts.search(filter, asked);
  return { ...page, alerts: listView(page.alerts, await deps.exits.bets(page.alerts, until)) };
}

async function short({ alerts }: ServerDeps, ...find: Find) {
  const page = await alerts.search(...find);
  return { ...page, alerts: page.alerts.map(alertItem) };
}

function nextOf(query: z.infer<typeof searchSchema>, page: number, last: number) {
  if (query.since_id !== undefined) return { since_id: last, page: null };
  return query.before_id === undefined ? { page: page + 1 } : { before_id: last, page: null };
}
