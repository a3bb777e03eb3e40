import type { Clock } from '../clock.ts';
import { MINUTE_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { WindowCause } from './blind-window.ts';
import type { FeedView } from './feed-health-report.ts';

/** How long the feed is blind or unconfirmed before everybody on the stream is told. */
export const DEGRADED_AFTER_MS = MINUTE_MS;

/** The feed is blind or unconfirmed for a minute or longer. */
export interface Degraded {
  readonly since: EpochMs;
  readonly cause: WindowCause;
}

/** It sees again. */
export interface Recovered {
  readonly since: EpochMs;
  readonly until: EpochMs;
  /** Whether all that the market still listed of that time is known. */
  readonly backfilled: boolean;
}

/** Who is told. */
interface NoticeDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly stream: { degrade(degraded: Degraded): void; recover(recovered: Recovered): void };
}

/** Takes how the feed stands, look after look, and tells the stream once when it is degraded and once when that is over. */
export function createDegradedNotice({ clock, stream }: NoticeDeps): (view: FeedView) => void {
  let reported: Degraded | null = null;
  return ({ blind, last, confirmedUntil }) => {
    if (blind !== null) {
      const isReported = reported?.since === blind.startedAt && reported.cause === blind.cause;
      // One that follows another, as unconfirmed follows blind, is told without a wait.
      if (isReported || (reported === null && clock.now() - blind.startedAt < DEGRADED_AFTER_MS)) return;
      reported = { since: blind.startedAt, cause: blind.cause };
      stream.degrade(reported);
    } else if (reported !== null) {
      const { since } = reported;
      const window = last?.startedAt === since ? last : null;
      const until = window?.endedAt ?? Math.max(since, confirmedUntil ?? since);
      reported = null;
      stream.recover({ since, until, backfilled: window !== null && window.backfilledAt !== null });
    }
  };
}
