import type { Alert, Resolution } from '../../../core/alerts/alert.ts';

/** The columns an alert is read from. */
export const ALERT_COLUMNS = 'body, thread_id, supersedes, payout, won, profit_usdc';

export interface AlertRow {
  readonly body: string;
  readonly thread_id: number;
  readonly supersedes: number | null;
  readonly payout: number | null;
  readonly won: number | null;
  readonly profit_usdc: number | null;
}

type Body = Omit<Alert, 'threadId' | 'supersedes' | 'resolution'>;

/** The part of an alert without columns of its own, as JSON, which keeps every number exactly. */
export function toBody({ threadId, supersedes, resolution, ...body }: Alert): string {
  return JSON.stringify(body satisfies Body);
}

export function toAlert({ body, thread_id, supersedes, payout, won, profit_usdc }: AlertRow): Alert {
  const parsed: Body = JSON.parse(body);
  const resolution = payout === null ? null : { payout, won: won === 1, profitUsdc: profit_usdc ?? 0 };
  return { ...parsed, threadId: thread_id, supersedes, resolution };
}

/** The values of `payout`, `won` and `profit_usdc`. */
export function resolutionValues(
  resolution: Resolution | null,
): [number | null, number | null, number | null] {
  if (resolution === null) return [null, null, null];
  return [resolution.payout, resolution.won ? 1 : 0, resolution.profitUsdc];
}
