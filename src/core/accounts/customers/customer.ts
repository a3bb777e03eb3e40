import type { EpochMs } from '../../base/time/duration.ts';

/** Platforms of the chat. `terminal` is `tipoff chat`. */
export const PLATFORMS = ['telegram', 'discord', 'terminal'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The person who writes, as the platform describes them. */
export interface Visitor {
  readonly platform: Platform;
  /** The platform's id of the person. */
  readonly userId: string;
  /** Public name on the platform, without `@`; null without one. */
  readonly name: string | null;
  /** Address of private messages: the id of a chat, or of the person. */
  readonly chat: string;
}

/** A person on a platform, owned by a customer. (platform, userId) belongs to one customer at most. */
export interface Handle extends Visitor {
  /** False after the platform reports that the person blocked the bot, until they write again. */
  readonly isReachable: boolean;
}

/** The trial of a person. */
export interface Trial {
  /** The request that started it (`Handover.request`). */
  readonly request: string;
  readonly startedAt: EpochMs;
  readonly endsAt: EpochMs;
}

/** A customer: a person on one platform, or on several linked ones. */
export interface Customer {
  /** `cus_` and 16 characters. */
  readonly id: string;
  readonly handles: readonly Handle[];
  readonly trial: Trial | null;
  /** Null without a ban. */
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** Limits per customer. */
export const CUSTOMER_LIMITS = { activeKeys: 3, linkCodeMs: 600_000 } as const;
