import type { SimulationOutcome } from './outcome.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** A share of all seeds with its 95 % interval (Wilson 1927). */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

export interface Tally {
  readonly scenario: Scenario;
  /** "above" for the primary figure, "above" for any, "above" or "below" for any. */
  readonly found: Share;
  readonly above: Share;
  readonly any: Share;
  /** Means over the seeds of the primary figure's mean and of its deviation for an event. Null without a figure. */
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly blocks: number;
  /** Whether its aim is reached; null without one. */
  readonly isReached: boolean | null;
}

const NORMAL = 1.959964;

export function tallies(outcomes: readonly SimulationOutcome[]): readonly Tally[] {
  return SCENARIOS.flatMap((scenario) => {
    const own = outcomes.filter((outcome) => outcome.scenario === scenario.name);
    return own.length === 0 ? [] : [tallyOf(scenario, own)];
  });
}

function tallyOf(scenario: Scenario, outcomes: readonly SimulationOutcome[]): Tally {
  const countOf = (isMeant: (outcome: SimulationOutcome) => boolean) =>
    shareOf(outcomes.filter(isMeant).length, outcomes.length);
  const says = (...verdicts: readonly string[]) =>
    countOf(({ comparisons }) => comparisons.some(({ verdict }) => verdicts.includes(verdict)));
  const found = countOf(({ comparisons }) => comparisons[0]?.verdict === 'above');
  const [above, any] = [says('above'), says('above', 'below')];
  return {
    ...{ scenario, found, above, any },
    mean: meanOf(outcomes.map(({ figures }) => figures.drift_24h_minus_controls.mean)),
    deviation: meanOf(outcomes.map(({ figures }) => figures.drift_24h_minus_controls.deviation)),
    blocks: meanOf(outcomes.map(({ blocks }) => blocks)) ?? 0,
    isReached: isReached(scenario, { found, above, any }),
  };
}

/** `count` of `of` with its interval, which holds the true share in about 95 % of the cases. */
export function shareOf(count: number, of: number): Share {
  const [part, square] = [count / of, NORMAL ** 2];
  const middle = (part + square / (2 * of)) / (1 + square / of);
  const half = (NORMAL * Math.sqrt((part * (1 - part)) / of + square / (4 * of ** 2))) / (1 + square / of);
  return { count, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function isReached(
  { aim }: Scenario,
  { found, above, any }: Pick<Tally, 'found' | 'above' | 'any'>,
): boolean | null {
  if (aim === null) return null;
  if ('found' in aim) return found.count / found.of >= aim.found;
  return above.count / above.of <= aim.above && any.count / any.of <= aim.any;
}

export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
