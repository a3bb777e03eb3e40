import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
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

function start(env: Record<string, string>): ServiceProcess {
  const file = join(folder, `${running.length}-${Date.now()}.db`);
  const service = startService({ DATABASE_URL: `sqlite:${file}`, ...env });
  running.push(service);
  return service;
}

const addressOf = async (service: ServiceProcess) => String((await service.logged('listening'))['address']);

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe('start', () => {
  test.each<[string, () => Promise<Record<string, string>>, readonly string[]]>([
    [
      'wrong settings, each of them',
      async () => ({ PORT: 'eighty', MARKET_SOURCE: 'replay', DATABASE_URL: 'mysql://me:hunter2@db' }),
      ['  PORT: expected', '  MARKET_SOURCE: expected', '  DATABASE_URL: expected'],
    ],
    ['a tape that is not there', async () => ({ MARKET_SOURCE: 'replay:no/such.jsonl' }), ['no/such.jsonl']],
    [
      'rules that do not fit, by their field',
      async () => {
        const rules = join(folder, 'rules.json');
        await writeFile(rules, '{"fresh":{"maxAgeDays":"7"}}');
        return { MARKET_SOURCE: `replay:${TAPE}`, DETECTION_RULES: rules };
      },
      ['fresh.maxAgeDays'],
    ],
    ['a port that is taken', async () => ({ PORT: await takenPort() }), ['PORT: ']],
    ['an address of another machine', async () => ({ HOST: '192.0.2.1' }), ['192.0.2.1']],
  ])('%s: named, the exit code is 2, and no database stays open', async (_, settings, named) => {
    const service = start(await settings());
    expect(await service.ended()).toBe(2);
    for (const text of named) expect(service.output()).toContain(text);
    expect(service.output()).not.toContain('hunter2');
    expect((await readdir(folder)).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  });
});

test('a start for a person is a screen without JSON, then one line for each alert and the end', async () => {
  const service = start({ MARKET_SOURCE: `replay:${TAPE}`, LOG_FORMAT: 'pretty' });
  await vi.waitFor(() => expect(service.output()).toContain('the source has ended'));
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe(0);
  const lines = service.output().split('\n');
  const ofLog = lines.filter((line) => /^\d\d:\d\d:\d\d /.test(line));
  const alerts = ofLog.filter((line) => / INFO: alert \d+, score \d+, /.test(line));
  expect(alerts.length).toBeGreaterThan(100);
  const others = ofLog.filter((line) => line.includes(' INFO: ') && !alerts.includes(line));
  expect(others.map((line) => line.slice(9, 40))).toEqual([
    expect.stringMatching(/^INFO: the source has ended/),
    expect.stringMatching(/^INFO: stopping: SIGTERM/),
  ]);
  expect(lines.filter((line) => line.includes('127.0.0.1'))).toHaveLength(3);
  expect(service.output()).not.toMatch(/[{}]/);
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

  test('a tail that waits for its file is not ready, and is once it has read to the end, whatever its lines are', async () => {
    const file = join(folder, 'feed.jsonl');
    const service = start({ MARKET_SOURCE: `tail:${file}` });
    const address = await addressOf(service);
    const status = async () => (await fetch(`${address}/readyz`)).status;
    // A file that is there when the source is opened must be a tape.
    await service.logged('ingesting');
    await vi.waitFor(async () => expect(await status()).toBe(503));
    await copyFile(join(import.meta.dirname, '../fixtures/README.md'), file);
    await vi.waitFor(async () => expect(await status()).toBe(200));
  });
});

test('SIGTERM in the middle of a replay, while a client holds a connection open, ends with 0 within 10 s', async () => {
  const service = start({ MARKET_SOURCE: `replay:${TAPE}` });
  const address = await addressOf(service);
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  await service.logged('ingesting');
  const startedAt = performance.now();
  expect(await service.end('SIGTERM')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  socket.destroy();
});
