import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wrapped } from '../../bots/terminal/screen-text.ts';
import { demoOptions } from '../../src/cli/demo.ts';
import { alertLines, demoHead, HANG, resultLine } from '../../src/cli/demo-screen.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { alertOf, exitOf, settlementOf } from '../support/alerts.ts';

test.each([
  [{}, {}, null, 8080],
  [{}, { PORT: '' }, null, 8080],
  [{}, { PORT: '9090' }, null, 9090],
  [{ port: '7070' }, { PORT: '9090' }, 7070, 9090],
  [{ port: '0' }, { PORT: '9090' }, 0, 9090],
])('the port of the demo is --port, else PORT if it is free: %j %j', (values, env, port, usualPort) => {
  expect(demoOptions(values, env)).toMatchObject({ port, usualPort });
});

test('a PORT that is not one is refused, and named', () => {
  expect(() => demoOptions({}, { PORT: 'x' })).toThrow('PORT: expected a number from 0 to 65535, got "x"');
  expect(() => demoOptions({ port: '' }, {})).toThrow('--port');
});

test('a speed that is none, or that a replay at full speed would ignore, is refused', () => {
  expect(() => demoOptions({ speed: 'fast' }, {})).toThrow('--speed: expected a number');
  expect(() => demoOptions({ exit: true, speed: '60' }, {})).toThrow('leave out --speed');
});

const address = 'http://127.0.0.1:65535';
const secret = (letter: string) => `sk_live_${letter.repeat(43)}`;
const secrets = { free: secret('f'), pro: secret('p'), enterprise: secret('e') };

describe('the head of the demo', () => {
  const lines = demoHead({ address, secrets }, 'linux');

  test('has three commands that work as they are when pasted', () => {
    expect(lines.slice(-5)).toEqual([
      `export TIPOFF_API_KEY=${secrets.enterprise}`,
      `export TIPOFF_URL=${address}`,
      'curl -H "Authorization: Bearer $TIPOFF_API_KEY" $TIPOFF_URL/api/v1/alerts/latest',
      'node bin/tipoff.js chat --demo',
      'node bin/tipoff.js listen',
    ]);
  });

  test('has a call without variables on Windows', () => {
    expect(demoHead({ address, secrets }, 'win32').at(-3)).toBe(
      `curl.exe -H "Authorization: Bearer ${secrets.enterprise}" "${address}/api/v1/alerts/latest"`,
    );
  });
});

const style = (_style: unknown, text: string) => text;
const FIXTURE = join(import.meta.dirname, '../fixtures/midterms-alerts.json');
const [LARGE] = JSON.parse(readFileSync(FIXTURE, 'utf8')) as [Alert];
const linesOf = (alert: Alert, before: Alert | null = null, exit: Exit | null = null) =>
  alertLines(alert, { time: '07-15 16:17:14', before, exit }, { style });

describe('an alert in the demo', () => {
  test('has four lines: when, how strong and which; the market; the trade; the parts of the score', () => {
    expect(linesOf({ ...LARGE, resolution: null })).toEqual([
      '07-15 16:17:14  76 ███████░░░ New wallet, 7 buys #16 0x0c0e…434e · more of #15',
      '  US Senate control after the 2022 midterms: which party wins?',
      '  $11,997 on Democratic in 7 buys at 31.8¢ on average, the last $3,200, to win $25,781',
      `  ${LARGE.details.reasons.map(({ note, points }) => `${note} (${points})`).join(' · ')}`,
    ]);
  });

  test('that is settled has its result below', () => {
    expect(linesOf(LARGE).at(-1)).toBe('  ✅ won $25,781');
    const exit = exitOf({ number: 1, alertIds: [LARGE.id], heldShares: 19_200 });
    expect(linesOf(LARGE, null, exit).at(-1)).toBe('  ✅ sold 76% at 71¢; won $6,187 on the 24% held');
  });

  test('keeps all but the trade and the parts of the score whole in 80 columns', () => {
    const lines = [...linesOf({ ...LARGE, id: 288, supersedes: 287 })];
    const [, parts = ''] = lines.splice(2, 2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const pieces = wrapped(parts, 80, HANG).split('\n');
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece).toMatch(/^ {2}\S/);
  });

  test('of a cluster names the alert of the same order just before it, and no other', () => {
    const order = alertOf({ id: 6 });
    const cluster = alertOf({ id: 7, type: 'cluster', tradedAt: order.tradedAt });

    expect(linesOf(cluster, order)[0]).toMatch(/ Cluster of new wallets +#7 0x0000…00aa · includes #6$/);
    for (const other of [
      null,
      { ...order, id: 5 },
      { ...order, wallet: '0xother' },
      { ...order, marketId: '0xm2' },
      { ...order, tradedAt: order.tradedAt - 1_000 },
    ])
      expect(linesOf(cluster, other)[0]).toMatch(/00aa$/);
    expect(linesOf({ ...cluster, type: 'fresh' }, order)[0]).toMatch(/00aa$/);
  });
});

test('a result sums up what the market’s bets won or lost with what was held', () => {
  const alerts = [alertOf({ id: 1 }), alertOf({ id: 2, outcome: 'No', outcomeIndex: 1, entryPrice: 0.9 })];
  const lineOf = (...exits: readonly Exit[]) => {
    const exitOf = new Map(exits.map((exit) => [exit.threadId, exit]));
    return resultLine(alerts, settlementOf(), { time: '04:00:00', exitOf }, { style });
  };
  const line = '04:00:00  RESULT  Will the measure pass? went to Yes: 2 bets, 1 right;';

  expect(lineOf()).toBe(`${line} −$1,500 at settlement, before fees`);
  expect(lineOf(exitOf({ number: 1, heldShares: 19_200 }))).toBe(
    `${line} −$3,780 at settlement, before fees`,
  );
});
