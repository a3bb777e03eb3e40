/** Wakes all waiting tasks. */
export interface Notifier {
  notify(): void;
  /** Resolves with the next `notify`. */
  nextNotification(): Promise<void>;
}

/** A new notifier. */
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
