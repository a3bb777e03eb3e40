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
