import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../base/time/duration.ts';
import type { WindowCause } from './blind-window.ts';
import type { FeedView } from './coverage-report.ts';

/** How long the feed is blind or unconfirmed before the stream's clients are notified. */
export const DEGRADED_AFTER_MS = MINUTE_MS;

/** The feed has been blind or unconfirmed for a minute or longer. */
export interface Degraded extends Partial<Pick<FeedView, 'reason' | 'factsDelayed'>> {
  readonly since: EpochMs;
  readonly cause: WindowCause;
}

/** The feed is complete again. */
export interface Recovered {
  readonly since: EpochMs;
  readonly until: EpochMs;
  /** Whether every trade of that time that the market still listed is known. */
  readonly backfilled: boolean;
}

interface NoticeDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly stream: { degrade(degraded: Degraded): void; recover(recovered: Recovered): void };
}

/** Takes each view of the feed, and notifies the stream once when the feed degrades and once when it recovers. */
export function createDegradedNotice({ clock, stream }: NoticeDeps): (view: FeedView) => void {
  let notified: Degraded | null = null;
  return ({ blind, last, confirmedUntil, reason, factsDelayed }) => {
    if (blind !== null) {
      const isNotified = notified?.since === blind.startedAt && notified.cause === blind.cause;
      // A window that follows a notified one, as unconfirmed follows blind, is sent without delay.
      if (isNotified || (notified === null && clock.now() - blind.startedAt < DEGRADED_AFTER_MS)) return;
      notified = { since: blind.startedAt, cause: blind.cause, reason, factsDelayed };
      stream.degrade(notified);
    } else if (notified !== null) {
      const { since } = notified;
      const window = last?.startedAt === since ? last : null;
      const until = window?.endedAt ?? Math.max(since, confirmedUntil ?? since);
      notified = null;
      stream.recover({ since, until, backfilled: window !== null && window.backfilledAt !== null });
    }
  };
}
