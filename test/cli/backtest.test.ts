import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

function startBacktest() {
  const child = spawn(process.execPath, ['src/cli/backtest.ts', TAPE], {
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

  test('ends in silence and with 0 when its reader is gone', async () => {
    const { child, complaints, ended } = startBacktest();
    child.stdout.destroy();
    await ended;
    expect(await complaints).toBe('');
    expect(child.exitCode).toBe(0);
  });
});
