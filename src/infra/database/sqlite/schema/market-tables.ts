import { appendOnly } from './append-only.ts';

/**
 * The ledger of alerts, what the ingest keeps, the log, and observations.
 *
 * An alert is two rows: `alerts` has all of it, `alert_facets` only the fields that searches use. A filter without an index
 * reads all facets, a fraction of the bytes. Chunks of a snapshot have an `id`, by which a set is deleted without reading its
 * texts. An hour of observations has one integer key (`hourKey`), as rows of a `WITHOUT ROWID` table spill over to pages of
 * their own from 1,002 bytes on.
 */
export const MARKET_TABLES = `
CREATE TABLE alerts (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  wallet TEXT NOT NULL,
  body TEXT NOT NULL,
  payout REAL,
  won INTEGER,
  profit_usdc REAL,
  thread TEXT NOT NULL,
  thread_id INTEGER NOT NULL,
  supersedes INTEGER
) STRICT;
CREATE INDEX alerts_by_wallet ON alerts (wallet);
CREATE INDEX alerts_by_thread ON alerts (thread);

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
  is_resolved INTEGER NOT NULL,
  won INTEGER,
  entry REAL NOT NULL
) STRICT;
CREATE INDEX alert_facets_by_time ON alert_facets (created_at);
CREATE INDEX alert_facets_by_listing
  ON alert_facets (listing, id, category, side, type, score, usdc, is_resolved, won, entry);
CREATE INDEX alert_facets_unresolved ON alert_facets (id, listing) WHERE is_resolved = 0;

CREATE TABLE resolutions (
  market_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  outcomes TEXT NOT NULL,
  payouts TEXT NOT NULL,
  resolved INTEGER NOT NULL,
  won INTEGER NOT NULL,
  log TEXT
) STRICT;
CREATE INDEX resolutions_with_alerts ON resolutions (resolved, won) WHERE resolved > 0;

CREATE TABLE log (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX log_by_time ON log (at);
CREATE INDEX log_by_subject ON log (subject);
CREATE INDEX log_by_kind ON log (kind);
${appendOnly('log', 'sequence')}

CREATE TABLE statements (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  wallet TEXT,
  alert_id INTEGER,
  reason TEXT
) STRICT;
CREATE INDEX statements_by_wallet ON statements (wallet) WHERE wallet IS NOT NULL;
CREATE INDEX statements_of_hiding ON statements (wallet, number, kind) WHERE kind IN ('hide', 'unhide');
${appendOnly('statements', 'number')}

CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  owner TEXT,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE snapshots (
  source TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL,
  sets TEXT
) STRICT;

CREATE TABLE snapshot_chunks (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  set_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (set_id, position)
) STRICT;
CREATE INDEX snapshot_chunks_by_source ON snapshot_chunks (source, set_id);

CREATE TABLE journal (
  first INTEGER PRIMARY KEY,
  next INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  lines BLOB NOT NULL
) STRICT;

CREATE TABLE blind_windows (
  id TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  cause TEXT NOT NULL,
  backfilled_at INTEGER
) STRICT;
CREATE INDEX blind_windows_by_start ON blind_windows (started_at, id);
CREATE INDEX blind_windows_unsettled ON blind_windows (started_at, id)
  WHERE ended_at IS NULL OR backfilled_at IS NULL;

CREATE TABLE feed_position (
  name TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  confirmed_until INTEGER NOT NULL,
  oldest_waiting INTEGER
) STRICT;

CREATE TABLE wallet_ages (
  wallet TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  source TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE observed_markets (
  number INTEGER PRIMARY KEY,
  market_id TEXT NOT NULL UNIQUE,
  is_open INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX observed_markets_open ON observed_markets (market_id) WHERE is_open = 1;

CREATE TABLE observed_hours (
  key INTEGER PRIMARY KEY,
  text BLOB NOT NULL
) STRICT;

CREATE TABLE records (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  text BLOB NOT NULL
) STRICT;
`;
