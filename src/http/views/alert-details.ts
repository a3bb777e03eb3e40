import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { type Bet, profitIfHeld } from '../../core/alerts/bet.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { TRADE_ROLES } from '../../core/trades/trade.ts';
import {
  component,
  decimal,
  decimalOrNull,
  flag,
  int64,
  int64OrNull,
  integer,
  listOf,
  moment,
  orNull,
  text,
} from '../schemas/fields.ts';
import { threadExitsSchema } from './exit-view.ts';

export const scoreReasonSchema = component('ScoreReason', 'One part of a signal score.', {
  factor: text(
    'The factor: wallet_age, markets (distinct markets of the wallet), to_win (what is won if the alert is right), timing (hours to the end of the market, or 20% of its day volume and 5,000 USDC), accumulator or cluster. More may be added.',
  ),
  points: decimal('Points given.'),
  max: decimal('Maximum of points.'),
  note: text('Explanation in words.'),
});

export const betSchema = component(
  'Bet',
  'The bet: all alerts of one thread are one bet. As of its newest alert and exit that the caller may see; in frames and webhooks, as of their alert.',
  {
    put_in_usdc: decimal(
      'What the wallet has put in, in USDC: the cost of all its buys of the outcome; of a cluster, of those of its members.',
    ),
    mean_price: decimal('Mean price of these buys, weighted by shares, in USDC per share.'),
    to_win_usdc: decimal('Profit if the outcome happens and all is held to the end, in USDC before fees.'),
    held_share: decimalOrNull(
      'The part of the shares that is still held, 0 to 1, as far as sales and hedges on the market show; null where trades of the position may have been missed.',
    ),
    result_usdc: decimalOrNull(
      'What the part held at settlement won or lost, in USDC before fees; where `held_share` is null, all of it. Null while unresolved.',
    ),
  },
);

export const detailsSchema = component('AlertDetails', 'Context of the trade.', {
  wallet_age_days: integer(
    'Age of the wallet at the order, in whole days. For a cluster, this and the position figures below are those of its last wallet.',
  ),
  is_accumulating: flag(
    'Whether the wallet keeps buying this outcome: at least 3 buys and 2,500 USDC, neither sold nor hedged.',
  ),
  market_buy_count: integer(
    'Buys (orders) of the wallet in this outcome so far, this one included; those at or below 1¢ and at or above 95¢ do not count.',
  ),
  market_total_bought: decimal('Cost of these buys, in USDC.'),
  market_avg_price: decimal('Average price of these buys, weighted by shares, in USDC per share.'),
  position_shares: decimal('Shares of these buys.'),
  position_known: flag(
    'Whether all trades of the position are known, so that its exits will be. False where the wallet, or a member of the cluster, may have traded before the source began.',
  ),
  to_win_usdc: decimal(
    'What is won if the alert is right, in USDC before fees: the order of `fresh`, the position of `fresh_accumulator`, the sum of a cluster. USDC × (1 / price − 1), the larger part of the score.',
  ),
  role: orNull(
    z.enum(TRADE_ROLES),
    'The role of the wallet in the order: `taker` crossed the spread, `maker` had a resting order; null if unknown, or if the fills differ. Gives no points.',
  ),
  wallets: z.array(z.string()).optional().describe('Members of the cluster; only on a cluster.'),
  cluster_total: decimal('Sum of their buys, in USDC; only on a cluster.').optional(),
  cluster_shares: decimal('Shares of their buys, to 6 decimals; only on a cluster.').optional(),
  cluster_avg_price: decimal(
    'Average price of their buys, weighted by shares, in USDC per share; only on a cluster.',
  ).optional(),
  position_profit_usdc: decimalOrNull(
    'Profit of the whole position (for a cluster, of all its buys) if held to the end, in USDC before fees; null while unresolved, and for a SELL.',
  ),
  reasons: listOf(
    scoreReasonSchema,
    'The parts of the score. Their points add up to the score, which is at most 100.',
  ),
  bet: betSchema,
  exits: threadExitsSchema.optional(),
  market_url: text(
    'The market on Polymarket. While the event of the market is unknown, a search for its question.',
  ),
  rule_version: text('Version of the detection rules.'),
  thread_id: int64(
    'First alert of the thread: of one wallet on one outcome of a market, or of the clusters on it. The `id` of this alert when it is the first.',
  ),
  supersedes: int64OrNull('The alert before it in its thread; null when it is the first.'),
  traded_at: moment('Time of the order, to the second, UTC.'),
  detected_at: moment('When it was detected, UTC.'),
  published_at: moment('When the alert was published, UTC.'),
});

export function betView(bet: Bet): z.infer<typeof betSchema> {
  return {
    put_in_usdc: bet.putInUsdc,
    mean_price: bet.meanPrice,
    to_win_usdc: bet.toWinUsdc,
    held_share: bet.heldShare,
    result_usdc: bet.resultUsdc,
  };
}

/** The details that change after the publication. */
export function changingDetails(alert: Alert, bet: Bet) {
  return {
    position_profit_usdc: alert.side === 'BUY' ? profitIfHeld(alert) : null,
    bet: betView(bet),
    market_url: marketAddress(alert),
  };
}
