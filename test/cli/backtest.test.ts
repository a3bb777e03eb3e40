import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtestCommand } from '../../src/cli/backtest.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';

const ROOT = join(import.meta.dirname, '../..');
const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const ONE_ALERT = 'test/fixtures/order-in-one-fill.jsonl';

function startBacktest(...args: readonly string[]) {
  const child = spawn(process.execPath, ['src/cli/tipoff.ts', 'backtest', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, complaints: text(child.stderr), ended: once(child, 'close') };
}

describe('backtest', () => {
  let lines: readonly string[];
  let out: string;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'tipoff-backtest-'));
    const { child, ended } = startBacktest(TAPE, '--out', join(out, 'new'));
    lines = (await text(child.stdout)).trimEnd().split('\n');
    await ended;
  });
  afterAll(() => rm(out, { recursive: true, force: true }));

  test('begins with what can be concluded, and with how many bets were right', () => {
    expect(lines[0]).toMatch(
      /^Rehearsal; the test starts on 1 January 2027\. No evidence yet .* plausible\.$/,
    );
    expect(lines[1]).toMatch(/^\d+ of \d+ settled bets were right \(\d+%\)\. Breaking even .* took \d+%\.$/);
  });

  test('then shows the figures, losses included, in 80 columns', () => {
    const table = lines.slice(
      2,
      lines.findIndex((line) => line.startsWith('The first column')),
    );
    for (const line of table) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(table.find((line) => line.startsWith('Average change '))).toMatch(/ −\d+\.\d¢ +−\d+\.\d¢$/);
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  test('writes the record to a folder', async () => {
    const folder = join(out, 'new');
    expect(await readdir(folder)).toEqual(['record.json']);
    const report = JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')) as RecordReport;
    expect(report.conclusion).toBe(lines[0]);
    const [, count] = /, ([\d,]+) alerts$/m.exec(lines.join('\n')) ?? [];
    expect(String(report.alerts)).toBe(count);
  });

  test('prints the record as JSON alone, as it writes it', async () => {
    const folder = join(out, 'json');
    const { child, complaints, ended } = startBacktest(ONE_ALERT, '--json', '--out', folder);
    const printed = await text(child.stdout);
    await ended;
    expect(printed).toBe(`${await readFile(join(folder, 'record.json'), 'utf8')}\n`);
    expect((JSON.parse(printed) as RecordReport).alerts).toBe(1);
    expect(await complaints).toBe('');
  });

  test('counts the rows that it leaves out, by their reason', async () => {
    const { child, ended } = startBacktest('test/fixtures/nobel2025-trades.jsonl.gz');
    const printed = await text(child.stdout);
    await ended;
    expect(printed).toContain('\n5,000 trades in ');
    expect(printed).toContain('\nrows left out: 3,500 repeat\n');
  });

  test.each([
    [[], 'Name one tape.'],
    [['test/fixtures/none.jsonl'], 'there is no such file'],
  ])('refuses %o with a sentence', async (args, sentence) => {
    await expect(backtestCommand.run(args)).rejects.toThrow(sentence);
  });
});
