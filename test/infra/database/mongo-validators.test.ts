import { createConnection } from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES } from '../../support/databases.ts';

const MONGO = DATABASES.filter(({ name }) => name.startsWith('MongoDB'));

describe.each(MONGO)('a document in $name', ({ available, open }) => {
  test.skipIf(!available).each([
    ['with another field', { extra: 1 }],
    ['without a field', { wallet: undefined }],
    ['with a value of another type', { usdc: 'many' }],
    ['with another field in an embedded object', { resolution: { payout: 1, won: true, extra: 1 } }],
  ])('%s is refused', async (_, wrong) => {
    const { database, url, drop } = await open();
    const connection = await createConnection(url, { ignoreUndefined: true }).asPromise();
    onTestFinished(async () => {
      await connection.close();
      await drop();
    });
    await database.alerts.append(alertOf({ id: 1 }));
    const alerts = connection.collection<{ _id: number; key?: string }>('alerts');
    const stored = await alerts.findOne({ _id: 1 });

    await alerts.insertOne({ ...stored, _id: 2, key: 'other' });
    const refused = alerts.insertOne({ ...stored, _id: 3, key: 'another', ...wrong });

    await expect(refused).rejects.toThrow('Document failed validation');
  });
});
