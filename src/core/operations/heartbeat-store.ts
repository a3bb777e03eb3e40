import type { EpochMs } from '../trade.ts';

/** Last reported state of a process of the service. */
export interface Heartbeat {
  readonly owner: string;
  readonly roles: readonly string[];
  readonly at: EpochMs;
  /** The checks of `/readyz`. */
  readonly checks: Readonly<Record<string, unknown>>;
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
