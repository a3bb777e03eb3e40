/** How many calls of each method were answered. */
export class AnswerCounts {
  readonly #answers = new Map<string, number>();
  readonly #waiters = new Set<() => void>();

  count(method: string): void {
    this.#answers.set(method, (this.#answers.get(method) ?? 0) + 1);
    for (const look of this.#waiters) look();
  }

  /** Resolves when so many calls of the method were answered, those so far included. */
  reached(method: string, count = 1): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if ((this.#answers.get(method) ?? 0) < count) return;
      this.#waiters.delete(look);
      resolve();
    };
    this.#waiters.add(look);
    look();
    return promise;
  }
}
