import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENT } from '../support/lanes/patient.ts';

const ROOT = join(import.meta.dirname, '../..');
const running: ChildProcess[] = [];
/** Where the demos of this run, and no others, have their folders. */
const folder = mkdtempSync(join(tmpdir(), 'tipoff-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startDemo = (...args: string[]) => start('demo', ...args);

const start = (...args: string[]) => startWith({}, ...args);

function startWith(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, ['src/cli/tipoff.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder, TIPOFF_API_KEY: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (stream === child.stdout) out += chunk.toString();
    });
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, ended, text: () => text, out: () => out };
}

const demoFolders = () => readdirSync(folder);

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('demo', () => {
  test('--exit replays all of it, ends with a conclusion and exit code 0, and leaves nothing behind', async () => {
    const demo = startDemo('--exit');
    expect(await demo.ended).toBe(0);
    const [, alerts, fresh, accumulators, clusters] =
      /(\d+) alerts in [\d.]+ s: new wallet (\d+), new wallet keeps buying (\d+), cluster of new wallets (\d+); \d+ settled\.$/.exec(
        demo.text().replaceAll(/\s+/g, ' ').trim(),
      ) ?? [];
    expect(Number(alerts)).toBeGreaterThan(100);
    for (const count of [fresh, accumulators, clusters]) expect(Number(count)).toBeGreaterThan(0);
    expect(demo.text().match(/^Rehearsal; the test starts on/gm)).toHaveLength(2);
    const [, strongest = ''] =
      /\nThe strongest of .*\n([\s\S]*?)\n\nHypothetical bets/.exec(demo.text()) ?? [];
    const scores = [...strongest.matchAll(/^\d\d-\d\d \S+ +(\d+) █/gm)].map(([, score]) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(strongest.match(/^ {2}(✅|❌) \S/gm)).toHaveLength(scores.length);
    expect(demo.text()).toContain('real trades of the 2022 US midterms, at their own dates');
    expect(demoFolders()).toEqual([]);
  });

  test('shows a page with a record and working keys, then alerts as they come; Ctrl+C ends it with 0', async () => {
    const demo = startDemo('--port', '0');
    await vi.waitFor(() => expect(demo.text()).toMatch(/\n\d\d:\d\d:\d\d +\d+ █/));
    const [, page = ''] =
      /^Tipoff: a replay of the US midterms of 2022\..*\nPage +(http\S+\/)\n/.exec(demo.text()) ?? [];
    const home = await (await fetch(page)).text();
    expect(home).toContain(`<link rel="canonical" href="${page}"`);
    expect(home).toContain('Replay of 2022, 300 times faster. Not live.');
    const address = /^API +(\S+)/m.exec(demo.text())?.[1] ?? '';
    const ask = async (path: string, key: string) => {
      const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
      return (await answer.json()) as Record<string, unknown>;
    };
    for (const tier of ['free', 'pro', 'enterprise']) {
      const key = new RegExp(`^${tier} key +(sk_live_\\S+)`, 'm').exec(demo.text())?.[1] ?? '';
      expect(await ask('/me', key)).toMatchObject({ tier });
    }
    const pro = /^pro key +(sk_live_\S+)$/m.exec(demo.text())?.[1] ?? '';
    const socket = new WebSocket(`${page.replace('http', 'ws')}ws/alerts?api_key=${pro}`);
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent];
    expect(JSON.parse(data)).toMatchObject({ type: 'connected', tier: 'pro' });
    socket.close();
    expect(Number((await ask('/alerts/preview?min_signal=60', pro))['resolved'])).toBeGreaterThan(0);
    await vi.waitFor(
      async () =>
        expect(await (await fetch(`${page}record.json`)).json()).toMatchObject({
          conclusion: expect.stringMatching(/^Rehearsal; the test starts on 1 January 2027\. /),
        }),
      // Of 60 requests in a minute.
      { ...PATIENT, interval: 1_500 },
    );
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toMatch(
      /\nStopped after \d+ alerts?\. What .* worth:\n {2}node bin\/tipoff\.js backtest /,
    );
    const lines = demo.text().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const times = lines.flatMap((line) => /^\d\d:\d\d:\d\d(?= )/.exec(line)?.[0] ?? []);
    expect(times).toEqual(times.toSorted());
  });

  test('says when the tape has ended, and serves its page until Ctrl+C; says that the usual port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const demo = startWith({ PORT: String(port) }, 'demo', '--speed', '100000');
    const ended =
      /The tape has ended, after \d+ alerts? here;[\s\w]+\.\s+The\s+page\s+stays\s+until\s+Ctrl\+C:\s+(http\S+)/;
    await vi.waitFor(() => expect(demo.text()).toMatch(ended));
    expect(demo.text()).toMatch(new RegExp(`Port ${port} is taken: this demo uses \\d+\\.`));
    const [, page = ''] = ended.exec(demo.text()) ?? [];
    expect((await fetch(page)).status).toBe(200);
    expect(demo.child.exitCode).toBe(null);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
  });

  test('ends in silence and with 0 when its reader is gone, and leaves nothing behind', async () => {
    const demo = startDemo('--port', '0');
    demo.child.stdout?.destroy();
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toBe('');
    expect(demoFolders()).toEqual([]);
  });

  test('an option that does not exist is refused with its name, and exit code 2', async () => {
    const demo = startDemo('--sped', '60');
    expect(await demo.ended).toBe(2);
    expect(demo.text()).toContain("Unknown option '--sped'");
  });
});

