import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { WebhookService } from '../core/webhooks/webhook-service.ts';
import { WebhookTester } from '../core/webhooks/webhook-tester.ts';
import { sampleAlertJson } from '../http/views/alert-view.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import type { AppContext } from './app-context.ts';
import type { Outgoing } from './outgoing.ts';

/** What the API needs of webhooks. */
export function wireWebhooks(
  { clock, logger, database: { webhooks: store, deliveries } }: AppContext,
  { sender, secretOf, signingSecrets }: Outgoing,
  rateLimiter: RateLimiter,
): { readonly webhooks: WebhookService; readonly webhookTester: WebhookTester } {
  const shared = { deliveries, random: secureRandom, clock };
  const webhooks = new WebhookService({ ...shared, webhooks: store, secretOf });
  const sending = { sender, signingSecrets, serialise: sampleAlertJson };
  const webhookTester = new WebhookTester({ ...shared, ...sending, webhooks, rateLimiter, logger });
  return { webhooks, webhookTester };
}
