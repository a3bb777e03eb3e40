import type { AttemptResult } from '../../src/core/delivery/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../src/core/delivery/webhooks/webhook.ts';

/** A sender that goes nowhere. */
export interface FakeSender extends Pick<WebhookSender, 'send'> {
  /** What it was given, in order. */
  readonly sent: WebhookMessage[];
  /** What comes of the next attempts; a fault is thrown. */
  answer: AttemptResult | Error;
  /** Attempts from now on wait until the function it returns is called. */
  hold(): () => void;
}

export function createFakeSender(): FakeSender {
  let gate = Promise.resolve();
  const sender: FakeSender = {
    sent: [],
    answer: { status: 200, error: null, durationMs: 87 },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async send(message) {
      sender.sent.push(message);
      await gate;
      if (sender.answer instanceof Error) throw sender.answer;
      return sender.answer;
    },
  };
  return sender;
}
