import { appendOnly } from './append-only.ts';

/** Keys, webhooks, customers, chat, operators and jobs. */
export const CUSTOMER_TABLES = `
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  lookup TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  tier TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  trial_ends_at INTEGER,
  revoked_at INTEGER,
  customer_id TEXT,
  request TEXT,
  is_shown INTEGER,
  previous_lookup TEXT,
  previous_hash TEXT,
  previous_ends_at INTEGER,
  limits TEXT,
  first_used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX api_keys_by_request ON api_keys (request) WHERE request IS NOT NULL;
CREATE UNIQUE INDEX api_keys_by_former_secret ON api_keys (previous_lookup) WHERE previous_lookup IS NOT NULL;
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX api_keys_in_trial ON api_keys (trial_ends_at, id) WHERE tier = 'pro' AND revoked_at IS NULL;

CREATE TABLE key_requests (
  request TEXT PRIMARY KEY,
  key_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX key_requests_by_key ON key_requests (key_id);

CREATE TABLE usage (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (day, key_id)
) STRICT, WITHOUT ROWID;

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
  failed INTEGER NOT NULL,
  rotated_at INTEGER,
  is_paused INTEGER NOT NULL,
  failures_in_row INTEGER NOT NULL,
  filters TEXT,
  events TEXT
) STRICT;
CREATE INDEX webhooks_by_key ON webhooks (key_id, created_at, id);

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
  call TEXT,
  outcome INTEGER,
  repeats TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_ended ON deliveries (webhook_id, state, created_at, id)
  WHERE state NOT IN ('pending', 'claimed');
CREATE INDEX deliveries_by_age ON deliveries (created_at);
CREATE INDEX deliveries_pending ON deliveries (created_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_claimed ON deliveries (claimed_at, id) WHERE state = 'claimed';
CREATE INDEX deliveries_requested ON deliveries (created_at, id) WHERE state = 'requested';

CREATE TABLE delivery_cursor (
  name TEXT PRIMARY KEY,
  alert_id INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  is_created INTEGER NOT NULL,
  PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  secret TEXT NOT NULL
) STRICT;

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
  claimed_at INTEGER,
  thread_id INTEGER,
  unsure_since INTEGER,
  score INTEGER
) STRICT;
CREATE INDEX chat_messages_due ON chat_messages (lane, due_at, id) WHERE state = 'pending';
CREATE INDEX chat_messages_claimed ON chat_messages (claimed_at, id) WHERE state = 'sending';
CREATE INDEX chat_messages_by_recipient ON chat_messages (recipient, kind, sent_at);
CREATE INDEX chat_messages_by_market ON chat_messages (market_id, id) WHERE kind = 'alert';
CREATE INDEX chat_messages_folded ON chat_messages (recipient, ended_at) WHERE state = 'folded';
CREATE INDEX chat_messages_ended ON chat_messages (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX chat_messages_by_thread ON chat_messages (thread_id, recipient) WHERE thread_id IS NOT NULL;
CREATE INDEX chat_messages_posts ON chat_messages (recipient, created_at) WHERE kind = 'alert';
CREATE INDEX chat_messages_unknown ON chat_messages (ended_at, id) WHERE state = 'unknown';

CREATE TABLE key_messages (
  bot TEXT NOT NULL,
  message_ref TEXT NOT NULL,
  request TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (bot, message_ref)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_messages_due ON key_messages (bot, due_at, message_ref);
CREATE INDEX key_messages_by_request ON key_messages (bot, request, created_at);

CREATE TABLE chat_questions (
  platform TEXT NOT NULL,
  user_id TEXT NOT NULL,
  action TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (platform, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_questions_by_end ON chat_questions (expires_at);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  command TEXT NOT NULL,
  args TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;
${appendOnly('audit', 'seq')}

CREATE TABLE switches (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  by TEXT NOT NULL
) STRICT;

CREATE TABLE operator_requests (
  id TEXT PRIMARY KEY,
  needs TEXT NOT NULL,
  command TEXT NOT NULL,
  args TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  answer TEXT
) STRICT;
CREATE INDEX operator_requests_by_state ON operator_requests (state, needs, at);
CREATE INDEX operator_requests_by_time ON operator_requests (at);

CREATE TABLE operator_alarms (
  name TEXT PRIMARY KEY,
  is_raised INTEGER NOT NULL,
  sentence TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  raises INTEGER NOT NULL,
  is_reported INTEGER NOT NULL
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
`;
