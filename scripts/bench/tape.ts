import type { Row } from '../../src/core/trades/trade.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

export const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function tapeRows(): Promise<readonly Row[]> {
  const deps = { clock: systemClock, logger: silent, onDrop: () => {} };
  const source = await openReplay({ file: TAPE, speed: 0, shift: null, checkpoint: null }, deps);
  const rows: Row[] = [];
  for await (const batch of source.batches(new AbortController().signal))
    rows.push(...batch.map(({ row }) => row));
  return rows;
}
