import { RecentReads } from '../../base/async/recent-reads.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import { type AlertIndex, type DatedHead, EMPTY_HEAD } from '../alert-index/alert-index.ts';
import { type Audience, DELAYED, visibleUntil } from '../free-delay.ts';
import type { LogHead } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';

const DELAYED_HEAD_TTL_MS = SECOND_MS;

interface LogHeadsDeps {
  readonly index: Pick<AlertIndex, 'head' | 'upToDate'>;
  readonly log: Pick<LogStore, 'headAt'>;
  readonly clock: Clock;
  readonly freeDelayMs: number;
}

/** The newest heads of the log, for each caller. */
export class LogHeads {
  readonly #deps: LogHeadsDeps;
  readonly #delayed: RecentReads<DatedHead>;

  constructor(deps: LogHeadsDeps) {
    this.#deps = deps;
    this.#delayed = new RecentReads(deps.clock, { keptMs: DELAYED_HEAD_TTL_MS, max: 1 });
  }

  /** The newest known head, never older than an alert of the feed. */
  get newest(): LogHead {
    return this.#deps.index.head;
  }

  /** The head that a caller may see: the current one, or the one at the free delay (up to a second older). */
  async read({ isRealtime }: Audience): Promise<DatedHead> {
    const { index, log } = this.#deps;
    if (!isRealtime)
      return this.#delayed.get('', async () => {
        const head = await log.headAt(visibleUntil(DELAYED, this.#deps));
        return head ?? EMPTY_HEAD;
      });
    await index.upToDate();
    return index.head;
  }
}
