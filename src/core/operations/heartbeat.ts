import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import { withTimeout } from '../base/async/with-timeout.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';

/** Interval of heartbeats. A process without one for three intervals counts as dead. */
export const HEARTBEAT_INTERVAL_MS = 10 * SECOND_MS;
/** A process without a heartbeat for this long counts as dead. */
export const HEARTBEAT_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

interface HeartbeatDeps {
  readonly heartbeats: Pick<HeartbeatStore, 'beat' | 'remove'>;
  readonly owner: string;
  readonly roles: 'all' | 'api';
  /** Where this process serves the API; null when it does not. */
  readonly address: string | null;
  /** The checks of `/readyz`. */
  readonly checks: () => Promise<Heartbeat['checks']>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Writes heartbeats until the signal aborts, then removes the last. Never throws. */
export async function sendHeartbeats(
  { heartbeats, owner, roles, address, checks, clock, logger }: HeartbeatDeps,
  signal: AbortSignal,
): Promise<void> {
  const failures = new FailureLog(logger, 'heartbeat failed; retrying in 10 s');
  const timed = (call: Promise<void>) => withTimeout({ clock, timeoutMs: TIMEOUT_MS }, call);
  const served = address === null ? {} : { address };
  const write = async () =>
    heartbeats.beat({ owner, roles, at: clock.now(), ...served, checks: await checks() });
  await repeat(() => timed(write()), { clock, signal, intervalMs: HEARTBEAT_INTERVAL_MS, failures });
  await failures.guard(() => timed(heartbeats.remove(owner)));
}

/** Last reported state of a process of the service. */
export interface Heartbeat {
  readonly owner: string;
  readonly roles: 'all' | 'api';
  readonly at: EpochMs;
  /** Where the process serves the API: `PUBLIC_URL`, or the address that it listens on. Absent when it serves none. */
  readonly address?: string;
  /** The checks of `/readyz`. */
  readonly checks: Readonly<Record<string, unknown>>;
}

/** Whether the process was alive recently. */
export function isAlive({ at }: Pick<Heartbeat, 'at'>, now: EpochMs): boolean {
  return now - at <= HEARTBEAT_TIMEOUT_MS;
}

/** Heartbeats of all processes. */
export interface HeartbeatStore {
  /** Replaces the last heartbeat of the owner. */
  beat(heartbeat: Heartbeat): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly Heartbeat[]>;
  /** Removes a process that ends normally. */
  remove(owner: string): Promise<void>;
  /** Removes older heartbeats. */
  prune(before: EpochMs): Promise<void>;
}
