import type { DatabaseSync } from 'node:sqlite';
import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { prepareQuery } from './connection.ts';

/** `is_resolved = 0` is a literal, as in the partial index: a parameter would not match the index. */
export const UNRESOLVED_QUERY = `
  SELECT facets.id, listings.market_id AS marketId
  FROM (SELECT id, listing FROM alert_facets WHERE is_resolved = 0 AND id > ? ORDER BY id LIMIT ?) AS facets
  JOIN listings ON listings.id = facets.listing
  ORDER BY facets.id`;

export function createUnresolvedMarkets(db: DatabaseSync): AlertStore['unresolvedMarkets'] {
  const next = prepareQuery<{ id: number; marketId: string }>(db, UNRESOLVED_QUERY);
  return async ({ afterId, limit }) => {
    const found = next.all(afterId, limit);
    return {
      marketIds: [...new Set(found.map(({ marketId }) => marketId))],
      lastId: found.length < limit ? null : (found.at(-1)?.id ?? null),
    };
  };
}
