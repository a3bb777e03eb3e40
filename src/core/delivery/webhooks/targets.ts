import { type ApiKey, effectiveTier } from '../../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../../accounts/tier.ts';
import { type EpochMs, MINUTE_MS } from '../../base/time/duration.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { Webhook } from './webhook.ts';

/** What was changed in the database by other means than the stores is seen after this time. */
const KEPT_MS = MINUTE_MS;

type TargetOptions = Pick<DeliveryEngineOptions, 'webhooks' | 'keys' | 'clock'>;

interface Target {
  readonly webhook: Webhook;
  readonly owner: ApiKey | undefined;
}

/**
 * Active webhooks and their keys, in memory. They are read again once any process has changed a webhook or a key: a change
 * that was answered before an alert was published applies to the alert.
 */
export class Targets {
  readonly #options: TargetOptions;
  #kept: readonly Target[] = [];
  /** The numbers of changes before `#kept` was read. */
  #changes = '';
  #readAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /** Active webhooks whose owners may have deliveries now. Throws what the stores throw. */
  async current(): Promise<readonly Webhook[]> {
    const { webhooks, keys, clock } = this.#options;
    const changes = String(await Promise.all([webhooks.changes(), keys.changes()]));
    const now = clock.now();
    if (changes !== this.#changes || Math.abs(now - this.#readAt) > KEPT_MS) {
      this.#kept = await this.#read();
      this.#changes = changes;
      this.#readAt = now;
    }
    return this.#kept.filter(({ owner }) => mayHaveDeliveries(owner, now)).map(({ webhook }) => webhook);
  }

  async #read(): Promise<readonly Target[]> {
    const { webhooks, keys } = this.#options;
    const active = await webhooks.active();
    const owners = await keys.byIds([...new Set(active.map(({ keyId }) => keyId))]);
    const ownerOf = new Map(owners.map((key) => [key.id, key]));
    return active.map((webhook) => ({ webhook, owner: ownerOf.get(webhook.keyId) }));
  }
}

/** Whether a key may be sent deliveries at a moment: not revoked, and its tier then has webhooks. */
export function mayHaveDeliveries(key: ApiKey | undefined, now: EpochMs): boolean {
  return key !== undefined && key.revokedAt === null && TIER_POLICIES[effectiveTier(key, now)].hasWebhooks;
}
