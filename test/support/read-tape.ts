import { join } from 'node:path';
import type { Row } from '../../src/core/trades/trade.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { silentLogger } from './silent-logger.ts';

/** The rows of a tape of this repository, as `replay:` hands them over. */
export async function readTape(file: string): Promise<{ isComplete: boolean; rows: Row[] }> {
  const deps = { clock: systemClock, logger: silentLogger, onDrop() {} };
  const tape = join(import.meta.dirname, '../..', file);
  const source = await openReplay({ file: tape, speed: 0, shift: null, checkpoint: null }, deps);
  const rows: Row[] = [];
  for await (const batch of source.batches(new AbortController().signal)) {
    rows.push(...batch.map(({ row }) => row));
  }
  return { isComplete: source.isComplete, rows };
}
