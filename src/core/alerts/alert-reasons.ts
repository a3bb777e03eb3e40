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
  return reasons.filter((reason) => main.includes(reason)).map(({ note }) => note);
}
