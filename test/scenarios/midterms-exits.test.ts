import { expect, test } from 'vitest';
import { runsOf } from '../../src/core/base/runs-of.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import type { FoundExit } from '../../src/core/detection/found-exit.ts';
import { secondOf } from '../../src/core/detection/order.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { seededRandom } from '../support/random.ts';
import { readTape } from '../support/read-tape.ts';
import { closeRow } from '../support/rows.ts';

const COMPLETE = { isComplete: true };
const SNAPSHOT_EVERY = 400;

/** Two fills for each, in whole millionths, and in every second another sequence. */
function splitAndShuffled(rows: readonly Row[], random: () => number): Row[] {
  const split = rows.flatMap((row): Row[] => {
    if (row.kind !== 'trade' || row.trade.shares < 2) return [row];
    const first = Math.floor(row.trade.shares * 5e5) / 1e6;
    const rest = Math.round((row.trade.shares - first) * 1e6) / 1e6;
    return [first, rest].map((shares, part) => {
      return { ...row, trade: { ...row.trade, shares, transaction: `${row.trade.transaction}:${part}` } };
    });
  });
  const isOfOneSecond = (a: Row, b: Row) =>
    a.kind === 'trade' && b.kind === 'trade' && secondOf(a.at) === secondOf(b.at);
  return runsOf(split, isOfOneSecond).flatMap((second) =>
    second.length === 1 ? second : second.toSorted(() => random() - 0.5),
  );
}

/** At each of these rows the process dies, and goes on from its last snapshot. */
function exitsOf(rows: readonly Row[], killedAt: ReadonlySet<number> = new Set()): FoundExit[] {
  const kills = new Set(killedAt);
  const found = new Map<string, FoundExit>();
  let detector = new Detector(DEFAULT_RULES, COMPLETE);
  let saved: { readonly next: number; readonly chunks: readonly string[] } = { next: 0, chunks: [] };
  for (let index = 0; index < rows.length; index++) {
    for (const exit of detector.judge(rows[index] as Row).exits) found.set(exit.key, exit);
    if (index % SNAPSHOT_EVERY === 0) saved = { next: index + 1, chunks: [...detector.snapshot()] };
    if (!kills.delete(index)) continue;
    detector = new Detector(DEFAULT_RULES, COMPLETE);
    detector.restore(saved.chunks);
    index = saved.next - 1;
  }
  return [...found.values()];
}

test('the midterms tape has 88 exits; split, shuffled and with 25 kills it has the same', async () => {
  const { rows } = await readTape('data/tapes/midterms-2022.jsonl.gz');
  const whole = exitsOf([...rows, closeRow()]);
  const count = (is: (exit: FoundExit) => boolean) => whole.filter(is).length;
  expect(whole).toHaveLength(88);
  expect(count(({ level }) => level === 'out')).toBe(66);
  expect([count(({ kind }) => kind === 'hedged'), count(({ kind }) => kind === 'cashed_out')]).toEqual([
    10, 9,
  ]);

  const random = seededRandom(39);
  const disturbed = [...splitAndShuffled(rows, random), closeRow()];
  const killedAt = new Set(Array.from({ length: 25 }, () => Math.floor(random() * disturbed.length)));
  // A fill in two parts is worth a millionth of a dollar more or less.
  const plain = ({ profitUsdc, salePrice, ...exit }: FoundExit) => exit;
  expect(exitsOf(disturbed, killedAt).map(plain)).toEqual(whole.map(plain));
});
