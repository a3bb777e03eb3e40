import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { SourceRow, TapeSource } from '../../src/core/trades/source/source.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { openTail } from '../../src/infra/market/tapes/tail.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
  wireTrade,
  writeTape,
} from '../infra/market/tapes/source-fixture.ts';

const linesOf = (file: string): unknown[] =>
  readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The alerts of the rows that a source passed on, with no row added to them. */
function alertsOf(source: TapeSource, rows: readonly SourceRow[]): readonly Candidate[] {
  const detector = new Detector(DEFAULT_RULES, source);
  return rows.flatMap(({ row }) => detector.judge(row).candidates);
}

async function replayed(lines: readonly unknown[]): Promise<readonly Candidate[]> {
  const file = await writeTape(lines);
  const source = await openReplay({ file, speed: 0, shift: null, checkpoint: null }, createSourceFixture());
  return alertsOf(source, await readAll(source));
}

/** Followed until 3 s have passed after the last row; no further row comes. */
async function followed(lines: readonly unknown[]): Promise<readonly Candidate[]> {
  const fixture = createSourceFixture();
  const source = await openTail({ file: await writeTape(lines), checkpoint: null }, fixture);
  const { taken, stop, done } = startReading(source);
  for (let passed = 0; passed < 3_000; passed += 50) {
    await fixture.clock.asleep();
    await fixture.clock.advance(50);
  }
  stop();
  await done;
  return alertsOf(source, taken);
}

const HEADER = { tape: { history: 'complete' } };
/** Two resting orders of one wallet, 2,000 shares at 30 and 31 cents, swept in one transaction. */
const LADDER = [wireTrade({ size: 2_000, price: 0.3 }), wireTrade({ size: 2_000, price: 0.31, n: 2 })];

test.each([
  ['replay', replayed],
  ['tail', followed],
])(
  'two equal orders of one transaction are two through %s where the row says so, and one without',
  async (_, play) => {
    expect(await play([HEADER, ...LADDER])).toMatchObject([{ type: 'fresh', usdc: 1_220 }]);
    expect(await play([HEADER, ...LADDER.map(({ n: _n, ...row }) => row)])).toEqual([]);
  },
);

describe('an order filled in pieces is published whole', () => {
  test.each([
    ['replay', replayed],
    ['tail', followed],
  ])(
    '40 fills through %s: give one alert of 50,000.31 USDC, the very one of the order in one row',
    async (_name, play) => {
      const [alert, ...more] = await play(linesOf('order-in-40-fills.jsonl'));
      expect(more).toEqual([]);
      expect(Math.abs(Number(alert?.usdc) - 50_000.31)).toBeLessThanOrEqual(0.01);
      expect([alert]).toEqual(await play(linesOf('order-in-one-fill.jsonl')));
    },
  );
});
