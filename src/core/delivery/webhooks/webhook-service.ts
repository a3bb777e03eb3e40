import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Delivery, DeliveryPage, DeliveryStore } from './delivery.ts';
import {
  SECRET_OVERLAP_MS,
  WEBHOOK_LIMITS,
  type Webhook,
  type WebhookSecrets,
  type WebhookStore,
} from './webhook.ts';

/** A validated registration. */
export type WebhookRegistration = Pick<Webhook, 'url' | 'categories' | 'minScore'> &
  Partial<Pick<Webhook, 'format' | 'filters' | 'events'>>;

/** A rotated secret. Before `previousUntil` deliveries are also signed with the replaced one. */
export interface RotatedSecret {
  readonly secret: string;
  readonly previousUntil: EpochMs;
}

/** A page of the deliveries of a webhook, or what is missing. */
type DeliveryLog =
  | { readonly ok: true; readonly deliveries: readonly Delivery[]; readonly hasMore: boolean }
  | { readonly ok: false; readonly missing: 'webhook' | 'delivery' };

interface WebhookServiceOptions {
  readonly webhooks: WebhookStore;
  readonly deliveries: Pick<DeliveryStore, 'list' | 'byIds'>;
  readonly secretOf: WebhookSecrets;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

const ID_BYTES = 12;

/** Registers, lists and changes webhooks. A webhook of another key is treated as missing. Throws what the stores throw. */
export class WebhookService {
  readonly store: WebhookStore;
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.store = options.webhooks;
    this.#options = options;
  }

  /** Null when the key has `WEBHOOK_LIMITS.perKey` webhooks already. A URL may be registered more than once. */
  async register(
    keyId: string,
    { url, format = 'json', categories, minScore, filters = null, events = null }: WebhookRegistration,
  ): Promise<{ webhook: Webhook; secret: string } | null> {
    const { webhooks, secretOf, random, clock } = this.#options;
    const id = `wh_${random.base64url(ID_BYTES)}`;
    const first = { secretVersion: 1, rotatedAt: null };
    const counts = { delivered: 0, failed: 0, failuresInRow: 0 };
    const rest = { ...first, isPaused: false, createdAt: clock.now(), ...counts };
    const webhook = { id, keyId, url, format, categories, minScore, filters, events, ...rest };
    // Derived before it is stored: a webhook without a known secret is useless.
    const secret = await secretOf(webhook);
    return (await webhooks.insert(webhook, WEBHOOK_LIMITS.perKey)) ? { webhook, secret } : null;
  }

  /** Null when it is missing. */
  async get(keyId: string, id: string): Promise<Webhook | null> {
    const [webhook] = await this.#options.webhooks.byIds([id]);
    return webhook?.keyId === keyId ? webhook : null;
  }

  /** Null when it is missing. The secret before the replaced one expires immediately. */
  async rotate(keyId: string, id: string): Promise<RotatedSecret | null> {
    const { webhooks, secretOf, clock } = this.#options;
    const current = await this.get(keyId, id);
    if (current === null) return null;
    // Done before the version is raised: if it failed afterwards, a second rotation would expire the secret that the owner has.
    await secretOf(current);
    const now = clock.now();
    const rotated = await webhooks.rotate(keyId, id, now);
    if (rotated === null) return null;
    return { secret: await secretOf(rotated), previousUntil: now + SECRET_OVERLAP_MS };
  }

  /** Newest first. Refused when the webhook, or the delivery after which the page begins, is missing. */
  async deliveries(keyId: string, id: string, { limit, ...page }: DeliveryPage): Promise<DeliveryLog> {
    if ((await this.get(keyId, id)) === null) return { ok: false, missing: 'webhook' };
    const { deliveries } = this.#options;
    const found = await deliveries.list(id, { ...page, limit: limit + 1 });
    if (found.length === 0 && page.before !== undefined) {
      const [last] = await deliveries.byIds([page.before]);
      if (last?.webhookId !== id) return { ok: false, missing: 'delivery' };
    }
    return { ok: true, deliveries: found.slice(0, limit), hasMore: found.length > limit };
  }
}
