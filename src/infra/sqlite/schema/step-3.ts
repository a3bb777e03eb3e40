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
