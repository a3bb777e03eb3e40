import { capitalised, signedCents } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import type { FigureName, FollowerCounts, MoveCounts, Verdict } from '../../core/record/record-report.ts';
import { SCORE_BANDS } from '../../core/record/record-report.ts';
import { TYPE_WORDS } from '../parts/labels.ts';

interface FigureGroup {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly (readonly [FigureName, string])[];
}

/** All figures of a stage, by the questions that they answer (docs/method.md, "Figures"). */
export const FIGURE_GROUPS: readonly FigureGroup[] = [
  {
    title: 'Did the price follow?',
    text: 'The move of the price after a reader could have bought, in the direction of the alert. Comparable buys are all others of 250 USDC or more of the same outcome, by older wallets, at about the same time and price. They describe the market; they contain the move that led to the alert, so they decide nothing.',
    rows: [
      ['impact', 'Before that: from the last price before the order to the price that a reader could pay'],
      ['move_1h', '1 hour later'],
      ['move_24h', '24 hours later'],
      ['controls_move_24h', '24 hours after comparable buys'],
      ['move_24h_minus_controls', '24 hours later, against comparable buys'],
      ['move_24h_from_entry', '24 hours later, from the price of the order'],
    ],
  },
  {
    title: 'What did the outcomes pay?',
    text: 'Payout minus price of one share that is held until the market is settled. A follower buys after the alert reached them, at the price of that moment, and pays the fee of the market.',
    rows: [
      ['won_minus_price', 'At the price of the order'],
      ['position_won_minus_price', 'At the mean price of the position'],
      ['follower_pro', 'A follower with a Pro key, after fees'],
      ['follower_free', 'A follower with a Free key, after fees'],
    ],
  },
  {
    title: 'Would a simpler rule have done as well?',
    text: 'The same figures of large buys in these markets, whether they were alerts or not.',
    rows: [
      ['rivals_1000_move_24h', 'Buys of 1,000 USDC or more, 24 hours later'],
      ['rivals_1000_won_minus_price', 'The same: payout minus price'],
      ['rivals_5000_move_24h', 'Buys of 5,000 USDC or more, 24 hours later'],
      ['rivals_5000_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_usdc_move_24h', 'As many of the largest buys, 24 hours later'],
      ['rivals_by_usdc_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_to_win_move_24h', 'As many with the most to win, 24 hours later'],
      ['rivals_by_to_win_won_minus_price', 'The same: payout minus price'],
    ],
  },
];

export const MOVE_COUNTS: readonly (readonly [Exclude<keyof MoveCounts, 'unobserved'>, string])[] = [
  ['measured', 'Measured'],
  ['pending', 'The 24 hours are not over'],
  ['no_price', 'No order within an hour: no price that a reader could pay'],
];

export const FOLLOWER_COUNTS: readonly (readonly [Exclude<keyof FollowerCounts, 'unobserved'>, string])[] = [
  ['settled', 'Bought, and the market is settled'],
  ['settlement', 'Bought, and the market is open'],
  ['waiting', 'The hour to buy is not over'],
  ['not_fillable', 'No sale within the hour'],
  ['fee_unknown', 'Fee unknown'],
];

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  not_shown: 'not shown',
  above: 'above: prices rose more than fair prices do',
  below: 'below: a reader who bought paid too much',
};

export function groupWords(name: string): string {
  const type = ALERT_TYPES.find((each) => each === name);
  if (type !== undefined) return TYPE_WORDS[type];
  const band = SCORE_BANDS.find((each) => each.band === name);
  if (band !== undefined) return `Score of ${band.from} or more: ${name.replaceAll('_', ' ')}`;
  return capitalised(name.replaceAll('_', ' '));
}

export function centsOrDash(mean: number | null): string {
  return mean === null ? '–' : signedCents(mean);
}

/** The tone of a mean: losses look as plain as gains. */
export function toneOf(mean: number | null): 'right' | 'wrong' | null {
  return mean === null || mean === 0 ? null : mean > 0 ? 'right' : 'wrong';
}
