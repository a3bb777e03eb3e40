/**
 * Webhooks with filters and events; deliveries of outcomes and repeated ones; the requests that an `Idempotency-Key` names.
 */
export const STEP_10 = `
ALTER TABLE webhooks ADD COLUMN filters TEXT;
ALTER TABLE webhooks ADD COLUMN events TEXT;

ALTER TABLE deliveries ADD COLUMN outcome INTEGER;
ALTER TABLE deliveries ADD COLUMN repeats TEXT;
CREATE INDEX deliveries_requested ON deliveries (created_at, id) WHERE state = 'requested';

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
`;
