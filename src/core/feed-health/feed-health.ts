import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { BlindCause, BlindWindow } from './blind-window.ts';
import type { FeedHealthMetrics, FeedVisibility } from './feed-health-metrics.ts';
import type { FeedHealthStore } from './feed-health-store.ts';
import { createFeedHealthWriter } from './feed-health-writer.ts';
import type { FeedRecord } from './feed-record.ts';
import { type Opened, openRecord } from './open-record.ts';
import type { TimeRange } from './time-range.ts';

const LOOK_EVERY_MS = SECOND_MS;
/** At the end of a run: a database that is away does not hold up a shutdown. */
const LAST_WRITE_MS = 2 * SECOND_MS;

/** How the feed stands. */
export interface FeedHealthStatus {
  /** When the feed began to watch for the first time. */
  readonly since: EpochMs;
  /** Every trade up to this moment that the market listed was offered, but for those of blind windows. */
  readonly confirmedUntil: EpochMs;
  /** The window that lasts, blind or unconfirmed; null while the feed sees. */
  readonly blind: Pick<BlindWindow, 'startedAt' | 'cause'> | null;
}

/** What a live feed saw and did not see, told by what polls, and kept. */
export interface FeedHealth {
  /**
   * Reads what the last run left, and takes note of the time in which nothing ran. `wantedFrom`: how far back the first
   * walk must reach, at most 31 days; null at the very first start. Throws when the database does not answer.
   */
  open(): Promise<{ readonly wantedFrom: EpochMs | null }>;
  /** The answers show the market as of that moment, and what they list was offered. Never throws. */
  fresh(at: EpochMs): void;
  /** Every trade whose time lies in the span and that the market lists was offered. It is a fresh answer too. Never throws. */
  confirmed(span: TimeRange): void;
  /** Polling failed, and why. `completeUntil`: what was confirmed after it was not complete. Never throws. */
  failed(cause: BlindCause, completeUntil?: EpochMs): void;
  /**
   * Whether a source shows trades that vouches for nothing, and since when (by default now; when it ends: when it showed
   * the last). Once it has done so for 15 s a feed without fresh answers is `unconfirmed`, and not blind. Never throws.
   */
  provisional(isProvisional: boolean, since?: EpochMs): void;
  /** Looks each second until the signal aborts, and writes what changed; the last time at the end. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** What is seen now; `seen` before `open`. */
  visibility(): FeedVisibility;
  /** Null before `open`. */
  status(): FeedHealthStatus | null;
}

/** What the coverage stands on. */
export interface FeedHealthDeps {
  readonly store: FeedHealthStore;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<FeedHealthMetrics, 'feedConfirmed'>;
  /** The time of the oldest trade that was offered and is not judged yet; null when none waits. */
  readonly oldestWaiting: () => EpochMs | null;
}

/** Not open yet: what it is told before is passed over. */
export function createFeedHealth({
  store,
  clock,
  logger,
  metrics,
  oldestWaiting,
}: FeedHealthDeps): FeedHealth {
  let opened: Opened | null = null;
  const writer = createFeedHealthWriter({ store, clock, logger });

  /** One moment of all three, so that what is written later does not claim what only memory held. */
  function note({ since, record }: Opened): void {
    const { confirmedUntil } = record;
    const changed = record.takeChanged();
    for (const window of changed) if (window.endedAt !== null) logWindow(logger, window);
    void writer.write(changed, { since, confirmedUntil, oldestWaiting: oldestWaiting() });
  }

  function look(opened: Opened): void {
    const { record } = opened;
    const now = clock.now();
    began(opened, record.look(now));
    metrics.feedConfirmed(Math.max(0, now - record.confirmedUntil), record.visibility(now));
  }

  /** What a window follows is told first. */
  function began(opened: Opened, window: BlindWindow | null): void {
    if (window === null) return;
    note(opened);
    logWindow(logger, window);
  }

  function change(by: (of: Opened, now: EpochMs) => void): void {
    if (opened === null) return;
    look(opened);
    by(opened, clock.now());
    note(opened);
  }

  return {
    async open() {
      opened = await openRecord(store, clock.now());
      if (opened.record.current !== null) logWindow(logger, opened.record.current);
      note(opened);
      return { wantedFrom: opened.wantedFrom };
    },
    fresh: (at) => change(({ record }, now) => record.fresh(at, now)),
    confirmed: (span) => change(({ record }, now) => record.confirm(span, now)),
    failed: (cause, completeUntil) => opened?.record.fail(cause, completeUntil),
    provisional: (isProvisional, since = clock.now()) =>
      change((of, now) => began(of, of.record.provisional(isProvisional, Math.min(since, now)))),
    async run(signal) {
      while (!signal.aborted) {
        if (opened !== null) {
          look(opened);
          note(opened);
        }
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
      if (opened === null) return;
      look(opened);
      note(opened);
      await withTimeout({ clock, timeoutMs: LAST_WRITE_MS }, writer.settle()).catch((error: unknown) =>
        logger.warn({ err: error }, 'what the live feed saw last is not written'),
      );
    },
    visibility: () => opened?.record.visibility(clock.now()) ?? 'seen',
    status: () => (opened === null ? null : statusOf(opened)),
  };
}

function statusOf({
  since,
  record,
}: {
  readonly since: EpochMs;
  readonly record: FeedRecord;
}): FeedHealthStatus {
  const { confirmedUntil, current } = record;
  return { since, confirmedUntil, blind: current };
}

function logWindow(
  logger: FeedHealthDeps['logger'],
  { startedAt, endedAt, cause, backfilledAt }: BlindWindow,
): void {
  const since = iso(startedAt);
  const state = cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
  if (endedAt === null) logger.warn({ since, cause }, `the live feed is ${state}`);
  else if (backfilledAt !== null)
    logger.info({ since, until: iso(endedAt), cause }, 'what the live feed missed is known now');
  else logger.warn({ since, until: iso(endedAt), cause }, `the live feed was ${state}, and is not any more`);
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
