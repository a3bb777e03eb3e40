import type { Source } from '../../core/ports/source.ts';

/** A source that yields nothing: the service serves what it holds. */
export function openNone(): Source {
  return {
    name: 'none',
    isComplete: false,
    isLive: true,
    mapping: null,
    checkpoint: () => ({ offset: 0, identity: 'none', mapping: null }),
    async *batches(signal) {
      if (signal.aborted) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    status: () => ({ state: 'at_end', progress: null, historyProgress: null }),
  };
}
