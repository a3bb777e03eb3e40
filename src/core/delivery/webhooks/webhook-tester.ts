import type { Refused } from '../../accounts/keys/api-key.ts';
import type { RateLimiter } from '../../accounts/limits/rate-limiter.ts';
import type { Alert } from '../../alerts/alert.ts';
import { inventedAlert } from '../../alerts/invented-alert.ts';
import { ConcurrencyQuota } from '../../base/async/fair-queue.ts';
import type { Logger } from '../../base/logger.ts';
import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Deliveries } from './deliveries.ts';
import type { AttemptResult, Delivery } from './delivery.ts';
import type { SigningSecrets, Webhook, WebhookSender } from './webhook.ts';
import type { WriteMessage } from './webhook-format.ts';
import type { WebhookService } from './webhook-service.ts';

/** Limits of tests for each key; `atOnce` is for each process. */
export const TEST_LIMITS = { perMinute: 10, atOnce: 2 } as const;

/** The result of a test that was sent. */
export interface FinishedTest {
  readonly ok: true;
  readonly id: string;
  readonly result: AttemptResult;
}

/** Why nothing was sent: no such webhook, too many tests in this minute, or too many in flight. */
export type TestRefusal = Refused<'missing' | 'busy'> | (Refused<'limited'> & { readonly resetMs: number });

interface WebhookTesterOptions {
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly deliveries: Pick<Deliveries, 'add'>;
  readonly signingSecrets: SigningSecrets;
  readonly rateLimiter: Pick<RateLimiter, 'consume'>;
  /** JSON of a sample, marked as one. */
  serialise(sample: Alert): string;
  /** Produces a message that says it is a test. */
  readonly testMessage: WriteMessage;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

const ID_BYTES = 12;

/** Sends samples to webhooks when their owner asks for it. */
export class WebhookTester {
  readonly #options: WebhookTesterOptions;
  readonly #quota = new ConcurrencyQuota();

  constructor(options: WebhookTesterOptions) {
    this.#options = options;
  }

  /** Makes one attempt, even to a paused webhook; it is logged but not counted. A webhook of another key counts as missing. */
  async test(keyId: string, id: string): Promise<FinishedTest | TestRefusal> {
    const { webhooks, rateLimiter } = this.#options;
    const webhook = await webhooks.get(keyId, id);
    if (webhook === null) return { ok: false, reason: 'missing' };
    const leave = this.#quota.take(keyId, TEST_LIMITS.atOnce);
    if (leave === null) return { ok: false, reason: 'busy' };
    try {
      const verdict = await rateLimiter.consume(`webhook-test:${keyId}`, TEST_LIMITS.perMinute);
      if (!verdict.isAllowed) return { ok: false, reason: 'limited', resetMs: verdict.resetMs };
      return await this.#attempt(webhook);
    } finally {
      leave();
    }
  }

  async #attempt(webhook: Webhook): Promise<FinishedTest> {
    const { sender, signingSecrets, random, clock } = this.#options;
    const id = `msg_test_${random.base64url(ID_BYTES)}`;
    const createdAt = clock.now();
    const secrets = await signingSecrets(webhook);
    const { format } = webhook;
    const result = await sender.send({ id, ...this.#written(webhook, createdAt), format, secrets });
    const state = result.error === null ? 'delivered' : 'failed';
    const finishedAt = clock.now();
    await this.#record({ id, webhookId: webhook.id, alertId: null, state, createdAt, finishedAt, result });
    return { ok: true, id, result };
  }

  #written({ url, format, categories, filters }: Webhook, at: EpochMs) {
    const { serialise, testMessage } = this.#options;
    if (format !== 'json') return testMessage({ url, format });
    return { url, body: serialise(inventedAlert(at, (categories ?? filters?.categories)?.[0])) };
  }

  /** A failed write of the log is a warning: the owner gets the result of the test anyway. */
  async #record(delivery: Delivery): Promise<void> {
    const { deliveries, logger } = this.#options;
    try {
      await deliveries.add([delivery]);
    } catch (error) {
      const { id, webhookId } = delivery;
      logger.warn({ err: error, delivery: id, webhook: webhookId }, 'test of a webhook was not logged');
    }
  }
}
