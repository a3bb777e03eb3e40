/** The figures of one UTC day. */
export interface DailyDigest {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Bets with an alert that day, and their kinds. */
  readonly bets: number;
  readonly byType: Readonly<Record<string, number>>;
  /** What was settled and sold since the previous digest, no matter when the alerts were made. */
  readonly changes: DigestChanges;
  /** Outcomes of all bets in the 30 days up to the end of the day. */
  readonly record: {
    readonly resolved: number;
    /** Number of markets of the resolved alerts. */
    readonly markets: number;
    readonly won: number;
    /** Null without resolved alerts. */
    readonly averageEntry: number | null;
  };
}

/** Results of threads and exits, between two digests. */
export interface DigestChanges {
  readonly won: number;
  readonly lost: number;
  /** What these bets won or lost at settlement with what was held, in USDC before fees (`Bet.resultUsdc`). */
  readonly profitUsdc: number;
  /** The newest alerts of these threads, the highest score first, with the outcome that won, null for none; at most 100. */
  readonly settled: readonly { readonly alertId: number; readonly winner: string | null }[];
  /** Numbers of the exits, those with the largest profit or loss first; at most 100. */
  readonly exits: readonly number[];
  /** Number of exits beyond these. */
  readonly moreExits: number;
}

/** The threads of a day without a post in a channel. */
export interface UnpostedAlerts {
  /** The newest alert of each thread, the highest score first; at most 100. */
  readonly alertIds: readonly number[];
  /** Number of threads beyond these. */
  readonly more: number;
}
