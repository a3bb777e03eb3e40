import type { Alert } from '../../../core/alerts/alert.ts';

type NamedOutcome = Pick<Alert, 'outcome' | 'outcomeIndex'>;

/** A name that alerts use when the market has none. */
const BY_IDS = /^(outcome|token) \d+…?$/;

/**
 * The outcomes of a market in the order of its payouts, as its alerts name and number them, with an empty text for outcomes
 * that they do not name. If only one outcome has no name and one name has no index, they are matched. Null when no alert has
 * an index, or two contradict each other.
 */
export function outcomesOfAlerts(alerts: readonly NamedOutcome[], count: number): readonly string[] | null {
  const names = new Array<string>(count).fill('');
  const isPlaced = (alert: NamedOutcome) => alert.outcomeIndex < count;
  if (!alerts.some(isPlaced)) return null;
  const named = alerts.filter(({ outcome }) => outcome !== '' && !BY_IDS.test(outcome));
  for (const { outcome, outcomeIndex } of named.filter(isPlaced)) {
    const known = names[outcomeIndex];
    if (known !== '' && known !== outcome) return null;
    names[outcomeIndex] = outcome;
  }
  const isTwice = names.some((name, index) => name !== '' && names.indexOf(name) !== index);
  if (isTwice) return null;
  const left = new Set(named.map(({ outcome }) => outcome).filter((outcome) => !names.includes(outcome)));
  const [name] = left;
  if (left.size === 1 && name !== undefined && names.filter((each) => each === '').length === 1)
    names[names.indexOf('')] = name;
  return names;
}
