import { FailureLog } from '../../base/async/failure-log.ts';
import { RecentReads } from '../../base/async/recent-reads.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { AlertStore } from '../alert-store.ts';
import { type Audience, DELAYED, visibleUntil } from '../free-delay.ts';
import { EMPTY_LOG, type LogHead } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Feed } from './feed.ts';

const POLL_MS = 100;
const POLL_AFTER_FAULT_MS = SECOND_MS;
const DELAYED_HEAD_TTL_MS = SECOND_MS;

/** A head with the time of its entry; null for the empty log. */
export interface DatedHead extends LogHead {
  readonly at: EpochMs | null;
}

interface LogHeadsDeps {
  readonly log: Pick<LogStore, 'last' | 'headAt'>;
  readonly alerts: Pick<AlertStore, 'last'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly freeDelayMs: number;
}

/** The newest heads of the log, for processes with `ROLES=api`. */
export class LogHeads {
  readonly #deps: LogHeadsDeps;
  #newest: LogHead = EMPTY_LOG;
  #unsubscribe = () => {};
  readonly #delayed: RecentReads<DatedHead>;

  constructor(deps: LogHeadsDeps) {
    this.#deps = deps;
    this.#delayed = new RecentReads(deps.clock, { keptMs: DELAYED_HEAD_TTL_MS, max: 1 });
  }

  /** The newest known head, at most 100 ms old, and never older than an alert of the feed. */
  get newest(): LogHead {
    return this.#newest;
  }

  /** The head that a caller may see: the current one, or the one at the free delay (up to a second older). */
  async read({ isRealtime }: Audience): Promise<DatedHead> {
    if (isRealtime) return (await this.#deps.log.last()) ?? EMPTY_HEAD;
    return this.#delayed.get('', async () => {
      const head = await this.#deps.log.headAt(visibleUntil(DELAYED, this.#deps));
      return head ?? EMPTY_HEAD;
    });
  }

  /** Reads the newest head, then also follows the alerts of the feed until `close`. */
  async open(feed: Pick<Feed, 'subscribe'>): Promise<void> {
    const last = await this.#deps.alerts.last();
    if (last !== null) this.#advance(last.log);
    this.#unsubscribe = feed.subscribe(last?.id ?? 0, (alerts) => {
      for (const { log } of alerts) this.#advance(log);
    });
    await this.#look();
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Polls the store every 100 ms until the signal aborts. Faults are logged once and retried. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    const failures = new FailureLog(logger, 'head of the log unavailable; retrying every second');
    const options = { clock, signal, intervalMs: POLL_MS, retryMs: POLL_AFTER_FAULT_MS, failures };
    await repeat(() => this.#look(), options);
  }

  async #look(): Promise<void> {
    const last = await this.#deps.log.last();
    if (last !== null) this.#advance(last);
  }

  #advance({ seq, hash }: LogHead): void {
    if (seq > this.#newest.seq) this.#newest = { seq, hash };
  }
}

const EMPTY_HEAD: DatedHead = { ...EMPTY_LOG, at: null };
