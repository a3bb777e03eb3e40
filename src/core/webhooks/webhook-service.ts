import type { Category } from '../category.ts';
import type { Clock } from '../clock.ts';
import type { RandomText } from '../random-text.ts';
import type { EpochMs } from '../trade.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { SECRET_OVERLAP_MS, WEBHOOK_LIMITS, type Webhook, type WebhookSecrets } from './webhook.ts';
import type { WebhookChange, WebhookStore } from './webhook-store.ts';

/** What a client asks for; validated. */
export interface WebhookRegistration {
  readonly url: string;
  readonly categories: readonly Category[] | null;
  readonly minScore: number | null;
}

/** Which part of a log is wanted. */
export interface DeliveryPage {
  /** From 1 to `DELIVERY_LIMITS.pageSize`. */
  readonly limit: number;
  /** The id of the last row of the page before; one that is not in this log has nothing after it. */
  readonly before?: string;
  readonly state?: DeliveryState;
}

/** A rotated secret. Before `previousUntil` deliveries are signed with the one it replaces, too. */
export interface RotatedSecret {
  readonly secret: string;
  readonly previousUntil: EpochMs;
}

/** Registers, lists and changes webhooks. A webhook of another key does not exist. */
export interface WebhookService {
  /** Null when the key has as many webhooks as `WEBHOOK_LIMITS.perKey`. The same address may be registered twice. */
  register(keyId: string, request: WebhookRegistration): Promise<{ webhook: Webhook; secret: string } | null>;
  /** Oldest first. */
  list(keyId: string): Promise<readonly Webhook[]>;
  /** Null when there is none. */
  get(keyId: string, id: string): Promise<Webhook | null>;
  /** The webhook as it is then; null when there is none. */
  update(keyId: string, id: string, change: WebhookChange): Promise<Webhook | null>;
  /** Null when there is none. The secret before the one that is replaced ends at once. */
  rotate(keyId: string, id: string): Promise<RotatedSecret | null>;
  /** Newest first; null when there is no such webhook. */
  deliveries(
    keyId: string,
    id: string,
    page: DeliveryPage,
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly hasMore: boolean } | null>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}

/** What the service stands on. */
export interface WebhookServiceDeps {
  readonly webhooks: WebhookStore;
  readonly deliveries: Pick<DeliveryStore, 'list'>;
  readonly secretOf: WebhookSecrets;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;

/** The service over a store. What the store throws goes through. */
export function createWebhookService(deps: WebhookServiceDeps): WebhookService {
  const { webhooks, secretOf, random, clock } = deps;

  async function get(keyId: string, id: string): Promise<Webhook | null> {
    const [webhook] = await webhooks.byIds([id]);
    return webhook?.keyId === keyId ? webhook : null;
  }

  return {
    get,
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
    update: (keyId, id, change) => webhooks.update(keyId, id, change),
    async rotate(keyId, id) {
      const current = await get(keyId, id);
      if (current === null) return null;
      // What fails here fails before the version is raised: a second try would end the secret that the owner has.
      await secretOf(current);
      const now = clock.now();
      const rotated = await webhooks.rotate(keyId, id, now);
      if (rotated === null) return null;
      return { secret: await secretOf(rotated), previousUntil: now + SECRET_OVERLAP_MS };
    },
    async deliveries(keyId, id, { limit, ...page }) {
      if ((await get(keyId, id)) === null) return null;
      const found = await deps.deliveries.list(id, { ...page, limit: limit + 1 });
      return { deliveries: found.slice(0, limit), hasMore: found.length > limit };
    },
    remove: (keyId, id) => webhooks.remove(keyId, id),
  };
}
