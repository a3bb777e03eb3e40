import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import { type Archive, archiveMethods } from '../archive/archive.ts';
import {
  type AlertDocument,
  type ListingDocument,
  RESOLVED_INDEX,
  THREAD_INDEX,
  toAlert,
  toAlertDocument,
  toResolutionDocument,
} from './alert-model.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { Models } from './models.ts';

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
    // What a caller was shown must never be rolled back.
    async byId(id) {
      const document = await alerts.findById(id).readConcern('majority').lean();
      return document === null ? null : toAlert(document);
    },
    // A later alert refers to it, so it must never be rolled back.
    async thread(key) {
      const query = alerts.find({ thread: key }, { key: 1, tradedAt: 1 }).sort({ _id: 1 }).hint(THREAD_INDEX);
      const found = await query.readConcern('majority').lean();
      return found.map(({ _id, key, tradedAt }) => ({ id: _id, key, tradedAt }));
    },
    async ofMarket(marketId, limit, afterId = 0) {
      const listed = await listings.distinct('_id', { marketId });
      const query = alerts.find({ listing: { $in: listed }, _id: { $gt: afterId } }).sort({ _id: 1 });
      return (await query.limit(limit).readConcern('majority').lean()).map(toAlert);
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
      return (await query.limit(limit).readConcern('majority').lean()).map(toAlert);
    },
  } satisfies Partial<AlertStore>;
}

const CHUNK_SIZE = 200;

type Resolve = Parameters<AlertStore['resolveMarket']>[1];

/** Resolves a market's alerts in id order, one bulk write a chunk. */
function createMarketResolver({ alerts, listings }: Models): AlertStore['resolveMarket'] {
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

/** The index holds the listing too, so that no alert is read. */
function createUnresolvedMarkets({ alerts, listings }: Models): AlertStore['unresolvedMarkets'] {
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

const KNOWN_MAX = 10_000;

/**
 * Inserts an alert's listing unless it exists, and returns its id. It is written before the alert, so that a reader of the
 * alert always finds it. A listing whose alert was never written has no effect.
 */
export function createListings(listings: Model<ListingDocument>): (alert: Alert) => Promise<string> {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  return async (alert) => {
    const { _id, ...listing } = listingOf(alert);
    if (known.get(_id)) return _id;
    await listings.updateOne({ _id }, { $setOnInsert: listing }, { upsert: true });
    known.set(_id, true);
    return _id;
  };
}

export function listingOf({ marketId, eventTitle, eventSlug }: Alert): ListingDocument {
  const texts = JSON.stringify([marketId, eventTitle, eventSlug]);
  const _id = createHash('sha256').update(texts).digest('base64url').slice(0, 16);
  return { _id, marketId, titleLower: eventTitle.toLowerCase(), slugLower: eventSlug.toLowerCase() };
}
