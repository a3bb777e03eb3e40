import { countedAs } from '../../base/network.ts';

/**
 * Bounds how many of something (sockets, connections, attempts) each key holds at the same time in this process. A key that is
 * an IPv6 client is also counted for its network.
 */
export class ConcurrencyQuota {
  readonly #held = new Map<string, number>();

  /** How many the key holds. */
  count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Takes one. Returns a function that gives it back, once; null if the key holds `max`, or its network its share. */
  take(key: string, max: number): (() => void) | null {
    const counted = countedAs(key, max);
    if (counted.some(([subject, limit]) => this.count(subject) >= limit)) return null;
    for (const [subject] of counted) this.#add(subject, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [subject] of counted) this.#add(subject, -1);
    };
  }

  #add(subject: string, change: 1 | -1): void {
    const count = this.count(subject) + change;
    if (count > 0) this.#held.set(subject, count);
    else this.#held.delete(subject);
  }
}
