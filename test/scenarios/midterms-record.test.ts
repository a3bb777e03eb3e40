import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { RecordReport, RecordStage } from '../../src/core/record/record-report.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { recordAt, runTape } from '../../src/wiring/tape-record.ts';
import { bettorsCapital, firstOnes, meanOf, readOrders, type Worth, worthOf } from './recomputed-record.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const FIGURES = [
  ['move_24h', 'move24h', 'move, 24 h'],
  ['won_minus_price', 'wonMinusPrice', 'won − price'],
] as const;

let report: RecordReport;
let stage: RecordStage;
let worths: readonly Worth[];

beforeAll(async () => {
  const database = await openDatabase('sqlite::memory:');
  const options = { database, file: TAPE, rules: DEFAULT_RULES, onProgress() {} };
  const { until } = await runTape(options);
  const text = await recordAt(until, database, DEFAULT_RULES);
  report = JSON.parse(text) as RecordReport;
  stage = report.stages[0] as RecordStage;
  const listed = await database.alerts.after(0, 1_000);
  const markets = readOrders(TAPE);
  const alerts = firstOnes(listed.map((alert) => ({ ...alert, publishedAt: alert.detectedAt })));
  worths = alerts.map((alert) => worthOf(alert, markets));
  await database.close();
});

describe('the record of the midterms, computed a second time from the tape and the list of alerts', () => {
  test('has the same figures, to a hundredth of a cent, of the same alerts', () => {
    for (const [name, own] of FIGURES) {
      const { alerts: count, events, mean, per_alert } = stage.figures[name];
      const wanted = meanOf(worths, own);
      expect({ name, count, events }).toEqual({ name, count: wanted.alerts, events: wanted.events });
      expect(Math.abs((mean as number) * 100 - wanted.perEvent), name).toBeLessThan(0.01);
      expect(Math.abs((per_alert as number) * 100 - wanted.perAlert), name).toBeLessThan(0.01);
    }
  });

  test('has the same bets, and the same capital to a hundredth of a cent', () => {
    const { bets, bought, sold } = stage.bettor;
    const [on, against] = [true, false].map((isOn) => bettorsCapital(worths, isOn));
    expect([bets, bought.now, sold.now]).toEqual([
      on?.bets,
      expect.closeTo(on?.now as number, 4),
      expect.closeTo(against?.now as number, 4),
    ]);
  });

  test('shows nothing, and says so', () => {
    expect(report.conclusion).toMatch(/^Rehearsal; the test starts on 1 January 2027\. No evidence yet /);
  });
});

test('the documents state these figures', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../..', name), 'utf8').replaceAll(/[\s>]+/g, ' ');
  const cents = (value: number | null) => {
    const text = Math.abs((value as number) * 100).toFixed(1);
    return `${(value as number) < 0 ? '−' : '+'}${text}`;
  };
  for (const [name, , label] of FIGURES) {
    const { alerts, events, mean, per_alert } = stage.figures[name];
    expect(read('docs/method.md')).toContain(
      `| ${label} | ${alerts} | ${events} | ${cents(mean)} | ${cents(per_alert)} |`,
    );
  }
  const lower = cents(stage.figures.move_24h.mean).slice(1);
  expect(read('docs/reading-alerts.md')).toContain(`A day later the price was ${lower}¢ lower per event`);
  for (const name of ['README.md', 'docs/method.md']) expect(read(name)).toContain(report.conclusion);
  for (const name of ['README.md', 'docs/reading-alerts.md']) expect(read(name)).toContain(report.results);
});
