import type { Alert, Resolution } from '../../../core/alerts/alert.ts';
import { betOf } from '../../../core/alerts/bet.ts';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import type { Declaration } from './collection.ts';

/** An alert with what it is found by. */
export interface AlertRow extends Alert {
  readonly thread: string;
  readonly isResolved: boolean;
  readonly won: boolean | null;
  /** Of its bet (`betOf`). */
  readonly toWinUsdc: number;
  readonly putInUsdc: number;
}

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
    isResolved: 'boolean',
    won: 'boolean?',
    toWinUsdc: 'number',
    putInUsdc: 'number',
  },
  key: 'id',
  unique: ['key'],
  indexes: {
    alerts_unresolved: { fields: ['isResolved', 'id', 'marketId'], where: { isResolved: false } },
    alerts_by_market: { fields: ['marketId', 'id', 'isResolved', 'won'] },
    alerts_by_event: { fields: ['marketEvent', 'marketId', 'id'] },
    alerts_by_time: { fields: ['createdAt', 'id'] },
    alerts_by_thread: { fields: ['thread', 'id'] },
  },
};

export function toAlertRow(alert: Alert): AlertRow {
  const { toWinUsdc, putInUsdc } = betOf(alert);
  const found = { thread: threadKey(alert), toWinUsdc, putInUsdc };
  if (alert.resolution === null) return { ...alert, ...found, isResolved: false, won: null };
  return { ...alert, ...found, ...resolvedFields(alert.resolution) };
}

/** What an alert has when its market is settled. A profit of -0 is stored as 0. */
export function resolvedFields({ payout, won, profitUsdc }: Resolution) {
  return { resolution: { payout, won, profitUsdc: profitUsdc + 0 }, isResolved: true, won };
}

const FOUND_BY: readonly string[] = ['thread', 'isResolved', 'won', 'toWinUsdc', 'putInUsdc'];

/** The fields of the alert itself. Leaving out the others of a row that was read takes longer than reading it. */
export const ALERT_FIELDS = Object.keys(ALERTS.fields).filter(
  (name): name is keyof Alert => !FOUND_BY.includes(name),
);
