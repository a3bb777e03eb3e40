/** The ledger, its searches, the ingest and the keys. */
export const STEP_1 = `
CREATE TABLE alerts (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  wallet TEXT NOT NULL,
  body TEXT NOT NULL,
  payout REAL,
  won INTEGER,
  profit_usdc REAL
) STRICT;
CREATE INDEX alerts_by_wallet ON alerts (wallet);

CREATE TABLE listings (
  id INTEGER PRIMARY KEY,
  market_id TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  title_lower TEXT NOT NULL,
  slug_lower TEXT NOT NULL,
  UNIQUE (market_id, title, slug)
) STRICT;

CREATE TABLE alert_facets (
  id INTEGER PRIMARY KEY REFERENCES alerts (id),
  created_at INTEGER NOT NULL,
  listing INTEGER NOT NULL REFERENCES listings (id),
  category TEXT NOT NULL,
  side TEXT NOT NULL,
  type TEXT NOT NULL,
  score REAL NOT NULL,
  usdc REAL NOT NULL,
  is_resolved INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_facets_by_time ON alert_facets (created_at);
CREATE INDEX alert_facets_by_listing ON alert_facets (listing);

CREATE TABLE resolutions (
  market_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  outcomes TEXT NOT NULL,
  payouts TEXT NOT NULL,
  resolved INTEGER NOT NULL,
  won INTEGER NOT NULL
) STRICT;
CREATE INDEX resolutions_with_alerts ON resolutions (resolved, won) WHERE resolved > 0;

CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  owner TEXT,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE snapshots (
  source TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL,
  chunk_count INTEGER
) STRICT;
CREATE TABLE snapshot_chunks (
  source TEXT NOT NULL REFERENCES snapshots (source),
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (source, position)
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  lookup TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  tier TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  trial_ends_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE usage (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (day, key_id)
) STRICT, WITHOUT ROWID;
`;

/** Beside the new tables: what a record is summed up from, and what a text search reads alone, its listings' index. */
export const STEP_2 = `
CREATE TABLE presets (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  name TEXT NOT NULL,
  filters TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX presets_by_key ON presets (key_id, created_at, id);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  url TEXT NOT NULL,
  categories TEXT,
  min_score INTEGER,
  secret_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_key ON webhooks (key_id, created_at, id);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  secret TEXT NOT NULL
) STRICT;

ALTER TABLE alert_facets ADD COLUMN won INTEGER;
ALTER TABLE alert_facets ADD COLUMN entry REAL NOT NULL DEFAULT 0;
UPDATE alert_facets SET (won, entry) = (
  SELECT alerts.won, CASE side WHEN 'BUY' THEN price ELSE 1 - price END
  FROM (SELECT won, body ->> '$.entryPrice' AS price FROM alerts WHERE alerts.id = alert_facets.id) AS alerts
);
DROP INDEX alert_facets_by_listing;
CREATE INDEX alert_facets_by_listing
  ON alert_facets (listing, id, category, side, type, score, usdc, is_resolved, won, entry);
`;

/** The outbox of webhooks. */
export const STEP_3 = `
ALTER TABLE webhooks ADD COLUMN rotated_at INTEGER;
ALTER TABLE webhooks ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN failures_in_row INTEGER NOT NULL DEFAULT 0;

CREATE TABLE notices (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  facts TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  alert_id INTEGER,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  owner TEXT,
  claimed_at INTEGER,
  call TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_ended ON deliveries (webhook_id, state, created_at, id)
  WHERE state NOT IN ('pending', 'claimed');
CREATE INDEX deliveries_by_age ON deliveries (created_at);
CREATE INDEX deliveries_pending ON deliveries (created_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_claimed ON deliveries (claimed_at, id) WHERE state = 'claimed';

CREATE TABLE delivery_cursor (
  name TEXT PRIMARY KEY,
  alert_id INTEGER NOT NULL
) STRICT;
`;
