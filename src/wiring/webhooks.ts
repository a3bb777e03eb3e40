import type { DeliveryStore } from '../core/ports/delivery-store.ts';
import type { RateLimiter } from '../core/ports/rate-limiter.ts';
import type { WebhookSender } from '../core/ports/webhook-sender.ts';
import { createSigningSecrets } from '../core/webhooks/signing-secrets.ts';
import type { WebhookSecrets } from '../core/webhooks/webhook.ts';
import { createWebhookService, type WebhookService } from '../core/webhooks/webhook-service.ts';
import { createWebhookTester, type WebhookTester } from '../core/webhooks/webhook-tester.ts';
import { sampleAlertJson } from '../http/alert-view.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import { createWebhookSecrets } from '../infra/webhook-secrets.ts';
import type { House } from './house.ts';

interface WebhookParts {
  readonly rateLimiter: RateLimiter;
  readonly deliveries: Pick<DeliveryStore, 'add' | 'list'>;
  readonly sender: Pick<WebhookSender, 'send'>;
}

/** What the API needs of webhooks. */
export function wireWebhooks(
  house: House,
  { rateLimiter, deliveries, sender }: WebhookParts,
): { readonly webhooks: WebhookService; readonly webhookTester: WebhookTester } {
  const { clock, logger, database } = house;
  const secretOf = wireWebhookSecrets(house);
  const shared = { deliveries, random: secureRandom, clock };
  const webhooks = createWebhookService({ ...shared, webhooks: database.webhooks, secretOf });
  const webhookTester = createWebhookTester({
    ...shared,
    webhooks,
    sender,
    signingSecrets: createSigningSecrets({ secretOf, clock }),
    rateLimiter,
    serialise: sampleAlertJson,
    logger,
  });
  return { webhooks, webhookTester };
}

function wireWebhookSecrets({ config, logger, database: { secrets } }: House): WebhookSecrets {
  return createWebhookSecrets({ secretKey: config.secretKey, secrets, random: secureRandom, logger });
}
