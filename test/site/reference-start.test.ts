import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { liveChecks } from '../../src/core/operations/worker-report.ts';
import { claudeCode } from '../../src/site/reference/start.ts';
import { botsOf } from '../../src/site/service-report.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { callMcp } from '../support/mcp-client.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

const run = promisify(execFile);
const API_PAGE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
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
  return { text, codeOf, env: { ...process.env, TIPOFF_API_KEY: secret } };
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

  test('its command for agents connects a client, and docs/api.md has the same', async () => {
    const { codeOf, env } = await startWithCode();
    const [, url = '', authorization = ''] =
      /^claude mcp add --transport http tipoff (\S+) \\\n {2}--header "Authorization: (.+)"$/.exec(
        codeOf('Claude Code').replace('$TIPOFF_API_KEY', env.TIPOFF_API_KEY),
      ) ?? [];
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization } },
    });
    await client.connect(transport);
    expect((await callMcp(client, 'list_alerts')).told).toMatchObject({ total: 1 });
    await client.close();
    const text = claudeCode('https://alerts.example.com');
    for (const line of text.split('\n')) expect(API_PAGE).toContain(line);
  });

  test('says how to get a key, with a bot and without one', async () => {
    const { text } = await startWithCode();
    expect(text).toContain('write to the bot of the service');
    expect(text).toContain('node bin/tipoff.js chat');
  });
});

describe('what the worker reports', () => {
  test('counts while it is alive, and only in the expected form', () => {
    const botsAt = (bots: object, now = START) =>
      botsOf(liveChecks({ owner: 'host/1', at: START, address: 'http://localhost', checks: { bots } }, now));
    expect(botsAt(RUNNING)).toEqual([{ platform: 'telegram', url: 'https://t.me/tip_bot' }]);
    expect(botsAt(RUNNING, START + 60_000)).toEqual([]);
    expect(botsAt({ telegram: { ...RUNNING.telegram, state: 'refused' } })).toEqual([]);
    expect(botsAt({ telegram: { state: 'running', url: 'javascript:alert(1)' } })).toEqual([]);
    expect(botsAt({ telegram: 'running', discord: null })).toEqual([]);
    expect(botsAt({ telegram_admin: RUNNING.telegram })).toEqual([]);
  });
});
