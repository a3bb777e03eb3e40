import { cents, dollars } from '../base/text/formats.ts';
import type { AlertType, ScorePart } from './candidate.ts';
import type { ScoreRules, Steps } from './rules.ts';

/** What a score is made of. */
export interface ScoreInput {
  readonly type: AlertType;
  readonly ageDays: number;
  /** Distinct markets of the wallet, this one included. */
  readonly markets: number;
  /** USDC that counts as the size: of the order for `fresh`, the total for the other types. */
  readonly sizeUsdc: number;
  /** Price of the outcome bought, never mirrored. */
  readonly price: number;
  readonly hoursToEnd: number | null;
  /** USDC the market traded in 24 hours; null when unknown, which adds no points. */
  readonly volume24h: number | null;
  /** Wallets of the cluster; 0 for other types. */
  readonly clusterWallets: number;
}

/** A score and what it is made of. */
export interface Score {
  /** 0 to 100. */
  readonly score: number;
  /** The parts that gave points, in the order of the rules: whole points that add up to the score, up to its cap. */
  readonly reasons: readonly ScorePart[];
}

/**
 * Scores one finding. Each part is rounded before the parts are added, so that what a reader sees adds up. Source of
 * the factors and bands: docs/detection.md.
 */
export function scoreOf(rules: ScoreRules, input: ScoreInput): Score {
  const reasons = [
    agePart(rules, input),
    marketsPart(rules, input),
    sizePart(rules, input),
    oddsPart(rules, input),
    timingPart(rules, input),
    patternPart(rules, input),
  ]
    .filter((part) => part !== null)
    .map(inWholePoints)
    .filter(({ points }) => points > 0);
  const sum = reasons.reduce((total, { points }) => total + points, 0);
  return { score: Math.min(100, sum), reasons };
}

function inWholePoints(part: ScorePart): ScorePart {
  return { ...part, points: Math.round(part.points), max: Math.round(part.max) };
}

function agePart(rules: ScoreRules, { type, ageDays }: ScoreInput): ScorePart {
  const days = Math.floor(ageDays);
  const age = days < 1 ? 'less than a day old' : `${days} ${days === 1 ? 'day' : 'days'} old`;
  const note = `${type === 'cluster' ? 'last wallet' : 'wallet'} ${age}`;
  return { factor: 'wallet_age', ...stepPoints(rules.ageSteps, ageDays), note };
}

function marketsPart(rules: ScoreRules, { type, markets }: ScoreInput): ScorePart {
  const count = markets <= 1 ? 'its first market' : `${markets} markets so far`;
  const note = type === 'cluster' ? `last wallet: ${count}` : count;
  return { factor: 'markets', ...stepPoints(rules.marketSteps, markets), note };
}

function sizePart({ size }: ScoreRules, { type, sizeUsdc }: ScoreInput): ScorePart {
  const magnitude = Math.log10(sizeUsdc / size.fromUsdc) / size.decades;
  const note = `${dollars(sizeUsdc)} ${type === 'fresh' ? 'in one order' : 'in all'}`;
  return {
    factor: 'size',
    points: size.points * Math.min(1, Math.max(0, magnitude)),
    max: size.points,
    note,
  };
}

function oddsPart(rules: ScoreRules, { type, price }: ScoreInput): ScorePart {
  const note = `${type === 'fresh' ? 'bought' : 'last order'} at ${cents(price)}`;
  return { factor: 'odds', ...stepPoints(rules.oddsSteps, price), note };
}

function timingPart({ timing }: ScoreRules, input: ScoreInput): ScorePart | null {
  const { hoursToEnd, volume24h, sizeUsdc } = input;
  const part = { factor: 'timing', points: timing.points, max: timing.points } as const;
  if (hoursToEnd !== null && hoursToEnd >= 0 && hoursToEnd <= timing.hoursToEnd) {
    return { ...part, note: `${Math.max(1, Math.round(hoursToEnd))} h before the market ends` };
  }
  if (volume24h === null || volume24h <= 0 || sizeUsdc < timing.minUsdc) return null;
  if (sizeUsdc >= timing.volumeShare * volume24h) {
    const share = Math.round((sizeUsdc / volume24h) * 100);
    const much = share < 100 ? `${share} % of` : 'more than';
    return { ...part, note: `${much} the market's day volume` };
  }
  return null;
}

function patternPart({ accumulatorPoints, cluster }: ScoreRules, input: ScoreInput): ScorePart | null {
  if (input.type === 'fresh_accumulator') {
    return { factor: 'accumulator', points: accumulatorPoints, max: accumulatorPoints, note: 'keeps buying' };
  }
  if (input.type === 'fresh') return null;
  const points = cluster.points + cluster.perExtraWallet * Math.max(0, input.clusterWallets - 3);
  const note = `${input.clusterWallets} new wallets within the hour`;
  return { factor: 'cluster', points: Math.min(cluster.maxPoints, points), max: cluster.maxPoints, note };
}

function stepPoints(steps: Steps, value: number): Pick<ScorePart, 'points' | 'max'> {
  const [, points] = steps.find(([upTo]) => value <= upTo) ?? [0, 0];
  return { points, max: Math.max(0, ...steps.map(([, most]) => most)) };
}
