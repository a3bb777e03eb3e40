import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindWindow } from '../../trades/coverage/blind-window.ts';
import type { StoredCoverage } from '../../trades/coverage/stored-coverage.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { gapDraft } from './log-drafts.ts';

const LOOK_EVERY_MS = SECOND_MS;
const PAGE = 500;

interface LogRecorderDeps {
  readonly writer: LogWriter;
  readonly log: Pick<LogStore, 'lastOf'>;
  readonly coverage: Pick<StoredCoverage, 'windows'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The newest entry about a blind window; null when there is none. */
type Position = LogEntry | null;

/**
 * Records blind windows, which other parts and processes store, in the log. The log itself shows which have an entry, so that a
 * crash neither skips nor repeats one. A window has a `gap` when it opens and one
 * when it closes.
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
    let position = this.#position === undefined ? await this.#deps.log.lastOf('gap') : this.#position;
    // After a fault the position is read from the log again.
    this.#position = undefined;
    for (const window of await this.#windowsFrom(position === null ? 0 : windowOf(position).startedAt))
      position = await this.#enter(window, position, now);
    this.#position = position;
  }

  async #enter(window: BlindWindow, newest: Position, now: () => EpochMs): Promise<Position> {
    const known = newest === null ? null : windowOf(newest);
    let last = newest;
    if (known?.startedAt !== window.startedAt) last = await this.#append('opened', window, last, now());
    else if (known.isClosed) return last;
    return window.endedAt === null ? last : this.#append('closed', window, last, now());
  }

  async #append(
    state: 'opened' | 'closed',
    window: BlindWindow,
    before: Position,
    at: EpochMs,
  ): Promise<Position> {
    const [entry] = await this.#deps.writer.append([gapDraft(state, window, { at, before })]);
    return entry ?? null;
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

/** The window that a `gap` is about. */
function windowOf({ body }: LogEntry) {
  const { started_at, state } = body as { readonly started_at: string; readonly state: string };
  return { startedAt: Date.parse(started_at), isClosed: state === 'closed' };
}
