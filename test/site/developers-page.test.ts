import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import {
  claudeCode,
  cursorFile,
  streamCode,
  vsCodeFile,
  WEBHOOK_CODE,
} from '../../src/site/pages/developers.ts';
import { serviceReportOf } from '../../src/site/service-report.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { callMcp } from '../support/mcp-client.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

const run = promisify(execFile);
const README = readFileSync(new URL('../../clients/typescript/README.md', import.meta.url), 'utf8');
const API_PAGE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const has = (command: string) => spawnSync(command, ['--version']).status === 0;
const beatOf = (bots: object) => ({ owner: 'host/1', roles: ['bots'], at: START, checks: { bots } });
const RUNNING = { ready: true, telegram: { state: 'running', detail: null, url: 'https://t.me/tip_bot' } };

/** The code of a page, as it is copied, with the address of the test's server. */
async function startWithCode() {
  const site = await startSite();
  await site.append(alertOf({ id: 1 }));
  await site.clock.jump(FREE_DELAY_MS + 2_000);
  const { secret } = await site.issue({ tier: 'free' });
  const { text } = await site.page('/developers');
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

describe('/developers', () => {
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

  test('its lines for stream and webhooks are those of the client, which has them in its README', () => {
    const code = `${streamCode('https://alerts.example.com')}\n${WEBHOOK_CODE}`;
    for (const line of code.split('\n')) expect(README).toContain(line);
  });

  test('its settings for agents connect a client, and docs/api.md has the same', async () => {
    const { codeOf, env } = await startWithCode();
    const asRead = (text: string) =>
      text.replaceAll(
        /\$(?:\{(?:env:TIPOFF_API_KEY|input:tipoff-key)\}|TIPOFF_API_KEY)/g,
        env.TIPOFF_API_KEY,
      );
    const cursor = JSON.parse(asRead(codeOf('Cursor'))).mcpServers.tipoff;
    const vsCode = JSON.parse(asRead(codeOf('VS Code'))).servers.tipoff;
    const [, url, authorization] =
      /^claude mcp add --transport http tipoff (\S+) \\\n {2}--header "Authorization: (.+)"$/.exec(
        asRead(codeOf('Claude Code')),
      ) ?? [];
    for (const given of [cursor, vsCode, { url, headers: { Authorization: authorization } }]) {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(given.url), {
        requestInit: { headers: given.headers },
      });
      await client.connect(transport);
      expect((await callMcp(client, 'list_alerts')).told).toMatchObject({ total: 1 });
      await client.close();
    }
    for (const code of [claudeCode, cursorFile, vsCodeFile]) {
      const text = code('https://alerts.example.com');
      for (const line of text.split('\n')) expect(API_PAGE).toContain(line);
    }
  });

  test('says how to see a webhook on one’s own machine', async () => {
    expect((await startWithCode()).text).toContain('node bin/tipoff.js listen');
  });

  test('leads to documents that are there', async () => {
    const { text } = await startWithCode();
    const { page } = await startSite();
    const paths = new Set([...text.matchAll(/href="(\/[^"#?]*)"/g)].map(([, path]) => path as string));
    expect(paths.size).toBeGreaterThan(12);
    for (const path of paths) expect([path, (await page(path)).status]).toEqual([path, 200]);
  });

  test('leads to the bots that run, also in another process; without one to the operator', async () => {
    const { database, page, clock } = await startSite({}, { CONTACT: 'ann@example.com' });
    const none = (await page('/developers')).text;
    expect(none).toContain('ask <a href="mailto:ann@example.com">its operator</a>');
    expect(none).toContain('node bin/tipoff.js chat');
    await database.heartbeats.beat({ ...beatOf(RUNNING), at: clock.now() + 61_000 });
    await clock.advance(61_000);
    const { text } = await page('/developers');
    expect(text).toContain('<a href="https://t.me/tip_bot">Get a key on Telegram</a>');
    expect(text).not.toContain('node bin/tipoff.js chat');
  });
});

describe('what processes report', () => {
  test('counts while they are alive, and only in the expected form', () => {
    const botsAt = (bots: object, now = START) => serviceReportOf([beatOf(bots)], now).bots;
    expect(botsAt(RUNNING)).toEqual([{ platform: 'telegram', url: 'https://t.me/tip_bot' }]);
    expect(botsAt(RUNNING, START + 60_000)).toEqual([]);
    expect(botsAt({ telegram: { ...RUNNING.telegram, state: 'refused' } })).toEqual([]);
    expect(botsAt({ telegram: { state: 'running', url: 'javascript:alert(1)' } })).toEqual([]);
    expect(botsAt({ telegram: 'running', discord: null })).toEqual([]);
    expect(botsAt({ telegram_admin: RUNNING.telegram })).toEqual([]);
  });
});
