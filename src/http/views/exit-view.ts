import { z } from 'zod';
import { type Exit, exitBody } from '../../core/alerts/exits/exit.ts';
import { EXIT_STATES, type ThreadExits } from '../../core/alerts/exits/exit-reader.ts';
import { EXIT_LEVELS } from '../../core/detection/found-exit.ts';
import { category, named } from '../schemas/enumerations.ts';
import {
  component,
  decimal,
  decimalOrNull,
  int64,
  integer,
  listOf,
  moment,
  text,
} from '../schemas/fields.ts';
import { EXIT_EXAMPLE } from './examples.ts';
import { logHeadSchema, logHeadView } from './log-view.ts';

const fields = z.object({
  number: int64('1, 2, 3 … without a gap.'),
  level: named('ExitLevel', EXIT_LEVELS, 'How far a position was left.').describe(
    '`half`: at most half of the peak since the alert is held; `out`: at most 5%.',
  ),
  thread_id: int64('First alert of the exit’s thread: `details.thread_id` of its alerts.'),
  alert_ids: listOf(z.number().int(), 'All alerts of the thread up to the exit, ascending.'),
  wallet: text('The wallet whose order it was.'),
  market_id: text('Market identifier.'),
  event_title: text('Market question text.'),
  event_slug: text('Market slug.'),
  category: category.describe('Category of the market.'),
  outcome: text('The outcome that was bought.'),
  outcome_index: integer('Its position among the outcomes of the market.'),
  held_share: decimal('Part of the peak that is still held, 0 to 1.'),
  held_shares: decimal('Shares that are neither sold nor paired; for a cluster, those of all its wallets.'),
  peak_shares: decimal('The highest such number since the alert.'),
  sold_shares: decimal('Shares sold since then, at any price.'),
  sale_price: decimalOrNull(
    'Mean price of all sales since then, in USDC per share; null if there were none.',
  ),
  realized_profit: decimalOrNull(
    'What these sales brought beyond the mean cost of the shares, in USDC before fees; null if there were none.',
  ),
  traded_at: moment('Time of the order that caused it, to the second, UTC.'),
  seconds_since_alert: integer('Seconds from the alert to that order.'),
  created_at: moment('When it was published, UTC.'),
  log: logHeadSchema.describe('Its entry in the log.'),
});

export const exitSchema = fields.meta({
  id: 'Exit',
  description:
    'The position of a thread of alerts fell to half, or to 5%, of its peak since the alert. Only trades on the market are seen: no merge, redemption or transfer.',
  examples: [EXIT_EXAMPLE],
});

export const exitEventSchema = fields
  .extend({ type: z.literal('exit').describe('Distinguishes it from an alert, which has no `type`.') })
  .meta({
    id: 'ExitEvent',
    description: 'An exit as a webhook receives it.',
    examples: [{ ...EXIT_EXAMPLE, type: 'exit' }],
  });

export const threadExitsSchema = component(
  'AlertExits',
  "What became of the position of an alert's thread before the end; only in `GET /alerts/{id}`.",
  {
    state: named('ExitState', EXIT_STATES, 'How far a position is known to have been left.').describe(
      '`none`: it was not sold on the market. `half`, `out`: the lowest level of its exits. `unknown`: no exit is known, and there may be one, because trades were missed or happened before the source began.',
    ),
    exits: listOf(exitSchema, 'All exits of the thread, ascending: at most one per level.'),
  },
);

export function exitView(exit: Exit): z.infer<typeof exitSchema> {
  return { ...exitBody(exit), alert_ids: [...exit.alertIds], log: logHeadView(exit.log) };
}

export function exitEventJson(exit: Exit): string {
  return JSON.stringify({ type: 'exit', ...exitView(exit) } satisfies z.infer<typeof exitEventSchema>);
}

export function threadExitsView({ state, exits }: ThreadExits): z.infer<typeof threadExitsSchema> {
  return { state, exits: exits.map(exitView) };
}
