import type { EpochMs } from '../base/time/duration.ts';

/** What a command needs of its process: the bots of the platforms, or the scheduled jobs. */
export type CommandNeed = 'bots' | 'jobs';

/**
 * A request that was not taken for this long is never carried out: it was made by a process that died while it waited for the
 * answer.
 */
export const REQUEST_TTL_MS = 5 * 60_000;

/** A confirmed command of an operator that another process must carry out. */
export interface OperatorRequest {
  readonly id: string;
  readonly needs: CommandNeed;
  readonly command: string;
  /** Without secrets. */
  readonly args: string;
  /** The operator, as in the audit log. */
  readonly actor: string;
  readonly at: EpochMs;
  /**
   * `running`: a process took it; if that process died, the outcome is unknown and it is not carried out again. `cancelled`:
   * no process took it in time.
   */
  readonly state: 'waiting' | 'running' | 'done' | 'refused' | 'cancelled';
  /** What was done, or why not; null without an answer. */
  readonly answer: string | null;
}

/** Requests of operators, shared by all processes. */
export interface OperatorRequestStore {
  add(request: Pick<OperatorRequest, 'id' | 'needs' | 'command' | 'args' | 'actor' | 'at'>): Promise<void>;
  get(id: string): Promise<OperatorRequest | null>;
  /** Waiting requests made at or after `since`, oldest first, at most `limit`. */
  waiting(query: { needs: CommandNeed; since: EpochMs; limit: number }): Promise<readonly OperatorRequest[]>;
  /** From `waiting` to `running`; false when it does not wait. Of concurrent calls one succeeds. */
  take(id: string): Promise<boolean>;
  /** From `waiting` to `cancelled`; false when it does not wait. */
  cancel(id: string): Promise<boolean>;
  /** Ends a running request. */
  answer(id: string, answer: { readonly state: 'done' | 'refused'; readonly answer: string }): Promise<void>;
  /** Removes requests made before the moment. */
  prune(before: EpochMs): Promise<void>;
}
