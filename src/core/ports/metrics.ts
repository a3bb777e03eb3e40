import type { AlertType } from '../alert.ts';
import type { ChatState } from '../chat/chat-message.ts';
import type { StreamEnd } from '../stream/close-codes.ts';
import type { DeliveryState } from '../webhooks/delivery.ts';
import type { DropReason } from './source.ts';

/** What the domain counts. The adapter names and exposes it (`tipoff_…`). */
export interface Metrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  alertAppended(type: AlertType): void;
  marketResolved(): void;
  snapshotWritten(durationMs: number): void;
  keyVerified(result: 'cached' | 'verified' | 'refused' | 'limited'): void;
  argon2Ran(): void;
  /** A webhook delivery ended, by an attempt or without one. */
  deliveryEnded(state: Exclude<DeliveryState, 'pending' | 'claimed'>): void;
  /** One attempt, from its beginning to its end. */
  deliveryAttempted(durationMs: number): void;
  /** Deliveries this process holds that wait for their turn. */
  deliveriesWaiting(count: number): void;
  /** A chat message was sent, or is not to be. */
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
  /** A run of a job of `JOB_NAMES` ended. */
  jobRan(job: string, outcome: 'done' | 'failed'): void;
  /** A socket was greeted; each is ended once. */
  streamOpened(): void;
  streamEnded(end: StreamEnd): void;
  /** Alerts sent, counted once for each socket. */
  streamSent(frames: number): void;
}
