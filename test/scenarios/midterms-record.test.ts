import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { RecordReport, RecordStage } from '../../src/core/record/record-report.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { recordAt, runTape } from '../../src/wiring/tape-record.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const FIGURES = [
  ['move_24h', 'move, 24 h'],
  ['won_minus_price', 'won − price'],
] as const;

let report: RecordReport;
let stage: RecordStage;

beforeAll(async () => {
  const database = await openDatabase('sqlite::memory:');
  const options = { database, file: TAPE, rules: DEFAULT_RULES, onProgress() {} };
  const { until } = await runTape(options);
  const text = await recordAt(until, database, DEFAULT_RULES);
  report = JSON.parse(text) as RecordReport;
  stage = report.stages[0] as RecordStage;
  await database.close();
});

test('the record of the midterms shows nothing, and says so', () => {
  expect(report.conclusion).toMatch(/^Rehearsal; the test starts on 1 January 2027\. No evidence yet /);
});

test('the documents state these figures', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../..', name), 'utf8').replaceAll(/[\s>]+/g, ' ');
  const cents = (value: number | null) => {
    const text = Math.abs((value as number) * 100).toFixed(1);
    return `${(value as number) < 0 ? '−' : '+'}${text}`;
  };
  for (const [name, label] of FIGURES) {
    const { alerts, events, mean, per_alert } = stage.figures[name];
    expect(read('docs/method.md')).toContain(
      `| ${label} | ${alerts} | ${events} | ${cents(mean)} | ${cents(per_alert)} |`,
    );
  }
  const { bets, mean, bought, sold } = stage.bettor;
  const capital = `the bettor has $${bought.now.toFixed(2)}, the one against the alerts $${sold.now.toFixed(2)}`;
  expect(read('docs/method.md')).toContain(
    `${bets} bets were made, with a mean move of ${cents(mean)}¢; ${capital}`,
  );
  const lower = cents(stage.figures.move_24h.mean).slice(1);
  expect(read('docs/reading-alerts.md')).toContain(`A day later the price was ${lower}¢ lower per event`);
  for (const name of ['README.md', 'docs/method.md']) expect(read(name)).toContain(report.conclusion);
  for (const name of ['README.md', 'docs/reading-alerts.md']) expect(read(name)).toContain(report.results);
});
