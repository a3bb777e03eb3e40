import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Alert } from '../../core/alerts/alert.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

const KNOWN_MAX = 10_000;

/** A market under one question and slug: the few texts that many alerts share, and are searched by. */
export interface ListingDocument {
  readonly _id: string;
  readonly marketId: string;
  readonly titleLower: string;
  readonly slugLower: string;
}

const listingSchema = new Schema<ListingDocument>(
  { _id: String, marketId: String, titleLower: String, slugLower: String },
  { ...SCHEMA_OPTIONS, collection: 'listings' },
);
listingSchema.index({ marketId: 1 });

export function createListingModel(connection: Connection): Model<ListingDocument> {
  return connection.model<ListingDocument>('Listing', listingSchema);
}

/**
 * Makes sure that an alert's listing is there, and gives its id. It is written before the alert: whoever sees the
 * alert finds the listing, and one whose alert never came is found by nobody.
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
