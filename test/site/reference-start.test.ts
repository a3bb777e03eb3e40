import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { liveChecks } from '../../src/core/operations/worker-report.ts';
import { botsOf } from '../../src/site/service-report.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

const run = promisify(execFile);
const has = (command: string) => spawnSync(command, ['--version']).status === 0;
const RUNNING = { ready: true, telegram: { state: 'running', detail: null, url: 'https://t.me/tip_bot' } };

/** The code of a page, as it is copied, with the address of the test's server. */
async function startWithCode() {
  const site = await startSite();
  await site.append(alertOf({ id: 1 }));
  await site.clock.jump(FREE_DELAY_MS + 2_000);
  const { secret } = await site.issue({ tier: 'free' });
  const { text } = await site.page('/docs');
  const codeOf = (name: string) => {
    const [, code = ''] = new RegExp(`aria-label="${name}"><code>([^<]*)<`).exec(text) ?? [];
    const plain = code
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    return plain.replaceAll('&amp;', '&').replaceAll('https://api.example.com', site.baseUrl);
  };
  return { codeOf, env: { ...process.env, TIPOFF_API_KEY: secret } };
}

describe('the start of /docs', () => {
  test('its TypeScript runs as it is copied', async () => {
    const { codeOf, env } = await startWithCode();
    const lines: unknown[][] = [];
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    const program = new AsyncFunction('process', 'console', codeOf('TypeScript'));
    await program({ env }, { log: (...line: unknown[]) => void lines.push(line) });
    expect(lines).toEqual([[1, 72, 'Will the measure pass?']]);
  });

  test.skipIf(!has('curl'))('its lines for a shell do, with a key and without', async () => {
    const { codeOf, env } = await startWithCode();
    const { stdout } = await run('sh', ['-c', `${codeOf('Shell')} --silent`], { env });
    expect(JSON.parse(stdout)).toMatchObject([{ id: 1, signal_score: 72 }]);
    const feed = await run('sh', ['-c', `${codeOf('Without a key')} --silent`]);
    expect(JSON.parse(feed.stdout)).toMatchObject({ version: 'https://jsonfeed.org/version/1.1' });
  });

  test.skipIf(!has('python3'))('its Python does', async () => {
    const { codeOf, env } = await startWithCode();
    const { stdout } = await run('python3', ['-c', codeOf('Python')], { env });
    expect(stdout).toBe('1 72 Will the measure pass?\n');
  });
});

test('a bot that the worker reports counts while it is alive, and only in the expected form', () => {
  const botsAt = (bots: object, now = START) =>
    botsOf(liveChecks({ owner: 'host/1', at: START, address: 'http://localhost', checks: { bots } }, now));
  expect(botsAt(RUNNING)).toEqual([{ platform: 'telegram', url: 'https://t.me/tip_bot' }]);
  expect(botsAt(RUNNING, START + 60_000)).toEqual([]);
  expect(botsAt({ telegram: { ...RUNNING.telegram, state: 'refused' } })).toEqual([]);
  expect(botsAt({ telegram: { state: 'running', url: 'javascript:alert(1)' } })).toEqual([]);
  expect(botsAt({ telegram: 'running', discord: null })).toEqual([]);
  expect(botsAt({ telegram_admin: RUNNING.telegram })).toEqual([]);
});
