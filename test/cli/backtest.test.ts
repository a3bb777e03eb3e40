import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

function startBacktest(tape = TAPE) {
  const child = spawn(process.execPath, ['src/cli/backtest.ts', tape], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, complaints: text(child.stderr), ended: once(child, 'close') };
}

describe('backtest', () => {
  let lines: readonly string[];
  beforeAll(async () => {
    const { child, ended } = startBacktest();
    lines = (await text(child.stdout)).trimEnd().split('\n');
    await ended;
  });
  const lineOf = (start: string) => lines.findIndex((line) => line.startsWith(start));

  test('begins with what can be concluded: the races of one election day prove nothing', () => {
    expect(lines[0]).toMatch(
      /^No evidence that these alerts beat the price: \d+ markets of one day are too few to say\.$/,
    );
  });

  test('gives the sentence that the README shows', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`\n${lines[0]}\n`);
  });

  test('then shows the markets, then the alerts, each figure with an interval, and dollars last', () => {
    const [markets, alerts, dollars] = ['Per market', 'Per alert', 'Profit'].map(lineOf);
    expect(markets).toBeGreaterThan(0);
    expect(alerts).toBeGreaterThan(markets as number);
    expect(dollars).toBeGreaterThan(alerts as number);
    for (const block of [markets, alerts])
      expect(lines[(block as number) + 2]).toMatch(/^all +\d+( +[+-]?[\d.]+ \[[^\]]+, [^\]]+\]){3}$/);
  });

  test('judges every alert: all of them are settled on this tape', () => {
    const [, count] = /([\d,]+) alerts$/.exec(lines[3] ?? '') ?? [];
    expect(lines[lineOf('Per alert') + 2]).toMatch(new RegExp(`^all +${count} `));
  });

  test('takes markets that end on one day for one event, and shows the events first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tipoff-backtest-'));
    const tape = join(folder, 'days.jsonl');
    await writeFile(tape, tapeOf(['2026-12-01T01:00:00Z', '2026-12-01T23:00:00Z', '2026-12-02T01:00:00Z']));
    const { child, ended } = startBacktest(tape);
    const [first, ...others] = (await text(child.stdout)).split('\n');
    await ended;
    await rm(folder, { recursive: true });
    expect(first).toContain(' 3 markets of 2 days are too few to say');
    const perEvent = others.findIndex((line) => line.startsWith('Per event'));
    expect(others[perEvent + 2]).toMatch(/^all +2 +75\.0 \[/);
    expect(others.findIndex((line) => line.startsWith('Per market'))).toBeGreaterThan(perEvent);
  });

  test('ends in silence and with 0 when its reader is gone', async () => {
    const { child, complaints, ended } = startBacktest();
    child.stdout.destroy();
    await ended;
    expect(await complaints).toBe('');
    expect(child.exitCode).toBe(0);
  });
});

/** Markets that end at these times, each with one buy by its own fresh wallet; the first is lost, the others won. */
function tapeOf(ends: readonly string[]): string {
  const rows = ends.flatMap((endDate, index) => {
    const conditionId = `0xm${index}`;
    const asset = String(1_000 + index);
    const market = {
      ...{ conditionId, question: `Measure ${index}?`, slug: `measure-${index}`, outcomes: ['Yes', 'No'] },
      ...{ clobTokenIds: [asset, `${asset}9`], endDate },
    };
    const trade = {
      ...{ proxyWallet: `0x${index}`, side: 'BUY', asset, conditionId, size: 12_500, price: 0.4 },
      ...{ timestamp: 1_795_200_000 + 10 * index, title: market.question, slug: market.slug },
      ...{ outcome: 'Yes', outcomeIndex: 0, transactionHash: `0x${index}` },
    };
    const outcomePrices = index === 0 ? ['0', '1'] : ['1', '0'];
    const end = { ...market, outcomePrices, closed: true, at: 1_795_200_005 + 10 * index };
    return [market, trade, end];
  });
  return [{ tape: { name: 'days', history: 'complete' } }, ...rows]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
