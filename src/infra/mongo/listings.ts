import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import type { Alert } from '../../core/alerts/alert.ts';

const KNOWN_MAX = 10_000;

/** A market under one question and slug: texts that many alerts share, and that text searches read. */
export interface ListingDocument {
  readonly _id: string;
  readonly marketId: string;
  readonly titleLower: string;
  readonly slugLower: string;
}

/**
 * Inserts an alert's listing unless it exists, and returns its id. It is written before the alert, so that a reader of the
 * alert always finds it. A listing whose alert was never written has no effect.
 */
export function createListings(listings: Model<ListingDocument>): (alert: Alert) => Promise<string> {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  return async ({ marketId, eventTitle, eventSlug }) => {
    const _id = listingId(marketId, eventTitle, eventSlug);
    if (known.get(_id)) return _id;
    const listing = { marketId, titleLower: eventTitle.toLowerCase(), slugLower: eventSlug.toLowerCase() };
    await listings.updateOne({ _id }, { $setOnInsert: listing }, { upsert: true });
    known.set(_id, true);
    return _id;
  };
}

function listingId(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 16);
}
