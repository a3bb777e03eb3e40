import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { runUndisturbed } from '../support/crash-run.ts';
import { type OwnMongod, startMongod } from '../support/mongod/own-mongod.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { connectStream } from '../support/stream-client.ts';
import { issueEnterpriseKey } from './delivery-kit.ts';

const TAPE = 'replay:data/tapes/midterms-2022.jsonl.gz';
/** What is promised is 5 s and 2 s; a busy machine may take a second more. */
const ANSWER_MS = 6_000;
const PROBE_MS = 3_000;
/** Longer than a call may take, and than the driver takes to see that the server is gone. */
const HANG_MS = 9_000;
/** After so long without their primary the others elect one. */
const ELECTION_MS = 2_000;
/** Election and driver, on a busy machine. */
const FOLLOWED_MS = 10_000;

interface Answer {
  readonly route: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

describe.skipIf(inject('mongoUri') === null)('while MongoDB hangs', () => {
  let mongod: OwnMongod;
  let service: ServiceProcess;
  let address: string;
  let key: string;

  beforeEach(async () => {
    mongod = await startMongod();
    key = await issueKey(mongod.uri);
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    mongod.resume();
    await mongod.stop();
  });

  async function start(env: Readonly<Record<string, string>>): Promise<void> {
    service = startService({ DATABASE_URL: mongod.uri, ...env });
    address = String((await service.logged('listening'))['address']);
  }

  async function ask(route: string, body?: object): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const startedAt = performance.now();
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${address}${path}`, { method, headers, ...json });
    await response.arrayBuffer();
    const { status } = response;
    return {
      route,
      status,
      retryAfter: response.headers.get('retry-after'),
      ms: performance.now() - startedAt,
    };
  }

  /** Every route that can be read, and some that write. */
  async function askAll(): Promise<readonly Answer[]> {
    const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as ApiDocument;
    const reads = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method === 'get')
        .map(() => `GET ${path.replace('{month}', '2026-01').replace(/\{\w+\}/, '1')}`),
    );
    expect(reads.length).toBeGreaterThan(10);
    const writes: [string, object?][] = [
      ['POST /api/v1/presets', { name: 'mine', filters: { side: 'BUY' } }],
      ['DELETE /api/v1/presets/pre_a'],
      ['POST /api/v1/webhooks', { url: 'https://example.com/hook' }],
    ];
    return Promise.all([
      ...reads.map((route) => ask(route)),
      ...writes.map(([route, body]) => ask(route, body)),
    ]);
  }

  test('every route answers within 5 s and /readyz within 2 s, 503 with Retry-After what needs it, and all recovers', {
    timeout: 60_000,
  }, async () => {
    await start({ ROLES: 'api' });
    await askAll();
    mongod.hang();

    const rounds = [await askAll(), await askAll()];
    const [ready, alive] = [await ask('GET /readyz'), await ask('GET /healthz')];

    for (const answer of rounds.flat()) {
      expect([200, 503], JSON.stringify(answer)).toContain(answer.status);
      if (answer.status === 503 && answer.route !== 'GET /readyz')
        expect(answer.retryAfter, answer.route).toMatch(/^[1-9]/);
      expect(answer.ms, answer.route).toBeLessThan(ANSWER_MS);
    }
    expect(rounds.flat().filter(({ status }) => status === 503).length).toBeGreaterThan(10);
    expect(ready).toMatchObject({ status: 503 });
    expect(ready.ms).toBeLessThan(PROBE_MS);
    expect(alive).toMatchObject({ status: 200 });
    mongod.resume();
    await recovered();
  });

  test('the service ends within 10 s of SIGTERM', { timeout: 60_000 }, async () => {
    await start({ ROLES: 'api,deliver,jobs' });
    await begun();
    mongod.hang();
    await ask('GET /api/v1/me');
    const startedAt = performance.now();

    expect(await service.end('SIGTERM')).toBe(0);

    expect(performance.now() - startedAt).toBeLessThan(11_000);
  });

  test('a start is refused with a clear line', { timeout: 60_000 }, async () => {
    mongod.hang();
    service = startService({ DATABASE_URL: mongod.uri, ROLES: 'api' });

    expect(await service.ended()).toBe(2);

    expect(service.output()).toMatch(/^MongoDB at 127\.0\.0\.1:\d+ cannot be used: /);
  });

  test('no alert is lost or doubled, and the stream goes on where it was', { timeout: 90_000 }, async () => {
    const undisturbed = await startMongod();
    onTestFinished(undisturbed.stop);
    const expected = (await runUndisturbed(undisturbed.uri)).alerts.map(({ id, key: dedupKey }) => [
      id,
      dedupKey,
    ]);
    await start({ ROLES: 'api,ingest,deliver,jobs', MARKET_SOURCE: TAPE, SNAPSHOT_SECONDS: '0.1' });
    const client = connectStream(address, `api_key=${key}&since_id=0`);
    await client.received(20);

    mongod.hang();
    await delay(HANG_MS);
    mongod.resume();
    await service.logged('the source has ended');
    await client.received(expected.length + 1);

    expect(await ledger()).toEqual(expected);
    expect(client.ids()).toEqual(expected.map(([id]) => id));
  });

  async function ledger() {
    const database = await openDatabase(mongod.uri);
    onTestFinished(database.close);
    return (await database.alerts.after(0, 100_000)).map(({ id, key: dedupKey }) => [id, dedupKey]);
  }

  /** Until every role has begun: its sign of life comes last. */
  async function begun(): Promise<void> {
    const database = await openDatabase(mongod.uri);
    try {
      await vi.waitFor(async () => expect(await database.pulses.list()).toHaveLength(1), 20_000);
    } finally {
      await database.close();
    }
  }

  /** Asks until nothing is refused any more, for at most 15 s. */
  async function recovered(): Promise<void> {
    const until = performance.now() + 15_000;
    for (;;) {
      const refused = (await askAll()).filter(({ status }) => status >= 500);
      if (refused.length === 0) return;
      expect(performance.now(), JSON.stringify(refused)).toBeLessThan(until);
      await delay(250);
    }
  }
});

describe.skipIf(inject('mongoUri') === null)('while the primary of a replica set hangs', () => {
  test('the service follows the new one', { timeout: 90_000 }, async () => {
    const { uri, primary } = await startReplicaSet();
    const key = await issueKey(uri);
    const service = startService({ DATABASE_URL: uri, ROLES: 'api' });
    onTestFinished(async () => void (await service.end('SIGKILL')));
    const address = String((await service.logged('listening'))['address']);
    const headers = { authorization: `Bearer ${key}` };
    const status = async () =>
      (await fetch(`${address}/api/v1/alerts?min_score=${Math.floor(Math.random() * 100)}`, { headers }))
        .status;
    expect(await status()).toBe(200);

    primary.hang();
    const hungAt = performance.now();
    // Those asked at first are answered by nobody.
    await delay(1_000);
    while ((await status()) !== 200) await delay(250);

    expect(performance.now() - hungAt).toBeLessThan(ELECTION_MS + FOLLOWED_MS);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });
});

async function issueKey(url: string): Promise<string> {
  const database = await openDatabase(url);
  const { secret } = await issueEnterpriseKey(database);
  await database.close();
  return secret;
}

/** Three members, of which the first is the primary. */
async function startReplicaSet(): Promise<{ readonly uri: string; readonly primary: OwnMongod }> {
  const members = await Promise.all([0, 1, 2].map(() => startMongod(['--replSet', 'rs'])));
  onTestFinished(async () => void (await Promise.all(members.map((member) => member.stop()))));
  const [primary] = members as [OwnMongod, ...OwnMongod[]];
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
  const client = await MongoClient.connect(primary.uri, { directConnection: true });
  const replSetInitiate = {
    _id: 'rs',
    members: hosts.map((host, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 })),
    settings: { electionTimeoutMillis: ELECTION_MS },
  };
  await client.db('admin').command({ replSetInitiate });
  await client.close();
  const uri = `mongodb://${hosts.join(',')}/tipoff?replicaSet=rs`;
  // The first election is over once a write is taken.
  const all = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 30_000 });
  await all
    .db()
    .collection('probe')
    .insertOne({}, { writeConcern: { w: 'majority' } });
  await all.close();
  return { uri, primary };
}
