import { counted } from '../base/text/formats.ts';
import type { AlertType } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';

/** The one name of each type of alert, wherever people read it. The API has the values of `AlertType`. */
export const TYPE_NAMES: Readonly<Record<AlertType, string>> = {
  fresh: 'New wallet',
  fresh_accumulator: 'New wallet keeps buying',
  cluster: 'Cluster of new wallets',
};

/** The name within a sentence: `new wallet`. */
export function typeInSentence(type: AlertType): string {
  const name = TYPE_NAMES[type];
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The name in the row of an alert: the number of buys says that the wallet keeps buying. */
export function typeInRow({ type, details }: Pick<Alert, 'type' | 'details'>): string {
  if (type !== 'fresh_accumulator') return TYPE_NAMES[type];
  return `${TYPE_NAMES.fresh}, ${counted(details.marketBuyCount, 'buy')}`;
}

/** Bands of the score, highest first: the lowest score, and the word for people (detection.md, "Score"). */
export const SCORE_BANDS = [
  { from: 80, word: 'very strong' },
  { from: 60, word: 'strong' },
  { from: 40, word: 'moderate' },
  { from: 0, word: 'weak' },
] as const;

/** The band of a score of 0 to 100. */
export function scoreBandOf(score: number): (typeof SCORE_BANDS)[number] {
  return SCORE_BANDS.find(({ from }) => score >= from) ?? SCORE_BANDS[3];
}
