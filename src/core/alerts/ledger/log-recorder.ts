import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindWindow, CoverageStore } from '../../trades/coverage/blind-window.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { StatementStore } from '../statements/statement-store.ts';
import { blindClosedDraft, blindOpenedDraft, statementDraft, windowSubject } from './log-drafts.ts';

/** Costs two reads each time while there is nothing new. */
const LOOK_EVERY_MS = SECOND_MS;
const PAGE = 500;

interface LogRecorderDeps {
  readonly writer: LogWriter;
  readonly log: Pick<LogStore, 'lastOf' | 'lastAbout'>;
  readonly coverage: Pick<CoverageStore, 'windows'>;
  readonly statements: Pick<StatementStore, 'after'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The newest blind window and statement with an entry. */
interface Position {
  /** Null when none has. */
  readonly window: { readonly startedAt: EpochMs; readonly isClosed: boolean } | null;
  readonly statement: number;
}

/**
 * Records blind windows and operators' statements, which other parts and processes store, in the log. The log itself shows which
 * have an entry, so that a crash neither skips nor repeats one. A window has one `blind_opened` with its first cause, and one
 * `blind_closed` with its last cause.
 */
export class LogRecorder {
  readonly #deps: LogRecorderDeps;
  /** Null if it must be read from the log. */
  #position: Position | null = null;

  constructor(deps: LogRecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Runs every second until the signal aborts. Failed reads are retried. Throws if an entry could not be written, since that
   * closes the writer. `now`: the time of the entries.
   */
  async run(signal: AbortSignal, now: () => EpochMs): Promise<void> {
    const { writer, clock, logger } = this.#deps;
    const failures = new FailureLog(
      logger,
      'blind windows and statements unavailable; retrying every second',
    );
    const isFatal = () => !writer.isOpen;
    await repeat(() => this.look(now), { clock, signal, intervalMs: LOOK_EVERY_MS, failures, isFatal });
    this.#position = null;
  }

  async look(now: () => EpochMs): Promise<void> {
    const { writer, statements } = this.#deps;
    let position = this.#position ?? (await this.#askLog());
    // After a fault the position is read from the log again.
    this.#position = null;
    for (const window of await this.#windowsFrom(position.window?.startedAt ?? 0))
      position = { ...position, window: await this.#enter(window, position.window, now) };
    for (const statement of await statements.after(position.statement, PAGE)) {
      await writer.append({ ...statementDraft(statement), at: now() });
      position = { ...position, statement: statement.number };
    }
    this.#position = position;
  }

  async #askLog(): Promise<Position> {
    const { log } = this.#deps;
    const [opened, annotation, withdrawal] = await Promise.all([
      log.lastOf('blind_opened'),
      log.lastOf('annotation'),
      log.lastOf('withdrawal'),
    ]);
    const statement = Math.max(numberOf(annotation), numberOf(withdrawal));
    if (opened === null) return { window: null, statement };
    const { id, started_at } = opened.body as { readonly id: string; readonly started_at: string };
    const isClosed = (await log.lastAbout(windowSubject(id)))?.kind === 'blind_closed';
    return { window: { startedAt: Date.parse(started_at), isClosed }, statement };
  }

  async #enter(window: BlindWindow, newest: Position['window'], now: () => EpochMs) {
    const { writer } = this.#deps;
    const { startedAt, endedAt } = window;
    const isOpened = newest?.startedAt === startedAt;
    if (!isOpened) await writer.append({ ...blindOpenedDraft(window), at: now() });
    const isClosed = isOpened && newest.isClosed;
    if (endedAt === null || isClosed) return { startedAt, isClosed };
    await writer.append({ ...blindClosedDraft(window, endedAt), at: now() });
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
      // Stryker disable next-line ArithmeticOperator: a window that is read again is entered once
      until = oldest.startedAt - 1;
    }
  }
}

function numberOf(entry: LogEntry | null): number {
  return (entry?.body as { readonly number: number } | undefined)?.number ?? 0;
}
