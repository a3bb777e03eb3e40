import { ALERT_EXAMPLE, PAGE_EXAMPLE } from './examples.ts';

const alerts = PAGE_EXAMPLE.alerts;
const { wallet_address, market_id, event_title, event_slug, category, created_at } = ALERT_EXAMPLE;
const { id, outcome, side, signal_score, entry_price, usdc_value, alert_type } = ALERT_EXAMPLE;

export const WALLET_EXAMPLE = {
  wallet_address,
  first_seen: created_at,
  age_days_at_first_alert: 1,
  total: 1,
  alerts,
  has_more: false,
  record: {
    settled_markets: 0,
    settled_positions: 0,
    won: null,
    lost: null,
    win_rate: null,
    profit_usdc: null,
    reason: 'too few to say: 0 settled, and fewer than 10 markets may be chance',
  },
  clusters: {
    total: 1,
    newest: [
      {
        id: 4833,
        market_id,
        event_title,
        outcome,
        signal_score: 91,
        members: 3,
        total_usdc: 31200.5,
        created_at: '2026-03-14 11:02:10',
      },
    ],
  },
};

export const MARKET_EXAMPLE = {
  market_id,
  event_title,
  event_slug,
  category,
  end_date: '2026-06-30T23:59:00.000Z',
  resolved: false,
  settled_at: null,
  outcomes: [
    { outcome, payout: null, alert_count: 1, thread_count: 1, wallet_count: 1, total_usdc: usdc_value },
  ],
  threads: {
    total: 1,
    newest: [
      {
        thread_id: id,
        alert_type,
        wallet_address,
        outcome,
        side,
        signal_score,
        alert_count: 1,
        prices: [{ id, created_at, entry_price, usdc_value }],
      },
    ],
  },
  wallets: { total: 1, largest: [{ wallet_address, alert_count: 1, total_usdc: usdc_value }] },
  total: 1,
  counted: 1,
  alerts,
  has_more: false,
};
