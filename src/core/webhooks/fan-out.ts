import type { Alert } from '../alerts/alert.ts';
import { type ApiKey, effectiveTier } from '../keys/api-key.ts';
import { TIER_POLICIES } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import { DELIVERY_TIMES, type Delivery, deliveryId } from './delivery.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { Webhook } from './webhook.ts';

/** Rows of one write: bounds its memory and its time when thousands of alerts were missed. */
const BATCH_SIZE = 500;

type FanOutOptions = Pick<
  DeliveryEngineOptions,
  'deliveries' | 'webhooks' | 'keys' | 'clock' | 'yieldToLoop'
>;

interface FanOut {
  /** Alerts up to this id that are too old already are recorded as expired. */
  readonly missedUntil: number;
  /** Called with the rows that this process has added. */
  readonly onAdded: (added: readonly AddedDelivery[]) => void;
}

/** A row that this process has added. */
export interface AddedDelivery {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly alert: Alert;
}

/**
 * Makes the rows of alerts in ascending order, then advances the cursor. It is idempotent, also in several processes:
 * rows are unique. Throws what the stores throw; the caller repeats it.
 */
export async function fanOut(
  options: FanOutOptions,
  alerts: readonly Alert[],
  { missedUntil, onAdded }: FanOut,
): Promise<void> {
  const { deliveries, clock, yieldToLoop } = options;
  const targets = await targetsOf(options);
  let rows: AddedDelivery[] = [];

  async function write(): Promise<void> {
    const added = new Set((await deliveries.add(rows.map(({ delivery }) => delivery))).map(({ id }) => id));
    const news = rows.filter(({ delivery: { id } }) => added.has(id));
    rows = [];
    if (news.length > 0) onAdded(news);
    await yieldToLoop();
  }

  for (const alert of alerts) {
    const now = clock.now();
    const isTooOld = alert.id <= missedUntil && alert.createdAt < now - DELIVERY_TIMES.expiresAfterMs;
    const end = isTooOld ? expired(now) : PENDING;
    for (const webhook of alert.isHistory ? [] : targets) {
      if (!matches(webhook, alert)) continue;
      const id = deliveryId(webhook.id, alert.id);
      const delivery = {
        id,
        webhookId: webhook.id,
        alertId: alert.id,
        createdAt: now,
        result: null,
        ...end,
      };
      rows.push({ delivery, webhook, alert });
      if (rows.length >= BATCH_SIZE) await write();
    }
  }
  await write();
  const last = alerts.at(-1);
  if (last !== undefined) await deliveries.advance(last.id);
}

const PENDING = { state: 'pending', finishedAt: null } as const;

function expired(finishedAt: number) {
  return { state: 'expired', finishedAt } as const;
}

/** Active webhooks whose owners may have deliveries now. */
async function targetsOf({ webhooks, keys, clock }: FanOutOptions): Promise<readonly Webhook[]> {
  const active = await webhooks.active();
  const owners = await keys.byIds([...new Set(active.map(({ keyId }) => keyId))]);
  const now = clock.now();
  const entitled = new Set(owners.filter((key) => mayHaveDeliveries(key, now)).map(({ id }) => id));
  return active.filter(({ keyId }) => entitled.has(keyId));
}

/** Whether an alert passes a webhook's criteria (contract, Webhook delivery). */
function matches({ categories, minScore }: Webhook, alert: Alert): boolean {
  return (categories?.includes(alert.category) ?? true) && alert.score >= (minScore ?? 0);
}

/** Whether a key may be sent deliveries at a moment: not revoked, and its tier then has webhooks. */
export function mayHaveDeliveries(key: ApiKey | undefined, now: EpochMs): boolean {
  return key !== undefined && key.revokedAt === null && TIER_POLICIES[effectiveTier(key, now)].hasWebhooks;
}
