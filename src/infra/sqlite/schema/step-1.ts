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
