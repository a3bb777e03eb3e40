import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { type Archive, archiveMethods } from '../database/archive.ts';
import { THREAD_INDEX, toAlert, toAlertDocument } from './alert-model.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { createListings } from './listings.ts';
import type { Models } from './models.ts';
import { createMarketResolver } from './resolve-market.ts';
import { createUnresolvedMarkets } from './unresolved-markets.ts';

export function createMongoAlertStore(models: Models, archive: Archive): AlertStore {
  const { alerts } = models;
  const listingOf = createListings(models.listings);
  return {
    async append(alert) {
      const document = toAlertDocument(alert, await listingOf(alert));
      try {
        await alerts.insertOne(document);
        return 'appended';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await alerts.exists({ key: alert.key })) === null ? 'taken' : 'duplicate';
      }
    },
    async setLog(id, log) {
      await alerts.updateOne({ _id: id }, { $set: { log } });
    },
    ...createReads(models),
    ...archiveMethods(archive, createMarketResolver(models)),
    unresolvedMarkets: createUnresolvedMarkets(models),
  };
}

function createReads({ alerts, listings }: Models) {
  return {
    async last() {
      // The next id follows from it, so it must never be rolled back.
      const [document] = await alerts.find().sort({ _id: -1 }).limit(1).readConcern('majority').lean();
      return document === undefined ? null : toAlert(document);
    },
    async byId(id) {
      const document = await alerts.findById(id).lean();
      return document === null ? null : toAlert(document);
    },
    // A later alert refers to it, so it must never be rolled back.
    async thread(key) {
      const query = alerts.find({ thread: key }, { key: 1, tradedAt: 1 }).sort({ _id: 1 }).hint(THREAD_INDEX);
      const found = await query.readConcern('majority').lean();
      return found.map(({ _id, key, tradedAt }) => ({ id: _id, key, tradedAt }));
    },
    async ofMarket(marketId, limit) {
      const listed = await listings.distinct('_id', { marketId });
      const query = alerts.find({ listing: { $in: listed } }).sort({ _id: 1 });
      return (await query.limit(limit).lean()).map(toAlert);
    },
    // What a feed has delivered must never be rolled back.
    async after(id, limit) {
      const query = alerts.find({ _id: { $gt: id } }).sort({ _id: 1 });
      return (await query.limit(limit).readConcern('majority').lean()).map(toAlert);
    },
    async latest({ limit, until }) {
      const query =
        until === undefined
          ? alerts.find().sort({ _id: -1 })
          : alerts.find({ createdAt: { $lte: until } }).sort({ createdAt: -1, _id: -1 });
      return (await query.limit(limit).lean()).map(toAlert);
    },
  } satisfies Partial<AlertStore>;
}