describe('listen', () => {
  const eventually = (check: () => void) => vi.waitFor(check);
  const linesOf = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('beside a demo verifies its test and its alerts, refuses what others send, and removes its webhook at Ctrl-C', async () => {
    const demo = startDemo('--port', '0');
    await eventually(() => expect(demo.text()).toContain('In other terminals:'));
    const listen = start('listen', '--json');
    await eventually(() => expect(listen.out()).toMatch(/"payload":\{"id":[1-9]/));
    const [, address = '', service, id] =
      /^Listening at (\S+) for (\S+), webhook (wh_\S+)\. /m.exec(listen.text()) ?? [];
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401);
    await eventually(() => expect(listen.out()).toContain('"verified":false'));
    const lines = linesOf(listen.out());
    const tested = expect.objectContaining({ payload: expect.objectContaining({ id: 0, test: true }) });
    expect(lines.filter(({ verified }) => verified === true)).toContainEqual(tested);
    expect(lines.filter(({ verified }) => verified !== true)).toEqual([
      expect.objectContaining({ verified: false, reason: 'a header is missing' }),
    ]);

    const headers = { authorization: `Bearer ${/^enterprise key +(\S+)/m.exec(demo.text())?.[1]}` };
    const webhook = await (await fetch(`${service}/api/v1/webhooks/${id}`, { headers })).json();
    expect(webhook).toMatchObject({ url: address, deliveries: { failed: 0 } });
    listen.child.kill('SIGINT');
    expect(await listen.ended).toBe(0);
    expect(listen.text()).toContain(`Webhook ${id} is removed.`);
    expect((await fetch(`${service}/api/v1/webhooks/${id}`, { headers })).status).toBe(404);

    // One that is killed leaves its webhook, and the next on its port gets one of its own.
    const killed = start('listen');
    await eventually(() => expect(killed.text()).toContain('✓ verified test'));
    const [, port = ''] = /^Listening at http:\/\/127\.0\.0\.1:(\d+)/m.exec(killed.text()) ?? [];
    killed.child.kill('SIGKILL');
    await killed.ended;
    const last = start('listen', '--port', port);
    await eventually(() => expect(last.text()).toContain('✓ verified test'));
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
    last.child.kill('SIGINT');
    expect(await last.ended).toBe(1);
    expect(last.text()).toMatch(/Webhook wh_\S+ could not be removed\. No service answers at /);
  });

  test('says what is missing: a demo, a service, a free port, and that it must run here', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    for (const [args, expected] of [
      [[], 'No demo is running. Start one in another terminal: node bin/tipoff.js demo'],
      [['--key', 'sk_live_x', '--url', 'http://127.0.0.1:1'], 'No service answers at http://127.0.0.1:1 ('],
      [['--key', 'sk_live_x', '--port', String(port)], `--port: ${port} is taken`],
      [['--key', 'sk_live_x', '--port', 'x'], '--port: expected a number'],
      [['--url', 'https://example.com'], '--url: expected the address of a service on this computer'],
    ] as const) {
      const listen = start('listen', ...args);
      expect([args, await listen.ended, listen.text()]).toEqual([args, 2, expect.stringContaining(expected)]);
    }
  });
});
