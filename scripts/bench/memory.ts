import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { type Figure, figure, mb, signedPercent, whole, within } from './figure.ts';
import { heldBytes } from './process-use.ts';
import { repeated, tapeRows } from './tape.ts';

const REPETITIONS = 10;
const GROWTH = 0.2;

/**
 * What stays in memory after 1 and 10 repetitions of the tape, each with fresh wallets. The detector's part is what
 * came on top of the rows, which stay the same throughout.
 */
export async function benchMemory(): Promise<readonly Figure[]> {
  const rows = await tapeRows();
  warmUp(rows);
  const before = heldBytes();
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  const states = Array.from({ length: REPETITIONS }, (_, repetition) => {
    for (const row of repeated(rows, repetition)) detector.judge(row);
    const { wallets, markets, clusters, fills } = detector.memory;
    const holds = `${wallets} wallets, ${markets} markets, ${clusters} windows, ${fills} fills`;
    return { held: heldBytes(), holds };
  });
  const [first, last] = [states.at(0), states.at(-1)];
  if (first === undefined || last === undefined) return [];
  const growth = last.held / first.held - 1;
  const wallets = new Set(rows.flatMap((row) => (row.kind === 'trade' ? [row.trade.wallet] : []))).size;
  const newWallets = (REPETITIONS - 1) * wallets;
  const [firstOwn, lastOwn] = [first.held - before, last.held - before];
  return [
    figure('process after 1 repetition: heap and buffers, the tape’s rows included', mb(first.held)),
    figure(
      `process after ${REPETITIONS} repetitions`,
      `${mb(last.held)}, ${signedPercent(growth)}`,
      within(growth, GROWTH),
    ),
    figure('detector alone after 1 repetition', `${mb(firstOwn)} (${first.holds})`),
    figure(
      `detector alone after ${REPETITIONS} repetitions`,
      `${mb(lastOwn)}, ${signedPercent(lastOwn / firstOwn - 1)} (${last.holds})`,
    ),
    figure(
      `what that growth is for each of the ${whole(newWallets)} new wallets: a hash of those past freshness is kept`,
      `${Math.round((lastOwn - firstOwn) / newWallets)} bytes, for ${whole(DEFAULT_RULES.memory.retiredWallets)} wallets at most`,
    ),
  ];
}

/** Warms up: compiled code and its feedback exist before the measurement. */
function warmUp(rows: Parameters<typeof repeated>[0]): void {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  for (const row of repeated(rows, REPETITIONS)) detector.judge(row);
}
