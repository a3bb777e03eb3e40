import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import {
  FIGURES_FROM_MARKETS,
  type WalletPosition,
  type WalletReport,
} from '../../core/alerts/wallet-report.ts';
import { rounded } from '../../core/base/rounded.ts';
import { dateTime } from '../../core/base/text/date-time.ts';
import { side } from '../schemas/enumerations.ts';
import {
  component,
  count,
  decimal,
  decimalOrNull,
  flag,
  int64,
  listOf,
  orNull,
  score,
  text,
  textOrNull,
  timestamp,
} from '../schemas/fields.ts';
import { alertItemSchema, listView } from './alert-view.ts';
import { WALLET_EXAMPLE } from './report-examples.ts';

const countOrNull = (description: string) => orNull(z.number().int().min(0), description);

const recordSchema = component(
  'WalletRecord',
  'What became of the positions of a wallet, from its newest 1,000 alerts.',
  {
    settled_markets: count('Settled markets in which the wallet has alerts of its own.'),
    settled_positions: count(
      'Its positions in them: each outcome and side once, according to its newest alert.',
    ),
    won: countOrNull('Markets in which more of its positions were right than wrong.'),
    lost: countOrNull('Markets in which more of its positions were wrong than right.'),
    win_rate: decimalOrNull(
      'Mean over the markets of the share of its positions that were right, 0 to 1: one market, one vote.',
    ),
    profit_usdc: decimalOrNull('Profit of its positions if held to the end, in USDC before fees.'),
    reason: textOrNull(
      `Why the figures are null: fewer than ${FIGURES_FROM_MARKETS} settled markets are too few to say. Else null.`,
    ),
  },
);

const positionSchema = component(
  'WalletPosition',
  'What a wallet holds or sold of one outcome, according to its newest alert on it.',
  {
    market_id: text('Market identifier.'),
    event_title: text('Market question text.'),
    event_slug: text('Market slug.'),
    side: side.describe('Direction of the trades.'),
    outcome: text('Outcome traded.'),
    total_usdc: decimal('What its buys cost, in USDC; for a sale, its proceeds.'),
    shares: decimal('Shares bought, or sold.'),
    avg_price: decimal('Their mean price, in USDC per share.'),
    payout: decimalOrNull('What a share paid, in USDC; null while the market is not settled.'),
    profit_usdc: decimalOrNull(
      'Profit if held to the end, in USDC before fees; null while the market is not settled.',
    ),
    alert_ids: listOf(int64('Identifier of an alert.'), 'Its alerts on this outcome, ascending.'),
  },
);

export const clusterSchema = component('WalletCluster', 'A cluster that the wallet is a member of.', {
  id: int64('Identifier of the alert; `GET /alerts/{id}` returns its members.'),
  market_id: text('Market identifier.'),
  event_title: text('Market question text.'),
  outcome: text('Outcome bought.'),
  signal_score: score.describe('Signal score, 0 to 100.'),
  members: count('Wallets in the cluster.'),
  total_usdc: decimal('Sum of their buys, in USDC.'),
  created_at: timestamp('When the alert was created'),
});

export const walletSchema = component('Wallet', 'What the service knows about a wallet.', WALLET_EXAMPLE, {
  wallet_address: text('Address of the wallet, in lower case.'),
  first_seen: timestamp(
    'When the first alert that names the wallet was created, as its own or as a member of a cluster',
  ),
  age_days_at_first_alert: orNull(
    z.number().int(),
    'Age of the wallet at its first own alert, in whole days; null if it is a member of clusters only.',
  ),
  total: count('Alerts whose `wallet_address` it is.'),
  alerts: listOf(alertItemSchema, 'A page of them, newest first.'),
  has_more: flag('Whether there are older ones. `Link` leads to them.'),
  record: recordSchema,
  positions: z
    .object({
      total: count('Number of positions.'),
      newest: listOf(
        positionSchema,
        'At most 50, those with the newest alerts first; `GET /exits` returns what was sold.',
      ),
    })
    .describe('Its positions, from its newest 1,000 alerts.'),
  clusters: z
    .object({
      total: count('Clusters that the wallet is a member of.'),
      newest: listOf(clusterSchema, 'The newest of them, at most 20, newest first.'),
    })
    .describe('Clusters that the wallet is a member of.'),
});

export function walletView(
  address: string,
  { firstAt, ageDaysAtFirst, total, alerts, hasMore, record, positions, clusters }: WalletReport,
  bets: Parameters<typeof listView>[1],
): z.infer<typeof walletSchema> {
  return {
    wallet_address: address,
    first_seen: dateTime(firstAt),
    age_days_at_first_alert: ageDaysAtFirst,
    total,
    alerts: listView(alerts, bets),
    has_more: hasMore,
    record: recordView(record),
    positions: { total: positions.total, newest: positions.newest.map(positionView) },
    clusters: { total: clusters.total, newest: clusters.newest.map(clusterView) },
  };
}

function recordView({ markets, positions, figures }: WalletReport['record']): z.infer<typeof recordSchema> {
  const reason = `too few to say: ${markets} settled, and fewer than ${FIGURES_FROM_MARKETS} markets may be chance`;
  return {
    settled_markets: markets,
    settled_positions: positions,
    won: figures?.won ?? null,
    lost: figures?.lost ?? null,
    win_rate: figures === null ? null : rounded(figures.winRate, 4),
    profit_usdc: figures?.profitUsdc ?? null,
    reason: figures === null ? reason : null,
  };
}

function positionView({
  newest,
  alertIds,
  usdc,
  shares,
  price,
  profitUsdc,
}: WalletPosition): z.infer<typeof positionSchema> {
  return {
    market_id: newest.marketId,
    event_title: newest.eventTitle,
    event_slug: newest.eventSlug,
    side: newest.side,
    outcome: newest.outcome,
    total_usdc: usdc,
    shares,
    avg_price: price,
    payout: newest.resolution?.payout ?? null,
    profit_usdc: profitUsdc,
    alert_ids: [...alertIds],
  };
}

function clusterView(alert: Alert): z.infer<typeof clusterSchema> {
  const { wallets = [], clusterTotal = alert.usdc } = alert.details;
  return {
    id: alert.id,
    market_id: alert.marketId,
    event_title: alert.eventTitle,
    outcome: alert.outcome,
    signal_score: alert.score,
    members: wallets.length,
    total_usdc: clusterTotal,
    created_at: dateTime(alert.createdAt),
  };
}
