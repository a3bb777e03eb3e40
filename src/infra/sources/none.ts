import { untilAborted } from '../../core/async/until-aborted.ts';
import type { TapeSource } from '../../core/source/source.ts';

/** A source without rows: the service serves what is stored. */
export function openNone(): TapeSource {
  return {
    name: 'none',
    isComplete: false,
    isLive: true,
    mapping: null,
    checkpoint: () => ({ offset: 0, identity: 'none', mapping: null }),
    async *batches(signal) {
      await untilAborted(signal);
      yield* [];
    },
    status: () => ({ state: 'at_end', progress: null, historyProgress: null }),
  };
}
