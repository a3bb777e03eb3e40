import { createConnection } from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { LONG_CALL_MS } from '../../../src/core/base/documents/documents.ts';
import { isOutage, isOutcomeUnknown } from '../../../src/infra/database/outage.ts';
import { DATABASES } from '../../support/databases.ts';

const NOTES = { kind: 'notes', schema: z.strictObject({ id: z.string() }) };
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

  test.skipIf(!available)(
    'the server ends a read after the time limit of its call, and none has what an election could roll back',
    async () => {
      const { database, connection } = await openBoth();
      const notes = database.documents(NOTES);
      await notes.insert([{ id: 'a' }]);
      await connection.db?.command({ profile: 2 });

      for (const options of [{}, { timeoutMs: LONG_CALL_MS }])
        await Promise.all([notes.get('a', options), notes.find({}, options), notes.count({}, options)]);
      await connection.db?.command({ profile: 0 });

      const found = await connection
        .collection<{ command: object }>('system.profile')
        .find({ ns: /\.notes$/ })
        .toArray();
      const limits = [DATABASE_TIMEOUT_MS, LONG_CALL_MS].flatMap((maxTimeMS) => new Array(3).fill(maxTimeMS));
      expect(found.map(({ command }) => command)).toMatchObject(
        limits.map((maxTimeMS) => ({ maxTimeMS, readConcern: { level: 'majority' } })),
      );
    },
  );

  test.skipIf(!available)('a read that the server ends is an outage', async () => {
    const { database, connection } = await openBoth();
    await database.documents(NOTES).insert([{ id: 'a' }]);
    const endless = connection.collection('notes').find({ $where: 'while (true);' }, { maxTimeMS: 1 });

    const error = await endless.toArray().catch((refused: unknown) => refused);

    expect(error).toMatchObject({ name: 'MongoServerError', codeName: 'MaxTimeMSExpired' });
    expect([isOutage(error), isOutcomeUnknown(error)]).toEqual([true, false]);
  });
});
