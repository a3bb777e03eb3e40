import { createDetector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { type Figure, median, seconds, whole } from './figure.ts';
import { repeated, tapeRows } from './tape.ts';

const RUNS = 9;

/** Trades a second on one core, rows already in memory. */
export async function benchDetector(): Promise<readonly Figure[]> {
  const rows = await tapeRows();
  const trades = rows.filter(({ kind }) => kind === 'trade').length;
  const speeds = Array.from({ length: RUNS }, () => {
    const detector = createDetector(DEFAULT_RULES, { isComplete: true });
    const startedAt = performance.now();
    for (const row of rows) detector.judge(row);
    return trades / seconds(startedAt);
  });
  return [
    {
      what: 'detector, trades/s from memory, one core (median of 9 runs)',
      value: whole(median(speeds)),
      aim: '100,000',
    },
  ];
}

/** Heap after 1 and 10 repetitions of the tape, each with fresh wallets. */
export async function benchMemory(): Promise<readonly Figure[]> {
  const rows = await tapeRows();
  const detector = createDetector(DEFAULT_RULES, { isComplete: true });
  const heapMb: number[] = [];
  const sizes: string[] = [];
  for (let repetition = 0; repetition < 10; repetition++) {
    for (const row of repeated(rows, repetition)) detector.judge(row);
    globalThis.gc?.();
    heapMb.push((process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers) / 2 ** 20);
    const { wallets, markets, clusters, fills } = detector.memory;
    sizes.push(`${wallets} wallets, ${markets} markets, ${clusters} windows, ${fills} fills`);
  }
  const [first = Number.NaN, tenth = Number.NaN] = [heapMb[0], heapMb[9]];
  const growth = `${tenth >= first ? '+' : ''}${((tenth / first - 1) * 100).toFixed(1)} %`;
  return [
    {
      what: 'memory after 1 repetition of the tape (heap and buffers, tape included)',
      value: `${first.toFixed(1)} MB (${sizes[0]})`,
      aim: '',
    },
    {
      what: 'memory after 10 repetitions with fresh wallets',
      value: `${tenth.toFixed(1)} MB, ${growth} (${sizes[9]})`,
      aim: 'within 20 %',
    },
  ];
}
