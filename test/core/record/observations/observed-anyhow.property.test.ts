import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Row } from '../../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { marketRow, START, tradeRow } from '../../../support/rows.ts';
import { observationsOf } from '../../../support/stored-observations.ts';
import { type Life, LOOSER, live } from '../../ingest/rebuild-fixture.ts';

interface Step {
  readonly wallet: number;
  readonly market: number;
  readonly isOther: boolean;
  readonly usdc: number;
  readonly role: 'taker' | 'maker' | null;
  readonly gap: number;
  readonly late: number;
  readonly isRemoved: boolean;
}

/** Buys in three markets, some late, some removed again; one market is settled in the middle, another at the end. */
function tapeOf(steps: readonly Step[]): Row[] {
  let minute = 0;
  const rows = steps.flatMap(({ wallet, market, isOther, gap, late, isRemoved, ...given }, n): Row[] => {
    minute += gap;
    const row = tradeRow({
      ...given,
      wallet: `0xw${wallet}`,
      marketId: `0xm${market}`,
      asset: `${market}${isOther ? 1 : 0}`,
      at: START + Math.max(0, minute - late) * MINUTE_MS + (n % 3) * SECOND_MS,
    });
    const removed: Row[] = isRemoved && row.kind === 'trade' ? [{ ...row, kind: 'removed' }] : [];
    return [row, ...removed];
  });
  const middle = Math.floor(rows.length / 2);
  const settled = (id: string, at: number | null) =>
    marketRow({ id, payouts: [1, 0], ...(at === null ? {} : { at }) });
  return [
    ...rows.slice(0, middle),
    settled('0xm0', rows[middle]?.at ?? START),
    ...rows.slice(middle),
    settled('0xm1', START + minute * MINUTE_MS),
    tradeRow({
      wallet: '0xlast',
      marketId: '0xm2',
      asset: '20',
      usdc: 20,
      at: START + minute * MINUTE_MS + 200 * HOUR_MS,
    }),
  ];
}

const end =
  (rows: readonly Row[]): Life['isEnd'] =>
  (batch) =>
    (batch.at(-1)?.offset ?? 0) >= rows.length;
const whole = (rows: readonly Row[], life: Partial<Life> = {}): Life => ({
  rows,
  batchSize: 7,
  isEnd: end(rows) as NonNullable<Life['isEnd']>,
  ...life,
});

async function undisturbed(rows: readonly Row[], life: Partial<Life> = {}) {
  const database = await openDatabase('sqlite::memory:');
  await live(database, whole(rows, { batchSize: 1_000, given: { snapshotEveryMs: 1e12 }, ...life }));
  const observed = await observationsOf(database);
  await database.close();
  return observed;
}

const anyStep = fc.record<Step>({
  wallet: fc.nat(9),
  market: fc.nat(2),
  isOther: fc.boolean(),
  usdc: fc.integer({ min: 100, max: 3_000 }),
  role: fc.constantFrom('taker', 'maker', null),
  gap: fc.constantFrom(0, 0, 1, 30, 300, 3_000),
  late: fc.constantFrom(0, 0, 0, 0, 1, 90, 1_000),
  isRemoved: fc.constantFrom(false, false, false, true),
});

const step = (given: Partial<Step>): Step => ({
  wallet: 0,
  market: 0,
  isOther: false,
  usdc: 100,
  role: 'taker',
  gap: 0,
  late: 0,
  isRemoved: false,
  ...given,
});

/** The other outcome is traded for the first time while the market is closed, shortly before an alert opens it again. */
const OPENED_AGAIN: Step[] = [
  ...Array.from({ length: 6 }, () => step({})),
  step({ usdc: 800 }),
  step({ gap: 3_000 }),
  step({ gap: 3_000, isOther: true }),
  step({ usdc: 894 }),
  step({ usdc: 106 }),
  step({ gap: 30 }),
];

test('in any batches, with snapshots and kills anywhere, and rebuilt under other rules, the hours are the same', async () => {
  let hours = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 10, maxLength: 60, size: 'max' }),
      fc.array(
        fc.record({
          until: fc.nat(60),
          lastSnapshot: fc.nat(60),
          batchSize: fc.integer({ min: 1, max: 20 }),
        }),
        {
          maxLength: 4,
        },
      ),
      fc.integer({ min: 1, max: 9 }),
      async (steps, lives, batchSize) => {
        const rows = tapeOf(steps);
        const wanted = await undisturbed(rows);
        const database = await openDatabase('sqlite::memory:');
        for (const { until, ...life } of lives)
          await live(database, { rows, ...life, until: Math.min(until + 1, rows.length - 1) });
        await live(database, whole(rows, { batchSize }));
        hours += wanted.hours.length;
        expect(await observationsOf(database)).toEqual(wanted);
        // Nothing new was found, and nothing is written of what the rows before made of the markets.
        await live(database, whole(rows, { rules: LOOSER }));
        const { hours: rebuilt } = await observationsOf(database);
        expect(rebuilt).toEqual(expect.arrayContaining([...wanted.hours]));
        await database.close();
      },
    ),
    { numRuns: 20, examples: [[OPENED_AGAIN, [{ until: 12, lastSnapshot: 0, batchSize: 1 }], 1]] },
  );
  expect(hours).toBeGreaterThan(40);
}, 180_000);
