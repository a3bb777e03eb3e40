import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';
import { startStandIn } from '../support/stream-stand-in.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const KEY = { TIPOFF_API_KEY: 'sk_live_test' };

function run(file: string, options: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(EXAMPLES, file), ...options], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const ended = output.then(([stdout, stderr, [code]]) => ({ stdout, stderr, code }));
  return { child, ended };
}

describe('watch-alerts', () => {
  test('prints alerts one a line, without what steers a terminal, until it is interrupted', async () => {
    const standIn = await startStandIn();
    const { child, ended } = run(
      'watch-alerts.ts',
      ['--url', standIn.url, '--since-id', '6', '--min-signal', '70', '--categories', 'politics'],
      KEY,
    );
    const socket = await standIn.connection();
    const given = { min_signal: '70', categories: 'politics' };
    expect(Object.fromEntries(socket.query)).toEqual({ api_key: 'sk_live_test', since_id: '6', ...given });
    socket.send({ type: 'connected', message: 'Send ping.', tier: 'pro' });
    const settled = { payout: 1, won: true, profitUsdc: 3_000 };
    const alert = alertOf({
      id: 7,
      eventTitle: 'Will it\n\u001b[2J pass?',
      supersedes: 3,
      resolution: settled,
    });
    socket.send({ type: 'alert', data: alertView(alert) });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const { stdout, stderr, code } = await ended;
    const [created] = [alertView(alert).created_at];
    const line = `${created}  #7   72  New wallet  0x0000…00aa  $2,000 on Yes at 40¢ to win $3,000  Will it  [2J pass?  more of #3`;
    expect(stdout).toBe(`${line}\n    ✅ won $3,000\n`);
    expect(stderr).toBe('connecting; resuming after alert 6\nconnected, pro tier\n');
    expect([code, await socket.closed]).toEqual([0, 1000]);
  });

  test('ends with 1 and the reason when the key is refused', async () => {
    const standIn = await startStandIn();
    standIn.restStatus = 401;
    const { code, stderr } = await run('watch-alerts.ts', ['--url', standIn.url], KEY).ended;
    expect([code, stderr]).toEqual([1, '401: No.\n']);
  });

  test.each([
    ['no key', [], {}, 'Set TIPOFF_API_KEY.'],
    ['an option that is no number', ['--since-id', 'x'], KEY, '--since-id takes a whole number, not x.'],
    ['an unknown option', ['--nothing'], KEY, "Unknown option '--nothing'"],
  ])('ends with 2 at %s', async (_what, options, env, words) => {
    const { code, stderr } = await run('watch-alerts.ts', options, env).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test('--help names every option, the columns with their time zone, and where alerts are explained', async () => {
    const { code, stdout } = await run('watch-alerts.ts', ['--help'], {}).ended;
    expect(code).toBe(0);
    for (const name of ['url', 'since-id', 'min-signal', 'categories', 'alert-type', 'help']) {
      expect(stdout).toContain(`--${name} `);
    }
    expect(stdout).toContain('time (UTC)');
    expect(stdout).toContain('docs/reading-alerts.md');
  });
});
