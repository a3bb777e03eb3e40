import type { EpochMs } from '../trade.ts';

/** What the operator can pause: `feed`, `channel:telegram`, `channel:discord`, `job:NAME`. */
export type PausableName = 'feed' | `channel:${string}` | `job:${string}`;

/** Something that is paused, since when, and who did it. */
export interface Pause {
  readonly name: PausableName;
  readonly at: EpochMs;
  /** As in the audit log. */
  readonly by: string;
}

/** What is paused, for all processes. */
export interface PauseStore {
  list(): Promise<readonly Pause[]>;
  /** False when it is paused already. */
  pause(pause: Pause): Promise<boolean>;
  /** False when it is not paused. */
  resume(name: PausableName): Promise<boolean>;
}
