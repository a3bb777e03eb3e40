import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { RESOLVED_INDEX } from './alert-model.ts';
import type { Models } from './models.ts';

/** The index holds the listing too, so that no alert is read. */
export function createUnresolvedMarkets({ alerts, listings }: Models): AlertStore['unresolvedMarkets'] {
  return async ({ afterId, limit }) => {
    const found = await alerts
      .find({ isResolved: false, _id: { $gt: afterId } }, { listing: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .hint(RESOLVED_INDEX)
      .lean();
    const listed = await listings
      .find({ _id: { $in: [...new Set(found.map(({ listing }) => listing))] } }, { marketId: 1 })
      .lean();
    const marketOf = new Map(listed.map(({ _id, marketId }) => [_id, marketId]));
    return {
      marketIds: [...new Set(found.flatMap(({ listing }) => marketOf.get(listing) ?? []))],
      lastId: found.length < limit ? null : (found.at(-1)?._id ?? null),
    };
  };
}
