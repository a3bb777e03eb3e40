import type { Messenger } from '../../src/core/chat/messenger.ts';
import type { Screen } from './screen.ts';

/** How a bot stands, for `/readyz`, the heartbeat and the operator. */
export interface BotStatus {
  /** `refused`: the platform does not take the token; it is tried again, at first after a minute. */
  readonly state: 'starting' | 'running' | 'failing' | 'refused' | 'stopped';
  /** Why, when it is failing or refused; without the token. */
  readonly detail: string | null;
}

/** A bot of one platform: it listens and answers by itself, and sends what it is given. */
export interface ChatBot {
  readonly messenger: Messenger<Screen>;
  /** Begins to listen. Never throws: a wrong token and an outage are told by `status` and tried again. */
  start(): Promise<void>;
  status(): BotStatus;
  /** Takes nothing new, finishes what is in hand within 5 s. */
  close(): Promise<void>;
}
