/** Wakes all who wait for it. */
export interface Bell {
  ring(): void;
  /** Resolves when it is rung after this was asked. */
  nextRing(): Promise<void>;
}

/** A bell that was not rung yet. */
export function createBell(): Bell {
  let waiting = Promise.withResolvers<void>();
  return {
    ring() {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
    nextRing: () => waiting.promise,
  };
}
