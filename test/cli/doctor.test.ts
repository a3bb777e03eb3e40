import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { PROBES } from '../../src/core/ingest/doctor/doctor-report.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import type { Fault } from '../support/market/faults.ts';
import { generatedTape } from '../support/market/generated-tape.ts';
import { startMarket } from '../support/market/start-market.ts';

const BIN = join(import.meta.dirname, '../../bin/tipoff.js');

/** A market that trades now; the settings that lead there. */
async function openMarket({ onTestFinished }: TestContext, ...faults: readonly Fault[]) {
  const start = Math.floor(Date.now() / 1_000) - 200;
  const tape = generatedTape({ trades: 20 * 600, perSecond: 20, start, wallets: 500, markets: 50 });
  const market = await startMarket({ tape, clock: systemClock, faults: { seed: 1, faults } });
  onTestFinished(() => market.close());
  return market.settings;
}

/** Runs the command in an empty folder. */
async function start(
  { onTestFinished }: TestContext,
  settings: Readonly<Record<string, string>>,
  ...args: string[]
) {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, 'doctor', ...args], {
    cwd: folder,
    env: { ...env, ...settings },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => (said.out += data));
  child.stderr.on('data', (data) => (said.err += data));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, said, ended, filesLeft: () => readdir(folder) };
}

describe.concurrent('tipoff doctor', () => {
  test('--json on a healthy market gives the report and exit code 0, and makes no database', async (context) => {
    const { said, ended, filesLeft } = await start(context, await openMarket(context), '--json');
    expect(await ended, said.err).toMatchObject({ code: 0 });
    const report = JSON.parse(said.out);
    expect(report.verdict).toBe('pass');
    expect(report.results.map(({ probe }: { probe: string }) => probe)).toEqual(PROBES);
    expect(await filesLeft()).toEqual([]);
  });

  test('a failed probe is named with what to do, and the exit code is 1', async (context) => {
    const { said, ended } = await start(
      context,
      await openMarket(context, { kind: '404', path: '/v2/trades' }),
    );
    expect(await ended).toMatchObject({ code: 1 });
    expect(said.out).toMatch(/^FAIL {2}routes +\/v2\/trades answered 404; .*7 of 9 routes answer$/m);
    expect(said.out).toMatch(/^skip {2}freshness +\/v2\/trades failed$/m);
    expect(said.out).toMatch(/^pass {2}trade stream +a trade after/m);
    expect(said.out).toMatch(/1 fail \(routes\), .* skipped, in \d+ s\.\nroutes: The market changed/);
    expect(said.out).not.toContain('\u001b');
  });

  test('Ctrl-C ends it immediately', async (context) => {
    const { child, said, ended } = await start(context, await openMarket(context));
    await expect.poll(() => said.out, { timeout: 10_000 }).toContain('routes');
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
    expect(said.out).not.toContain('head page');
  });

  test('wrong usage and a wrong setting are named, with exit code 2; --help says what it does', async (context) => {
    const [usage, setting, help] = await Promise.all([
      start(context, {}, '--jsn'),
      start(context, { POLYMARKET_DATA_URL: 'ftp://x' }),
      start(context, {}, '--help'),
    ]);
    expect(await usage.ended).toMatchObject({ code: 2 });
    expect(usage.said.err).toContain("'--jsn'");
    expect(await setting.ended).toMatchObject({ code: 2 });
    expect(setting.said.err).toContain('POLYMARKET_DATA_URL: ');
    expect(await help.ended).toMatchObject({ code: 0 });
    expect(help.said.out).toContain('Exit codes: 0 nothing failed, 1 a probe failed, 2 wrong usage.');
  });
});
