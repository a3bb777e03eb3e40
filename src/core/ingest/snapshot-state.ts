import type { StatePart } from '../detection/state-chunks.ts';

/** State that is stored in a snapshot. */
export interface SnapshotState {
  /** By name, in the order in which they must be written and read. */
  readonly parts: ReadonlyMap<string, StatePart>;
  /** Restores the next chunks; ignores those of other states' parts. */
  restore(chunks: readonly string[]): void;
}

/** Combines states without common part names. */
export function combinedState(...states: readonly SnapshotState[]): SnapshotState {
  return {
    get parts() {
      return new Map(states.flatMap(({ parts }) => [...parts]));
    },
    restore(chunks) {
      for (const state of states) state.restore(chunks);
    },
  };
}
