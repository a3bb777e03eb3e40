import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PREVIEW_DAYS, type WindowPreview } from '../../core/alerts/figures/figures.ts';
import { ratesOf } from '../../core/alerts/figures/win-rates.ts';
import { alertAgeFor } from '../../core/alerts/free-delay.ts';
import { rounded } from '../../core/base/rounded.ts';
import { dateTime } from '../../core/base/text/date-time.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { filterOf, filterShape } from '../query/alert-query.ts';
import { applyPreset, presetShape, refusePreset } from '../query/preset-filters.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, decimal, decimalOrNull, integer, listOf, timestamp } from '../schemas/fields.ts';
import { invalidRequestOf } from '../schemas/validation.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { alertItem, alertItemSchema } from '../views/alert-view.ts';
import { PREVIEW_EXAMPLE } from '../views/examples.ts';

const querySchema = z.object({ ...filterShape, ...presetShape });

export const previewSchema = component('Preview', 'What the filter would have matched.', PREVIEW_EXAMPLE, {
  days: integer('Days that a preview covers at most.'),
  since: timestamp('Start of the window, 30 days before its end, or the very first alert if that is later'),
  until: timestamp(
    'End of the window: now, or {free_delay} ago for a free key; with a tape, the newest alert if none followed for a day',
  ),
  total: integer('Matching alerts in the window.'),
  alerts_per_day: decimal('Mean number per day; a window shorter than a day counts as one day.'),
  daily: z
    .array(
      z.object({
        date: z.iso.date().describe('The UTC day.'),
        alerts: integer('Matches on that day.'),
      }),
    )
    .describe('Every UTC day of the window, oldest first; the first and the last are usually partial.'),
  resolved: integer('Matches whose market has resolved.'),
  won: integer('Resolved matches that were right.'),
  win_rate: decimalOrNull('`won / resolved`, 0 to 1; null if none is resolved.'),
  average_entry: decimalOrNull('Mean price paid for the expected outcome; for a SELL, 1 − price.'),
  edge: decimalOrNull(
    '`win_rate − average_entry`. Above 0, the alerts were right more often than the price implied.',
  ),
  markets: z
    .object({
      resolved: integer('Markets of the resolved alerts.'),
      win_rate: decimalOrNull('Mean over these markets; null if there are none.'),
      average_entry: decimalOrNull('Mean over these markets.'),
      edge: decimalOrNull('`win_rate − average_entry`.'),
    })
    .describe(
      'The same with each market counted once. Alerts of one market win or lose together, so a few markets prove little.',
    ),
  newest: listOf(alertItemSchema, 'The newest matches, at most three, newest first.'),
});

const EMPTY_WINDOW = {
  loc: ['query', 'until'],
  type: 'value_error',
  msg: `Input should be after since, and within the last ${PREVIEW_DAYS} days that this key may see`,
};

export function registerPreview(app: Api, deps: ServerDeps): void {
  const { presets } = deps;
  app.get('/alerts/preview', {
    schema: {
      operationId: 'previewFilter',
      tags: ['Alerts'],
      summary: 'Try a filter on the last 30 days',
      description:
        'What a filter, a preset, or the categories and minimum signal of a webhook would have matched: how many alerts per day, ' +
        'and their outcomes. `since` and `until` narrow the window.',
      querystring: querySchema,
      response: { 200: previewSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const query = await applyPreset(request.query, presets, reply);
      if (query === null) return refusePreset(reply, request.query.preset);
      return readPreview(query, request, deps);
    },
  });
}

export async function readPreview(
  query: Parameters<typeof filterOf>[0],
  request: FastifyRequest,
  deps: ServerDeps,
): Promise<z.infer<typeof previewSchema>> {
  const delayMs = alertAgeFor(request.audience, deps);
  const filter = filterOf(query, Number.POSITIVE_INFINITY);
  const preview = await inTurn(request, deps, () => deps.figures.preview(filter, { delayMs }));
  if (preview.since > preview.until) throw invalidRequestOf([EMPTY_WINDOW]);
  return previewView(preview);
}

function previewView({ since, until, daily, newest, ...sums }: WindowPreview): z.infer<typeof previewSchema> {
  const { total, resolved, won, markets } = sums;
  return {
    days: PREVIEW_DAYS,
    since: dateTime(since),
    until: dateTime(until),
    total,
    alerts_per_day: rounded(total / Math.max(1, (until - since) / DAY_MS), 2),
    daily: daily.map(({ dayStart, alerts }) => ({
      date: new Date(dayStart).toISOString().slice(0, 10),
      alerts,
    })),
    resolved,
    won,
    ...ratesView(sums),
    markets: { resolved: markets.resolved, ...ratesView(markets) },
    newest: newest.map(alertItem),
  };
}

function ratesView(sums: Parameters<typeof ratesOf>[0]) {
  const { winRate, averageEntry, edge } = ratesOf(sums);
  return {
    win_rate: roundedRate(winRate),
    average_entry: roundedRate(averageEntry),
    edge: roundedRate(edge),
  };
}

function roundedRate(rate: number | null): number | null {
  return rate === null ? null : rounded(rate, 4);
}
