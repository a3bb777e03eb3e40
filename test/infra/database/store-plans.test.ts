import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTables } from '../../../src/infra/database/sqlite/schema.ts';
import { SqliteCollection } from '../../../src/infra/database/sqlite/sqlite-collection.ts';
import type { OpenCollection } from '../../../src/infra/database/stores/collection.ts';
import { createStores } from '../../../src/infra/database/stores/stores.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { NAMED_CALLS } from './store-calls.ts';

const OF_ALERTS = 'SEARCH alerts USING COVERING INDEX';
/** Reads of many alerts, which an index has all of. */
const COVERED: Readonly<Record<string, string[]>> = {
  'alerts.unresolvedMarkets': [`${OF_ALERTS} alerts_unresolved (is_resolved=? AND id>?)`],
};

describe('SQLite answers every call of a shared store from an index', () => {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const statements = new Set<string>();
  const recording = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'prepare') statements.add(String(args[0]));
        return value.apply(target, args);
      };
    },
  });

  test.each(NAMED_CALLS)('$name', async ({ name, run }) => {
    statements.clear();
    // Its own, as a collection prepares a statement once.
    const open: OpenCollection = (declaration) => new SqliteCollection(recording, declaration);
    const stores = createStores({ open, openQuick: open, openRestorable: open });

    await run(stores);

    expect(statements.size).toBeGreaterThan(0);
    const stepsOf = (sql: string) => {
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      return steps.map(({ detail }) => String(detail));
    };
    const scans = [...statements].flatMap((sql) => {
      const steps = stepsOf(sql);
      // The first rows in the order of the key.
      if (/^[^?]* ORDER BY \w+(?: DESC)? LIMIT (?:\?|1)$/.test(sql) && steps.length === 1) return [];
      return steps
        .filter((step) => /^SCAN (?!json_each|CONSTANT|\w+ USING)/.test(step))
        .map((step) => `${step}: ${sql}`);
    });
    expect(scans).toEqual([]);
    expect([...statements].flatMap(stepsOf)).toEqual(expect.arrayContaining(COVERED[name] ?? []));
  });
});

const mongo = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo.every(({ available }) => !available))(
  'MongoDB answers every call of a shared store from an index',
  () => {
    let opened: TestDatabase;
    let plansOf: (call: (typeof NAMED_CALLS)[number]) => Promise<readonly string[]>;

    beforeAll(async () => {
      opened = (await mongo[0]?.open()) as TestDatabase;
      const connection = await createConnection(opened.url).asPromise();
      plansOf = async ({ run }) => {
        // Without the calls before.
        await connection.dropCollection('system.profile').catch(() => {});
        await connection.db?.command({ profile: 2 });
        await run(opened.database);
        await connection.db?.command({ profile: 0 });
        const profile = connection.collection<{ planSummary?: string }>('system.profile');
        const asked = { planSummary: { $exists: true } };
        return (await profile.find(asked).toArray()).map(({ planSummary }) => planSummary ?? '');
      };
      return () => connection.close();
    });
    afterAll(() => opened.drop());

    test.each(NAMED_CALLS)('$name', async (call) => {
      const plans = await plansOf(call);

      const scans = plans.filter((plan) => plan.includes('COLLSCAN'));
      expect(scans).toEqual([]);
    });
  },
);
