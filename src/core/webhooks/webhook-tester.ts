import type { Alert } from '../alerts/alert.ts';
import type { Clock } from '../clock.ts';
import { ConcurrencyQuota } from '../limits/concurrency-quota.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../logger.ts';
import type { RandomText } from '../random-text.ts';
import type { AttemptResult, Delivery } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { sampleAlert } from './sample-alert.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookSender } from './webhook-sender.ts';
import type { WebhookService } from './webhook-service.ts';

/** Bounds of tests for each key; `atOnce` holds in each process. */
export const TEST_LIMITS = { perMinute: 10, atOnce: 2 } as const;

/** What came of a test, whatever the receiver said. */
export interface FinishedTest {
  readonly ok: true;
  /** Of the delivery, in the log and in the header `webhook-id`. */
  readonly id: string;
  readonly result: AttemptResult;
}

/** Why nothing was sent: no such webhook, too many tests in this minute, or too many under way. */
export type TestRefusal =
  | { readonly ok: false; readonly reason: 'missing' | 'busy' }
  | { readonly ok: false; readonly reason: 'limited'; readonly resetMs: number };

/** Sends samples to webhooks at their owner's wish. */
export interface WebhookTester {
  /**
   * One attempt, paused or not, that ends within the sender's 5 seconds. It stands in the log and in no count. A
   * webhook of another key does not exist.
   */
  test(keyId: string, id: string): Promise<FinishedTest | TestRefusal>;
}

/** What the tester stands on. */
export interface WebhookTesterDeps {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly deliveries: Pick<DeliveryStore, 'add'>;
  readonly signingSecrets: SigningSecrets;
  readonly rateLimiter: Pick<RateLimiter, 'consume'>;
  /** The bytes of a sample, marked as one. */
  serialise(sample: Alert): string;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;

/** The tester over a sender. A log that cannot be written is a warning: what happened is told all the same. */
export function createWebhookTester(deps: WebhookTesterDeps): WebhookTester {
  const { webhooks, rateLimiter } = deps;
  const quota = new ConcurrencyQuota();

  return {
    async test(keyId, id) {
      const webhook = await webhooks.get(keyId, id);
      if (webhook === null) return { ok: false, reason: 'missing' };
      const leave = quota.take(keyId, TEST_LIMITS.atOnce);
      if (leave === null) return { ok: false, reason: 'busy' };
      try {
        const verdict = await rateLimiter.consume(`webhook-test:${keyId}`, TEST_LIMITS.perMinute);
        if (!verdict.isAllowed) return { ok: false, reason: 'limited', resetMs: verdict.resetMs };
        return await attempt(deps, webhook);
      } finally {
        leave();
      }
    },
  };
}

async function attempt(deps: WebhookTesterDeps, webhook: Webhook): Promise<FinishedTest> {
  const { sender, signingSecrets, serialise, random, clock } = deps;
  const id = `msg_test_${random.base64url(ID_BYTES)}`;
  const createdAt = clock.now();
  const secrets = await signingSecrets(webhook);
  const body = serialise(sampleAlert(webhook, createdAt));
  const result = await sender.send({ id, url: webhook.url, body, secrets });
  const state = result.error === null ? 'delivered' : 'failed';
  const finishedAt = clock.now();
  await record(deps, { id, webhookId: webhook.id, alertId: null, state, createdAt, finishedAt, result });
  return { ok: true, id, result };
}

async function record({ deliveries, logger }: WebhookTesterDeps, delivery: Delivery): Promise<void> {
  try {
    await deliveries.add([delivery]);
  } catch (error) {
    const { id, webhookId } = delivery;
    logger.warn({ err: error, delivery: id, webhook: webhookId }, 'test of a webhook is not in its log');
  }
}
