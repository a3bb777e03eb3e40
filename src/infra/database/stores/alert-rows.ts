import type { Alert, Resolution } from '../../../core/alerts/alert.ts';
import { betOf } from '../../../core/alerts/bet.ts';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import type { Declaration } from './collection.ts';

/** An alert with what it is found by. */
export interface AlertRow extends Alert {
  readonly thread: string;
  readonly listing: string;
  readonly isResolved: boolean;
  readonly won: boolean | null;
  /** Of its bet (`betOf`), for the archive. */
  readonly toWinUsdc: number;
  readonly putInUsdc: number;
}

/** A market under one question and slug: texts that many alerts share, and that text searches read. They never change. */
export interface ListingRow {
  readonly key: string;
  readonly marketId: string;
  /** In lower case. */
  readonly title: string;
  readonly slug: string;
}

/** What the archive reads of every alert, from an index that has all of it. */
export const FACETS = [
  'id',
  'listing',
  'category',
  'side',
  'type',
  'supersedes',
  'score',
  'usdc',
  'entryPrice',
  'toWinUsdc',
  'putInUsdc',
  'won',
] as const;

export const ALERTS: Declaration<AlertRow> = {
  name: 'alerts',
  fields: {
    id: 'integer',
    key: 'text',
    type: 'text',
    wallet: 'text',
    marketId: 'text',
    eventTitle: 'text',
    eventSlug: 'text',
    marketEvent: 'text?',
    side: 'text',
    outcome: 'text',
    outcomeIndex: 'integer',
    entryPrice: 'number',
    usdc: 'number',
    shares: 'number',
    score: 'number',
    category: 'text',
    tradeCount: 'integer',
    tradedAt: 'integer',
    details: 'value',
    detectedAt: 'integer',
    publishedAt: 'integer',
    createdAt: 'integer',
    isHistory: 'boolean',
    threadId: 'integer',
    supersedes: 'integer?',
    resolution: { payout: 'number', won: 'boolean', profitUsdc: 'number' },
    withdrawn: { at: 'integer', reason: 'text' },
    log: { sequence: 'integer', hash: 'text' },
    thread: 'text',
    listing: 'text',
    isResolved: 'boolean',
    won: 'boolean?',
    toWinUsdc: 'number',
    putInUsdc: 'number',
  },
  key: ['id'],
  unique: ['key'],
  indexes: {
    alerts_facets: { fields: FACETS },
    alerts_unresolved: { fields: ['isResolved', 'id', 'marketId'], where: { isResolved: false } },
    alerts_by_market: { fields: ['marketId', 'id', 'isResolved', 'won'] },
    alerts_by_event: { fields: ['marketEvent', 'marketId', 'id'] },
    alerts_by_wallet: { fields: ['wallet', 'id'] },
    alerts_by_time: { fields: ['createdAt', 'id'] },
    alerts_by_thread: { fields: ['thread', 'id'] },
  },
};

export const LISTINGS: Declaration<ListingRow> = {
  name: 'listings',
  fields: { key: 'text', marketId: 'text', title: 'text', slug: 'text' },
  key: ['key'],
  isClustered: true,
};

export function toAlertRow(alert: Alert, listing: string): AlertRow {
  const { toWinUsdc, putInUsdc } = betOf(alert);
  const found = { thread: threadKey(alert), listing, toWinUsdc, putInUsdc };
  if (alert.resolution === null) return { ...alert, ...found, isResolved: false, won: null };
  return { ...alert, ...found, ...resolvedFields(alert.resolution) };
}

/** What an alert has when its market is settled. A profit of -0 is stored as 0. */
export function resolvedFields({ payout, won, profitUsdc }: Resolution) {
  return { resolution: { payout, won, profitUsdc: profitUsdc + 0 }, isResolved: true, won };
}

const FOUND_BY: readonly string[] = ['thread', 'listing', 'isResolved', 'won', 'toWinUsdc', 'putInUsdc'];

/** The fields of the alert itself. Leaving out the others of a row that was read takes longer than reading it. */
export const ALERT_FIELDS = Object.keys(ALERTS.fields).filter(
  (name): name is keyof Alert => !FOUND_BY.includes(name),
);

/** The columns of consecutive alerts, for the start of a process that searches them (`archive/segments.ts`). */
export const SEGMENTS: Declaration<{ readonly number: number; readonly columns: Uint8Array }> = {
  name: 'column_segments',
  fields: { number: 'integer', columns: 'bytes' },
  key: ['number'],
};

/** What became of the alerts of a segment, up to a settlement. */
export const SEGMENT_RESULTS: Declaration<{
  readonly number: number;
  readonly seq: number;
  readonly results: Uint8Array;
}> = {
  name: 'segment_results',
  fields: { number: 'integer', seq: 'integer', results: 'bytes' },
  key: ['number'],
};
