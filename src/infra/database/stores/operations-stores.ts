import { TIERS, type Tier } from '../../../core/accounts/tier.ts';
import type { OperatorReads } from '../../../core/operations/audit-log.ts';
import type { OpenCollection } from './collection.ts';
import { countPending } from './delivery-store.ts';
import { KEYS, USAGE } from './key-store.ts';
import { WEBHOOKS } from './webhook-store.ts';

export function createOperatorReads(open: OpenCollection): OperatorReads {
  const keys = open(KEYS);
  const usage = open(USAGE);
  const webhooks = open(WEBHOOKS);
  return {
    async keysByTier(now) {
      const active = { revokedAt: null };
      const byTier = await keys.countBy('tier', active);
      const ended = await keys.countBy('tier', { ...active, trialEndsAt: { lte: now } });
      const counts = { free: 0, pro: 0, enterprise: 0 } satisfies Record<Tier, number>;
      for (const tier of TIERS) {
        counts[tier] += (byTier.get(tier) ?? 0) - (ended.get(tier) ?? 0);
        counts.free += ended.get(tier) ?? 0;
      }
      return counts;
    },
    callsOn: async (day) => (await usage.sum({ day }, ['calls'])).calls,
    async webhookTotals() {
      const [count, paused, sums, waiting] = await Promise.all([
        webhooks.count(),
        webhooks.count({ isPaused: true }),
        webhooks.sum({}, ['delivered', 'failed']),
        countPending(open),
      ]);
      return { webhooks: count, paused, ...sums, waiting };
    },
  };
}
