import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTape } from '../../src/wiring/tape-record.ts';

const FIXTURES = 'test/fixtures';

async function run(file: string) {
  const database = await openDatabase('sqlite::memory:');
  const parts: number[] = [];
  const options = {
    database,
    file,
    rules: DEFAULT_RULES,
    onProgress: (part: number) => void parts.push(part),
  };
  const played = await runTape(options);
  return { database, parts, ...played };
}

test('a tape is played to its end: counted, logged, with its last alert closed', async () => {
  const { database, parts, until, ...counts } = await run(`${FIXTURES}/order-in-40-fills.jsonl`);
  const alerts = await database.alerts.after(0, 10);
  const entries = await database.log.after(0, 10);
  await database.close();
  expect(counts).toEqual({ trades: 40, alerts: 1, dropped: new Map() });
  expect(alerts).toHaveLength(1);
  expect(until).toBeGreaterThanOrEqual(alerts[0]?.tradedAt as number);
  expect(entries.map(({ kind }) => kind).slice(0, 3)).toEqual(['software', 'rules', 'alert']);
  expect(parts.at(-1)).toBe(1);
});

test('rows that are left out are counted by their reason', async () => {
  const { database, trades, dropped } = await run(`${FIXTURES}/nobel2025-trades.jsonl.gz`);
  await database.close();
  expect(trades).toBe(5_000);
  expect([...dropped]).toEqual([['repeat', 3_500]]);
});
