import type { Alert } from '../alerts/alert.ts';
import { type ApiKey, effectiveTier } from '../keys/api-key.ts';
import { TIER_POLICIES } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import type { Webhook } from './webhook.ts';

/** Whether an alert passes a webhook's criteria (contract, Webhook delivery). */
export function matches({ categories, minScore }: Webhook, alert: Alert): boolean {
  return (categories?.includes(alert.category) ?? true) && alert.score >= (minScore ?? 0);
}

/** Whether a key may be sent deliveries at a moment: not revoked, and its tier then has webhooks. */
export function mayHaveDeliveries(key: ApiKey | undefined, now: EpochMs): boolean {
  return key !== undefined && key.revokedAt === null && TIER_POLICIES[effectiveTier(key, now)].hasWebhooks;
}
