import type { Connection } from 'mongoose';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { connect } from '../../../src/infra/database/mongo/connect.ts';
import {
  databaseName,
  mongoFailure,
  withoutCredentials,
} from '../../../src/infra/database/mongo/open-failure.ts';
import { withDatabaseName } from '../../support/mongod/mongo-database.ts';

const uri = inject('mongoUri');

async function open(query: string, ...options: [{ isUnlimited: boolean }?]): Promise<Connection> {
  const connection = await connect(`${withDatabaseName(uri ?? '', 'tipoff_connect')}?${query}`, ...options);
  onTestFinished(() => connection.close());
  return connection;
}

describe.skipIf(uri === null)('a connection to MongoDB', () => {
  test('keeps its time limits and its durability whatever the URL says', async () => {
    const names = [
      ...(['serverSelectionTimeoutMS', 'waitQueueTimeoutMS', 'connectTimeoutMS'] as const),
      ...(['socketTimeoutMS', 'heartbeatFrequencyMS'] as const),
    ] as const;
    const { options: ours } = (await open('')).getClient();
    // What cannot be sent fails before the time limit of a call; what gets no answer gives its socket back after it.
    expect(ours.serverSelectionTimeoutMS).toBeLessThan(DATABASE_TIMEOUT_MS);
    expect(ours.waitQueueTimeoutMS).toBeLessThan(DATABASE_TIMEOUT_MS);
    expect(ours.socketTimeoutMS).toBeGreaterThan(DATABASE_TIMEOUT_MS);
    // Until a server that hangs is left.
    expect(ours.heartbeatFrequencyMS + ours.connectTimeoutMS).toBeLessThanOrEqual(5_000);
    const weak = [
      ...names.map((name) => `${name}=600000`),
      'w=0',
      'journal=false',
      'readPreference=secondary',
    ];

    const { options } = (await open(weak.join('&'))).getClient();

    for (const name of names) expect(options[name], name).toBe(ours[name]);
    expect(options.writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(options.readPreference.mode).toBe('primary');
  });

  test('has no limit of a socket or of the wait for one for index builds', async () => {
    const connection = await open('', { isUnlimited: true });

    const { options } = connection.getClient();
    expect([options.socketTimeoutMS, options.waitQueueTimeoutMS]).toEqual([0, 0]);
  });
});

test.each([
  ['mongodb://me:s3cret@host/db', 'Invalid connection string "mongodb://me:s3cret@host/db"'],
  ['mongodb://me:s3%2Fcret@host/db', 'wrong password s3/cret, also s3%2Fcret'],
  ['mongodb://me:s3/cr@et@host/db', 'no host "me:s3/cr@et", password s3/cr@et'],
  ['mongodb://me:100%s3cret@host/db', 'malformed 100%s3cret'],
])('the password of %s is taken out of a message that quotes it', (uri, message) => {
  const clean = withoutCredentials(message, uri);

  expect(clean).toContain('***');
  expect(clean).not.toMatch(/s3.{0,3}cr.{0,1}et/);
});

test.each([
  ['mongodb://host/alerts?w=1', 'alerts'],
  ['mongodb://host/', 'tipoff'],
  ['mongodb://host', 'tipoff'],
  ['mongodb+srv://me:pw@host/alerts', 'alerts'],
])('the database of %s is %s', (uri, name) => {
  expect(databaseName(uri)).toBe(name);
});

const URI = 'mongodb://me:hunter2@db.example:27017/alerts';

/** As the driver throws it. */
const errorOf = (name: string, message: string, code?: number) =>
  Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });

test.each([
  [18, 'Authentication failed.'],
  [13, 'command find requires authentication'],
  [13, 'not authorized on alerts to execute command { create: "alerts", writeConcern: { w: "majority" } }'],
])('a user that MongoDB refuses must be changed first: code %d, %s', (code, message) => {
  const failure = mongoFailure(errorOf('MongoServerError', message, code), URI);

  expect(failure).toMatchObject({ name: 'UserError' });
  expect(String(failure)).toContain(
    'DATABASE_URL: MongoDB at db.example:27017 refuses the user (' +
      message.replace(/ to execute.*/, '') +
      '). ',
  );
  expect(String(failure)).toContain('may read and write the database alerts.');
});

test.each<[string, string, string]>([
  [
    'connect ECONNREFUSED (me:hunter2@db.example)',
    'DatabaseUnavailable',
    'does not answer (connect ECONNREFUSED (***@db.example)). Start it, or correct the URL.',
  ],
  [
    'self-signed certificate',
    'UserError',
    'cannot be used (self-signed certificate). Check the TLS options in the URL.',
  ],
])('no connection: %s is %s, and its line has no password', (reason, name, line) => {
  const message = `DATABASE_URL: MongoDB at db.example:27017 ${line}`;

  expect(mongoFailure(errorOf('MongoServerSelectionError', reason), URI)).toMatchObject({ name, message });
});
