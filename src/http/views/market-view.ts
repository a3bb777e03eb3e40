import { z } from 'zod';
import type { MarketReport, MarketThread } from '../../core/alerts/market-report.ts';
import { dateTime, isoOrNull } from '../../core/base/text/date-time.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { WatchedMarket } from '../../core/record/prices/watched-market.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { alertType, category, side } from '../schemas/enumerations.ts';
import {
  component,
  count,
  decimal,
  decimalOrNull,
  flag,
  int64,
  listOf,
  momentOrNull,
  score,
  text,
  textOrNull,
  timestamp,
} from '../schemas/fields.ts';
import { alertItemSchema, listView } from './alert-view.ts';
import { MARKET_EXAMPLE } from './report-examples.ts';

export const marketOutcomeSchema = component(
  'MarketOutcome',
  'An outcome of a market and the alerts on it.',
  {
    outcome: text('Name of the outcome.'),
    payout: decimalOrNull(
      'What a share paid, in USDC: 1, 0, or a part of 1 for a split (mostly 0.5); null while the market is not settled.',
    ),
    alert_count: count('Alerts on it.'),
    thread_count: count('Threads of these alerts.'),
    wallet_count: count('Wallets in these alerts, members of clusters included.'),
    total_usdc: decimal('What the bets on it have put in, in USDC; a thread is one bet.'),
  },
);

const priceSchema = component('AlertPrice', 'The price at an alert.', {
  id: int64('Identifier of the alert.'),
  created_at: timestamp('When it was created'),
  entry_price: decimal('Mean price of its order, in USDC per share of the outcome.'),
  usdc_value: decimal('Size of its order, in USDC.'),
});

const threadSchema = component(
  'MarketThread',
  'The alerts of one wallet on one outcome of the market, or of the clusters on it.',
  {
    thread_id: int64('Identifier of its first alert.'),
    alert_type: alertType.describe('Kind of its newest alert.'),
    wallet_address: textOrNull('The wallet; null for clusters.'),
    outcome: text('Outcome traded.'),
    side: side.describe('Direction of the trades.'),
    signal_score: score.describe('Score of its newest alert, 0 to 100.'),
    alert_count: count('Number of its alerts.'),
    prices: listOf(priceSchema, 'The newest of them, at most 20, newest first.'),
  },
);

export const marketWalletSchema = component('MarketWallet', 'A wallet in the alerts of the market.', {
  wallet_address: text('Address of the wallet.'),
  alert_count: count('Its own alerts in the market; 0 for a member of a cluster without one.'),
  total_usdc: decimal('What its bets have put in, in USDC.'),
});

export const marketSchema = component('Market', 'What the service knows about a market.', MARKET_EXAMPLE, {
  market_id: text('Market identifier.'),
  event_title: text('Market question text.'),
  event_slug: text('Market slug.'),
  market_url: text(
    'The market on Polymarket. While the event of the market is unknown, a search for its question.',
  ),
  category: category.describe('Category of the market.'),
  end_date: momentOrNull(
    'When the market ends, as announced; it may be settled earlier or later. Null if unknown. On a tape that is shifted in time, it is shifted too.',
  ),
  resolved: flag('Whether the market has resolved.'),
  settled_at: momentOrNull('When its outcome became known; null while it is not, or not recorded.'),
  outcomes: listOf(
    marketOutcomeSchema,
    'Outcomes with alerts, by what was put in, descending; then the others that were paid.',
  ),
  threads: z
    .object({
      total: count('Number of threads.'),
      newest: listOf(threadSchema, 'The newest of them, at most 50, newest first.'),
    })
    .describe('Alerts by thread.'),
  wallets: z
    .object({
      total: count('Number of wallets, members of clusters included.'),
      largest: listOf(marketWalletSchema, 'At most 20, by what they have put in, descending.'),
    })
    .describe('Wallets in the alerts.'),
  total: count('Alerts of the market.'),
  counted: count('The newest alerts, at most 1,000, from which outcomes, threads and wallets are compiled.'),
  alerts: listOf(alertItemSchema, 'A page of the alerts, newest first.'),
  has_more: flag('Whether there are older ones. `Link` leads to them.'),
});

export function marketView(
  report: MarketReport,
  watched: WatchedMarket | null,
  bets: Parameters<typeof listView>[1],
): z.infer<typeof marketSchema> {
  const { newest, resolution, threads, wallets, total, counted, alerts, hasMore } = report;
  return {
    market_id: newest.marketId,
    event_title: newest.eventTitle,
    event_slug: newest.eventSlug,
    market_url: marketAddress(newest),
    category: newest.category,
    end_date: isoOrNull(endOf(report, watched)),
    resolved: resolution !== null,
    settled_at: isoOrNull(resolution?.at ?? null),
    outcomes: outcomesView(report),
    threads: { total: threads.total, newest: threads.newest.map(threadView) },
    wallets: {
      total: wallets.total,
      largest: wallets.largest.map(({ wallet, alerts: own, putInUsdc }) => ({
        wallet_address: wallet,
        alert_count: own,
        total_usdc: putInUsdc,
      })),
    },
    total,
    counted,
    alerts: listView(alerts, bets),
    has_more: hasMore,
  };
}

/** The times of a watched market are those of the source. An alert of a tape moved in time is later: the end is moved by as much. */
function endOf({ newest }: MarketReport, watched: WatchedMarket | null): EpochMs | null {
  if (watched === null || watched.endsAt === null) return null;
  const same = watched.alerts.find(({ key }) => key === newest.key);
  return watched.endsAt + newest.tradedAt - (same?.tradedAt ?? newest.tradedAt);
}

function outcomesView({ outcomes, resolution }: MarketReport): z.infer<typeof marketOutcomeSchema>[] {
  const names = resolution?.outcomes ?? [];
  const payoutOf = (outcome: string) => resolution?.payouts[names.indexOf(outcome)] ?? null;
  const alerted = outcomes.map(({ outcome, alerts, threads, wallets, putInUsdc }) => ({
    outcome,
    payout: payoutOf(outcome),
    alert_count: alerts,
    thread_count: threads,
    wallet_count: wallets,
    total_usdc: putInUsdc,
  }));
  const others = names.filter((name) => outcomes.every(({ outcome }) => outcome !== name));
  const none = { alert_count: 0, thread_count: 0, wallet_count: 0, total_usdc: 0 };
  return [...alerted, ...others.map((outcome) => ({ outcome, payout: payoutOf(outcome), ...none }))];
}

function threadView(thread: MarketThread): z.infer<typeof threadSchema> {
  return {
    thread_id: thread.threadId,
    alert_type: thread.type,
    wallet_address: thread.wallet,
    outcome: thread.outcome,
    side: thread.side,
    signal_score: thread.score,
    alert_count: thread.alerts,
    prices: thread.prices.map(({ id, at, price, usdc }) => ({
      id,
      created_at: dateTime(at),
      entry_price: price,
      usdc_value: usdc,
    })),
  };
}
