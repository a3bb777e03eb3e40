import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { Heartbeat, HeartbeatStore } from './heartbeat-store.ts';

/** How often a process gives a sign of life; one that has not for three times as long is taken for dead. */
export const HEARTBEAT_INTERVAL_MS = 10 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** Dependencies of `createHeartbeat`. */
export interface HeartbeatDeps {
  readonly heartbeats: Pick<HeartbeatStore, 'beat' | 'remove'>;
  /** Names this process. */
  readonly owner: string;
  readonly roles: readonly string[];
  /** The checks of `/readyz`. */
  readonly checks: () => Promise<Heartbeat['checks']>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Gives signs of life until the signal aborts, and takes the last one back then: what is left is of a process that was
 * killed. Never throws: a beat that fails is left out.
 */
export function createHeartbeat({ heartbeats, owner, roles, checks, clock, logger }: HeartbeatDeps) {
  const failures = new FailureLog(logger, 'heartbeat failed; retrying in 10 s');
  const timed = (call: Promise<void>) => withTimeout({ clock, timeoutMs: TIMEOUT_MS }, call);
  const write = async () => heartbeats.beat({ owner, roles, at: clock.now(), checks: await checks() });

  return {
    async run(signal: AbortSignal): Promise<void> {
      await repeat(() => timed(write()), { clock, signal, intervalMs: HEARTBEAT_INTERVAL_MS, failures });
      await failures.guard(() => timed(heartbeats.remove(owner)));
    },
  };
}
