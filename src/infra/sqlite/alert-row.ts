import type { Alert, Resolution } from '../../core/alert.ts';

/** The columns an alert is read from. */
export const ALERT_COLUMNS = 'body, payout, won, profit_usdc';

export interface AlertRow {
  readonly body: string;
  readonly payout: number | null;
  readonly won: number | null;
  readonly profit_usdc: number | null;
}

/** The part of an alert that never changes. JSON gives every number back to the bit. */
export function toBody({ resolution: _, ...fixed }: Alert): string {
  return JSON.stringify(fixed);
}

export function toAlert({ body, payout, won, profit_usdc }: AlertRow): Alert {
  const fixed: Omit<Alert, 'resolution'> = JSON.parse(body);
  const resolution = payout === null ? null : { payout, won: won === 1, profitUsdc: profit_usdc ?? 0 };
  return { ...fixed, resolution };
}

/** The values of `payout`, `won` and `profit_usdc`. */
export function resolutionValues(
  resolution: Resolution | null,
): [number | null, number | null, number | null] {
  if (resolution === null) return [null, null, null];
  return [resolution.payout, resolution.won ? 1 : 0, resolution.profitUsdc];
}
