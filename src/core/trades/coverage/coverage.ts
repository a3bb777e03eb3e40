import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindCause, BlindWindow, CoverageMetrics, FeedVisibility, TimeRange } from './blind-window.ts';
import { BLIND_AFTER_MS, CONFIRMED_BEHIND_MS, CoverageRecord, FILLED_BACK_MS } from './coverage-record.ts';
import type { FeedPosition, StoredCoverage } from './stored-coverage.ts';

const CHECK_EVERY_MS = SECOND_MS;
/** At the end of a run: an unavailable database must not delay a shutdown. */
const LAST_WRITE_MS = 2 * SECOND_MS;

interface CoverageDeps {
  readonly store: Pick<StoredCoverage, keyof StoredCoverage>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<CoverageMetrics, 'feedConfirmed'>;
  /** Time of the oldest trade that is enqueued and not judged yet; null when there is none. */
  readonly oldestWaiting: () => EpochMs | null;
}

/** Records when a live feed saw every trade and when it did not, as its sources report it. Reports before `open` are ignored. */
export class Coverage {
  readonly #deps: CoverageDeps;
  readonly #writer: CoverageWriter;
  #opened: OpenedRecord | null = null;

  constructor(deps: CoverageDeps) {
    this.#deps = deps;
    this.#writer = new CoverageWriter(deps.store, deps.clock, deps.logger);
  }

  /**
   * Reads what the last run stored, and adds a window for the time in which the service did not run. `wantedFrom`: how
   * far back the first walk must reach, at most 31 days; null at the very first start. Throws when the database fails.
   */
  async open(): Promise<{ readonly wantedFrom: EpochMs | null }> {
    const opened = await openRecord(this.#deps.store, this.#deps.clock.now());
    this.#opened = opened;
    if (opened.record.current !== null) this.#log(opened.record.current);
    this.#write(opened);
    return { wantedFrom: opened.wantedFrom };
  }

  /** The source's answers show the market as of that moment, and all that they list was enqueued. Never throws. */
  fresh(at: EpochMs): void {
    this.#change(({ record }, now) => record.fresh(at, now));
  }

  /** Every listed trade of the range was enqueued. Counts as a fresh answer, too. Never throws. */
  confirmed(range: TimeRange): void {
    this.#change(({ record }, now) => record.confirm(range, now));
  }

  /** Polling failed with this cause. `completeUntil`: what was confirmed after it was incomplete. Never throws. */
  failed(cause: BlindCause, completeUntil?: EpochMs): void {
    this.#opened?.record.fail(cause, completeUntil);
  }

  /**
   * Whether trades come from a source that does not guarantee completeness, and since when. The default is now; when that source
   * ends, the time of its last trade. After 15 s a feed without fresh answers is `unconfirmed` instead of blind. Never throws.
   */
  provisional(isProvisional: boolean, since = this.#deps.clock.now()): void {
    this.#change((opened, now) =>
      this.#began(opened, opened.record.provisional(isProvisional, Math.min(since, now))),
    );
  }

  /** Checks every second until the signal aborts, and writes what changed; once more at the end. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    await repeat(() => this.#change(() => {}), { clock, signal, intervalMs: CHECK_EVERY_MS });
    if (this.#opened === null) return;
    this.#change(() => {});
    await withTimeout({ clock, timeoutMs: LAST_WRITE_MS }, this.#writer.settle()).catch((error: unknown) =>
      logger.warn({ err: error }, 'last write of the coverage failed'),
    );
  }

  /** The current visibility; `seen` before `open`. */
  visibility(): FeedVisibility {
    return this.#opened?.record.visibility(this.#deps.clock.now()) ?? 'seen';
  }

  /** `open`: the open window, blind or unconfirmed; `failure`: the last one of polling. Null before `open()`. */
  status() {
    if (this.#opened === null) return null;
    const { since, record } = this.#opened;
    return { since, confirmedUntil: record.confirmedUntil, open: record.current, failure: record.failure };
  }

  #change(change: (opened: OpenedRecord, now: EpochMs) => void): void {
    if (this.#opened === null) return;
    this.#check(this.#opened);
    change(this.#opened, this.#deps.clock.now());
    this.#write(this.#opened);
  }

  #check(opened: OpenedRecord): void {
    const { record } = opened;
    const now = this.#deps.clock.now();
    this.#began(opened, record.check(now));
    this.#deps.metrics.feedConfirmed(Math.max(0, now - record.confirmedUntil), record.visibility(now));
  }

  /** The window before a new one is logged first. */
  #began(opened: OpenedRecord, window: BlindWindow | null): void {
    if (window === null) return;
    this.#write(opened);
    this.#log(window);
  }

