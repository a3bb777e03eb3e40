import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { Exit } from './exit.ts';
import type { ExitReader } from './exit-reader.ts';

const PAGE = 100;

interface FollowerOptions {
  readonly exits: Pick<ExitReader, 'last' | 'after'>;
  /** Exits that were created later do not exist yet. */
  readonly until: () => EpochMs;
  /** The number of the exit after which it begins. Default: the last one at the start. */
  readonly after?: number;
  readonly onExit: (exit: Exit) => void;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Calls `onExit` with each exit from now on, ascending, at most a second late. Faults are logged once and retried every second. */
export async function followExits(
  { exits, until, after, onExit, clock, logger }: FollowerOptions,
  signal: AbortSignal,
): Promise<void> {
  let seen = after ?? null;
  const look = async () => {
    seen ??= await exits.last(until());
    for (const exit of await exits.after(seen, PAGE, { until: until() })) {
      onExit(exit);
      seen = exit.number;
    }
  };
  const failures = new FailureLog(logger, 'exits unavailable; retrying every second');
  await repeat(look, { clock, signal, intervalMs: SECOND_MS, failures });
}
