import { createConnection } from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { isOutage, isOutcomeUnknown } from '../../../src/infra/database/outage.ts';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';
import { NAMED_CALLS } from './store-calls.ts';

interface Profiled {
  readonly command: Readonly<Record<string, unknown>>;
}

const READS = ['find', 'aggregate', 'count', 'distinct'];
const UNTIL = START + 9_000;
const MONGO = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));

describe.each(MONGO)('on $name', ({ available, open }) => {
  async function openBoth() {
    const { database, url, drop } = await open();
    const connection = await createConnection(url).asPromise();
    onTestFinished(async () => {
      await connection.close();
      await drop();
    });
    return { database, connection };
  }

  test.skipIf(!available)('the server ends every read after the time limit of a call', async () => {
    const { database, connection } = await openBoth();
    await connection.db?.command({ profile: 2 });

    for (const { run } of NAMED_CALLS) await run(database);
    await database.hiddenWallets.list();
    await database.presets.get('key_a', 'preset_a');
    await database.deliveries.countPending();
    await connection.db?.command({ profile: 0 });

    const found = await connection.collection<Profiled>('system.profile').find().toArray();
    const commands = found.map(({ command }) => command);
    const reads = commands.filter((command) => READS.some((name) => name in command) && !isEstimate(command));
    expect(reads.length).toBeGreaterThan(60);
    expect(reads.filter(({ maxTimeMS }) => maxTimeMS !== DATABASE_TIMEOUT_MS)).toEqual([]);
  });

  test.skipIf(!available)('no alert is shown that an election could roll back', async () => {
    const { database, connection } = await openBoth();
    const { alerts } = database;
    await alerts.append(alertOf({ id: 1, marketId: '0xm' }));
    await connection.db?.command({ profile: 2 });

    await Promise.all([
      ...[alerts.last(), alerts.byId(1), alerts.after(0, 1), alerts.ofMarket('0xm', 1)],
      ...[alerts.latest({ limit: 1 }), alerts.latest({ limit: 1, until: UNTIL })],
    ]);
    await connection.db?.command({ profile: 0 });

    const found = await connection.collection<Profiled>('system.profile').find().toArray();
    const finds = found.filter(({ command }) => command['find'] === 'alerts');
    expect(finds.length).toBe(6);
    for (const { command } of finds) expect(command['readConcern']).toMatchObject({ level: 'majority' });
  });

  test.skipIf(!available)('a read that the server ends is an outage', async () => {
    const { database, connection } = await openBoth();
    await database.alerts.append(alertOf({ id: 1 }));
    const endless = connection.collection('alerts').find({ $where: 'while (true);' }, { maxTimeMS: 1 });

    const error = await endless.toArray().catch((refused: unknown) => refused);

    expect(error).toMatchObject({ name: 'MongoServerError', codeName: 'MaxTimeMSExpired' });
    expect([isOutage(error), isOutcomeUnknown(error)]).toEqual([true, false]);
  });
});

/** It asks how many documents there are, and reads none. */
function isEstimate(command: Profiled['command']): boolean {
  return 'count' in command && !('query' in command);
}
