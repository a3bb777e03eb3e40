import type { BlindWindow } from '../../src/core/trades/coverage/blind-window.ts';
import type { FeedPosition, StoredCoverage } from '../../src/core/trades/coverage/stored-coverage.ts';

export type CoverageStore = Pick<StoredCoverage, keyof StoredCoverage>;

/** A coverage store without a database, quick enough for properties. */
export function createMemoryCoverage(): CoverageStore & { readonly all: () => BlindWindow[] } {
  const windows = new Map<string, BlindWindow>();
  let position: FeedPosition | null = null;
  const newestFirst = () => [...windows.values()].toSorted((a, b) => b.startedAt - a.startedAt);
  return {
    all: () => newestFirst().toReversed(),
    putWindow: async (window) => void windows.set(window.id, window),
    windows: async ({ since, until, limit }) =>
      newestFirst()
        .filter(({ startedAt, endedAt }) => startedAt <= until && (endedAt ?? since) >= since)
        .slice(0, limit),
    unsettled: async (since) =>
      newestFirst().filter(
        ({ startedAt, endedAt, backfilledAt }) =>
          endedAt === null || (backfilledAt === null && startedAt >= since),
      ),
    readPosition: async () => position,
    writePosition: async (given) => {
      position = given;
    },
  };
}
