import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { backoffMs, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import type { BotSetup, MissingItem } from './bot-setup.ts';
import type { AdminConsole, Conversation } from './conversation.ts';
import type { Screen } from './screen.ts';

export interface ConnectionStatus {
  /** `refused`: the token, retried. `unreachable`: the platform cannot deliver events to the bot. */
  readonly state: 'starting' | 'running' | 'failing' | 'refused' | 'unreachable' | 'stopped';
  /** The reason of `failing`, `refused` and `unreachable`, without the token. */
  readonly detail: string | null;
}

const REFUSED_BACKOFF = { firstMs: MINUTE_MS, mostMs: 15 * MINUTE_MS };

/** Pause after so many refusals of a token in a row. One bot has the token: no jitter. */
export function refusedWaitMs(refusals: number): number {
  return backoffMs(REFUSED_BACKOFF, refusals, withoutJitter);
}

/** State of a bot, for `/readyz`, the heartbeat and the operator. */
export interface BotStatus extends ConnectionStatus {
  readonly missing: readonly MissingItem[];
  /** The bot's page on its platform, where people can write to it; null while it is not known. */
  readonly url: string | null;
}

export interface BotOptions {
  readonly conversation: Conversation;
  readonly console: AdminConsole | null;
  /** Without it the channel and the rights of the bot are not checked. */
  readonly setup?: BotSetup;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Call {
  /** Whether the call has the same effect when it is made twice. */
  readonly isRepeatable: boolean;
  /** It edits or answers a message: `gone` then means that the message was deleted, and nothing else. */
  readonly isOnMessage?: boolean;
  /** It posts in the configured channel: a missing channel or permission may come back, so the call is retried. */
  readonly isInChannel?: boolean;
  /** It is in the chat of one person: that the chat is gone is final, and no reason for others to wait. */
  readonly isPrivate?: boolean;
}

/** A bot of one platform: it answers what people send, and sends messages with its messenger. */
export interface ChatBot {
  readonly messenger: Messenger<Screen>;
  /** Starts to listen. Never throws: `status` reports a refused token or an outage, and both are retried. */
  start(): Promise<void>;
  status(): BotStatus;
  /** Removes the messages with keys of a person, one attempt each. Throws what the store throws. */
  removeKeyMessages(person: Pick<Visitor, 'userId' | 'chat'>): Promise<void>;
  /** Takes no new events, and waits up to 5 s for the running ones. */
  close(): Promise<void>;
}

/** `unknown`: the platform did not answer; treated as a member. `none`: there is no community to join. */
export type Membership = 'member' | 'not_member' | 'unknown' | 'none';

export interface Community {
  /** Never throws. */
  membershipOf(visitor: Visitor): Promise<Membership>;
  /** Address to join; null when there is none, or the platform did not answer: all visitors pass. Never throws. */
  joinAddress(): Promise<string | null>;
}
