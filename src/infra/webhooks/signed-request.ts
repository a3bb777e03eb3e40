import type { Clock } from '../../core/clock.ts';
import type { WebhookMessage } from '../../core/webhooks/webhook-sender.ts';
import { USER_AGENT } from './user-agent.ts';
import { createSigner } from './webhook-signature.ts';

export interface SignedRequest {
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Signed now, with the headers of Standard Webhooks. */
export function createRequestWriter(
  clock: Pick<Clock, 'now'>,
): (url: URL, message: WebhookMessage) => SignedRequest {
  const sign = createSigner();
  return (url, { id, body: text, secrets }) => {
    const body = Buffer.from(text);
    const timestamp = Math.floor(clock.now() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign({ id, timestamp, body, secrets }),
    };
    return { path: url.pathname + url.search, headers: Object.entries(headers).flat(), body };
  };
}
