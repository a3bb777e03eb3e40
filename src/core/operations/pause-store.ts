import type { EpochMs } from '../trade.ts';

/** What the operator can pause: `feed`, `channel:telegram`, `channel:discord`, `job:NAME`. */
export type PausableName = 'feed' | `channel:${string}` | `job:${string}`;

/** A pause, with its time and operator. */
export interface Pause {
  readonly name: PausableName;
  readonly at: EpochMs;
  /** The operator, as in the audit log. */
  readonly by: string;
}

/** Store of pauses, shared by all processes. */
export interface PauseStore {
  list(): Promise<readonly Pause[]>;
  /** False when already paused. */
  pause(pause: Pause): Promise<boolean>;
  /** False when not paused. */
  resume(name: PausableName): Promise<boolean>;
}
