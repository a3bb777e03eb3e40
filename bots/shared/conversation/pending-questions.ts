import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../src/core/clock.ts';
import type { Visitor } from '../../../src/core/customers/customer.ts';
import { MINUTE_MS } from '../../../src/core/duration.ts';

/** Who was asked for a line of text, and what for. */
export interface PendingQuestions {
  /** The next line of this person is for `action`; null: for nothing. */
  set(visitor: Visitor, action: string | null): void;
  /** What the line is for; null when nothing was asked in the last 10 minutes. */
  take(visitor: Visitor): string | null;
}

const KEPT = 10_000;
const VALID_MS = 10 * MINUTE_MS;

export function createPendingQuestions({ now }: Pick<Clock, 'now'>): PendingQuestions {
  const asked = new LRUCache<string, { readonly action: string; readonly endsAt: number }>({ max: KEPT });
  const nameOf = ({ platform, userId }: Visitor) => `${platform}:${userId}`;
  return {
    set(visitor, action) {
      if (action === null) asked.delete(nameOf(visitor));
      else asked.set(nameOf(visitor), { action, endsAt: now() + VALID_MS });
    },
    take(visitor) {
      const ask = asked.get(nameOf(visitor));
      asked.delete(nameOf(visitor));
      return ask !== undefined && now() < ask.endsAt ? ask.action : null;
    },
  };
}
