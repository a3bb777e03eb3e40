import type { DatabaseSync } from 'node:sqlite';
import { newerSchemaError } from '../database/schema-version.ts';
import { prepareQuery, transaction } from './connection.ts';

/**
 * Step n leads from version n to n + 1; a step that was released never changes.
 *
 * An alert is two rows: `alerts` holds it whole, `alert_facets` only what it is searched by. A filter that no index
 * serves is found by walking the facets, a fraction of the bytes.
 */
const MIGRATIONS = [
  `
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
  `,
  // Beside the new tables: what a record is summed up from, and what a text search reads alone, its listings' index.
  `
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
  `,
  `
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
  `,
  `
  ALTER TABLE api_keys ADD COLUMN customer_id TEXT;
  ALTER TABLE api_keys ADD COLUMN request TEXT;
  ALTER TABLE api_keys ADD COLUMN is_shown INTEGER;
  ALTER TABLE api_keys ADD COLUMN previous_lookup TEXT;
  ALTER TABLE api_keys ADD COLUMN previous_hash TEXT;
  ALTER TABLE api_keys ADD COLUMN previous_ends_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN limits TEXT;
  ALTER TABLE api_keys ADD COLUMN first_used_at INTEGER;
  CREATE UNIQUE INDEX api_keys_by_request ON api_keys (request) WHERE request IS NOT NULL;
  CREATE UNIQUE INDEX api_keys_by_former_secret ON api_keys (previous_lookup) WHERE previous_lookup IS NOT NULL;
  CREATE INDEX api_keys_by_customer ON api_keys (customer_id, created_at, id) WHERE customer_id IS NOT NULL;

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    command TEXT NOT NULL,
    args TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_is_added_at_its_end BEFORE INSERT ON audit
    WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM audit)
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
  CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
  CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
  CREATE TABLE switches (
    name TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    by TEXT NOT NULL
  ) STRICT;

  CREATE TABLE job_runs (
    job TEXT NOT NULL,
    period TEXT NOT NULL,
    owner TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT,
    is_failed INTEGER NOT NULL,
    PRIMARY KEY (job, period)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_runs_by_start ON job_runs (job, started_at, period);

  CREATE TABLE pulses (
    owner TEXT PRIMARY KEY,
    roles TEXT NOT NULL,
    at INTEGER NOT NULL,
    checks TEXT NOT NULL
  ) STRICT;

  CREATE TABLE agenda_jobs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    next_run_at INTEGER,
    locked_at INTEGER,
    priority INTEGER NOT NULL,
    is_disabled INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX agenda_jobs_single ON agenda_jobs (name) WHERE type = 'single';
  CREATE INDEX agenda_jobs_by_next_run ON agenda_jobs (name, next_run_at);
  CREATE TABLE chat_messages (
    id TEXT PRIMARY KEY,
    recipient TEXT NOT NULL,
    lane TEXT NOT NULL,
    kind TEXT NOT NULL,
    facts TEXT NOT NULL,
    alert_id INTEGER,
    market_id TEXT,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT,
    place TEXT,
    sent_at INTEGER,
    ended_at INTEGER,
    owner TEXT,
    claimed_at INTEGER
  ) STRICT;
  CREATE INDEX chat_messages_due ON chat_messages (lane, due_at, id) WHERE state = 'pending';
  CREATE INDEX chat_messages_claimed ON chat_messages (claimed_at, id) WHERE state = 'sending';
  CREATE INDEX chat_messages_by_recipient ON chat_messages (recipient, kind, sent_at);
  CREATE INDEX chat_messages_by_alert ON chat_messages (alert_id, id) WHERE kind = 'alert';
  CREATE INDEX chat_messages_by_market ON chat_messages (market_id, id) WHERE kind = 'alert';
  CREATE INDEX chat_messages_folded ON chat_messages (recipient, ended_at) WHERE state = 'folded';
  CREATE INDEX chat_messages_ended ON chat_messages (ended_at) WHERE ended_at IS NOT NULL;
  INSERT INTO chat_messages (id, recipient, lane, kind, facts, created_at, due_at, state, attempts)
    SELECT id, 'key:' || key_id, 'private', kind, facts, created_at, created_at, 'pending', 0 FROM notices;
  DROP TABLE notices;
  CREATE INDEX api_keys_in_trial ON api_keys (trial_ends_at, id) WHERE tier = 'pro' AND revoked_at IS NULL;

  CREATE TABLE key_requests (
    request TEXT PRIMARY KEY,
    key_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_requests_by_key ON key_requests (key_id);

  CREATE TABLE customers (
    id TEXT PRIMARY KEY,
    trial_request TEXT,
    trial_started_at INTEGER,
    trial_ends_at INTEGER,
    banned_at INTEGER,
    created_at INTEGER NOT NULL,
    merged_into TEXT,
    is_moved INTEGER NOT NULL,
    erasing_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX customers_by_trial_end ON customers (trial_ends_at) WHERE trial_ends_at IS NOT NULL;
  CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL;
  CREATE INDEX customers_unfinished ON customers (id)
    WHERE erasing_at IS NOT NULL OR (merged_into IS NOT NULL AND is_moved = 0);

  CREATE TABLE handles (
    platform TEXT NOT NULL,
    user_id TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    name TEXT,
    name_lower TEXT,
    chat TEXT NOT NULL,
    is_reachable INTEGER NOT NULL,
    PRIMARY KEY (platform, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX handles_by_customer ON handles (customer_id);
  CREATE INDEX handles_by_name ON handles (name_lower) WHERE name_lower IS NOT NULL;

  CREATE TABLE link_codes (
    customer_id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE past_trials (mark TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
];

/** Brings the database to this build's version; refuses one that is ahead of it. */
export function migrate(db: DatabaseSync): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  transaction(db, () => {
    // Read again under the lock: another process may have migrated meanwhile.
    const found = versionOf(db);
    if (found > MIGRATIONS.length) throw newerSchemaError(found, MIGRATIONS.length);
    for (const step of MIGRATIONS.slice(found)) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(db: DatabaseSync): number {
  return prepareQuery<{ user_version: number }>(db, 'PRAGMA user_version').get()?.user_version ?? 0;
}
