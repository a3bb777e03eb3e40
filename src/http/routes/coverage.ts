import { z } from 'zod';
import { iso } from '../../core/base/text/date-time.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { linkNext } from '../query/cursor.ts';
import { queryLimit, queryMoment } from '../query/query-values.ts';
import { parameter } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { coverageSchema, coverageView } from '../views/coverage-view.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';

const DEFAULT_MS = 30 * DAY_MS;

export const coverageInput = {
  since: parameter(
    queryMoment('since'),
    'Windows that end after this time: `YYYY-MM-DD HH:MM:SS` (UTC), or ISO 8601 with a zone. Default: 30 days before `until`.',
    '2026-03-01 00:00:00',
  ),
  until: parameter(
    queryMoment('until'),
    'Windows that began before this time, in the format of `since`. Default: now.',
    '2026-03-31 23:59:59',
  ),
};

const querySchema = z.object({
  ...coverageInput,
  limit: queryLimit('Maximum number of windows.', { max: 100, usual: 20 }),
});

export function registerCoverage(app: Api, deps: ServerDeps): void {
  app.get('/coverage', {
    schema: {
      operationId: 'getCoverage',
      tags: ['Markets'],
      summary: 'Gaps of the live feed',
      description:
        'Public: no key is needed. Every period of more than 25 seconds in which the market could not be observed, and whether its trades were read afterwards.',
      security: [],
      querystring: querySchema,
      response: { 200: coverageSchema, ...notModifiedReply },
    },
    async handler(request, reply) {
      const { view, next } = await readCoverage(request.query, deps);
      linkNext(request, reply, querySchema.shape, next);
      const json = JSON.stringify(view);
      return jsonAnswer(json, 'public, max-age=2').send(request, reply);
    },
  });
}

export async function readCoverage(
  { limit, ...bounds }: z.infer<typeof querySchema>,
  { coverage, clock }: Pick<ServerDeps, 'coverage' | 'clock'>,
) {
  const now = clock.now();
  const { until = now, since = until - DEFAULT_MS } = bounds;
  const [view, span] = await Promise.all([coverage.view(), coverage.summarise({ since, until, limit })]);
  const oldest = span.windows.length < span.count ? span.windows.at(-1) : undefined;
  const next = oldest === undefined ? null : { since: iso(since), until: iso(oldest.startedAt - 1), limit };
  return { view: coverageView(view, span, now), next };
}
