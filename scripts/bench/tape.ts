import { categoryOf } from '../../src/core/trades/classification/category-of.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

export const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The whole tape as rows in memory. */
export async function tapeRows(): Promise<readonly Row[]> {
  const deps = { clock: systemClock, logger: silent, categorise: categoryOf, onDrop: () => {} };
  const source = await openReplay({ file: TAPE, speed: 0, shift: null, checkpoint: null }, deps);
  const rows: Row[] = [];
  for await (const batch of source.batches(new AbortController().signal))
    rows.push(...batch.map(({ row }) => row));
  return rows;
}

/** The rows again as if other people had traded later: every wallet and transaction is new, the time advances. */
export function* repeated(rows: readonly Row[], repetition: number): Iterable<Row> {
  const first = rows.find(({ at }) => at !== null)?.at ?? 0;
  const span = (rows.findLast(({ at }) => at !== null)?.at ?? 0) - first + 1_000;
  const suffix = repetition.toString(16).padStart(4, '0');
  for (const row of rows) {
    const at = row.at === null ? null : row.at + repetition * span;
    if (row.kind !== 'trade' || at === null) {
      yield { ...row, at } as Row;
      continue;
    }
    const wallet = `${row.trade.wallet.slice(0, -4)}${suffix}`;
    const transaction = `${row.trade.transaction.slice(0, -4)}${suffix}`;
    yield { kind: 'trade', at, trade: { ...row.trade, at, wallet, transaction } };
  }
}
