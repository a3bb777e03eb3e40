import { daysOld, dollars } from '../base/text/formats.ts';
import type { AlertType, ScorePart } from './candidate.ts';
import type { ScoreRules, Steps } from './rules.ts';

/** What a score is made of. */
export interface ScoreInput {
  readonly type: AlertType;
  readonly ageDays: number;
  /** Distinct markets of the wallet, this one included. */
  readonly markets: number;
  /** USDC of the order for `fresh`, the total for the other types. */
  readonly measureUsdc: number;
  /** What that would win, in USDC before fees: `details.toWinUsdc`. */
  readonly toWinUsdc: number;
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
    toWinPart(rules, input),
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
  const note = `${type === 'cluster' ? 'last wallet' : 'wallet'} ${daysOld(ageDays)}`;
  return { factor: 'wallet_age', ...stepPoints(rules.ageSteps, ageDays), note };
}

function marketsPart(rules: ScoreRules, { type, markets }: ScoreInput): ScorePart {
  const count = markets <= 1 ? 'first market' : `${markets} markets so far`;
  const note = type === 'cluster' ? `last wallet: ${count}` : count;
  return { factor: 'markets', ...stepPoints(rules.marketSteps, markets), note };
}

function toWinPart({ toWin }: ScoreRules, { type, toWinUsdc }: ScoreInput): ScorePart {
  const decades = toWinUsdc <= toWin.fromUsdc ? 0 : Math.log10(toWinUsdc / toWin.fromUsdc);
  return {
    factor: 'to_win',
    points: toWin.points * Math.min(1, decades / toWin.decades),
    max: toWin.points,
    note: `${dollars(toWinUsdc)} to win ${type === 'fresh' ? 'with one order' : 'in all'}`,
  };
}

/** The points for the end of the market or for the share of its volume, whichever are more, with their reason. */
function timingPart({ timing }: ScoreRules, { hoursToEnd, volume24h, measureUsdc }: ScoreInput): ScorePart {
  const ends = stepPoints(timing.endSteps, hoursToEnd === null || hoursToEnd < 0 ? Infinity : hoursToEnd);
  const max = Math.max(ends.max, timing.volumePoints);
  const byEnd = { factor: 'timing', points: ends.points, max, note: endNote(hoursToEnd ?? 0) } as const;
  const isLarge =
    volume24h !== null &&
    volume24h > 0 &&
    measureUsdc >= timing.minUsdc &&
    measureUsdc >= timing.volumeShare * volume24h;
  if (!isLarge || ends.points >= timing.volumePoints) return byEnd;
  const share = Math.round((measureUsdc / volume24h) * 100);
  const much = share < 100 ? `${share}% of` : 'more than';
  return { ...byEnd, points: timing.volumePoints, note: `${much} the market's day volume` };
}

function endNote(hours: number): string {
  const time = hours < 48 ? `${Math.max(1, Math.round(hours))} h` : `${Math.round(hours / 24)} days`;
  return `${time} before close`;
}

function patternPart(rules: ScoreRules, { type, clusterWallets }: ScoreInput): ScorePart | null {
  if (type === 'fresh') return null;
  if (type === 'fresh_accumulator') {
    const points = rules.accumulatorPoints;
    return { factor: 'accumulator', points, max: points, note: 'keeps buying' };
  }
  const points = rules.clusterPoints;
  return { factor: 'cluster', points, max: points, note: `${clusterWallets} new wallets within the hour` };
}

function stepPoints(steps: Steps, value: number): Pick<ScorePart, 'points' | 'max'> {
  const [, points] = steps.find(([upTo]) => value <= upTo) ?? [0, 0];
  return { points, max: Math.max(0, ...steps.map(([, most]) => most)) };
}
