import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, type TestContext, test } from 'vitest';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import type { Fault } from '../support/market/faults.ts';
import { generatedTape } from '../support/market/generated-tape.ts';
import { startMarket } from '../support/market/start-market.ts';

const BIN = join(import.meta.dirname, '../../bin/tipoff.js');

async function openMarket({ onTestFinished }: TestContext, ...faults: readonly Fault[]) {
  const start = Math.floor(Date.now() / 1_000) - 200;
  const tape = generatedTape({ trades: 20 * 600, perSecond: 20, start, wallets: 500, markets: 50 });
  const market = await startMarket({ tape, clock: systemClock, faults: { seed: 1, faults } });
  onTestFinished(() => market.close());
  return market.settings;
}

/** Runs the command in an empty folder; `left`: what is there afterwards. */
async function run({ onTestFinished }: TestContext, settings: Record<string, string>, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { DATABASE_URL: _, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, ...settings } };
  const child = spawn(process.execPath, [BIN, 'doctor', ...args], options);
  const ended = once(child, 'close') as Promise<[number]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err, left: await readdir(folder) };
}

describe.concurrent('tipoff doctor', () => {
  test('a healthy market passes with exit code 0, and no database is made', async (context) => {
    const { code, out, left } = await run(context, await openMarket(context));
    expect(code, out).toBe(0);
    expect(out.match(/^ok {4}/gm)).toHaveLength(13);
    expect(out).toMatch(/\n\nAll 13 checks passed\.\n$/);
    expect(left).toEqual([]);
  });

  test('what fails comes last, each cause once with what to do, and the exit code is 1', async (context) => {
    const market = await openMarket(
      context,
      { kind: '500', path: '/v2/status' },
      { kind: '403', path: '/v2/user-stats' },
      { kind: '500', path: '/public-profile' },
    );
    const { code, out } = await run(context, market);
    expect(code).toBe(1);
    const lines = out.trimEnd().split('\n').slice(-5);
    expect(lines).toEqual([
      expect.stringMatching(
        /^FAIL {2}127\.0\.0\.1:\d+\/v2\/user-stats +answered 403\. It refuses this machine/,
      ),
      expect.stringMatching(/^FAIL {2}127\.0\.0\.1:\d+\/v2\/status +answered 500\. The fault is there: wait/),
      expect.stringMatching(/^FAIL {2}127\.0\.0\.1:\d+\/public-profile +the same$/),
      '',
      '3 of 13 checks failed.',
    ]);
    expect(out).not.toContain('\u001b');
  });

  test('without DNS the cause is told once for all addresses', async (context) => {
    const { code, out } = await run(context, {
      POLYMARKET_DATA_URL: 'https://data.invalid',
      POLYMARKET_GAMMA_URL: 'https://gamma.invalid',
      POLYMARKET_STREAM_URL: 'wss://stream.invalid',
      POLYMARKET_CLOB_URL: 'wss://clob.invalid',
      POLYGON_RPC_URL: 'https://node.invalid/a-secret-key',
    });
    expect(code).toBe(1);
    expect(out.match(/host name not resolved/g)).toHaveLength(1);
    expect(out.match(/not asked/g)).toHaveLength(1);
    expect(out.match(/ the same$/gm)).toHaveLength(10);
    expect(out).toMatch(/^FAIL {2}node\.invalid +the same$/m);
    expect(out).not.toMatch(/getaddrinfo|secret/);
  });

  test('behind a proxy it reaches the market, and says what the proxy is used for', async (context) => {
    const market = await openMarket(context);
    const proxy = await startConnectProxy({ login: 'me:hush' });
    context.onTestFinished(() => proxy.close());
    const exceptions = { NO_PROXY: 'discord.com', HTTPS_PROXY: 'tls-proxy.example:1' };
    const { code, out } = await run(context, { ...market, HTTP_PROXY: proxy.url, ...exceptions });
    expect(code, out).toBe(0);
    expect(proxy.targets.length).toBeGreaterThan(2);
    const words = out.split('\n\n')[0]?.replaceAll('\n', ' ');
    expect(words).toBe(
      `Through the proxy ${proxy.host}: the Data API, the Gamma API, the live stream, the order book stream. ` +
        'Through the proxy tls-proxy.example:1: Telegram. Without a proxy: Discord. ' +
        'Webhooks are always sent without a proxy.',
    );
    expect(out).not.toContain('hush');
  });

  test('a wrong setting is named, with exit code 2', async (context) => {
    const { code, err } = await run(context, { POLYMARKET_DATA_URL: 'ftp://x' });
    expect([code, err]).toEqual([2, expect.stringContaining('POLYMARKET_DATA_URL: ')]);
  });
});
