import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { FeedHealthReport, FeedView } from './feed-health-report.ts';

const LOOK_EVERY_MS = 2 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** How the live feed stands, known without a wait: in whatever process it runs. */
export interface FeedHealthWatch {
  /** As it was 2 s ago or less; null while it cannot be told: before the first look, and while the database is away. */
  view(): FeedView | null;
  /** Looks every 2 s until the signal aborts. Never throws. */
  run(signal: AbortSignal): Promise<void>;
}

/** What the watch stands on. */
export interface FeedHealthWatchDeps {
  readonly report: Pick<FeedHealthReport, 'view'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Told what each look saw. */
  readonly onView?: (view: FeedView) => void;
}

/** Knows nothing before it runs. */
export function createFeedHealthWatch({
  report,
  clock,
  logger,
  onView,
}: FeedHealthWatchDeps): FeedHealthWatch {
  let view: FeedView | null = null;

  async function look(): Promise<void> {
    const before = view;
    try {
      view = await withTimeout({ clock, timeoutMs: TIMEOUT_MS }, report.view());
      onView?.(view);
    } catch (error) {
      view = null;
      if (before !== null) logger.warn({ err: error }, 'cannot tell how the live feed stands');
    }
  }

  return {
    view: () => view,
    run: (signal) => repeat(look, { clock, signal, intervalMs: LOOK_EVERY_MS }),
  };
}
