import type { FigureName, RecordFigure } from '../../core/record/record-report.ts';
import { signed } from '../table-text.ts';

/** What each figure is, in a few words. */
export const FIGURE_WORDS: Readonly<Record<FigureName, string>> = {
  impact: 'own impact',
  drift_1h: '1 h later',
  drift_24h: '24 h later',
  drift_24h_from_entry: '24 h later, from the entry',
  controls_drift_1h: 'controls, 1 h later',
  controls_drift_24h: 'controls, 24 h later',
  drift_1h_minus_controls: '1 h, minus controls',
  drift_24h_minus_controls: '24 h, minus controls',
  drift_24h_minus_rivals_1000: '24 h, minus all buys of 1,000',
  won_minus_price: 'won - price',
  position_won_minus_price: 'won - price of the position',
  follower_free: 'follower, Free',
  follower_pro: 'follower, Pro',
  rivals_1000_drift_24h: 'buys of 1,000: 24 h later',
  rivals_1000_won_minus_price: 'buys of 1,000: won - price',
  rivals_5000_drift_24h: 'buys of 5,000: 24 h later',
  rivals_5000_won_minus_price: 'buys of 5,000: won - price',
  rivals_by_usdc_drift_24h: 'most USDC: 24 h later',
  rivals_by_usdc_won_minus_price: 'most USDC: won - price',
  rivals_by_profit_at_stake_drift_24h: 'most at stake: 24 h later',
  rivals_by_profit_at_stake_won_minus_price: 'most at stake: won - price',
};

/** USDC a share as cents with a sign: `-1.2`. */
export function signedCentsOf(value: number | null): string {
  return value === null ? '-' : signed((value * 100).toFixed(1));
}

/** `-1.2 [-2.0, -0.4]`. */
export function centsWithInterval({ mean, low, high }: Pick<RecordFigure, 'mean' | 'low' | 'high'>): string {
  if (mean === null) return '-';
  return `${signedCentsOf(mean)} [${low === null || high === null ? '-' : `${signedCentsOf(low)}, ${signedCentsOf(high)}`}]`;
}
