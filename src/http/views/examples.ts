import { marketAddress } from '../../core/trades/other-sites.ts';

/** A settlement in the log. A test checks its hash. */
export const ENTRY_EXAMPLE = {
  at: '2026-03-14T09:31:20.004Z',
  body: {
    market_id: '0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1',
    outcomes: ['Yes', 'No'],
    payouts: [1, 0],
    settled_at: '2026-03-14T09:31:20.004Z',
  },
  epoch: 12,
  hash: '491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb',
  key: 'settlement:0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1:0',
  kind: 'settlement',
  previous: '9b74c9897bac770ffc029102a200c5de7fdd9d2d6c8ae8bcb2d1b0a1d3e4f567',
  seq: 5117,
};
export const HEAD_EXAMPLE = { seq: ENTRY_EXAMPLE.seq, hash: ENTRY_EXAMPLE.hash };
export const EVENT_PAGE_EXAMPLE = {
  events: [ENTRY_EXAMPLE],
  head: { ...HEAD_EXAMPLE, at: ENTRY_EXAMPLE.at },
  has_more: false,
};

/** The alert of the API document. A test validates every example against its schema. */
export const ALERT_EXAMPLE = {
  id: 4821,
  alert_type: 'fresh',
  wallet_address: '0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b',
  market_id: '0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1',
  event_title: 'Will the measure pass before July?',
  event_slug: 'will-the-measure-pass-before-july',
  side: 'BUY',
  outcome: 'Yes',
  entry_price: 0.34,
  usdc_value: 18400,
  signal_score: 78,
  category: 'politics',
  trade_count: 1,
  created_at: '2026-03-14 09:26:53',
  resolved: false,
  won: null,
  profit_usdc: null,
  details: {
    wallet_age_days: 1,
    is_accumulating: false,
    market_buy_count: 1,
    market_total_bought: 18400,
    market_avg_price: 0.34,
    position_shares: 54117.647059,
    position_known: true,
    to_win_usdc: 35717.65,
    role: 'taker',
    position_profit_usdc: null,
    bet: {
      put_in_usdc: 18400,
      mean_price: 0.34,
      to_win_usdc: 35717.65,
      held_share: 1,
      result_usdc: null,
    },
    reasons: [
      { factor: 'wallet_age', points: 15, max: 15, note: 'wallet 1 day old' },
      { factor: 'markets', points: 10, max: 10, note: 'first market' },
      { factor: 'to_win', points: 38, max: 55, note: '$35,718 to win with one order' },
      { factor: 'timing', points: 15, max: 15, note: '14 h before close' },
    ],
    market_url: marketAddress({
      eventTitle: 'Will the measure pass before July?',
      eventSlug: 'will-the-measure-pass-before-july',
      marketEvent: 'when-will-the-measure-pass',
    }),
    rule_version: '4',
    thread_id: 4821,
    supersedes: null,
    traded_at: '2026-03-14T09:26:51.000Z',
    detected_at: '2026-03-14T09:26:52.480Z',
    published_at: '2026-03-14T09:26:53.120Z',
  },
  log: HEAD_EXAMPLE,
};

const { market_id, ...latest } = ALERT_EXAMPLE;
export const LATEST_EXAMPLE = [latest];

const { event_slug, trade_count, resolved, won, profit_usdc, details, log, ...item } = ALERT_EXAMPLE;
export const PAGE_EXAMPLE = { alerts: [item], total: 1, page: 1, page_size: 20, has_more: false };

export const STATS_EXAMPLE = {
  total_alerts: 48213,
  alerts_today: 164,
  avg_signal_today: 63.27,
  clusters_today: 5,
  win_rate: 0.5625,
  total_resolved: 32000,
  total_won: 18000,
};

const HOT_MARKET = {
  market_id,
  event_title: item.event_title,
  event_slug,
  category: item.category,
  alert_count: 7,
  avg_signal: 71.43,
  total_usdc: 96250.5,
  latest_alert: '2026-03-14T09:26:53',
};
export const HOT_EXAMPLE = {
  period: '24h',
  most_alerts: [HOT_MARKET],
  highest_signal: [HOT_MARKET],
  biggest_trades: [HOT_MARKET],
};

export const PRESET_EXAMPLE = {
  id: 'preset_mR8qX2vT0aLw5bNz',
  name: 'Large crypto buys',
  filters: { category: 'crypto', side: 'BUY', min_signal: 60 },
  created_at: '2026-03-14 09:26:53',
  has_feed: true,
};
export const PRESET_FEED_EXAMPLE = {
  id: PRESET_EXAMPLE.id,
  feed_token: 'Wq3xT0vN8mRzL2kJ5aBcDg',
  feed_url: 'https://api.example.com/feed.xml?preset=Wq3xT0vN8mRzL2kJ5aBcDg',
};

