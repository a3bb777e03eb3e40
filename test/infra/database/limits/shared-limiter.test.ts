import { type Connection, createConnection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { InsuredLimiter } from '../../../../src/core/accounts/limits/rate-limiter.ts';
import { MemoryRateLimiter } from '../../../../src/infra/database/memory-rate-limiter.ts';
import { createMongoRateLimiter } from '../../../../src/infra/database/mongo/rate-limiter.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.ts';

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`limits shared through ${mongo?.name}`, () => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = (await mongo?.open()) as TestDatabase;
  });
  afterEach(() => opened.drop());

  async function connect(url = opened.url): Promise<Connection> {
    const connection = await createConnection(url, {
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

  /** An insured limiter behind a line that can fail, beside one that is not disturbed. */
  async function behindProxy() {
    const { hostname, port } = new URL(opened.url);
    const proxy: TcpProxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const url = new URL(opened.url);
    url.port = String(proxy.port);
    const connection = await connect(`${url}?directConnection=true`);
    onTestFinished(() => proxy.close());
    const clock = createFakeClock(Date.now());
    const limiter = new InsuredLimiter({
      shared: createMongoRateLimiter(connection),
      local: new MemoryRateLimiter({ capacity: 100 }),
      clock,
      logger: silentLogger,
    });
    return { proxy, limiter, clock, undisturbed: createMongoRateLimiter(await connect()) };
  }

  test.each(['cut', 'stall'] as const)(
    'with the line to the database %s every call is answered within 250 ms by the local count, later ones immediately, and shared again after',
    async (fault) => {
      const { proxy, limiter, clock, undisturbed } = await behindProxy();
      expect(await limiter.consume('a', 300)).toMatchObject({ remaining: 299 });
      proxy[fault]();
      const calls = Array.from({ length: 20 }, () => limiter.consume('a', 300));
      await clock.advance(250);
      const verdicts = await Promise.all(calls);
      expect(Math.min(...verdicts.map(({ remaining }) => remaining))).toBe(280);
      for (let call = 0; call < 20; call += 1) await limiter.consume('a', 300);
      expect(await limiter.read('a', 300)).toMatchObject({ remaining: 260 });
      expect(clock.sleepers).toBe(0);

      proxy.mend();
      await undisturbed.consume('b', 300);
      const isShared = async () => {
        await clock.advance(1_000);
        const { remaining } = await limiter.read('b', 300);
        expect(remaining).toBe(299);
      };
      await vi.waitFor(isShared);
    },
  );
});
