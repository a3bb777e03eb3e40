import { z } from 'zod';
import type { StreamHub } from '../core/delivery/stream/stream-hub.ts';
import { liveChecks, type WorkerReport } from '../core/operations/worker-report.ts';
import { BLIND_CAUSES } from '../core/trades/coverage/blind-window.ts';
import { CoverageReport, type FeedView, type ReportedFeed } from '../core/trades/coverage/coverage-report.ts';
import { CoverageWatch, createDegradedNotice } from '../core/trades/coverage/coverage-watch.ts';
import type { AppContext } from './app-context.ts';

export interface LiveCoverage {
  readonly report: CoverageReport;
  readonly isLive: boolean;
  view(): FeedView | null;
  notify(stream: Pick<StreamHub, 'degrade' | 'recover'>): void;
  /** Calls back when the feed begins or ceases to see or the reason changes, or facts of wallets begin or cease to be late. */
  onState(changed: () => void): void;
  run(signal: AbortSignal): Promise<void>;
}

export function liveFeedOf({ config, clock, database }: Pick<AppContext, 'config' | 'clock' | 'database'>) {
  const { kind } = config.source;
  const isWatched = kind !== 'replay' && kind !== 'tail';
  const reported = async () => reportedFeedOf(liveChecks(await database.worker.get(), clock.now()));
  const report = new CoverageReport({ store: database.coverage, clock, isWatched, reported });
  return { report, isLive: kind === 'polymarket' };
}

export function wireCoverage(context: AppContext): LiveCoverage {
  const { clock, logger } = context;
  const { report, isLive } = liveFeedOf(context);
  const listeners: ((view: FeedView) => void)[] = [];
  const onView = (view: FeedView) => {
    for (const listener of listeners) listener(view);
  };
  const watch = new CoverageWatch({ clock, logger, report, onView });
  return {
    report,
    isLive,
    view: watch.view,
    notify(stream) {
      listeners.push(createDegradedNotice(clock, stream));
    },
    onState(changed) {
      let last: string | null = null;
      listeners.push(({ state, reason, factsDelayed }) => {
        const shown = `${state} ${reason} ${factsDelayed !== null}`;
        if (last !== null && last !== shown) changed();
        last = shown;
      });
    },
    run: async (signal) => {
      if (isLive) await watch.run(signal);
    },
  };
}

const isoTime = z.iso.datetime().transform((text) => Date.parse(text));
const waiting = z.object({
  facts_delayed: z.object({
    waiting: z.number(),
    since: isoTime,
  }),
});
const sources = z.object({ failure: z.enum(BLIND_CAUSES) });
const sampled = z.object({
  node: z.object({
    unwatched: z
      .object({
        since: isoTime,
        until: isoTime,
        blocks: z.number(),
        usdc: z.number(),
        combos_share: z.number(),
        other_contracts_share: z.number().nullable(),
      })
      .transform(({ combos_share: combos, other_contracts_share: otherContracts, ...volume }) => ({
        ...volume,
        combos,
        otherContracts,
      })),
  }),
});

export function reportedFeedOf(checks: WorkerReport['checks']): ReportedFeed {
  return {
    failure: sources.safeParse(checks['trade_sources']).data?.failure ?? null,
    factsDelayed: waiting.safeParse(checks['waiting']).data?.facts_delayed ?? null,
    unwatched: sampled.safeParse(checks['trade_sources']).data?.node.unwatched ?? null,
  };
}
