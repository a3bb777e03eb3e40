import type { ScorePart } from '../../../src/core/detection/candidate.ts';
import type { DetectionRules, Steps } from '../../../src/core/detection/rules.ts';

/** What a score is made from. The measure is in USDC. */
export interface Scored {
  readonly ageDays: number;
  readonly markets: number;
  readonly measure: number;
  readonly price: number;
  /** Hours from the order to the market's end; null when it has none. */
  readonly hoursToEnd: number | null;
  readonly volume: number;
  readonly isAccumulator: boolean;
  /** 0 unless it is a cluster. */
  readonly members: number;
}

export type Part = Omit<ScorePart, 'note'>;

/** The parts with points, and their sum. */
export function scoreOf(given: Scored, { score: rules }: DetectionRules): { parts: Part[]; score: number } {
  const { size, timing, cluster } = rules;
  const decades = Math.log10(given.measure / size.fromUsdc) / size.decades;
  const extra = cluster.perExtraWallet * (given.members - 3);
  const parts: Part[] = [
    part('wallet_age', stepped(rules.ageSteps, given.ageDays), mostOf(rules.ageSteps)),
    part('markets', stepped(rules.marketSteps, given.markets), mostOf(rules.marketSteps)),
    part('size', size.points * Math.min(1, Math.max(0, decades)), size.points),
    part('odds', stepped(rules.oddsSteps, given.price), mostOf(rules.oddsSteps)),
    part('timing', hasTiming(given, timing) ? timing.points : 0, timing.points),
    part('accumulator', given.isAccumulator ? rules.accumulatorPoints : 0, rules.accumulatorPoints),
    part(
      'cluster',
      given.members === 0 ? 0 : Math.min(cluster.points + extra, cluster.maxPoints),
      cluster.maxPoints,
    ),
  ].filter(({ points }) => points > 0);
  return {
    parts,
    score: Math.min(
      100,
      parts.reduce((sum, { points }) => sum + points, 0),
    ),
  };
}

function hasTiming(
  { hoursToEnd, measure, volume }: Scored,
  rules: DetectionRules['score']['timing'],
): boolean {
  if (hoursToEnd !== null && hoursToEnd >= 0 && hoursToEnd <= rules.hoursToEnd) return true;
  return volume > 0 && measure >= rules.minUsdc && measure >= rules.volumeShare * volume;
}

function part(factor: Part['factor'], points: number, max: number): Part {
  return { factor, points: Math.floor(points + 0.5), max };
}

const stepped = (steps: Steps, value: number): number => steps.find(([upTo]) => value <= upTo)?.[1] ?? 0;
const mostOf = (steps: Steps): number => Math.max(...steps.map(([, points]) => points));
