import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wrapped } from '../../bots/terminal/screen-text.ts';
import { alertLines, HANG, resultLine } from '../../src/cli/demo-screen.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';

const style = (_style: unknown, text: string) => text;
const FIXTURE = join(import.meta.dirname, '../fixtures/midterms-alerts.json');
const [LARGE] = JSON.parse(readFileSync(FIXTURE, 'utf8')) as [Alert];
const linesOf = (alert: Alert, before: Alert | null = null) => alertLines(alert, before, { style });

describe('an alert in the demo', () => {
  test('has four lines: when, how strong and which; the market; the trade; the parts of the score', () => {
    expect(linesOf({ ...LARGE, resolution: null })).toEqual([
      '07-15 16:17:14  95 █████████░ fresh_accumulator #16 0x0c0e…434e · more of #15',
      '  US Senate control after the 2022 midterms: which party wins?',
      '  bought Democratic: $11,997 in 7 buys at 31.8¢ on average, the last $3,200',
      `  ${LARGE.details.reasons.map(({ note, points }) => `${note} (${points})`).join(' · ')}`,
    ]);
  });

  test('that is settled has its result below', () => {
    expect(linesOf(LARGE).at(-1)).toBe(
      '  ✅ Right: +$6,481 on the last order, +$25,781 on the whole position',
    );
  });

  test('keeps all but the parts of the score whole in 80 columns', () => {
    const lines = [...linesOf({ ...LARGE, id: 288, supersedes: 287 })];
    const [parts = ''] = lines.splice(3, 1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const pieces = wrapped(parts, 80, HANG).split('\n');
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece).toMatch(/^ {2}\S/);
  });

  test('of a cluster names the alert of the same order just before it, and no other', () => {
    const order = alertOf({ id: 6 });
    const cluster = alertOf({ id: 7, type: 'cluster', tradedAt: order.tradedAt });

    expect(linesOf(cluster, order)[0]).toMatch(/ cluster +#7 0x0000…00aa · includes #6$/);
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

test('a result sums up the orders of the market’s alerts', () => {
  const alerts = [alertOf({ id: 1 }), alertOf({ id: 2, outcome: 'No', outcomeIndex: 1, entryPrice: 0.9 })];
  const settled = { marketId: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0], seq: 1, resolved: 2, won: 1 };

  expect(resultLine(alerts, settled, Date.UTC(2022, 10, 9, 4), { style })).toBe(
    '11-09 04:00:00  RESULT  Will the measure pass? went to Yes: 2 alerts, 1 right. Sum of the orders: −$1,500 before fees',
  );
});
