import { type Connection, type Model, Schema } from 'mongoose';
import type { Alert, Resolution } from '../../core/alerts/alert.ts';
import { threadKey } from '../../core/ledger/thread.ts';
import type { LogHead } from '../../core/log/log-entry.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** An alert as it rests in MongoDB: whole, with what it is searched by beside it. */
export interface AlertDocument extends Omit<Alert, 'id'> {
  readonly _id: number;
  /** The market under one question and slug: `_id` of its listing. */
  readonly listing: string;
  /** `threadKey` of the alert. Absent where a build before version 6 appended it, until the next start. */
  readonly thread?: string;
  readonly isResolved: boolean;
}

const resolutionSchema = new Schema<Resolution>(
  { payout: Number, won: Boolean, profitUsdc: Number },
  { _id: false },
);

const logHeadSchema = new Schema<LogHead>({ sequence: Number, hash: String }, { _id: false });

const alertSchema = new Schema<AlertDocument>(
  {
    _id: Number,
    key: String,
    type: { type: String },
    wallet: String,
    marketId: String,
    eventTitle: String,
    eventSlug: String,
    side: String,
    outcome: String,
    outcomeIndex: Number,
    entryPrice: Number,
    usdc: Number,
    shares: Number,
    score: Number,
    category: String,
    tradeCount: Number,
    tradedAt: Number,
    details: Schema.Types.Mixed,
    detectedAt: Number,
    publishedAt: Number,
    createdAt: Number,
    isHistory: Boolean,
    threadId: Number,
    supersedes: { type: Number, default: null },
    resolution: { type: resolutionSchema, default: null },
    log: logHeadSchema,
    listing: String,
    thread: String,
    isResolved: Boolean,
  },
  { ...SCHEMA_OPTIONS, collection: 'alerts' },
);

const FACETS = { category: 1, side: 1, type: 1, score: 1, usdc: 1, isResolved: 1, listing: 1 } as const;

/** What a record is summed up from, `side` aside. */
const RESULT = { 'resolution.won': 1, entryPrice: 1 } as const;

/** These hold all that a filter looks at: what one begins with narrows the search, and no alert is read for the rest. */
export const WALK_INDEX = { _id: 1, ...FACETS, ...RESULT } as const;
export const CATEGORY_INDEX = ledBy('category');
export const SCORE_INDEX = ledBy('score');
export const USDC_INDEX = ledBy('usdc');
export const RESOLVED_INDEX = ledBy('isResolved');
export const LISTING_INDEX = { ...ledBy('listing'), ...RESULT } as const;
export const WALLET_INDEX = { wallet: 1, _id: 1 } as const;
export const TIME_INDEX = { createdAt: 1, _id: 1 } as const;
export const THREAD_INDEX = { thread: 1, _id: 1 } as const;

alertSchema.index({ key: 1 }, { unique: true });
alertSchema.index(WALK_INDEX);
alertSchema.index(CATEGORY_INDEX);
alertSchema.index(SCORE_INDEX);
alertSchema.index(USDC_INDEX);
alertSchema.index(RESOLVED_INDEX);
alertSchema.index(LISTING_INDEX);
alertSchema.index(WALLET_INDEX);
alertSchema.index(TIME_INDEX);
alertSchema.index(THREAD_INDEX);

function ledBy(facet: keyof typeof FACETS): Readonly<Record<string, 1>> {
  return { [facet]: 1, _id: 1, ...FACETS };
}

export function createAlertModel(connection: Connection): Model<AlertDocument> {
  return connection.model<AlertDocument>('Alert', alertSchema);
}

export function toAlertDocument(alert: Alert, listing: string): AlertDocument {
  const { id, resolution, ...fixed } = alert;
  return {
    _id: id,
    ...fixed,
    resolution: resolution === null ? null : toResolutionDocument(resolution),
    listing,
    thread: threadKey(alert),
    isResolved: resolution !== null,
  };
}

/** A profit that was rounded to nothing from below is no different from one that was from above. */
export function toResolutionDocument({ payout, won, profitUsdc }: Resolution): Resolution {
  return { payout, won, profitUsdc: profitUsdc + 0 };
}

export function toAlert({ _id, listing, thread, isResolved, ...rest }: AlertDocument): Alert {
  return thread === undefined ? { id: _id, ...rest, threadId: _id, supersedes: null } : { id: _id, ...rest };
}