  /** Takes windows and position at the same moment, so that a later write does not claim what only memory held. */
  #write({ since, record }: OpenedRecord): void {
    const { confirmedUntil } = record;
    const changed = record.takeChanged();
    for (const window of changed) if (window.endedAt !== null) this.#log(window);
    void this.#writer.write(changed, { since, confirmedUntil, oldestWaiting: this.#deps.oldestWaiting() });
  }

  #log({ startedAt, endedAt, cause, backfilledAt }: BlindWindow): void {
    const { logger } = this.#deps;
    const since = iso(startedAt);
    const state = cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
    if (endedAt === null) logger.warn({ since, cause }, `the live feed is ${state}`);
    else if (backfilledAt !== null)
      logger.info({ since, until: iso(endedAt), cause }, 'missed trades of the live feed backfilled');
    else logger.warn({ since, until: iso(endedAt), cause }, `the live feed is no longer ${state}`);
  }
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

interface OpenedRecord {
  readonly record: CoverageRecord;
  /** When the feed was started for the first time. */
  readonly since: EpochMs;
  /** How far back the first walk must reach; null at the very first start. */
  readonly wantedFrom: EpochMs | null;
}

/**
 * Reads what the last run stored. A stop of more than 25 s becomes a window from the last confirmed moment, or from the
 * end of the last window, until now; the last fresh answer is assumed to be newer by the usual lag. A window that a killed
 * process left open continues with its start and cause, since that cause is why trades were missed first. Only
 * `unconfirmed` becomes `stopped`, since no source showed trades any longer.
 */
async function openRecord(store: CoverageDeps['store'], now: EpochMs): Promise<OpenedRecord> {
  const position = await store.readPosition();
  const earliest = now - FILLED_BACK_MS;
  const unsettled = (await store.unsettled(earliest)).toReversed();
  const [newest] = await store.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1 });
  const open = unsettled.find(({ endedAt }) => endedAt === null);
  const confirmedUntil = Math.min(now, position?.confirmedUntil ?? open?.startedAt ?? now);
  const lastEnd = newest?.endedAt ?? null;
  const freshUntil = Math.min(now, confirmedUntil + CONFIRMED_BEHIND_MS);
  const record = new CoverageRecord({ confirmedUntil, freshUntil, lastEnd, unsettled });
  const starts = unsettled.map(({ startedAt }) => startedAt);
  if (open === undefined && now - Math.max(freshUntil, lastEnd ?? 0) > BLIND_AFTER_MS) {
    const from = Math.max(confirmedUntil, lastEnd ?? 0);
    record.addStopped({ from, until: now });
    starts.push(from);
  }
  if (position !== null) starts.push(position.confirmedUntil, position.oldestWaiting ?? now);
  const wantedFrom = starts.length === 0 ? null : Math.max(earliest, Math.min(...starts));
  return { record, since: position?.since ?? confirmedUntil, wantedFrom };
}

/** A changed position alone is written at most this often. */
const POSITION_EVERY_MS = 5 * SECOND_MS;

/**
 * Writes the feed's record, one write at a time. A failed write is kept and repeated with the next.
 * A window is written as not backfilled first, then the position, and only then as backfilled: a process that is killed
 * in between leaves one window too many as not backfilled, and never loses one or marks it wrongly.
 */
class CoverageWriter {
  readonly #store: Pick<StoredCoverage, 'putWindow' | 'writePosition'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures: FailureLog;
  readonly #windows = new Map<string, BlindWindow>();
  #position: FeedPosition | null = null;
  #written: FeedPosition | null = null;
  #writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;

  constructor(
    store: Pick<StoredCoverage, 'putWindow' | 'writePosition'>,
    clock: Pick<Clock, 'now'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#failures = new FailureLog(logger, 'coverage store unavailable; retrying with the next write');
  }

  /** Takes windows that changed, and the position at the same moment. Resolves after the attempt; never throws. */
  async write(changed: readonly BlindWindow[], position: FeedPosition): Promise<void> {
    for (const window of changed) this.#windows.set(window.id, window);
    this.#position = position;
    if (this.#isDue() && this.#writing === null) await this.#failures.guard(() => this.#flushOnce());
  }

  /** Writes all that is left immediately. Throws when the write fails; the failure of one in progress is logged by `write`. */
  async settle(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#flushOnce();
  }

  #isDue(): boolean {
    if (this.#windows.size > 0) return true;
    const sinceMs = Math.abs(this.#clock.now() - this.#writtenAt);
    return !isSame(this.#position, this.#written) && sinceMs >= POSITION_EVERY_MS;
  }

  /** One at a time, so that an older state never overwrites a newer one. */
  #flushOnce(): Promise<void> {
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const windows = [...this.#windows.values()];
    const position = this.#position;
    for (const window of windows) await this.#store.putWindow({ ...window, backfilledAt: null });
    if (position !== null && !isSame(position, this.#written)) {
      await this.#store.writePosition(position);
      this.#written = position;
      this.#writtenAt = this.#clock.now();
    }
    for (const window of windows) {
      if (window.backfilledAt !== null) await this.#store.putWindow(window);
      if (this.#windows.get(window.id) === window) this.#windows.delete(window.id);
    }
  }
}

function isSame(a: FeedPosition | null, b: FeedPosition | null): boolean {
  return (
    a?.since === b?.since && a?.confirmedUntil === b?.confirmedUntil && a?.oldestWaiting === b?.oldestWaiting
  );
}
