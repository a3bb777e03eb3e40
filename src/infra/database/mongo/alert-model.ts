import type { Alert, Resolution } from '../../../core/alerts/alert.ts';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import { BOOLEAN, type ModelFields, type ModelIndex, NUMBER, TEXT, VALUE } from './create-model.ts';

/** An alert as it is stored in MongoDB: complete, with the fields that searches use. */
export interface AlertDocument extends Omit<Alert, 'id'> {
  readonly _id: number;
  /** The market under one question and slug: `_id` of its listing. */
  readonly listing: string;
  /** `threadKey` of the alert. */
  readonly thread: string;
  readonly isResolved: boolean;
}

/** A market under one question and slug: texts that many alerts share, and that text searches read. */
export interface ListingDocument {
  readonly _id: string;
  readonly marketId: string;
  readonly titleLower: string;
  readonly slugLower: string;
}

export const ALERT_FIELDS: ModelFields<AlertDocument> = {
  _id: NUMBER,
  key: TEXT,
  type: TEXT,
  wallet: TEXT,
  marketId: TEXT,
  eventTitle: TEXT,
  eventSlug: TEXT,
  side: TEXT,
  outcome: TEXT,
  outcomeIndex: NUMBER,
  entryPrice: NUMBER,
  usdc: NUMBER,
  shares: NUMBER,
  score: NUMBER,
  category: TEXT,
  tradeCount: NUMBER,
  tradedAt: NUMBER,
  details: VALUE,
  detectedAt: NUMBER,
  publishedAt: NUMBER,
  createdAt: NUMBER,
  isHistory: BOOLEAN,
  threadId: NUMBER,
  supersedes: Number,
  resolution: {},
  log: {},
  listing: TEXT,
  thread: TEXT,
  isResolved: BOOLEAN,
};

export const LISTING_FIELDS: ModelFields<ListingDocument> = {
  _id: TEXT,
  marketId: TEXT,
  titleLower: TEXT,
  slugLower: TEXT,
};

const FACETS = { category: 1, side: 1, type: 1, score: 1, usdc: 1, isResolved: 1, listing: 1 } as const;

/** The fields that totals are computed from, besides `side`. */
const RESULT = { 'resolution.won': 1, entryPrice: 1 } as const;

/** Each covers all fields of a filter: the first field narrows the search, and no alert is read for the others. */
export const WALK_INDEX = { _id: 1, ...FACETS, ...RESULT } as const;
export const RESOLVED_INDEX = ledBy('isResolved');
export const LISTING_INDEX = { ...ledBy('listing'), ...RESULT } as const;
export const WALLET_INDEX = { wallet: 1, _id: 1 } as const;
export const TIME_INDEX = { createdAt: 1, _id: 1 } as const;
export const THREAD_INDEX = { thread: 1, _id: 1 } as const;

export const ALERT_INDEXES: readonly ModelIndex[] = [
  [{ key: 1 }, { unique: true }],
  [WALK_INDEX],
  [RESOLVED_INDEX],
  [LISTING_INDEX],
  [WALLET_INDEX],
  [TIME_INDEX],
  [THREAD_INDEX],
];

function ledBy(facet: keyof typeof FACETS): Readonly<Record<string, 1>> {
  return { [facet]: 1, _id: 1, ...FACETS };
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

/** Turns a profit of -0 into 0. */
export function toResolutionDocument({ payout, won, profitUsdc }: Resolution): Resolution {
  return { payout, won, profitUsdc: profitUsdc + 0 };
}

export function toAlert({ _id, listing, thread, isResolved, ...rest }: AlertDocument): Alert {
  return { id: _id, ...rest };
}
