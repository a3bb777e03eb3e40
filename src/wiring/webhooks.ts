import { createWebhookService, type WebhookService } from '../core/webhooks/webhook-service.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import { createWebhookSecrets } from '../infra/webhook-secrets.ts';
import type { House } from './house.ts';

export function wireWebhooks({ config, clock, logger, database }: House): WebhookService {
  const { secrets, webhooks } = database;
  const secretOf = createWebhookSecrets({
    secretKey: config.secretKey,
    secrets,
    random: secureRandom,
    logger,
  });
  return createWebhookService({ webhooks, secretOf, random: secureRandom, clock });
}
