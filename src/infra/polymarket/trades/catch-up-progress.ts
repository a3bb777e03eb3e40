import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import type { EpochMs } from '../../../core/trade.ts';

const LOG_EVERY_MS = 10_000;

/** How far a long walk is: the first half is walking back, the second offering. */
export interface CatchUpProgress {
  begin(span: { floor: EpochMs; start: EpochMs }): void;
  walked(page: { pages: number; oldestAt: EpochMs | null }): void;
  enqueued(page: { enqueued: number; of: number }): void;
  end(): void;
  /** 0 to 1; null while none lasts. */
  progress(): number | null;
}

/** Logged every 10 s while it lasts. */
export function createCatchUpProgress({
  clock,
  logger,
}: {
  clock: Pick<Clock, 'now'>;
  logger: Logger;
}): CatchUpProgress {
  let span: { readonly floor: EpochMs; readonly start: EpochMs } | null = null;
  let progress = 0;
  let loggedAt = 0;

  function logProgress(done: number, fields: object): void {
    if (span === null) return;
    progress = Math.min(Math.max(done, progress), 1);
    if (clock.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock.now();
    logger.info({ progress: Math.round(progress * 1_000) / 1_000, ...fields }, 'polling catches up');
  }

  return {
    begin(of) {
      span = of;
      progress = 0;
      loggedAt = clock.now();
    },
    walked({ pages, oldestAt }) {
      if (span === null || oldestAt === null) return;
      const { floor, start } = span;
      logProgress(Math.min((start - oldestAt) / (start - floor), 1) / 2, { pages, oldestAt });
    },
    enqueued: ({ enqueued, of }) => logProgress(0.5 + enqueued / of / 2, { offered: enqueued, of }),
    end() {
      span = null;
    },
    progress: () => (span === null ? null : progress),
  };
}
