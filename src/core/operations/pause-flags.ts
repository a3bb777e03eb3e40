import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { PausableName, PauseStore } from './pause-store.ts';

const LOOK_EVERY_MS = SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** What the operator has paused, known without a wait. */
export interface PauseFlags {
  /** As it was a second ago or less; nothing is paused before the first look. */
  isPaused(name: PausableName): boolean;
  /** Looks now: at the start, before anything that can be paused begins, and after a change. Never throws. */
  look(): Promise<void>;
  /** Looks every second until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Dependencies of `createPauseFlags`. */
export interface PauseFlagsDeps {
  readonly pauses: Pick<PauseStore, 'list'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** While the database is away, what was paused stays paused, and nothing else is. */
export function createPauseFlags({ pauses, clock, logger }: PauseFlagsDeps): PauseFlags {
  let paused: ReadonlySet<PausableName> = new Set();
  let looks = 0;
  const failures = new FailureLog(logger, 'pause flags unavailable; the last known ones stay in force');

  async function look(): Promise<void> {
    looks += 1;
    const own = looks;
    const list = await failures.guard(() => withTimeout({ clock, timeoutMs: TIMEOUT_MS }, pauses.list()));
    // A later look may have been faster; its result is newer.
    if (list !== null && own === looks) paused = new Set(list.map(({ name }) => name));
  }

  return {
    isPaused: (name) => paused.has(name),
    look,
    run: (signal) => repeat(look, { clock, signal, intervalMs: LOOK_EVERY_MS }),
  };
}
