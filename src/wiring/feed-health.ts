import { createDegradedNotice } from '../core/feed-health/degraded-notice.ts';
import { FeedHealthReport, type FeedView } from '../core/feed-health/feed-health-report.ts';
import { FeedHealthWatch } from '../core/feed-health/feed-health-watch.ts';
import type { StreamHub } from '../core/stream/stream-hub.ts';
import type { AppContext } from './app-context.ts';

/** How the live feed stands, for a process that serves. */
export interface FeedHealthView {
  readonly report: FeedHealthReport;
  /** Whether this service watches a live market. */
  readonly isLive: boolean;
  /** Null while the state is unknown. */
  view(): FeedView | null;
  /** Notifies this stream when the feed is degraded and when it has recovered. */
  notify(stream: Pick<StreamHub, 'degrade' | 'recover'>): void;
  run(signal: AbortSignal): Promise<void>;
}

export function wireFeedHealth(context: AppContext): FeedHealthView {
  const { config, clock, logger, database } = context;
  const isWatched = config.source.kind !== 'replay' && config.source.kind !== 'tail';
  const report = new FeedHealthReport({ store: database.feedHealth, clock, isWatched });
  let notice: (view: FeedView) => void = () => {};
  const watch = new FeedHealthWatch({ clock, logger, report, onView: (view) => notice(view) });
  const isLive = config.source.kind === 'polymarket';
  return {
    report,
    isLive,
    view: watch.view,
    notify(stream) {
      notice = createDegradedNotice({ clock, stream });
    },
    run: async (signal) => {
      if (isLive) await watch.run(signal);
    },
  };
}
