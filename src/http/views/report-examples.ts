import { ALERT_EXAMPLE, PAGE_EXAMPLE } from './examples.ts';

const alerts = PAGE_EXAMPLE.alerts;
const { wallet_address, market_id, event_title, event_slug, category, created_at } = ALERT_EXAMPLE;
const { market_url } = ALERT_EXAMPLE.details;
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
  positions: {
    total: 1,
    newest: [
      {
        market_id,
        event_title,
        event_slug,
        side,
        outcome,
        total_usdc: usdc_value,
        shares: 54_117.65,
        avg_price: entry_price,
        payout: null,
        profit_usdc: null,
        alert_ids: [id],
      },
    ],
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
  market_url,
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

const item = {
  id: `urn:tipoff:alert:${id}`,
  url: `https://api.example.com/alerts/${id}`,
  external_url: market_url,
  title: `${event_title} (score ${signal_score})`,
  content_text:
    'A new wallet: $18,400 on Yes at 34¢ to win $35,718. Score 78 of 100. Traded 2026-03-14 09:26 UTC.',
  date_published: '2026-03-14T09:26:53.120Z',
  tags: [category, alert_type],
};

export const FEED_EXAMPLE = {
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Tipoff alerts',
  home_page_url: 'https://api.example.com/',
  feed_url: 'https://api.example.com/feed.json',
  description: 'Bets on Polymarket that look informed, {free_delay} after they were published.',
  language: 'en',
  items: [item],
};

export const ATOM_EXAMPLE = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
    <id>https://api.example.com/feed.xml</id>
    <title>${FEED_EXAMPLE.title}</title>
    <updated>${item.date_published}</updated>
    <entry>
        <title type="html"><![CDATA[${item.title}]]></title>
        <id>${item.id}</id>
        <link href="${item.url}"/>
        <updated>${item.date_published}</updated>
    </entry>
</feed>
`;
