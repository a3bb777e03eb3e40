import type { Clock } from '../../src/core/clock.ts';
import { MINUTE_MS } from '../../src/core/duration.ts';
import type { RandomText } from '../../src/core/random-text.ts';

/** An act that waits for a yes is forgotten after this time. */
export const CONFIRM_WITHIN_MS = 5 * MINUTE_MS;
const MOST = 100;
const TOKEN_BYTES = 12;

interface Waiting<Act> {
  readonly by: string;
  readonly until: number;
  readonly act: Act;
}

/** Acts that wait for a yes of whoever asked for them. At most 100; the oldest give way. */
export interface PendingActs<Act> {
  /** Returns what a yes must name. */
  add(by: string, act: Act): string;
  /** The act, once, and for nobody else; null otherwise. */
  take(by: string, token: string): Act | null;
}

export function createPendingActs<Act>(deps: {
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}): PendingActs<Act> {
  const waiting = new Map<string, Waiting<Act>>();

  function forgetOld(now: number): void {
    for (const [token, { until }] of waiting) {
      if (until > now && waiting.size < MOST) return;
      waiting.delete(token);
    }
  }

  return {
    add(by, act) {
      const now = deps.clock.now();
      forgetOld(now);
      const token = deps.random.base64url(TOKEN_BYTES);
      waiting.set(token, { by, until: now + CONFIRM_WITHIN_MS, act });
      return token;
    },
    take(by, token) {
      const found = waiting.get(token);
      if (found === undefined || found.by !== by) return null;
      waiting.delete(token);
      return found.until > deps.clock.now() ? found.act : null;
    },
  };
}
