import type { AttemptResult } from '../../src/core/delivery/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../src/core/delivery/webhooks/webhook.ts';

export const DELIVERED: AttemptResult = { status: 200, error: null, durationMs: 3, retryAfterSeconds: null };
export const BROKEN: AttemptResult = { status: 500, error: 'status', durationMs: 3, retryAfterSeconds: null };
export const ODD: AttemptResult = { status: null, error: 'protocol', durationMs: 0, retryAfterSeconds: null };
export const SILENT: AttemptResult = {
  status: null,
  error: 'timeout',
  durationMs: 5_000,
  retryAfterSeconds: null,
};

/** A sender that gives the scripted answers, and records what it was given. */
export function fakeSender(
  answer: (message: WebhookMessage) => AttemptResult | Promise<AttemptResult> = () => DELIVERED,
): Pick<WebhookSender, 'send'> & { readonly sent: WebhookMessage[] } {
  const sent: WebhookMessage[] = [];
  return {
    sent,
    async send(message) {
      sent.push(message);
      return answer(message);
    },
  };
}

export function heldSender(result: AttemptResult = DELIVERED) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sender = fakeSender(async () => {
    await promise;
    return result;
  });
  return { sender, letGo: resolve };
}
