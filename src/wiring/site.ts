import type { Alert } from '../core/alerts/alert.ts';
import { DelayedFeed } from '../core/ledger/delayed-feed.ts';
import type { SiteDeps } from '../http/server-deps.ts';
import { LivePages } from '../http/site/live-pages.ts';
import { TOPICS } from '../http/site/page.ts';
import { PageCache } from '../http/site/page-cache.ts';
import type { AppContext } from './app-context.ts';

/** The pages for people. */
export interface RunningSite {
  readonly deps: SiteDeps;
  /** Before requests come. */
  open(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Pages change when an alert has passed the free delay, and with the outcome of its market. */
export function wireSite({ config, clock, database: { alerts }, feed }: AppContext): RunningSite {
  const pages = new PageCache(clock);
  const live = new LivePages(clock);
  const change = (topic: string): void => {
    pages.change(topic);
    live.change(topic);
  };
  const onAlert = (alert: Alert) => topicsOf(alert).forEach(change);
  const delayed = new DelayedFeed({ alerts, feed, clock, delayMs: config.freeDelayMs, onAlert });
  const unsubscribe = feed.onResolution(({ marketId }) =>
    [TOPICS.alerts, TOPICS.market(marketId)].forEach(change),
  );
  return {
    deps: { pages, live, newestId: () => delayed.newestId },
    open: () => delayed.open(),
    run: (signal) => live.run(signal),
    close() {
      unsubscribe();
      delayed.close();
    },
  };
}

function topicsOf({ marketId, wallet, details: { wallets = [] } }: Alert): readonly string[] {
  return [TOPICS.alerts, TOPICS.market(marketId), ...new Set([wallet, ...wallets].map(TOPICS.wallet))];
}
