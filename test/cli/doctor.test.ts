import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, type TestContext, test } from 'vitest';
import { PROBES } from '../../src/infra/market/polymarket/doctor/doctor-report.ts';
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
  test('--json on a healthy market gives the report and exit code 0, and makes no database', async (context) => {
    const { code, out, err, left } = await run(context, await openMarket(context), '--json');
    expect(code, err).toBe(0);
    const report = JSON.parse(out);
    expect(report.verdict).toBe('pass');
    expect(report.results.map(({ probe }: { probe: string }) => probe)).toEqual(PROBES);
    expect(left).toEqual([]);
  });

  test('a failed probe is named with what to do, and the exit code is 1', async (context) => {
    const market = await openMarket(context, { kind: '404', path: '/v2/trades' });
    const { code, out } = await run(context, market);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAIL {2}routes +\/v2\/trades, \/v2\/trades\?user answered 404; 7 of 9 routes answer$/m,
    );
    expect(out).toMatch(/^skip {2}freshness +\/v2\/trades failed$/m);
    expect(out).toMatch(/^pass {2}trade stream +a trade after/m);
    expect(out).toMatch(/1 fail \(routes\), .* skipped, in \d+ s\.\nroutes: The market has changed/);
    expect(out).not.toContain('\u001b');
  });

  test.for<[string, string, string[]]>([
    [
      'https://data.invalid',
      'https://gamma.invalid',
      ['data.invalid (6 routes)', 'gamma.invalid (3 routes)'],
    ],
    ['http://only.invalid:81', 'http://only.invalid:81', ['only.invalid (9 routes)']],
  ])('without DNS each host of %s and %s is named once', async ([data, gamma, hosts], context) => {
    const settings = { POLYMARKET_DATA_URL: data, POLYMARKET_GAMMA_URL: gamma };
    const streams = {
      POLYMARKET_STREAM_URL: 'wss://stream.invalid',
      POLYMARKET_CLOB_URL: 'wss://clob.invalid',
    };
    const { code, out } = await run(context, { ...settings, ...streams });
    expect(code).toBe(1);
    const faults = hosts.map((host) => `No DNS for ${host}; `).join('');
    const line = out.split('\n').find((text) => text.startsWith('FAIL  routes'));
    expect(line?.replace(/^FAIL {2}routes +/, '')).toBe(`${faults}0 of 9 routes answer`);
    expect(line?.match(/No DNS/g)).toHaveLength(hosts.length);
    expect(out.match(/No DNS for stream.invalid/g)).toHaveLength(1);
    expect(out).not.toContain('getaddrinfo');
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
