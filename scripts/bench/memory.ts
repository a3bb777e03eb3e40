import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { type Figure, note, signedPercent, whole } from './figure.ts';
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
  const before = heldMb();
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  const states = Array.from({ length: REPETITIONS }, (_, repetition) => {
    for (const row of repeated(rows, repetition)) detector.judge(row);
    const { wallets, markets, clusters, fills } = detector.memory;
    const holds = `${wallets} wallets, ${markets} markets, ${clusters} windows, ${fills} fills`;
    return { heldMb: heldMb(), holds };
  });
  const [first, last] = [states.at(0), states.at(-1)];
  if (first === undefined || last === undefined) return [];
  const growth = last.heldMb / first.heldMb - 1;
  const wallets = new Set(rows.flatMap((row) => (row.kind === 'trade' ? [row.trade.wallet] : []))).size;
  const newWallets = (REPETITIONS - 1) * wallets;
  const [firstOwn, lastOwn] = [first.heldMb - before, last.heldMb - before];
  return [
    note('process after 1 repetition: heap and buffers, the tape’s rows included', mb(first.heldMb)),
    {
      what: `process after ${REPETITIONS} repetitions`,
      value: `${mb(last.heldMb)}, ${signedPercent(growth)}`,
      aim: `within ${GROWTH * 100} %`,
      isMet: Math.abs(growth) <= GROWTH,
    },
    note('detector alone after 1 repetition', `${mb(firstOwn)} (${first.holds})`),
    note(
      `detector alone after ${REPETITIONS} repetitions`,
      `${mb(lastOwn)}, ${signedPercent(lastOwn / firstOwn - 1)} (${last.holds})`,
    ),
    note(
      `what that growth is for each of the ${whole(newWallets)} new wallets: a hash of those past freshness is kept`,
      `${Math.round(((lastOwn - firstOwn) * 2 ** 20) / newWallets)} bytes, for ${whole(DEFAULT_RULES.memory.retiredWallets)} wallets at most`,
    ),
  ];
}

/** Warms up: compiled code and its feedback exist before the measurement. */
function warmUp(rows: Parameters<typeof repeated>[0]): void {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  for (const row of repeated(rows, REPETITIONS)) detector.judge(row);
}

function heldMb(): number {
  if (globalThis.gc === undefined) throw new Error('memory is measured with node --expose-gc');
  // Objects freed by a first collection may hold buffers that only a second one frees.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

function mb(value: number): string {
  return `${value.toFixed(1)} MB`;
}
