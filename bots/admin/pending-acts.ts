import type { Clock } from '../../src/core/clock.ts';
import { MINUTE_MS } from '../../src/core/duration.ts';
import type { RandomText } from '../../src/core/random-text.ts';

/** A question to the operator expires after this time. */
export const CONFIRM_WITHIN_MS = 5 * MINUTE_MS;
const MAX = 100;
const TOKEN_BYTES = 12;

interface Waiting<Act> {
  readonly by: string;
  readonly until: number;
  readonly act: Act;
}

/** Acts that wait for the confirmation of their operator. At most 100; the oldest are dropped. */
export class PendingActs<Act> {
  readonly #random: RandomText;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #waiting = new Map<string, Waiting<Act>>();

  constructor(random: RandomText, clock: Pick<Clock, 'now'>) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Returns the token of the confirmation. */
  add(by: string, act: Act): string {
    const now = this.#clock.now();
    this.#dropOld(now);
    const token = this.#random.base64url(TOKEN_BYTES);
    this.#waiting.set(token, { by, until: now + CONFIRM_WITHIN_MS, act });
    return token;
  }

  /** Returns the act once, to its operator only; null otherwise. */
  take(by: string, token: string): Act | null {
    const found = this.#waiting.get(token);
    if (found === undefined || found.by !== by) return null;
    this.#waiting.delete(token);
    return found.until > this.#clock.now() ? found.act : null;
  }

  #dropOld(now: number): void {
    for (const [token, { until }] of this.#waiting) {
      if (until > now && this.#waiting.size < MAX) return;
      this.#waiting.delete(token);
    }
  }
}
