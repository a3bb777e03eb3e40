import { writeTest } from '../../bots/shared/formats/webhook-messages.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Deliveries } from '../../src/core/delivery/webhooks/deliveries.ts';
import type { AttemptResult } from '../../src/core/delivery/webhooks/delivery.ts';
import { Redeliveries } from '../../src/core/delivery/webhooks/redeliveries.ts';
import { createSigningSecrets, type WebhookSender } from '../../src/core/delivery/webhooks/webhook.ts';
import { WebhookService } from '../../src/core/delivery/webhooks/webhook-service.ts';
import { WebhookTester } from '../../src/core/delivery/webhooks/webhook-tester.ts';
import { sampleAlertJson } from '../../src/http/views/alert-view.ts';
import { MemoryRateLimiter } from '../../src/infra/database/memory-rate-limiter.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../src/infra/secrets/secret-key.ts';
import type { KeyFixture } from './key-fixture.ts';
import { silentLogger } from './silent-logger.ts';

const SECRET_KEY = 'a key for tests, long enough to be one';

/** The two ends of delivery; by default every test of a webhook succeeds immediately, without a receiver. */
export interface DeliveryParts {
  readonly sender?: Pick<WebhookSender, 'send'>;
  readonly deliveries?: Pick<Deliveries, 'add' | 'list' | 'byIds'>;
  readonly logger?: Logger;
}

const DELIVERED: AttemptResult = { status: 200, error: null, durationMs: 1, retryAfterSeconds: null };

export function openWebhooks(
  { database, clock }: KeyFixture,
  {
    sender = { send: async () => DELIVERED },
    deliveries = database.deliveries,
    logger = silentLogger,
  }: DeliveryParts,
) {
  const random = secureRandom;
  const secretOf = createWebhookSecrets({
    secretKey: SECRET_KEY,
    secrets: database.secrets,
    random,
    logger: silentLogger,
  });
  const webhooks = new WebhookService({
    webhooks: database.webhooks,
    deliveries,
    secretOf,
    random,
    clock,
  });
  const webhookTester = new WebhookTester({
    webhooks,
    sender,
    deliveries,
    signingSecrets: createSigningSecrets(secretOf, clock),
    rateLimiter: new MemoryRateLimiter({ capacity: 100, clock }),
    serialise: sampleAlertJson,
    testMessage: writeTest,
    random,
    clock,
    logger,
  });
  const rateLimiter = new MemoryRateLimiter({ capacity: 100, clock });
  const redeliveries = new Redeliveries({ webhooks, deliveries: database.deliveries, rateLimiter, clock });
  return { webhooks, webhookTester, redeliveries };
}
