import type { ScorePart } from '../../../src/core/detection/candidate.ts';
import type { DetectionRules, Steps } from '../../../src/core/detection/rules.ts';

/** What a score is made from. The measure is in USDC. */
export interface Scored {
  readonly ageDays: number;
  readonly markets: number;
  readonly measure: number;
  readonly toWin: number;
  /** Hours from the order to the market's end; null when it has none. */
  readonly hoursToEnd: number | null;
  readonly volume: number;
  readonly isAccumulator: boolean;
  /** 0 unless it is a cluster. */
  readonly members: number;
}

export type Part = Omit<ScorePart, 'note'>;

export function scoreOf(given: Scored, { score: rules }: DetectionRules): { parts: Part[]; score: number } {
  const { toWin } = rules;
  const clamped = Math.min(1, Math.max(0, Math.log10(given.toWin / toWin.fromUsdc) / toWin.decades));
  const parts: Part[] = [
    part('wallet_age', stepped(rules.ageSteps, given.ageDays), mostOf(rules.ageSteps)),
    part('markets', stepped(rules.marketSteps, given.markets), mostOf(rules.marketSteps)),
    part('to_win', toWin.points * clamped, toWin.points),
    timingPart(given, rules.timing),
    part('accumulator', given.isAccumulator ? rules.accumulatorPoints : 0, rules.accumulatorPoints),
    part('cluster', given.members > 0 ? rules.clusterPoints : 0, rules.clusterPoints),
  ].filter(({ points }) => points > 0);
  return {
    parts,
    score: Math.min(
      100,
      parts.reduce((sum, { points }) => sum + points, 0),
    ),
  };
}

function timingPart({ hoursToEnd, measure, volume }: Scored, rules: DetectionRules['score']['timing']): Part {
  const isBeforeEnd = hoursToEnd !== null && hoursToEnd >= 0;
  const forEnd = isBeforeEnd ? stepped(rules.endSteps, hoursToEnd) : 0;
  const isLarge = volume > 0 && measure >= rules.minUsdc && measure >= rules.volumeShare * volume;
  const points = isLarge ? Math.max(forEnd, rules.volumePoints) : forEnd;
  return part('timing', points, Math.max(mostOf(rules.endSteps), rules.volumePoints));
}

function part(factor: Part['factor'], points: number, max: number): Part {
  return { factor, points: Math.floor(points + 0.5), max };
}

const stepped = (steps: Steps, value: number): number => steps.find(([upTo]) => value <= upTo)?.[1] ?? 0;
const mostOf = (steps: Steps): number => Math.max(...steps.map(([, points]) => points));
