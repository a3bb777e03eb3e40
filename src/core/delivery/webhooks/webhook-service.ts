import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Deliveries } from './deliveries.ts';
import type { Delivery, DeliveryPage } from './delivery.ts';
import {
  SECRET_OVERLAP_MS,
  WEBHOOK_LIMITS,
  type Webhook,
  type WebhookRefusal,
  type WebhookSecrets,
} from './webhook.ts';
import type { Webhooks } from './webhooks.ts';

/** A validated registration. */
export type WebhookRegistration = Pick<Webhook, 'url' | 'categories' | 'minScore'> &
  Partial<Pick<Webhook, 'format' | 'filters' | 'events'>>;

/** A new webhook with its secret, or why there is none. */
type RegistrationResult =
  | { readonly ok: true; readonly webhook: Webhook; readonly secret: string }
  | WebhookRefusal;

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
  readonly webhooks: Webhooks;
  readonly deliveries: Pick<Deliveries, 'list' | 'byIds'>;
  readonly secretOf: WebhookSecrets;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

const ID_BYTES = 12;

/** Registers, lists and changes webhooks. A webhook of another key is treated as missing. Throws what the stores throw. */
export class WebhookService {
  readonly store: Webhooks;
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.store = options.webhooks;
    this.#options = options;
  }

  /** Refused when the key has a webhook with the URL, or `WEBHOOK_LIMITS.perKey` webhooks. */
  async register(
    keyId: string,
    { url, format = 'json', categories, minScore, filters = null, events = null }: WebhookRegistration,
  ): Promise<RegistrationResult> {
    const { webhooks, secretOf, random, clock } = this.#options;
    const webhook = {
      id: `wh_${random.base64url(ID_BYTES)}`,
      keyId,
      url: new URL(url).href,
      format,
      categories,
      minScore,
      filters,
      events,
      secretVersion: 1,
      rotatedAt: null,
      isPaused: false,
      createdAt: clock.now(),
      delivered: 0,
      failed: 0,
      failuresInRow: 0,
    };
    // Derived before it is stored: a webhook without a known secret is useless.
    const secret = await secretOf(webhook);
    const result = await webhooks.insert(webhook, WEBHOOK_LIMITS.perKey);
    return result.ok ? { ok: true, webhook, secret } : result;
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
