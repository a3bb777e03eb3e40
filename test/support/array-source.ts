import type { Checkpoint, SourceRow, TapeSource } from '../../src/core/trades/source/source.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { closeRow } from './rows.ts';

/**
 * A source over rows in memory, in batches; a row's offset is its place. Published time is the rows' own. Like every tape
 * that ends, it closes what is pending there.
 */
export function arraySource(rows: readonly Row[], checkpoint: Checkpoint | null, batchSize = 3): TapeSource {
  const mapping = { pivot: 0, origin: 0, speed: 0, hasHistory: false };
  return {
    name: 'array',
    isComplete: true,
    isLive: false,
    mapping,
    checkpoint: (offset) => ({ offset, identity: 'array', mapping }),
    async *batches(signal): AsyncGenerator<readonly SourceRow[]> {
      for (let start = checkpoint?.offset ?? 0; start < rows.length && !signal.aborted; start += batchSize) {
        const batch = rows
          .slice(start, start + batchSize)
          .map((row, index) => ({ row, offset: start + index + 1 }));
        const isLast = start + batchSize >= rows.length;
        yield isLast ? [...batch, { row: closeRow(), offset: rows.length }] : batch;
      }
    },
    status: () => ({ state: 'playing', progress: null, historyProgress: null }),
  };
}
