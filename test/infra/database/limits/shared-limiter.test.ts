import { type Connection, createConnection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoRateLimiter } from '../../../../src/infra/database/mongo/rate-limiter.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`limits shared through ${mongo?.name}`, () => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = (await mongo?.open()) as TestDatabase;
  });
  afterEach(() => opened.drop());

  async function connect(): Promise<Connection> {
    const connection = await createConnection(opened.url, {
      monitorCommands: true,
      writeConcern: { w: 'majority', journal: true },
    }).asPromise();
    onTestFinished(() => connection.close());
    return connection;
  }

  test('two processes share one count', async () => {
    const limiters = [await connect(), await connect()].map(createMongoRateLimiter);
    const calls = Array.from({ length: 100 }, () => limiters.map((limiter) => limiter.consume('a', 60)));
    const verdicts = await Promise.all(calls.flat());
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(60);
  });

  test('a count waits neither for other members nor for the disk; over the limit it costs no call at all', async () => {
    const connection = await connect();
    const commands: unknown[] = [];
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      commands.push([commandName, command['writeConcern']]);
    });
    const limiter = createMongoRateLimiter(connection);
    for (let call = 0; call < 10; call += 1) await limiter.consume('a', 2);
    expect(commands).toEqual(new Array(2).fill(['findAndModify', { w: 1, j: false }]));
  });
});
