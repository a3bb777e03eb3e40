import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { followerPricesOf } from '../../src/core/record/follower-prices.ts';
import type { RecordFigure, RecordReport } from '../../src/core/record/record-report.ts';
import type { PricePoint } from '../../src/core/trades/price-point.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { recordAt, runTape } from '../../src/wiring/tape-record.ts';

const ROOT = join(import.meta.dirname, '../..');
const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

/** The prices P and Q of an alert, each with its time. */
interface AlertPrices {
  readonly id: number;
  readonly bought: readonly [number, number] | null;
  readonly later: readonly [number, number] | null;
}

type Recomputed = Pick<RecordReport, 'results' | 'counted'> & {
  readonly prices: readonly AlertPrices[];
  readonly measured: number;
  readonly day_later: RecordFigure;
  readonly payout: RecordFigure;
};

let report: RecordReport;
let recomputed: Recomputed;
let fixed: readonly AlertPrices[];

beforeAll(async () => {
  await using database = await openDatabase('sqlite::memory:');
  const { until } = await runTape({ database, file: TAPE, rules: DEFAULT_RULES });
  report = await recordAt(until, database, DEFAULT_RULES);
  const found = await database.alerts.after(0, 1_000);
  const markets = new Map(
    (await database.prices.markets(found.map(({ marketId }) => marketId))).map((market) => [
      market.marketId,
      market,
    ]),
  );
  fixed = found.map((alert) => {
    const { bought, later } = followerPricesOf(alert, markets.get(alert.marketId) ?? null, until);
    return { id: alert.id, bought: pairOf(bought), later: pairOf(later) };
  });
  const alerts = found.map((alert) => ({
    id: alert.id,
    market: alert.marketId,
    wallet: alert.wallet,
    outcome: alert.outcomeIndex,
    published: alert.detectedAt,
    entry: alert.entryPrice,
  }));
  const script = join(import.meta.dirname, 'recompute-record.py');
  const input = JSON.stringify(alerts);
  recomputed = JSON.parse(execFileSync('python3', [script, join(ROOT, TAPE)], { input, encoding: 'utf8' }));
});

function pairOf(point: PricePoint | null): readonly [number, number] | null {
  return point && [point.at, point.price];
}

/** What does not depend on the search for the interval. */
const partOf = ({ bets, open, mean, bought, sold }: RecordFigure) => ({ bets, open, mean, bought, sold });
const near = (value: number | null) => expect.closeTo(value as number, 4);
const nearly = ({ bets, open, mean, bought, sold }: RecordFigure) => ({
  bets,
  open,
  mean: near(mean),
  bought: { now: near(bought.now), highest: near(bought.highest) },
  sold: { now: near(sold.now), highest: near(sold.highest) },
});

describe('the record of the midterms, computed a second time in Python from the tape and the list of alerts', () => {
  test.each(['day_later', 'payout'] as const)('has the bets, mean and capital of %s', (name) => {
    expect(partOf(report[name])).toEqual(nearly(recomputed[name]));
  });

  test('has the same sentence on results, of the same alerts', () => {
    expect([report.counted, report.results]).toEqual([recomputed.counted, recomputed.results]);
  });

  test('has the prices P and Q of every alert', () => {
    const closeTo = (pair: readonly [number, number] | null) => pair && [pair[0], expect.closeTo(pair[1], 5)];
    expect(fixed).toEqual(
      recomputed.prices.map(({ id, bought, later }) => ({
        id,
        bought: closeTo(bought),
        later: closeTo(later),
      })),
    );
    expect(fixed.filter(({ bought }) => bought !== null).length).toBeGreaterThan(50);
  });

  test('shows nothing, and says so', () => {
    expect(report.conclusion).toMatch(/^Rehearsal; the test starts on 1 January 2027\. No evidence yet /);
  });
});

test('the documents state these figures', () => {
  const read = (name: string) => readFileSync(join(ROOT, name), 'utf8').replaceAll(/[\s>]+/g, ' ');
  for (const name of ['README.md', 'docs/method.md']) expect(read(name)).toContain(report.conclusion);
  for (const name of ['README.md', 'docs/reading-alerts.md', 'docs/method.md'])
    expect(read(name)).toContain(report.results);
  const cents = (value: number | null) => ((value as number) * 100).toFixed(1).replace('-', '−');
  const rowOf = (label: string, { bets, mean, bought, sold }: RecordFigure) =>
    `| ${label} | ${bets} | ${cents(mean)}¢ | $${bought.now.toFixed(2)} | $${sold.now.toFixed(2)} |`;
  const method = read('docs/method.md');
  expect(method).toContain(rowOf('a day later', report.day_later));
  expect(method).toContain(rowOf('at the payout', report.payout));
  expect(method).toContain(`of the ${report.counted} counted alerts ${recomputed.measured} have a P`);
});
