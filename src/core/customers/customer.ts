import type { EpochMs } from '../trade.ts';

/** Where people write to us. `terminal` is the chat of `tipoff chat`. */
export const PLATFORMS = ['telegram', 'discord', 'terminal'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Whoever writes: a person on a platform, as the platform tells. */
export interface Visitor {
  readonly platform: Platform;
  /** The platform's id of the person. */
  readonly userId: string;
  /** The name others know them by there, without `@`; null when there is none. */
  readonly name: string | null;
  /** Where a private message to them goes: a chat's id, or the person's. */
  readonly chat: string;
}

/** A person of a platform, as a part of a customer. (platform, userId) belongs to one customer at most. */
export interface Handle extends Visitor {
  /** False from the moment the platform says that they want no messages, until they write again. */
  readonly isReachable: boolean;
}

/** The one trial of a person. */
export interface Trial {
  /** The request it began with (`Handover.request`). */
  readonly request: string;
  readonly startedAt: EpochMs;
  readonly endsAt: EpochMs;
}

/** A person, on one platform or on several that they linked. */
export interface Customer {
  /** `cus_` and 16 characters. */
  readonly id: string;
  readonly handles: readonly Handle[];
  readonly trial: Trial | null;
  /** Null when they may use the service. */
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}
