import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openSqliteTarget } from '../../../../src/infra/database/sqlite/sqlite-rows.ts';
import { copyRows, isEqual } from '../../../../src/infra/database/transfer/copy-rows.ts';
import { openRowSource } from '../../../../src/infra/database/transfer/open-rows.ts';
import { type RowSource, TABLE_GROUPS } from '../../../../src/infra/database/transfer/transfer-table.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { seededRandom } from '../../../support/random.ts';
import { brokenReferences } from '../../../support/transfer/broken-references.ts';
import { busyTasks, SOURCE } from '../../../support/transfer/busy-service.ts';
import { Gate } from '../../../support/transfer/gate.ts';
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
