import { z } from 'zod';
import { filterShape } from '../../http/query/alert-query.ts';
import { queryLimit } from '../../http/query/query-values.ts';
import { coverageInput, readCoverage } from '../../http/routes/coverage.ts';
import { previewSchema, readPreview } from '../../http/routes/preview.ts';
import { coverageSchema, summarySchema, windowSchema } from '../../http/views/coverage-view.ts';
import { recordSchema } from '../../http/views/record-report-view.ts';
import { defineTool, MAX_ROWS, rowSchema } from '../tool.ts';

export const getRecord = defineTool({
  name: 'get_record',
  title: 'What the alerts were worth',
  description:
    'The measured record of the alerts, losses included: a conclusion in words, then two figures. Read the resource tipoff://method for what they mean.',
  input: {},
  output: recordSchema.omit({ bankroll: true }),
  async run(_args, { deps }) {
    const { report } = await deps.record.read();
    return { ...report };
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
