import type { EpochMs } from '../../src/core/base/time/duration.ts';

/** Why a post has to wait in its queue. */
export interface PaceRefusal {
  readonly retryAfterMs: number;
  /** The wait is that of this chat: messages to other chats need not wait. */
  readonly isChatOnly: boolean;
}

/** An answer to a person, not sent yet. */
export interface PacedAnswer {
  readonly chat: string;
  /** Answers are sent in this order, the lowest first. */
  readonly order: number;
  /** False: an edit. */
  readonly isNew: boolean;
}

/** A message that waits for its time. */
export interface Waiting extends PacedAnswer {
  readonly since: EpochMs;
  start(): void;
  refuse(refusal: PaceRefusal): void;
}

/** The first message that may be sent now, or else the one that may be sent first. None before `from`. */
export function earliest(
  queue: readonly Waiting[],
  { from, now, chatFreeAt }: { from: EpochMs; now: EpochMs; chatFreeAt: (waiting: Waiting) => EpochMs },
): { readonly waiting: Waiting; readonly at: EpochMs } | null {
  let first: { readonly waiting: Waiting; readonly at: EpochMs } | null = null;
  for (const waiting of queue) {
    const at = Math.max(from, waiting.since, chatFreeAt(waiting));
    if (first === null || at < first.at) first = { waiting, at };
    if (at <= Math.max(from, now)) break;
  }
  return first;
}
