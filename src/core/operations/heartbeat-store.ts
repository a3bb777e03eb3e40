import type { EpochMs } from '../trade.ts';

/** How one process of the service stands, as it said last. */
export interface Heartbeat {
  readonly owner: string;
  readonly roles: readonly string[];
  readonly at: EpochMs;
  /** The checks of `/readyz`. */
  readonly checks: Readonly<Record<string, unknown>>;
}

/** Signs of life of every process, so that one of them can tell how all are. */
export interface HeartbeatStore {
  /** Replaces the owner's last one. */
  beat(heartbeat: Heartbeat): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly Heartbeat[]>;
  /** Forgets a process that ends as it should. */
  remove(owner: string): Promise<void>;
  /** Removes those older than the moment. */
  prune(before: EpochMs): Promise<void>;
}