const url = 'https://example.com/hooks/alerts';
export const WEBHOOK_EXAMPLE = {
  id: 'wh_mR8qX2vT0aLw5bNz',
  url,
  format: 'json',
  categories: 'crypto,politics',
  min_signal: 60,
  filters: { side: 'BUY', min_usdc: 5000 },
  events: 'alert,outcome,exit',
  paused: false,
  created_at: '2026-03-14 09:26:53',
  secret_rotated_at: null,
  deliveries: { delivered: 41, failed: 1, failures_in_a_row: 0 },
};
export const REGISTERED_EXAMPLE = {
  id: WEBHOOK_EXAMPLE.id,
  url,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+JqT2kE1bWc=',
};
export const ROTATED_EXAMPLE = {
  id: WEBHOOK_EXAMPLE.id,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDhSv6oGQ2yQk=',
  previous_secret_valid_until: '2026-03-15 09:26:53',
};
export const TEST_EXAMPLE = {
  id: 'msg_test_k4Tt0pZ8vQx1aLw5',
  status: 'failed',
  response_status: 429,
  duration_ms: 212,
  error: 'status',
  retry_after: 3,
};
export const DELIVERY_EXAMPLE = {
  id: 'msg_4821_mR8qX2vT0aLw5bNz',
  alert_id: ALERT_EXAMPLE.id,
  outcome: null,
  exit: null,
  repeats: null,
  test: false,
  status: 'delivered',
  response_status: 200,
  duration_ms: 87,
  error: null,
  retry_after: null,
  created_at: '2026-03-14 09:26:53',
  finished_at: '2026-03-14 09:26:53',
};
export const DELIVERIES_EXAMPLE = { deliveries: [DELIVERY_EXAMPLE], has_more: true };
export const REPEATED_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  id: `${DELIVERY_EXAMPLE.id}.1`,
  repeats: DELIVERY_EXAMPLE.id,
  status: 'requested',
  response_status: null,
  duration_ms: null,
  finished_at: null,
};

export const OUTCOME_EXAMPLE = {
  number: 812,
  kind: 'settlement',
  market_id: ENTRY_EXAMPLE.body.market_id,
  event_title: ALERT_EXAMPLE.event_title,
  outcomes: ENTRY_EXAMPLE.body.outcomes,
  payouts: ENTRY_EXAMPLE.body.payouts,
  settled_at: ENTRY_EXAMPLE.at,
  log: HEAD_EXAMPLE,
  alerts: [{ id: ALERT_EXAMPLE.id, won: true, profit_usdc: 35717.65 }],
  more_alerts: false,
};
export const OUTCOMES_EXAMPLE = {
  outcomes: [OUTCOME_EXAMPLE],
  last: OUTCOME_EXAMPLE.number,
  has_more: false,
};

export const EXIT_EXAMPLE = {
  number: 96,
  level: 'half',
  thread_id: ALERT_EXAMPLE.id,
  alert_ids: [ALERT_EXAMPLE.id],
  wallet: ALERT_EXAMPLE.wallet_address,
  market_id,
  event_title: item.event_title,
  event_slug,
  category: item.category,
  outcome: item.outcome,
  outcome_index: 0,
  held_share: 0.4,
  held_shares: 21647.058824,
  peak_shares: 54117.647059,
  sold_shares: 32470.588235,
  sale_price: 0.51,
  realized_profit: 5520,
  traded_at: '2026-03-14T12:31:20.000Z',
  seconds_since_alert: 11069,
  created_at: '2026-03-14T12:31:23.004Z',
  log: HEAD_EXAMPLE,
};
export const EXITS_EXAMPLE = { exits: [EXIT_EXAMPLE], last: EXIT_EXAMPLE.number, has_more: false };

export const PREVIEW_EXAMPLE = {
  days: 30,
  since: '2026-02-12 09:26:53',
  until: '2026-03-14 09:26:53',
  total: 45,
  alerts_per_day: 1.5,
  daily: [{ date: '2026-03-14', alerts: 3 }],
  resolved: 30,
  won: 21,
  win_rate: 0.7,
  average_entry: 0.52,
  edge: 0.18,
  markets: { resolved: 8, win_rate: 0.6, average_entry: 0.5, edge: 0.1 },
  newest: [item],
};
