import { createSigningSecrets, type SigningSecrets } from '../core/webhooks/signing-secrets.ts';
import type { WebhookSecrets } from '../core/webhooks/webhook.ts';
import type { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import type { IsPublicAddress } from '../core/webhooks/webhook-url.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import { isPublicAddress } from '../infra/public-address.ts';
import { createWebhookSecrets } from '../infra/webhook-secrets.ts';
import { HttpWebhookSender } from '../infra/webhooks/webhook-sender.ts';
import type { AppContext } from './app-context.ts';

/** What webhooks are sent and signed with, by the engine and for the tests an owner asks for. */
export interface Outgoing {
  /** Null: any address may be a target, for development. */
  readonly isPublicAddress: IsPublicAddress | null;
  readonly sender: WebhookSender;
  readonly secretOf: WebhookSecrets;
  readonly signingSecrets: SigningSecrets;
}

export function wireOutgoing({ config, clock, logger, database: { secrets } }: AppContext): Outgoing {
  const { allowPrivate, secretKey } = config.webhooks;
  if (allowPrivate)
    logger.warn({}, 'WEBHOOK_ALLOW_PRIVATE is set: webhooks may go to addresses that are not public');
  const isPublic = allowPrivate ? null : isPublicAddress;
  const secretOf = createWebhookSecrets({ secretKey, secrets, random: secureRandom, logger });
  return {
    isPublicAddress: isPublic,
    sender: new HttpWebhookSender({ isPublic, clock, logger }),
    secretOf,
    signingSecrets: createSigningSecrets({ secretOf, clock }),
  };
}
