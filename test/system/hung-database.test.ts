import { describe, inject, test, vi } from 'vitest';
import { runUndisturbed } from '../support/crash-run.ts';
import { DATABASES, type DatabaseKind } from '../support/databases.ts';
import { startReplicaSet } from '../support/mongod/replica-set.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { openStream } from '../support/stream-client.ts';
import { HungScene, issueKey } from './hung-scene.ts';

const TAPE = 'replay:data/tapes/midterms-2022.jsonl.gz';
/** What is promised is 5 s and 2 s; a busy machine may take a second more. */
const ANSWER_MS = 6_000;
const PROBE_MS = 3_000;
/** After so long without their primary the others elect one. */
const ELECTION_MS = 2_000;
/** Election and driver, on a busy machine. */
const FOLLOWED_MS = 10_000;
/** They wait for each other most of the time. */
const AT_ONCE = { concurrent: true, timeout: 90_000 };
/** Its ledger of a tape is that of MongoDB (tape-ledger.test.ts). */
const [SQLITE] = DATABASES as [DatabaseKind];

/** What the service logs of failed requests, other than that the database did not answer. */
function failuresIn(service: ServiceProcess): string {
  const isOther = (line: string) =>
    line.includes('request failed') && !/Timeout|PoolCleared|Selection/.test(line);
  return service.output().split('\n').filter(isOther).join('\n');
}

describe.skipIf(inject('mongoUri') === null)('while MongoDB hangs', AT_ONCE, () => {
  test('every route answers within 5 s and /readyz within 2 s, 503 with Retry-After what needs it, and all recovers', async (context) => {
    const { expect } = context;
    const scene = await HungScene.open(context);
    const service = await scene.startListening({ ROLES: 'api' });
    await scene.askAll();
    scene.mongod.hang();

    const rounds = [await scene.askAll(), await scene.askAll()];
    const [ready, alive] = [await scene.ask('GET /readyz'), await scene.ask('GET /healthz')];

    for (const answer of rounds.flat()) {
      expect([200, 503], `${JSON.stringify(answer)}\n${failuresIn(service)}`).toContain(answer.status);
      if (answer.status === 503 && answer.route !== 'GET /readyz')
        expect(answer.retryAfter, answer.route).toMatch(/^[1-9]/);
      expect(answer.ms, answer.route).toBeLessThan(ANSWER_MS);
    }
    expect(rounds.flat().filter(({ status }) => status === 503).length).toBeGreaterThan(10);
    expect(ready).toMatchObject({ status: 503 });
    expect(ready.ms).toBeLessThan(PROBE_MS);
    expect(alive).toMatchObject({ status: 200 });
    scene.mongod.resume();
    await scene.recovered();
  });

  test('the service ends within 10 s of SIGTERM', async (context) => {
    const { expect } = context;
    const scene = await HungScene.open(context);
    const service = await scene.startListening({ ROLES: 'api,deliver,jobs' });
    await scene.begun();
    scene.mongod.hang();
    await scene.ask('GET /api/v1/me');
    const startedAt = performance.now();

    expect(await service.end('SIGTERM')).toBe(0);

    expect(performance.now() - startedAt).toBeLessThan(11_000);
  });

  test('a start waits for it, says so, and continues when it is back', async (context) => {
    const { expect } = context;
    const scene = await HungScene.open(context);
    scene.mongod.hang();
    const service = scene.start({ ROLES: 'api' });

    const line = await service.logged('database unavailable; waiting for it for up to 60 s');
    scene.mongod.resume();

    expect(line['reason']).toMatch(/^DATABASE_URL: .*MongoDB at 127\.0\.0\.1:\d+/);
    await service.logged('listening');
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('no alert is lost or doubled, and the stream continues where it was', async (context) => {
    const { expect, onTestFinished } = context;
    const [scene, undisturbed] = [await HungScene.open(context), await SQLITE.open()];
    onTestFinished(undisturbed.drop);
    const service = await scene.startListening({
      ROLES: 'api,ingest,deliver,jobs',
      MARKET_SOURCE: TAPE,
      SNAPSHOT_SECONDS: '0.1',
    });
    const client = openStream(scene.address, `api_key=${scene.key}&since_id=0`);
    onTestFinished(() => client.socket.terminate());
    await client.received(20);

    scene.mongod.hang();
    const [{ alerts }] = await Promise.all([runUndisturbed(undisturbed.url), scene.refusedTwice()]);
    expect(service.output()).not.toContain('the source has ended');
    scene.mongod.resume();
    const expected = alerts.map(({ id, key }) => [id, key]);
    await service.logged('the source has ended');
    await client.received(expected.length + 1);

    expect(await scene.ledger()).toEqual(expected);
    expect(client.ids()).toEqual(expected.map(([id]) => id));
  });
});

describe.skipIf(inject('mongoUri') === null)('while the primary of a replica set hangs', AT_ONCE, () => {
  test('the service follows the new one', async (context) => {
    const { expect, onTestFinished } = context;
    const { uri, elected, stop } = await startReplicaSet({ electionTimeoutMs: ELECTION_MS });
    onTestFinished(stop);
    const primary = await elected();
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
    await elected(primary);
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: FOLLOWED_MS, interval: 250 });

    expect(performance.now() - hungAt).toBeLessThan(ELECTION_MS + FOLLOWED_MS);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });
});
