import type { ScorePart } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';

/** Reasons that a row has room for. */
const MAIN = 3;

/**
 * Why an alert is suspicious, in a few words: the reasons with the most points, at most three, in the order of the rules. What the
 * bet would win is left out, because the words of the bet say it (`describeStake`).
 */
export function mainReasons({ details }: Pick<Alert, 'details'>): readonly string[] {
  const reasons = details.reasons.filter(({ factor, points }) => factor !== 'to_win' && points > 0);
  const main = reasons.toSorted((a, b) => b.points - a.points).slice(0, MAIN);
  return reasons.filter((reason) => main.includes(reason)).map(reasonWords);
}

/** What the alert states, shorter. Alerts keep the words in which they were written. */
const SHORTER = [
  ['less than a day old', 'under a day old'],
  ['its first market', 'first market'],
  ['before the market ends', 'before close'],
] as const;

/** One reason in the words of a row: `wallet under a day old`, `first market`, `6 h before close`. */
export function reasonWords({ note }: Pick<ScorePart, 'note'>): string {
  return SHORTER.reduce((words, [long, short]) => words.replace(long, short), note);
}
