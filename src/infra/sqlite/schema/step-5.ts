/** The live market: the journal of its rows, its gaps, the ages of wallets, and markets that await an outcome. */
export const STEP_5 = `
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

CREATE INDEX alert_facets_unresolved ON alert_facets (id, listing) WHERE is_resolved = 0;
`;
