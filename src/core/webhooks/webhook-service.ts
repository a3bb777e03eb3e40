import type { Category } from '../category.ts';
import type { Clock } from '../clock.ts';
import type { RandomText } from '../ports/random-text.ts';
import type { WebhookStore } from '../ports/webhook-store.ts';
import { WEBHOOK_LIMITS, type Webhook, type WebhookSecrets } from './webhook.ts';

/** What a client asks for; validated. */
export interface WebhookRequest {
  readonly url: string;
  readonly categories: readonly Category[] | null;
  readonly minScore: number | null;
}

/** Registers and lists webhooks. A webhook of another key does not exist. */
export interface WebhookService {
  /** Null when the key has as many webhooks as `WEBHOOK_LIMITS.perKey`. The same address may be registered twice. */
  register(keyId: string, request: WebhookRequest): Promise<{ webhook: Webhook; secret: string } | null>;
  /** Oldest first. */
  list(keyId: string): Promise<readonly Webhook[]>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}

/** What the service stands on. */
export interface WebhookServiceDeps {
  readonly webhooks: WebhookStore;
  readonly secretOf: WebhookSecrets;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;

/** The service over a store. What the store throws goes through. */
export function createWebhookService(deps: WebhookServiceDeps): WebhookService {
  const { webhooks, secretOf, random, clock } = deps;
  return {
    async register(keyId, { url, categories, minScore }) {
      const id = `wh_${random.base64url(ID_BYTES)}`;
      const first = { secretVersion: 1, rotatedAt: null };
      const counts = { delivered: 0, failed: 0, failuresInRow: 0 };
      const rest = { ...first, isPaused: false, createdAt: clock.now(), ...counts };
      const webhook = { id, keyId, url, categories, minScore, ...rest };
      // Before it is stored: a webhook whose secret nobody was told would be of no use.
      const secret = await secretOf(webhook);
      return (await webhooks.insert(webhook, WEBHOOK_LIMITS.perKey)) ? { webhook, secret } : null;
    },
    list: (keyId) => webhooks.listByKey(keyId),
    remove: (keyId, id) => webhooks.remove(keyId, id),
  };
}
