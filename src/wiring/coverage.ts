import {
  type CoverageReport,
  createCoverageReport,
  type FeedView,
} from '../core/coverage/coverage-report.ts';
import { createCoverageWatch } from '../core/coverage/coverage-watch.ts';
import { createDegradedNotice } from '../core/coverage/degraded-notice.ts';
import type { StreamHub } from '../core/stream/stream-hub.ts';
import type { House } from './house.ts';

/** How the live feed stands, for a process that serves. */
export interface CoverageView {
  readonly report: CoverageReport;
  /** Whether this service watches a live market. */
  readonly isLive: boolean;
  /** Null while it cannot be told. */
  view(): FeedView | null;
  /** From now on this stream is told when the feed is degraded. */
  tell(stream: Pick<StreamHub, 'degrade' | 'recover'>): void;
  run(signal: AbortSignal): Promise<void>;
}

export function wireCoverage(house: House): CoverageView {
  const { config, clock, database } = house;
  const isWatched = config.source.kind !== 'replay' && config.source.kind !== 'tail';
  const report = createCoverageReport({ store: database.coverage, clock, isWatched });
  let notice: (view: FeedView) => void = () => {};
  const watch = createCoverageWatch({ ...house, report, onView: (view) => notice(view) });
  const isLive = config.source.kind === 'polymarket';
  return {
    report,
    isLive,
    view: watch.view,
    tell(stream) {
      notice = createDegradedNotice({ clock, stream });
    },
    run: async (signal) => {
      if (isLive) await watch.run(signal);
    },
  };
}
