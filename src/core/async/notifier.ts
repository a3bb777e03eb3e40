/** Wakes all who wait for it. */
export interface Notifier {
  notify(): void;
  /** Resolves when it is rung after this was asked. */
  nextNotification(): Promise<void>;
}

/** A notifier that has not notified yet. */
export function createNotifier(): Notifier {
  let waiting = Promise.withResolvers<void>();
  return {
    notify() {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
    nextNotification: () => waiting.promise,
  };
}
