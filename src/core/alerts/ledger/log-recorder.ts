import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindWindow } from '../../trades/coverage/blind-window.ts';
import type { StoredCoverage } from '../../trades/coverage/stored-coverage.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { blindClosedDraft, blindOpenedDraft, windowSubject } from './log-drafts.ts';

/** Costs two reads each time while there is nothing new. */
const LOOK_EVERY_MS = SECOND_MS;
const PAGE = 500;

interface LogRecorderDeps {
  readonly writer: LogWriter;
  readonly log: Pick<LogStore, 'lastOf' | 'lastAbout'>;
  readonly coverage: Pick<StoredCoverage, 'windows'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The newest blind window with an entry; null when none has. */
type Position = { readonly startedAt: EpochMs; readonly isClosed: boolean } | null;

/**
 * Records blind windows, which other parts and processes store, in the log. The log itself shows which have an entry, so that a
 * crash neither skips nor repeats one. A window has one `blind_opened` with its first cause, and one `blind_closed` with its last
 * cause.
 */
export class LogRecorder {
  readonly #deps: LogRecorderDeps;
  /** Undefined if it must be read from the log. */
  #position: Position | undefined;

  constructor(deps: LogRecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Runs every second until the signal aborts. Failed reads are retried. Throws if an entry could not be written, since that
   * closes the writer. `now`: the time of the entries.
   */
  async run(signal: AbortSignal, now: () => EpochMs): Promise<void> {
    const { writer, clock, logger } = this.#deps;
    const failures = new FailureLog(logger, 'blind windows unavailable; retrying every second');
    const isFatal = () => !writer.isOpen;
    await repeat(() => this.look(now), { clock, signal, intervalMs: LOOK_EVERY_MS, failures, isFatal });
    this.#position = undefined;
  }

  async look(now: () => EpochMs): Promise<void> {
    let position = this.#position === undefined ? await this.#askLog() : this.#position;
    // After a fault the position is read from the log again.
    this.#position = undefined;
    for (const window of await this.#windowsFrom(position?.startedAt ?? 0))
      position = await this.#enter(window, position, now);
    this.#position = position;
  }

  async #askLog(): Promise<Position> {
    const { log } = this.#deps;
    const opened = await log.lastOf('blind_opened');
    if (opened === null) return null;
    const { id, started_at } = opened.body as { readonly id: string; readonly started_at: string };
    const isClosed = (await log.lastAbout(windowSubject(id)))?.kind === 'blind_closed';
    return { startedAt: Date.parse(started_at), isClosed };
  }

  async #enter(window: BlindWindow, newest: Position, now: () => EpochMs): Promise<Position> {
    const { writer } = this.#deps;
    const { startedAt, endedAt } = window;
    const isOpened = newest?.startedAt === startedAt;
    if (!isOpened) await writer.append([{ ...blindOpenedDraft(window), at: now() }]);
    const isClosed = isOpened && newest.isClosed;
    if (endedAt === null || isClosed) return { startedAt, isClosed };
    await writer.append([{ ...blindClosedDraft(window, endedAt), at: now() }]);
    return { startedAt, isClosed: true };
  }

  /** Windows that began at `since` or later, oldest first. Windows do not overlap and are stored in order. */
  async #windowsFrom(since: EpochMs): Promise<readonly BlindWindow[]> {
    const found: BlindWindow[] = [];
    let until = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = await this.#deps.coverage.windows({ since, until, limit: PAGE });
      found.push(...page.filter(({ startedAt }) => startedAt >= since));
      const oldest = page.at(-1);
      if (oldest === undefined || page.length < PAGE) return found.reverse();
      until = oldest.startedAt - 1;
    }
  }
}
