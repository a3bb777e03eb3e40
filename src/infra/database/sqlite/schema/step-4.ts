/** Customers and what is said to them, the operator, clock work. */
export const STEP_4 = `
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
`;
