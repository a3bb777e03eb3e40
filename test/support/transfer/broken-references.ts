import { openReader } from '../../../src/infra/database/sqlite/connection.ts';

/**
 * What no crash of a service can leave in its database, each as a query that finds nothing there. Positions of the journal and
 * ids of alerts are those of `busyTasks`.
 */
const QUERIES: Readonly<Record<string, string>> = {
  'alerts: ids are 1, 2, 3 …': 'SELECT max(id) FROM alerts HAVING max(id) <> count(*)',
  'log: entries are 1, 2, 3 …': 'SELECT max(sequence) FROM log HAVING max(sequence) <> count(*)',
  'log: each entry has the hash of the one before':
    'SELECT b.sequence FROM log a JOIN log b ON b.sequence = a.sequence + 1 WHERE b.previous <> a.hash',
  'alerts: each but the last has its entry':
    "SELECT id FROM alerts WHERE id < (SELECT max(id) FROM alerts) AND NOT EXISTS (SELECT 1 FROM log WHERE subject = 'alert:' || id AND sequence = alerts.log_sequence)",
  'log: each alert entry has its alert':
    "SELECT sequence FROM log WHERE kind = 'alert' AND NOT EXISTS (SELECT 1 FROM alerts WHERE subject = 'alert:' || id)",
  'settlements: each but the last has its entry':
    "SELECT market_id FROM settlements WHERE seq < (SELECT max(seq) FROM settlements) AND log IS NOT NULL AND NOT EXISTS (SELECT 1 FROM log AS entry WHERE entry.hash = settlements.log ->> '$.hash')",
  'log: each outcome has its market':
    "SELECT sequence FROM log WHERE kind IN ('outcome', 'correction') AND NOT EXISTS (SELECT 1 FROM settlements WHERE subject = 'market:' || market_id)",
  'log: each statement is there':
    "SELECT sequence FROM log WHERE kind = 'annotation' AND NOT EXISTS (SELECT 1 FROM statements WHERE number = log.body ->> '$.number')",
  'log: each window is there':
    "SELECT sequence FROM log WHERE kind = 'blind_opened' AND NOT EXISTS (SELECT 1 FROM blind_windows WHERE id = log.body ->> '$.id')",
  'cursors: none is beyond the last alert':
    "SELECT name FROM delivery_cursor WHERE name NOT LIKE '%_changes' AND name <> 'webhook_settlements' AND alert_id > (SELECT coalesce(max(id), 0) FROM alerts)",
  'deliveries: each has its alert': 'SELECT id FROM deliveries WHERE alert_id NOT IN (SELECT id FROM alerts)',
  'deliveries: every alert up to the cursor has one':
    "SELECT id FROM alerts WHERE id <= (SELECT alert_id FROM delivery_cursor WHERE name = 'webhooks') AND id NOT IN (SELECT alert_id FROM deliveries)",
  'keys: each has its customer':
    'SELECT id FROM api_keys WHERE customer_id NOT IN (SELECT id FROM customers WHERE is_moved = 0)',
  'keys: each trial is known of its customer':
    "SELECT id FROM api_keys WHERE tier = 'pro' AND revoked_at IS NULL AND customer_id NOT IN (SELECT id FROM customers WHERE trial_ends_at IS NOT NULL)",
  'handles: each but that of the newest person, who is stored next, has its customer':
    'SELECT user_id FROM handles WHERE CAST(user_id AS INTEGER) < (SELECT max(CAST(user_id AS INTEGER)) FROM handles) AND customer_id NOT IN (SELECT id FROM customers WHERE is_moved = 0)',
  'webhooks: each has its key':
    "SELECT id FROM webhooks WHERE key_id <> 'key_of_none' AND key_id NOT IN (SELECT id FROM api_keys)",
  'past requests: each has its key':
    'SELECT request FROM key_requests WHERE key_id NOT IN (SELECT id FROM api_keys)',
  'snapshots: each named chunk is there':
    "SELECT sets.value FROM lease, json_each(snapshots) AS snapshot, json_each(snapshot.value, '$.sets') AS sets WHERE (SELECT count(*) FROM snapshot_chunks WHERE set_id = sets.value ->> '$.id') < sets.value ->> '$.count'",
  'journal: batches follow each other':
    'SELECT a.first FROM journal a WHERE a.next <= (SELECT max(first) FROM journal) AND a.next NOT IN (SELECT first FROM journal)',
  'journal: it has the rows up to the snapshot, and of every alert':
    "SELECT max(next) AS end FROM journal HAVING end <= (SELECT max(snapshot.value ->> '$.checkpoint.offset') FROM lease, json_each(snapshots) AS snapshot) OR end <= (SELECT max(CAST(substr(key, 5) AS INTEGER)) FROM alerts)",
  'observations: each hour has its market':
    'SELECT key FROM observed_hours WHERE key / 16777216 NOT IN (SELECT number FROM observed_markets)',
  'lease: its epoch is that of the newest chunks':
    "SELECT set_id FROM snapshot_chunks WHERE CAST(set_id AS INTEGER) > (SELECT epoch FROM lease WHERE name = 'ingest')",
};

export function brokenReferences(file: string): Readonly<Record<string, unknown>> {
  const db = openReader(file);
  const found = Object.entries(QUERIES).map(([rule, query]) => [rule, db.prepare(query).all()] as const);
  db.close();
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
}
