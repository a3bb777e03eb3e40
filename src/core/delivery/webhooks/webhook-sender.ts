import type { AttemptResult } from './delivery.ts';

/** One POST. */
export interface WebhookMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  /** https, as it was registered. */
  readonly url: string;
  /** JSON; exactly these bytes are signed and sent. */
  readonly body: string;
  /** `whsec_…`, one to four (after a rotation, after a change of the key); each signs. */
  readonly secrets: readonly string[];
}

/** Makes one attempt for each message. */
export interface WebhookSender {
  /** Ends within 5 seconds. Faults of the receiver are results, never exceptions. */
  send(message: WebhookMessage): Promise<AttemptResult>;
  /** Waits for attempts in flight, then closes every connection. */
  close(): Promise<void>;
}
