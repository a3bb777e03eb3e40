/** Wakes all waiting tasks. */
export class Notifier {
  #waiting = Promise.withResolvers<void>();

  readonly notify = (): void => {
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers<void>();
  };

  /** Resolves with the next `notify`. */
  readonly nextNotification = (): Promise<void> => this.#waiting.promise;
}
