import { z } from 'zod';
import { RefusedError } from '../../http/hooks/refuse.ts';
import { filterShape } from '../../http/query/alert-query.ts';
import { queryLimit } from '../../http/query/query-values.ts';
import { coverageInput, readCoverage } from '../../http/routes/coverage.ts';
import { previewSchema, readPreview } from '../../http/routes/preview.ts';
import { ERRORS } from '../../http/schemas/error-table.ts';
import { coverageSchema, summarySchema, windowSchema } from '../../http/views/coverage-view.ts';
import {
  bettorSchema,
  countsSchema,
  figuresSchema,
  moveBettorSchema,
  recordSchema,
  stageSchema,
  withdrawnSchema,
} from '../../http/views/record-report-view.ts';
import { defineTool, MAX_ROWS, rowSchema } from '../tool.ts';

const stage = stageSchema.pick({ stage: true, last_alert_at: true, conclusion: true }).extend({
  bettor: moveBettorSchema.pick({ verdict: true, bets: true, low: true, high: true }),
  holder: bettorSchema.pick({ verdict: true }),
  counts: countsSchema.pick({ alerts: true, counted: true, events: true, settled: true }),
  figures: z.object({
    move_24h: figuresSchema.shape.move_24h.pick({ events: true, mean: true }),
    won_minus_price: figuresSchema.shape.won_minus_price.pick({ events: true, mean: true }),
  }),
});

const withdrawn = withdrawnSchema.pick({ stage: true, verdict: true, withdrawn_at: true });

export const getRecord = defineTool({
  name: 'get_record',
  title: 'What the alerts were worth',
  description:
    'The measured record of the alerts, losses included: a conclusion in words, then the figures of each stage. Read the resource tipoff://method for what they mean.',
  input: {},
  output: recordSchema.pick({ as_of: true, conclusion: true, results: true }).extend({
    stages: z.array(stage).describe('Newest first; empty before the first alert.'),
    withdrawn: z.array(withdrawn).describe('Verdicts that were withdrawn because data was corrected.'),
  }),
  async run(_args, { deps }) {
    const report = deps.record.read()?.report;
    if (report === undefined) throw new RefusedError('unavailable', ERRORS.unavailable.detail);
    return { ...report, withdrawn: [...report.withdrawn], stages: [...report.stages] };
  },
});

export const previewFilter = defineTool({
  name: 'preview_filter',
  title: 'Try a filter',
  description:
    'What a filter would have matched in the last 30 days: alerts per day, how many were right, and the edge over the price paid. The filters are those of list_alerts. Few markets prove little.',
  input: filterShape,
  output: previewSchema.omit({ days: true, daily: true, average_entry: true }).extend({
    markets: previewSchema.shape.markets.pick({ resolved: true, win_rate: true, edge: true }),
    newest: z.array(rowSchema),
  }),
  run: (query, { request, deps }) => readPreview(query, request, deps),
});

export const getCoverage = defineTool({
  name: 'get_coverage',
  title: 'Gaps of the feed',
  description:
    'Whether the market is watched right now, and every period of more than 25 seconds in which it was not, which may explain missing alerts.',
  input: { ...coverageInput, limit: queryLimit('Maximum number of windows.', { max: MAX_ROWS, usual: 5 }) },
  output: coverageSchema
    .pick({ watching_since: true, confirmed_until: true, message: true, unwatched: true })
    .extend({
      state: coverageSchema.shape.state.describe(
        '`live`, `catching_up`, `unconfirmed`, `blind`, or `unknown` where no feed runs.',
      ),
      windows: z.array(
        windowSchema.omit({ backfilled_at: true }).extend({ cause: z.string().describe('Why, in a word.') }),
      ),
      summary: summarySchema.pick({ blind_seconds: true, covered: true }),
    }),
  async run(query, { deps }) {
    const { view, next } = await readCoverage(query, deps);
    return { ...view, next_until: next?.until ?? null };
  },
});
