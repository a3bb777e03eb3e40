/**
 * The interface specification, quoted sentence by sentence: tests are titled by what they show, and
 * `sentences.test.ts` checks that every sentence is shown. Left out is what the specification says is "not shown", and what it repeats.
 */
export const SENTENCES = {
  // What the service does
  scored: 'Every alert carries a signal score from 0 to 100.',
  base: 'The base address already includes the path prefix `/api/v1`, and all REST paths below are relative to it.',
  tiers: 'There are three tiers: `free`, `pro`, `enterprise`.',
  freeDelay: 'Free-tier alerts are delayed by 5 minutes. Pro and Enterprise are real-time.',
  json: 'All request and response bodies are JSON.',

  // Categories, Alert
  categories: '`crypto`, `politics`, `world`, `tech`, `finance`, `pop_culture`, `other`.',
  alertId: '| id | integer | Unique alert identifier. |',
  alertType: '| alert_type | string | One of `fresh`, `fresh_accumulator`, `cluster`. |',
  alertWallet: '| wallet_address | string | Address of the trading wallet (may be shown abbreviated). |',
  alertMarket: '| market_id | string | Market identifier. Present in list results. |',
  alertTitle: '| event_title | string | Market question text. |',
  alertSlug: '| event_slug | string | Market slug. |',
  alertSide: '| side | string | `BUY` or `SELL`. |',
  alertOutcome: '| outcome | string | Outcome traded. |',
  alertPrice: '| entry_price | number | Price of the trade. |',
  alertUsdc: '| usdc_value | number | Trade size in USDC. |',
  alertScore: '| signal_score | integer | 0 to 100. |',
  alertCategory: '| category | string | One of the categories above. |',
  alertTrades: '| trade_count | integer | Number of trades in the alert. |',
  alertCreated: '| created_at | string | Format `YYYY-MM-DD HH:MM:SS`. |',
  alertResolved: '| resolved | boolean | Whether the market has resolved. |',
  alertWon: '| won | boolean or null | Null while unresolved. |',
  alertProfit: '| profit_usdc | number or null | Null while unresolved. |',
  alertDetails: '| details | object | Enrichment, see below. |',
  details:
    'Details object fields: `wallet_age_days` (integer), `is_accumulating` (boolean), `market_buy_count` (integer), `market_total_bought` (number, USDC), `market_avg_price` (number).',
  latestFields: '`GET /alerts/latest` returns every field above except `market_id`.',
  byIdFields: '`GET /alerts/{id}` returns the full object.',
  itemFields:
    '`GET /alerts` items carry `id`, `alert_type`, `wallet_address`, `market_id`, `event_title`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `category`, `created_at`.',

  // Hot markets
  hotItemFields: '### Hot market item',
  hotLatest: '| latest_alert | string, format `YYYY-MM-DDTHH:MM:SS` (no zone suffix) |',
  hotFields:
    'Fields: `period` (string, echoes the window used), `most_alerts`, `highest_signal`, `biggest_trades` (each an array of hot market items).',
  hotPeriod: '| period | string | 24h | `1h`, `6h`, `24h`, `7d`, `30d` |',
  hotLimit: '| limit | integer | 10 | 1 to 25, per list |',
  hotCategory: '| category | string | none | a category value |',
  hotSorted:
    'Each list is sorted descending by its own metric: `most_alerts` by alert count, `highest_signal` by average score, `biggest_trades` by total USDC.',

  // Key info
  meName: '| name | string | Custom label of the key. |',
  meTier: '| tier | string | `free`, `pro` or `enterprise`. |',
  meRate: '| rate_limit | string | Cap of the key, written like `<n>/min`. |',
  meWebsocket: '| websocket | boolean | True when the stream is allowed. |',
  meWebhooks: '| webhooks | boolean | True when webhook registration is allowed. |',
  meRealtime: '| realtime | boolean | False under the 5-minute free-tier delay. |',
  mePageSize: '| max_page_size | integer | Largest page size for `GET /alerts`. |',
  meToday: '| requests_today | integer | API calls made since UTC midnight. |',
  meNoParameters: 'No parameters. Response 200: key info.',

  // Stats
  statsTotal: '| total_alerts | integer | All-time number of alerts. |',
  statsToday: '| alerts_today | integer | Alerts since UTC midnight. |',
  statsAverage: "| avg_signal_today | float | Average signal score of today's alerts. |",
  statsClusters:
    '| clusters_today | integer | Times several fresh wallets were caught coordinating buys today. |',
  statsWinRate:
    '| win_rate | float | Fraction (0 to 1) of alerts on resolved markets whose trade was correct. |',
  statsResolved: '| total_resolved | integer | Alerted markets that have closed. |',
  statsWon: '| total_won | integer | Of those, alerts that were correct. |',
  statsReset: 'Counters reset at UTC midnight.',
  statsFree: 'Needs a key of any tier and does not count against the rate limit.',

  // Presets
  presetBody:
    'Request fields: `name` (string, required), `filters` (object of key/value filter pairs, required), `created_at` (string UTC timestamp, optional, defaults to the current time). Creation returns `id` (string) and `name` (string).',
  presetAnswer:
    'Body (JSON): preset request fields. Response 200: `id` (string), `name` (string). Response 422 when a required field is missing: see Errors.',

  // Webhooks
  webhookBody:
    'Request fields: `url` (string, required, HTTPS only), `categories` (string, optional, comma-separated category values; when omitted, every category is sent), `min_signal` (integer 0 to 100, optional, alerts with score equal or above are sent). Creation returns `id` (string) and `url` (string).',
  webhookList: 'Lists the webhooks active on the calling key.',
  webhookDelete: 'Removes the webhook so that deliveries stop.',
  webhookHttps: 'Only HTTPS addresses are supported.',

  // Webhook delivery
  pushChannel: 'Webhook push delivery to a customer HTTPS address. Available to Enterprise.',
  pushFields:
    'Webhook bodies and WebSocket alert data carry at least `id`, `alert_type`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `event_title`, `category`. Webhook bodies also carry `created_at`.',
  pushMatch:
    "When an alert passes the webhook's `categories` and `min_signal` criteria, the service sends an HTTP POST to the registered `url`. The body is the alert object as JSON.",
  pushAnswer: 'The receiver must reply with status 200 within 5 seconds. Failed deliveries are not retried.',

  // Endpoints
  needKey: 'All calls except `/hot-markets` need a key (see Authentication).',
  latestQuery:
    'Query: `limit` (integer, default 10, 1 to 50). Response 200: JSON array of alerts, newest first.',
  searchPage: '| page | integer | 1 | Page number. |',
  searchSize:
    '| (page size) | integer | 20 | Results per page. Maximum by tier: free 20, pro 50, enterprise 100. |',
  searchCategory: '| category | string | none | A category value. |',
  searchSide: '| (direction) | string | none | `BUY` or `SELL`. |',
  searchUsdc: '| min_usdc | float | none | Only trades larger than this USDC amount. |',
  searchSignal: '| min_signal | integer | none | 0 to 100; score equal or higher. |',
  searchText:
    '| (text search) | string | none | Matches market question, market slug, or an exact wallet address. |',
  searchAnswer:
    'Response 200: `alerts` (array of alert items), `total` (integer, count of matches), `page` (integer), `page_size` (integer), `has_more` (boolean).',
  byId: 'Path: `id` (integer, required). Response 200: one alert. Response 404: see Errors.',

  // Authentication
  bearer: 'REST calls carry the header `Authorization: Bearer <API_KEY>`.',
  publicAndAnyTier: '`GET /hot-markets` needs no key. `GET /stats` needs a key of any tier.',
  prefix: 'Keys have the prefix `sk_live_` followed by a high-entropy random string.',
  hashed: 'Keys are stored hashed; a lost key cannot be recovered.',
  chatFlow:
    'Free and Pro keys are issued instantly through an automated chat-bot flow, after which the user joins a community channel and picks a tier. Enterprise keys are provisioned manually by the operator on request.',
  downgrade: 'Pro keys are free for the first 30 days and then downgrade to Free automatically.',
  freshness: '| Data freshness | 5-minute delay | real-time | real-time |',
  pulls: '| Pulls per minute | 60 | 300 | unlimited |',
  streams: '| WebSocket stream | no | yes | yes |',
  deliveries: '| Webhook delivery | no | no | yes |',

  // Errors
  notFound:
    '| `GET /alerts/{id}` with an unknown id | 404 | `{detail: <string>}` with a message that names the id and says it was not found |',
  missingField:
    'For a missing name, `loc` is body then name, `msg` says the field is required, and `type` is a missing-value type.',

  // Stream
  streamPath:
    'A WebSocket stream at `{ws_url}/ws/alerts`. This path is at the host root and is not under `/api/v1`. Available to Pro and Enterprise.',
  streamFields:
    'Webhook bodies and WebSocket alert data carry at least `id`, `alert_type`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `event_title`, `category`.',
  streamKey: 'The WebSocket takes the key in the query parameter `api_key`, not in a header.',
  streamJson: 'Server messages are JSON with a `type` field:',
  streamConnected:
    '| `connected` | Once, when the connection is authenticated. | `message` (string), `tier` (string) |',
  streamAlert: '| `alert` | For each live alert. | `data`: an alert object |',
  streamPong: '| `pong` | Immediately after the client sends `ping`. | not stated |',
  streamPing: 'Client message: the plain text string `ping`.',
  streamWindow: 'The server drops a connection that sends no `ping` in any rolling 30-second window.',
  streamInterval: 'A 20 to 25 second interval is advised.',
  streamFree: 'A Free-tier key is dropped immediately after connecting.',
  streamDropped:
    'WebSocket: a Free key or a missed keep-alive results in the connection being dropped by the server.',

  // Versioning
  version: 'The version is carried in the path prefix `/api/v1`. The API description version is 1.0.',
} as const;
