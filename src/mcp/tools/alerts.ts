import { z } from 'zod';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { filterOf, filterShape } from '../../http/query/alert-query.ts';
import { cursorFilter } from '../../http/query/cursor.ts';
import { integerText } from '../../http/query/query-values.ts';
import { alertPageSchema, readAlert, readAlerts } from '../../http/routes/alerts.ts';
import { detailsSchema, scoreReasonSchema } from '../../http/views/alert-details.ts';
import { alertSchema } from '../../http/views/alert-view.ts';
import { exitSchema, threadExitsSchema } from '../../http/views/exit-view.ts';
import { defineTool, MAX_ROWS, nextCursor, pageInput, rowSchema } from '../tool.ts';

export const listAlerts = defineTool({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    'Alerts, newest first, that match all filters given. Without filters: the newest of all. Use preview_filter to count matches and see how often they were right.',
  input: { ...filterShape, ...pageInput },
  output: alertPageSchema.pick({ total: true }).extend({
    alerts: z.array(rowSchema),
    next_cursor: nextCursor,
  }),
  async run({ limit, cursor, ...query }, { request, deps }) {
    const filter = {
      ...filterOf(query, visibleUntil(request.audience, deps)),
      ...cursorFilter({ before_id: cursor }),
    };
    const { alerts, total } = await readAlerts(filter, { page: 1, pageSize: limit }, request, deps);
    return { total, alerts, next_cursor: total > limit ? (alerts.at(-1)?.id ?? null) : null };
  },
});

const exitRow = exitSchema.pick({ level: true, held_share: true, sale_price: true, realized_profit: true });

const alertDetails = detailsSchema
  .pick({
    wallet_age_days: true,
    market_buy_count: true,
    wallets: true,
    bet: true,
    thread_id: true,
    supersedes: true,
    traded_at: true,
    market_url: true,
  })
  .extend({
    reasons: z
      .array(scoreReasonSchema.pick({ points: true, note: true }))
      .describe('The parts of the score.'),
    exits: threadExitsSchema.extend({
      state: threadExitsSchema.shape.state.describe(
        'How much was sold before the end: `none`, `half`, `out`, or `unknown` where trades were missed.',
      ),
      exits: z.array(exitRow).describe('The newest of the thread.'),
    }),
  });

export const getAlert = defineTool({
  name: 'get_alert',
  title: 'One alert',
  description:
    'One alert in full: the order, the wallet behind it, the parts of its score, its result, and whether the position was sold before the end.',
  input: { id: integerText().meta({ type: 'integer', description: 'Identifier of the alert.' }) },
  output: alertSchema.omit({ log: true, trade_count: true }).extend({ details: alertDetails }),
  async run({ id }, { request, deps }) {
    const { details, ...alert } = await readAlert(id, request.audience, deps);
    const { state, exits } = details.exits;
    const wallets = details.wallets?.slice(0, MAX_ROWS);
    return { ...alert, details: { ...details, wallets, exits: { state, exits: exits.slice(-MAX_ROWS) } } };
  },
});
