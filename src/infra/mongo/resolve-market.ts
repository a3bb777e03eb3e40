import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { type AlertDocument, toAlert, toResolutionDocument } from './alert-model.ts';
import type { Models } from './models.ts';

const CHUNK_SIZE = 200;

type Resolve = Parameters<AlertStore['resolveMarket']>[1];

/** Resolves a market's alerts in id order, one bulk write a chunk. */
export function createMarketResolver({ alerts, listings }: Models): AlertStore['resolveMarket'] {
  return async (marketId, resolve) => {
    const counted = { resolved: 0, won: 0 };
    let after: number | null = 0;
    while (after !== null) {
      const chunk: AlertDocument[] = await nextChunk(marketId, after);
      const { writes, resolved, won } = resolveChunk(chunk, resolve);
      if (writes.length > 0) await alerts.bulkWrite(writes, { ordered: false });
      counted.resolved += resolved;
      counted.won += won;
      after = chunk.length < CHUNK_SIZE ? null : (chunk.at(-1)?._id ?? null);
    }
    return counted;
  };

  async function nextChunk(marketId: string, after: number): Promise<AlertDocument[]> {
    const listed = await listings.distinct('_id', { marketId });
    return alerts
      .find({ listing: { $in: listed }, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(CHUNK_SIZE)
      .lean();
  }
}

function resolveChunk(chunk: readonly AlertDocument[], resolve: Resolve) {
  const outcomes = chunk.map((document) => ({ before: document, computed: resolve(toAlert(document)) }));
  const writes = outcomes.flatMap(({ before, computed }) => {
    if (computed === null) return [];
    const $set = { resolution: toResolutionDocument(computed), isResolved: true };
    return [{ updateOne: { filter: { _id: before._id }, update: { $set } } }];
  });
  const resolutions = outcomes.flatMap(({ before, computed }) => computed ?? before.resolution ?? []);
  return { writes, resolved: resolutions.length, won: resolutions.filter(({ won }) => won).length };
}
