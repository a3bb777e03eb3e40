/** Bounds how many of something (sockets, connections, attempts) each key holds at the same time in this process. */
export class ConcurrencyQuota {
  readonly #held = new Map<string, number>();

  /** How many the key holds. */
  count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Takes one. Returns a function that gives it back, once; null if the key holds `max`. */
  take(key: string, max: number): (() => void) | null {
    const count = this.count(key);
    if (count >= max) return null;
    this.#held.set(key, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.count(key) - 1;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
    };
  }
}
