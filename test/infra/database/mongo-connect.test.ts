import type { Connection } from 'mongoose';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { connect } from '../../../src/infra/database/mongo/connect.ts';
import { withDatabaseName } from '../../support/mongod/mongo-database.ts';

const uri = inject('mongoUri');

async function open(query: string, ...options: [{ isUnlimited: boolean }?]): Promise<Connection> {
  const connection = await connect(`${withDatabaseName(uri ?? '', 'tipoff_connect')}?${query}`, ...options);
  onTestFinished(() => connection.close());
  return connection;
}

describe.skipIf(uri === null)('a connection to MongoDB', () => {
  test('fails before the time limit of a call what it cannot send, and gives the socket back after it', async () => {
    const { options } = (await open('')).getClient();

    expect(options.serverSelectionTimeoutMS).toBeLessThan(DATABASE_TIMEOUT_MS);
    expect(options.waitQueueTimeoutMS).toBeLessThan(DATABASE_TIMEOUT_MS);
    expect(options.socketTimeoutMS).toBeGreaterThan(DATABASE_TIMEOUT_MS);
    // Until a server that hangs is left.
    expect(options.heartbeatFrequencyMS + options.connectTimeoutMS).toBeLessThanOrEqual(5_000);
  });

  test('keeps its time limits and its durability whatever the URL says', async () => {
    const names = ['serverSelection', 'waitQueue', 'connect', 'socket'].map((name) => `${name}TimeoutMS=0`);
    const { options: ours } = (await open('')).getClient();
    const weak = [
      ...names,
      'heartbeatFrequencyMS=600000',
      'w=0',
      'journal=false',
      'readPreference=secondary',
    ];

    const { options } = (await open(weak.join('&'))).getClient();

    for (const name of [
      'serverSelectionTimeoutMS',
      'waitQueueTimeoutMS',
      'connectTimeoutMS',
      'socketTimeoutMS',
      'heartbeatFrequencyMS',
    ] as const)
      expect(options[name], name).toBe(ours[name]);
    expect(options.writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(options.readPreference.mode).toBe('primary');
  });

  test('has no limit of a socket, of the wait for one, or of a read for index builds', async () => {
    const connection = await open('', { isUnlimited: true });

    const { options } = connection.getClient();
    expect([options.socketTimeoutMS, options.waitQueueTimeoutMS]).toEqual([0, 0]);
    expect(connection.get('maxTimeMS')).toBeUndefined();
  });
});
