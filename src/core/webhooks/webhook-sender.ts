import type { AttemptResult } from './delivery.ts';

/** One POST to make. */
export interface WebhookMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  /** https, as it was registered. */
  readonly url: string;
  /** JSON; these very bytes are signed and sent. */
  readonly body: string;
  /** `whsec_…`, one or two (during a rotation); each signs. */
  readonly secrets: readonly string[];
}

/** Makes one attempt and no more. */
export interface WebhookSender {
  /** Ends within 5 seconds whatever the receiver does, and never throws for what it does. */
  send(message: WebhookMessage): Promise<AttemptResult>;
  /** Lets what is under way end, then closes every connection. */
  close(): Promise<void>;
}
