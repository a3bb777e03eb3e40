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
