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

/**
 * Threads of alerts: the key, the first alert of the thread and the one before, filled in one pass. Posts know the thread of
 * their alert; those from before are threads of their own. Posts of an alert are found by their ids.
 */
export const STEP_6 = `
ALTER TABLE alerts ADD COLUMN thread TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN thread_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alerts ADD COLUMN supersedes INTEGER;
UPDATE alerts SET thread = places.thread, thread_id = places.first, supersedes = places.before
FROM (
  SELECT id, thread,
    FIRST_VALUE(id) OVER (PARTITION BY thread ORDER BY id) AS first, LAG(id) OVER (PARTITION BY thread ORDER BY id) AS before
  FROM (
    SELECT id, CASE body ->> '$.type' WHEN 'cluster' THEN 'c' ELSE 'w:' || wallet END
      || ':' || coalesce(body ->> '$.marketId', '') || ':' || coalesce(body ->> '$.side', '')
      || ':' || coalesce(body ->> '$.outcome', '') AS thread
    FROM alerts
  )
) AS places
WHERE places.id = alerts.id;
CREATE INDEX alerts_by_thread ON alerts (thread);
ALTER TABLE chat_messages ADD COLUMN thread_id INTEGER;
UPDATE chat_messages SET facts = json_set(facts, '$.threadId', json_extract(facts, '$.alertId'))
  WHERE kind IN ('alert', 'alert_result');
UPDATE chat_messages SET thread_id = alert_id WHERE kind = 'alert';
CREATE INDEX chat_messages_by_thread ON chat_messages (thread_id, recipient) WHERE thread_id IS NOT NULL;
DROP INDEX chat_messages_by_alert;
`;

/**
 * Snapshots name sets of chunks, which are written before them. `id` is what a set is deleted by without reading its texts.
 * The chunks of a snapshot from before are one set under the name of the source.
 */
export const STEP_7 = `
CREATE TABLE chunks_in_sets (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  set_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (set_id, position)
) STRICT;
INSERT INTO chunks_in_sets (source, set_id, position, text)
  SELECT source, source, position, text FROM snapshot_chunks;
DROP TABLE snapshot_chunks;
ALTER TABLE chunks_in_sets RENAME TO snapshot_chunks;
CREATE INDEX snapshot_chunks_by_source ON snapshot_chunks (source, set_id);
ALTER TABLE snapshots ADD COLUMN sets TEXT;
UPDATE snapshots SET sets = json_array(json_object('id', source, 'count', chunk_count)) WHERE chunk_count IS NOT NULL;
ALTER TABLE snapshots DROP COLUMN chunk_count;
`;

/**
 * The log, the operators' statements, and observations. An hour has one integer key (`hourKey`), as rows of a `WITHOUT ROWID`
 * table spill over to pages of their own from 1,002 bytes on.
 */
export const STEP_8 = `
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
ALTER TABLE resolutions ADD COLUMN log TEXT;

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
`;

/** Rows are numbered 1, 2, 3 … and stay as they are. */
function appendOnly(table: string, key: string): string {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table}: rows are only appended, each with the next ${key}'); END;`;
  return `
CREATE TRIGGER ${table}_is_dense BEFORE INSERT ON ${table}
  WHEN NEW.${key} IS NOT (SELECT COALESCE(MAX(${key}), 0) + 1 FROM ${table}) ${refuse}
CREATE TRIGGER ${table}_is_never_changed BEFORE UPDATE ON ${table} ${refuse}
CREATE TRIGGER ${table}_is_never_shortened BEFORE DELETE ON ${table} ${refuse}`;
}
