import type { StatePart } from '../detection/state-chunks.ts';

/** What a snapshot holds. */
export interface SnapshotState {
  /** By name, in the order in which they are to be written and read. */
  readonly parts: ReadonlyMap<string, StatePart>;
  /** Takes the next texts, and passes over those of parts that are not its own. */
  restore(chunks: readonly string[]): void;
}

/** Several states, which have no part of the same name, as one. */
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
