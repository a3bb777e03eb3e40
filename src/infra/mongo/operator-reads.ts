import type { ApiKey } from '../../core/keys/api-key.ts';
import type { OperatorReads } from '../../core/operations/operator-reads.ts';
import type { Tier } from '../../core/tier.ts';
import { PENDING_INDEX } from './delivery-model.ts';
import { createMongoKeyStore } from './key-store.ts';
import type { Models } from './models.ts';

type Read = Pick<Models, 'keys' | 'usage' | 'webhooks' | 'deliveries'>;

export function createMongoOperatorReads({ keys, usage, webhooks, deliveries }: Read): OperatorReads {
  const store = createMongoKeyStore(keys);
  return {
    async keysByTier(now) {
      const hasEnded = { $and: [{ $ne: ['$trialEndsAt', null] }, { $lte: ['$trialEndsAt', now] }] };
      const rows = await keys.aggregate<{ _id: Tier; count: number }>([
        { $match: { revokedAt: null } },
        { $group: { _id: { $cond: [hasEnded, 'free', '$tier'] }, count: { $sum: 1 } } },
      ]);
      const counts = { free: 0, pro: 0, enterprise: 0 };
      for (const { _id, count } of rows) counts[_id] = count;
      return counts;
    },
    async keysNamed(text, limit): Promise<readonly ApiKey[]> {
      const name = { $regex: text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
      const found = await keys
        .find({ name })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .select('_id')
        .lean();
      const rows = new Map((await store.byIds(found.map(({ _id }) => _id))).map((key) => [key.id, key]));
      return found.flatMap(({ _id }) => rows.get(_id) ?? []);
    },
    async callsOn(day) {
      // `_id` is the day, a space and the key; a space is followed by `!`.
      const ofDay = { _id: { $gte: `${day} `, $lt: `${day}!` } };
      const [sum] = await usage.aggregate<{ calls: number }>([
        { $match: ofDay },
        { $group: { _id: null, calls: { $sum: '$calls' } } },
      ]);
      return sum?.calls ?? 0;
    },
    async webhookTotals() {
      const [[sum], waiting] = await Promise.all([
        webhooks.aggregate<{ webhooks: number; paused: number; delivered: number; failed: number }>([
          {
            $group: {
              _id: null,
              webhooks: { $sum: 1 },
              paused: { $sum: { $cond: ['$isPaused', 1, 0] } },
              delivered: { $sum: '$delivered' },
              failed: { $sum: '$failed' },
            },
          },
          { $project: { _id: 0 } },
        ]),
        deliveries.countDocuments({ state: 'pending' }).hint(PENDING_INDEX),
      ]);
      return { webhooks: 0, paused: 0, delivered: 0, failed: 0, ...sum, waiting };
    },
  };
}
