import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const running: ChildProcess[] = [];
/** Where the demos of this run, and no others, have their folders. */
const folder = mkdtempSync(join(tmpdir(), 'tipoff-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startDemo(...args: string[]) {
  const child = spawn(process.execPath, ['src/cli/tipoff.ts', 'demo', ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, ended, text: () => text };
}

const demoFolders = () => readdirSync(folder);

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('demo', () => {
  test('--exit replays all of it, ends with what `backtest` concludes and exit code 0, and leaves nothing behind', async () => {
    const demo = startDemo('--exit');
    expect(await demo.ended).toBe(0);
    const [, alerts, fresh, accumulators, clusters] =
      /(\d+) alerts in [\d.]+ s: (\d+) fresh, (\d+) fresh_accumulator, (\d+) cluster; \d+ settled\.\n$/.exec(
        demo.text(),
      ) ?? [];
    expect(Number(alerts)).toBeGreaterThan(100);
    for (const count of [fresh, accumulators, clusters]) expect(Number(count)).toBeGreaterThan(0);
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const [conclusion = ''] = /^Rehearsal, [\s\S]*?(?=\n```)/m.exec(readme) ?? [];
    expect(demo.text().split(`\n${conclusion.replaceAll(/\s+/g, ' ')}\n`)).toHaveLength(3);
    const [, strongest = ''] = /\nThe strongest of .*\n([\s\S]*?)\n\nFrom the record/.exec(demo.text()) ?? [];
    const scores = [...strongest.matchAll(/^\d\d-\d\d \S+ +(\d+) █/gm)].map(([, score]) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(strongest.match(/^ {2}(✅ won|❌ lost) \$/gm)).toHaveLength(scores.length);
    expect(demo.text()).toContain('real trades of the 2022 US midterms, at their own dates');
    expect(demoFolders()).toEqual([]);
  });

  test('shows a page with results and working keys, then alerts as they come; Ctrl+C ends it with 0', async () => {
    const demo = startDemo('--port', '0', '--speed', '1200');
    await vi.waitFor(() => expect(demo.text()).toMatch(/\n\d\d-\d\d \d\d:\d\d:\d\d +\d+ █/), {
      timeout: 25_000,
      interval: 50,
    });
    const [, page = ''] = /^Tipoff: .*\nPage +(http\S+\/)\n/.exec(demo.text()) ?? [];
    expect(await (await fetch(page)).text()).toContain(`<link rel="canonical" href="${page}"`);
    const address = /^API +(\S+)/m.exec(demo.text())?.[1] ?? '';
    const ask = async (path: string, key: string) => {
      const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
      return (await answer.json()) as Record<string, unknown>;
    };
    for (const tier of ['free', 'pro', 'enterprise']) {
      const key = new RegExp(`^${tier} key +(sk_live_\\S+)`, 'm').exec(demo.text())?.[1] ?? '';
      expect(await ask('/me', key)).toMatchObject({ tier });
    }
    const stream = /^Stream +(\S+)…/m.exec(demo.text())?.[1] ?? '';
    const pro = /^KEY=(sk_live_\S+)$/m.exec(demo.text())?.[1] ?? '';
    const socket = new WebSocket(`${stream}${pro}`);
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent];
    expect(JSON.parse(data)).toMatchObject({ type: 'connected', tier: 'pro' });
    socket.close();
    expect(Number((await ask('/alerts/preview?min_signal=60', pro))['resolved'])).toBeGreaterThan(0);
    await vi.waitFor(
      async () =>
        expect(await (await fetch(`${page}record.json`)).json()).toMatchObject({
          conclusion: expect.stringMatching(/^Rehearsal, .* Not shown\.$/),
        }),
      { timeout: 25_000, interval: 250 },
    );
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toMatch(
      /\nStopped after \d+ alerts?\. What the alerts of this tape were worth: npx tipoff backtest /,
    );
  });

  test('ends in silence and with 0 when its reader is gone, and leaves nothing behind', async () => {
    const demo = startDemo('--port', '0');
    demo.child.stdout?.destroy();
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toBe('');
    expect(demoFolders()).toEqual([]);
  });

  test.each([
    [['--speed', 'fast'], '--speed: expected a number'],
    [['--exit', '--speed', '60'], 'leave out --speed'],
    [['--sped', '60'], "Unknown option '--sped'"],
  ])('%j is refused with what is wrong, and exit code 2', async (args, expected) => {
    const demo = startDemo(...args);
    expect(await demo.ended).toBe(2);
    expect(demo.text()).toContain(expected);
  });
});
