import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openReader } from '../../../../src/infra/database/sqlite/connection.ts';
import { openSqliteTarget } from '../../../../src/infra/database/sqlite/sqlite-rows.ts';
import { copyRows, isEqual } from '../../../../src/infra/database/transfer/copy-rows.ts';
import { openRowSource } from '../../../../src/infra/database/transfer/open-rows.ts';
import { type RowSource, TABLE_GROUPS } from '../../../../src/infra/database/transfer/transfer-table.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { eachCall } from '../../../support/each-call.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { seededRandom } from '../../../support/random.ts';
import { busyTasks, SOURCE } from '../../../support/transfer/busy-service.ts';
import { SILENT_LOG, watchOf } from '../../../support/transfer/silent-watch.ts';

const SEEDS = Array.from({ length: Number(process.env['BACKUP_SEEDS'] ?? 3) }, (_, index) => index + 1);
/** Small, so that the service writes within each table, too. */
const GROUPS = TABLE_GROUPS.map((group) => group.map((table) => ({ ...table, batch: 3 })));

/** A service makes some calls before each read of its database. */
function readAmong(source: RowSource, gate: Gate, random: () => number): RowSource {
  return {
    name: source.name,
    isFrozen: source.isFrozen,
    count: async () => 0,
    size: async () => 0,
    close: async () => {},
    async read(table, after) {
      await gate.pass(Math.floor(random() * 8));
      return source.read(table, after);
    },
  };
}

async function backedUp({ database, url }: TestDatabase, seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'backup.db');
  const random = seededRandom(seed);
  const gate = new Gate(random);
  const service = gate.before(database);
  for (const task of busyTasks(service)) gate.start(task);
  await gate.pass(200 + Math.floor(random() * 400));

  const source = await openRowSource({ url }, SILENT_LOG, { isFrozen: database.kind === 'sqlite' });
  const target = openSqliteTarget(file);
  try {
    const options = { source: readAmong(source, gate, random), target, isStill: source.isFrozen };
    const reports = await copyRows({ ...options, watch: watchOf() }, GROUPS);
    expect(reports.filter((report) => !isEqual(report))).toEqual([]);
  } finally {
    await target.close();
    await source.close();
  }
  return file;
}

describe.each(DATABASES)('a backup of a running service on $name', ({ available, open }) => {
  test.skipIf(!available).each(SEEDS)(
    'is a state that a crash could leave, from which a service starts (%i)',
    async (seed) => {
      const opened = await open();
      onTestFinished(opened.drop);
      const file = await backedUp(opened, seed);
      expect(brokenReferences(file)).toEqual({});

      const restored = await openDatabase(`sqlite:${file}`);
      onTestFinished(() => restored.close());
      await ledgerOver(restored).open();
      const [last] = await restored.alerts.latest({ limit: 1 });
      expect(last?.id).toBeGreaterThan(0);
      const snapshot = await restored.ingest.readSnapshot(SOURCE);
      for (const { id, count } of snapshot?.sets ?? [])
        expect(await restored.ingest.readChunks(id, { first: 0, limit: 10 })).toHaveLength(count);
    },
  );
});

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
  'log: each window is there':
    "SELECT sequence FROM log WHERE kind = 'blind_opened' AND NOT EXISTS (SELECT 1 FROM blind_windows WHERE id = log.body ->> '$.id')",
  'cursors: none is beyond the last alert':
    "SELECT name FROM delivery_cursor WHERE name NOT LIKE '%_changes' AND name NOT IN ('webhook_outcomes', 'webhook_exits') AND alert_id > (SELECT coalesce(max(id), 0) FROM alerts)",
  'deliveries: each has its alert': 'SELECT id FROM deliveries WHERE alert_id NOT IN (SELECT id FROM alerts)',
  'deliveries: every alert up to the cursor has one':
    "SELECT id FROM alerts WHERE id <= (SELECT alert_id FROM delivery_cursor WHERE name = 'webhooks') AND id NOT IN (SELECT alert_id FROM deliveries)",
  'keys: each has its customer':
    'SELECT id FROM api_keys WHERE customer_id NOT IN (SELECT id FROM customers)',
  'keys: each trial is known of its customer':
    "SELECT id FROM api_keys WHERE tier = 'pro' AND revoked_at IS NULL AND customer_id NOT IN (SELECT id FROM customers WHERE trial_ends_at IS NOT NULL)",
  'followers: each has its customer':
    'SELECT customer_id FROM followers WHERE customer_id NOT IN (SELECT id FROM customers)',
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

function brokenReferences(file: string): Readonly<Record<string, unknown>> {
  const db = openReader(file);
  const found = Object.entries(QUERIES).map(([rule, query]) => [rule, db.prepare(query).all()] as const);
  db.close();
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
}

/** Holds calls back, and makes one of those that wait when it is asked to. */
class Gate {
  readonly #random: () => number;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  readonly #failures: unknown[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The database with every call of every store held back. */
  before(database: Database): Database {
    const run = (call: () => Promise<unknown>) =>
      new Promise<unknown>((resolve, reject) => {
        this.#waiting.push(() => call().then(resolve, reject));
      });
    const stores = Object.entries(database).map(([name, part]) => [
      name,
      typeof part === 'object' && part !== null ? eachCall(part, run) : part,
    ]);
    return Object.fromEntries(stores) as Database;
  }

  /** Runs a task until its calls are no longer made. Its failure is thrown by `pass`. */
  start(task: () => Promise<void>): void {
    task().catch((error: unknown) => this.#failures.push(error));
  }

  async pass(count: number): Promise<void> {
    for (let passed = 0; passed < count; passed += 1) {
      await nextTick();
      if (this.#failures.length > 0) throw this.#failures[0];
      const [call] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
      await call?.();
    }
  }
}
