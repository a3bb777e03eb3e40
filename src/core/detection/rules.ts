import { DEFAULT_PLAN, type RecordPlan } from './record-plan.ts';

/** `[upTo, points]` pairs, ascending: the first whose `upTo` is not below the value gives the points. */
export type Steps = readonly (readonly [upTo: number, points: number])[];

/**
 * Every number the detector decides by, and the plan of the record. The defaults are the starting rules of the project;
 * docs/detection.md gives their reasons.
 */
export interface DetectionRules {
  /** Recorded on each alert. */
  readonly version: string;
  readonly ignore: {
    /** Prices at or below, and at or above: settlement sweeps rather than opinions. */
    readonly priceAtMost: number;
    readonly priceAtLeast: number;
    /** Up/down markets and price markets that recur within a day. */
    readonly priceMarkets: boolean;
    readonly sports: boolean;
  };
  /** A wallet is fresh while it is at most this old and in at most this many distinct markets, at trade time. */
  readonly fresh: { readonly maxAgeDays: number; readonly maxMarkets: number };
  /** USDC from which a single order leads to an alert. */
  readonly significantUsdc: number;
  readonly accumulator: {
    readonly minBuys: number;
    readonly minTotalUsdc: number;
    /** USDC bought for each USDC sold of the same outcome. */
    readonly minBoughtToSold: number;
    /** Net shares of the market's other outcomes, as a part of this outcome's. */
    readonly maxHedge: number;
  };
  readonly cluster: {
    readonly minWallets: number;
    readonly windowMinutes: number;
    readonly minWalletUsdc: number;
    readonly minTotalUsdc: number;
  };
  /** The same thread (wallet and outcome, clusters of an outcome) alerts again once its measure is this many times the previous one. */
  readonly repeat: { readonly minGrowth: number };
  /** An exit is found when the shares that are held fall to these parts of their peak; the lower one is checked first. */
  readonly exits: { readonly half: number; readonly out: number };
  readonly score: ScoreRules;
  /** Upper bounds of the memory, in entries. */
  readonly memory: {
    readonly wallets: number;
    /** What these wallets did, one entry per wallet and outcome. */
    readonly positions: number;
    readonly markets: number;
    /** Fills kept to recognise repeats; 24 hours of them where they fit. */
    readonly fills: number;
    /** Wallets that can no longer be fresh. */
    readonly retiredWallets: number;
    /** Outcomes whose fresh buys are kept, and buys kept per outcome. */
    readonly clusters: number;
    readonly buysPerCluster: number;
    /** Threads and wallets whose positions are followed. */
    readonly followed: number;
  };
  /** How the alerts of these rules are judged afterwards; it changes no alert. */
  readonly record: RecordPlan;
}

/** Points by factor; the sum is capped at 100. */
export interface ScoreRules {
  /** By days. */
  readonly ageSteps: Steps;
  /** By distinct markets, the current one included. */
  readonly marketSteps: Steps;
  /** By what the order, position or cluster wins if it is right: `points * clamp(log10(usdc / fromUsdc) / decades, 0, 1)`. */
  readonly toWin: { readonly points: number; readonly fromUsdc: number; readonly decades: number };
  /**
   * By hours to the market's end; none past it or without one. In every case at least `volumePoints` when the measure is at
   * least `minUsdc` and this part of the market's 24-hour volume.
   */
  readonly timing: {
    readonly endSteps: Steps;
    readonly volumePoints: number;
    readonly volumeShare: number;
    readonly minUsdc: number;
  };
  readonly accumulatorPoints: number;
  readonly clusterPoints: number;
}

/** The rules the service starts with. */
export const DEFAULT_RULES: DetectionRules = {
  version: '4',
  ignore: { priceAtMost: 0.01, priceAtLeast: 0.95, priceMarkets: true, sports: true },
  fresh: { maxAgeDays: 14, maxMarkets: 5 },
  significantUsdc: 1_000,
  accumulator: { minBuys: 3, minTotalUsdc: 2_500, minBoughtToSold: 1.5, maxHedge: 0.1 },
  cluster: { minWallets: 3, windowMinutes: 60, minWalletUsdc: 250, minTotalUsdc: 3_000 },
  repeat: { minGrowth: 2 },
  exits: { half: 0.5, out: 0.05 },
  score: {
    ageSteps: [
      [1, 15],
      [3, 13],
      [7, 10],
      [14, 6],
      [30, 3],
    ],
    marketSteps: [
      [1, 10],
      [3, 8],
      [5, 5],
      [10, 2],
    ],
    toWin: { points: 55, fromUsdc: 500, decades: 2.7 },
    timing: {
      endSteps: [
        [24, 15],
        [72, 11],
        [168, 7],
        [720, 4],
      ],
      volumePoints: 11,
      volumeShare: 0.2,
      minUsdc: 5_000,
    },
    accumulatorPoints: 5,
    clusterPoints: 5,
  },
  memory: {
    wallets: 80_000,
    positions: 300_000,
    markets: 50_000,
    fills: 4_000_000,
    retiredWallets: 4_000_000,
    clusters: 50_000,
    buysPerCluster: 1_000,
    followed: 100_000,
  },
  record: DEFAULT_PLAN,
};

/** What a wallet must have bought in total before any rule can name it. */
export function leastUsdcToMatter({ significantUsdc, accumulator, cluster }: DetectionRules): number {
  return Math.min(significantUsdc, accumulator.minTotalUsdc, cluster.minWalletUsdc);
}
