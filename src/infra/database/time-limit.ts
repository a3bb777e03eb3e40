import type { TimeLimit } from '../../core/base/async/with-timeout.ts';
import { DatabaseTimeout } from '../../core/base/database-errors.ts';
import type { Clock } from '../../core/base/time/clock.ts';

/** The limit of a call, which throws `DatabaseTimeout` after it; what the call does continues. */
export function timeLimit(call: string, timeoutMs: number, clock: Pick<Clock, 'sleep'>): TimeLimit {
  const reason = `${call}: no answer from the database within ${timeoutMs} ms; a write may still be executed`;
  return { clock, timeoutMs, timeoutError: () => new DatabaseTimeout(reason) };
}
