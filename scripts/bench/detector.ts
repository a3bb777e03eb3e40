import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { atLeast, type Figure, figure, median, seconds, whole } from './figure.ts';
import { tapeRows } from './tape.ts';

const WARM_UP = 3;
const RUNS = 15;
const AIM = 100_000;

/** Trades a second on one core, rows already in memory. */
export async function benchDetector(): Promise<readonly Figure[]> {
  const rows = await tapeRows();
  const trades = rows.filter(({ kind }) => kind === 'trade').length;
  const speeds = Array.from({ length: WARM_UP + RUNS }, () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    const startedAt = performance.now();
    for (const row of rows) detector.judge(row);
    return trades / seconds(startedAt);
  }).slice(WARM_UP);
  const speed = median(speeds);
  return [
    figure(
      `trades a second from memory, one core (median of ${RUNS} runs over ${whole(trades)} trades)`,
      whole(speed),
      atLeast(speed, AIM, whole),
    ),
  ];
}
