import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeBurstTape } from '../support/burst-tape.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

let folder: string;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-life-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(env: Record<string, string>, entry?: string): ServiceProcess {
  const settings = { DATABASE_URL: `sqlite:${join(folder, `${running.length}-${Date.now()}.db`)}`, ...env };
  const service = startService(settings, entry === undefined ? {} : { entry });
  running.push(service);
  return service;
}

async function addressOf(service: ServiceProcess): Promise<string> {
  return String((await service.logged('listening'))['address']);
}

describe('start', () => {
  test('wrong settings are all named by their variable, with what would be right, and the exit code is 2', async () => {
    const service = start({ PORT: 'eighty', MARKET_SOURCE: 'replay', DATABASE_URL: 'mysql://me:hunter2@db' });
    expect(await service.ended()).toBe(2);
    for (const name of ['PORT', 'MARKET_SOURCE', 'DATABASE_URL'])
      expect(service.output()).toContain(`  ${name}: expected`);
    expect(service.output()).not.toContain('hunter2');
  });

  test('a tape that is not there is named, and the exit code is 2', async () => {
    const service = start({ MARKET_SOURCE: 'replay:no/such.jsonl' });
    expect(await service.ended()).toBe(2);
    expect(service.output()).toContain('no/such.jsonl');
  });

  test('rules that do not fit are named by their field, and the exit code is 2', async () => {
    const rules = join(folder, 'rules.json');
    await writeFile(rules, '{"fresh":{"maxAgeDays":"7"}}');
    const service = start({ MARKET_SOURCE: `replay:${TAPE}`, DETECTION_RULES: rules });
    expect(await service.ended()).toBe(2);
    expect(service.output()).toContain('fresh.maxAgeDays');
  });
});

describe('health', () => {
  test('a replay is ready from its first trade, shows its position and time mapping, and counts what was judged, dropped and found', async () => {
    const service = start({ MARKET_SOURCE: `replay:${TAPE}`, REPLAY_SHIFT: 'now' });
    const address = await addressOf(service);
    await service.logged('the source has ended');
    const answer = await fetch(`${address}/readyz`);
    expect(answer.status).toBe(200);
    const { checks } = (await answer.json()) as { checks: { source: Record<string, unknown> } };
    expect(checks.source).toMatchObject({ state: 'finished', progress: 1, mapping: { speed: 0 } });
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text).toMatch(/^tipoff_trades_judged_total 27719$/m);
    expect(text).toMatch(/^tipoff_alerts_total\{type="cluster"\} [1-9]/m);
    expect(text).toMatch(/^tipoff_rows_dropped_total\{reason="repeat"\} 0$/m);
  });

  test('a tail that waits for its file is not ready, and is once it has read to the end', async () => {
    const file = join(folder, 'feed.jsonl');
    const address = await addressOf(start({ MARKET_SOURCE: `tail:${file}` }));
    const status = async () => (await fetch(`${address}/readyz`)).status;
    await vi.waitFor(async () => expect(await status()).toBe(503), { timeout: 5_000 });
    await copyFile(join(import.meta.dirname, '../fixtures/README.md'), file);
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 10_000, interval: 50 });
  });

  test('rows that are not valid are counted, and the metrics stay readable', async () => {
    const file = join(folder, 'invalid.jsonl');
    await writeFile(file, '{"tape":{}}\nnot json\nnot json either\n');
    const service = start({ MARKET_SOURCE: `replay:${file}` });
    const address = await addressOf(service);
    await service.logged('the source has ended');
    const answer = await fetch(`${address}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^tipoff_rows_dropped_total\{reason="not_json"\} 2$/m);
  });
});

describe('stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s in the middle of a replay saves the state and ends with 0 within 10 s',
    async (signal) => {
      const service = start({ MARKET_SOURCE: `replay:${TAPE}` });
      await service.logged('ingesting');
      const startedAt = performance.now();
      expect(await service.end(signal)).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );

  test('SIGTERM while 250 alerts wait for a slow disk ends with 0 within 10 s, and the next start publishes the others', async () => {
    const tape = join(folder, 'burst.jsonl');
    await writeBurstTape(tape, 250);
    const env = { DATABASE_URL: `sqlite:${join(folder, 'burst.db')}`, MARKET_SOURCE: `replay:${tape}` };
    // All of them take 15 s.
    const slow = start({ ...env, SYNC_MS: '50' }, 'test/support/slow-disk-service.ts');
    await slow.logged('ingesting');
    using database = new DatabaseSync(join(folder, 'burst.db'), { readOnly: true });
    const found = database.prepare('SELECT count(*) AS alerts, max(id) AS last FROM alerts');
    await vi.waitFor(() => expect(found.get()?.['alerts']).toBeGreaterThan(1), { timeout: 10_000 });
    const startedAt = performance.now();
    expect(await slow.end('SIGTERM')).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(found.get()?.['alerts']).toBeLessThan(290);

    const next = start(env);
    await next.logged('the source has ended');
    expect({ ...found.get() }).toEqual({ alerts: 290, last: 290 });
  });
});

describe('a service without a source', () => {
  let service: ServiceProcess;
  let address: string;
  beforeAll(async () => {
    service = startService({ DATABASE_URL: `sqlite:${join(folder, 'shared.db')}` });
    address = await addressOf(service);
  });
  afterAll(() => service.end('SIGKILL'));

  test('lives and is ready', async () => {
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  test('has its port: for another the port is said to be taken, and the exit code is 2', async () => {
    const { port } = new URL(address);
    const other = start({ PORT: port });
    expect(await other.ended()).toBe(2);
    expect(other.output()).toContain(`PORT: ${port}`);
  });

  test('stops though a client holds its connection open', async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const startedAt = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    socket.destroy();
  });
});
